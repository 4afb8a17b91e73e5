"""How kernels are compiled and where their machine code is kept. Knows nothing of the game.

numba stamps a cached kernel with the source of its own file only: if it calls a helper of another
module, a change there goes unnoticed.  So the cache lies in a folder named after the contents of
*all* kernel modules of the engine, and of those beside the kernel if it is of another package:
any change to any of them starts an empty folder, and kernels may be spread over as many modules
(and packages: the agents' search) as is good to read.
"""

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np

int64 = cast(Callable[[int], int], np.int64)
"""To kernels a whole number of one width, which is not known beforehand; to Python just a number.
numba compiles a kernel anew for every width, and for every constant, that it is called with."""

P = ParamSpec("P")
R = TypeVar("R")

_config: Any = numba.config  # its attributes are made at run time

COMPILED = not _config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1: kernels are then ordinary Python, for debuggers and coverage."""


ENGINE = Path(__file__).parent


def _fingerprint(package: Path) -> str:
    digest = hashlib.sha256(f"{sys.version} {numba.__version__}".encode())
    for folder in (ENGINE,) if package == ENGINE else (ENGINE, package):
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _cache_folder(package: Path) -> Path:
    """NUMBA_CACHE_DIR if it is set, else the user's cache folder, else a temporary one."""
    chosen = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    home = os.path.expanduser("~")  # "~" itself where nobody knows it
    user = os.getuid() if hasattr(os, "getuid") else "cache"
    bases = [Path(chosen) / "tsuro-env"] if chosen else []
    bases += [Path(home) / ".cache" / "tsuro-env"] if os.path.isabs(home) else []
    for base in (*bases, Path(tempfile.gettempdir()) / f"tsuro-env-{user}"):
        folder = base / _fingerprint(package)
        try:
            base.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_ours(base):
                continue
            folder.mkdir(exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    return Path(tempfile.mkdtemp(prefix="tsuro-env-"))


def _is_ours(folder: Path) -> bool:
    """What lies in a cache is run: nobody else may write there."""
    status = folder.stat()
    return not hasattr(os, "getuid") or (
        status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )


CACHE_FOLDER = _cache_folder(ENGINE) if COMPILED else None


def kernel(function: Callable[P, R], *, inline: bool = False) -> Callable[P, R]:
    """Compile a function when it is first called, without the interpreter's lock, and cache it."""
    if not COMPILED:
        return function
    # Kernels allocate nothing: _nrt=False leaves out the counting of references to arrays.
    return _cached(function, forceinline=inline, _nrt=False)


def scratch_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that allocates scratch memory, once for all the games it is called with."""
    return _cached(function) if COMPILED else function


def parallel_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel whose `prange` loop runs on several threads."""
    return _cached(function, parallel=True) if COMPILED else function


def _cached(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    package = Path(function.__code__.co_filename).parent
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(_cache_folder(package))  # read while the decorator runs, then put back
    try:
        compile_lazily: Any = numba.njit(cache=True, nogil=True, error_model="numpy", **options)
        return cast(Callable[P, R], compile_lazily(function))
    finally:
        _config.CACHE_DIR = before


def hot_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel on the path of every move, compiled into its callers.

    A call would hand over every field of every array of the state: dozens of words.
    """
    return kernel(function, inline=True)


def wrapping_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel whose unsigned arithmetic is meant to wrap around; plain numpy would warn of it."""
    if COMPILED:
        return hot_kernel(function)
    return np.errstate(over="ignore")(function)


def compile_once(part: str, warm_up: Callable[[], object]) -> None:
    """On a new machine: say that a part of the package is being compiled, and run `warm_up`.

    That it has been done is noted where the compiled kernels lie: the engine's, or those in the
    folder `kernels` beside `warm_up`.
    """
    if not COMPILED or part in _compiled:
        return
    _compiled.add(part)  # from here on, so that `warm_up` can use what it compiles
    kernels = Path(warm_up.__code__.co_filename).parent / "kernels"
    done = _cache_folder(kernels if kernels.is_dir() else ENGINE) / f"{part}.compiled"
    if done.exists():
        return
    begun = f"tsuro_env: compiling the {part} for this machine, once ..."
    print(begun, end="", flush=True, file=sys.stderr)
    warm_up()
    done.touch()
    print(" done", file=sys.stderr)


_compiled: set[str] = set()
