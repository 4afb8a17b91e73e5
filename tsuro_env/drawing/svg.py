"""A scene as an SVG drawing: one string that needs nothing from outside."""

from __future__ import annotations

from xml.sax.saxutils import escape

from tsuro_env.drawing import palette as p
from tsuro_env.drawing import picture
from tsuro_env.drawing.geometry import OUTWARD, Point, curve, lines_of, stripes
from tsuro_env.drawing.palette import PAINTS
from tsuro_env.drawing.picture import Arrow, Box, Card, Shape, Stone, Stroke, Text, Walked
from tsuro_env.drawing.scene import Scene

HEIGHT = 1000
FONT = "font-family=\"'Avenir Next', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif\""
DEFINITIONS = (
    '<defs><radialGradient id="tsuro-shine" cx="0.36" cy="0.3" r="0.75">'
    '<stop offset="0" stop-color="#fff" stop-opacity="0.55"/>'
    '<stop offset="0.45" stop-color="#fff" stop-opacity="0.08"/>'
    '<stop offset="1" stop-color="#000" stop-opacity="0.22"/></radialGradient>'
    '<radialGradient id="tsuro-shadow">'
    f'<stop offset="0.5" stop-color="{p.SHADOW}" stop-opacity="0.6"/>'
    f'<stop offset="1" stop-color="{p.SHADOW}" stop-opacity="0"/></radialGradient></defs>'
)
OVERLAP = 0.022  # of a square: trails run on a little, so that no hairline shows between tiles


def to_svg(scene: Scene) -> str:
    """The scene as an SVG document, 1000 units high."""
    width = picture.width_of(scene, HEIGHT)
    summary = scene.caption or f"A Tsuro board with {len(scene.tiles)} tiles"
    shapes = [
        Box(0, 0, width, HEIGHT, fill=p.PAGE),
        *picture.ground(scene.size, HEIGHT),
        *picture.shapes_of(scene, HEIGHT),
    ]
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" '
            f'role="img" aria-label="{escape(printable(summary), {chr(34): "&quot;"})}" {FONT}>',
            DEFINITIONS,
            *map(drawn, shapes),
            "</svg>\n",
        )
    )


def printable(text: str) -> str:
    """XML has no way to write most control characters."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def drawn(shape: Shape) -> str:
    """One shape as SVG elements."""
    match shape:
        case Box():
            return _box(shape)
        case Card():
            return _card(shape)
        case Walked():
            at = shape.left, shape.top, shape.side
            return "".join(drawn_stroke(*at, stroke) for stroke in shape.strokes)
        case Arrow():
            return _arrow(shape)
        case Stone():
            return _stone(shape)
        case Text():
            return _text(shape)


def _n(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _xy(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _box(box: Box) -> str:
    parts = [
        f'<rect x="{_n(box.left)}" y="{_n(box.top)}" width="{_n(box.width)}" '
        f'height="{_n(box.height)}" fill="{box.fill or "none"}"'
    ]
    if box.radius:
        parts.append(f'rx="{_n(box.radius)}"')
    if box.opacity < 1:
        parts.append(f'fill-opacity="{box.opacity}"')
    if box.rim:
        parts.append(f'stroke="{box.rim}" stroke-width="{_n(box.rim_width)}"')
    if box.rim_opacity < 1:
        parts.append(f'stroke-opacity="{box.rim_opacity}"')
    if box.dash:
        parts.append(f'stroke-dasharray="{_n(box.dash)} {_n(0.7 * box.dash)}"')
    return " ".join(parts) + "/>"


def _card(card: Card) -> str:
    """A tile: its four lines, each crossing over those before it, and its rim."""
    left, top, side = card.left, card.top, card.side
    edge = f'x="{_n(left + 0.01 * side)}" y="{_n(top + 0.01 * side)}" rx="{_n(0.05 * side)}"'
    edge += f' width="{_n(0.98 * side)}" height="{_n(0.98 * side)}"'
    lines = "".join(
        f'<path d="{path}" stroke="{p.TILE}" stroke-width="{_n(picture.LINE_CASING * side)}"/>'
        f'<path d="{path}" stroke="{p.LINE}" stroke-width="{_n(picture.LINE_WIDTH * side)}"/>'
        for path in (_path(left, top, side, a, b, 0) for a, b in lines_of(card.tile))
    )
    pale = ' opacity="0.5"' if card.pale else ""
    return (
        f'<g class="tile"{pale}><rect {edge} fill="{p.TILE}"/><g fill="none">{lines}'
        f'<rect {edge} stroke="{p.TILE_EDGE}" stroke-width="{_n(0.018 * side)}"/></g></g>'
    )


def _path(left: float, top: float, side: float, a: int, b: int, overlap: float) -> str:
    """The line between two ports of a square; ``overlap`` lengthens it at both ends."""
    begin, *controls = ((left + x * side, top + y * side) for x, y in curve(a, b))
    bezier = " ".join(map(_xy, controls))
    if not overlap:
        return f"M{_xy(begin)}C{bezier}"
    reach = overlap * side
    before = begin[0] + reach * OUTWARD[a][0], begin[1] + reach * OUTWARD[a][1]
    end = controls[-1][0] + reach * OUTWARD[b][0], controls[-1][1] + reach * OUTWARD[b][1]
    return f"M{_xy(before)}L{_xy(begin)}C{bezier}L{_xy(end)}"


def drawn_stroke(left: float, top: float, side: float, stroke: Stroke) -> str:
    """A casing and, over it, a line."""
    a, b, fill, edge, part, parts = stroke
    dashes = ""
    if part:  # the first one lies under the others, so that no gap shows between the stripes
        dashes = (
            f' pathLength="{stripes(a, b, parts)}" stroke-dasharray="1 {parts - 1}" '
            f'stroke-dashoffset="{-part}"'
        )
    return (
        f'<g class="step" fill="none"><path d="{_path(left, top, side, a, b, 0)}" '
        f'stroke="{edge}" stroke-width="{_n(picture.TRAIL_CASING * side)}"{dashes}/>'
        f'<path d="{_path(left, top, side, a, b, 0 if dashes else OVERLAP)}" '
        f'stroke="{fill}" stroke-width="{_n(picture.TRAIL_WIDTH * side)}"{dashes}/></g>'
    )


def _arrow(arrow: Arrow) -> str:
    (dx, dy), paint = arrow.towards, PAINTS[arrow.color]
    back, aside = 0.11 * arrow.side, 0.075 * arrow.side
    corners = [
        (arrow.x, arrow.y),
        (arrow.x - back * dx - aside * dy, arrow.y - back * dy + aside * dx),
        (arrow.x - back * dx + aside * dy, arrow.y - back * dy - aside * dx),
    ]
    return (
        f'<path class="arrow" d="M{"L".join(map(_xy, corners))}Z" fill="{paint.fill}" '
        f'stroke="{paint.edge}" stroke-width="{_n(0.018 * arrow.side)}" stroke-linejoin="round"/>'
    )


def _stone(stone: Stone) -> str:
    x, y, radius, color = stone
    paint, at = PAINTS[color], f'cx="{_n(x)}" cy="{_n(y)}"'
    letter = Text(x, y, paint.letter, 1.05 * radius, paint.ink, bold=True, centered=True)
    return (
        f'<g class="avatar"><circle cx="{_n(x)}" cy="{_n(y + 0.2 * radius)}" '
        f'r="{_n(1.45 * radius)}" fill="url(#tsuro-shadow)"/>'
        f'<circle {at} r="{_n(radius)}" fill="{paint.fill}" stroke="{paint.edge}" '
        f'stroke-width="{_n(0.14 * radius)}"/>'
        f'<circle {at} r="{_n(0.93 * radius)}" fill="url(#tsuro-shine)"/>{_text(letter)}</g>'
    )


def _text(text: Text) -> str:
    y = text.y + 0.36 * text.size if text.centered else text.y
    weight = ' font-weight="700"' if text.bold else ""
    anchor = ' text-anchor="middle"' if text.centered else ""
    return (
        f'<text x="{_n(text.x)}" y="{_n(y)}" font-size="{_n(text.size)}" '
        f'fill="{text.ink}"{weight}{anchor}>{escape(printable(text.text))}</text>'
    )
