"""What the documentation of players shows can be typed in, and its tables are complete."""

import inspect
import re
import shlex
from pathlib import Path

import pytest

import agents
from agents.onnx_player import OnnxPlayer
from bench.strength import HEADER, rows_called
from tsuro_cli.main import main

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
(MY_PLAYERS,) = (program for program in PROGRAMS if "class " in program)
COMMANDS = re.findall(r"^tsuro .+", PAGE, re.MULTILINE)


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_the_programs_run(program: str) -> None:
    exec(compile(program, "documentation", "exec"), {"__name__": "documentation"})


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run_and_find_nothing_wrong(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_players.py").write_text(MY_PLAYERS)
    quicker = command.replace("--games 400", "--games 4").replace("mcts ", "mcts:simulations=20 ")
    quicker = quicker.replace("--limit 1", "--limit 30")  # the machine may be busy
    assert main(shlex.split(quicker)[1:]) == 0


def options_of(kind: type) -> list[str]:
    """As the page has them: with their defaults, where there are some."""
    options = inspect.signature(kind).parameters.values()
    defaults = {o.name: o.default for o in options if o.default is not o.empty}
    return [
        name if default is None else f"{name}={str(default).lower().removesuffix('.0')}"
        for name, default in defaults.items()
    ]


def test_every_built_in_player_is_there_with_its_options() -> None:
    rows = re.findall(r"^\| (`.+?) \| (.*?) \|", PAGE, re.MULTILINE)
    options = {name: re.findall(r"`(.+?)`", cell) for name, cell in rows}
    for name in agents.names():
        assert options[f"`{name}`"] == options_of(type(agents.make(name)))
    (of_models,) = (found for name, found in options.items() if "tsuro-course-4p" in name)
    assert of_models == options_of(OnnxPlayer)


def test_the_table_of_strengths_is_the_one_that_is_measured() -> None:
    assert f"\n| {' | '.join(HEADER)} |\n" in PAGE
    for names in re.findall(r"python -m bench\.strength --only ([^-\n]+)", PAGE):
        assert rows_called(names.split())


def test_the_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        path, _, section = target.partition("#")
        page = (ROOT / "docs" / path).read_text(encoding="utf-8") if path else PAGE
        headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
        assert section in ["", *(heading.lower().replace(" ", "-") for heading in headings)]
