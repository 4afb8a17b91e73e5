"""`random`: chooses uniformly among what is legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from tsuro_env import Board, InitialPlacement, RuleChecker, StrategyPlayer, Tile
from tsuro_env.tile import DEGREES

Choice = TypeVar("Choice")


class RandomPlayer(StrategyPlayer):
    """Every legal place, tile and rotation is equally likely."""

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        self._generator = np.random.default_rng(seed)

    def initial_placement(self, tiles: Sequence[Tile], board: Board) -> InitialPlacement:
        x, y, port = self._choose(RuleChecker().legal_spots(board))
        tile = None if board.rules.is_boxed else self._choose(_options(tiles))
        return InitialPlacement(tile, self.color, port, x, y)

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
        legal = RuleChecker().legal_turns(board, self.color, tiles)
        return self._choose([tile for tile in _options(tiles) if tile in legal])

    def _choose(self, options: Sequence[Choice]) -> Choice:
        return options[int(self._generator.integers(len(options)))]


def _options(tiles: Sequence[Tile]) -> list[Tile]:
    """Every tile in every rotation; those that look the same count as often as they occur."""
    return [tile.rotated(degrees) for tile in tiles for degrees in DEGREES]
