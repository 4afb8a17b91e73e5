"""What a referee can be given: tiles, rules, limits, names; and being copied in mid-game."""

import copy
import itertools
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from tests.players import Honest, Notebook
from tsuro_env import (
    Board,
    Fault,
    InitialPlacement,
    Referee,
    RuleChecker,
    Rules,
    RulesError,
    SupplyError,
    Tile,
    TsuroError,
    Verdict,
    replay,
)


def players(count: int = 3) -> list[Honest]:
    return [Honest() for _ in range(count)]


def play_out(referee: Referee) -> Referee:
    """Go on with the first legal action until the end."""
    while not referee.finished:
        referee.submit_action(int(referee.legal_actions().argmax()))
    return referee


# ------------------------------------------------------------------------------------- the supply


def test_the_cycle_deals_the_tiles_in_order_through_the_whole_game() -> None:
    referee = Referee(None, players(), "cycle", seed=1)
    referee.start_game()
    dealt = [index for move in referee.record["moves"] for index in move["dealt"]]
    assert dealt == [number % 35 for number in range(len(dealt))]


def test_the_random_supply_follows_the_seed() -> None:
    dealt = []
    for seed in (1, 1, 2):
        referee = Referee(None, players(), "random", seed=seed)
        referee.start_game()
        dealt.append([move["dealt"] for move in referee.record["moves"]])
    assert dealt[0] == dealt[1] != dealt[2]


def test_without_a_seed_every_game_is_another() -> None:
    assert Referee(None, players()).seed != Referee(None, players()).seed


def test_any_iterator_of_tiles_is_a_supply_and_no_tile_is_taken_too_early() -> None:
    given = 0

    def supply() -> Iterator[Tile]:
        nonlocal given
        for index in itertools.cycle(range(35)):
            given += 1
            yield Tile(index)

    referee = Referee(None, ["a", "b"], supply(), seed=1)
    assert given == 0
    assert referee.pending is not None
    assert given == 3
    by_cycle = play_out(Referee(None, ["a", "b"], "cycle", seed=1)).record
    by_hand = play_out(referee).record
    assert by_hand["moves"] == by_cycle["moves"]
    assert given == sum(len(move["dealt"]) for move in by_hand["moves"])


def test_a_turned_tile_of_the_supply_is_dealt_unturned() -> None:
    referee = Referee(None, ["a", "b"], itertools.repeat(Tile(5, 90)), seed=1)
    assert referee.pending is not None
    assert referee.pending.tiles == (Tile(5), Tile(5), Tile(5))


@pytest.mark.parametrize("tiles", [0, 2, 5, 9, 12])
def test_a_supply_that_runs_dry_ends_the_game_with_an_error(tiles: int) -> None:
    supply = (Tile(index) for index in range(tiles))
    referee = Referee(None, players(), supply, seed=1)
    with pytest.raises(SupplyError, match=f"the tile supply ran dry after {tiles} tiles"):
        referee.start_game()
    assert referee.record["ranking"] is None


@pytest.mark.parametrize("thing", [None, 3, "Tile(3, 0)", (3, 0)])
def test_a_supply_of_something_else_ends_the_game_with_an_error(thing: Any) -> None:
    referee = Referee(None, players(), iter([Tile(0), thing]), seed=1)
    with pytest.raises(SupplyError, match="which is no Tile") as error:
        referee.start_game()
    assert repr(thing) in str(error.value)


def test_an_error_of_the_supply_itself_comes_through() -> None:
    def supply() -> Iterator[Tile]:
        yield Tile(0)
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        Referee(None, players(), supply(), seed=1).start_game()


# ---------------------------------------------------------------------- a rule checker of one's own


class OnlyUnturned(RuleChecker):
    """Nobody may turn a tile."""

    def check_initial(self, board: Board, tiles: Any, placement: InitialPlacement) -> Verdict:
        if placement.tile is not None and placement.tile.degrees:
            return Verdict(False, "turned")
        return super().check_initial(board, tiles, placement)

    def check_turn(self, board: Board, color: str, tiles: Any, tile: Tile) -> Verdict:
        if tile.degrees:
            return Verdict(False, "turned")
        return super().check_turn(board, color, tiles, tile)


@pytest.mark.parametrize("seed", range(4))
def test_the_given_rule_checker_decides_masks_and_answers(seed: int) -> None:
    referee = Referee(OnlyUnturned(), ["a", "b", "c"], rules=Rules.course(6), seed=seed)
    while not referee.finished:
        legal = referee.legal_actions()
        assert legal.any()
        assert all(
            referee._hand(referee.seat_to_move)[a // 4].rotated(90 * (a % 4)).degrees == 0
            for a in legal[:12].nonzero()[0]
        )
        referee.submit_action(int(legal.nonzero()[0][-1]))
    assert set(referee.out.values()) <= {"exit", "loop", "stuck"}
    assert referee.record["rule_checker"] == "OnlyUnturned"
    assert replay(referee.record, OnlyUnturned()).record == referee.record


def test_an_answer_that_only_the_given_rule_checker_forbids_is_illegal() -> None:
    referee = Referee(OnlyUnturned(), ["a", "b"], "cycle", seed=1)
    verdict = referee.submit(InitialPlacement(Tile(0, 90), "white", "E", 4, 0))
    assert verdict == Verdict(False, "turned")
    assert referee.cheaters == {"a": Fault("illegal", "turned")}


def test_whoever_may_do_nothing_by_the_given_rules_is_stuck() -> None:
    class NobodyMoves(RuleChecker):
        def check_turn(self, *_: Any) -> Verdict:
            return Verdict(False, "stay")

    referee = Referee(NobodyMoves(), players(), seed=1)
    ranking = referee.start_game()
    assert [fault.reason for fault in referee.cheaters.values()] == ["stuck", "stuck"]
    assert ranking == [{referee.players[2]}]


# ----------------------------------------------------------------------------------------- kicking


@pytest.mark.parametrize("reason", ["illegal", "malformed", "exception", "late"])
@pytest.mark.parametrize("rules", ["course", "boxed"])
def test_the_player_who_is_asked_can_be_taken_out(reason: str, rules: str) -> None:
    referee = Referee(None, ["a", "b", "c"], rules=rules, seed=1)
    referee.submit_action(12)
    asked = referee.seat_to_move
    referee.kick(reason, "because")
    assert referee.out == {referee.colors[asked]: reason}
    assert referee.cheaters == {"abc"[asked]: Fault(reason, "because")}
    record = play_out(referee).record
    assert replay(record).record == record


@pytest.mark.parametrize("reason", ["stuck", "exit", "loop", "bored", "", None])
def test_there_is_no_other_reason_to_be_kicked(reason: Any) -> None:
    with pytest.raises(TsuroError, match="reason must be one of") as error:
        Referee(None, ["a", "b"], seed=1).kick(reason)
    assert repr(reason) in str(error.value)


def test_in_the_middle_of_a_game_only_the_one_who_is_asked_can_be_taken_out() -> None:
    referee = Referee(None, ["a", "b", "c"], seed=1)
    referee.submit_action(12)
    with pytest.raises(TsuroError, match="red cannot be disowned in the middle of the game"):
        referee.disown("red", "late")


# ----------------------------------------------------------------------------------------- copying


@pytest.mark.parametrize("supply", ["random", "cycle", "given"])
@pytest.mark.parametrize("copier", [Referee.copy, copy.deepcopy, copy.copy])
def test_a_copied_referee_goes_on_by_itself_and_in_the_same_way(supply: str, copier: Any) -> None:
    tiles = (Tile(index) for index in itertools.cycle(range(34, -1, -1)))
    referee = Referee(None, ["a", "b", "c"], tiles if supply == "given" else supply, seed=1)
    for _ in range(9):
        referee.submit_action(int(referee.legal_actions().argmax()))
    twin = copier(referee)
    before = referee.record
    assert twin.record == before
    play_out(twin)
    assert referee.record == before
    assert play_out(referee).record == twin.record


@pytest.mark.parametrize("rules", ["course", "boxed"])
def test_a_pickled_referee_goes_on_in_the_same_way(rules: str) -> None:
    referee = Referee(None, ["a", "b", "c"], rules=rules, seed=1)
    for _ in range(9):
        referee.submit_action(int(referee.legal_actions().argmax()))
    twin = pickle.loads(pickle.dumps(referee))
    assert play_out(twin).record == play_out(referee).record


def test_a_copy_can_take_another_turn() -> None:
    referee = Referee(None, ["a", "b", "c"], seed=1)
    for _ in range(9):
        referee.submit_action(int(referee.legal_actions().argmax()))
    twin = referee.copy()
    twin.kick("late")
    assert (referee.out, referee.cheaters) == ({}, {})
    assert twin.out
    assert referee.submit_action(int(referee.legal_actions().argmax()))


def test_observers_stay_with_the_original() -> None:
    notebook = Notebook()
    referee = Referee(None, ["a", "b"], observers=[notebook], seed=1)
    referee.submit_action(12)
    told = list(notebook.told)
    play_out(referee.copy())
    assert notebook.told == told


# ------------------------------------------------------------------------------------ wrong set-up


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": ["a"]}, "2 to 8 players, got 1"),
        ({"players": list("abcdefghi")}, "2 to 8 players, got 9"),
        ({"rules": "chess"}, "got 'chess'"),
        ({"seed": -1}, "a seed .* got -1"),
        ({"seed": 2**64}, "a seed .* got 18446744073709551616"),
        ({"seed": 1.5}, "a seed .* got 1.5"),
        ({"seed": "1"}, "a seed .* got '1'"),
        ({"setup": "mine"}, "got 'mine'"),
        ({"tiles": "deck"}, "got 'deck'"),
        ({"tiles": "cycle", "rules": "boxed"}, "got 'cycle'"),
        ({"tiles": iter([]), "rules": "boxed"}, "got 'given'"),
        ({"tiles": 5}, "an iterator of tiles, got 5"),
        ({"time_limit": 0}, "time_limit must be a positive number of seconds, got 0"),
        ({"time_limit": -1.0}, "time_limit .* got -1.0"),
        ({"time_limit": "1"}, "time_limit .* got '1'"),
        ({"time_limit": float("nan")}, "time_limit .* got nan"),
        ({"names": ["a"]}, "2 players need as many names, got 1"),
        ({"names": ["a", 2]}, "a name is a text, got 2"),
    ],
)
def test_what_makes_no_game_is_an_error_at_once(options: dict[str, Any], message: str) -> None:
    given = {"players": ["a", "b"], **options}
    with pytest.raises(TsuroError, match=message):
        Referee(None, **given)


def test_a_player_may_not_have_two_seats() -> None:
    player = Honest()
    with pytest.raises(RulesError, match="one object for each seat"):
        Referee(None, [player, player])


def test_names_are_those_given_or_the_players_own() -> None:
    assert Referee(None, ["Ann", Honest()]).names == ("Ann", "Honest")
    assert Referee(None, [1, 2], names=["one", "two"]).names == ("one", "two")
