"""What the player to move sees, as one number. No rule is decided here."""

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.batch import Fields, Rows
from tsuro_env.engine.jit import hot_kernel, kernel, wrapping_kernel
from tsuro_env.engine.kernels import next_seed
from tsuro_env.engine.state import (
    FACING,
    HAND,
    HAND_SIZE,
    PHASE,
    SPOT,
    TO_MOVE,
    State,
    Variant,
)


@hot_kernel
def tiles_word(state: State, b: int, first: int, count: int) -> np.uint64:
    """The tiles of up to eight squares in one word. Where `count` is a constant it has no loop."""
    word: np.uint64 = np.uint64(0)
    for square in range(first, first + count):
        word = (word << np.uint64(8)) | np.uint64(state.tiles[b, square])
    return word


@wrapping_kernel
def position_key(state: State, b: int, seat: int, seed: np.uint64) -> np.uint64:
    """A random word made of a seed and all that the seat sees: the board, the avatars, its tiles.

    A player who draws its chance from here chooses the same whether it is asked alone or in a
    batch, in whatever order; and what it does not see cannot sway it.
    """
    key = next_seed(seed + np.uint64(seat))
    squares = state.tiles.shape[1]
    for first in range(0, squares - 7, 8):  # eight bytes make a word
        key = next_seed(key ^ tiles_word(state, b, first, 8))
    if squares % 8:
        key = next_seed(key ^ tiles_word(state, b, squares - squares % 8, squares % 8))
    for other in range(state.seats.shape[1]):
        key = next_seed(key ^ np.uint64(state.seats[b, other, FACING] + 1))
    for slot in range(HAND_SIZE):
        key = next_seed(key ^ np.uint64(state.seats[b, seat, HAND + slot] + 1))
    question = 4 * (state.game[b, SPOT] + 1) + state.game[b, PHASE]
    return next_seed(key ^ np.uint64(question))


@kernel
def keys_batch(
    fields: Fields,
    rules: Fields,
    low: int,
    high: int,
    rows: Rows,
    seed: np.uint64,
    keys: NDArray[np.uint64],
) -> None:
    """The key of the player to move in each game."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        seat = max(state.game[rows[row], TO_MOVE], 0) % variant.players
        keys[row] = position_key(state, rows[row], seat, seed)
