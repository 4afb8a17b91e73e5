"""A scene as text for a terminal: the heading, the board, the hand and the players."""

from __future__ import annotations

from tsuro_env.drawing.ansi_board import BrailleBoard, SignBoard, stone_style
from tsuro_env.drawing.canvas import (
    WIDEST,
    Canvas,
    Cell,
    Style,
    beside,
    blank,
    fit,
    harmless,
    paragraph,
    printed,
    put,
    width_of,
)
from tsuro_env.drawing.palette import PAINTS
from tsuro_env.drawing.scene import Scene


def to_text(scene: Scene, color: bool = True, unicode: bool = True) -> str:
    """The scene as lines of text; boards of up to 10 x 10 fit 80 columns."""
    draw = BrailleBoard(scene, color) if unicode else SignBoard(scene, color)
    blocks = [paragraph(harmless(scene.caption, unicode))] if scene.caption else []
    blocks.append(draw.board())
    hand = draw.hand()
    width = max(WIDEST, len(blocks[-1][0])) - (len(hand[0]) if hand else 0)
    blocks.append(beside(hand, _seats(scene, width, unicode)))
    lines = [printed(row, color) for block in blocks for row in [*block, []]]
    return "\n".join(lines).rstrip("\n") + "\n"


def _seats(scene: Scene, width: int, unicode: bool) -> Canvas:
    """A line for each player: whose turn, the colour, the name, the rank, and why it is out."""
    marker = "▸" if unicode else ">"
    name_width = max(4, width - 40)
    rows = []
    for seat in scene.seats:
        moves = seat.color == scene.mover
        name = fit(harmless(seat.name, unicode), name_width)
        name += " " * (name_width - width_of(name))
        fate = fit(harmless(seat.fate, unicode), max(1, width - 15 - name_width))
        row = blank(14, 1)[0]
        put([row], 0, 0, marker if moves else " ", Style(bold=True))
        put([row], 2, 0, f" {PAINTS[seat.color].letter} ", stone_style(seat.color))
        put([row], 6, 0, seat.color)
        rows.append([*row, *(Cell(letter, Style(bold=moves)) for letter in f"{name} {fate}")])
    return rows
