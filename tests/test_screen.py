"""A game as it is drawn in the terminal while it is played."""

import io
import sys

import pytest

from tests.games_to_draw import long_record, random_game
from tsuro_cli.games import ranking_text
from tsuro_cli.screen import CLEAR_BELOW, TOP_LEFT, Screen, draw, last_scene, wants_color
from tsuro_env import replay


def test_every_move_is_drawn_over_the_one_before_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    screen = Screen(delay=0, color=False)
    for referee in random_game(5, players=3, observers=[screen]):
        screen.referee = referee
    pictures = capsys.readouterr().out.split(TOP_LEFT)[1:]
    assert len(pictures) == len(referee.record["moves"])
    assert all(picture.rstrip().endswith(CLEAR_BELOW) for picture in pictures)
    assert "starts with" in pictures[0]
    assert "win" in draw(last_scene(referee), color=False)


def test_a_terminal_that_knows_ascii_alone_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = last_scene(replay(long_record()))
    assert not draw(scene, color=False).isascii()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert draw(scene, color=True).isascii()
    assert not wants_color()


def test_ties_share_a_line_and_cheaters_come_last_with_their_fault() -> None:
    record = {
        "players": [{"name": n, "color": c} for n, c in [("a", "white"), ("b", "black")]],
        "ranking": [["white"]],
        "cheaters": [{"color": "black", "reason": "late", "detail": "after 1 s\x1b[2J"}],
    }
    assert ranking_text(record) == "1. a (white)\n-  b (black) late: after 1 s?[2J"
