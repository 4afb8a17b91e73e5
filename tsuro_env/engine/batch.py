"""Loops of the rule kernels over the games ``rows[low .. high - 1]`` of a batch. No rule is
decided here.

These are the kernels that Python calls.  They take the fields of a `State` and a `Variant` as plain
tuples, since numba needs half a microsecond to recognise a named one: with a batch of one that is
most of a move.  What they are given or fill in for each row (actions, masks) has the row's place in
`rows`; results of a game have the game's place in the batch.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.jit import kernel
from tsuro_env.engine.kernels import (
    act,
    begin_game,
    choose_at_random,
    legal_spot,
    next_seed,
    proceed,
    rank_of,
    rank_reward,
    win_reward,
)
from tsuro_env.engine.state import (
    HAND,
    LEGAL,
    OUT,
    OVER,
    PHASE,
    SEED,
    START,
    TILE_ACTIONS,
    TO_MOVE,
    State,
    Variant,
)
from tsuro_env.engine.tables import SMALLEST_ROTATION

Fields = tuple[Any, ...]
Rows = NDArray[np.int64]

THE_ONLY_GAME: Rows = np.zeros(1, dtype=np.int64)
"""The rows of a batch of one; not to be handed to anybody who might change it."""


@kernel
def start_batch(
    fields: Fields, rules: Fields, low: int, high: int, rows: Rows, seeds: NDArray[np.uint64]
) -> None:
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        begin_game(state, variant, rows[row], seeds[row])


@kernel
def write_result(
    state: State,
    variant: Variant,
    b: int,
    by_rank: bool,
    rewards: NDArray[np.float32],
    ranks: NDArray[np.int8],
    out: NDArray[np.int8],
) -> None:
    """Rank, reward and fate of every player of a finished game."""
    players = variant.players
    for seat in range(players):
        ranks[b, seat] = rank_of(state, b, seat)
        out[b, seat] = state.seats[b, seat, OUT]
    for seat in range(players):
        mine = ranks[b, seat] if ranks[b, seat] > 0 else players + 1
        ahead = 0
        level = 0
        winners = 0
        for other in range(players):
            theirs = ranks[b, other] if ranks[b, other] > 0 else players + 1
            ahead += theirs < mine
            level += theirs == mine
            winners += theirs == 1
        if by_rank:
            rewards[b, seat] = rank_reward(players, ahead, level)
        else:
            rewards[b, seat] = win_reward(players, winners, mine == 1)


@kernel
def step_batch(
    fields: Fields,
    rules: Fields,
    low: int,
    high: int,
    rows: Rows,
    actions: NDArray[np.int64],
    by_rank: bool,
    restart: bool,
    finished: NDArray[np.bool_],
    rewards: NDArray[np.float32],
    ranks: NDArray[np.int8],
    out: NDArray[np.int8],
) -> None:
    """One action in each game. Games that end report it, and begin anew if `restart`."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        b = rows[row]
        if state.game[b, PHASE] == OVER:
            continue
        act(state, variant, b, actions[row])
        if not proceed(state, variant, b):
            finished[b] = True
            write_result(state, variant, b, by_rank, rewards, ranks, out)
            if restart:
                begin_game(state, variant, b, next_seed(state.chance[b, SEED]))


@kernel
def act_batch(
    fields: Fields, rules: Fields, low: int, high: int, rows: Rows, actions: NDArray[np.int64]
) -> None:
    """One action in each game. Games that end stay where they are."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        act(state, variant, rows[row], actions[row])
        proceed(state, variant, rows[row])


@kernel
def result_batch(
    fields: Fields,
    rules: Fields,
    low: int,
    high: int,
    rows: Rows,
    by_rank: bool,
    rewards: NDArray[np.float32],
    ranks: NDArray[np.int8],
    out: NDArray[np.int8],
) -> None:
    """Rank, reward and fate of every player of games that are over."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        write_result(state, variant, rows[row], by_rank, rewards, ranks, out)


@kernel
def legal_batch(
    fields: Fields,
    rules: Fields,
    low: int,
    high: int,
    rows: Rows,
    unique: bool,
    legal: NDArray[np.int8],
) -> None:
    """Fill in the masks. `unique`: without rotations that look the same as smaller ones."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        b = rows[row]
        legal[row, :] = 0
        if state.game[b, PHASE] == START:
            for spot in range(variant.spots.size):
                if legal_spot(state, variant, b, spot):
                    legal[row, TILE_ACTIONS + spot] = 1
        else:
            bits = unique_bits(state, b) if unique else int(state.game[b, LEGAL])
            for action in range(TILE_ACTIONS):
                legal[row, action] = (bits >> action) & 1


@kernel
def unique_bits(state: State, b: int) -> int:
    """LEGAL without the rotations that look the same as a smaller one of the same tile."""
    bits = int(state.game[b, LEGAL])
    seat = state.game[b, TO_MOVE]
    for action in range(TILE_ACTIONS):
        if (bits >> action) & 1:
            tile = state.seats[b, seat, HAND + (action >> 2)]
            if SMALLEST_ROTATION[4 * tile + (action & 3)] != action & 3:
                bits &= ~(1 << action)
    return bits


@kernel
def random_actions_batch(
    fields: Fields,
    rules: Fields,
    low: int,
    high: int,
    rows: Rows,
    chance: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    """A uniformly random legal action for each game, each from its own word of `chance`."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        chance[row] = next_seed(chance[row])
        actions[row] = choose_at_random(state, variant, rows[row], chance[row])
