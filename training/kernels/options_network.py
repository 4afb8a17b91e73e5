"""`OptionsNetwork` where nobody asks for gradients: actions, their chances, and values.

The network is written in `training/networks.py`; this computes the same, game by game, and passes
over what is not there: options that are not legal, start spots in a turn, inputs that are zero
(half of what layers hand on). Torch computes it all, and hands it from operation to operation.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from tsuro_env.engine.batch import Fields
from tsuro_env.engine.jit import hot_kernel, kernel, parallel_kernel, scratch_kernel
from tsuro_env.engine.options import GLOBAL_HEAD, IS_LEGAL, OPTION_FEATURES, SEAT_FEATURES
from tsuro_env.engine.state import FIRST_TILE, TILE_ACTIONS
from tsuro_env.engine.threads import IN_PARTS

Floats = NDArray[np.float32]

TAKE_BEST = np.float32(-1)
"""In place of a number drawn from [0, 1): the best action is wanted."""


class Layers(NamedTuple):
    """The parameters of an `OptionsNetwork`.

    Matrices are (inputs, outputs), or just (inputs,) where the one output is a verdict.
    """

    globals_1: Floats
    globals_1_bias: Floats
    globals_2: Floats
    globals_2_bias: Floats
    to_option: Floats
    to_option_bias: Floats
    option: Floats
    think: Floats
    think_bias: Floats
    judge: Floats
    judge_bias: Floats
    weigh: Floats
    spots: Floats
    spots_bias: Floats
    value_1: Floats
    value_1_bias: Floats
    value_2: Floats
    value_2_bias: Floats
    spot_worth: Floats
    """(kinds, 3): see `Spots`."""
    spot_kinds: NDArray[np.int64]
    spot_places: Floats


class Thoughts(NamedTuple):
    """Scratch memory for one game."""

    nonzero: NDArray[np.int64]
    first: Floats
    base: Floats
    each: Floats
    """(TILE_ACTIONS, width)"""
    read: Floats
    """(3 * width,): what was read of the globals, and the options pooled in two ways."""
    weigh: Floats
    """(OPTION_FEATURES,)"""
    logits: Floats
    weights: Floats
    actions: NDArray[np.int64]


@scratch_kernel
def new_thoughts(layers: Layers) -> Thoughts:
    width, choices = layers.think.shape[0], max(TILE_ACTIONS, layers.spots.shape[1])
    return Thoughts(
        np.empty(max(layers.globals_1.shape[0], 3 * width, OPTION_FEATURES), dtype=np.int64),
        np.empty(width, dtype=np.float32),
        np.empty(width, dtype=np.float32),
        np.empty((TILE_ACTIONS, width), dtype=np.float32),
        np.empty(3 * width, dtype=np.float32),
        np.empty(OPTION_FEATURES, dtype=np.float32),
        np.empty(choices, dtype=np.float32),
        np.empty(choices, dtype=np.float32),
        np.empty(choices, dtype=np.int64),
    )


@hot_kernel
def layer(
    given: Floats, matrix: Floats, bias: Floats, nonzero: NDArray[np.int64], out: Floats
) -> None:
    """bias + given @ matrix"""
    for o in range(out.size):
        out[o] = bias[o]
    count = 0
    for i in range(given.size):
        nonzero[count] = i
        count += given[i] != 0
    done = 0
    while done + 4 <= count:  # so that `out` is read and written only once for four inputs
        i, j, k, m = nonzero[done], nonzero[done + 1], nonzero[done + 2], nonzero[done + 3]
        a, b, c, d = given[i], given[j], given[k], given[m]
        for o in range(out.size):
            out[o] += (a * matrix[i, o] + b * matrix[j, o]) + (c * matrix[k, o] + d * matrix[m, o])
        done += 4
    while done < count:
        i = nonzero[done]
        a = given[i]
        for o in range(out.size):
            out[o] += a * matrix[i, o]
        done += 1


@hot_kernel
def dot(one: Floats, two: Floats) -> float:
    """In four sums, none of which waits for the others."""
    a, b, c, d = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    done = 0
    while done + 4 <= one.size:
        a += one[done] * two[done]
        b += one[done + 1] * two[done + 1]
        c += one[done + 2] * two[done + 2]
        d += one[done + 3] * two[done + 3]
        done += 4
    while done < one.size:
        a += one[done] * two[done]
        done += 1
    return float((a + b) + (c + d))


@hot_kernel
def rectify(values: Floats) -> None:
    for i in range(values.size):
        values[i] = max(values[i], np.float32(0))


@hot_kernel
def judge_tiles(
    layers: Layers, rows: Floats, overall: Floats, legal: NDArray[np.int8], mind: Thoughts
) -> int:
    """Logits of the legal tile options, and what they pool to; how many there are."""
    width = mind.first.size
    layer(mind.read[:width], layers.to_option, layers.to_option_bias, mind.nonzero, mind.base)
    for i in range(OPTION_FEATURES):
        mind.weigh[i] = layers.weigh[i, 0] + overall[FIRST_TILE] * layers.weigh[i, 1]
    count = 0
    for action in range(TILE_ACTIONS):
        if legal[action] == 0:
            continue
        row = rows[OPTION_FEATURES * action : OPTION_FEATURES * (action + 1)]
        layer(row, layers.option, mind.base, mind.nonzero, mind.first)
        rectify(mind.first)
        each = mind.each[count]
        layer(mind.first, layers.think, layers.think_bias, mind.nonzero, each)
        rectify(each)
        mind.logits[count] = layers.judge_bias[0] + dot(each, layers.judge) + dot(row, mind.weigh)
        mind.actions[count] = action
        mind.weights[count] = slot_copies(rows, legal, action)
        count += 1
    return count


@kernel
def slot_copies(rows: Floats, legal: NDArray[np.int8], action: int) -> float:
    """How many legal options of the same tile an action that the mask allows stands for."""
    options, allowed = np.float32(0), 0
    for other in range(action & -4, (action & -4) + 4):
        options += rows[OPTION_FEATURES * other + IS_LEGAL]
        allowed += legal[other]
    return float(options / np.float32(allowed))


@hot_kernel
def pool_tiles(count: int, mind: Thoughts) -> None:
    """The mean of the options, once by their number and once as the policy would choose."""
    width = mind.first.size
    highest, everything, chosen = mind.logits[0], np.float32(0), np.float32(0)
    for k in range(count):
        highest = max(highest, mind.logits[k])
    for k in range(count):
        everything += mind.weights[k]
        chosen += mind.weights[k] * np.exp(mind.logits[k] - highest)
    everything, chosen = max(everything, np.float32(1)), max(chosen, np.float32(1e-8))
    for k in range(count):
        equally = mind.weights[k] / everything
        by_choice = mind.weights[k] * np.exp(mind.logits[k] - highest) / chosen
        for i in range(width):
            mind.read[width + i] += equally * mind.each[k, i]
            mind.read[2 * width + i] += by_choice * mind.each[k, i]


@kernel
def judge_spots(
    layers: Layers, sizes: Fields, overall: Floats, legal: NDArray[np.int8], mind: Thoughts
) -> int:
    """Logits of the legal start spots; how many there are."""
    players, last = sizes
    spots, width = layers.spots.shape[1], mind.first.size
    layer(mind.read[:width], layers.spots, layers.spots_bias, mind.nonzero, mind.logits[:spots])
    count = 0
    for spot in range(spots):
        if legal[spot] == 0:
            continue
        nearest, company = np.float32(0), np.float32(0)
        for seat in range(1, players):
            at = GLOBAL_HEAD + SEAT_FEATURES * seat
            away = abs(overall[at + 2] - layers.spot_places[0, spot])
            away += abs(overall[at + 3] - layers.spot_places[1, spot])
            closeness = overall[at + 1] / (np.float32(1) + np.float32(last) * away)
            nearest = max(nearest, closeness)
            company += closeness
        worth = layers.spot_worth[layers.spot_kinds[spot]]
        logit = mind.logits[spot] + worth[0] + worth[1] * nearest + worth[2] * company
        mind.logits[count], mind.actions[count] = logit, TILE_ACTIONS + spot
        count += 1
    return count


@hot_kernel
def value_of(layers: Layers, mind: Thoughts) -> float:
    layer(mind.read, layers.value_1, layers.value_1_bias, mind.nonzero, mind.first)
    rectify(mind.first)
    return float(layers.value_2_bias[0] + dot(mind.first, layers.value_2))


@hot_kernel
def think(
    layers: Layers, sizes: Fields, seen: Floats, legal: NDArray[np.int8], mind: Thoughts
) -> int:
    """Everything about one game but the choice; how many actions there are to choose from."""
    width = mind.first.size
    rows, overall = seen[: TILE_ACTIONS * OPTION_FEATURES], seen[TILE_ACTIONS * OPTION_FEATURES :]
    layer(overall, layers.globals_1, layers.globals_1_bias, mind.nonzero, mind.first)
    rectify(mind.first)
    mind.read[:] = 0
    read = mind.read[:width]
    layer(mind.first, layers.globals_2, layers.globals_2_bias, mind.nonzero, read)
    rectify(read)
    count = judge_tiles(layers, rows, overall, legal[:TILE_ACTIONS], mind)
    if count == 0:
        return judge_spots(layers, sizes, overall, legal[TILE_ACTIONS:], mind)
    pool_tiles(count, mind)
    return count


@hot_kernel
def decide(count: int, drawn: float, tie: float, mind: Thoughts) -> tuple[int, float]:
    """The place of the action chosen, and the logarithm of its chance."""
    highest, total = mind.logits[0], 0.0
    for k in range(count):
        highest = max(highest, mind.logits[k])
    for k in range(count):
        mind.weights[k] = np.exp(mind.logits[k] - highest)
        total += mind.weights[k]
    chosen = 0
    if drawn == TAKE_BEST:
        while chosen < count - 1 and not mind.logits[chosen] >= highest - tie:
            chosen += 1
    else:
        passed = float(mind.weights[0])
        while chosen < count - 1 and not passed > drawn * total:
            chosen += 1
            passed += mind.weights[chosen]
    return chosen, mind.logits[chosen] - highest - np.log(total)


@scratch_kernel
def choose_batch(
    layers: Fields,
    sizes: Fields,
    low: int,
    high: int,
    observations: Floats,
    masks: NDArray[np.int8],
    drawn: Floats,
    tie: float,
    actions: NDArray[np.int64],
    log_chances: Floats,
    values: Floats,
) -> None:
    """For each game an action, the logarithm of its chance, and the value of the position.

    `sizes` holds the number of players and the last row of the board. Where `drawn` is a number
    from [0, 1) it decides; where it is TAKE_BEST, the first action whose logit is within `tie` of
    the highest is taken.
    """
    network = Layers(*layers)
    mind = new_thoughts(network)
    for row in range(low, high):
        count = think(network, sizes, observations[row], masks[row], mind)
        values[row] = value_of(network, mind)
        chosen, log_chances[row] = decide(count, drawn[row], tie, mind)
        actions[row] = mind.actions[chosen]


@parallel_kernel
def choose_parts(layers: Fields, sizes: Fields, bounds: Any, *arguments: Any) -> None:
    for part in prange(bounds.size - 1):
        choose_batch(layers, sizes, bounds[part], bounds[part + 1], *arguments)


IN_PARTS[choose_batch] = choose_parts
