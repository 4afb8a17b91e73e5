"""A position as it looks from each of the eight sides: for players that average over them.

Unlike `tsuro_env.symmetries`, which works on planes, this turns the game itself, so that every
encoding can be made of what comes out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsuro_env import Rules
from tsuro_env.engine.batch import Rows
from tsuro_env.engine.state import (
    FACING,
    HAND,
    LEGAL,
    NO_TILE,
    SPOT,
    TILE_ACTIONS,
    TO_MOVE,
    State,
)
from tsuro_env.engine.tables import NUM_PORTS, PLAINEST
from tsuro_env.symmetries import (
    action_order,
    orientation_table,
    port_table,
    spot_table,
    square_table,
    tile_table,
)


def turned(
    state: State, which: Rows, symmetry: int, rules: Rules
) -> tuple[State, NDArray[np.int64]]:
    """These games turned or mirrored, and (N, A) what each action has become in them.

    What no player sees, the order of the deck and the generator's state, is left as it was.
    """
    seen, image = state.take(which), state.take(which)
    movers = np.maximum(seen.game[:, TO_MOVE], 0)
    order = action_order(symmetry, rules, seen.seats[np.arange(len(which)), movers, HAND:])
    squares = square_table(symmetry, rules.board_size)
    half_edges = (NUM_PORTS * squares[:, None] + port_table(symmetry)).ravel()
    plainest = PLAINEST[orientation_table(symmetry)]

    image.links[:, half_edges] = _mapped(seen.links, half_edges)
    covered = seen.tiles != NO_TILE
    image.tiles[:, squares] = np.where(covered, plainest[np.where(covered, seen.tiles, 0)], NO_TILE)
    image.seats[:, :, FACING] = _mapped(seen.seats[:, :, FACING], half_edges)
    image.seats[:, :, HAND:] = _mapped(seen.seats[:, :, HAND:], tile_table(symmetry))
    image.game[:, SPOT] = _mapped(seen.game[:, SPOT], spot_table(symmetry, rules))
    legal = (seen.game[:, LEGAL, None] >> np.arange(TILE_ACTIONS)) & 1
    image.game[:, LEGAL] = (legal << order[:, :TILE_ACTIONS]).sum(axis=1)
    return image, order


def _mapped(numbers: NDArray[Any], table: NDArray[np.int64]) -> NDArray[Any]:
    """Numbers by a table; those below zero stay as they are."""
    return np.where(numbers < 0, numbers, table[np.maximum(numbers, 0)])
