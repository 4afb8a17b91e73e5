"""Tournaments: a format's games, played by as many processes as there are, kept as they finish.

What happens in a game depends on nothing but the settings and its place in the schedule. So the
result is the same whatever the number of workers, and a tournament that was killed goes on from its
file: games that are in it are not played again.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from evaluation.crew import Crew, available_cores
from evaluation.entrants import Entrant, check, from_specs
from evaluation.formats import FORMATS, Fixture, FormatError, Plan, Ranking, Rounds
from evaluation.games import CHEATER, Games
from evaluation.isolation import IsolatedPlayer, Limits
from evaluation.knockout import tell_end
from evaluation.match import Progress
from evaluation.ratings import Ratings, rate
from evaluation.roster import Roster
from evaluation.standings import Standing, standings
from evaluation.store import FaultNote, Store
from evaluation.table import Played, Setting, play_game
from tsuro_env import Rules
from tsuro_env.guard import Fault


@dataclass(frozen=True)
class TournamentResult:
    """What came of a tournament."""

    format: str
    names: list[str]
    ranking: list[list[str]]
    """Those of each rank, best first; in a knock-out only who got into the last game."""
    anchor: str | None
    """Who has rating 0: the first entrant that plays `random`."""
    faults: list[FaultNote]
    games: Games
    """Its `table` holds numbers of `names`."""

    @cached_property
    def standings(self) -> list[Standing]:
        return standings(self.games, self.names)

    @cached_property
    def ratings(self) -> Ratings:
        return rate(self.games, self.names, self.anchor)


def tournament(
    entrants: Sequence[str | Entrant],
    path: str | os.PathLike[str],
    format: str = "round-robin",  # noqa: A002  the word for it, also on the command line
    seed: int = 0,
    rules: Rules | str = "course",
    *,
    setup: str = "agent",
    supply: str | None = None,
    table_size: int | None = None,
    rounds: int | None = None,
    isolate: bool | None = None,
    limits: Limits | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> TournamentResult:
    """Hold a tournament and keep it in a new SQLite file.

    format: knockout, round-robin or swiss.
    rounds: of a swiss tournament; in a round-robin the number of deals for each table.
    isolate: all in processes of their own, none (False), or those whose code is foreign (None).
    """
    if format not in FORMATS:
        raise FormatError(f"format must be one of {', '.join(FORMATS)}, got {format!r}")
    entered = from_specs(entrants, isolate)
    check(entered)
    settings = {
        "format": format,
        "seed": seed,
        "rules": Rules.from_name(rules).to_json(),
        "setup": setup,
        "supply": supply,
        "table_size": table_size,
        "rounds": rounds,
        "limits": asdict(limits or Limits()),
    }
    next(_schedule(settings, len(entered)))  # whatever is wrong with the plan shows here,
    with GameJob(entered, settings):  # and a spec that makes no player here
        pass
    with Store.create(path, settings, entered) as store:
        return _hold(store, workers, progress)


def resume(
    path: str | os.PathLike[str],
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> TournamentResult:
    """Go on with a tournament that was interrupted; of one that is over just the result."""
    with Store.open(path) as store:
        return _hold(store, workers, progress)


def _schedule(settings: dict[str, Any], entrants: int) -> Rounds:
    plan = Plan(entrants, settings["seed"], settings["table_size"], settings["rounds"])
    return FORMATS[settings["format"]](plan)


def _hold(store: Store, workers: int | None, progress: Progress | None) -> TournamentResult:
    if store.ranking is None:
        check(store.entrants)  # also when it goes on: in another folder a path leads elsewhere
        job = GameJob(store.entrants, store.settings)
        with Crew(job, available_cores() if workers is None else workers) as crew:
            _play(store, crew, progress)
    return result_of(store)


def result_of(store: Store) -> TournamentResult:
    """The result as far as it is known."""
    entrants = store.entrants
    names = [entrant.name for entrant in entrants]
    at_random = (e.name for e in entrants if e.spec.partition(":")[0] == "random")
    return TournamentResult(
        format=store.settings["format"],
        names=names,
        ranking=[[names[number] for number in rank] for rank in store.ranking or []],
        anchor=next(at_random, None),
        faults=store.faults,
        games=store.games,
    )


def _play(store: Store, crew: Crew[Task, Any], progress: Progress | None) -> None:
    """Play what the schedule still asks for, and write the ranking."""
    settings, entrants = store.settings, store.entrants
    schedule = _schedule(settings, len(entrants))
    ranks = store.ranks
    first = 0
    try:
        fixtures = next(schedule)
        for round_ in itertools.count(1):
            games = [
                Game(first + place, round_, fixture, _deal(settings["seed"], fixture.block))
                for place, fixture in enumerate(fixtures)
            ]
            first += len(games)
            for game, played in crew.do(game for game in games if game.number not in ranks):
                store.add_game(game.number, round_, game.fixture, game.deal, played)
                ranks[game.number] = played.ranks
                if progress is not None:
                    progress(len(ranks), first)
            fixtures = schedule.send([ranks[game.number] for game in games])
    except StopIteration as end:
        ranking: Ranking = end.value
    late = _farewell(store, crew, ranking) if settings["format"] == "knockout" else {}
    honest = [[number for number in rank if number not in late] for rank in ranking]
    store.finish([rank for rank in honest if rank], late)


def _farewell(store: Store, crew: Crew[Task, Any], ranking: Ranking) -> dict[int, Fault]:
    """The course: who did not cheat is told whether it won; failing in that is cheating too."""
    games = store.games
    cheaters = set(games.table[games.seated & (games.ranks == CHEATER)].tolist())
    winners = ranking[0] if ranking else []
    told = (
        Farewell(number, number in winners)
        for number in range(len(store.entrants))
        if number not in cheaters
    )
    answers = crew.do(told)
    return {farewell.entrant: fault for farewell, fault in answers if fault is not None}


def _deal(seed: int, block: int) -> int:
    """The seed of a block's deal."""
    return int(np.random.SeedSequence([seed, block]).generate_state(1, np.uint64)[0])


class Game(NamedTuple):
    """A task: play a game."""

    number: int
    round: int
    fixture: Fixture
    deal: int


class Farewell(NamedTuple):
    """A task: tell an entrant how the tournament ended."""

    entrant: int
    won: bool


Task = Game | Farewell


class GameJob:
    """Does the tasks of a tournament; the same in every worker. The task comes with its result."""

    def __init__(self, entrants: Sequence[Entrant], settings: dict[str, Any]) -> None:
        self._entrants, self._settings = list(entrants), settings
        rules = Rules.from_json(settings["rules"])
        self._setting = Setting(rules, settings["setup"], settings["supply"])
        self._roster: Roster | None = None

    def __enter__(self) -> GameJob:
        limits = Limits(**self._settings["limits"])
        seed, rules = self._settings["seed"], self._setting.rules
        self._roster = Roster(self._entrants, seed, rules, limits)
        return self

    def __exit__(self, *error: Any) -> None:
        assert self._roster is not None
        self._roster.close()

    def __call__(self, task: Task) -> tuple[Task, Any]:
        return task, self._play(task) if isinstance(task, Game) else self._tell(task)

    def _play(self, game: Game) -> Played:
        assert self._roster is not None
        numbers, moved = game.fixture.seats, game.fixture.moved
        players = [self._roster.player(number, game.deal, moved) for number in numbers]
        names = [self._entrants[number].name for number in numbers]
        return play_game(players, names, self._setting, game.deal)

    def _tell(self, farewell: Farewell) -> Fault | None:
        assert self._roster is not None
        player = self._roster.player(farewell.entrant, 0, 0)
        if isinstance(player, IsolatedPlayer):
            return player.tournament_over(farewell.won)
        return tell_end(player, farewell.won)
