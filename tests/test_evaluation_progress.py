"""The progress bar: only where somebody looks, and gone at the end."""

import io

import pytest

from tsuro_cli import progress
from tsuro_cli.progress import ProgressBar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_on_a_terminal_it_shows_how_much_is_done_and_what_is_left(clock: list[float]) -> None:
    terminal = Terminal()
    with ProgressBar("games", terminal) as bar:
        clock[0] += 30
        bar(25, 100)
        assert terminal.getvalue() == f"\r\x1b[K{'#' * 7}{'.' * 23} 25/100 games, 1:30 left"
    assert terminal.getvalue().endswith("left\r\x1b[K")


def test_long_work_is_told_in_hours(clock: list[float]) -> None:
    terminal = Terminal()
    bar = ProgressBar("games", terminal)
    clock[0] += 3600
    bar(1, 3)
    assert terminal.getvalue().endswith("2:00:00 left")


def test_it_is_not_drawn_at_every_call(clock: list[float]) -> None:
    terminal = Terminal()
    bar = ProgressBar("games", terminal)
    for done in range(1000):
        clock[0] += 0.001
        bar(done, 1000)
    assert 5 <= terminal.getvalue().count("\r") <= 12


def test_elsewhere_it_is_silent() -> None:
    file = io.StringIO()
    with ProgressBar("games", file) as bar:
        bar(1, 2)
    assert file.getvalue() == ""
