"""`Roster`: the entrants' players as one process has them, ready to sit down at a table.

Whatever a player does must not depend on which games its process played before. So players that
are a function of their seed and what they see (`BatchPlayer`) are made once; all others are made
anew for each game, with a seed of that game. In a process of its own a player is made likewise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import agents
from evaluation.entrants import Entrant
from evaluation.isolation import IsolatedPlayer, Launcher, Limits
from tsuro_env import BatchPlayer, Rules, StrategyPlayer


class Roster:
    """Close it: it may have started processes."""

    def __init__(
        self, entrants: Sequence[Entrant], seed: int, rules: Rules, limits: Limits
    ) -> None:
        self.entrants = list(entrants)
        seeds = np.random.SeedSequence(seed).generate_state(len(self.entrants), np.uint64)
        self._seeds = [int(own) for own in seeds]
        self._launcher = Launcher(limits)
        self._isolated: dict[int, IsolatedPlayer] = {}
        self._lasting: dict[int, StrategyPlayer] = {}
        for number, (entrant, own) in enumerate(zip(self.entrants, self._seeds, strict=True)):
            if entrant.isolated:
                isolated = IsolatedPlayer(entrant.spec, rules, self._launcher, own)
                self._isolated[number] = isolated
                continue
            player = entrant.player or agents.make(entrant.spec, seed=own)
            if entrant.player or isinstance(player, BatchPlayer):
                self._lasting[number] = player

    def batch_players(self) -> list[BatchPlayer] | None:
        """All players, if every one of them can decide for a batch of games; else None."""
        players = [self._lasting.get(number) for number in range(len(self.entrants))]
        able = [player for player in players if isinstance(player, BatchPlayer)]
        return able if len(able) == len(players) else None

    def player(self, entrant: int, deal: int, game: int) -> Any:
        """The entrant's player for one game: the deal's seed, and which game of its block."""
        if entrant in self._lasting:
            return self._lasting[entrant]
        chance = np.random.SeedSequence([self._seeds[entrant], deal, game])
        seed = int(chance.generate_state(1, np.uint64)[0])
        if entrant in self._isolated:
            self._isolated[entrant].game_seed = seed
            return self._isolated[entrant]
        return agents.make(self.entrants[entrant].spec, seed=seed)

    def close(self) -> None:
        """End the processes that were started."""
        self._launcher.close()
