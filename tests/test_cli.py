"""The `tsuro` command: quick help, one line for whatever is wrong, and the way through a game."""

import json
import os
import signal
import subprocess
import sys
import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from tsuro_cli.main import COMMANDS, main

REPOSITORY = Path(__file__).parents[1]
RULE_SETS = ["course", "boxed"]


def tsuro(*arguments: str, text: str = "", cwd: Path | None = None, **variables: str) -> Any:
    """Run the command in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), **variables}
    return subprocess.run(
        [sys.executable, "-m", "tsuro_cli", *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env=environment,
        check=False,
    )


# --------------------------------------------------------------------------------------------- help


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"usage: tsuro {command}" in text
    example = text.partition("example:\n")[2].strip()
    assert f"tsuro {command}" in example


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {command} " in text for command in COMMANDS)


@pytest.mark.parametrize(
    "arguments", [["--help"], *([c, "--help"] for c in COMMANDS)], ids=" ".join
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import sys; from tsuro_cli.main import main; code = main(sys.argv[1:]); "
        "heavy = {'numpy', 'numba', 'torch', 'gymnasium', 'pettingzoo', 'onnxruntime', 'pygame', "
        "'matplotlib', 'scipy', 'tsuro_env', 'agents', 'evaluation', 'training'}; "
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr); sys.exit(code)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=REPOSITORY,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "[]\n")


def test_the_version_is_printed() -> None:
    run = tsuro("--version")
    assert run.returncode == 0
    assert run.stdout.startswith("tsuro-env ")


# ---------------------------------------------------------------------------- whatever is wrong

BAD_COMMANDS: dict[str, list[str]] = {
    "no command": [],
    "an unknown command": ["plai"],
    "an unknown option": ["play", "random", "random", "--colour"],
    "an abbreviated option": ["play", "random", "random", "--rule", "boxed"],
    "no players": ["play"],
    "one player": ["play", "random"],
    "nine players": ["play", *["random"] * 9],
    "an unknown player": ["play", "random", "nobody"],
    "an unknown module": ["play", "random", "no_such_module:Player"],
    "an unknown file": ["play", "random", "no/such/file.py:Player"],
    "an unknown class": ["play", "random", "json:Player"],
    "something that is no player": ["play", "random", "json:JSONDecoder"],
    "an unknown option of a player": ["play", "random", "random:courage=3"],
    "an unknown rule set": ["play", "random", "random", "--rules", "chess"],
    "a size too small": ["play", "random", "random", "--size", "3"],
    "a size too large": ["play", "random", "random", "--size", "25"],
    "a size of words": ["play", "random", "random", "--size", "ten"],
    "a negative seed": ["play", "random", "random", "--seed", "-1"],
    "a seed too large": ["play", "random", "random", "--seed", str(2**64)],
    "another rule set's supply": ["play", "random", "random", "--supply", "deck"],
    "an unknown setup": ["play", "random", "random", "--setup", "mine"],
    "a negative delay": ["play", "random", "random", "--delay", "-1"],
    "a record in no directory": [
        "play",
        "random",
        "random",
        "--quiet",
        "--record",
        "no/such/dir.json",
    ],
    "a record onto a directory": ["play", "random", "random", "--quiet", "--record", "."],
    "no file to replay": ["replay"],
    "a missing file": ["replay", "missing.json"],
    "a directory": ["replay", "."],
    "no games": ["evaluate", "random", "random", "--games", "0"],
    "an unknown harness": ["harness", "xyz"],
}


@pytest.mark.parametrize("name", BAD_COMMANDS)
def test_a_command_that_makes_no_sense_is_one_line_and_exit_code_2(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(BAD_COMMANDS[name]) == 2
    error = capsys.readouterr().err
    assert error.startswith("tsuro: ")
    assert error.count("\n") == 1
    assert error.endswith("\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("harness", "text"),
    [
        ("xtiles", "["),
        ("xtiles", "[0, 0, 'A']"),
        ("xtiles", '[0, 0, "A"] x'),
        ("xtiles", '[35, 0, "A"]'),
        ("xtiles", '[0, 1, "A"]'),
        ("xtiles", '[0, 0, "I"]'),
        ("xtiles", "[0, 0]"),
        ("xtiles", "NaN"),
        ("xtiles", "7" * 5000),
        ("xtiles", "[" * 100_000),
        ("xtiles", '[0, 0, "A"] [0, 0, "X"]'),
        ("xboard", ""),
        ("xboard", "{}"),
        ("xboard", '[[[2, 0], "red", "A", 0, 0]]'),
        ("xboard", '[[[2, 0], "red", "C", 0, 0], [[2, 0], 1, 0]]'),
        ("xboard", "[[[2, 0], 0, 0], [[3, 0], 0, 0]]"),
        ("xboard", '[[[2, 0], "red", "C", 0, 0]] ["blue", [2, 0]]'),
        ("xrules", '[[[2, 0], "red", "C", 0, 0]]'),
        ("xrules", '[[[2, 0], "red", "C", 0, 0]] [["blue", [2, 0]], 2, 2]'),
        ("xref", '["a", "b"]'),
        ("xref", '["a", "b", "c"] ["a", "b", "c"]'),
        ("xadmin", '[{"name": "a"}]'),
        ("xadmin", '[{"name": "a", "strategy": "fourth-s.rkt"}]'),
    ],
)
def test_input_that_makes_no_sense_is_one_line_exit_code_2_and_no_answer(
    harness: str, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", open_text(text))
    assert main(["harness", harness]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("tsuro: ")
    assert captured.err.count("\n") == 1
    assert len(captured.err) < 400


def open_text(text: str) -> Any:
    """A stand-in for standard input."""
    import io

    return io.TextIOWrapper(io.BytesIO(text.encode("utf-8")), encoding="utf-8")


def test_input_that_is_no_text_is_one_line_and_exit_code_2() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tsuro_cli", "harness", "xtiles"],
        input=b"\xff\xfe[",
        capture_output=True,
        cwd=REPOSITORY,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr.count(b"\n")) == (2, b"", 1)


BAD_PLAYERS = {
    "a syntax error": "def",
    "an exception": "raise RuntimeError('two\\nlines')",
    "an early exit": "raise SystemExit(0)",
    "a constructor that raises": "class Player:\n    def __init__(self): raise KeyError('x')",
    "a constructor that exits": "class Player:\n    def __init__(self): raise SystemExit(0)",
}


@pytest.mark.parametrize("name", BAD_PLAYERS)
def test_a_players_file_that_cannot_be_used_is_one_line_and_exit_code_2(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.py"
    file.write_text(BAD_PLAYERS[name])
    assert main(["play", "random", f"{file}:Player"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("tsuro: ")
    assert error.count("\n") == 1


# ---------------------------------------------------------------------------------- through a game


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_game_is_played_recorded_and_replayed(
    rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    arguments = ["play", "random", "second", "third", "--rules", rules, "--seed", "7"]
    assert main([*arguments, "--quiet", "--record", str(file)]) == 0
    ranking = capsys.readouterr().out
    assert ranking.startswith("1. ")
    assert main(["replay", str(file)]) == 0
    assert capsys.readouterr().out.endswith(ranking)
    assert main([*arguments, "--quiet"]) == 0
    assert capsys.readouterr().out == ranking


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("players", [2, 5, 8])
def test_a_game_fits_into_80_columns(
    rules: str, players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["play", *["random"] * players, "--rules", rules, "--size", "10", "--seed", "3"]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 10
    assert max(map(width, lines)) <= 80


def width(line: str) -> int:
    """How many columns a terminal needs."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in line
    )


def test_without_a_terminal_there_are_no_colours(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "random", "random", "--seed", "3"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_terminal_of_plain_ascii_gets_plain_ascii() -> None:
    run = tsuro("play", "random", "random", "--seed", "3", PYTHONIOENCODING="ascii")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.isascii()


def test_a_player_of_the_working_directory_is_found(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from agents.scripted import SecondPlayer\nclass Mine(SecondPlayer): pass\n"
    )
    run = tsuro("play", "mine:Mine", "mine.py:Mine", "--quiet", "--seed", "1", cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert "mine:Mine" in run.stdout


def test_the_table_of_a_match_is_json_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "random", "second", "--games", "4", "--seed", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


# ------------------------------------------------------------------------- readers that go away


def test_a_reader_that_goes_away_gets_no_traceback() -> None:
    values = '[0, 0, "A"] ' * 50_000
    with subprocess.Popen(
        [sys.executable, "-m", "tsuro_cli", "harness", "xtiles"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=REPOSITORY,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(values.encode())
        process.stdin.close()
        assert process.stdout.readline()
        process.stdout.close()
        error = process.stderr.read()
        assert process.wait() == 141
    assert error == b""


def test_an_interrupt_ends_a_game_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\n"
        "from agents.scripted import SecondPlayer\n"
        "class Slow(SecondPlayer):\n"
        "    def take_turn(self, tiles, board):\n"
        "        open('asked', 'w').close()\n"
        "        time.sleep(30)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-m", "tsuro_cli", "play", "slow.py:Slow", "random"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        # A shell starts background jobs with interrupts switched off.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        deadline = time.monotonic() + 60
        while not (tmp_path / "asked").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 130
