"""`tsuro watch` shows a recorded game move by move."""

import json
from pathlib import Path

import pytest

from tsuro_cli.main import main


@pytest.fixture
def game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "game.json"
    arguments = ["play", "second", "third", "random", "--size", "5", "--seed", "3", "--quiet"]
    assert main([*arguments, "--record", str(path)]) == 0
    capsys.readouterr()
    return path


def test_every_position_is_drawn_and_the_ranking_ends_it(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", str(game), "--delay", "0"]) == 0
    shown = capsys.readouterr().out
    record = json.loads(game.read_text())
    assert shown.count("┌──") >= len(record["moves"])
    best = next(p["name"] for p in record["players"] if p["color"] == record["ranking"][0][0])
    assert f"1. {best}" in shown


def test_a_window_works_without_a_screen(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    assert main(["watch", str(game), "--window", "--delay", "0"]) == 0
    assert capsys.readouterr().out.startswith("1. ")


def test_a_record_that_does_not_replay_is_exit_code_1(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = json.loads(game.read_text())
    record["ranking"].append(record["ranking"].pop(0))
    game.write_text(json.dumps(record))
    assert main(["watch", str(game)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_what_is_no_record_is_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "no.json").write_text("{}")
    assert main(["watch", str(tmp_path / "no.json")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
