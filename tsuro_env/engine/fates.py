"""When a player's reward is certain, although the game may go on without it."""

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.batch import Fields, Rows
from tsuro_env.engine.jit import kernel
from tsuro_env.engine.state import CLOCK, IN, OUT, OUT_AT, OVER, PHASE, STUCK, State, Variant


@kernel
def is_settled(state: State, variant: Variant, b: int, seat: int, by_rank: bool) -> bool:
    """Whether nothing that happens from here on can change the seat's reward.

    Whoever is out has lost for certain when it cheated, or when the moment has passed at which the
    last ones might still go out together with it (the round; in boxed the tile) and share the win.
    By rank nothing is certain before the end: those who are still in may yet cheat and fall behind.
    """
    if state.game[b, PHASE] == OVER:
        return True
    if by_rank or state.seats[b, seat, OUT] == IN:
        return False
    passed = variant.boxed or state.seats[b, seat, OUT_AT] < state.game[b, CLOCK]
    return passed or state.seats[b, seat, OUT] >= STUCK


@kernel
def settled_batch(
    fields: Fields,
    rules: Fields,
    low: int,
    high: int,
    rows: Rows,
    seats: NDArray[np.int64],
    by_rank: bool,
    settled: NDArray[np.bool_],
) -> None:
    """For each game and a seat of it, whether its reward is certain."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        settled[row] = is_settled(state, variant, rows[row], seats[row], by_rank)
