"""Playing a position on to its end, again and again, with other tiles each time.

The rules are the engine's: a playout is a copy of the game on which its own kernels act. What the
player to move cannot see is never read: others' tiles and the deck are dealt anew, chance too.
"""

import numpy as np
from numpy.typing import NDArray

from agents.kernels.redeal import redeal
from tsuro_env.engine.batch import Fields
from tsuro_env.engine.jit import hot_kernel, kernel, scratch_kernel
from tsuro_env.engine.kernels import (
    act,
    choose_at_random,
    mix,
    next_seed,
    paths_back,
    proceed,
    random_word,
    rank_of,
    walk,
)
from tsuro_env.engine.prospects import SAVERS, margin
from tsuro_env.engine.state import (
    CLOCK,
    FACING,
    GAME_COLUMNS,
    HAND,
    IN,
    LEGAL,
    NOTHING,
    OUT,
    OUT_AT,
    OVER,
    PHASE,
    SEAT_COLUMNS,
    TILE_ACTIONS,
    TO_MOVE,
    State,
    Variant,
)
from tsuro_env.engine.tables import NUM_PORTS, NUM_TILES, OFF_BOARD, SMALLEST_ROTATION

UNDECIDED = -1.0
"""A share of the win that is not known yet."""
TO_THE_END = 1 << 30
"""A horizon that no game reaches."""

# How a playout weighs an option, in tiles that would save the player in its next turn.
CROWDED = 12.0
KILL = 10.0
MARGIN = 10.0


@scratch_kernel
def new_game(variant: Variant) -> State:
    """Memory for one game."""
    squares = variant.size * variant.size
    return State(
        np.empty((1, NUM_PORTS * squares), dtype=np.int16),
        np.empty((1, squares), dtype=np.uint8),
        np.empty((1, variant.players, SEAT_COLUMNS), dtype=np.int16),
        np.empty((1, GAME_COLUMNS), dtype=np.int32),
        np.empty((1, NUM_TILES), dtype=np.int8),
        np.empty((1, 2), dtype=np.uint64),
    )


@kernel
def copy_game(source: State, b: int, target: State, row: int) -> None:
    """Copy what is seen of a game, all but the deck and chance."""
    for i in range(source.links.shape[1]):
        target.links[row, i] = source.links[b, i]
    for square in range(source.tiles.shape[1]):
        target.tiles[row, square] = source.tiles[b, square]
    for column in range(GAME_COLUMNS):
        target.game[row, column] = source.game[b, column]
    for seat in range(source.seats.shape[1]):
        for column in range(SEAT_COLUMNS):
            target.seats[row, seat, column] = source.seats[b, seat, column]


@hot_kernel
def ways_on(state: State, square: int, orientation: int, looks: int, faced: int) -> int:
    """A bit for each port of `faced` that leads to another empty square, with this tile laid."""
    ports = 0
    for port in range(NUM_PORTS):
        end = int(state.links[0, NUM_PORTS * faced + port])
        if end >> 3 == square:
            end = walk(state, 0, end, orientation, looks)
        ports |= (end >= 0 and end >> 3 != faced) << port
    return ports


@hot_kernel
def judge(state: State, variant: Variant, seat: int, orientation: int, looks: int) -> float:
    """What a playout thinks of a tile for the player to move: a coarse and quick `greedy`."""
    entry = int(state.seats[0, seat, FACING])
    square = entry >> 3
    mine = walk(state, 0, entry, orientation, looks)
    if mine < 0:
        return 0.0
    savers = int(SAVERS[mine & 7, ways_on(state, square, orientation, looks, mine >> 3)])
    score = 1.0 + savers + MARGIN * margin(variant.size, mine >> 3)
    for other in range(variant.players):
        facing = int(state.seats[0, other, FACING])
        if facing == NOTHING or other == seat:
            continue
        if facing >> 3 == square:
            facing = walk(state, 0, facing, orientation, looks)
        if facing == OFF_BOARD:
            score += KILL
        elif facing >> 3 == mine >> 3:
            score -= CROWDED
    return score


@hot_kernel
def choose_quickly(state: State, variant: Variant) -> int:
    """The tile action that looks best; of those that look about the same any."""
    seat = state.game[0, TO_MOVE]
    word = random_word(state, 0)
    looks = 4 if paths_back(state, 0, state.seats[0, seat, FACING] >> 3) else 1
    best, best_score = 0, -np.inf
    for action in range(TILE_ACTIONS):
        if not (state.game[0, LEGAL] >> action) & 1:
            continue
        orientation = 4 * int(state.seats[0, seat, HAND + (action >> 2)]) + (action & 3)
        if SMALLEST_ROTATION[orientation] != action & 3:
            continue
        word = mix(word)
        score = judge(state, variant, seat, orientation, looks)
        score += np.float64(word >> np.uint64(11)) / 2**53
        if score > best_score:
            best, best_score = action, score
    return best


@kernel
def share_of_win(state: State, seat: int) -> float:
    """1 for a sole winner, 1/k for one of k, 0 for others, when a game is over."""
    if rank_of(state, 0, seat) != 1:
        return 0.0
    winners = 0
    for other in range(state.seats.shape[1]):
        winners += rank_of(state, 0, other) == 1
    return 1.0 / winners


@kernel
def play_out(state: State, variant: Variant, seat: int, quickly: bool, horizon: int) -> float:
    """Play on until the seat's share of the win is certain, `quickly` or with random moves.

    UNDECIDED if it is not certain when the seat is asked for the `horizon`th time.
    """
    asked = 0
    while state.game[0, PHASE] != OVER:
        asked += state.game[0, TO_MOVE] == seat
        if asked == horizon:
            return UNDECIDED
        # Whoever went out in an earlier round (boxed: turn) cannot win any more.
        if state.seats[0, seat, OUT] != IN and state.seats[0, seat, OUT_AT] < state.game[0, CLOCK]:
            return 0.0
        if quickly:
            action = choose_quickly(state, variant)
        else:
            action = choose_at_random(state, variant, 0, random_word(state, 0))
        act(state, variant, 0, action)
        proceed(state, variant, 0)
    return share_of_win(state, seat)


@scratch_kernel
def simulate(
    fields: Fields,
    rules: Fields,
    b: int,
    key: np.uint64,
    first: int,
    count: int,
    quickly: bool,
    options: NDArray[np.int64],
    total: NDArray[np.float64],
) -> None:
    """Add to `total` the shares of the win in `count` playouts of each option of game `b`.

    Playout number `first + i` has the same tiles whatever the option, so that options differ by
    what they are worth more than by luck.
    """
    state, variant = State(*fields), Variant(*rules)
    copy = new_game(variant)
    seat = state.game[b, TO_MOVE]
    for option in range(options.size):
        for number in range(first, first + count):
            copy_game(state, b, copy, 0)
            redeal(copy, variant, 0, next_seed(key + np.uint64(number)))
            act(copy, variant, 0, options[option])
            proceed(copy, variant, 0)
            total[option] += play_out(copy, variant, seat, quickly, TO_THE_END)


@scratch_kernel
def play_on_batch(
    fields: Fields,
    rules: Fields,
    root: Fields,
    key: np.uint64,
    first: int,
    count: int,
    options: NDArray[np.int64],
    horizon: int,
    worth: NDArray[np.float64],
) -> None:
    """As `simulate`, but only until the player has been asked `horizon` times again.

    Game ``count * i + n`` of the batch becomes playout ``first + n`` of option ``i``, and gets
    the share of the win in `worth`, or UNDECIDED if it stopped at the horizon.
    """
    state, variant, origin = State(*fields), Variant(*rules), State(*root)
    seat = origin.game[0, TO_MOVE]
    copy = new_game(variant)
    for option in range(options.size):
        for number in range(count):
            copy_game(origin, 0, copy, 0)
            redeal(copy, variant, 0, next_seed(key + np.uint64(first + number)))
            act(copy, variant, 0, options[option])
            proceed(copy, variant, 0)
            row = count * option + number
            worth[row] = play_out(copy, variant, seat, True, horizon)
            if worth[row] == UNDECIDED:
                copy_game(copy, 0, state, row)
