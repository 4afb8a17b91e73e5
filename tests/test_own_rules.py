"""Referees with a judge, tiles and observers of somebody's own: corners that once were wrong."""

import threading
from typing import Any

import numpy as np
import pytest

from tests.players import Honest
from tsuro_env import (
    Board,
    BoardError,
    InitialPlacement,
    Observer,
    Referee,
    RuleChecker,
    Rules,
    RulesError,
    StrategyPlayer,
    Tile,
    TileError,
    TsuroError,
    Verdict,
    replay,
    tsuro_v0,
)


class CountingChecker(RuleChecker):
    def __init__(self) -> None:
        self.placements = 0

    def check_initial(self, board: Board, tiles: Any, placement: InitialPlacement) -> Verdict:
        self.placements += 1
        return super().check_initial(board, tiles, placement)


def test_an_own_checker_judges_each_first_placement_once() -> None:
    checker = CountingChecker()
    referee = Referee(checker, ["one", "two"], seed=3)
    for _ in range(3):
        action = 12 + int(referee.legal_actions()[12:].argmax())
    referee.submit_action(action)
    referee.legal_actions()
    assert checker.placements <= 208 * 12


def test_clones_in_threads_do_not_play_each_others_actions() -> None:
    env = tsuro_v0.env(num_players=2)
    env.reset(seed=5)
    clones = [env.clone() for _ in range(4)]
    assert len({id(clone.referee._action) for clone in [env, *clones]}) == 5
    reasons: list[Any] = []

    def play(clone: Any, seed: int) -> None:
        random = np.random.default_rng(seed)
        while clone.agents and not clone.referee.finished:
            clone.step(random.choice(np.flatnonzero(clone.action_masks())))
        reasons.extend(clone.referee.out.values())

    threads = [threading.Thread(target=play, args=(c, i)) for i, c in enumerate(clones)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "illegal" not in reasons


class FailsAtOnce(StrategyPlayer):
    def assign_color(self, color: str, others: Any) -> None:
        raise RuntimeError("no colour for me")


class Diary(Observer):
    def __init__(self) -> None:
        self.entries: list[str] = []

    def game_started(self, rules: Any, players: Any) -> None:
        self.entries.append("started")

    def turn_ended(self, color: str, answer: Any, board: Any) -> None:
        self.entries.append(f"turn of {color}")

    def player_out(self, color: str, reason: str) -> None:
        self.entries.append(f"{color} out: {reason}")


def test_observers_hear_of_the_game_before_anybody_is_out_of_it() -> None:
    diary = Diary()
    Referee(None, [FailsAtOnce(), Honest(), Honest()], observers=[diary]).start_game()
    assert diary.entries[:2] == ["started", "white out: exception"]
    assert diary.entries[2] == "turn of black"


def test_a_supply_called_given_is_refused() -> None:
    with pytest.raises(RulesError, match="'given'"):
        Referee(None, ["one", "two"], "given")


def test_an_unfinished_game_with_given_tiles_replays_as_far_as_it_goes() -> None:
    tiles = (Tile(index % 35) for index in range(1000))
    referee = Referee(None, ["one", "two"], tiles)
    for _ in range(6):
        referee.submit_action(int(referee.legal_actions().argmax()))
    record = referee.record
    assert record["ranking"] is None
    assert replay(record).record["moves"] == record["moves"]


def test_nobody_is_disowned_twice_for_no_reason_or_under_a_wrong_name() -> None:
    referee = Referee(None, ["one", "two", "three"])
    referee.disown("white", "late")
    for color, reason in [("white", "late"), ("purple", "late"), ("black", "boredom")]:
        with pytest.raises(TsuroError):
            referee.disown(color, reason)


def test_what_is_no_tile_or_placement_is_a_typed_error() -> None:
    board = Board.empty("boxed")
    assert board.rules == Rules.boxed()
    nothing: Any = None
    with pytest.raises(BoardError, match="None"):
        board.place_initial(nothing)
    with pytest.raises(BoardError, match="None"):
        RuleChecker().check_initial(board, [Tile(0)], nothing)
    numbers: Any = [0, 1]
    with pytest.raises(TileError, match="got 0"):
        RuleChecker().legal_turns(board, "white", numbers)
