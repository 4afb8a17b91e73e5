"""One game at one table, through the referee."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.games import Games, survival
from evaluation.isolation import IsolatedPlayer
from tsuro_env import Referee, Rules
from tsuro_env.engine.state import CLOCK, OUT_REASONS
from tsuro_env.guard import Fault
from tsuro_env.record import Record
from tsuro_env.rules import MIN_PLAYERS


@dataclass(frozen=True)
class Setting:
    """Which game is played, the same for every table."""

    rules: Rules = field(default_factory=Rules.course)
    setup: str = "agent"
    supply: str | None = None

    def __post_init__(self) -> None:
        self.rules.variant(MIN_PLAYERS, self.setup, self.supply)  # raises where they do not fit


@dataclass(frozen=True)
class Played:
    """A finished game; a value for each seat, as in the columns of `Games`."""

    ranks: list[int]
    out: list[int]
    rounds: int
    survival: list[float]
    moves: list[int]
    seconds: list[float]
    faults: dict[int, Fault]
    """By seat: illegal, malformed, exception or late."""
    record: Record


class TableReferee(Referee):
    """Measures the players' decisions, and takes what an isolated player reports for true.

    Of other players not even a `Fault` is believed: it would be an answer of theirs.
    """

    def __init__(self, players: Sequence[Any], *arguments: Any, **options: Any) -> None:
        self.decisions: dict[Any, list[float]] = {player: [] for player in players}
        super().__init__(None, players, *arguments, **options)

    def _call(self, player: Any, method: str, *arguments: Any) -> Any:
        started = time.perf_counter()
        if isinstance(player, IsolatedPlayer):
            answer = getattr(player, method)(*arguments)
        else:
            answer = super()._call(player, method, *arguments)
        if method in ("initial_placement", "take_turn"):
            self.decisions[player].append(time.perf_counter() - started)
        return answer


def play_game(players: Sequence[Any], names: Sequence[str], setting: Setting, deal: int) -> Played:
    """Play one game with these players, oldest first, from the deal's seed."""
    referee = TableReferee(
        players,
        setting.supply,
        rules=setting.rules,
        setup=setting.setup,
        seed=deal,
        names=names,
    )
    referee.start_game()
    rank_of = {seat: rank for rank, seats in enumerate(referee.ranked_seats, 1) for seat in seats}
    cheaters = referee.cheaters
    faults = {seat: cheaters[player] for seat, player in enumerate(players) if player in cheaters}
    reasons = [referee.out.get(color, "") for color in referee.colors]
    for seat, fault in faults.items():
        reasons[seat] = fault.reason
    decisions = [referee.decisions[player] for player in players]
    return Played(
        ranks=[rank_of.get(seat, 0) for seat in range(len(players))],
        out=[OUT_REASONS.index(reason) for reason in reasons],
        rounds=int(referee.state.game[0, CLOCK]),
        survival=survival(referee.state)[0].tolist(),
        moves=[len(times) for times in decisions],
        seconds=[sum(times) for times in decisions],
        faults={seat: fault for seat, fault in faults.items() if fault.reason != "stuck"},
        record=referee.record,
    )


def in_columns(
    played: Sequence[Played], block: NDArray[np.int64], table: NDArray[np.int64]
) -> Games:
    """Games at tables of the same size."""
    dtypes = {
        "ranks": np.int8,
        "out": np.int8,
        "rounds": np.int32,
        "survival": np.float64,
        "moves": np.int32,
        "seconds": np.float64,
    }
    columns: dict[str, NDArray[Any]] = {
        name: np.array([getattr(game, name) for game in played], dtype=dtype)
        for name, dtype in dtypes.items()
    }
    return Games(block, table, **columns)
