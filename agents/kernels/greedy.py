"""`greedy` as kernels: the option with the largest weighted sum of its `options` features."""

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.batch import Fields, Rows
from tsuro_env.engine.jit import kernel, scratch_kernel
from tsuro_env.engine.kernels import legal_spot
from tsuro_env.engine.options import (
    OPTION_FEATURES,
    Vector,
    new_survey,
    tile_square,
    write_option,
)
from tsuro_env.engine.prospects import Survey, distance, margin, room, survey
from tsuro_env.engine.state import (
    FACING,
    LEFT,
    LEGAL,
    NOTHING,
    PHASE,
    START,
    TILE_ACTIONS,
    TO_MOVE,
    State,
    Variant,
)

Weights = NDArray[np.float64]

HEADS_UP, MORE = 0, 1
"""Weights of tile actions: those for two players left, and those for more."""
START_MARGIN, START_ROOM, START_DISTANCE = range(3)
"""Weights of start spots."""


@kernel
def choose_spot(state: State, variant: Variant, b: int, weights: Weights) -> int:
    """The legal start spot whose next square is the freest and the farthest from the others."""
    best, best_score = 0, -np.inf
    for spot in range(variant.spots.size):
        if not legal_spot(state, variant, b, spot):
            continue
        standing = int(variant.spots[spot])
        faced = (standing if variant.boxed else int(variant.fresh_links[standing])) >> 3
        nearest = variant.size
        for seat in range(variant.players):
            other = int(state.seats[b, seat, FACING])
            if other != NOTHING:
                nearest = min(nearest, distance(variant.size, other >> 3, faced))
        score = (
            weights[START_MARGIN] * margin(variant.size, faced)
            + weights[START_ROOM] * room(state, variant.size, b, faced)
            + weights[START_DISTANCE] * nearest / variant.size
        )
        if score > best_score:
            best, best_score = spot, score
    return TILE_ACTIONS + best


@kernel
def choose_tile(
    state: State, variant: Variant, b: int, weights: Weights, notes: Survey, features: Vector
) -> int:
    """The legal tile action with the largest weighted sum of its features."""
    viewer = state.game[b, TO_MOVE]
    square = tile_square(state, variant, b, viewer)
    survey(state, variant, b, viewer, square, notes)
    mine = weights[HEADS_UP if state.game[b, LEFT] == 2 else MORE]
    best, best_score = 0, -np.inf
    for action in range(TILE_ACTIONS):
        if not (state.game[b, LEGAL] >> action) & 1:
            continue
        features[:] = 0
        write_option(state, variant, b, viewer, square, action, notes, features)
        score = 0.0
        for feature in range(OPTION_FEATURES):
            score += mine[feature] * features[feature]
        if score > best_score:
            best, best_score = action, score
    return best


@scratch_kernel
def greedy_batch(
    fields: Fields,
    rules: Fields,
    low: int,
    high: int,
    rows: Rows,
    styles: NDArray[np.int64],
    weights: NDArray[np.float64],
    start_weights: NDArray[np.float64],
    actions: NDArray[np.int64],
) -> None:
    """An action for each game, by the weights of the style that plays there."""
    state, variant = State(*fields), Variant(*rules)
    notes = new_survey(variant)
    features = np.zeros(OPTION_FEATURES, dtype=np.float32)
    for row in range(low, high):
        b, style = rows[row], styles[row]
        if state.game[b, PHASE] == START:
            actions[row] = choose_spot(state, variant, b, start_weights[style])
        else:
            actions[row] = choose_tile(state, variant, b, weights[style], notes, features)
