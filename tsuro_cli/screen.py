"""A game drawn in the terminal."""

from __future__ import annotations

import os
import sys
import time

from tsuro_env import Board, InitialPlacement, Observer, Referee, Tile
from tsuro_env.drawing import canvas, scenes_of, to_text

TOP_LEFT, CLEAR_LINE, CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"


class Screen(Observer):
    """Draws the board after every move, each over the one before."""

    def __init__(self, delay: float, color: bool) -> None:
        self._delay = delay
        self._color = color
        self.referee: Referee | None = None
        """Whose game is shown; to be set before it starts."""

    def turn_ended(
        self,
        color: str,  # noqa: ARG002  the picture shows it all
        answer: InitialPlacement | Tile | None,  # noqa: ARG002
        board: Board,  # noqa: ARG002
    ) -> None:
        assert self.referee is not None
        text = draw(self.referee, self._color).replace("\n", f"{CLEAR_LINE}\n")
        print(TOP_LEFT + text + CLEAR_BELOW, end="", flush=True)
        time.sleep(self._delay)


def draw(referee: Referee, color: bool) -> str:
    """The game after its last move."""
    return to_text(scenes_of(referee.record)[-1], color=color, unicode=_prints_unicode())


def wants_color() -> bool:
    """Colours are for terminals, and for nobody who set NO_COLOR."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def harmless(text: object) -> str:
    """A name or a message from elsewhere, without what a terminal would obey or cannot print."""
    return canvas.harmless(str(text), _prints_unicode())


def _prints_unicode() -> bool:
    try:
        "⣿▸".encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True
