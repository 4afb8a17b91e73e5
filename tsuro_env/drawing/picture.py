"""A scene as a list of shapes, in the order of drawing; the SVG and the pixels draw them.

All lengths are pixels of a picture of a given height. The board is a square at the left. A panel
beside it, with the players and the hand, is there only if the scene has something to say in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from tsuro_env.board import Avatar
from tsuro_env.drawing import palette as p
from tsuro_env.drawing.geometry import OUTWARD, PORT_POINTS, Point, Square, Step
from tsuro_env.drawing.lettering import fitted, wrapped
from tsuro_env.drawing.palette import PAINTS, mixed
from tsuro_env.drawing.scene import Scene, ahead_of
from tsuro_env.engine.tables import PORTS
from tsuro_env.tile import Tile

# Widths and radii, in squares.
LINE_WIDTH: Final = 0.06
LINE_CASING: Final = 0.13
TRAIL_WIDTH: Final = 0.105
TRAIL_CASING: Final = 0.165
STONE_RADIUS: Final = 0.155
STACK_STEP: Final = 0.23  # from one stone to the next behind it
FADED: Final = 0.5  # how much paper is mixed into the trails of players who are out

# Places in the panel, in thousandths of the height.
PANEL_LEFT: Final = 1010
PANEL_WIDTH: Final = 360
HAND_TILE: Final = 108
HAND_GAP: Final = 18


class Box(NamedTuple):
    """A rectangle with round corners, filled, and with a rim along its edge that may be dashed."""

    left: float
    top: float
    width: float
    height: float
    radius: float = 0
    fill: str = ""
    opacity: float = 1
    rim: str = ""
    rim_width: float = 0
    rim_opacity: float = 1
    dash: float = 0


class Card(NamedTuple):
    """A tile."""

    left: float
    top: float
    side: float
    tile: Tile
    pale: bool = False


class Stroke(NamedTuple):
    """A connection of a tile as somebody walked it, its smaller port first.

    Of a line that several have walked, each gets every ``parts``-th stripe.
    """

    a: int
    b: int
    fill: str
    edge: str
    part: int = 0
    parts: int = 1


class Walked(NamedTuple):
    """The lines of a tile that somebody walked, to be drawn over its card."""

    left: float
    top: float
    side: float
    tile: Tile
    strokes: tuple[Stroke, ...]


class Stone(NamedTuple):
    """An avatar, in its player's colour and with its letter."""

    x: float
    y: float
    radius: float
    color: str


class Arrow(NamedTuple):
    """A small triangle with its tip at (x, y)."""

    x: float
    y: float
    side: float
    towards: Square
    color: str


class Text(NamedTuple):
    """A line of text on the base line y; or, centred, with the middle of its capitals at (x, y)."""

    x: float
    y: float
    text: str
    size: float
    ink: str
    bold: bool = False
    centered: bool = False


Shape = Box | Card | Walked | Stone | Arrow | Text


class Place(NamedTuple):
    """Where the squares of a board are. Their side is a whole number: all look the same."""

    left: int
    cell: int

    @classmethod
    def of(cls, size: int, height: int) -> Place:
        cell = int(0.872 * height / size)
        return cls((height - cell * size) // 2, cell)

    def at(self, x: float, y: float) -> Point:
        return self.left + x * self.cell, self.left + y * self.cell


def has_panel(scene: Scene) -> bool:
    return bool(scene.seats or scene.hand or scene.caption)


def width_of(scene: Scene, height: int) -> int:
    return round(1.4 * height) if has_panel(scene) else height


def shapes_of(scene: Scene, height: int) -> Iterator[Shape]:
    """All that lies on the bare board of `ground`, and what the panel says."""
    place = Place.of(scene.size, height)
    yield from _faced_squares(scene, place)
    for (x, y), tile in scene.tiles.items():
        yield Card(*place.at(x, y), place.cell, tile)
    yield from _trails(scene, place)
    yield from _avatars(scene, place)
    if has_panel(scene):
        unit = height / 1000
        yield from _heading(scene, unit)
        yield from _seats(scene, unit)
        yield from _hand(scene, unit)
        note = fitted(scene.note, 15 * unit, PANEL_WIDTH * unit)
        yield Text(PANEL_LEFT * unit, 975 * unit, note, 15 * unit, p.SOFT_INK)


# ----------------------------------------------------------------------------------- the board


def ground(size: int, height: int) -> Iterator[Shape]:
    """The lacquered frame, a gold line, the numbers of columns and rows, and an empty board."""
    unit, (left, cell) = height / 1000, Place.of(size, height)
    side, margin, rim = cell * size, 20 * unit, 7 * unit
    yield Box(margin, margin, height - 2 * margin, height - 2 * margin, 22 * unit, p.FRAME)
    yield Box(
        left - rim, left - rim, side + 2 * rim, side + 2 * rim, 9 * unit,
        p.BOARD, rim=p.FRAME_LINE, rim_width=3 * unit,
    )  # fmt: skip
    thin = max(1, round(0.02 * cell))
    for number in range(1, size):
        at = left + number * cell - thin // 2
        yield Box(left, at, side, thin, fill=p.GRID)
        yield Box(at, left, thin, side, fill=p.GRID)
    letters, middle = min(17 * unit, 0.5 * cell), (margin + left - rim) / 2
    for number in range(size):
        along = left + (number + 0.5) * cell
        yield Text(along, middle, str(number), letters, p.FRAME_INK, centered=True)
        yield Text(middle, along, str(number), letters, p.FRAME_INK, centered=True)


def _faced_squares(scene: Scene, place: Place) -> Iterator[Shape]:
    for (x, y), colors in scene.faced.items():
        strong = scene.mover in colors
        color = PAINTS[scene.mover if strong and scene.mover else colors[0]].fill
        yield faced_square(*place.at(x, y), place.cell, color, strong)


def faced_square(left: float, top: float, side: float, color: str, strong: bool) -> Box:
    """An empty square that somebody faces; strong if it is the mover's."""
    inset = 0.07 * side
    return Box(
        left + inset, top + inset, side - 2 * inset, side - 2 * inset, 0.09 * side,
        fill=color, opacity=0.3 if strong else 0.12,
        rim=color, rim_width=(0.035 if strong else 0.022) * side,
        rim_opacity=0.95 if strong else 0.6, dash=0.1 * side,
    )  # fmt: skip


def trail_colors(color: str, beaten: bool) -> tuple[str, str]:
    """Fill and edge of a trail: paler if its player was beaten."""
    paint, fade = PAINTS[color], FADED if beaten else 0.0
    return mixed(paint.fill, p.TILE, fade), mixed(paint.edge, p.TILE, fade)


def _trails(scene: Scene, place: Place) -> Iterator[Shape]:
    """All trails, line by line, so that a later line crosses over an earlier one."""
    beaten = scene.beaten
    colors = {color: trail_colors(color, color in beaten) for color in scene.trails}
    for (x, y), lines in scene.walked.items():
        strokes = tuple(
            Stroke(*line, *colors[color], part, len(walkers))
            for line, walkers in lines.items()
            for part, color in enumerate(walkers)
        )
        yield Walked(*place.at(x, y), place.cell, scene.tiles[x, y], strokes)
    for color, trail in scene.trails.items():
        yield beginning(trail[0], place, *colors[color])


def beginning(step: Step, place: Place, fill: str, edge: str) -> Box:
    """A ring where a trail begins; an avatar is at the other end, or was."""
    (px, py), radius = PORT_POINTS[step.enter], 0.1 * place.cell
    x, y = place.at(step.x + px, step.y + py)
    return Box(
        x - radius, y - radius, 2 * radius, 2 * radius, radius,
        edge, rim=fill, rim_width=0.06 * place.cell,
    )  # fmt: skip


def avatar_shapes(scene: Scene, place: Place) -> dict[str, tuple[Stone, Arrow | None]]:
    """Everybody's stone, and the arrow into the square that it faces.

    Stones that share a port lie one behind the other; only the first has an arrow.
    """
    behind: dict[tuple[int, int, int], int] = {}
    shapes: dict[str, tuple[Stone, Arrow | None]] = {}
    faced, cell = scene.faced, place.cell
    for color, avatar in scene.avatars.items():
        ahead = ahead_of(avatar)
        rank = behind.get(ahead, 0)
        behind[ahead] = rank + 1
        x, y, (dx, dy) = _port_of(avatar)
        back = STACK_STEP * rank
        stone = Stone(*place.at(x - back * dx, y - back * dy), STONE_RADIUS * cell, color)
        tip = place.at(x + 0.3 * dx, y + 0.3 * dy)
        first = rank == 0 and (ahead.x, ahead.y) in faced
        shapes[color] = stone, Arrow(*tip, cell, (dx, dy), color) if first else None
    return shapes


def _port_of(avatar: Avatar) -> tuple[float, float, Square]:
    """The point of an avatar's port, in squares, and the direction that the avatar looks in."""
    port = PORTS.index(avatar.port)
    (px, py), (dx, dy) = PORT_POINTS[port], OUTWARD[port]
    return avatar.x + px, avatar.y + py, (dx, dy) if avatar.on_tile else (-dx, -dy)


def _avatars(scene: Scene, place: Place) -> Iterator[Shape]:
    shapes = avatar_shapes(scene, place).values()
    yield from (arrow for _, arrow in shapes if arrow)
    yield from (stone for stone, _ in reversed(shapes))


# ----------------------------------------------------------------------------------- the panel


def _heading(scene: Scene, unit: float) -> Iterator[Shape]:
    left, size = PANEL_LEFT * unit, 21 * unit
    yield Text(left, 84 * unit, "Tsuro", 54 * unit, p.INK, bold=True)
    for number, line in enumerate(wrapped(scene.caption, size, PANEL_WIDTH * unit, 4)):
        yield Text(left, (132 + 29 * number) * unit, line, size, p.SOFT_INK)


def _seats(scene: Scene, unit: float) -> Iterator[Shape]:
    left, size, small = PANEL_LEFT * unit, 22 * unit, 17 * unit
    pitch = min(70, 440 / max(1, len(scene.seats)))
    for number, seat in enumerate(scene.seats):
        y = (284 + pitch * number) * unit
        if seat.color == scene.mover:
            row = PANEL_WIDTH * unit + 24 * unit, 52 * unit
            yield Box(left - 12 * unit, y - 26 * unit, *row, 13 * unit, p.BOARD, 0.75)
        yield Stone(left + 14 * unit, y, 15.5 * unit, seat.color)
        text, room = left + 46 * unit, (PANEL_WIDTH - 46) * unit
        name = fitted(seat.name, size, room)
        ink = p.SOFT_INK if seat.beaten else p.INK
        lift = -2 * unit if seat.fate else 7.5 * unit
        yield Text(text, y + lift, name, size, ink, bold=seat.rank == 1)
        if seat.fate:
            yield Text(text, y + 18 * unit, fitted(seat.fate, small, room), small, p.SOFT_INK)


def _hand(scene: Scene, unit: float) -> Iterator[Shape]:
    if not scene.hand:
        return
    left, top, side = PANEL_LEFT * unit, 800 * unit, round(HAND_TILE * unit)
    yield Text(left, top - 18 * unit, "Tiles in hand", 17 * unit, p.SOFT_INK)
    for slot, tile in enumerate(scene.hand):
        x = round(left + slot * (side + HAND_GAP * unit))
        picked = slot == scene.chosen
        yield Card(x, round(top), side, tile, pale=scene.chosen is not None and not picked)
        if picked:
            yield from _ring(x, round(top), side, scene.mover)
        label = f"{tile.index} at {tile.degrees}°" if picked else str(tile.index)
        yield Text(x + side / 2, top + side + 24 * unit, label, 17 * unit, p.INK, centered=True)


def _ring(left: float, top: float, side: float, color: str | None) -> Iterator[Shape]:
    """Around the chosen tile, in the colour of who chose it."""
    fill = PAINTS[color].fill if color else p.INK
    out = 0.035 * side
    for ink, breadth in ((p.INK, 0.065), (fill, 0.045)):
        yield Box(
            left - out, top - out, side + 2 * out, side + 2 * out, 0.08 * side,
            rim=ink, rim_width=breadth * side,
        )  # fmt: skip
