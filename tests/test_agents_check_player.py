"""The test kit for players: it finds nothing wrong with good ones, and what bad ones do wrong."""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from agents.random_player import RandomPlayer
from agents.scripted import FirstPlayer, SecondPlayer
from agents.testing import SITUATIONS, Finding, PlayerCheck, check_player
from tests.players import Bomb, Deed, Rogue, answering, raising, tile_not_dealt
from tsuro_cli.main import main
from tsuro_env import Board, GameBatch, InitialPlacement, StrategyPlayer, Tile
from tsuro_env.engine.state import HAND, TO_MOVE


def problems(factory: Callable[[], Any], limit: float = 2.0) -> list[str]:
    return [finding.problem for finding in check_player(factory, limit=limit)]


@pytest.mark.parametrize("name", ["random", "second", "third", "greedy"])
def test_nothing_is_wrong_with_the_built_in_players(name: str) -> None:
    assert check_player(lambda: agents.make(name), limit=30.0) == []  # the machine may be busy


def test_every_odd_situation_and_every_result_comes_up() -> None:
    check = PlayerCheck(SecondPlayer, limit=2.0)
    check.run()
    assert {*SITUATIONS, "won", "lost", "drew"} <= {thing for thing, n in check.seen.items() if n}
    assert check.games >= 30
    assert check.questions > check.games


def test_the_same_object_plays_several_games_and_then_others_of_its_kind_join() -> None:
    made: list[SecondPlayer] = []

    class Counted(SecondPlayer):
        def __init__(self) -> None:
            made.append(self)
            self.games = 0

        def assign_color(self, color: str, others: Sequence[str]) -> None:
            super().assign_color(color, others)
            self.games += 1

    assert check_player(Counted) == []
    games = sorted(player.games for player in made)  # type: ignore[attr-defined]
    assert games[-1] > 20
    assert games.count(1) >= 4  # two tables with three of the kind


def test_a_rule_broken_with_many_tiles_is_one_finding_with_an_example() -> None:
    found = check_player(FirstPlayer)
    assert 1 <= len(found) <= 2
    assert "take_turn breaks a rule: Tile(" in found[0].problem
    assert "off the board, but" in found[0].problem
    assert "asked for a turn as" in found[0].where
    assert found[0].times > 10
    assert str(found[0]).endswith(f"; {found[0].times} times in all)")


def test_a_finding_reads_as_one_sentence() -> None:
    assert str(Finding("it sleeps", "in the morning")) == "it sleeps (in the morning)"


DEEDS: list[tuple[str, Deed, str]] = [
    ("assign_color", raising(ValueError("no")), "assign_color raises ValueError: no"),
    ("initial_placement", raising(SystemExit(2)), "initial_placement raises SystemExit: 2"),
    ("take_turn", raising(KeyError("x")), "take_turn raises KeyError: 'x'"),
    ("game_over", raising(RuntimeError("sulks")), "game_over raises RuntimeError: sulks"),
    ("take_turn", answering(None), "take_turn answers wrongly: expected a Tile, got None"),
    ("take_turn", answering(3), "take_turn answers wrongly: expected a Tile, got a int"),
    ("initial_placement", answering("e4"), "initial_placement answers wrongly: expected an"),
    ("take_turn", tile_not_dealt, "is none of the tiles dealt"),
]


@pytest.mark.parametrize(("method", "deed", "said"), DEEDS)
def test_what_a_player_does_wrong_in_any_call_is_said(method: str, deed: Deed, said: str) -> None:
    found = problems(lambda: Rogue(method, deed))
    assert any(said in problem for problem in found), found


def test_a_fault_that_shows_only_in_a_second_game_is_found() -> None:
    class Forgetful(SecondPlayer):
        used = False

        def initial_placement(self, tiles: Sequence[Tile], board: Board) -> InitialPlacement:
            if self.used:
                raise RuntimeError("I have played already")
            self.used = True
            return super().initial_placement(tiles, board)

    assert any("I have played already" in problem for problem in problems(Forgetful))


def test_a_fault_that_shows_only_among_its_own_kind_is_found() -> None:
    class Jealous(SecondPlayer):
        colors: list[str] = []  # noqa: RUF012  shared by all of them: that is the fault

        def assign_color(self, color: str, others: Sequence[str]) -> None:
            super().assign_color(color, others)
            self.colors[:] = [color]

        def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
            if self.colors != [self.color]:
                raise RuntimeError("somebody else is me")
            return super().take_turn(tiles, board)

    found = check_player(Jealous)
    assert ["somebody else is me" in finding.problem for finding in found] == [True]
    assert "own kind" in found[0].where


def test_a_fault_that_needs_a_rare_situation_is_found() -> None:
    class Despairing(SecondPlayer):
        def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
            options = [tile.rotated(turn) for tile in tiles for turn in (0, 90, 180, 270)]
            if all(board.trial(self.color, option) == "EXIT" for option in options):
                raise RuntimeError("there is no hope")
            return super().take_turn(tiles, board)

    assert any("there is no hope" in problem for problem in problems(Despairing))


def test_changing_what_one_is_given_is_found() -> None:
    class Meddler(SecondPlayer):
        def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
            answer = super().take_turn(tiles, board)
            board._state.tiles[0, 0] = 17
            return answer

    assert "take_turn changes what it is given" in problems(Meddler)


def test_a_late_answer_is_found_and_ends_the_check() -> None:
    class Sleeper(SecondPlayer):
        def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
            time.sleep(0.3)
            return super().take_turn(tiles, board)

    check = PlayerCheck(Sleeper, limit=0.05)
    check.run()
    assert [f.problem for f in check.findings] == ["take_turn is too slow: no answer within 0.05 s"]
    assert check.games == 1


class Unhashable(SecondPlayer):
    __hash__ = None  # type: ignore[assignment]


class Mute:
    def initial_placement(self, tiles: Any, board: Any) -> None: ...
    def take_turn(self, tiles: Any, board: Any) -> None: ...


def unmakable() -> StrategyPlayer:
    raise OSError("no such net")


@pytest.mark.parametrize(
    ("factory", "said"),
    [
        (Unhashable, "it cannot be hashed"),
        (Mute, "it has no method assign_color"),
        (Bomb, "it has no method assign_color"),
        (unmakable, "it cannot be made: OSError: no such net"),
    ],
)
def test_what_makes_no_player_is_found_before_any_game(
    factory: Callable[[], Any], said: str
) -> None:
    found = check_player(factory)
    assert len(found) == 1
    assert found[0].problem.startswith(said)
    assert found[0].where == "before any game"


# ------------------------------------------------------------------------------------- in batches


class Mover(RandomPlayer):
    """A batch player that does one thing differently when it is asked in batches."""

    def choose(self, games: GameBatch, which: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.changed(super().choose(games, which), games, which)

    def changed(
        self, actions: NDArray[np.int64], games: GameBatch, which: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        raise NotImplementedError


class Moody(Mover):
    def changed(self, actions: Any, games: Any, which: Any) -> Any:
        self.seed += 1
        return actions


class Sociable(Mover):
    def changed(self, actions: Any, games: Any, which: Any) -> Any:
        if len(which) == 1:
            return actions
        return games.legal_actions(which).argmax(axis=1)


class Peeping(Mover):
    def changed(self, actions: Any, games: Any, which: Any) -> Any:
        legal = games.legal_actions(which)
        hidden = games.state.chance[which, 1] % 2 == 1
        last = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
        return np.where(hidden, last, legal.argmax(axis=1))


class HandPeeping(Mover):
    def changed(self, actions: Any, games: Any, which: Any) -> Any:
        nxt = (games.state.game[which, TO_MOVE] + 1) % games.num_players
        legal = games.legal_actions(which)
        last = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
        peeped = games.state.seats[which, nxt, HAND] % 2 == 1
        return np.where(peeped, last, legal.argmax(axis=1))


class Vandal(Mover):
    def changed(self, actions: Any, games: Any, which: Any) -> Any:
        games.state.chance[which] += np.uint64(1)
        return actions


class Outlaw(Mover):
    def changed(self, actions: Any, games: Any, which: Any) -> Any:
        return actions if len(which) == 1 else np.full(len(which), 10**6)


class Wordy(Mover):
    def changed(self, actions: Any, games: Any, which: Any) -> Any:
        return actions if len(which) == 1 else list(actions)


class Overwhelmed(Mover):
    def changed(self, actions: Any, games: Any, which: Any) -> Any:
        if len(which) > 1:
            raise MemoryError("so many")
        return actions


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Moody, "choose takes another action when it is asked again: nothing can be repeated"),
        (Sociable, "choose takes another action when it is asked about one game than in a batch"),
        (Peeping, "choose depends on what the player cannot see"),
        (HandPeeping, "choose depends on what the player cannot see"),
        (Vandal, "choose changes the games that it is given"),
        (Outlaw, "choose breaks a rule: it takes an action that is not legal"),
        (Wordy, "choose answers wrongly: it must give an array with a whole number for each game"),
        (Overwhelmed, "choose raises MemoryError: so many"),
    ],
)
def test_what_a_player_does_wrong_in_batches_is_said(kind: type[Mover], said: str) -> None:
    found = problems(lambda: kind(seed=1))
    assert any(problem.startswith(said) for problem in found), found


# -------------------------------------------------------------------------------- from the command


def test_the_command_says_that_nothing_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-player", "second"]) == 0
    assert capsys.readouterr().out.endswith("nothing wrong was found\n")


def test_the_command_lists_findings_and_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-player", "first"]) == 1
    assert "- take_turn breaks a rule" in capsys.readouterr().out


def test_the_command_writes_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-player", "first", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["games"] >= 20
    assert told["findings"][0]["times"] > 10


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nobody"], "no player is called 'nobody'"),
        (["random", "--limit", "0"], "--limit must be more than 0 seconds"),
        ([], "required: PLAYER"),
    ],
)
def test_the_command_refuses_what_makes_no_sense(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["check-player", *arguments]) == 2
    assert said in capsys.readouterr().err
