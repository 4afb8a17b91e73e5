"""The one description of a picture that every renderer draws.

A scene holds what is to be seen and nothing else: no rules, no engine, no players' objects. It is
made of a board here, of a game in `tsuro_env.drawing.film`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tsuro_env.board import Avatar, Board
from tsuro_env.drawing.geometry import HalfEdge, Square, Step, across, on_board, walk_from
from tsuro_env.engine.tables import PORTS
from tsuro_env.tile import Tile

#: A connection of a tile, its smaller port first.
Line = tuple[int, int]
#: The path that somebody walked, oldest step first.
Trail = tuple[Step, ...]

FATES: Final[dict[str, str]] = {
    "exit": "left the board",
    "loop": "caught in a loop",
    "stuck": "stuck",
    "illegal": "illegal move",
    "malformed": "malformed answer",
    "exception": "failed",
    "late": "too late",
}


def in_words(reason: str) -> str:
    """Why somebody is out; a reason that is not listed is shown as it is."""
    return FATES.get(reason, reason)


class Seat(NamedTuple):
    """A line of the players' panel."""

    color: str
    name: str
    reason: str = ""
    """Why the player is out; empty as long as it is in."""
    detail: str = ""
    rank: int | None = None

    @property
    def fate(self) -> str:
        """What the panel says about the player: its rank, and why it is out."""
        rank = "" if self.rank is None else f"rank {self.rank}"
        return ", ".join(filter(None, (rank, in_words(self.reason))))

    @property
    def beaten(self) -> bool:
        return bool(self.reason) and self.rank != 1


@dataclass(frozen=True)
class Scene:
    """Everything that one picture shows; what is keyed by a string is keyed by colour."""

    size: int
    tiles: Mapping[Square, Tile] = field(default_factory=dict)
    avatars: Mapping[str, Avatar] = field(default_factory=dict)
    trails: Mapping[str, Trail] = field(default_factory=dict)
    seats: tuple[Seat, ...] = ()
    mover: str | None = None
    """The colour that is asked, or that has just moved."""
    hand: tuple[Tile, ...] = ()
    """The tiles that the mover may choose from; the chosen one is turned as it was laid."""
    chosen: int | None = None
    """The place of the chosen tile in the hand."""
    spot: Square | None = None
    """The square that the mover has chosen for a first tile that it has yet to choose."""
    caption: str = ""
    """What has just happened."""
    note: str = ""
    """What game it is."""

    @classmethod
    def of_board(cls, board: Board) -> Scene:
        """A board and nothing else. The paths that lead to the avatars are drawn in colour."""
        tiles, avatars = board.tiles, board.avatars
        return cls(
            size=board.size,
            tiles=tiles,
            avatars=avatars,
            trails={
                color: path_behind(tiles, avatar)
                for color, avatar in avatars.items()
                if avatar.on_tile
            },
        )

    @property
    def faced(self) -> dict[Square, tuple[str, ...]]:
        """The empty squares that somebody faces, and whose avatars face them."""
        squares: dict[Square, tuple[str, ...]] = {}
        for color, avatar in self.avatars.items():
            x, y, _ = ahead_of(avatar)
            if on_board(self.size, x, y) and (x, y) not in self.tiles:
                squares[x, y] = (*squares.get((x, y), ()), color)
        if self.spot is not None and self.mover is not None:
            squares[self.spot] = (*squares.get(self.spot, ()), self.mover)
        return squares

    @property
    def beaten(self) -> frozenset[str]:
        """The colours that are out and did not win; their trails are drawn faded."""
        return frozenset(seat.color for seat in self.seats if seat.beaten)

    @property
    def walked(self) -> dict[Square, dict[Line, list[str]]]:
        """For every square the lines that somebody walked, and who did, in the order of drawing.

        The beaten come first, so that the others are drawn over them.
        """
        beaten = self.beaten
        squares: dict[Square, dict[Line, list[str]]] = {}
        for color in sorted(self.trails, key=lambda color: color not in beaten):
            for x, y, enter, leave in self.trails[color]:
                lines = squares.setdefault((x, y), {})
                line = min(enter, leave), max(enter, leave)
                lines[line] = [*lines.pop(line, ()), color]  # now over all lines before it
        return squares


def ahead_of(avatar: Avatar) -> HalfEdge:
    """The square that an avatar would enter next, and through which port of it."""
    x, y, port = avatar.x, avatar.y, PORTS.index(avatar.port)
    return across(x, y, port) if avatar.on_tile else HalfEdge(x, y, port)


def path_behind(tiles: Mapping[Square, Tile], avatar: Avatar) -> Trail:
    """The line that ends under an avatar on a tile, from its far end to the avatar."""
    backwards = walk_from(tiles, HalfEdge(avatar.x, avatar.y, PORTS.index(avatar.port)))
    return tuple(Step(s.x, s.y, s.leave, s.enter) for s in reversed(backwards))
