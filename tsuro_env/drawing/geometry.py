"""Ports, squares and the curve of a connection: the geometry that every picture shares.

        A   B
      +-------+
    H |       | C        A square is 1 x 1, x to the right and y down, its corner at (0, 0).
    G |       | D        The two ports of a side are at one and two thirds of it.
      +-------+
        F   E

Nothing here decides a rule: a follower of lines is enough to draw a game that was already played.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from tsuro_env.engine.tables import CONNECTIONS
from tsuro_env.tile import Tile

Square = tuple[int, int]
Point = tuple[float, float]
#: A cubic Bezier curve: two ends and, between them, two control points.
Curve = tuple[Point, Point, Point, Point]

PORT_POINTS: Final[tuple[Point, ...]] = (
    (1 / 3, 0.0),
    (2 / 3, 0.0),
    (1.0, 1 / 3),
    (1.0, 2 / 3),
    (2 / 3, 1.0),
    (1 / 3, 1.0),
    (0.0, 2 / 3),
    (0.0, 1 / 3),
)
#: The unit step that leaves the square through each port.
OUTWARD: Final[tuple[Square, ...]] = (
    (0, -1), (0, -1), (1, 0), (1, 0), (0, 1), (0, 1), (-1, 0), (-1, 0),
)  # fmt: skip
#: How long a stripe is of a line that several have walked.
STRIPE: Final = 0.16
#: The port that one arrives at on the other side of an edge.
FACING: Final[tuple[int, ...]] = (5, 4, 7, 6, 1, 0, 3, 2)

_PARTNERS: Final[list[list[int]]] = CONNECTIONS.tolist()


class HalfEdge(NamedTuple):
    """A port of a square, seen from outside: where somebody about to enter the square stands."""

    x: int
    y: int
    port: int


class Step(NamedTuple):
    """One tile of a walk: entered through one port, left through another."""

    x: int
    y: int
    enter: int
    leave: int


def across(x: int, y: int, port: int) -> HalfEdge:
    """The port facing ``port`` of square ``(x, y)``; its square may lie off the board."""
    dx, dy = OUTWARD[port]
    return HalfEdge(x + dx, y + dy, FACING[port])


def on_board(size: int, x: int, y: int) -> bool:
    return 0 <= x < size and 0 <= y < size


def partner(tile: Tile, port: int) -> int:
    """The port at the other end of the connection."""
    return _PARTNERS[tile.orientation][port]


def lines_of(tile: Tile) -> tuple[tuple[int, int], ...]:
    """The four connections, each once, smaller port first."""
    return tuple((a, b) for a, b in enumerate(_PARTNERS[tile.orientation]) if a < b)


def walk_from(tiles: Mapping[Square, Tile], start: HalfEdge) -> tuple[Step, ...]:
    """Follow the lines from ``start`` to the first square without a tile.

    A walk that comes back to a place it has been at stops there.
    """
    steps: list[Step] = []
    seen: set[HalfEdge] = set()
    place = start
    while place not in seen and (place.x, place.y) in tiles:
        seen.add(place)
        leave = partner(tiles[place.x, place.y], place.port)
        steps.append(Step(place.x, place.y, place.port, leave))
        place = across(place.x, place.y, leave)
    return tuple(steps)


@lru_cache(maxsize=64)
def curve(enter: int, leave: int) -> Curve:
    """The line between two ports of one tile.

    It leaves every side at a right angle, so that lines go on smoothly from tile to tile; how far
    the control points reach towards the middle depends on the sides that it joins.
    """
    start, end = PORT_POINTS[enter], PORT_POINTS[leave]
    along, back = OUTWARD[enter], OUTWARD[leave]
    if along == back:  # a U-turn
        reach_start = reach_end = 0.44
    elif along[0] * back[0] + along[1] * back[1]:  # opposite sides
        reach_start = reach_end = 0.5
    else:  # neighbouring sides: nearly a quarter of an ellipse, a little fuller
        dx, dy = abs(start[0] - end[0]), abs(start[1] - end[1])
        reach_start = 0.62 * (dx if along[0] else dy)
        reach_end = 0.62 * (dx if back[0] else dy)
    return (
        start,
        (start[0] - along[0] * reach_start, start[1] - along[1] * reach_start),
        (end[0] - back[0] * reach_end, end[1] - back[1] * reach_end),
        end,
    )


def point_on(line: Curve, t: float) -> Point:
    """The point at parameter ``t`` of 0 to 1."""
    s = 1 - t
    weights = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
    return (
        sum(w * p[0] for w, p in zip(weights, line, strict=True)),
        sum(w * p[1] for w, p in zip(weights, line, strict=True)),
    )


def points_on(enter: int, leave: int, count: int) -> list[Point]:
    """``count`` points along the line between two ports, both ends included."""
    line = curve(enter, leave)
    return [point_on(line, i / (count - 1)) for i in range(count)]


@lru_cache(maxsize=64)
def length_of(enter: int, leave: int) -> float:
    """How long the line between two ports is, in squares."""
    return sum(math.dist(a, b) for a, b in pairwise(points_on(enter, leave, 25)))


def stripes(enter: int, leave: int, parts: int) -> int:
    """In how many stripes to cut a line so that each of ``parts`` colours gets its share."""
    return parts * max(1, round(length_of(enter, leave) / (STRIPE * parts)))
