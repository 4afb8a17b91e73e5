"""A scene as pixels: an array of bytes, made with numpy alone.

Tiles, lines and letters are drawn once for each size, as masks of how much of a pixel they cover,
and remembered; a picture is then put together from these pieces.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from tsuro_env.drawing import palette as p
from tsuro_env.drawing import picture
from tsuro_env.drawing.coverage import (
    Mask,
    Pixels,
    blend,
    covered,
    distance_along,
    inside,
    pixel_centers,
    rounded_box,
)
from tsuro_env.drawing.geometry import OUTWARD, Square, lines_of, points_on, stripes
from tsuro_env.drawing.lettering import BOLD, REGULAR, capital_height, text_mask
from tsuro_env.drawing.palette import PAINTS, rgb
from tsuro_env.drawing.picture import Arrow, Box, Card, Shape, Stone, Stroke, Text, Walked
from tsuro_env.drawing.scene import Scene
from tsuro_env.errors import TsuroError
from tsuro_env.tile import Tile, is_whole

SMALLEST: Final = 120


class PictureError(TsuroError):
    """A picture that cannot be made in the size asked for."""


def to_rgb(scene: Scene, size: int = 640) -> Pixels:
    """The scene as uint8 (size, width, 3).

    The width follows from the height: as much for a bare board, 1.4 times as much with a panel.
    """
    least = max(SMALLEST, 6 * scene.size)
    if not is_whole(size) or size < least:
        raise PictureError(f"size {size!r}: expected at least {least} pixels for this board")
    size = int(size)
    canvas: Pixels = _bare(scene.size, size, picture.width_of(scene, size)).copy()
    _draw(canvas, picture.shapes_of(scene, size))
    return canvas


@lru_cache(maxsize=8)
def _bare(board_size: int, height: int, width: int) -> Pixels:
    """The page, the frame, the numbers and an empty board."""
    canvas = np.empty((height, width, 3), dtype=np.uint8)
    canvas[...] = rgb(p.PAGE)
    _draw(canvas, picture.ground(board_size, height))
    canvas.flags.writeable = False
    return canvas


def _draw(canvas: Pixels, shapes: Iterable[Shape]) -> None:
    for shape in shapes:
        match shape:
            case Box():
                _draw_box(canvas, shape)
            case Card():
                _draw_card(canvas, shape)
            case Walked():
                left, top, side = round(shape.left), round(shape.top), round(shape.side)
                tile = _walked_tile(shape.tile, side, shape.strokes)
                canvas[top : top + side, left : left + side] = tile
            case Arrow():
                _draw_arrow(canvas, shape)
            case Stone():
                _draw_stone(canvas, shape)
            case Text():
                _draw_text(canvas, shape)


# ------------------------------------------------------------------------------------- boxes


def _draw_box(canvas: Pixels, box: Box) -> None:
    # A rim goes half outside of its box, so the masks reach a little further.
    reach = int(box.rim_width / 2 + 1)
    left, top = round(box.left), round(box.top)
    size = round(box.height) + 2 * reach, round(box.width) + 2 * reach
    fill, rim = _box_masks(*size, reach, box.radius, box.rim_width, box.dash)
    if box.fill:
        blend(canvas, left - reach, top - reach, fill * np.float32(box.opacity), rgb(box.fill))
    if box.rim:
        blend(canvas, left - reach, top - reach, rim * np.float32(box.rim_opacity), rgb(box.rim))


@lru_cache(maxsize=64)
def _box_masks(
    height: int, width: int, reach: int, radius: float, rim_width: float, dash: float
) -> tuple[Mask, Mask]:
    box = rounded_box(height, width, reach, radius)
    rim = covered(np.abs(box), max(1.0, rim_width) / 2)
    if dash:
        x, y = pixel_centers(height, width)
        level = np.abs(y - height / 2) > np.abs(x - width / 2)
        along = np.where(level, x - width / 2, y - height / 2)
        rim *= np.abs(along / (1.7 * dash) % 1 - 0.5) < 0.3
    return inside(box), rim


# ------------------------------------------------------------------------- tiles and trails


class Piece(NamedTuple):
    """A mask and where it begins in its square."""

    left: int
    top: int
    mask: Mask


def _draw_card(canvas: Pixels, card: Card) -> None:
    left, top, side = round(card.left), round(card.top), round(card.side)
    canvas[top : top + side, left : left + side] = _tile(card.tile, side)
    if card.pale:
        blend(canvas, left, top, np.full((side, side), 0.5, dtype=np.float32), rgb(p.PAGE))


@lru_cache(maxsize=512)
def _tile(tile: Tile, side: int) -> Pixels:
    """A card: its four lines, each crossing over those before it, and its rim."""
    canvas = np.empty((side, side, 3), dtype=np.uint8)
    canvas[...] = rgb(p.BOARD)
    card = rounded_box(side, side, 0.01 * side, 0.05 * side)
    blend(canvas, 0, 0, inside(card), rgb(p.TILE))
    for a, b in lines_of(tile):
        for color, width in ((p.TILE, picture.LINE_CASING), (p.LINE, picture.LINE_WIDTH)):
            piece = _line(a, b, side, width, 0, 1)
            blend(canvas, piece.left, piece.top, piece.mask, rgb(color))
    blend(canvas, 0, 0, covered(np.abs(card), max(0.3, 0.009 * side)), rgb(p.TILE_EDGE))
    canvas.flags.writeable = False
    return canvas


@lru_cache(maxsize=1024)
def _walked_tile(tile: Tile, side: int, strokes: tuple[Stroke, ...]) -> Pixels:
    canvas: Pixels = _tile(tile, side).copy()
    for a, b, fill, edge, part, parts in strokes:
        for color, width in ((edge, picture.TRAIL_CASING), (fill, picture.TRAIL_WIDTH)):
            piece = _line(a, b, side, width, part, parts)
            blend(canvas, piece.left, piece.top, piece.mask, rgb(color))
    canvas.flags.writeable = False
    return canvas


@lru_cache(maxsize=1024)
def _line(a: int, b: int, side: int, width: float, part: int, parts: int) -> Piece:
    """A line of a tile, or every ``parts``-th stripe of it, cut down to the pixels it touches."""
    distance, along = _distances(a, b, side)
    mask = covered(distance, width * side / 2)
    if parts > 1:
        mask *= np.floor(along * stripes(a, b, parts)) % parts == part
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):  # a stripe too small to be seen
        return Piece(0, 0, np.zeros((0, 0), dtype=np.float32))
    seen = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return Piece(int(columns[0]), int(rows[0]), np.ascontiguousarray(seen))


@lru_cache(maxsize=128)
def _distances(a: int, b: int, side: int) -> tuple[Mask, Mask]:
    """How far each pixel is from a line, and how much of the line, 0 to 1, lies before it."""
    points = points_on(a, b, 25)
    # Both ends go on outside of the square, so that the line is whole up to its edge.
    (fx, fy), (lx, ly) = points[0], points[-1]
    before = fx + OUTWARD[a][0], fy + OUTWARD[a][1]
    behind = lx + OUTWARD[b][0], ly + OUTWARD[b][1]
    path = np.array([before, *points, behind], dtype=np.float32) * np.float32(side)
    distance, along = distance_along(path, side, side)
    length = np.hypot(*np.diff(path[1:-1], axis=0).T).sum()
    return distance, np.clip((along - side) / length, 0, np.float32(0.9999))


# --------------------------------------------------------------------------------- avatars


def _draw_arrow(canvas: Pixels, arrow: Arrow) -> None:
    outer, inner = _arrow_masks(arrow.towards, round(arrow.side))
    left, top = round(arrow.x - outer.shape[1] / 2), round(arrow.y - outer.shape[0] / 2)
    paint = PAINTS[arrow.color]
    blend(canvas, left, top, outer, rgb(paint.edge))
    blend(canvas, left, top, inner, rgb(paint.fill))


@lru_cache(maxsize=16)
def _arrow_masks(towards: Square, cell: int) -> tuple[Mask, Mask]:
    """A triangle whose tip is in the middle of the mask; with its outline, and without."""
    side = 2 * round(0.17 * cell) + 1
    x, y = pixel_centers(side, side)
    dx, dy = towards
    along = ((x - side / 2) * dx + (y - side / 2) * dy) / cell  # 0 at the tip, negative behind it
    aside = np.abs((x - side / 2) * dy + (y - side / 2) * dx) / cell
    edge = (np.maximum(0.825 * aside + 0.565 * along, -along - 0.11) * cell).astype(np.float32)
    return inside(edge - np.float32(0.018 * cell)), inside(edge)


def _draw_stone(canvas: Pixels, stone: Stone) -> None:
    paint, radius = PAINTS[stone.color], stone.radius
    shadow, rim, body, shine = _stone_masks(max(3, round(radius)))
    left, top = round(stone.x - shadow.shape[1] / 2), round(stone.y - shadow.shape[0] / 2)
    blend(canvas, left, top + max(1, round(0.2 * radius)), shadow, rgb(p.SHADOW))
    blend(canvas, left, top, rim, rgb(paint.edge))
    blend(canvas, left, top, body, rgb(paint.fill))
    blend(canvas, left, top, shine, (255, 255, 255))
    if radius >= 6:
        x, y = left + shadow.shape[1] / 2, top + shadow.shape[0] / 2
        _draw_text(canvas, Text(x, y, paint.letter, 1.05 * radius, paint.ink, True, True))


@lru_cache(maxsize=16)
def _stone_masks(radius: int) -> tuple[Mask, Mask, Mask, Mask]:
    """Shadow, rim, body and shine of a stone."""
    side = 4 * radius + 1
    x, y = pixel_centers(side, side)
    distance = np.hypot(x - side / 2, y - side / 2).astype(np.float32)
    soft = 0.45 * radius
    shadow = np.clip((radius + soft - distance) / (2 * soft), 0, 1) ** 2 * np.float32(0.6)
    glint = np.hypot(x - side / 2 + 0.3 * radius, y - side / 2 + 0.38 * radius)
    body = inside(distance - np.float32(0.93 * radius))
    shine = np.clip(1 - glint / (0.75 * radius), 0, 1) * body * np.float32(0.45)
    return shadow, inside(distance - np.float32(1.07 * radius)), body, shine.astype(np.float32)


def _draw_text(canvas: Pixels, text: Text) -> None:
    height = capital_height(text.size)
    above, mask = text_mask(text.text, height, BOLD if text.bold else REGULAR)
    left, top = text.x - above, text.y - height - above
    if text.centered:
        left, top = text.x - mask.shape[1] / 2, text.y - height / 2 - above
    blend(canvas, round(left), round(top), mask, rgb(text.ink))
