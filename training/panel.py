"""How strong a player is against a fixed panel, on batches of games. A yardstick for training;
whole matches, ratings and tournaments are `evaluation`'s business.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tsuro_env import BatchPlayer, GameBatch, Rules, game_seeds
from tsuro_env.engine.state import TO_MOVE


@dataclass(frozen=True)
class WinShare:
    """The share of the wins, and half the width of its 95 % interval."""

    share: float
    margin: float
    games: int

    def __str__(self) -> str:
        return f"{self.share:.3f} ± {self.margin:.3f}"


def win_share(
    player: BatchPlayer,
    other: BatchPlayer,
    rules: Rules,
    num_players: int,
    games: int,
    seed: int = 0,
) -> WinShare:
    """`player` alone against `other` in all other seats, in every seat of the same deals."""
    blocks = -(-games // num_players)
    deals = np.repeat(game_seeds(seed, blocks), num_players)
    batch = GameBatch(len(deals), rules, num_players, seed=deals, restart=False)
    seats = np.arange(len(deals)) % num_players
    wins = np.zeros(len(deals))
    going = np.arange(len(deals))
    while len(going):
        to_move = batch.state.game[going, TO_MOVE]
        actions = np.empty(len(going), dtype=np.int64)
        mine = to_move == seats[going]
        for asked, who in ((mine, player), (~mine, other)):
            if asked.any():
                actions[asked] = who.choose(batch, going[asked])
        batch.step(actions, going)
        ended = np.flatnonzero(batch.finished)
        first = batch.ranks[ended] == 1
        wins[ended] = first[np.arange(len(ended)), seats[ended]] / np.maximum(first.sum(axis=1), 1)
        going = going[~batch.finished[going]]
    means = wins.reshape(blocks, num_players).mean(axis=1)
    margin = 1.96 * means.std(ddof=1) / np.sqrt(blocks)
    return WinShare(float(means.mean()), float(margin), len(deals))
