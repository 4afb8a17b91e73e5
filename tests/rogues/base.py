"""What the rogues share: honest moves until it is time for the misdeed."""

import contextlib
import os
from collections.abc import Sequence

from agents.scripted import SecondPlayer
from tsuro_env import Board, Tile


class Rogue(SecondPlayer):
    """Fill in `misbehave`; what it returns does not matter."""

    turns = 0

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
        self.turns += 1
        if self.turns == 2:
            self.misbehave()
        return super().take_turn(tiles, board)

    def misbehave(self) -> object:
        raise NotImplementedError


def write_everywhere(data: bytes) -> None:
    """Into every pipe that can be found, the protocol's among them."""
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(descriptor, data)
