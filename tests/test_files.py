"""Files are written whole or not at all."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from tsuro_env.files import write_atomically


@pytest.mark.parametrize(("data", "content"), [("é\n", b"\xc3\xa9\n"), (b"\x00\xff", b"\x00\xff")])
def test_text_and_bytes_are_written_as_they_are(
    tmp_path: Path, data: str | bytes, content: bytes
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old, and longer than the new one")
    write_atomically(path, data)
    assert path.read_bytes() == content
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def fail(*_: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="the disk is full"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no directory .*missing"):
        write_atomically(tmp_path / "missing" / "file", "text")


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    write_atomically(link, "text")
    assert link.is_symlink()
    assert target.read_text() == "text"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, "text")
        assert os.read(reader, 100) == b"text"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
