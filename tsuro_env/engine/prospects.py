"""What a position promises a player: how many tiles would save it, how long, and how far it gets.

Nothing here decides a rule or changes a state; and nothing looks at hidden tiles.

A player thinks of one tile after the other as laid on its square: a `Survey` holds what all of them
have in common, and what the tile thought of would do (`think_of`); with NO_SQUARE the board is as
it is. The tiles that a player will choose from in its next turn are given as `known`, a bit for
each port that a tile in its hand leads to, and `unknown`, the number of tiles it will be dealt.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.jit import hot_kernel, int64, kernel
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

NO_SQUARE = -2
"""Unlike NOTHING no part of OFF_BOARD, so that nothing leads there."""
ZERO, NOWHERE = int64(0), int64(NO_SQUARE)
"""Not as constants: numba would compile what they are given to once more."""
WAYS_BACK = 255 << 8
"""In port sets: the bits of paths that lead back to the square itself."""
TOUCHED = 1 << 16
"""In a survey's port sets: see there."""
SAFE = 28
"""With so many of the 35 tiles that would save a player, two of which it is dealt, it is safe."""
UNKNOWN = -1.0
"""In a survey: not computed yet."""


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


NUM_ONES: NDArray[np.uint8] = np.array([bin(bits).count("1") for bits in range(256)], np.uint8)
"""uint8 (256,): how many ports a set has."""


class Survey(NamedTuple):
    """Notes taken once for a question, for all its options: see `survey`."""

    square: NDArray[np.int16]
    """(1,): where the tile thought of lies, or NO_SQUARE."""
    through: NDArray[np.int16]
    """(8,): where somebody who enters it by each port comes to: as `walk` says it."""
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
    nearest: NDArray[np.int16]
    """(squares,): how far each square is from the nearest of the others."""
    rooms: NDArray[np.float32]
    """(squares,): the `room` of each square, or UNKNOWN."""
    territories: NDArray[np.float32]
    """(squares,): the `territory` of somebody who faces each square, or UNKNOWN."""
    safe_ports: NDArray[np.int16]
    """(squares,): the `safe_ports` of each empty square, or NOTHING if not computed yet."""


@hot_kernel
def think_of(state: State, b: int, square: int, orientation: int, notes: Survey) -> None:
    """From here on think of this tile as laid."""
    notes.square[0] = square
    if square != NO_SQUARE:
        looks = 4 if notes.ports[square] & WAYS_BACK else 1
        for port in range(8):
            notes.through[port] = walk(state, b, 8 * square + port, orientation, looks)


@hot_kernel
def look(state: State, b: int, half_edge: int, notes: Survey) -> int:
    """The link of a half-edge, with the tile thought of."""
    end = int(state.links[b, half_edge])
    return int(notes.through[end & 7]) if end >> 3 == notes.square[0] else end


@hot_kernel
def port_sets(state: State, b: int, faced: int, notes: Survey) -> int:
    """Where the paths from the ports of the square `faced` lead: two bits for each port.

    Bit `port`: to another empty square; bit `8 + port`: back to the square itself.
    """
    ports = 0
    for port in range(8):
        end = look(state, b, 8 * faced + port, notes)
        ports |= (1 << port if end >> 3 != faced else 256 << port) if end >= 0 else 0
    return ports


@hot_kernel
def count_savers(state: State, b: int, facing: int, notes: Survey) -> int:
    """Of how many of the 35 tiles some rotation keeps an avatar at `facing` on the board."""
    return savers_of(state, b, facing, port_sets(state, b, facing >> 3, notes), notes)


@hot_kernel
def savers_of(state: State, b: int, facing: int, ports: int, notes: Survey) -> int:
    """`count_savers` where the `port_sets` of the square faced are known."""
    if ports < 256:
        return int(SAVERS[facing & 7, ports])
    return count_savers_by_ways_back(state, b, facing, ports, notes)


@kernel
def count_savers_by_ways_back(state: State, b: int, facing: int, ports: int, notes: Survey) -> int:
    count = 0
    for tile in range(NUM_TILES):
        count += saves(state, b, facing, tile, ports, notes)
    return count


@hot_kernel
def saves(state: State, b: int, facing: int, tile: int, ports: int, notes: Survey) -> bool:
    """Whether some rotation leads `facing` to a good port, if need be by paths that come back."""
    good, back = ports & 255, ports >> 8 & 255
    if REACH[facing & 7, tile] & good:
        return True
    if not REACH[facing & 7, tile] & back:
        return False
    for rotation in range(4):
        port = facing & 7
        for _ in range(4):
            port = int(CONNECTIONS[4 * tile + rotation, port])
            if (good >> port) & 1:
                return True
            if not (back >> port) & 1:
                break
            port = look(state, b, (facing & -8) + port, notes) & 7
    return False


@hot_kernel
def chance(entry: int, ports: int, known: int, unknown: int) -> float:
    """The chance to be able to go from an entry port to one of these ports in the next turn."""
    if known & ports:
        return 1.0
    return float(CHANCES[unknown, SAVERS[entry, ports]])


@hot_kernel
def direct_savers(state: State, b: int, facing: int, notes: Survey) -> int:
    """`count_savers` without those that need a path which comes back: a lower bound, quickly."""
    ports = int(notes.ports[facing >> 3])
    if ports & TOUCHED:
        ports = port_sets(state, b, facing >> 3, notes)
    return int(SAVERS[facing & 7, ports & 255])


@hot_kernel
def safe_ports(state: State, b: int, faced: int, notes: Survey) -> int:
    """The ports of a square, as the board is now, beyond which at least SAFE tiles would save."""
    if notes.safe_ports[faced] == NOTHING:
        ports = 0
        for port in range(8):
            end = int(state.links[b, 8 * faced + port])
            if end >= 0 and end >> 3 != faced:
                ports |= (SAVERS[end & 7, notes.ports[end >> 3] & 255] >= SAFE) << port
        notes.safe_ports[faced] = ports
    return int(notes.safe_ports[faced])


@hot_kernel
def lasting(
    state: State, b: int, facing: int, known: int, unknown: int, later: int, notes: Survey
) -> float:
    """The chance to survive two turns by going, in the first, where the second is safest.

    Nobody else moves meanwhile. `later` tiles will be dealt for the second turn.
    """
    # The savers at the end of each port's path, a byte for each port.
    ends = np.int64(0)
    for port in range(8):
        end = look(state, b, (facing & -8) + port, notes)
        if end >= 0 and end >> 3 != facing >> 3:
            savers = direct_savers(state, b, end, notes)
            ends |= np.int64(savers) << (8 * port)
    return chance_of_two_turns(ends, facing & 7, known, unknown, later)


@hot_kernel
def enduring(
    state: State, b: int, facing: int, known: int, unknown: int, later: int, notes: Survey
) -> float:
    """`lasting` where the second turn must end at a port that is safe for the third."""
    ends = np.int64(0)
    for port in range(8):
        end = look(state, b, (facing & -8) + port, notes)
        if end >= 0 and end >> 3 != facing >> 3:
            savers = int(SAVERS[end & 7, safe_ports(state, b, end >> 3, notes)])
            ends |= np.int64(savers) << (8 * port)
    return chance_of_two_turns(ends, facing & 7, known, unknown, later)


@kernel
def chance_of_two_turns(ends: np.int64, entry: int, known: int, unknown: int, later: int) -> float:
    """By how many tiles would do in the second turn: a byte for each port of the first.

    The player goes to the best port that it can reach: so port by port, the best ones first, each
    adds the chance that it can be reached where those before it could not.
    """
    a, b, c, d = port_key(ends, 0), port_key(ends, 1), port_key(ends, 2), port_key(ends, 3)
    e, f, g, h = port_key(ends, 4), port_key(ends, 5), port_key(ends, 6), port_key(ends, 7)
    # A sorting network: branches on the order of eight numbers could not be foreseen.
    a, b, c, d = max(a, b), min(a, b), max(c, d), min(c, d)
    e, f, g, h = max(e, f), min(e, f), max(g, h), min(g, h)
    a, c, b, d = max(a, c), min(a, c), max(b, d), min(b, d)
    e, g, f, h = max(e, g), min(e, g), max(f, h), min(f, h)
    b, c, f, g = max(b, c), min(b, c), max(f, g), min(f, g)
    a, e, b, f = max(a, e), min(a, e), max(b, f), min(b, f)
    c, g, d, h = max(c, g), min(c, g), max(d, h), min(d, h)
    c, e, d, f = max(c, e), min(c, e), max(d, f), min(d, f)
    b, c, d, e, f, g = max(b, c), min(b, c), max(d, e), min(d, e), max(f, g), min(f, g)
    total = 0.0
    before = 0.0
    ports = ZERO
    for key in (a, b, c, d, e, f, g, h):
        ports |= 1 << (key & 7)
        reached = chance(entry, ports, known, unknown)
        total += (reached - before) * CHANCES[later, key >> 3]
        before = reached
    return total


@hot_kernel
def port_key(ends: np.int64, port: int) -> int:
    """A port's byte of `ends` with the port's number behind it, so that ports sort by it."""
    return int(((ends >> (8 * port)) & 255) << 3 | port)


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


@hot_kernel
def mark_regions(state: State, b: int, square: int, notes: Survey) -> None:
    """Note the ports of empty squares, and number the regions of squares that paths connect;
    `square` is left out of them."""
    regions = 0
    notes.region[:] = NOTHING
    notes.ports[square] = port_sets(state, b, square, notes)
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
            ports = 0
            for port in range(8):
                end = int(state.links[b, 8 * here + port])
                there = end >> 3
                if end < 0:
                    continue
                ports |= 1 << port if there != here else 256 << port
                if there == square:
                    ports |= TOUCHED
                elif notes.region[there] == NOTHING:
                    notes.region[there] = regions
                    notes.stack[top] = there
                    top += 1
            notes.ports[here] = ports
        regions += 1


@hot_kernel
def reach(notes: Survey, facing: int) -> float:
    """The share of the board's squares that paths lead to from the square faced."""
    squares = notes.region.size
    return notes.region_size[notes.region[facing >> 3]] / squares  # type: ignore[no-any-return]


@kernel
def survey(state: State, variant: Variant, b: int, viewer: int, square: int, notes: Survey) -> None:
    """Note what all options of the viewer, who will lay a tile on `square`, have in common."""
    think_of(state, b, NOWHERE, ZERO, notes)
    mark_regions(state, b, square, notes)
    tiles = turn_tiles(variant)
    for seat in range(variant.players):
        facing = int(state.seats[b, seat, FACING])
        if seat != viewer and facing != NOTHING:
            notes.savers[seat] = count_savers(state, b, facing, notes)
            notes.lasting[seat] = lasting(state, b, facing, ZERO, tiles, tiles, notes)
    note_nearest(state, variant, b, viewer, notes)
    notes.rooms[:] = UNKNOWN
    notes.territories[:] = UNKNOWN
    notes.safe_ports[:] = NOTHING


@hot_kernel
def note_nearest(state: State, variant: Variant, b: int, viewer: int, notes: Survey) -> None:
    size = variant.size
    notes.nearest[:] = 2 * size
    for seat in range(variant.players):
        facing = int(state.seats[b, seat, FACING])
        if seat == viewer or facing == NOTHING:
            continue
        x, y = (facing >> 3) % size, (facing >> 3) // size
        square = 0
        for row in range(size):
            away = abs(row - y)
            for column in range(size):
                notes.nearest[square] = min(notes.nearest[square], away + abs(column - x))
                square += 1


@hot_kernel
def territory(state: State, size: int, b: int, faced: int, notes: Survey) -> float:
    """The share of the board's squares that are empty and nearer to one than to any other."""
    if notes.territories[faced] == UNKNOWN:
        x, y = faced % size, faced // size
        nearer = 0
        square = 0
        for row in range(size):
            away = abs(row - y)
            for column in range(size):
                near = away + abs(column - x) < notes.nearest[square]
                nearer += near & (state.tiles[b, square] == NO_TILE)
                square += 1
        notes.territories[faced] = nearer / (size * size)
    return float(notes.territories[faced])


@kernel
def threat(facing: int, other: int, ports: int) -> int:
    """With how many of the 35 tiles could `other`, who faces the same square and is asked first,
    push `facing` out and stay in? Paths that come back to the square count as neither."""
    good, out = ports & 255, ~(ports | ports >> 8) & 255
    count = 0
    for tile in range(NUM_TILES):
        for orientation in range(4 * tile, 4 * tile + 4):
            if (out >> int(CONNECTIONS[orientation, facing & 7])) & 1 and (
                good >> int(CONNECTIONS[orientation, other & 7])
            ) & 1:
                count += 1
                break
    return count


@hot_kernel
def distance(size: int, one: int, two: int) -> int:
    return abs(one % size - two % size) + abs(one // size - two // size)


@hot_kernel
def margin(size: int, square: int) -> float:
    """How far a square is from the edge of the board, over half the board's size."""
    x, y = square % size, square // size
    return 2.0 * min(x, y, size - 1 - x, size - 1 - y) / size


@hot_kernel
def noted_room(state: State, size: int, b: int, square: int, notes: Survey) -> float:
    if notes.rooms[square] == UNKNOWN:
        notes.rooms[square] = room(state, size, b, square)
    return float(notes.rooms[square])


@hot_kernel
def room(state: State, size: int, b: int, square: int) -> float:
    """The share of the 5 x 5 squares around a square that are on the board and empty."""
    empty = 0
    for y in range(max(square // size - 2, 0), min(square // size + 3, size)):
        for x in range(max(square % size - 2, 0), min(square % size + 3, size)):
            empty += state.tiles[b, y * size + x] == NO_TILE
    return empty / 25.0
