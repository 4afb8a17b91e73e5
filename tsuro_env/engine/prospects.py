"""What a position promises a player: how many tiles would save it, how long, and how far it gets.

Nothing here decides a rule or changes a state; and nothing looks at hidden tiles.

A tile may be *thought of* as laid on `square` with `orientation`, whatever is asked; NO_SQUARE
leaves the board as it is. The tiles that a player will choose from in its next turn are given as
`known`, a bit for each port that a tile in its hand leads to, and `unknown`, the number of tiles
that it will be dealt.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.jit import hot_kernel, kernel
from tsuro_env.engine.kernels import walk
from tsuro_env.engine.state import (
    FACING,
    HAND,
    HAND_SIZE,
    IN,
    NO_TILE,
    NOTHING,
    OUT,
    State,
    Variant,
)
from tsuro_env.engine.tables import CONNECTIONS, NUM_TILES

NO_SQUARE = -1
TOUCHED = 1 << 16


def _reach() -> NDArray[np.uint8]:
    table = np.zeros((8, NUM_TILES), dtype=np.uint8)
    for entry in range(8):
        for orientation in range(4 * NUM_TILES):
            table[entry, orientation // 4] |= 1 << int(CONNECTIONS[orientation, entry])
    return table


REACH = _reach()
"""uint8 (8, 35): a bit for each port that some rotation of a tile leads an entry port to."""

SAVERS: NDArray[np.uint8] = (
    ((REACH[:, :, None] & np.arange(256, dtype=np.uint8)) != 0).sum(axis=1).astype(np.uint8)
)
"""uint8 (8, 256): how many tiles can lead an entry port to one of a set of ports."""

CHANCES: NDArray[np.float64] = 1.0 - (
    (1.0 - np.arange(NUM_TILES + 1) / NUM_TILES) ** np.arange(HAND_SIZE + 1)[:, None]
)
"""float64 (4, 36): the chance that so many dealt tiles hold at least one of so many good ones."""


class Survey(NamedTuple):
    """Notes taken once for a question, for all its options: see `survey`."""

    ports: NDArray[np.int32]
    """(squares,): the `port_sets` of each empty square as the board is now, and the bit TOUCHED if
    a tile on the viewer's square might change them."""
    region: NDArray[np.int16]
    """(squares,): the number of the region that each empty square belongs to, or NOTHING."""
    region_size: NDArray[np.int16]
    """(squares,): how many squares each region has."""
    stack: NDArray[np.int16]
    """(squares,): squares to be visited."""
    savers: NDArray[np.int64]
    """(players,): how many tiles would save each player as the board is now."""
    lasting: NDArray[np.float64]
    """(players,): each player's chance of surviving its next two turns as the board is now."""


@hot_kernel
def look(state: State, b: int, square: int, orientation: int, half_edge: int) -> int:
    """The link of a half-edge, with the tile thought of."""
    end = int(state.links[b, half_edge])
    if square != NO_SQUARE and end >> 3 == square:
        end = walk(state, b, end, orientation, 4)
    return end


@hot_kernel
def port_sets(state: State, b: int, square: int, orientation: int, faced: int) -> int:
    """Where the paths from the ports of the square `faced` lead: two bits for each port.

    Bit `port`: to another empty square; bit `8 + port`: back to the square itself.
    """
    ports = 0
    for port in range(8):
        end = look(state, b, square, orientation, 8 * faced + port)
        ports |= (1 << port if end >> 3 != faced else 256 << port) if end >= 0 else 0
    return ports


@hot_kernel
def count_savers(state: State, b: int, square: int, orientation: int, facing: int) -> int:
    """Of how many of the 35 tiles some rotation keeps an avatar at `facing` on the board."""
    ports = port_sets(state, b, square, orientation, facing >> 3)
    if ports < 256:
        return int(SAVERS[facing & 7, ports])
    return count_savers_by_ways_back(state, b, square, orientation, facing, ports)


@kernel
def count_savers_by_ways_back(
    state: State, b: int, square: int, orientation: int, facing: int, ports: int
) -> int:
    count = 0
    for tile in range(NUM_TILES):
        count += saves(state, b, square, orientation, facing, tile, ports & 255, ports >> 8)
    return count


@kernel
def saves(
    state: State,
    b: int,
    square: int,
    orientation: int,
    facing: int,
    tile: int,
    good: int,
    back: int,
) -> bool:
    """Whether some rotation leads `facing` to a good port, if need be by paths that come back."""
    if REACH[facing & 7, tile] & good:
        return True
    for rotation in range(4):
        port = facing & 7
        for _ in range(4):
            port = int(CONNECTIONS[4 * tile + rotation, port])
            if (good >> port) & 1:
                return True
            if not (back >> port) & 1:
                break
            port = look(state, b, square, orientation, (facing & -8) + port) & 7
    return False


@hot_kernel
def chance(entry: int, ports: int, known: int, unknown: int) -> float:
    """The chance to be able to go from an entry port to one of these ports in the next turn."""
    if known & ports:
        return 1.0
    return float(CHANCES[unknown, SAVERS[entry, ports]])


@hot_kernel
def direct_savers(
    state: State, b: int, square: int, orientation: int, facing: int, notes: Survey
) -> int:
    """`count_savers` without those that need a path which comes back: a lower bound, quickly."""
    ports = int(notes.ports[facing >> 3])
    if square != NO_SQUARE and ports & TOUCHED:
        ports = port_sets(state, b, square, orientation, facing >> 3)
    return int(SAVERS[facing & 7, ports & 255])


@kernel
def lasting(
    state: State,
    b: int,
    square: int,
    orientation: int,
    facing: int,
    known: int,
    unknown: int,
    later: int,
    notes: Survey,
) -> float:
    """The chance to survive two turns by going, in the first, where the second is safest.

    Nobody else moves meanwhile. `later` tiles will be dealt for the second turn.
    """
    # The savers at the end of each port's path, a byte for each port.
    ends = np.int64(0)
    for port in range(8):
        end = look(state, b, square, orientation, (facing & -8) + port)
        if end >= 0 and end >> 3 != facing >> 3:
            savers = direct_savers(state, b, square, orientation, end, notes)
            ends |= np.int64(savers) << (8 * port)
    total = 0.0
    before = 0.0
    ports = 0
    while ends:
        best = 0
        for port in range(8):
            best = max(best, (ends >> (8 * port)) & 255)
        for port in range(8):
            if (ends >> (8 * port)) & 255 == best:
                ports |= 1 << port
                ends &= ~(np.int64(255) << (8 * port))
        reached = chance(facing & 7, ports, known, unknown)
        total += (reached - before) * CHANCES[later, best]
        before = reached
    return total


@hot_kernel
def turn_tiles(variant: Variant) -> int:
    """How many tiles a player has to choose from in a turn."""
    return HAND_SIZE if variant.boxed else variant.turn_deal


@kernel
def tiles_to_draw(state: State, variant: Variant, b: int, viewer: int) -> int:
    """Boxed: 1 if the viewer can tell that the deck is not empty, else 0.

    As long as there is a deck everybody has a full hand, so it is what is neither on the board,
    nor in one's own hand, nor in the full hands of the others.
    """
    unseen = NUM_TILES
    for square in range(variant.size * variant.size):
        unseen -= state.tiles[b, square] != NO_TILE
    for seat in range(variant.players):
        if seat != viewer and state.seats[b, seat, OUT] == IN:
            unseen -= HAND_SIZE
    for slot in range(HAND_SIZE):
        unseen -= state.seats[b, viewer, HAND + slot] != NOTHING
    return 1 if unseen > 0 else 0


@kernel
def note_ports(state: State, b: int, square: int, notes: Survey) -> None:
    for faced in range(notes.ports.size):
        if state.tiles[b, faced] != NO_TILE:
            continue
        ports = 0
        for port in range(8):
            end = int(state.links[b, 8 * faced + port])
            bits = 1 << port if end >> 3 != faced else 256 << port
            ports |= bits if end >= 0 else 0
            ports |= TOUCHED if end >> 3 == square else 0
        notes.ports[faced] = ports


@kernel
def mark_regions(state: State, b: int, square: int, notes: Survey) -> None:
    """Number the regions of empty squares that paths connect, `square` left out."""
    regions = 0
    notes.region[:] = NOTHING
    for start in range(notes.region.size):
        if state.tiles[b, start] != NO_TILE or notes.region[start] != NOTHING or start == square:
            continue
        notes.region[start] = regions
        notes.region_size[regions] = 0
        notes.stack[0] = start
        top = 1
        while top > 0:
            top -= 1
            here = int(notes.stack[top])
            notes.region_size[regions] += 1
            for half_edge in range(8 * here, 8 * here + 8):
                end = int(state.links[b, half_edge])
                there = end >> 3
                if end >= 0 and there != square and notes.region[there] == NOTHING:
                    notes.region[there] = regions
                    notes.stack[top] = there
                    top += 1
        regions += 1


@hot_kernel
def reach(notes: Survey, facing: int) -> float:
    """The share of the board's squares that paths lead to from the square faced."""
    squares = notes.region.size
    return notes.region_size[notes.region[facing >> 3]] / squares  # type: ignore[no-any-return]


@kernel
def survey(state: State, variant: Variant, b: int, viewer: int, square: int, notes: Survey) -> None:
    """Note what all options of the viewer, who will lay a tile on `square`, have in common."""
    note_ports(state, b, square, notes)
    mark_regions(state, b, square, notes)
    tiles = turn_tiles(variant)
    for seat in range(variant.players):
        facing = int(state.seats[b, seat, FACING])
        if seat != viewer and facing != NOTHING:
            notes.savers[seat] = count_savers(state, b, NO_SQUARE, 0, facing)
            notes.lasting[seat] = lasting(state, b, NO_SQUARE, 0, facing, 0, tiles, tiles, notes)


@hot_kernel
def distance(size: int, one: int, two: int) -> int:
    return abs(one % size - two % size) + abs(one // size - two // size)


@hot_kernel
def margin(size: int, square: int) -> float:
    """How far a square is from the edge of the board, over half the board's size."""
    x, y = square % size, square // size
    return 2.0 * min(x, y, size - 1 - x, size - 1 - y) / size


@hot_kernel
def room(state: State, size: int, b: int, square: int) -> float:
    """The share of the 5 x 5 squares around a square that are on the board and empty."""
    empty = 0
    for y in range(max(square // size - 2, 0), min(square // size + 3, size)):
        for x in range(max(square % size - 2, 0), min(square % size + 3, size)):
            empty += state.tiles[b, y * size + x] == NO_TILE
    return empty / 25.0
