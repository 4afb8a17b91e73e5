"""Writing a file so that it is either whole or not there."""

import os
import tempfile
from pathlib import Path


def write_atomically(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write text (as UTF-8) or bytes; whatever goes wrong, an older file stays as it was.

    What is no regular file, such as /dev/stdout or a pipe, is simply written to.
    """
    content = data.encode("utf-8") if isinstance(data, str) else data
    if os.path.exists(path) and not os.path.isfile(path):
        Path(path).write_bytes(content)
        return
    target = Path(os.path.realpath(path))  # a link stays a link
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no directory {target.parent}")
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
