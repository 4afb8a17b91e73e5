"""`greedy`: looks one move ahead.

Every option is scored by a weighted sum of what the engine says of it (the `options` features: the
chance of surviving the next deal and the one after it, free space, what becomes of the others), and
the best one is taken; of equally good ones the first. The weights were found by
`bench/tune_greedy.py` on course; boxed has those of an earlier round.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.kernels.greedy import HEADS_UP, MORE, greedy_batch
from tsuro_env import BatchPlayer, GameBatch
from tsuro_env.engine.batch import Rows
from tsuro_env.engine.jit import compile_once
from tsuro_env.engine.options import (
    CROWD,
    KILLS,
    LASTING,
    LIVES,
    MARGIN,
    NEAR,
    OPEN,
    OPTION_FEATURES,
    OUTLASTING,
    PRESSED,
    REACHING,
    ROOM,
    SURVIVING,
    TERRITORY,
)

# Of each feature the weight when two players are left, and when there are more.
WEIGHTS = {
    "course": {
        LIVES: (10.0, 10.0),
        SURVIVING: (1.1, 1.0),
        LASTING: (1.9, 2.2),
        OPEN: (0.0, -0.2),
        REACHING: (3.2, 3.5),
        ROOM: (0.2, 0.3),
        MARGIN: (0.5, 0.55),
        CROWD: (-0.85, -1.9),
        NEAR: (0.45, 0.2),
        KILLS: (0.65, 1.2),
        PRESSED: (-0.35, 0.0),
        OUTLASTING: (-0.6, -1.0),
        TERRITORY: (1.0, 1.8),
    },
    "boxed": {
        LIVES: (10.0, 10.0),
        SURVIVING: (1.1, 1.1),
        LASTING: (1.9, 1.9),
        OPEN: (0.1, 0.1),
        REACHING: (2.5, 2.5),
        ROOM: (0.5, 0.5),
        MARGIN: (0.6, 0.6),
        CROWD: (-0.6, -1.8),
        NEAR: (0.0, 0.0),
        KILLS: (0.5, 1.2),
        PRESSED: (0.0, 0.0),
        OUTLASTING: (-0.3, -0.9),
    },
}
# Of a start spot the weights of margin, room, and distance to the nearest other avatar.
START_WEIGHTS = {"course": (-1.35, 0.55, 1.1), "boxed": (1.0, 1.0, 0.6)}


def weights_of(rules: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights of tile options (1, 2, OPTION_FEATURES) and of start spots (1, 3)."""
    table = np.zeros((1, 2, OPTION_FEATURES))
    for feature, (heads_up, more) in WEIGHTS[rules].items():
        table[0, HEADS_UP, feature], table[0, MORE, feature] = heads_up, more
    return table, np.array([START_WEIGHTS[rules]])


class GreedyPlayer(BatchPlayer):
    """Takes the option that looks best at once. It never uses chance."""

    def choose(self, games: GameBatch, which: Rows) -> NDArray[np.int64]:
        actions = np.empty(len(which), dtype=np.int64)
        fields, rules = tuple(games.state), tuple(games.variant)
        styles = np.zeros(len(which), dtype=np.int64)
        weights = weights_of(games.rules.name)
        greedy_batch(fields, rules, 0, len(which), which, styles, *weights, actions)
        return actions


def _warm_up() -> None:
    player, games = GreedyPlayer(), GameBatch(2)
    for _ in range(2):
        games.step(player.choose(games, np.arange(2)))


compile_once("greedy player", _warm_up)
