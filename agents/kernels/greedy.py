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
def score_tiles(
    state: State,
    variant: Variant,
    b: int,
    weights: Weights,
    notes: Survey,
    features: Vector,
    scores: NDArray[np.float64],
) -> None:
    """The weighted sum of the features of each tile action; minus infinity where it is illegal."""
    viewer = state.game[b, TO_MOVE]
    square = tile_square(state, variant, b, viewer)
    survey(state, variant, b, viewer, square, notes)
    mine = weights[HEADS_UP if state.game[b, LEFT] == 2 else MORE]
    for action in range(TILE_ACTIONS):
        scores[action] = -np.inf
        if not (state.game[b, LEGAL] >> action) & 1:
            continue
        features[:] = 0
        write_option(state, variant, b, viewer, square, action, notes, features)
        scores[action] = 0.0
        for feature in range(OPTION_FEATURES):
            scores[action] += mine[feature] * features[feature]


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
    scores = np.empty(TILE_ACTIONS)
    for row in range(low, high):
        b, style = rows[row], styles[row]
        if state.game[b, PHASE] == START:
            actions[row] = choose_spot(state, variant, b, start_weights[style])
        else:
            score_tiles(state, variant, b, weights[style], notes, features, scores)
            actions[row] = np.argmax(scores)


@scratch_kernel
def scores_of_game(
    fields: Fields, rules: Fields, b: int, weights: Weights, scores: NDArray[np.float64]
) -> None:
    """What `greedy` thinks of each tile action of one game: see `score_tiles`."""
    state, variant = State(*fields), Variant(*rules)
    features = np.zeros(OPTION_FEATURES, dtype=np.float32)
    score_tiles(state, variant, b, weights, new_survey(variant), features, scores)
