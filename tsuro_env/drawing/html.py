"""A game record as one HTML page that plays it: no network, no other files.

The page is put together from ``replay.html``, ``replay.css`` and ``replay.js`` beside this file.
All shapes are drawn here, by the same functions as the SVG; the script shows, hides and moves them.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from tsuro_env.drawing import picture, svg
from tsuro_env.drawing.film import Frame, frames_of
from tsuro_env.drawing.geometry import STRIPE
from tsuro_env.drawing.palette import PAINTS
from tsuro_env.drawing.picture import Arrow, Card, Place, Shape, Stone, Stroke
from tsuro_env.drawing.scene import Scene, Seat, in_words
from tsuro_env.record import Record
from tsuro_env.tile import Tile

Json = dict[str, Any]


def to_html(record: Record) -> str:
    """The page that replays a game record."""
    frames = frames_of(record)
    style, script = _template("replay.css"), _template("replay.js")
    parts = {
        "policy": f"default-src 'none'; img-src data:; style-src {_hash(style)}; "
        f"script-src {_hash(script)}",
        "title": html.escape(svg.printable(_title(frames[0].scene))),
        "style": style,
        "board": _board(frames),
        "game": _embedded(_game(record, frames)),
        "script": script,
    }
    # Split at the marks instead of replacing one after the other: a name may look like a mark.
    pieces = _template("replay.html").split("%%")
    return "".join(parts[piece] if i % 2 else piece for i, piece in enumerate(pieces))


@lru_cache(maxsize=3)
def _template(name: str) -> str:
    return files("tsuro_env.drawing").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """How a page's policy names a text that it lets run; nothing else in the page will."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _title(scene: Scene) -> str:
    return "Tsuro: " + ", ".join(seat.name[:40] for seat in scene.seats)


def _embedded(game: Json) -> str:
    """JSON that may stand in a script element, whatever the names in it are."""
    text = json.dumps(game, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


# ----------------------------------------------------------------------------------- the board


def _board(frames: Sequence[Frame]) -> str:
    """The board with everything that will ever lie on it; the script hides what is yet to come."""
    size = frames[0].scene.size
    place, edge = Place.of(size, svg.HEIGHT), 18
    view = f"{edge} {edge} {svg.HEIGHT - 2 * edge} {svg.HEIGHT - 2 * edge}"
    return "".join(
        (
            f'<svg id="board" viewBox="{view}" role="img" aria-label="The board" {svg.FONT}>',
            svg.DEFINITIONS,
            "<defs>",
            *_patterns(frames, place.cell),
            "</defs>",
            *map(svg.drawn, picture.ground(size, svg.HEIGHT)),
            '<g id="faced"></g>',
            *_tiles(frames, place),
            '<g id="trails">',
            *_walks(frames, place),
            "</g>",
            *_beginnings(frames, place),
            '<g id="arrows"></g>',
            *(
                f'<g class="stone" hidden="">'
                f"{svg.drawn(Stone(0, 0, picture.STONE_RADIUS * place.cell, seat.color))}</g>"
                for seat in frames[0].scene.seats
            ),
            "</svg>",
        )
    )


def _patterns(frames: Sequence[Frame], cell: int) -> Iterator[str]:
    """What the script puts here and there: tiles, faced squares, and arrows that point right."""
    tiles = {tile for frame in frames for tile in _all_tiles(frame.scene)}
    shapes: dict[str, Shape] = {_key(tile): Card(0, 0, cell, tile) for tile in tiles}
    for number, seat in enumerate(frames[0].scene.seats):
        fill = PAINTS[seat.color].fill
        shapes[f"faced-{number}"] = picture.faced_square(0, 0, cell, fill, strong=False)
        shapes[f"target-{number}"] = picture.faced_square(0, 0, cell, fill, strong=True)
        shapes[f"arrow-{number}"] = Arrow(0, 0, cell, (1, 0), seat.color)
    for key in sorted(shapes):
        yield f'<g id="{key}">{svg.drawn(shapes[key])}</g>'


def _key(tile: Tile) -> str:
    return f"tile-{tile.orientation}"


def _all_tiles(scene: Scene) -> Iterator[Tile]:
    yield from scene.tiles.values()
    yield from scene.hand


def _tiles(frames: Sequence[Frame], place: Place) -> Iterator[str]:
    for number, frame in enumerate(frames):
        if frame.move.placed is not None:
            x, y = place.at(*frame.move.placed)
            key = _key(frame.scene.tiles[frame.move.placed])
            yield f'<use class="laid" data-frame="{number}" href="#{key}" x="{x}" y="{y}"/>'


def _walks(frames: Sequence[Frame], place: Place) -> Iterator[str]:
    """What every move adds to the trails."""
    seats = _seat_numbers(frames)
    for number, frame in enumerate(frames):
        for color, trail in frame.move.walks.items():
            seat = seats[color]
            steps = " ".join(",".join(map(str, step)) for step in trail)
            yield (
                f'<g class="walk" data-frame="{number}" data-player="{seat}" data-steps="{steps}">'
            )
            for x, y, enter, leave in trail:
                stroke = Stroke(min(enter, leave), max(enter, leave), *_paint(seat))
                yield svg.drawn_stroke(*place.at(x, y), place.cell, stroke)
            yield "</g>"


def _beginnings(frames: Sequence[Frame], place: Place) -> Iterator[str]:
    seats = _seat_numbers(frames)
    begun: set[str] = set()
    for number, frame in enumerate(frames):
        for color, trail in frame.move.walks.items():
            if color not in begun:
                begun.add(color)
                ring = picture.beginning(trail[0], place, *_paint(seats[color]))
                yield f'<g class="laid" data-frame="{number}">{svg.drawn(ring)}</g>'


def _paint(seat: int) -> tuple[str, str]:
    """The fill and the edge of a player's trail: the script makes them pale once he is beaten."""
    return f"var(--fill-{seat})", f"var(--edge-{seat})"


def _seat_numbers(frames: Sequence[Frame]) -> dict[str, int]:
    return {seat.color: number for number, seat in enumerate(frames[0].scene.seats)}


# ---------------------------------------------------------------------- what the script reads


def _game(record: Record, frames: Sequence[Frame]) -> Json:
    """The game for the script; players are given by their seats."""
    seats = _seat_numbers(frames)
    place = Place.of(frames[0].scene.size, svg.HEIGHT)
    return {
        "cell": place.cell,
        "stack": picture.STACK_STEP,
        "stripe": STRIPE,
        "summary": frames[0].scene.note,
        "finished": record.get("ranking") is not None,
        "players": [_player(seat, frames) for seat in frames[-1].scene.seats],
        "frames": [_frame(frame, seats, place) for frame in frames],
    }


def _player(last: Seat, frames: Sequence[Frame]) -> Json:
    """Somebody, and when and why he goes out; ``out`` is null for whoever stays in."""
    out = [number for number, frame in enumerate(frames) if last.color in frame.move.out]
    return {
        "name": svg.printable(last.name),
        "color": last.color,
        "trail": picture.trail_colors(last.color, beaten=False),
        "faded": picture.trail_colors(last.color, beaten=True),
        "out": out[0] if out else None,
        "fate": svg.printable(": ".join(filter(None, (in_words(last.reason), last.detail)))),
        "rank": last.rank,
    }


def _frame(frame: Frame, seats: dict[str, int], place: Place) -> Json:
    scene = frame.scene
    return {
        "caption": scene.caption,
        "mover": seats[scene.mover] if scene.mover else None,
        "hand": [
            {"index": tile.index, "tile": _key(tile), "degrees": tile.degrees}
            for tile in scene.hand
        ],
        "chosen": scene.chosen,
        "faced": [
            [*place.at(x, y), [seats[color] for color in who]]
            for (x, y), who in scene.faced.items()
        ],
        "stones": [
            [seats[color], *_rounded(stone), [*_rounded(arrow), *arrow.towards] if arrow else None]
            for color, (stone, arrow) in picture.avatar_shapes(scene, place).items()
        ],
    }


def _rounded(shape: Stone | Arrow) -> tuple[float, float]:
    return round(shape.x, 1), round(shape.y, 1)
