"""What a report tells, as numbers: worked out here once, drawn by `page` and `plots`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.games import NOBODY
from evaluation.standings import Estimate, Standing
from evaluation.store import FaultNote, Store
from evaluation.tournaments import TournamentResult, result_of
from tsuro_env.engine.state import OUT_REASONS
from tsuro_env.errors import TsuroError

STAYED = "in at the end"
FATES = (STAYED, *OUT_REASONS[1:])
"""Every way for a player to end a game."""
MAX_FAULTY_REPLAYS = 8


class ReportError(TsuroError):
    """There is nothing to report."""


@dataclass(frozen=True)
class FaultLine:
    """All faults of one kind of one player."""

    name: str
    reason: str
    times: int
    detail: str
    """Of the first."""
    game: int | None


@dataclass(frozen=True)
class ChosenGame:
    """A game worth a replay, and why."""

    number: int
    why: str
    players: list[str]
    winners: list[str]


@dataclass(frozen=True)
class Findings:
    """Everything is in the order of `names`: by rating, best first."""

    settings: dict[str, Any]
    finished: bool
    ranking: list[list[str]]
    anchor: str | None
    names: list[str]
    specs: list[str]
    elo: list[Estimate]
    pairwise: NDArray[np.float64]
    """(n, n): the row's share of the points against the column's; NaN where they never met."""
    standings: list[Standing]
    seat_shares: NDArray[np.float64]
    """(n, seats): the win share in each seat; NaN where nobody of that name ever sat."""
    rounds: NDArray[np.int32]
    """The length of every game."""
    fates: NDArray[np.int64]
    """(n, fates): how often each player ended a game in each of `FATES`."""
    faults: list[FaultLine]
    chosen: list[ChosenGame]

    @property
    def num_games(self) -> int:
        return len(self.rounds)

    @property
    def pairwise_warmth(self) -> NDArray[np.float64]:
        """`pairwise` for a heat map: from -1 (lost everything) over 0 to 1."""
        return 2 * self.pairwise - 1

    @property
    def seat_warmth(self) -> NDArray[np.float64]:
        """`seat_shares` likewise: 0 is the fair share, 1 is three times as much."""
        fair = 1 / self.seat_shares.shape[1]
        warmth: NDArray[np.float64] = np.clip((self.seat_shares - fair) / (2 * fair), -1, 1)
        return warmth


def findings_of(store: Store) -> Findings:
    """What the games that are in the file so far tell."""
    result = result_of(store)
    if not len(result.games):
        raise ReportError(f"{store.path} has no finished game yet")
    ratings = result.ratings
    order = sorted(range(len(result.names)), key=lambda number: -ratings.elo[number].value)
    rows = {row.name: row for row in result.standings}
    order = [number for number in order if result.names[number] in rows]
    names = [result.names[number] for number in order]
    entrants = store.entrants
    return Findings(
        settings=store.settings,
        finished=store.ranking is not None,
        ranking=result.ranking,
        anchor=ratings.anchor,
        names=names,
        specs=[entrants[number].spec for number in order],
        elo=[ratings.elo[number] for number in order],
        pairwise=ratings.pairwise[np.ix_(order, order)],
        standings=[rows[name] for name in names],
        seat_shares=_seat_shares(result)[order],
        rounds=result.games.rounds,
        fates=_fates(result)[order],
        faults=_fault_lines(result.faults),
        chosen=_chosen(result, store.game_numbers),
    )


def _seat_shares(result: TournamentResult) -> NDArray[np.float64]:
    """(n, seats): the mean win share of each entrant in each seat."""
    games = result.games
    shape = (len(result.names), games.table.shape[1])
    seat = np.broadcast_to(np.arange(shape[1]), games.table.shape)[games.seated]
    cell = games.table[games.seated] * shape[1] + seat
    sums = np.bincount(cell, weights=games.win_shares[games.seated], minlength=shape[0] * shape[1])
    counts = np.bincount(cell, minlength=shape[0] * shape[1])
    with np.errstate(invalid="ignore"):
        shares: NDArray[np.float64] = (sums / counts).reshape(shape)
    return shares


def _fates(result: TournamentResult) -> NDArray[np.int64]:
    """(n, fates): OUT's codes are the places of FATES."""
    games = result.games
    shape = (len(result.names), len(FATES))
    cell = games.table[games.seated] * shape[1] + games.out[games.seated]
    return np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(np.int64)


def _fault_lines(faults: list[FaultNote]) -> list[FaultLine]:
    kinds: dict[tuple[str, str], list[FaultNote]] = {}
    for fault in faults:
        kinds.setdefault((fault.name, fault.reason), []).append(fault)
    return [
        FaultLine(name, reason, len(notes), notes[0].detail, notes[0].game)
        for (name, reason), notes in kinds.items()
    ]


def _chosen(result: TournamentResult, numbers: list[int]) -> list[ChosenGame]:
    """A few games, each once, with all reasons for which it was chosen."""
    place_of = {number: place for place, number in enumerate(numbers)}
    reasons: dict[int, list[str]] = {}
    for place, why in _worth_a_look(result):
        reasons.setdefault(place, []).append(why)
    faulty = [fault for fault in _fault_lines(result.faults) if fault.game is not None]
    for fault in faulty[:MAX_FAULTY_REPLAYS]:
        assert fault.game is not None
        reasons.setdefault(place_of[fault.game], []).append(f"{fault.name}: {fault.reason}")
    return [_described(result, place, numbers[place], why) for place, why in reasons.items()]


def _described(result: TournamentResult, place: int, number: int, why: list[str]) -> ChosenGame:
    seats = zip(result.games.table[place], result.games.ranks[place], strict=True)
    players = [(result.names[entrant], rank) for entrant, rank in seats if entrant != NOBODY]
    return ChosenGame(
        number=number,
        why="; ".join(why),
        players=[name for name, _ in players],
        winners=[name for name, rank in players if rank == 1],
    )


def _worth_a_look(result: TournamentResult) -> Iterator[tuple[int, str]]:
    """Places of games among the finished ones, and why one should see them."""
    games = result.games
    yield len(games) - 1, "the last game"
    yield int(games.rounds.argmax()), "the longest game"
    yield int(games.rounds.argmin()), "the shortest game"
    winner = games.seated & (games.ranks == 1)
    if (upset := _biggest_upset(result, winner)) is not None:
        yield upset, "the biggest upset"
    if winner.sum(axis=1).max() > 1:
        yield int(winner.sum(axis=1).argmax()), "the most joint winners"


def _biggest_upset(result: TournamentResult, winner: NDArray[np.bool_]) -> int | None:
    """The game whose sole winner is rated furthest below the others at the table."""
    games = result.games
    elo = np.array([estimate.value for estimate in result.ratings.elo])[games.table]
    winners_elo = np.where(winner, elo, 0).sum(axis=1)
    others = games.seated & ~winner
    others_elo = np.where(others, elo, 0).sum(axis=1) / np.maximum(others.sum(axis=1), 1)
    gap = np.where(winner.sum(axis=1) == 1, others_elo - winners_elo, 0)
    return int(gap.argmax()) if gap.max() > 0 else None
