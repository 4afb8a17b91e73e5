"""The colours of the players and of the board, the same for every picture."""

from __future__ import annotations

from typing import Final, NamedTuple


class Paint(NamedTuple):
    """How one player's colour is drawn."""

    fill: str  #: the stone and the path walked, "#rrggbb"
    edge: str  #: the outline that keeps the fill apart from the board
    ink: str  #: text on top of the fill
    letter: str  #: one letter, where there is no colour
    terminal: int  #: the nearest of a terminal's 256 colours


#: Seat order. The first five are the course's; the last three are for six to eight players.
PAINTS: Final[dict[str, Paint]] = {
    "white": Paint("#ffffff", "#3d322a", "#3d322a", "W", 231),
    "black": Paint("#201b1c", "#fbf5e6", "#ffffff", "B", 16),
    "red": Paint("#c8282c", "#fbf5e6", "#ffffff", "R", 160),
    "green": Paint("#2f8f3e", "#fbf5e6", "#ffffff", "G", 28),
    "blue": Paint("#2456c7", "#fbf5e6", "#ffffff", "U", 26),
    "orange": Paint("#ea7f0c", "#fbf5e6", "#3d322a", "O", 208),
    "purple": Paint("#8c3fb0", "#fbf5e6", "#ffffff", "P", 91),
    "teal": Paint("#0f9aa0", "#fbf5e6", "#ffffff", "T", 37),
}

#: A warm table, a lacquered frame, a paper board and lighter tiles with ink lines.
PAGE: Final = "#f5eee0"
FRAME: Final = "#4a2f27"
FRAME_LINE: Final = "#c9a45c"
FRAME_INK: Final = "#d9bd85"
BOARD: Final = "#dfcda8"
GRID: Final = "#cdb98f"
TILE: Final = "#fbf5e6"
TILE_EDGE: Final = "#e2d5b5"
LINE: Final = "#bea77c"
INK: Final = "#3d322a"
SOFT_INK: Final = "#85735d"
SHADOW: Final = "#2a1a10"


def rgb(color: str) -> tuple[int, int, int]:
    """The three bytes of "#rrggbb"."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def mixed(color: str, other: str, share: float) -> str:
    """``color`` with ``share`` of 0 to 1 of another one in it."""
    channels = (round(a + (b - a) * share) for a, b in zip(rgb(color), rgb(other), strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in channels)
