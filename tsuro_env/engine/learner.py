"""What an environment needs that asks only some of the players: when a loss is certain, and whose
turn it is as one seat sees it. Ends and ranks themselves are decided in `kernels`."""

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.batch import Fields, Rows
from tsuro_env.engine.jit import hot_kernel, kernel
from tsuro_env.engine.kernels import act, begin_game, choose_at_random, next_seed, proceed
from tsuro_env.engine.positions import position_key
from tsuro_env.engine.state import (
    CLOCK,
    IN,
    OUT,
    OUT_AT,
    OVER,
    PHASE,
    SEED,
    STUCK,
    TO_MOVE,
    State,
    Variant,
)

DONE = -1
"""`turn_of`: nothing is left to wait for."""


@kernel
def has_lost(state: State, variant: Variant, b: int, seat: int) -> bool:
    """Whether it is certain, in a game that goes on, that the seat has no share in the win.

    It is when the player cheated, or when the moment has passed at which the last ones might still
    have gone out together with it: the round, in boxed the tile. (Its rank is another matter: those
    who are in may yet cheat and fall behind it.)
    """
    if state.seats[b, seat, OUT] == IN:
        return False
    passed = variant.boxed or state.seats[b, seat, OUT_AT] < state.game[b, CLOCK]
    return passed or state.seats[b, seat, OUT] >= STUCK


@hot_kernel
def turn_of(state: State, variant: Variant, b: int, seat: int, until_lost: bool) -> int:
    """How many places after the seat the player who is asked sits: 0 for the seat itself.

    DONE if the game is over or, if `until_lost`, the seat has certainly lost.
    """
    if state.game[b, PHASE] == OVER or (until_lost and has_lost(state, variant, b, seat)):
        return DONE
    return int(state.game[b, TO_MOVE] - seat) % variant.players


@kernel
def turns_batch(
    fields: Fields,
    rules: Fields,
    low: int,
    high: int,
    rows: Rows,
    seats: NDArray[np.int64],
    until_lost: bool,
    turns: NDArray[np.int64],
) -> None:
    """`turn_of` for each game and a seat of it."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        turns[row] = turn_of(state, variant, rows[row], seats[row], until_lost)


@kernel
def play_randomly_batch(
    fields: Fields,
    rules: Fields,
    low: int,
    high: int,
    rows: Rows,
    actions: NDArray[np.int64],
    seats: NDArray[np.int64],
    until_lost: bool,
    seeds: NDArray[np.uint64],
    turns: NDArray[np.int64],
) -> None:
    """Play the seats' actions, if there are any, and then for all others until
    `turns_batch` is 0 or DONE; they choose at random, the player k + 1 places after the seat by
    ``seeds[k]`` and what it sees."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        b, seat = rows[row], seats[row]
        acting = actions.size > 0  # in the same loop: the game is in the processor's cache now
        turn = 0 if acting else turn_of(state, variant, b, seat, until_lost)
        while acting or turn > 0:
            if acting:
                action, acting = actions[row], False
            else:
                key = position_key(state, b, state.game[b, TO_MOVE], seeds[turn - 1])
                action = choose_at_random(state, variant, b, next_seed(key))
            act(state, variant, b, action)
            proceed(state, variant, b)
            turn = turn_of(state, variant, b, seat, until_lost)
        turns[row] = turn


@kernel
def restart_batch(fields: Fields, rules: Fields, low: int, high: int, rows: Rows) -> None:
    """Start the games that follow on these, finished or not."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        begin_game(state, variant, rows[row], next_seed(state.chance[rows[row], SEED]))
