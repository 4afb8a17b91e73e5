"""The deterministic players of the course: `first`, `second` and `third`.

They exist for comparing implementations, so they follow their descriptions to the letter, `first`
even where that breaks a rule. In `boxed` they start on the first free edge mark in the same order
of squares and ports. With other deals than three and two tiles, "the third tile" and "the second
tile" are the last one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tsuro_env import Board, InitialPlacement, RuleChecker, StrategyPlayer, Tile
from tsuro_env.tile import DEGREES


def clockwise(size: int) -> Iterator[tuple[int, int]]:
    """The periphery, from the square after the top-left corner round to that corner."""
    last = size - 1
    yield from ((x, 0) for x in range(1, last))
    yield from ((last, y) for y in range(last))
    yield from ((x, last) for x in range(last, 0, -1))
    yield from ((0, y) for y in range(last, -1, -1))


def counter_clockwise(size: int) -> Iterator[tuple[int, int]]:
    """The same the other way round: down the left side first."""
    return ((y, x) for x, y in clockwise(size))


class _ScriptedPlayer(StrategyPlayer):
    """Starts in the first legal place of a fixed order."""

    squares = staticmethod(clockwise)
    ports = "ABCDEFGH"

    def initial_placement(self, tiles: Sequence[Tile], board: Board) -> InitialPlacement:
        tile = None if board.rules.is_boxed else tiles[-1]
        legal = set(RuleChecker().legal_spots(board))
        spots = ((x, y, port) for x, y in self.squares(board.size) for port in self.ports)
        x, y, port = next(spot for spot in spots if spot in legal)
        return InitialPlacement(tile, self.color, port, x, y)


class FirstPlayer(_ScriptedPlayer):
    """Always lays its first tile as it was dealt, legal or not."""

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:  # noqa: ARG002
        return tiles[0]


class SecondPlayer(_ScriptedPlayer):
    """Lays the first legal option: its first tile in every rotation, then the next one."""

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
        return _first_legal(board, self.color, tiles, tiles)


class ThirdPlayer(_ScriptedPlayer):
    """Starts counter-clockwise, and tries its last tile first."""

    squares = staticmethod(counter_clockwise)
    ports = "AHGFEDCB"

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
        return _first_legal(board, self.color, tiles, tiles[::-1])


def _first_legal(board: Board, color: str, tiles: Sequence[Tile], in_order: Sequence[Tile]) -> Tile:
    """The first legal option; the first of all where none is legal."""
    legal = set(RuleChecker().legal_turns(board, color, tiles))
    options = (tile.rotated(degrees) for tile in in_order for degrees in DEGREES)
    return next((tile for tile in options if tile in legal), in_order[0])
