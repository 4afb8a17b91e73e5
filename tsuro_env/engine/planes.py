"""The `planes` observation: a stack of int8 maps of the board, as a chosen player sees it.

Channels, for P players (k counts the players in turn order from the viewer, who is k = 0):

    0 .. 27            connections: 1 where the tile on a square connects that pair of ports;
                       the pairs AB, AC, .., AH, BC, .., GH in this order
    28 + 8 k + port    avatars: 1 on the square that player k faces, at the port he would enter by
    28 + 8 P + 28 s    the viewer's tile in slot s = 0, 1, 2: its connections, unturned, on the
       + pair          square where it would be laid (everywhere while a start spot is asked for)
    112 + 8 P + k      1 everywhere if player k is in
    112 + 9 P + phase  1 everywhere if the question is of that phase: start, first tile, turn
    115 + 9 P + k      1 everywhere if it is player k's turn

While the first tile is asked for, the viewer's avatar is shown where it will face.
"""

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.batch import Fields, Rows
from tsuro_env.engine.jit import hot_kernel, kernel
from tsuro_env.engine.state import (
    FACING,
    FIRST_TILE,
    HAND,
    HAND_SIZE,
    IN,
    NO_TILE,
    NOTHING,
    OUT,
    OVER,
    PHASE,
    SPOT,
    START,
    TO_MOVE,
    State,
    Variant,
)
from tsuro_env.engine.tables import CONNECTIONS, NUM_ORIENTATIONS, NUM_PORTS

NUM_PAIRS = 28


def _pair_number(a: int, b: int) -> int:
    first, second = min(a, b), max(a, b)
    return sum(NUM_PORTS - 1 - port for port in range(first)) + second - first - 1


def _pairs() -> NDArray[np.uint8]:
    table = np.zeros((NUM_ORIENTATIONS, 4), dtype=np.uint8)
    for orientation, connections in enumerate(CONNECTIONS.tolist()):
        pairs = [_pair_number(a, b) for a, b in enumerate(connections) if a < b]
        table[orientation] = sorted(pairs)
    return table


PAIRS = _pairs()
"""uint8 (140, 4): the numbers of the pairs that each orientation connects."""


def num_channels(players: int) -> int:
    return 115 + 10 * players


@hot_kernel
def fill_plane(planes: NDArray[np.int8], b: int, channel: int) -> None:
    for square in range(planes.shape[2]):
        planes[b, channel, square] = 1


@kernel
def write_planes(
    state: State,
    variant: Variant,
    b: int,
    viewer: int,
    row: int,
    planes: NDArray[np.int8],
) -> None:
    """Fill in row `row` of zeros, (rows, channels, squares), for one game and viewer."""
    players = variant.players
    hands = NUM_PAIRS + 8 * players
    ins = hands + HAND_SIZE * NUM_PAIRS
    for square in range(planes.shape[2]):
        orientation = state.tiles[b, square]
        if orientation != NO_TILE:
            for i in range(4):
                planes[row, PAIRS[orientation, i], square] = 1

    for k in range(players):
        seat = (viewer + k) % players
        facing = state.seats[b, seat, FACING]
        if facing != NOTHING:
            planes[row, NUM_PAIRS + 8 * k + (facing & 7), facing >> 3] = 1
        if state.seats[b, seat, OUT] == IN:
            fill_plane(planes, row, ins + k)

    # Where the viewer's tiles would be laid.
    place = NOTHING
    if state.seats[b, viewer, FACING] != NOTHING:
        place = state.seats[b, viewer, FACING] >> 3
    elif state.game[b, PHASE] == FIRST_TILE and state.game[b, TO_MOVE] == viewer:
        standing = variant.spots[state.game[b, SPOT]]
        facing = variant.fresh_links[standing]
        planes[row, NUM_PAIRS + (facing & 7), facing >> 3] = 1
        place = standing >> 3
    for slot in range(HAND_SIZE):
        tile = state.seats[b, viewer, HAND + slot]
        if tile != NOTHING:
            for i in range(4):
                channel = hands + NUM_PAIRS * slot + PAIRS[4 * tile, i]
                if place == NOTHING:
                    fill_plane(planes, row, channel)
                else:
                    planes[row, channel, place] = 1

    if state.game[b, PHASE] != OVER:
        fill_plane(planes, row, ins + players + state.game[b, PHASE] - START)
        turn = (state.game[b, TO_MOVE] - viewer) % players
        fill_plane(planes, row, ins + players + 3 + turn)


@kernel
def planes_batch(
    fields: Fields,
    rules: Fields,
    low: int,
    high: int,
    rows: Rows,
    viewers: NDArray[np.int64],
    planes: NDArray[np.int8],
) -> None:
    """The planes of each game as its viewer sees it."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        planes[row, :, :] = 0
        write_planes(state, variant, rows[row], viewers[row], row, planes)
