"""The formats of tournaments: which games are played, and what the ranking is.

A format is a generator over rounds: it yields the fixtures of a round, is sent the ranks of each
(0 for a cheater), and returns the ranking. Entrants are numbers, in the order of their age. Nothing
here plays or remembers a game; given the same results a format does the same again.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.knockout import SMALLEST_TABLE, knockout_rounds
from tsuro_env.errors import TsuroError

TABLE_SIZE = 4
DISTASTE = 3
"""Swiss: how many places in the standing it is worth not to meet somebody again."""


class FormatError(TsuroError):
    """A tournament that cannot be held like this."""


@dataclass(frozen=True)
class Fixture:
    """A game that is to be played."""

    block: int
    """Games of the same block have the same deal."""
    moved: int
    """By how many seats everybody has moved on since the block's first game."""
    seats: tuple[int, ...]
    """The entrants, oldest first."""


@dataclass(frozen=True)
class Plan:
    """What a format needs to know; None stands for its own usual number."""

    entrants: int
    seed: int
    table_size: int | None = None
    rounds: int | None = None
    """In a round-robin the number of deals for each table."""


Ranks = Sequence[int]
Ranking = list[list[int]]
Rounds = Generator[list[Fixture], list[Ranks], Ranking]


def knockout(plan: Plan) -> Rounds:
    """The course's: one game at each table, the first two ranks go on."""
    if plan.entrants < SMALLEST_TABLE:
        raise FormatError(f"a knock-out needs {SMALLEST_TABLE} entrants, not {plan.entrants}")
    numbers = itertools.count()
    rounds = knockout_rounds(range(plan.entrants))
    try:
        tables = next(rounds)
        while True:
            ranks = yield [Fixture(next(numbers), 0, tuple(table)) for table in tables]
            tables = rounds.send(
                [_by_rank(table, of) for table, of in zip(tables, ranks, strict=True)]
            )
    except StopIteration as end:
        return [sorted(rank) for rank in end.value]


def _by_rank(table: Sequence[int], ranks: Ranks) -> list[set[int]]:
    places = sorted({rank for rank in ranks if rank > 0})
    return [{who for who, rank in zip(table, ranks, strict=True) if rank == p} for p in places]


def round_robin(plan: Plan) -> Rounds:
    """Every possible table, in blocks of one deal in which everybody has every seat once."""
    size = _table_size(plan)
    tables = itertools.combinations(range(plan.entrants), size)
    repeated = (table for table in tables for _ in range(plan.rounds or 1))
    fixtures = [game for block, table in enumerate(repeated) for game in _block(block, table)]
    scores = _Scores(plan.entrants)
    scores.add(fixtures, (yield fixtures))
    return scores.ranking()


def swiss(plan: Plan) -> Rounds:
    """In each round those with about the same score meet, a block at each table."""
    size = _table_size(plan)
    rounds = plan.rounds or max(3, math.ceil(math.log2(plan.entrants)))
    order = np.random.default_rng(plan.seed).permutation(plan.entrants).tolist()
    numbers = itertools.count()
    scores = _Scores(plan.entrants)
    met: Counter[frozenset[int]] = Counter()
    for _ in range(rounds):
        standing = sorted(order, key=lambda who: -scores.mean(who))
        tables = _tables(standing, _even_sizes(plan.entrants, size), met)
        fixtures = [game for table in tables for game in _block(next(numbers), table)]
        scores.add(fixtures, (yield fixtures))
        met.update(frozenset(pair) for table in tables for pair in itertools.combinations(table, 2))
    return scores.ranking()


FORMATS: dict[str, Callable[[Plan], Rounds]] = {
    "knockout": knockout,
    "round-robin": round_robin,
    "swiss": swiss,
}


def _table_size(plan: Plan) -> int:
    size = min(TABLE_SIZE, plan.entrants) if plan.table_size is None else plan.table_size
    if not 2 <= size <= plan.entrants:
        raise FormatError(f"tables of {size} with {plan.entrants} entrants")
    return size


def _block(number: int, table: Sequence[int]) -> list[Fixture]:
    return [Fixture(number, moved, (*table[moved:], *table[:moved])) for moved in range(len(table))]


def _even_sizes(entrants: int, size: int) -> list[int]:
    """As few tables as there can be, of nearly the same size; nobody sits alone."""
    tables = -(-entrants // size)
    if entrants // tables < 2:
        tables -= 1
    small, larger = divmod(entrants, tables)
    return [small + 1] * larger + [small] * (tables - larger)


def _tables(
    standing: Sequence[int], sizes: Sequence[int], met: Counter[frozenset[int]]
) -> list[list[int]]:
    """Tables from the top; rather than meet again they take somebody a few places further down."""
    left, tables = list(standing), []
    for size in sizes:
        table = [left.pop(0)]
        while len(table) < size:
            costs = [
                place + DISTASTE * sum(met[frozenset((who, guest))] for guest in table)
                for place, who in enumerate(left)
            ]
            table.append(left.pop(costs.index(min(costs))))
        tables.append(table)
    return tables


class _Scores:
    """The share of the others at the table that an entrant was ahead of, on the mean of games."""

    def __init__(self, entrants: int) -> None:
        self._points = [0.0] * entrants
        self._games = [0] * entrants

    def add(self, fixtures: Sequence[Fixture], ranks: Sequence[Ranks]) -> None:
        for fixture, of in zip(fixtures, ranks, strict=True):
            for who, rank in zip(fixture.seats, of, strict=True):
                self._points[who] += score(rank, of)
                self._games[who] += 1

    def mean(self, who: int) -> float:
        # Rounded, so that the order in which the points were added up cannot tell two apart.
        return round(self._points[who] / self._games[who], 9) if self._games[who] else 0.0

    def ranking(self) -> Ranking:
        means = {who: self.mean(who) for who in range(len(self._points))}
        return [
            [who for who, mean in means.items() if mean == value]
            for value in sorted(set(means.values()), reverse=True)
        ]


def score(rank: int, ranks: Ranks) -> float:
    """1 for being ahead of everybody, 0 for being behind; being level counts half."""
    last = len(ranks) + 1
    mine, others = rank or last, [other or last for other in ranks]
    behind = sum(other > mine for other in others)
    level = sum(other == mine for other in others) - 1
    return (behind + level / 2) / (len(ranks) - 1)
