"""The fixed geometry: ports, tiles, rotations, squares, start spots. No rule is decided here.

Ports of a square, clockwise from the top-left corner, as letters and as the numbers used below::

              A 0   B 1
            +---o---o---+
        H 7 o           o C 2
            |           |
        G 6 o           o D 3
            +---o---o---+
              F 5   E 4

Squares are numbered row by row, ``square = y * size + x`` with ``(0, 0)`` at the top left.
A *half-edge* is a port of a square, ``half_edge = 8 * square + port``.  An *orientation* is a tile
turned by quarters clockwise, ``orientation = 4 * tile_index + rotation``.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

PORTS = "ABCDEFGH"
NUM_PORTS = 8
NUM_TILES = 35
NUM_ROTATIONS = 4
NUM_ORIENTATIONS = NUM_TILES * NUM_ROTATIONS

OFF_BOARD = -1
"""In a table of links: nobody comes out there, the path leaves the board."""

# The canonical order of the 35 tiles; everything that is called a tile index refers to it.
_TILE_NAMES = (
    "AEBFCHDG", "AEBFCGDH", "AFBECHDG", "AEBDCGFH", "AHBCDEFG", "AEBCDHFG", "AEBCDGFH",
    "ADBGCFEH", "ADBFCGEH", "ADBECHFG", "ADBECGFH", "ADBCEHFG", "ACBHDFEG", "ACBHDEFG",
    "ACBGDFEH", "ACBGDEFH", "ACBFDHEG", "ACBFDGEH", "ACBEDHFG", "ACBEDGFH", "ACBDEHFG",
    "ACBDEGFH", "ABCHDGEF", "ABCHDFEG", "ABCHDEFG", "ABCGDHEF", "ABCGDFEH", "ABCGDEFH",
    "ABCFDHEG", "ABCFDGEH", "ABCEDHFG", "ABCEDGFH", "ABCDEHFG", "ABCDEGFH", "ABCDEFGH",
)  # fmt: skip

_FACING_PORT = (5, 4, 7, 6, 1, 0, 3, 2)  # A-F, B-E, C-H, D-G and back
_STEP = ((0, -1), (0, -1), (1, 0), (1, 0), (0, 1), (0, 1), (-1, 0), (-1, 0))  # across each port


def _connections() -> NDArray[np.uint8]:
    table = np.zeros((NUM_ORIENTATIONS, NUM_PORTS), dtype=np.uint8)
    for index, name in enumerate(_TILE_NAMES):
        for first, second in zip(name[::2], name[1::2], strict=True):
            for rotation in range(NUM_ROTATIONS):
                a = (PORTS.index(first) + 2 * rotation) % NUM_PORTS
                b = (PORTS.index(second) + 2 * rotation) % NUM_PORTS
                table[NUM_ROTATIONS * index + rotation, a] = b
                table[NUM_ROTATIONS * index + rotation, b] = a
    return table


def _smallest_rotation() -> NDArray[np.uint8]:
    table = np.zeros(NUM_ORIENTATIONS, dtype=np.uint8)
    for orientation in range(NUM_ORIENTATIONS):
        first = orientation - orientation % NUM_ROTATIONS
        alike = (CONNECTIONS[first : first + NUM_ROTATIONS] == CONNECTIONS[orientation]).all(axis=1)
        table[orientation] = np.argmax(alike)
    return table


CONNECTIONS = _connections()
"""uint8 (140, 8): the port that each port of each orientation is connected to."""

SMALLEST_ROTATION = _smallest_rotation()
"""uint8 (140,): the smallest rotation of the same tile that looks the same."""

PLAINEST = (
    np.arange(NUM_ORIENTATIONS) // NUM_ROTATIONS * NUM_ROTATIONS + SMALLEST_ROTATION
).astype(np.uint8)
"""uint8 (140,): the orientation of the same tile with that rotation."""


@lru_cache
def fresh_links(size: int) -> NDArray[np.int16]:
    """int16 (8 * size * size,): the half-edge across each half-edge, or OFF_BOARD.

    It is also the table of who faces whom: it does not depend on what lies on the board.
    """
    table = np.full(NUM_PORTS * size * size, OFF_BOARD, dtype=np.int16)
    for y in range(size):
        for x in range(size):
            for port, (dx, dy) in enumerate(_STEP):
                if 0 <= x + dx < size and 0 <= y + dy < size:
                    across = NUM_PORTS * ((y + dy) * size + x + dx) + _FACING_PORT[port]
                    table[NUM_PORTS * (y * size + x) + port] = across
    table.flags.writeable = False
    return table


@lru_cache
def periphery(size: int) -> tuple[tuple[int, int], ...]:
    """The squares along the edge of the board, clockwise from (0, 0)."""
    last = size - 1
    return (
        *((x, 0) for x in range(last)),
        *((last, y) for y in range(last)),
        *((x, last) for x in range(last, 0, -1)),
        *((0, y) for y in range(last, 0, -1)),
    )


@lru_cache
def inward_spots(size: int) -> NDArray[np.int16]:
    """The half-edges of periphery squares that face inward: where the first avatar may stand."""
    links = fresh_links(size)
    spots = [
        8 * (y * size + x) + port
        for x, y in periphery(size)
        for port in range(NUM_PORTS)
        if links[8 * (y * size + x) + port] != OFF_BOARD
    ]
    table = np.array(spots, dtype=np.int16)
    table.flags.writeable = False
    return table


@lru_cache
def edge_marks(size: int) -> NDArray[np.int16]:
    """The half-edges that face out of the board, clockwise from port A of (0, 0)."""
    last = size - 1
    sides = [
        [(x, 0, port) for x in range(size) for port in (0, 1)],
        [(last, y, port) for y in range(size) for port in (2, 3)],
        [(x, last, port) for x in range(last, -1, -1) for port in (4, 5)],
        [(0, y, port) for y in range(last, -1, -1) for port in (6, 7)],
    ]
    marks = [8 * (y * size + x) + port for side in sides for x, y, port in side]
    table = np.array(marks, dtype=np.int16)
    table.flags.writeable = False
    return table
