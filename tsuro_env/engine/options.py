"""The `options` observation: what each tile action would lead to, and features of the whole game.

A float32 vector: TILE_ACTIONS rows of OPTION_FEATURES numbers, then the global features. All
numbers lie in [0, 1]. Rows of slots without a tile are zero; where no square for the tile is known
(before a start spot is chosen) only `present` is set.

    0  present    there is such a tile
    1  legal      in a turn or first placement, for the player who is asked
    2  lives      the player would be in afterwards
    3  exits      it would leave the board
    4  loops      somebody would loop; then the tile is not laid, and of 5 to 24 only `kills` is set

where the player would face next (zero if it would be out):

    5  saved      the share of the 35 tiles of which some rotation would save it next turn
    6  surviving  the chance that it can survive its next turn, as far as it knows its tiles
    7  lasting    the chance that it can survive the next two, going where the second is safest
    8  open       the share of the next square's ports that lead to another empty square
    9  returning  the share of them that lead back to the square itself (the rest leave the board)
   10  reach      the share of the board that paths lead to from there, in any number of turns
   11  room       the empty ones of the 5 x 5 squares around the next square, over 25
   12  margin     the distance of the next square from the edge, over half the board
   13  crowd      the share of the others that would face the same square
   14  near       closeness of the nearest other avatar: 1 / (1 + d), d squares away
   15  following  closeness of the next one in turn order
   16  company    the mean closeness of the others
   17  threat     the chance that one who would face the same square could push it out, and stay in
   18  territory  the share of the board that is empty and nearer to it than to any other
   19  enduring   as `lasting`, but ending where at least SAFE tiles would save it in the third turn

and the others:

   20  kills      the share of them that would go out
   21  pressed    the mean `saved` of those still in afterwards
   22  weakest    the smallest `saved` of them
   23  outlasting the mean `lasting` of them
   24  spread     the mean `reach` of them

Chances count every unknown tile as any of the 35. In boxed the next turn has the rest of the hand
and one unknown tile while there is a deck; later turns, and those of others, have unknown ones
only. Nobody else moves meanwhile. 7, 17, 19 and 23 leave out paths that come back to their square.
Distances are |x| + |y| between the squares faced. Shares of the others are of all of them; means
are of those with an avatar. To be quick, some look at the board without the tile: 10, 11, 18 and
24; of 19 what lies beyond the first turn; of 23 those who do not border on the tile's square.

The global features, for P players (k from the viewer in turn order):

    0..2  the phase: start, first tile, turn;  3 the share of squares covered
    4 + 6 k ..  per player: in; faces a square; its x; its y (over the size less one); `saved` where
                it stands; its turn
    4 + 6 P ..  1 for each square of the periphery that has a tile or a facing avatar, clockwise
                from the top left
"""

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.batch import Fields, Rows
from tsuro_env.engine.jit import hot_kernel, int64, kernel, scratch_kernel
from tsuro_env.engine.kernels import LOOPS
from tsuro_env.engine.prospects import (
    CHANCES,
    NO_SQUARE,
    NOWHERE,
    NUM_ONES,
    REACH,
    TOUCHED,
    WAYS_BACK,
    ZERO,
    Survey,
    count_savers,
    distance,
    enduring,
    lasting,
    margin,
    noted_room,
    port_sets,
    reach,
    savers_of,
    saves,
    survey,
    territory,
    think_of,
    threat,
    tiles_to_draw,
    turn_tiles,
)
from tsuro_env.engine.state import (
    FACING,
    FIRST_TILE,
    HAND,
    HAND_SIZE,
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
from tsuro_env.engine.tables import NUM_TILES, OFF_BOARD, SMALLEST_ROTATION

OPTION_FEATURES = 25
(
    PRESENT, IS_LEGAL, LIVES, LEAVES, CLOSES,
    SAVED, SURVIVING, LASTING, OPEN, RETURNING, REACHING, ROOM, MARGIN, CROWD, NEAR,
    FOLLOWING, COMPANY, THREAT, TERRITORY, ENDURING,
    KILLS, PRESSED, WEAKEST, OUTLASTING, SPREAD,
) = range(OPTION_FEATURES)  # fmt: skip
GLOBAL_HEAD = 4
SEAT_FEATURES = 6

Vector = NDArray[np.float32]


def num_globals(size: int, players: int) -> int:
    return GLOBAL_HEAD + SEAT_FEATURES * players + 4 * (size - 1)


def length(size: int, players: int) -> int:
    return TILE_ACTIONS * OPTION_FEATURES + num_globals(size, players)


@scratch_kernel
def new_survey(variant: Variant) -> Survey:
    squares, players = variant.size * variant.size, variant.players
    return Survey(
        np.empty(1, dtype=np.int16),
        np.empty(8, dtype=np.int16),
        np.empty(squares, dtype=np.int32),
        np.empty(squares, dtype=np.int16),
        np.empty(squares, dtype=np.int16),
        np.empty(squares, dtype=np.int16),
        np.empty(players, dtype=np.int64),
        np.empty(players, dtype=np.float64),
        np.empty(squares, dtype=np.int16),
        np.empty(squares, dtype=np.float32),
        np.empty(squares, dtype=np.float32),
        np.empty(squares, dtype=np.int16),
    )


@hot_kernel
def tile_square(state: State, variant: Variant, b: int, viewer: int) -> int:
    """The square that the viewer's next tile would go to, or NO_SQUARE."""
    facing = int(state.seats[b, viewer, FACING])
    if facing != NOTHING:
        return facing >> 3
    if state.game[b, PHASE] == FIRST_TILE and state.game[b, TO_MOVE] == viewer:
        return int(variant.spots[state.game[b, SPOT]]) >> 3
    return NO_SQUARE


@hot_kernel
def write_own(
    state: State,
    variant: Variant,
    b: int,
    viewer: int,
    slot: int,
    mine: int,
    notes: Survey,
    out: Vector,
) -> None:
    """The features of the half-edge `mine` that the viewer would face after the action."""
    size, tiles = variant.size, turn_tiles(variant)
    faced = mine >> 3
    ports = port_sets(state, b, faced, notes)
    savers = savers_of(state, b, mine, ports, notes)

    # In boxed the other tiles of the hand stay, and one may be drawn; in course all are new.
    known = ZERO
    saved = False
    unknown = tiles
    if variant.boxed:
        unknown = tiles_to_draw(state, variant, b, viewer)
        for other in range(HAND_SIZE):
            tile = int64(state.seats[b, viewer, HAND + other])
            if other != slot and tile != NOTHING:
                known |= int(REACH[mine & 7, tile])
                saved = saved or saves(state, b, mine, tile, ports, notes)
    out[LIVES] = 1.0
    out[SAVED] = savers / NUM_TILES
    out[SURVIVING] = 1.0 if saved else CHANCES[unknown, savers]
    out[LASTING] = lasting(state, b, mine, known, unknown, tiles, notes)
    out[ENDURING] = enduring(state, b, mine, known, unknown, tiles, notes)
    out[OPEN] = NUM_ONES[ports & 255] / 8.0
    out[RETURNING] = NUM_ONES[ports >> 8] / 8.0
    out[REACHING] = reach(notes, mine)
    out[ROOM] = noted_room(state, size, b, faced, notes)
    out[MARGIN] = margin(size, faced)
    out[TERRITORY] = territory(state, size, b, faced, notes)


@hot_kernel
def write_others(
    state: State,
    variant: Variant,
    b: int,
    viewer: int,
    mine: int,
    notes: Survey,
    out: Vector,
) -> None:
    """What the tile would do to the others, and how close they would be to the half-edge `mine`."""
    size, tiles, others = variant.size, turn_tiles(variant), variant.players - 1
    left = 0
    nearest = 2 * size
    fewest = NUM_TILES
    unhurt = 1.0
    for step in range(1, variant.players):
        seat = (viewer + step) % variant.players
        facing = int(state.seats[b, seat, FACING])
        if facing == NOTHING:
            continue
        savers, outlasts = notes.savers[seat], notes.lasting[seat]
        moves = facing >> 3 == notes.square[0]
        if moves or notes.ports[facing >> 3] & TOUCHED:
            facing = int(notes.through[facing & 7]) if moves else facing
            if facing < 0:
                out[KILLS] += 1.0 / others
                continue
            savers = count_savers(state, b, facing, notes)
            outlasts = lasting(state, b, facing, ZERO, tiles, tiles, notes)
        left += 1
        fewest = min(fewest, savers)
        out[PRESSED] += savers / NUM_TILES
        out[OUTLASTING] += outlasts
        out[SPREAD] += reach(notes, facing)
        if mine >= 0:
            away = distance(size, facing >> 3, mine >> 3)
            nearest = min(nearest, away)
            out[COMPANY] += 1.0 / (1.0 + away) / others
            if left == 1:
                out[FOLLOWING] = 1.0 / (1.0 + away)
            if away == 0:
                out[CROWD] += 1.0 / others
                ports = port_sets(state, b, mine >> 3, notes)
                unhurt *= 1.0 - CHANCES[tiles, threat(mine, facing, ports)]
    out[THREAT] = 1.0 - unhurt
    if left > 0:
        out[PRESSED] /= left
        out[WEAKEST] = fewest / NUM_TILES
        out[OUTLASTING] /= left
        out[SPREAD] /= left
        if mine >= 0:
            out[NEAR] = 1.0 / (1.0 + nearest)


@kernel
def write_loops(state: State, b: int, viewer: int, notes: Survey, out: Vector) -> bool:
    """Whether the tile would make anybody loop; then who would be out by it."""
    looping = 0
    mine = False
    for seat in range(state.seats.shape[1]):
        facing = int(state.seats[b, seat, FACING])
        if facing >> 3 == notes.square[0] and notes.through[facing & 7] == LOOPS:
            looping += 1
            mine = mine or seat == viewer
    if looping == 0:
        return False
    out[CLOSES] = 1.0
    out[LIVES] = 0.0 if mine else 1.0
    out[KILLS] = (looping - mine) / (state.seats.shape[1] - 1)
    return True


@hot_kernel
def write_option(
    state: State,
    variant: Variant,
    b: int,
    viewer: int,
    square: int,
    action: int,
    notes: Survey,
    out: Vector,
) -> None:
    """Fill in a row of zeros: the outcome of laying the action's tile on `square`.

    `notes` is the survey of that square.
    """
    orientation = 4 * int(state.seats[b, viewer, HAND + (action >> 2)]) + (action & 3)
    facing = int(state.seats[b, viewer, FACING])
    think_of(state, b, square, orientation, notes)
    if facing == NOTHING:  # a first placement: nobody moves
        mine = int(variant.fresh_links[variant.spots[state.game[b, SPOT]]])
    elif notes.ports[square] & WAYS_BACK and write_loops(state, b, viewer, notes, out):
        return
    else:
        mine = int(notes.through[facing & 7])
    write_others(state, variant, b, viewer, mine, notes, out)
    if mine == OFF_BOARD:
        out[LEAVES] = 1.0
    else:
        write_own(state, variant, b, viewer, action >> 2, mine, notes, out)


@hot_kernel
def around(size: int, square: int) -> int:
    """The place of a square of the periphery, counted clockwise; NOTHING for inner squares."""
    x, y, last = square % size, square // size, size - 1
    if y == 0 and x < last:
        return x
    if x == last and y < last:
        return last + y
    if y == last and x > 0:
        return 3 * last - x
    return 4 * last - y if x == 0 else NOTHING


@kernel
def write_globals(
    state: State, variant: Variant, b: int, viewer: int, notes: Survey, out: Vector
) -> None:
    think_of(state, b, NOWHERE, ZERO, notes)
    size, players = variant.size, variant.players
    if state.game[b, PHASE] != OVER:
        out[state.game[b, PHASE]] = 1.0
    covered = 0
    for square in range(size * size):
        covered += state.tiles[b, square] != NO_TILE
    out[3] = covered / (size * size)
    for k in range(players):
        seat = (viewer + k) % players
        at = GLOBAL_HEAD + SEAT_FEATURES * k
        out[at] = state.seats[b, seat, OUT] == IN
        facing = int(state.seats[b, seat, FACING])
        if facing != NOTHING:
            out[at + 1] = 1.0
            out[at + 2] = (facing >> 3) % size / (size - 1)
            out[at + 3] = (facing >> 3) // size / (size - 1)
            out[at + 4] = count_savers(state, b, facing, notes) / NUM_TILES
        out[at + 5] = state.game[b, TO_MOVE] == seat
    at = GLOBAL_HEAD + SEAT_FEATURES * players
    last = size - 1
    for i in range(4 * last):
        side, step = i // last, i % last
        x = step if side == 0 else last if side == 1 else last - step if side == 2 else 0
        y = 0 if side == 0 else step if side == 1 else last if side == 2 else last - step
        out[at + i] = state.tiles[b, y * size + x] != NO_TILE
    for seat in range(players):
        facing = int(state.seats[b, seat, FACING])
        place = around(size, facing >> 3) if facing != NOTHING else NOTHING
        if place != NOTHING:
            out[at + place] = 1.0


@kernel
def write_options(
    state: State, variant: Variant, b: int, viewer: int, notes: Survey, out: Vector
) -> None:
    """Fill in a vector of zeros for one game and viewer."""
    asked = state.game[b, TO_MOVE] == viewer and state.game[b, PHASE] in (TURN, FIRST_TILE)
    square = tile_square(state, variant, b, viewer)
    if square != NO_SQUARE and state.seats[b, viewer, HAND] != NOTHING:
        survey(state, variant, b, viewer, square, notes)
    for action in range(TILE_ACTIONS):
        if state.seats[b, viewer, HAND + (action >> 2)] == NOTHING:
            break
        row = out[OPTION_FEATURES * action : OPTION_FEATURES * (action + 1)]
        tile = int(state.seats[b, viewer, HAND + (action >> 2)])
        same = (action & -4) + int(SMALLEST_ROTATION[4 * tile + (action & 3)])
        if same != action:
            for feature in range(OPTION_FEATURES):
                row[feature] = out[OPTION_FEATURES * same + feature]
            continue
        row[PRESENT] = 1.0
        if asked:
            row[IS_LEGAL] = (state.game[b, LEGAL] >> action) & 1
        if square != NO_SQUARE:
            write_option(state, variant, b, viewer, square, action, notes, row)
    write_globals(state, variant, b, viewer, notes, out[OPTION_FEATURES * TILE_ACTIONS :])


@scratch_kernel
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
    notes = new_survey(variant)
    for row in range(low, high):
        out[row, :] = 0
        write_options(state, variant, rows[row], viewers[row], notes, out[row])
