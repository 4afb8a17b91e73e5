"""`Games`: the results of many games as columns, and what is worked out of them. Plays nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.state import CLOCK, ILLEGAL, IN, OUT, OUT_AT, State

NOBODY = -1
"""In `Games.table`: an empty seat, where tables of different sizes stand together."""
CHEATER = 0
"""In `Games.ranks`."""


@dataclass(frozen=True)
class Games:
    """G games at tables of up to P seats. A block is one deal, played once from every seat."""

    block: NDArray[np.int64]
    """(G,): games of the same block are not independent of each other."""
    table: NDArray[np.int64]
    """(G, P): the entrant in each seat, oldest first, or NOBODY."""
    ranks: NDArray[np.int8]
    """(G, P): 1 for the winners, then 2, 3, ...; CHEATER for who broke a rule or was stuck."""
    out: NDArray[np.int8]
    """(G, P): codes of `OUT_REASONS`; 0 for who was in at the end."""
    rounds: NDArray[np.int32]
    """(G,): course: rounds; boxed: turns."""
    survival: NDArray[np.float64]
    """(G, P): the share of those after which the player was still in."""
    moves: NDArray[np.int32]
    """(G, P): decisions asked for; a first placement is one."""
    seconds: NDArray[np.float64]
    """(G, P): time spent on them."""

    def __len__(self) -> int:
        return len(self.block)

    @property
    def seated(self) -> NDArray[np.bool_]:
        """(G, P): whether anybody sits there."""
        seated: NDArray[np.bool_] = self.table != NOBODY
        return seated

    @property
    def faults(self) -> NDArray[np.bool_]:
        """(G, P): who was taken out for what it did; to be stuck is bad luck."""
        faults: NDArray[np.bool_] = self.out >= ILLEGAL
        return faults

    @property
    def win_shares(self) -> NDArray[np.float64]:
        """(G, P): 1 for a sole winner, 1/k for each of k joint winners."""
        winners = (self.ranks == 1) & self.seated
        shares: NDArray[np.float64] = winners / np.maximum(winners.sum(axis=1, keepdims=True), 1)
        return shares

    @property
    def scores(self) -> NDArray[np.float64]:
        """(G, P, P): 1 where the row's seat ended ahead of the column's, ½ level, 0 behind.

        Cheaters are behind everybody else and level with each other; 0 for empty seats and for a
        seat against itself.
        """
        last = self.table.shape[1] + 1
        rank = np.where(self.ranks == CHEATER, last, self.ranks).astype(np.int64)
        mine, theirs = rank[:, :, None], rank[:, None, :]
        score = np.where(mine < theirs, 1.0, np.where(mine == theirs, 0.5, 0.0))
        both = self.seated[:, :, None] & self.seated[:, None, :]
        both &= ~np.eye(self.table.shape[1], dtype=bool)
        return np.where(both, score, 0.0)

    @property
    def places(self) -> NDArray[np.float64]:
        """(G, P): 1 is best; who is level shares the mean of the places, cheaters the last ones."""
        others = self.seated.sum(axis=1, keepdims=True) - 1
        places: NDArray[np.float64] = 1 + others - self.scores.sum(axis=2)
        return places


def survival(state: State) -> NDArray[np.float64]:
    """(B, P): the share of each finished game's rounds after which the players were still in."""
    rounds = np.maximum(state.game[:, CLOCK, None], 1)
    lived = np.maximum(state.seats[:, :, OUT_AT] - 1, 0) / rounds
    shares: NDArray[np.float64] = np.where(state.seats[:, :, OUT] == IN, 1.0, lived)
    return shares


def joined(parts: Sequence[Games]) -> Games:
    """Games of several parts, with tables of the same size, in the order of their blocks."""
    order = np.argsort(np.concatenate([part.block for part in parts]), kind="stable")
    return Games(
        *(
            np.concatenate([getattr(part, column.name) for part in parts])[order]
            for column in fields(Games)
        )
    )
