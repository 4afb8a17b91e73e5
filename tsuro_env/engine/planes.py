"""The `planes` observation: a stack of int8 maps of the board, as a chosen player sees it.

For P players (k counts the players in turn order from the viewer, who is k = 0):

    channels                  value
    0 .. 27                   connections: 1 where the tile on a square connects that pair of ports;
                              the pairs AB, AC, .., AH, BC, .., GH in this order
    28       + 8 k + port     avatars: 1 on the square that player k faces, at the port by which he
                              would enter it
    28 + 8 P + 28 s + pair    hand: the connections, unturned, of the viewer's tile in slot
                              s = 0, 1, 2, on the square where it would be laid (everywhere as long
                              as that is not known)
    112 +  8 P + k            inside: 1 everywhere if player k is in
    112 +  9 P + k            holds: everywhere the number of tiles in player k's hand, 0 to 3
    112 + 10 P + k            dragon: 1 everywhere if player k holds the dragon tile (boxed)
    112 + 11 P + k            turn: 1 everywhere if player k is asked
    112 + 12 P + phase        phase: 1 everywhere in that of start, first tile, turn, over

That is all that a person at the table sees, and nothing else: of the others' hands the number of
tiles, of the supply nothing. While a first tile is asked for, the viewer's avatar is shown where
it will face.  `tsuro_env.planes_decoder` reads the planes back.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.batch import Fields, Rows
from tsuro_env.engine.jit import hot_kernel, kernel
from tsuro_env.engine.kernels import hand_count
from tsuro_env.engine.state import (
    DRAGON,
    FACING,
    FIRST_TILE,
    HAND,
    HAND_SIZE,
    IN,
    NO_TILE,
    NOTHING,
    OUT,
    PHASE,
    PHASES,
    SPOT,
    TO_MOVE,
    State,
    Variant,
)
from tsuro_env.engine.tables import CONNECTIONS, NUM_ORIENTATIONS, NUM_PORTS

NUM_PAIRS = 28
NUM_PHASES = len(PHASES)


def _pair_numbers() -> NDArray[np.uint8]:
    table = np.zeros((NUM_PORTS, NUM_PORTS), dtype=np.uint8)
    pairs = [(a, b) for a in range(NUM_PORTS) for b in range(a + 1, NUM_PORTS)]
    for number, (a, b) in enumerate(pairs):
        table[a, b] = table[b, a] = number
    return table


def _pairs() -> NDArray[np.uint8]:
    table = np.zeros((NUM_ORIENTATIONS, 4), dtype=np.uint8)
    for orientation, connections in enumerate(CONNECTIONS):
        pairs = [PAIR_NUMBER[a, b] for a, b in enumerate(connections) if a < b]
        table[orientation] = sorted(pairs)
    return table


PAIR_NUMBER = _pair_numbers()
"""uint8 (8, 8): the number 0..27 of each pair of different ports."""
PAIRS = _pairs()
"""uint8 (140, 4): the numbers of the pairs that each orientation connects."""


class Channels(NamedTuple):
    """Where each kind of channel begins, as in the table above; `total` is their number."""

    connections: int
    avatars: int
    hand: int
    inside: int
    holds: int
    dragon: int
    turn: int
    phase: int
    total: int


@hot_kernel
def channels(players: int) -> Channels:
    hand = NUM_PAIRS + NUM_PORTS * players
    inside = hand + HAND_SIZE * NUM_PAIRS
    phase = inside + 4 * players
    return Channels(
        0,
        NUM_PAIRS,
        hand,
        inside,
        inside + players,
        inside + 2 * players,
        inside + 3 * players,
        phase,
        phase + NUM_PHASES,
    )


@lru_cache
def num_channels(players: int) -> int:
    return int(channels(players).total)


@hot_kernel
def fill_plane(planes: NDArray[np.int8], row: int, channel: int, value: int) -> None:
    for square in range(planes.shape[2]):
        planes[row, channel, square] = value


@kernel
def write_players(
    state: State, variant: Variant, b: int, viewer: int, row: int, planes: NDArray[np.int8]
) -> None:
    """Where everybody is, who is in, who holds how many tiles, and whose turn it is."""
    at = channels(variant.players)
    for k in range(variant.players):
        seat = (viewer + k) % variant.players
        facing = state.seats[b, seat, FACING]
        if facing != NOTHING:
            planes[row, at.avatars + NUM_PORTS * k + (facing & 7), facing >> 3] = 1
        if state.seats[b, seat, OUT] == IN:
            fill_plane(planes, row, at.inside + k, 1)
        held = hand_count(state, b, seat)
        if held > 0:
            fill_plane(planes, row, at.holds + k, held)
        if state.game[b, DRAGON] == seat:
            fill_plane(planes, row, at.dragon + k, 1)
        if state.game[b, TO_MOVE] == seat:
            fill_plane(planes, row, at.turn + k, 1)
    fill_plane(planes, row, at.phase + state.game[b, PHASE], 1)


@kernel
def write_hand(
    state: State, variant: Variant, b: int, viewer: int, row: int, planes: NDArray[np.int8]
) -> None:
    """The viewer's tiles, on the square where they would be laid."""
    at = channels(variant.players)
    place = NOTHING
    if state.seats[b, viewer, FACING] != NOTHING:
        place = state.seats[b, viewer, FACING] >> 3
    elif state.game[b, PHASE] == FIRST_TILE and state.game[b, TO_MOVE] == viewer:
        standing = variant.spots[state.game[b, SPOT]]
        facing = variant.fresh_links[standing]
        planes[row, at.avatars + (facing & 7), facing >> 3] = 1
        place = standing >> 3
    for slot in range(hand_count(state, b, viewer)):
        tile = state.seats[b, viewer, HAND + slot]
        for i in range(4):
            channel = at.hand + NUM_PAIRS * slot + PAIRS[4 * tile, i]
            if place == NOTHING:
                fill_plane(planes, row, channel, 1)
            else:
                planes[row, channel, place] = 1


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
    """Fill in the planes, (rows, channels, squares), of each game as its viewer sees it."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        b = rows[row]
        planes[row, :, :] = 0
        for square in range(planes.shape[2]):
            orientation = state.tiles[b, square]
            if orientation != NO_TILE:
                for i in range(4):
                    planes[row, PAIRS[orientation, i], square] = 1
        write_players(state, variant, b, viewers[row], row, planes)
        write_hand(state, variant, b, viewers[row], row, planes)
