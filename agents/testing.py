"""A test kit that players can be run through: `check_player(factory)` says what they do wrong.

It plays whole games, since a player may remember what it saw: both rule sets, 2 to 8 players, small
and large boards, hands of one to three tiles, tables of the player's own kind, and on until every
odd situation has come up, or something wrong. Players that decide in batches are also asked the
same question in other ways, see `agents.testing_batches`. It does not say how well a player plays.
"""

from __future__ import annotations

import copy
import itertools
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents.random_player import RandomPlayer
from agents.testing_batches import batch_problems
from tsuro_env import (
    COLORS,
    BatchPlayer,
    Board,
    InitialPlacement,
    Referee,
    RuleChecker,
    Rules,
    StrategyPlayer,
    Tile,
)
from tsuro_env.guard import Fault, call
from tsuro_env.tile import DEGREES

METHODS = ("assign_color", "initial_placement", "take_turn", "game_over")

# What must have come up before the check ends; `MOST_EXTRA_GAMES` bounds the search for it.
CROWDED = "a first placement with few places left"
FORCED_OUT = "a turn in which every option leads off the board"
ONE_WAY = "a turn with a single legal option"
LOOP = "a turn with an option that would loop"
TWINS = "a hand with the same tile twice"
COLLISION = "a turn on the same port as somebody else"
SITUATIONS = (CROWDED, FORCED_OUT, ONE_WAY, LOOP, TWINS, COLLISION)
_PARTICULARS = re.compile("|".join([r"[0-9]+", *COLORS]))
FEW_PLACES = 24
MOST_EXTRA_GAMES = 300


@dataclass(frozen=True)
class Finding:
    """Something that a player does wrong, where it did so first, and how often it did."""

    problem: str
    where: str
    times: int = 1

    def __str__(self) -> str:
        often = f"; {self.times} times in all" if self.times > 1 else ""
        return f"{self.problem} ({self.where}{often})"


@dataclass(frozen=True)
class Table:
    """A kind of game to be played: how many seats are the player's own kind, which tiles come."""

    rules: Rules
    players: int
    own: int = 1
    tiles: Callable[[], Iterable[Tile] | str | None] = lambda: None
    setup: str = "agent"
    told: str = ""

    def __str__(self) -> str:
        size = self.rules.board_size
        return f"{self.rules.name}, {self.players} players, {size}x{size} board{self.told}"


def tables() -> Iterator[Table]:
    """Every kind of game that is played in any case."""
    course, boxed = Rules.course(), Rules.boxed()
    for players in range(2, 9):
        yield Table(course, players)
        yield Table(boxed, players)
    for rules in (course, boxed):
        yield Table(rules, 4, own=3, told=", three of the player's own kind")
        yield Table(rules, 3, setup="random", told=", first placements made by the referee")
    for rules in (Rules.course(4), Rules.course(24), Rules.boxed(4), Rules.boxed(24)):
        yield Table(rules, 2)
    for first, later in ((1, 1), (2, 3), (3, 1)):
        yield Table(Rules.course(7, first, later), 3, told=f", deals of {first} and {later}")
    yield Table(course, 3, tiles=lambda: "cycle", told=", tiles in a cycle")
    yield Table(course, 3, tiles=lambda: itertools.repeat(Tile(4)), told=", all tiles the same")


def extra_tables() -> Iterator[Table]:
    """Small crowded boards, where odd situations come up soon."""
    return itertools.cycle(
        [Table(Rules.course(6), 8), Table(Rules.course(4), 3), Table(Rules.course(5), 4)]
    )


class PlayerCheck:
    """A check that is being made: what was found, and what has been seen so far."""

    def __init__(self, factory: Callable[[], StrategyPlayer], limit: float) -> None:
        self.factory, self.limit = factory, limit
        self.games = 0
        self.questions = 0
        self.slowest = 0.0
        self.seen: Counter[str] = Counter()
        self.stopped = False
        self._found: dict[str, Finding] = {}
        self._player: StrategyPlayer | None = None

    @property
    def findings(self) -> list[Finding]:
        return list(self._found.values())

    def note(self, problem: str, where: str) -> None:
        """A new finding; or one more of a kind, with other tiles or colours."""
        kind = _PARTICULARS.sub("*", problem)
        known = self._found.get(kind)
        self._found[kind] = (
            replace(known, times=known.times + 1) if known else Finding(problem, where)
        )

    def run(self) -> None:
        player = self.new_player()
        if player is None:
            return
        for table in tables():
            self.play(table)
        for table in itertools.islice(extra_tables(), MOST_EXTRA_GAMES):
            if self._found or all(self.seen[thing] for thing in (*SITUATIONS, "drew")):
                break
            self.play(table)
        if isinstance(player, BatchPlayer) and not self.stopped:
            for problem, where in batch_problems(player):
                self.note(problem, where)

    def new_player(self) -> StrategyPlayer | None:
        """A player that can be asked; None, and a finding, if there is none."""
        player = call(self.factory)
        if type(player) is Fault:
            self.note(f"it cannot be made: {player.message}", "before any game")
            return None
        for method in METHODS:
            if not callable(_attribute(player, method)):
                self.note(f"it has no method {method}", "before any game")
                return None
        unhashable = call(hash, player)
        if type(unhashable) is Fault:
            self.note("it cannot be hashed, so no referee can list it", "before any game")
            return None
        made: StrategyPlayer = player
        return made

    def play(self, table: Table) -> None:
        """One game; the same object plays game after game until it breaks a rule."""
        if self.stopped:
            return
        if self._player is None:
            self._player = self.new_player()
        own = [self._player, *(self.new_player() for _ in range(table.own - 1))]
        probes = [Probe(self, player, table) for player in own if player is not None]
        seat = self.games % table.players
        others: list[StrategyPlayer] = [
            RandomPlayer(seed=100 * self.games + other)
            for other in range(table.players - len(probes))
        ]
        seats = [*others[:seat], *probes, *others[seat:]]
        referee = Referee(
            None,
            seats,
            table.tiles(),
            rules=table.rules,
            seed=self.games,
            setup=table.setup,
            time_limit=self.limit,
        )
        self.games += 1
        referee.start_game()
        for probe in probes:
            fault = referee.cheaters.get(probe)
            if fault is not None and fault.reason != "stuck":
                self.note(_in_words(probe, fault), probe.where)
                self._player = None
                self.stopped = self.stopped or fault.reason == "late"


class Probe(StrategyPlayer):
    """Sits in the player's place, hands every call on, and looks at what happens."""

    def __init__(self, check: PlayerCheck, player: StrategyPlayer, table: Table) -> None:
        self.check, self.player, self.table = check, player, table
        self.asked = ""
        self.where = str(table)

    def assign_color(self, color: str, others: Sequence[str]) -> None:
        super().assign_color(color, others)
        self._ask("assign_color", f"told its colour {color}", color, others)

    def initial_placement(self, tiles: Sequence[Tile], board: Board) -> InitialPlacement:
        if len(RuleChecker().legal_spots(board)) <= FEW_PLACES:
            self.check.seen[CROWDED] += 1
        self._look_at_hand(tiles)
        said = f"asked for a first placement with tiles {_list(tiles)}"
        answer: InitialPlacement = self._ask("initial_placement", said, tiles, board)
        return answer

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
        self._look_at_hand(tiles)
        self._look_at_turn(tiles, board)
        said = f"asked for a turn as {self.color} with tiles {_list(tiles)}"
        answer: Tile = self._ask("take_turn", said, tiles, board)
        return answer

    def game_over(self, result: str) -> None:
        # Whoever is out cannot tell whether the last ones will go out in the same round.
        if result == "lost" and not self.check.seen["drew"]:
            result = "drew"
        self.check.seen[result] += 1
        self._ask("game_over", f"told that it {result}", result)

    def _ask(self, method: str, said: str, *given: object) -> Any:
        self.asked = method
        self.where = f"{self.table}, game {self.check.games}: {said}"
        before = copy.deepcopy(given)
        began = time.perf_counter()
        answer = getattr(self.player, method)(*given)
        self.check.slowest = max(self.check.slowest, time.perf_counter() - began)
        self.check.questions += 1
        if given != before:
            self.check.note(f"{method} changes what it is given", self.where)
        return answer

    def _look_at_hand(self, tiles: Sequence[Tile]) -> None:
        if len({tile.index for tile in tiles}) < len(tiles):
            self.check.seen[TWINS] += 1

    def _look_at_turn(self, tiles: Sequence[Tile], board: Board) -> None:
        options = {tile.rotated(degrees) for tile in tiles for degrees in DEGREES}
        outcomes = {option: board.trial(self.color, option) for option in options}
        seen = self.check.seen
        seen[FORCED_OUT] += all(outcome == "EXIT" for outcome in outcomes.values())
        seen[ONE_WAY] += sum(outcome == "FINE" for outcome in outcomes.values()) == 1
        seen[LOOP] += "LOOP" in outcomes.values()
        mine = board.avatar(self.color)
        seen[COLLISION] += sum(avatar == mine for avatar in board.avatars.values()) > 1


def check_player(factory: Callable[[], StrategyPlayer], *, limit: float = 2.0) -> list[Finding]:
    """Everything that the players which `factory` makes do wrong; an empty list if nothing.

    An answer that takes longer than `limit` seconds is a finding, and ends the check.
    """
    check = PlayerCheck(factory, limit)
    check.run()
    return check.findings


def _attribute(player: object, name: str) -> object:
    """The attribute, or None: a player may refuse even to be looked at."""
    found = call(getattr, player, name, None)
    return None if type(found) is Fault else found


def _in_words(probe: Probe, fault: Fault) -> str:
    said = {
        "exception": "raises",
        "late": "is too slow:",
        "malformed": "answers wrongly:",
        "illegal": "breaks a rule:",
    }
    return f"{probe.asked} {said[fault.reason]} {fault.message}"


def _list(tiles: Sequence[Tile]) -> str:
    return ", ".join(str(tile.index) for tile in tiles)
