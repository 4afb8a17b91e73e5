"""Many games at a time, straight on the engine, for players that decide in batches."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.games import Games, survival
from evaluation.table import Setting
from tsuro_env import BatchPlayer, GameBatch
from tsuro_env.engine.state import CLOCK, FIRST_TILE, PHASE, TO_MOVE


def play_games(
    players: Sequence[BatchPlayer],
    block: NDArray[np.int64],
    table: NDArray[np.int64],
    deals: NDArray[np.uint64],
    setting: Setting,
) -> Games:
    """Play a game for each row of `table` (G, P: which player has which seat) to its end."""
    count, seats = table.shape
    games = GameBatch(
        count, setting.rules, seats, setting.setup, deals, supply=setting.supply, restart=False
    )
    ranks = np.zeros((count, seats), dtype=np.int8)
    out = np.zeros((count, seats), dtype=np.int8)
    moves = np.zeros((count, seats), dtype=np.int32)
    seconds = np.zeros((count, seats))
    going = np.arange(count)
    actions = np.empty(count, dtype=np.int64)
    while len(going):
        mover = games.state.game[going, TO_MOVE].astype(np.int64)
        asked = table[going, mover]
        moves[going, mover] += games.state.game[going, PHASE] != FIRST_TILE
        for number, player in enumerate(players):
            (mine,) = np.nonzero(asked == number)
            if len(mine):
                started = time.perf_counter()
                actions[mine] = player.choose(games, going[mine])
                spent = time.perf_counter() - started
                seconds[going[mine], mover[mine]] += spent / len(mine)
        games.step(actions[: len(going)], going)
        ended = games.finished
        ranks[ended], out[ended] = games.ranks[ended], games.out[ended]
        going = going[~ended[going]]
    return Games(
        block=block,
        table=table,
        ranks=ranks,
        out=out,
        rounds=games.state.game[:, CLOCK].copy(),
        survival=survival(games.state),
        moves=moves,
        seconds=seconds,
    )
