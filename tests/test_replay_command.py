"""`tsuro replay`: what it prints and writes, and how it answers to files that are no good."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.games_to_draw import long_record, random_game, random_record
from tests.test_drawing_scene import spoilt
from tsuro_cli.main import main
from tsuro_env import Rules
from tsuro_env.record import save


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    save(long_record(), path)
    return path


def test_a_good_record_is_replayed_and_its_ranking_printed(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(file)]) == 0
    first, *ranking = capsys.readouterr().out.splitlines()
    moves = len(long_record()["moves"])
    assert first == f"{file}: {moves} moves, replayed to the same end"
    assert ranking == [
        "1. random 3 (green), random 4 (blue)",
        "2. random 1 (black), random 2 (red)",
        "3. random 0 (white)",
    ]


def test_the_page_and_the_animation_are_written(file: Path, tmp_path: Path) -> None:
    page, animation = tmp_path / "game.html", tmp_path / "game.gif"
    assert main(["replay", str(file), "--html", str(page), "--gif", str(animation)]) == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert animation.read_bytes().startswith(b"GIF89a")
    assert set(tmp_path.iterdir()) == {file, page, animation}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"{" * 3, "is not JSON"),
        (b"[" * 200_000, "is not JSON"),
        (b"9" * 10_000, ""),
        (b"[]", "is no game record"),
        (b'{"format": "chess"}', "is no game record"),
        (b'{"format": "tsuro-env/game", "version": 9}', "has version 9"),
        (b'{"format": "tsuro-env/game", "version": 1}', "field 'rules' is missing"),
    ],
)
def test_a_file_that_is_no_record_gives_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    file, page = tmp_path / "bad.json", tmp_path / "page.html"
    file.write_bytes(content)
    assert main(["replay", str(file), "--html", str(page)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("tsuro: ")
    assert message in error
    assert error.count("\n") == 1
    assert not page.exists()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("seed",), 4),
        (("ranking",), [["white"]]),
        (("moves", 9, "answer"), [0, 0]),
        (("moves", 9, "answer"), "\x1b[2J\n" * 100_000),
        (("moves",), []),
        (("cheaters",), [{"color": "red", "reason": "late", "detail": ""}]),
    ],
)
def test_a_record_that_does_not_replay_gives_one_line_and_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], path: tuple[Any, ...], value: Any
) -> None:
    file, page = tmp_path / "forged.json", tmp_path / "page.html"
    save(spoilt(long_record(), path, value), file)
    assert main(["replay", str(file), "--html", str(page)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"tsuro: {file} does not replay: ")
    assert error.count("\n") == 1
    assert "\x1b" not in error
    assert len(error) < 2000
    assert not page.exists()


@pytest.mark.parametrize(
    ("path", "value"), [(("moves",), [{}] * 100_000), (("moves",), [5]), (("supply",), 3)]
)
def test_a_record_that_is_malformed_within_gives_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], path: tuple[Any, ...], value: Any
) -> None:
    file = tmp_path / "malformed.json"
    save(spoilt(long_record(), path, value), file)
    assert main(["replay", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_nothing_is_written_where_it_cannot_be(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "missing" / "page.html"
    assert main(["replay", str(file), "--html", str(page)]) == 2
    assert "there is no directory" in capsys.readouterr().err


def test_colours_that_the_record_claims_are_not_believed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    save(spoilt(long_record(), ("players", 0, "color"), "pink"), file)
    assert main(["replay", str(file)]) in (0, 1)
    assert "pink" not in capsys.readouterr().out


def test_names_are_printed_without_what_a_terminal_would_obey(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    names = ["\x1b[31mred\x07", "a\nb", "\u202egnp.exe"]
    save(random_record(1, players=3, names=names), file)
    assert main(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    assert not {"\x1b", "\x07", "\u202e"} & set(out)
    assert "a?b" in out


def test_a_record_of_the_largest_game_with_huge_names_makes_a_page(tmp_path: Path) -> None:
    file, page = tmp_path / "game.json", tmp_path / "page.html"
    rules = Rules.course(board_size=24)
    names = ["n" * 100_000, *(f"player {i}" for i in range(7))]
    save(random_record(2, rules, players=8, names=names), file)
    assert main(["replay", str(file), "--html", str(page)]) == 0
    assert 100_000 < page.stat().st_size < 5_000_000


def test_a_game_that_is_not_over_is_replayed_as_far_as_it_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = random_game(5, players=3)
    for _ in range(14):
        referee = next(game)
    file, page = tmp_path / "game.json", tmp_path / "page.html"
    save(referee.record, file)
    assert main(["replay", str(file), "--html", str(page)]) == 0
    assert "The game is not over." in capsys.readouterr().out
    assert json.loads(file.read_text())["ranking"] is None
