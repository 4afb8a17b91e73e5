"""A small alphabet, drawn as strokes, for pictures made of pixels without a font at hand.

A glyph is a list of strokes on a grid 8 wide and 12 high (y down; c = 12 is the base line, letters
may hang down to f = 15). A stroke is a list of points, two characters each, x and y. Two points are
a straight line; more are the control points of a smooth curve, closed if it ends where it began.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

import numpy as np

from tsuro_env.drawing.coverage import Mask, Polyline, covered, distance_to

GLYPHS: Final[dict[str, str]] = {
    "A": "0c40 408c 1878",
    "B": "000c 00707606 06868c0c",
    "C": "8370000c7c89",
    "D": "000c 00808c0c",
    "E": "000c 0070 0666 0c7c",
    "F": "000c 0070 0666",
    "G": "8370000c8c87 8757",
    "H": "000c 808c 0686",
    "I": "000c",
    "J": "60696c0c09",
    "K": "000c 8007 358c",
    "L": "000c 0c7c",
    "M": "0c00 0049 4980 808c",
    "N": "0c00 008c 8c80",
    "O": "00808c0c00",
    "P": "000c 00808707",
    "Q": "00808c0c00 588d",
    "R": "000c 00808707 478c",
    "S": "82600006868c1c0a",
    "T": "0080 404c",
    "U": "00060c8c8680",
    "V": "004c 4c80",
    "W": "002c 2c43 436c 6c80",
    "X": "008c 800c",
    "Y": "0046 8046 464c",
    "Z": "0080 800c 0c8c",
    "a": "04646c0c04 646c",
    "b": "000c 04646c0c04",
    "c": "6654040c5c6a",
    "d": "606c 04646c0c04",
    "e": "0868 6864040c5c6a",
    "f": "5020242c 0444",
    "g": "04646c0c04 646c6f1f0e",
    "h": "000c 0804646c",
    "i": "040c 0101",
    "j": "242c2f0f 2121",
    "k": "000c 5409 275c",
    "l": "000a0c2c",
    "m": "040c 0804444c 4844848c",
    "n": "040c 0804646c",
    "o": "04646c0c04",
    "p": "040f 04646c0c04",
    "q": "646f 04646c0c04",
    "r": "040c 080444",
    "s": "55440408585c1c0b",
    "t": "212a2c5c 0454",
    "u": "040c6c64 646c",
    "v": "043c 3c64",
    "w": "042c 2c45 456c 6c84",
    "x": "046c 640c",
    "y": "043c 642f",
    "z": "0464 640c 0c6c",
    "0": "00707c0c00",
    "1": "0330 303c",
    "2": "031070750c 0c7c",
    "3": "0210707536 36767c1c0a",
    "4": "6c60 6008 0888",
    "5": "7010 1006 0624747c1c0a",
    "6": "60220508 05757c0c05",
    "7": "0070 702c",
    "8": "1060661610 06767c0c06",
    "9": "0070770700 74785b1c",
    ".": "0c0c",
    ",": "1b0e",
    ":": "0505 0c0c",
    ";": "1515 1b0e",
    "!": "0008 0c0c",
    "?": "020060653638 3c3c",
    "-": "0747",
    "_": "0d7d",
    "=": "0565 0969",
    "+": "0767 343a",
    "*": "2126 0145 4105",
    "(": "3003093c",
    ")": "0033390c",
    "[": "3000 000d 0d3d",
    "]": "0030 303d 3d0d",
    "{": "402026070708282d4d",
    "}": "002026474728282d0d",
    "<": "6207 076c",
    ">": "0267 670c",
    "/": "600d",
    "\\": "006d",
    "|": "000d",
    "'": "0003",
    "`": "0023",
    '"': "0003 3033",
    "^": "0430 3064",
    "#": "301c 705c 0484 0888",
    "%": "800c 0030330300 59898c5c59",
    "&": "8c131060630808060c5c87",
    "$": "72610106767b1b0a 403d",
    "@": "65353a6a6665 6a8a80000d7d",
    "~": "08254865",
    "°": "0030330300",
}
REGULAR: Final = 1.6  # widths of a stroke
BOLD: Final = 2.3
LETTER_GAP: Final = 3.4
SPACE: Final = 4.5
MARGIN: Final = 1.5
GRID_HEIGHT: Final = 12
LOWEST: Final = 15
CAPITAL: Final = 0.72  # the height of capitals in a font of size 1


def capital_height(size: float) -> int:
    """The height in pixels of the capitals of a font size; smaller than 5 nothing can be read."""
    return max(5, round(CAPITAL * size))


def text_width(text: str, size: float) -> float:
    """How wide a text is, in the unit of the font size. Other fonts are about as wide."""
    advance = sum(_advance(sign) for sign in _signs(text))
    return max(0.0, advance - LETTER_GAP) * CAPITAL * size / GRID_HEIGHT


def fitted(text: str, size: float, room: float) -> str:
    """The text, cut to a width."""
    if text_width(text, size) <= room:
        return text
    text = text[: int(3 * room / size)]  # not even the narrowest letters would fit beyond this
    while text and text_width(text + "…", size) > room:
        text = text[:-1]
    return text + "…"


def wrapped(text: str, size: float, room: float, most: int) -> list[str]:
    """The text in lines of a width; the last of ``most`` lines is cut."""
    lines: list[str] = []
    for word in text[:1000].split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (len(lines) == most or text_width(longer, size) <= room):
            lines[-1] = longer
        else:
            lines.append(word)
    return [fitted(line, size, room) for line in lines]


@lru_cache(maxsize=1024)
def text_mask(text: str, height: int, weight: float = REGULAR) -> tuple[int, Mask]:
    """The text, its capitals ``height`` pixels high; and how far above it the mask begins."""
    scale = height / GRID_HEIGHT
    signs = _signs(text)
    width = max(0.0, sum(map(_advance, signs)) - LETTER_GAP) + 2 * MARGIN
    mask = np.zeros((_rows(height), int(np.ceil(width * scale)) + 1), dtype=np.float32)
    pen = 0.0
    for sign in signs:
        if sign != " ":
            # Quarters of a pixel are fine enough to space letters, and few enough to remember.
            quarters = round(pen * scale * 4)
            glyph = _glyph_mask(sign, height, weight, quarters % 4)
            left = quarters // 4
            part = mask[:, left : left + glyph.shape[1]]
            np.maximum(part, glyph[:, : part.shape[1]], out=part)
        pen += _advance(sign)
    mask.flags.writeable = False
    return round(MARGIN * scale), mask


def _signs(text: str) -> str:
    """The text in the signs that there are: no accents, "?" for the rest."""
    text = text.replace("…", "...").replace("·", "-").replace("–", "-").replace("ß", "ss")
    plain = unicodedata.normalize("NFD", text)
    letters = (letter for letter in plain if not unicodedata.combining(letter))
    return "".join(letter if letter in GLYPHS or letter == " " else "?" for letter in letters)


@lru_cache(maxsize=256)
def _advance(sign: str) -> float:
    if sign == " ":
        return SPACE
    right = max(int(s[i]) for s in GLYPHS[sign].split() for i in range(0, len(s), 2))
    return right + LETTER_GAP


def _rows(height: int) -> int:
    return int(np.ceil((LOWEST + 2 * MARGIN) * height / GRID_HEIGHT))


@lru_cache(maxsize=2048)
def _glyph_mask(sign: str, height: int, weight: float, quarters: int) -> Mask:
    scale = height / GRID_HEIGHT
    columns = int(np.ceil((_advance(sign) + 2 * MARGIN) * scale)) + 1
    mask = np.zeros((_rows(height), columns), dtype=np.float32)
    for stroke in GLYPHS[sign].split():
        line = (_smooth(stroke) + MARGIN) * scale + np.array([quarters / 4, 0], np.float32)
        distance = distance_to(line.astype(np.float32), *mask.shape)
        np.maximum(mask, covered(distance, weight * scale / 2), out=mask)
    return mask


@lru_cache(maxsize=256)
def _smooth(stroke: str) -> Polyline:
    """The points of a stroke, its corners cut three times over, which makes it round."""
    points = [(int(stroke[i]), int(stroke[i + 1], 16)) for i in range(0, len(stroke), 2)]
    line = np.array(points, dtype=np.float32)
    closed = len(points) > 2 and points[0] == points[-1]
    for _ in range(3 if len(points) > 2 else 0):
        a, b = line[:-1], line[1:]
        cut = np.stack([0.75 * a + 0.25 * b, 0.25 * a + 0.75 * b], axis=1).reshape(-1, 2)
        if closed:
            line = np.vstack([cut, cut[:1]])
        else:
            line = np.vstack([line[:1], cut[1:-1], line[-1:]])
    return line.astype(np.float32)
