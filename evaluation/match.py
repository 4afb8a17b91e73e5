"""Matches: many games between the same players, with the seats rotated.

Games come in blocks of one for each seat: the same deal, everybody moved on by a seat. Where all
players decide in batches the games are played on the engine by the hundred, else one by one by a
referee; both give the same results, whatever the number of processes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation import batch
from evaluation.crew import Crew, available_cores
from evaluation.entrants import Entrant, from_specs
from evaluation.games import Games, joined
from evaluation.isolation import Limits
from evaluation.ratings import Ratings, rate
from evaluation.roster import Roster
from evaluation.standings import Standing, standings
from evaluation.table import Setting, in_columns, play_game
from tsuro_env import Rules, StrategyPlayer, game_seeds

GAMES_AT_A_TIME = 1024
"""In a batch: enough that the cost of a call does not count."""

Progress = Callable[[int, int], None]
"""Is told how many games of how many are done."""


@dataclass(frozen=True)
class MatchResult:
    """What came of a match. Players with the same spec are one entrant with several seats."""

    names: list[str]
    games: Games
    """Its `table` holds numbers of `names`."""

    @cached_property
    def standings(self) -> list[Standing]:
        """A row for each entrant, best first."""
        return standings(self.games, self.names)

    @cached_property
    def ratings(self) -> Ratings:
        return rate(self.games, self.names)


def play_match(
    players: Sequence[str | StrategyPlayer | Entrant],
    games: int = 1000,
    seed: int = 0,
    rules: Rules | str = "course",
    *,
    setup: str = "agent",
    supply: str | None = None,
    isolate: bool | None = False,
    limits: Limits | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Play at least `games` games: whole blocks, so that everybody has every seat equally often.

    players: specs for `agents.make`, or player objects, which play in this process only.
    isolate: all specs in processes of their own, none (False), or the foreign ones (None).
    workers: processes; None is one for each core.
    """
    if games < 1:
        raise ValueError(f"a match needs at least one game, not {games}")
    entrants = from_specs(players, isolate)
    setting = Setting(Rules.from_name(rules), setup, supply)
    job = MatchJob(entrants, seed, setting, limits or Limits())
    seats = len(entrants)
    blocks = -(-games // seats)
    tasks = job.tasks(blocks)
    done, parts = 0, []
    with Crew(job, job.workers(workers, len(tasks))) as crew:
        for part in crew.do(tasks):
            parts.append(part)
            done += len(part)
            if progress is not None:
                progress(done, blocks * seats)
    return result_of(players, entrants, joined(parts))


def result_of(
    players: Sequence[str | StrategyPlayer | Entrant], entrants: Sequence[Entrant], games: Games
) -> MatchResult:
    """Players given by the same spec become one entrant."""
    labels = [
        player if isinstance(player, str) else entrant.name
        for player, entrant in zip(players, entrants, strict=True)
    ]
    names = list(dict.fromkeys(labels))
    number = np.array([names.index(label) for label in labels])
    return MatchResult(names, dataclasses.replace(games, table=number[games.table]))


class MatchJob:
    """Plays blocks of a match; the same in every worker."""

    def __init__(
        self, entrants: Sequence[Entrant], seed: int, setting: Setting, limits: Limits
    ) -> None:
        self.entrants, self.seed = list(entrants), seed
        self.setting, self.limits = setting, limits
        self._roster: Roster | None = None

    def tasks(self, blocks: int, games_at_a_time: int = GAMES_AT_A_TIME) -> list[range]:
        """All blocks in parts worth a worker's while; a spec that makes no player raises here."""
        with self:
            assert self._roster is not None
            batched = self._roster.batch_players() is not None
        size = max(1, games_at_a_time // len(self.entrants)) if batched else 1
        return [range(first, min(first + size, blocks)) for first in range(0, blocks, size)]

    def workers(self, asked: int | None, tasks: int) -> int:
        """How many processes: no more than there are tasks; objects of the caller's stay here."""
        if any(entrant.player is not None for entrant in self.entrants):
            return 1
        return min(available_cores() if asked is None else asked, tasks)

    def __enter__(self) -> MatchJob:
        self._roster = Roster(self.entrants, self.seed, self.setting.rules, self.limits)
        return self

    def __exit__(self, *error: Any) -> None:
        assert self._roster is not None
        self._roster.close()
        self._roster = None

    def __call__(self, blocks: range) -> Games:
        """The games of some blocks: of each block one for every place that everybody moves on."""
        assert self._roster is not None
        seats = len(self.entrants)
        block = np.repeat(np.arange(blocks.start, blocks.stop), seats)
        moved = np.tile(np.arange(seats), len(blocks))
        table = (moved[:, None] + np.arange(seats)) % seats
        deals = game_seeds(self.seed, blocks.stop)[block]
        players = self._roster.batch_players()
        if players is not None:
            return batch.play_games(players, block, table, deals, self.setting)
        return self._through_referee(block, table, deals, moved)

    def _through_referee(
        self,
        block: NDArray[np.int64],
        table: NDArray[np.int64],
        deals: NDArray[np.uint64],
        moved: NDArray[np.int64],
    ) -> Games:
        assert self._roster is not None
        played = []
        for numbers, deal, turn in zip(table.tolist(), deals.tolist(), moved.tolist(), strict=True):
            players = [self._roster.player(number, deal, turn) for number in numbers]
            names = [self.entrants[number].name for number in numbers]
            played.append(play_game(players, names, self.setting, deal))
        return in_columns(played, block, table)
