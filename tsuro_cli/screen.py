"""A game drawn in the terminal."""

from __future__ import annotations

import os
import sys
import time

from tsuro_env import Board, InitialPlacement, Observer, Referee, Tile
from tsuro_env.drawing import Scene, canvas, scenes_of, to_text

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
        self.show(last_scene(self.referee))

    def show(self, scene: Scene) -> None:
        """One picture, and a pause. Where it is no terminal, one below the other."""
        text = draw(scene, self._color)
        if sys.stdout.isatty():
            text = TOP_LEFT + text.replace("\n", f"{CLEAR_LINE}\n") + CLEAR_LINE + CLEAR_BELOW
        print(text, flush=True)
        time.sleep(self._delay)


def last_scene(referee: Referee) -> Scene:
    """The game after its last move."""
    return scenes_of(referee.record)[-1]


def draw(scene: Scene, color: bool) -> str:
    return to_text(scene, color=color, unicode=_prints_unicode())


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
