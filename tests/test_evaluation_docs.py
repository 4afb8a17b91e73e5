"""What the documentation of evaluation shows can be typed in."""

import importlib
import re
import shlex
from pathlib import Path

import pytest

from tsuro_cli.arguments import Parser

PAGE = (Path(__file__).parent.parent / "docs" / "evaluation.md").read_text(encoding="utf-8")
LINES = re.findall(r"tsuro (?:evaluate|tournament|report) [^`\n]+", PAGE)


@pytest.mark.parametrize("line", LINES)
def test_every_command_has_the_options_that_are_shown(line: str) -> None:
    _, name, *arguments = shlex.split(line)
    command = importlib.import_module(f"tsuro_cli.{name}")
    parser = Parser(prog=name)
    command.add_arguments(parser)
    parser.parse_args(arguments)


def test_the_program_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(program, "documentation", "exec"), {})
    assert capsys.readouterr().out.startswith("second ")
