"""`random`: chooses uniformly among what is legal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tsuro_env import BatchPlayer, GameBatch
from tsuro_env.batch_player import uniform
from tsuro_env.engine.batch import Rows, random_actions_batch


class RandomPlayer(BatchPlayer):
    """Every legal place, tile and rotation is equally likely."""

    @uniform
    def choose(self, games: GameBatch, which: Rows) -> NDArray[np.int64]:
        actions = np.empty(len(which), dtype=np.int64)
        fields, rules = tuple(games.state), tuple(games.variant)
        random_actions_batch(fields, rules, 0, len(which), which, self.keys(games, which), actions)
        return actions
