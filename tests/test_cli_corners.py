"""Odd calls of `tsuro`: closed streams, endless nesting, no command, times that cannot be."""

import subprocess
import sys
from pathlib import Path

import pytest

from tsuro_cli.main import main


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["bench", "--seconds", "0"],
        ["bench", "envs", "--seconds", "0"],
        ["watch", "game.json", "--delay", "1e300"],
        ["play", "second", "third", "--quiet", "--record", ""],
    ],
    ids=" ".join,
)
def test_a_call_that_makes_no_sense_is_one_line_and_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("depth", [10, 900, 985, 100_000])
def test_nested_arrays_of_any_depth_are_one_line_and_exit_code_2(depth: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tsuro_cli", "harness", "xtiles"],
        input="[" * depth + "]" * depth,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "call", ["harness xtiles <&-", "--help >&-", "--version >&-", "play first second --quiet 2>&-"]
)
def test_closed_streams_are_no_reason_for_a_traceback(call: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m tsuro_cli {call}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
