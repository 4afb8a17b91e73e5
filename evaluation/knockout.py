"""The course's knock-out tournament.

Players are given oldest first and stay in that order. Each round splits them into games; the first
two ranks of every game go on; a cheater is out of the tournament.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from tsuro_env import Observer, Referee, RuleChecker, Rules, StrategyPlayer, Tile
from tsuro_env.guard import Fault, call, users_interrupts

SMALLEST_TABLE, LARGEST_TABLE = 3, 5
RANKS_THAT_GO_ON = 2

Supply = Iterator[Tile] | str
Player = TypeVar("Player", bound=Hashable)
Ranking = list[set[Player]]
"""A set for each rank, best first; cheaters have none."""
Rounds = Generator[list[list[Player]], list[Ranking[Player]], Ranking[Player]]
"""Yields the tables of a round, is sent their rankings, and returns the tournament's."""


@dataclass(frozen=True)
class KnockoutResult:
    """`ranking`: that of the last game, or one set of joint winners; `cheaters`: with reasons."""

    ranking: Ranking[StrategyPlayer]
    cheaters: dict[StrategyPlayer, Fault] = field(default_factory=dict)


def table_sizes(players: int) -> list[int]:
    """How many sit at each table of a round of at least three players.

    Tables of five; a remainder of 1 turns the last 5 + 1 into 3 + 3, one of 2 the last 5 + 2
    into 4 + 3.
    """
    if players < SMALLEST_TABLE:
        raise ValueError(f"{players} players make no table; at least {SMALLEST_TABLE} do")
    full, rest = divmod(players, LARGEST_TABLE)
    last = {0: [], 1: [3, 3], 2: [4, 3], 3: [3], 4: [4]}[rest]
    return [LARGEST_TABLE] * (full - (len(last) == 2)) + last


def knockout_rounds(entrants: Sequence[Player]) -> Rounds[Player]:
    """Rounds until one last game decides, or those who are left share the win."""
    left, before = list(entrants), -1
    while len(left) >= SMALLEST_TABLE and len(left) != before:
        if len(left) <= LARGEST_TABLE:
            (ranking,) = yield [left]
            return ranking
        before, seats = len(left), iter(left)
        tables = [[next(seats) for _ in range(size)] for size in table_sizes(len(left))]
        rankings = yield tables
        on = {p for ranking in rankings for rank in ranking[:RANKS_THAT_GO_ON] for p in rank}
        left = [player for player in left if player in on]
    return [set(left)] if left else []


def knockout(
    entrants: Sequence[StrategyPlayer],
    *,
    rules: Rules | str = "course",
    supply: Callable[[], Supply] | None = None,
    rule_checker: RuleChecker | None = None,
    observers: Sequence[Observer] = (),
) -> KnockoutResult:
    """Play the tournament to its end and tell everyone who did not cheat whether they won.

    `supply` is asked for the tiles of each game anew; without it they come as the course has them,
    in a cycle, or from the deck of `boxed`. `observers` see every game.
    """
    usual = None if Rules.from_name(rules).is_boxed else "cycle"
    cheaters: dict[StrategyPlayer, Fault] = {}

    def play(table: Sequence[StrategyPlayer]) -> Ranking[StrategyPlayer]:
        referee = Referee(
            rule_checker, table, supply() if supply else usual, observers, rules=rules
        )
        ranking = referee.start_game()
        cheaters.update(referee.cheaters)
        return ranking

    rounds = knockout_rounds(entrants)
    try:
        tables = next(rounds)
        while True:
            tables = rounds.send([play(table) for table in tables])
    except StopIteration as end:
        ranking: Ranking[StrategyPlayer] = end.value
    winners = ranking[0] if ranking else set()
    for player in entrants:
        if player not in cheaters and (fault := tell_end(player, player in winners)):
            cheaters[player] = fault
    honest = [rank - cheaters.keys() for rank in ranking]
    return KnockoutResult([rank for rank in honest if rank], cheaters)


def tell_end(player: object, won: bool) -> Fault | None:
    """Tell a player how the tournament ended, if it wants to know."""

    def tell() -> None:
        tournament_over = getattr(player, "tournament_over", None)
        if tournament_over is not None:
            tournament_over(won)

    with users_interrupts():
        answer = call(tell)
    return answer if type(answer) is Fault else None
