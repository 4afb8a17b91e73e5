"""The `options` observation: what each tile action would lead to, and features of the whole game.

A float32 vector: TILE_ACTIONS rows of OPTION_FEATURES numbers, then the global features. Rows of
slots without a tile are zero. Unless said otherwise numbers lie in [0, 1].

    0  present    there is such a tile
    1  legal      in a turn or first placement
    2  lives      the player would be in afterwards
    3  exits      it would leave the board
    4  loops      somebody would loop (then the tile is not laid)
    5  saved      the share of the 35 tiles of which some rotation would save it next turn
    6  surviving  the chance that the next deal holds such a tile (course: of two)
    7  open       the share of the next square's other ports that lead to another empty square
    8  kills      the share of the others that would go out
    9  pressed    the mean `saved` of the others still in afterwards
   10  weakest    the smallest `saved` of them
   11  crowd      the share of the others that would face the same square
   12  near       closeness of the nearest other avatar, 1 / (1 + squares between)
   13  room       the share of the 5 x 5 squares around the next square that are empty
   14  margin     the distance of the next square from the edge, over half the board
   15  straight   the distance walked from the square of the tile, over the board's size

The global features, for P players (k from the viewer in turn order):

    0..2  the phase: start, first tile, turn;  3 the share of squares covered
    4 + 6 k ..  per player: in; faces a square; its x; its y; `saved` where it stands; its turn
    4 + 6 P ..  1 for each square of the periphery that has a tile or a facing avatar, clockwise
"""

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.batch import Fields, Rows
from tsuro_env.engine.jit import hot_kernel, kernel
from tsuro_env.engine.kernels import LOOPS, walk
from tsuro_env.engine.state import (
    FACING,
    FIRST_TILE,
    HAND,
    IN,
    LEGAL,
    NO_TILE,
    NOTHING,
    OUT,
    OVER,
    PHASE,
    SPOT,
    TILE_ACTIONS,
    TO_MOVE,
    TURN,
    State,
    Variant,
)
from tsuro_env.engine.tables import CONNECTIONS, NUM_TILES, OFF_BOARD

OPTION_FEATURES = 16
(
    PRESENT, IS_LEGAL, LIVES, LEAVES, CLOSES, SAVED, SURVIVING, OPEN,
    KILLS, PRESSED, WEAKEST, CROWD, NEAR, ROOM, MARGIN, STRAIGHT,
) = range(OPTION_FEATURES)  # fmt: skip
GLOBAL_HEAD = 4
SEAT_FEATURES = 6
NO_SQUARE = -1


def _savers() -> NDArray[np.uint8]:
    """(8, 256): how many tiles can lead an entry port to one of a set of good ports."""
    table = np.zeros((8, 256), dtype=np.uint8)
    for entry in range(8):
        for tile in range(NUM_TILES):
            reach = 0
            for rotation in range(4):
                reach |= 1 << int(CONNECTIONS[4 * tile + rotation, entry])
            for good in range(256):
                table[entry, good] += reach & good != 0
    return table


SAVERS = _savers()


def num_globals(size: int, players: int) -> int:
    return GLOBAL_HEAD + SEAT_FEATURES * players + 4 * (size - 1)


def length(size: int, players: int) -> int:
    return TILE_ACTIONS * OPTION_FEATURES + num_globals(size, players)


@hot_kernel
def look(state: State, b: int, square: int, orientation: int, half_edge: int) -> int:
    """The link of a half-edge if `square` got that tile (NO_SQUARE: as it is)."""
    end = int(state.links[b, half_edge])
    if square != NO_SQUARE and end >> 3 == square:
        end = walk(state, b, end, orientation, 4)
    return end


@hot_kernel
def count_savers(state: State, b: int, square: int, orientation: int, facing: int) -> int:
    """Of how many tiles some rotation keeps an avatar at `facing` on the board.

    `square` and `orientation` are a tile that shall be thought of as laid, or NO_SQUARE.
    """
    base = facing & -8
    good = 0
    back = 0
    for port in range(8):
        end = look(state, b, square, orientation, base + port)
        if end >= 0:
            if end >> 3 == facing >> 3:
                back |= 1 << port
            else:
                good |= 1 << port
    if back == 0:
        return int(SAVERS[facing & 7, good])
    count = 0
    for tile in range(NUM_TILES):
        count += saves(state, b, square, orientation, facing, tile, good, back)
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
    """Whether some rotation leads `facing` to a good port, by way of paths that come back."""
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
def distance(size: int, one: int, two: int) -> int:
    return abs(one % size - two % size) + abs(one // size - two // size)


@hot_kernel
def margin(size: int, square: int) -> float:
    x, y = square % size, square // size
    return 2.0 * min(x, y, size - 1 - x, size - 1 - y) / size


@hot_kernel
def room(state: State, size: int, b: int, square: int) -> float:
    empty = 0
    for y in range(max(square // size - 2, 0), min(square // size + 3, size)):
        for x in range(max(square % size - 2, 0), min(square % size + 3, size)):
            empty += state.tiles[b, y * size + x] == NO_TILE
    return empty / 25.0


@kernel
def write_option(
    state: State,
    variant: Variant,
    b: int,
    viewer: int,
    square: int,
    entry: int,
    orientation: int,
    row: int,
    start: int,
    out: NDArray[np.float32],
) -> None:
    """The outcome of laying a tile on `square` for a viewer who enters it by `entry`.

    In a first placement nobody enters: `entry` is then the half-edge that the avatar will face.
    """
    size, players = variant.size, variant.players
    first = state.game[b, PHASE] == FIRST_TILE
    mine = entry if first else walk(state, b, entry, orientation, 4)
    looping = mine == LOOPS
    for seat in range(players):
        facing = int(state.seats[b, seat, FACING])
        if facing >> 3 == square and walk(state, b, facing, orientation, 4) == LOOPS:
            looping = True
    out[row, start + LEAVES] = mine == OFF_BOARD
    out[row, start + CLOSES] = looping
    if looping:
        out[row, start + LIVES] = mine != LOOPS
        return
    kills = 0
    crowd = 0
    left = 0
    nearest = 2 * size
    weakest = NUM_TILES
    total = 0
    for seat in range(players):
        if seat == viewer:
            continue
        facing = int(state.seats[b, seat, FACING])
        if facing == NOTHING:
            continue
        if facing >> 3 == square:
            facing = walk(state, b, facing, orientation, 4)
        if facing < 0:
            kills += 1
            continue
        left += 1
        savers = count_savers(state, b, square, orientation, facing)
        total += savers
        weakest = min(weakest, savers)
        if mine >= 0:
            nearest = min(nearest, distance(size, facing >> 3, mine >> 3))
            crowd += facing >> 3 == mine >> 3
    out[row, start + KILLS] = kills / (players - 1)
    if left > 0:
        out[row, start + PRESSED] = total / (left * NUM_TILES)
        out[row, start + WEAKEST] = weakest / NUM_TILES
    if mine < 0:
        return
    savers = count_savers(state, b, square, orientation, mine)
    lost = 1.0 - savers / NUM_TILES
    out[row, start + LIVES] = 1.0
    out[row, start + SAVED] = savers / NUM_TILES
    out[row, start + SURVIVING] = 1.0 - lost ** (3 if variant.boxed else variant.turn_deal)
    ports = 0
    for port in range(8):
        end = look(state, b, square, orientation, (mine & -8) + port)
        ports += end >= 0 and end >> 3 != mine >> 3
    out[row, start + OPEN] = ports / 8.0
    out[row, start + CROWD] = crowd / (players - 1)
    out[row, start + NEAR] = 1.0 / (1.0 + nearest) if left > 0 else 0.0
    out[row, start + ROOM] = room(state, size, b, mine >> 3)
    out[row, start + MARGIN] = margin(size, mine >> 3)
    out[row, start + STRAIGHT] = distance(size, square, mine >> 3) / size


@kernel
def write_globals(
    state: State, variant: Variant, b: int, viewer: int, row: int, out: NDArray[np.float32]
) -> None:
    start = TILE_ACTIONS * OPTION_FEATURES
    size, players = variant.size, variant.players
    if state.game[b, PHASE] != OVER:
        out[row, start + state.game[b, PHASE]] = 1.0
    covered = 0
    for square in range(size * size):
        covered += state.tiles[b, square] != NO_TILE
    out[row, start + 3] = covered / (size * size)
    for k in range(players):
        seat = (viewer + k) % players
        at = start + GLOBAL_HEAD + SEAT_FEATURES * k
        out[row, at] = state.seats[b, seat, OUT] == IN
        facing = int(state.seats[b, seat, FACING])
        if facing != NOTHING:
            out[row, at + 1] = 1.0
            out[row, at + 2] = (facing >> 3) % size / (size - 1)
            out[row, at + 3] = (facing >> 3) // size / (size - 1)
            out[row, at + 4] = count_savers(state, b, NO_SQUARE, 0, facing) / NUM_TILES
        out[row, at + 5] = state.game[b, TO_MOVE] == seat
    at = start + GLOBAL_HEAD + SEAT_FEATURES * players
    last = size - 1
    for i in range(4 * last):
        side, step = i // last, i % last
        x = step if side == 0 else last if side == 1 else last - step if side == 2 else 0
        y = 0 if side == 0 else step if side == 1 else last if side == 2 else last - step
        square = y * size + x
        used = state.tiles[b, square] != NO_TILE
        for seat in range(players):
            used = used or state.seats[b, seat, FACING] >> 3 == square
        out[row, at + i] = used


@kernel
def write_options(
    state: State, variant: Variant, b: int, viewer: int, row: int, out: NDArray[np.float32]
) -> None:
    """Fill in row `row` of zeros for one game and viewer."""
    phase = state.game[b, PHASE]
    facing = int(state.seats[b, viewer, FACING])
    square = NO_SQUARE
    entry = NOTHING
    asked = state.game[b, TO_MOVE] == viewer
    if facing != NOTHING:
        square, entry = facing >> 3, facing
    elif phase == FIRST_TILE and asked:
        standing = int(variant.spots[state.game[b, SPOT]])
        square, entry = standing >> 3, int(variant.fresh_links[standing])
    for action in range(TILE_ACTIONS):
        tile = int(state.seats[b, viewer, HAND + (action >> 2)])
        if tile == NOTHING:
            continue
        start = OPTION_FEATURES * action
        out[row, start + PRESENT] = 1.0
        if asked and phase in (TURN, FIRST_TILE):
            out[row, start + IS_LEGAL] = (state.game[b, LEGAL] >> action) & 1
        if square != NO_SQUARE:
            orientation = 4 * tile + (action & 3)
            write_option(state, variant, b, viewer, square, entry, orientation, row, start, out)
    write_globals(state, variant, b, viewer, row, out)


@kernel
def options_batch(
    fields: Fields,
    rules: Fields,
    low: int,
    high: int,
    rows: Rows,
    viewers: NDArray[np.int64],
    out: NDArray[np.float32],
) -> None:
    """The options of each game as its viewer sees them."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        out[row, :] = 0
        write_options(state, variant, rows[row], viewers[row], row, out)
