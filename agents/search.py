"""The search that `montecarlo`, `mcts` and `learned+search` share: `Search` and `SearchPlayer`.

A player sees neither the others' tiles nor those to come, so every simulation deals them anew: the
search is over what the player knows, not over one secret state. The choice is at the root. Below it
a node would be a deal of the 35 tiles to the next player, too many to come back to one within any
budget; so from there on moves are chosen by a policy, and what differs between the players is that
policy, how far it plays, and what they think of the options beforehand.

The budget is spent in rounds, after each of which the better half of the options goes on
(sequential halving). What a player thinks of an option beforehand counts like a number of
simulations, which decides where the simulations cannot tell.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from agents.logits_player import unique_legal_actions
from tsuro_env import BatchPlayer, GameBatch
from tsuro_env.engine.batch import Rows
from tsuro_env.engine.state import PHASE, TURN
from tsuro_env.errors import TsuroError

Options = NDArray[np.int64]
Floats = NDArray[np.float64]


class BudgetError(TsuroError):
    """A number of simulations or milliseconds that makes no search."""


class Search(ABC):
    """One question: its options, and what the simulations have shown so far."""

    trust = 0.0
    """How many simulations the prior counts like."""
    at_a_time = 64
    """How many simulations are made between two looks at the clock."""

    def __init__(self, options: Options, prior: Floats) -> None:
        self.options, self.prior = options, prior
        self.total: Floats = np.zeros(len(options))
        self.count: Options = np.zeros(len(options), dtype=np.int64)

    @abstractmethod
    def simulate(self, alive: Options, count: int) -> Floats:
        """What `count` more simulations of each of these options were worth, added up.

        All of them have been simulated equally often, and the chance of simulation number n is the
        same for all: so options differ by what they are worth more than by luck.
        """

    def best(self, simulations: int, milliseconds: float | None) -> int:
        """The best option after so many simulations; or, if that is given, milliseconds."""
        alive = np.arange(len(self.options))
        rounds = (len(alive) - 1).bit_length()
        for _ in range(rounds):
            each = None if milliseconds is None else milliseconds / rounds
            self.spend(alive, simulations // rounds, each)
            worth = self.worth(alive)
            alive = alive[np.argsort(-worth, kind="stable")[: (len(alive) + 1) // 2]]
        return int(self.options[alive[0]])

    def worth(self, alive: Options) -> Floats:
        """What options are worth by the simulations and the prior.

        The prior tells how options differ, not how good the position is.
        """
        count, mean = self.count[alive], self.total[alive] / self.count[alive]
        expected = mean.mean() + self.prior[alive] - self.prior[alive].mean()
        worth: Floats = (count * mean + self.trust * expected) / (count + self.trust)
        return worth

    def spend(self, alive: Options, simulations: int, milliseconds: float | None) -> None:
        """Simulate these options equally often, at least once."""
        if milliseconds is None:
            self._add(alive, max(simulations // len(alive), 1))
            return
        each = max(self.at_a_time // len(alive), 1)
        before = time.perf_counter()
        stop = before + milliseconds / 1000
        while True:
            self._add(alive, each)
            now = time.perf_counter()
            if now + (now - before) > stop:  # the next ones would take as long as these
                return
            before = now

    def _add(self, alive: Options, count: int) -> None:
        self.total[alive] += self.simulate(alive, count)
        self.count[alive] += count


class SearchPlayer(BatchPlayer):
    """Searches with so many `simulations` a move; or, if that is given, for `milliseconds`.

    With a number of simulations it chooses the same whenever it is asked the same. Start spots and
    first tiles are chosen without: what becomes of them is too far away to be simulated.
    """

    def __init__(self, simulations: int, milliseconds: float | None, seed: int | None) -> None:
        super().__init__(seed)
        if not (isinstance(simulations, int) and simulations >= 1):
            raise BudgetError(f"simulations must be a whole number from 1 on, got {simulations!r}")
        if milliseconds is not None and not (
            isinstance(milliseconds, int | float) and milliseconds > 0
        ):
            raise BudgetError(f"milliseconds must be a number above 0, got {milliseconds!r}")
        self.simulations, self.milliseconds = simulations, milliseconds

    @abstractmethod
    def policy(self, games: GameBatch) -> BatchPlayer:
        """Who chooses where there is nothing to search."""

    @abstractmethod
    def new_search(self, games: GameBatch, game: int, options: Options, key: np.uint64) -> Search:
        """A search for the player to move in one of the games, by a random word."""

    def choose(self, games: GameBatch, which: Rows) -> NDArray[np.int64]:
        actions = self.policy(games).choose(games, which)
        keys, legal = self.keys(games, which), unique_legal_actions(games, which)
        for row, game in enumerate(which.tolist()):
            options = np.flatnonzero(legal[row])
            if games.state.game[game, PHASE] == TURN and len(options) > 1:
                search = self.new_search(games, game, options, keys[row])
                actions[row] = search.best(self.simulations, self.milliseconds)
        return actions
