"""What the README shows works as it is written."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
PYTHON = [text for language, text in BLOCKS if language == "python"]
COMMANDS = [
    line.split("#")[0].strip()
    for language, text in BLOCKS
    if language == ""
    for line in text.splitlines()
    if line.startswith("tsuro ") and not line.startswith("tsuro bench")  # it has its own test
]


def test_the_readme_has_examples() -> None:
    assert len(PYTHON) >= 3
    assert len(COMMANDS) >= 3


@pytest.mark.parametrize("example", PYTHON, ids=range(len(PYTHON)))
def test_python_examples_are_short_and_run(example: str, tmp_path: Path) -> None:
    assert len(example.splitlines()) <= 20
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert not done.stderr


def test_commands_run_one_after_the_other_in_an_empty_directory(tmp_path: Path) -> None:
    for command in COMMANDS:
        arguments = [sys.executable, "-m", "tsuro_cli", *shlex.split(command)[1:]]
        done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, (command, done.stderr)
        assert done.stdout.strip(), command
