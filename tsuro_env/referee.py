"""`Referee`: supervises one game. It asks, has the rule checker judge, applies, and moves on.

The referee is a small state machine: `pending` says who is asked for what, `submit` takes the
answer.  `start_game` drives it with players; the PettingZoo environment drives it with actions.
The course of a game (whose turn, who is out, when it ends, who won) is the engine's.
"""

import copy
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsuro_env import record as records
from tsuro_env.answers import read_placement, read_turn
from tsuro_env.board import Board, InitialPlacement
from tsuro_env.engine.batch import THE_ONLY_GAME, act_batch, legal_batch
from tsuro_env.engine.kernels import (
    choose_spot,
    deal,
    expel,
    is_legal,
    legal_spot,
    next_question,
    open_question,
    place_at_random,
    play_tile,
    put_first_tile,
    rank_of,
    start_game,
)
from tsuro_env.engine.state import (
    CLOCK,
    EXCEPTION,
    FACING,
    FIRST_TILE,
    HAND,
    HAND_SIZE,
    ILLEGAL,
    IN,
    LATE,
    LEGAL,
    MALFORMED,
    NOTHING,
    OUT,
    OUT_REASONS,
    OVER,
    PHASE,
    PHASES,
    SPOT,
    START,
    STUCK,
    TILE_ACTIONS,
    TO_MOVE,
    TURN,
    State,
    allocate,
)
from tsuro_env.engine.tables import PORTS
from tsuro_env.errors import ActionError, MalformedError, RulesError, TsuroError
from tsuro_env.guard import Fault, call, type_name, users_interrupts
from tsuro_env.observer import Observer
from tsuro_env.rule_checker import LEGAL as LEGAL_VERDICT
from tsuro_env.rule_checker import RuleChecker, Verdict
from tsuro_env.rules import MAX_PLAYERS, MIN_PLAYERS, Rules
from tsuro_env.supply import GivenSupply
from tsuro_env.tile import Tile, is_whole, port_number

_REASON_CODES = {"illegal": ILLEGAL, "malformed": MALFORMED, "exception": EXCEPTION, "late": LATE}
_ASKED = {"start": "start spot", "first_tile": "first tile", "turn": "tile"}


@dataclass(frozen=True)
class Pending:
    """The open question."""

    seat: int
    color: str
    kind: str
    """"placement" or "turn"."""
    tiles: tuple[Tile, ...]
    board: Board


class Referee:
    """One game from the first question to the ranking.

    players: oldest first; anything hashable when only `submit` is used, else `StrategyPlayer`s.
    tiles: "random" (seeded), "cycle", or any iterator of tiles; in `boxed` the deck (None).
    """

    def __init__(
        self,
        rule_checker: RuleChecker | None,
        players: Sequence[Any],
        tiles: str | Iterable[Tile] | None = None,
        observers: Iterable[Observer] = (),
        *,
        rules: Rules | str = "course",
        seed: int | None = None,
        setup: str = "agent",
        time_limit: float | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.rules = Rules.from_name(rules)
        self.rule_checker = RuleChecker() if rule_checker is None else rule_checker
        self.players = _checked_players(players)
        self.names = _checked_names(names, self.players)
        self.colors = self.rules.colors[: len(self.players)]
        self.seed = secrets.randbits(63) if seed is None else _checked_seed(seed)
        self.setup = setup
        self.time_limit = _checked_time_limit(time_limit)
        self._observers = list(observers)

        supply = self.rules.default_supply if tiles is None else tiles
        if supply == "given":
            raise RulesError("tiles must be 'random', 'cycle' or an iterator of tiles, got 'given'")
        self._given = None if isinstance(supply, str) else GivenSupply(supply)
        self.supply = supply if isinstance(supply, str) else "given"
        self._variant = self.rules.variant(len(self.players), setup, self.supply)
        self._own_rules = type(self.rule_checker) is not RuleChecker
        self._state = allocate(self._variant, 1)
        start_game(self._state, self._variant, 0, np.uint64(self.seed))
        self._moves: list[dict[str, Any]] = []
        self._faults: dict[int, Fault] = {}
        self._after: list[dict[str, Any]] = []
        self._codes = [IN] * len(self.players)  # OUT as last written into the record
        self._announced = False
        self._begun = False
        self._bits_at: dict[int, int] = {}  # of the open question, by a rule checker of one's own

        # What the engine judges and deals by itself, unobserved, is written down when it is wanted.
        self._unwatched = not (self._own_rules or self._given or self._observers)
        self._unwritten: list[int] = []  # the actions since `_state_written`
        self._state_written = self._state
        self._action = np.empty(1, dtype=np.int64)

    # ------------------------------------------------------------------------------ the question

    @property
    def finished(self) -> bool:
        self._begin()
        return bool(self._state.game[0, PHASE] == OVER)

    @property
    def seat_to_move(self) -> int:
        """The seat that is asked, or -1 after the end."""
        self._begin()
        return int(self._state.game[0, TO_MOVE])

    @property
    def pending(self) -> Pending | None:
        """Who is asked for what; None after the end."""
        if self.finished:
            return None
        seat = self.seat_to_move
        turn = self._state.game[0, PHASE] == TURN
        return Pending(
            seat, self.colors[seat], "turn" if turn else "placement", self._hand(seat), self.board
        )

    @property
    def board(self) -> Board:
        """A board of one's own: whatever is done to it does not reach the game."""
        return Board.of_game(self.rules, self._state)

    @property
    def state(self) -> State:
        """The engine's state, a batch of one; for layers that translate it, not to be changed."""
        self._begin()
        return self._state

    def legal_actions(self, unique: bool = False) -> NDArray[np.int8]:
        """The mask of the open question, (num_actions,), 1 for legal; zeros after the end."""
        self._begin()
        legal: NDArray[np.int8] = np.empty((1, self._variant.num_actions), dtype=np.int8)
        state, variant = tuple(self._state), tuple(self._variant)
        legal_batch(state, variant, 0, 1, THE_ONLY_GAME, unique, legal)
        if self._own_rules and self._state.game[0, PHASE] == START:
            for spot in np.flatnonzero(legal[0, TILE_ACTIONS:]):
                legal[0, TILE_ACTIONS + spot] = self._bits_at_spot(int(spot)) != 0
        mask: NDArray[np.int8] = legal[0]
        return mask

    # -------------------------------------------------------------------------------- the answer

    def submit(self, answer: InitialPlacement | Tile) -> Verdict:
        """Judge the answer to the open question, apply it or take the player out, and move on."""
        pending = self._question()
        try:
            if pending.kind == "turn":
                answer = read_turn(answer)
            else:
                answer = read_placement(answer, pending.color, self.rules)
        except MalformedError as error:
            return self._kick(Fault("malformed", str(error)))
        tiles, board = pending.tiles, pending.board
        if isinstance(answer, InitialPlacement):
            verdict = self.rule_checker.check_initial(board, tiles, answer)
        else:
            verdict = self.rule_checker.check_turn(board, pending.color, tiles, answer)
        if verdict and self._own_rules and not (possible := _possible(pending, answer)):
            verdict = possible
        if not verdict:
            return self._kick(Fault("illegal", verdict.reason), answer)
        if isinstance(answer, InitialPlacement):
            self._place(answer)
        else:
            slot = [tile.index for tile in tiles].index(answer.index)
            self._play(slot, answer.degrees // 90)
        return verdict

    def submit_action(self, action: int) -> Verdict:
        """The same for an action: a first placement takes two, the start spot and then the tile."""
        self._must_be_open()
        if not is_whole(action):
            raise ActionError(f"an action is a whole number, got {action!r}")
        return self._act_unwatched(int(action)) if self._unwatched else self._act(int(action))

    def _act(self, action: int) -> Verdict:
        phase = PHASES[self._state.game[0, PHASE]]
        if not self._is_legal(action):
            return self._kick(Fault("illegal", _illegal(action, phase)))
        if phase == "start":
            self._choose_spot(action - TILE_ACTIONS)
        else:
            self._play(action // 4, action % 4)
        return LEGAL_VERDICT

    def _act_unwatched(self, action: int) -> Verdict:
        """The same in one call of the engine; `_write_up` makes good what is left out here."""
        game, seats = self._state.game, self._state.seats
        seat, phase = game.item(0, TO_MOVE), game.item(0, PHASE)
        if not self._unwritten:
            self._state_written = self._state.copy()
        self._unwritten.append(action)
        self._action[0] = action
        act_batch(tuple(self._state), tuple(self._variant), 0, 1, THE_ONLY_GAME, self._action)
        if seats.item(0, seat, OUT) == ILLEGAL:
            return Verdict(False, _illegal(action, PHASES[phase]))
        return LEGAL_VERDICT

    def _write_up(self) -> None:
        """Play what was not watched once more, on a twin that writes it down."""
        if self._unwritten:
            twin = self.copy()
            twin._state, twin._unwritten = self._state_written.copy(), []
            for action in self._unwritten:
                twin._act(action)
            self._moves, self._faults, self._codes = twin._moves, twin._faults, twin._codes
            self._unwritten = []

    def _is_legal(self, action: int) -> bool:
        if self._own_rules:
            return 0 <= action < self._variant.num_actions and bool(self.legal_actions()[action])
        return bool(is_legal(self._state, self._variant, 0, action))

    def kick(self, reason: str, message: str = "") -> None:
        """Take the player who is asked out: "malformed", "exception", "late" or "illegal"."""
        if reason not in _REASON_CODES:
            raise TsuroError(f"reason must be one of {list(_REASON_CODES)}, got {reason!r}")
        self._must_be_open()
        self._kick(Fault(reason, message))

    def disown(self, color: str, reason: str, message: str = "") -> None:
        """Take out somebody who is not being asked: before the first question, or after the end."""
        if color not in self.colors:
            raise TsuroError(f"{color!r} does not play: the colours are {', '.join(self.colors)}")
        if reason not in _REASON_CODES:
            raise TsuroError(f"reason must be one of {list(_REASON_CODES)}, got {reason!r}")
        seat = self.colors.index(color)
        if seat in self._faults:
            raise TsuroError(f"{color} is out already: {self._faults[seat].reason}")
        fault = Fault(reason, message)
        if not self._begun:
            expel(self._state, self._variant, 0, seat, _REASON_CODES[reason])
            self._note(seat, [], None, placed=False, fault=fault, kind="color")
        elif self.finished:
            self._faults[seat] = fault
            self._after.append(records.out_entry(color, *fault))
        else:
            raise TsuroError(f"{color} cannot be disowned in the middle of the game")

    # --------------------------------------------------------------------------- with the players

    def start_game(self) -> list[set[Any]]:
        """Ask the players until the game is over; the ranking, a set for each rank, best first."""
        if self._begun:
            raise TsuroError("this game has begun already: a Referee plays one game")
        with users_interrupts():
            self._announce_game()
            self._assign_colors()
            self._begin()
            while not self.finished:
                pending = self._question()
                player = self.players[pending.seat]
                ask = "take_turn" if pending.kind == "turn" else "initial_placement"
                answer = self._call(player, ask, pending.tiles, pending.board)
                if type(answer) is Fault:
                    self._kick(answer)
                else:
                    self.submit(answer)
            self._announce_results()
        return self.ranking

    @property
    def ranking(self) -> list[set[Any]]:
        """After the end: the players of each rank, best first, without the cheaters."""
        return [{self.players[seat] for seat in seats} for seats in self.ranked_seats]

    @property
    def ranked_seats(self) -> list[list[int]]:
        if not self.finished:
            raise TsuroError("there is no ranking before the game is over")
        by_rank: dict[int, list[int]] = {}
        for seat in range(len(self.players)):
            rank = int(rank_of(self._state, 0, seat))
            if rank > 0 and seat not in self._faults:
                by_rank.setdefault(rank, []).append(seat)
        return [by_rank[rank] for rank in sorted(by_rank)]

    @property
    def cheaters(self) -> dict[Any, Fault]:
        """Who broke a rule or was stuck, and why."""
        self._write_up()
        return {self.players[seat]: fault for seat, fault in self._faults.items()}

    @property
    def out(self) -> dict[str, str]:
        """Why each colour that is out is out."""
        codes = self._state.seats[0, :, OUT].tolist()
        return {
            color: OUT_REASONS[code]
            for color, code in zip(self.colors, codes, strict=True)
            if code != IN
        }

    @property
    def record(self) -> dict[str, Any]:
        """The game so far as JSON values; see `tsuro_env.record`."""
        self._write_up()
        return records.make(
            rules=self.rules,
            rule_checker=type(self.rule_checker).__name__ if self._own_rules else "RuleChecker",
            setup=self.setup,
            supply=self.supply,
            seed=self.seed,
            players=list(zip(self.names, self.colors, strict=True)),
            moves=copy.deepcopy(self._moves),
            after=copy.deepcopy(self._after),
            ranking=self._ranked_colors() if self.finished else None,
            cheaters={self.colors[seat]: fault for seat, fault in self._faults.items()},
        )

    @property
    def moves_made(self) -> int:
        """How many moves the record has so far."""
        self._write_up()
        return len(self._moves)

    def copy(self) -> "Referee":
        """A twin that goes on from here; players and observers stay with the original."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._state = self._state.copy()
        twin._given = copy.deepcopy(self._given)
        twin._moves = list(self._moves)
        twin._faults, twin._codes = dict(self._faults), list(self._codes)
        twin._after, twin._observers = list(self._after), []
        twin._unwritten = list(self._unwritten)
        twin._bits_at = dict(self._bits_at)
        twin._action = np.empty(1, dtype=np.int64)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> "Referee":
        return self.copy()

    # -------------------------------------------------------------------------------- moving on

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            self._announce_game()
            self._advance()

    def _announce_game(self) -> None:
        if not self._announced:
            self._announced = True
            players = dict(zip(self.colors, self.names, strict=True))
            self._tell("game_started", self.rules, players)

    def _must_be_open(self) -> None:
        if self.finished:
            raise TsuroError("the game is over: nobody is asked")

    def _question(self) -> Pending:
        self._must_be_open()
        pending = self.pending
        assert pending is not None
        return pending

    def _advance(self) -> None:
        """Go on until somebody is asked something that he can do, or the game is over."""
        state, variant = self._state, self._variant
        while next_question(state, variant, 0):
            self._deal()
            seat = int(state.game[0, TO_MOVE])
            if state.game[0, PHASE] == START and variant.random_setup:
                self._place_at_random(seat)
            elif self._open_question(seat):
                self._tell_turn_started(seat)
                return
        ranking = self._ranked_colors()
        reasons = {self.colors[seat]: fault.reason for seat, fault in self._faults.items()}
        self._tell("game_over", ranking, reasons)

    def _deal(self) -> None:
        if self._given is None:
            deal(self._state, self._variant, 0)
            return
        first = self._state.game[0, PHASE] == START
        count = self.rules.first_deal if first else self.rules.turn_deal
        tiles = [self._given.take().index for _ in range(count)]
        self._state.seats[0, self._state.game[0, TO_MOVE], HAND : HAND + count] = tiles

    def _open_question(self, seat: int) -> bool:
        dealt = self._dealt(seat)
        self._bits_at = {}
        if self._own_rules:
            able = self._open_by_own_rules(seat)
        else:
            able = bool(open_question(self._state, self._variant, 0))
        if not able:
            self._note(seat, dealt, None, placed=False, fault=Fault("stuck", "no option is legal"))
        return able

    def _open_by_own_rules(self, seat: int) -> bool:
        """What `open_question` does, with the user's rule checker in the engine's place."""
        game = self._state.game
        if game[0, PHASE] == START:
            game[0, LEGAL] = 0
            spots = range(len(self._variant.spots))
            able = any(
                legal_spot(self._state, self._variant, 0, spot) and self._bits_at_spot(spot)
                for spot in spots
            )
        else:
            board, tiles, color = self.board, self._hand(seat), self.colors[seat]
            game[0, LEGAL] = self._bits(
                lambda tile: self.rule_checker.check_turn(board, color, tiles, tile), tiles
            )
            able = bool(game[0, LEGAL] != 0)
        if not able:
            expel(self._state, self._variant, 0, seat, STUCK)
        return able

    def _bits_at_spot(self, spot: int) -> int:
        """The tile actions that the user's rule checker allows after a start action."""
        if spot not in self._bits_at:
            self._bits_at[spot] = self._judge_spot(spot)
        return self._bits_at[spot]

    def _judge_spot(self, spot: int) -> int:
        seat = int(self._state.game[0, TO_MOVE])
        board, tiles = self.board, self._hand(seat)
        placement = self._placement(seat, None, int(self._variant.spots[spot]))
        if self.rules.is_boxed:
            return int(self.rule_checker.check_initial(board, tiles, placement).legal)
        return self._bits(
            lambda tile: self.rule_checker.check_initial(
                board, tiles, InitialPlacement(tile, *_where(placement))
            ),
            tiles,
        )

    @staticmethod
    def _bits(judge: Any, tiles: Sequence[Tile]) -> int:
        options = [Tile.of(4 * tile.index + rotation) for tile in tiles for rotation in range(4)]
        return sum(1 << action for action, tile in enumerate(options) if judge(tile))

    # ------------------------------------------------------------------------- applying an answer

    def _choose_spot(self, spot: int) -> None:
        seat = self.seat_to_move
        dealt = self._dealt(seat)
        bits = self._bits_at_spot(spot) if self._own_rules else 0
        choose_spot(self._state, self._variant, 0, spot)
        if self.rules.is_boxed:
            placement = self._placement(seat, None, int(self._variant.spots[spot]))
            self._note(seat, dealt, placement, placed=True)
            self._advance()
        elif self._own_rules:
            self._state.game[0, LEGAL] = bits

    def _place(self, placement: InitialPlacement) -> None:
        seat = self.seat_to_move
        dealt = self._dealt(seat)
        half_edge = self._half_edge(placement)
        if placement.tile is None:
            self._state.seats[0, seat, FACING] = half_edge
        else:
            orientation = placement.tile.orientation
            put_first_tile(self._state, self._variant, 0, seat, half_edge, orientation)
        self._state.game[0, SPOT] = NOTHING
        self._note(seat, dealt, placement, placed=True)
        self._advance()

    def _play(self, slot: int, rotation: int) -> None:
        seat = self.seat_to_move
        dealt = self._dealt(seat)
        tile = Tile.of(4 * dealt[slot] + rotation)
        answer: InitialPlacement | Tile = tile
        if self._state.game[0, PHASE] == FIRST_TILE:
            spot = int(self._variant.spots[self._state.game[0, SPOT]])
            answer = self._placement(seat, tile, spot)
        laid = play_tile(self._state, self._variant, 0, slot, rotation)
        self._note(seat, dealt, answer, placed=bool(laid))
        self._advance()

    def _place_at_random(self, seat: int) -> None:
        dealt = self._dealt(seat)
        place_at_random(self._state, self._variant, 0)
        if self._state.seats[0, seat, OUT] != IN:
            self._note(seat, dealt, None, placed=False, fault=Fault("stuck", "no spot is legal"))
            return
        half_edge, tile = int(self._state.seats[0, seat, FACING]), None
        if not self.rules.is_boxed:
            half_edge = int(self._variant.fresh_links[half_edge])
            tile = Tile.of(self._state.tiles[0, half_edge // 8])
        self._note(seat, dealt, self._placement(seat, tile, half_edge), placed=True)

    def _kick(self, fault: Fault, answer: InitialPlacement | Tile | None = None) -> Verdict:
        seat = self.seat_to_move
        dealt = self._dealt(seat)
        expel(self._state, self._variant, 0, seat, _REASON_CODES[fault.reason])
        self._note(seat, dealt, answer, placed=False, fault=fault)
        self._advance()
        return Verdict(False, fault.message)

    def _note(
        self,
        seat: int,
        dealt: list[int],
        answer: InitialPlacement | Tile | None,
        *,
        placed: bool,
        fault: Fault | None = None,
        kind: str = "",
    ) -> None:
        """Write the move into the record, with everybody who is newly out; tell the observers."""
        self._write_up()
        color = self.colors[seat]
        codes = self._state.seats[0, :, OUT].tolist()
        out = []
        if codes != self._codes:
            for other, (before, now) in enumerate(zip(self._codes, codes, strict=True)):
                if before != now:
                    detail = fault.message if fault and other == seat else ""
                    out.append(records.out_entry(self.colors[other], OUT_REASONS[now], detail))
            self._codes = codes
        if fault:
            self._faults[seat] = fault
        turn = self._state.game[0, PHASE] == TURN
        self._moves.append(
            {
                "round": int(self._state.game[0, CLOCK]),
                "color": color,
                "kind": kind or ("turn" if turn else "placement"),
                "dealt": dealt,
                "answer": records.encode_answer(answer),
                "placed": placed,
                "out": out,
            }
        )
        if self._observers:
            if kind != "color":  # nobody was asked for anything
                self._tell("turn_ended", color, answer, self.board)
            for entry in out:
                self._tell("player_out", entry["color"], entry["reason"])

    # ------------------------------------------------------------------------------ translation

    def _dealt(self, seat: int) -> list[int]:
        hand = self._state.seats[0, seat, HAND : HAND + HAND_SIZE].tolist()
        return [tile for tile in hand if tile != NOTHING]

    def _hand(self, seat: int) -> tuple[Tile, ...]:
        return tuple(Tile.of(4 * tile) for tile in self._dealt(seat))

    def _placement(self, seat: int, tile: Tile | None, half_edge: int) -> InitialPlacement:
        square, port = divmod(half_edge, 8)
        y, x = divmod(square, self.rules.board_size)
        return InitialPlacement(tile, self.colors[seat], PORTS[port], x, y)

    def _half_edge(self, placement: InitialPlacement) -> int:
        square = placement.y * self.rules.board_size + placement.x
        return 8 * square + port_number(placement.port)

    def _ranked_colors(self) -> list[list[str]]:
        return [[self.colors[seat] for seat in seats] for seats in self.ranked_seats]

    # ------------------------------------------------------------------------------- guarded calls

    def _call(self, player: Any, method: str, *arguments: Any) -> Any:
        def ask() -> Any:
            return getattr(player, method)(*arguments)

        return call(ask, limit=self.time_limit)

    def _assign_colors(self) -> None:
        for player, color in zip(self.players, self.colors, strict=True):
            others = tuple(other for other in self.colors if other != color)
            answer = self._call(player, "assign_color", color, others)
            if type(answer) is Fault:
                self.disown(color, *answer)

    def _announce_results(self) -> None:
        """Everybody who did not cheat is told; whoever fails in that call is a cheater too."""
        for rank, seats in enumerate(self.ranked_seats):
            result = "lost" if rank else "won" if len(seats) == 1 else "drew"
            for seat in seats:
                answer = self._call(self.players[seat], "game_over", result)
                if type(answer) is Fault:
                    self.disown(self.colors[seat], *answer)

    def _tell_turn_started(self, seat: int) -> None:
        if self._observers:
            self._tell("turn_started", self.colors[seat], self._hand(seat), self.board)

    def _tell(self, method: str, *arguments: Any) -> None:
        for observer in list(self._observers):
            if type(self._call(observer, method, *arguments)) is Fault:
                self._observers = [other for other in self._observers if other is not observer]


def _illegal(action: int, phase: str) -> str:
    return f"action {action} is not legal when asked for a {_ASKED[phase]}"


def _where(placement: InitialPlacement) -> tuple[str, str, int, int]:
    return placement.color, placement.port, placement.x, placement.y


def _possible(pending: Pending, answer: InitialPlacement | Tile) -> Verdict:
    """Whether an answer that a rule checker of somebody's own allows can be done on a table."""
    if isinstance(answer, Tile):
        dealt = any(tile.index == answer.index for tile in pending.tiles)
        return LEGAL_VERDICT if dealt else Verdict(False, f"{answer!r} was not dealt")
    try:
        pending.board.place_initial(answer)
    except TsuroError as error:
        return Verdict(False, str(error))
    return LEGAL_VERDICT


def _checked_players(players: Sequence[Any]) -> tuple[Any, ...]:
    players = tuple(players)
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise RulesError(f"a game has {MIN_PLAYERS} to {MAX_PLAYERS} players, got {len(players)}")
    for player in players:
        if type(call(hash, player)) is Fault:
            raise RulesError(f"players must be hashable, {type_name(player)} is not")
    if call(lambda: len(set(players))) != len(players):
        raise RulesError("two seats have the same player: make one object for each seat")
    return players


def _checked_names(names: Sequence[str] | None, players: Sequence[Any]) -> tuple[str, ...]:
    if names is None:
        return tuple(p if type(p) is str else type_name(p) for p in players)
    if len(names) != len(players):
        raise RulesError(f"{len(players)} players need as many names, got {len(names)}")
    for name in names:
        if not isinstance(name, str):
            raise RulesError(f"a name is a text, got {name!r}")
    return tuple(names)


def _checked_time_limit(limit: float | None) -> float | None:
    number = isinstance(limit, int | float) and not isinstance(limit, bool)
    if limit is not None and not (number and limit > 0):
        raise RulesError(f"time_limit must be a positive number of seconds, got {limit!r}")
    return limit


def _checked_seed(seed: int) -> int:
    if not is_whole(seed) or not 0 <= seed < 2**64:
        raise RulesError(f"a seed is a whole number from 0 to 2**64 - 1, got {seed!r}")
    return int(seed)
