"""Players who are late or meddle, strange objects as players, and observers that fail."""

import threading
import time
from typing import Any

import pytest

from tests.players import (
    Bomb,
    Deed,
    Honest,
    NamelessError,
    Notebook,
    OwnBaseError,
    Rogue,
    forged_placement,
    play_against,
    tile_not_dealt,
)
from tsuro_env import Board, Fault, Referee, RuleChecker, RulesError, Tile, Verdict, replay

# ------------------------------------------------------------------------------------- being late


def test_whoever_sleeps_past_the_limit_is_late_and_not_waited_for() -> None:
    awake = threading.Event()

    def oversleep(honest: Tile, *_: Any) -> Tile:
        awake.wait(20)
        return honest

    rogue = Rogue("take_turn", oversleep, after=1)
    before = time.monotonic()
    referee = play_against(rogue, time_limit=0.2)
    assert time.monotonic() - before < 10
    assert referee.cheaters[rogue] == Fault("late", "no answer within 0.2 s")
    calls = list(rogue.called)
    awake.set()
    time.sleep(0.05)
    assert rogue.called == calls


@pytest.mark.parametrize("method", ["assign_color", "initial_placement", "game_over"])
def test_the_limit_holds_for_every_call(method: str) -> None:
    awake = threading.Event()
    rogue = Rogue(method, lambda *_: awake.wait(20))
    referee = play_against(rogue, time_limit=0.2)
    assert referee.cheaters[rogue].reason == "late"
    awake.set()


@pytest.mark.parametrize("limit", [1e6, 1e300, float("inf")])
def test_a_limit_may_be_as_long_as_one_likes(limit: float) -> None:
    referee = Referee(None, [Honest(), Honest()], seed=5, time_limit=limit)
    assert referee.start_game()
    assert referee.cheaters == {}


# ------------------------------------------------------------------------ meddling with the game


def scribble(board: Board) -> None:
    for field in board._state:
        field[...] = 1


def test_a_board_that_was_scribbled_on_is_the_players_own() -> None:
    def deed(honest: Any, _: Any, board: Board) -> Any:
        scribble(board)
        return honest

    rogue = Rogue("take_turn", deed)
    referees = [Referee(None, [Honest(), player, Honest()], seed=5) for player in (Honest(), rogue)]
    for referee in referees:
        referee.start_game()
    assert referees[0].record["moves"] == referees[1].record["moves"]
    assert referees[1].cheaters == {}


@pytest.mark.parametrize("name", ["_state", "_rules", "size"])
def test_setting_an_attribute_of_the_board_is_an_exception(name: str) -> None:
    rogue = Rogue("take_turn", lambda _, __, board: setattr(board, name, None))
    referee = play_against(rogue)
    assert referee.cheaters[rogue].reason == "exception"
    assert "a Board does not change" in referee.cheaters[rogue].message


@pytest.mark.parametrize("table", ["fresh_links", "spots"])
def test_the_tables_of_the_engine_cannot_be_written_through_a_board(table: str) -> None:
    def deed(_: Any, __: Any, board: Board) -> None:
        getattr(board._variant, table)[:] = 0

    rogue = Rogue("take_turn", deed)
    referee = play_against(rogue)
    assert "read-only" in referee.cheaters[rogue].message


def test_a_tile_that_was_forged_by_force_is_the_players_own() -> None:
    def deed(honest: Tile, tiles: tuple[Tile, ...], board: Board) -> Tile:
        for tile in (*tiles, *board.tiles.values(), honest):
            object.__setattr__(tile, "index", 33)
        return honest

    rogue = Rogue("take_turn", deed)
    referee = play_against(rogue)
    assert referee.cheaters[rogue].reason == "illegal"
    assert [Tile.of(4 * index).index for index in range(35)] == list(range(35))


def test_a_board_can_be_asked_after_the_game_and_is_as_it_was() -> None:
    kept: list[tuple[Board, dict[tuple[int, int], Tile]]] = []

    def keep(honest: Any, _: Any, board: Board) -> Any:
        kept.append((board, board.tiles))
        return honest

    player = Rogue("take_turn", keep)
    referee = Referee(None, [Honest(), player, Honest()], seed=5)
    referee.start_game()
    record = referee.record
    for board, tiles in kept:
        assert board.tiles == tiles
        assert board.avatar("black") is not None
        board.place_tile("black", Tile(2))
        scribble(board)
    assert len(kept) > 1
    assert referee.record == record


# ---------------------------------------------------------------------- players of a strange kind


def test_an_object_without_the_methods_is_out_at_once() -> None:
    rogue = object()
    referee = play_against(rogue)
    assert referee.cheaters[rogue].reason == "exception"


def test_a_player_whose_attributes_raise_is_out() -> None:
    class Closed:
        def __getattribute__(self, name: str) -> Any:
            raise OwnBaseError(name)

    rogue = Closed()
    referee = play_against(rogue)
    assert referee.cheaters[rogue] == Fault("exception", "OwnBaseError: assign_color")
    assert referee.names[1] == "Closed"


def test_a_player_whose_equality_raises_plays_like_any_other() -> None:
    class Unequal(Honest):
        def __eq__(self, other: object) -> bool:
            raise OwnBaseError("eq")

        __hash__ = object.__hash__

    player = Unequal()
    referee = Referee(None, [Honest(), player, Honest()], seed=5)
    ranking = referee.start_game()
    assert any(player is somebody for rank in ranking for somebody in rank)


def test_a_player_that_cannot_be_hashed_gets_no_seat() -> None:
    class Unhashed(Honest):
        def __hash__(self) -> int:
            raise OwnBaseError("hash")

    class Unhashable(Honest):
        __hash__ = None  # type: ignore[assignment]

    for player in (Unhashed(), Unhashable(), Bomb()):
        with pytest.raises(RulesError, match=r"players must be hashable, .* is not"):
            Referee(None, [Honest(), player])


def test_two_players_that_are_equal_get_no_seats() -> None:
    class Alike(Honest):
        def __eq__(self, other: object) -> bool:
            return isinstance(other, Alike)

        def __hash__(self) -> int:
            return 1

    twin = Honest()
    for players in ([twin, twin], [Alike(), Alike()], ["x" * 2, "xx"]):
        with pytest.raises(RulesError, match="one object for each seat"):
            Referee(None, players)


# ------------------------------------------------------------- hostile players and careless rules


class AnythingGoes(RuleChecker):
    def check_initial(self, *_: Any) -> Verdict:
        return Verdict(True)

    def check_turn(self, *_: Any) -> Verdict:
        return Verdict(True)


@pytest.mark.parametrize(
    ("method", "deed"),
    [
        ("initial_placement", forged_placement(x=1, y=0)),
        ("initial_placement", forged_placement(x=2, y=0)),
        ("initial_placement", forged_placement(port="A")),
        ("take_turn", tile_not_dealt),
    ],
)
def test_what_cannot_be_done_on_a_table_is_illegal_whatever_the_rule_checker_says(
    method: str, deed: Deed
) -> None:
    rogue = Rogue(method, deed)
    referee = Referee(AnythingGoes(), [Honest(), rogue, Honest()], seed=5)
    referee.start_game()
    assert referee.cheaters[rogue].reason == "illegal"
    assert list(referee.cheaters) == [rogue]
    assert replay(referee.record, AnythingGoes()).record == referee.record


@pytest.mark.parametrize(
    "kind", ["game_started", "turn_started", "turn_ended", "player_out", "game_over"]
)
@pytest.mark.parametrize(
    "error",
    [SystemExit(), KeyboardInterrupt(), OwnBaseError(), NamelessError()],
    ids=["SystemExit", "KeyboardInterrupt", "own", "nameless"],
)
def test_a_failing_observer_is_dropped_and_nobody_else(kind: str, error: BaseException) -> None:
    class Failing(Notebook):
        def __getattribute__(self, name: str) -> Any:
            if name == kind:
                raise error
            return super().__getattribute__(name)

        def __eq__(self, other: object) -> bool:
            raise OwnBaseError("eq")

        __hash__ = object.__hash__

    failing, notebooks = Failing(), [Notebook(), Notebook()]
    observers = [notebooks[0], failing, notebooks[1]]
    referee = Referee(None, [Honest(), Honest(), Honest()], observers=observers, seed=5)
    referee.start_game()
    assert referee.cheaters == {}
    assert kind not in {note[0] for note in failing.told}
    assert notebooks[0].told == notebooks[1].told
    assert notebooks[0].told[-1][0] == "game_over"
