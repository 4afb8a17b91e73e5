"""Blocks of styled characters, and how they are printed. Knows nothing of boards."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple

WIDEST: Final = 80


class Style(NamedTuple):
    """How a character is shown; None leaves it to the terminal. The numbers are of its 256."""

    ink: int | None = None
    paper: int | None = None
    bold: bool = False


PLAIN: Final = Style()


class Cell(NamedTuple):
    """A character of the picture."""

    letter: str = " "
    style: Style = PLAIN


Canvas = list[list[Cell]]


def blank(columns: int, rows: int) -> Canvas:
    return [[Cell()] * columns for _ in range(rows)]


def put(canvas: Canvas, column: int, row: int, text: str, style: Style = PLAIN) -> None:
    for offset, letter in enumerate(text):
        canvas[row][column + offset] = Cell(letter, style)


def paragraph(text: str) -> Canvas:
    """Words, broken to lines of at most 80 columns."""
    lines: list[str] = [""]
    for word in text.split():
        if lines[-1] and width_of(f"{lines[-1]} {word}") > WIDEST:
            lines.append("")
        lines[-1] = fit(f"{lines[-1]} {word}".strip(), WIDEST)
    return [[Cell(letter) for letter in line] for line in lines]


def beside(left: Canvas, right: Canvas) -> Canvas:
    columns = len(left[0]) if left else 0
    rows = max(len(left), len(right))
    padded = left + blank(columns, rows - len(left))
    return [row + (right[y] if y < len(right) else []) for y, row in enumerate(padded)]


def printed(row: Sequence[Cell], color: bool) -> str:
    """A row as it is printed."""
    if not color:
        return "".join(cell.letter for cell in row).rstrip()
    parts = []
    for style, run in groupby(row, key=lambda cell: cell.style):
        text = "".join(cell.letter for cell in run)
        codes = ["1"] if style.bold else []
        codes += [f"38;5;{style.ink}"] if style.ink is not None else []
        codes += [f"48;5;{style.paper}"] if style.paper is not None else []
        parts.append(f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text)
    return "".join(parts).rstrip(" ")


def harmless(text: str, unicode: bool) -> str:
    """A text that may hold anything, such as a name, in characters that do no harm."""
    if not unicode:
        text = text.replace("°", "")
    return "".join(
        letter if letter.isprintable() and (unicode or letter.isascii()) else "?"
        for letter in text[:1000]
    )


def width_of(text: str) -> int:
    """Columns in a terminal: some letters take two, accents none."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text)


def fit(text: str, width: int) -> str:
    """``text`` cut to ``width`` columns, with a mark where something is missing."""
    if width_of(text) <= width:
        return text
    while width_of(text) > width - 1:
        text = text[:-1]
    return text + "~"


def box(canvas: Canvas, left: int, top: int, width: int, height: int, signs: str) -> None:
    """A frame around ``width`` x ``height`` characters; signs: ┌ ─ ┐ │ └ ┘."""
    put(canvas, left, top, signs[0] + signs[1] * width + signs[2])
    for y in range(height):
        put(canvas, left, top + 1 + y, signs[3])
        put(canvas, left + width + 1, top + 1 + y, signs[3])
    put(canvas, left, top + height + 1, signs[4] + signs[1] * width + signs[5])
