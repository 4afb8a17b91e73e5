"""Matches: blocks and seats, both ways of playing, and the table that comes of them."""

import dataclasses
import json
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import agents
from agents.scripted import SecondPlayer
from evaluation import Entrant, play_match
from evaluation.crew import Crew, WorkerError
from evaluation.games import NOBODY, Games
from evaluation.isolation import Limits
from evaluation.match import MatchJob, MatchResult
from evaluation.standings import block_mean, standings, student_quantile
from evaluation.table import Setting
from tsuro_cli.main import main
from tsuro_env import Board, Rules, Tile, game_seeds
from tsuro_env.engine.state import OUT_REASONS

UNTIMED = [field.name for field in dataclasses.fields(Games) if field.name != "seconds"]


def assert_same(one: Games, other: Games) -> None:
    for column in UNTIMED:
        np.testing.assert_array_equal(getattr(one, column), getattr(other, column), column)


def games_of(ranks: Sequence[Sequence[int]], out: Sequence[Sequence[int]] = ()) -> Games:
    """Games in which entrant i has seat i, each a block of its own."""
    shape = np.shape(ranks)
    return Games(
        block=np.arange(shape[0]),
        table=np.tile(np.arange(shape[1]), (shape[0], 1)),
        ranks=np.array(ranks, dtype=np.int8),
        out=np.array(out or np.zeros(shape), dtype=np.int8),
        rounds=np.full(shape[0], 10, dtype=np.int32),
        survival=np.ones(shape),
        moves=np.full(shape, 10, dtype=np.int32),
        seconds=np.full(shape, 0.5),
    )


# ----------------------------------------------------------------------------- how games are played


@pytest.mark.parametrize(
    ("rules", "setup", "supply", "seats"),
    [
        ("course", "agent", None, 4),
        ("course", "random", "cycle", 3),
        ("boxed", "agent", None, 5),
        ("boxed", "random", None, 2),
    ],
)
def test_in_batches_and_by_a_referee_the_same_seed_gives_the_same_games(
    rules: str, setup: str, supply: str | None, seats: int
) -> None:
    entrants = [Entrant(f"p{n}", "random") for n in range(seats)]
    setting = Setting(Rules.from_name(rules), setup, supply)
    with MatchJob(entrants, 7, setting, Limits()) as job:
        batched = job(range(3, 8))
        block, moved = batched.block, np.tile(np.arange(seats), 5)
        refereed = job._through_referee(block, batched.table, game_seeds(7, 8)[block], moved)
    assert_same(batched, refereed)


@pytest.mark.parametrize("players", [["random", "random", "random"], ["random", "second", "third"]])
def test_the_number_of_workers_changes_nothing(
    players: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.match.GAMES_AT_A_TIME", 12)
    alone = play_match(players, 36, seed=3, workers=1)
    together = play_match(players, 36, seed=3, workers=3)
    assert_same(alone.games, together.games)
    assert alone.ratings.elo == together.ratings.elo


def test_how_many_games_are_batched_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = play_match(["random"] * 4, 40, seed=3, workers=1)
    monkeypatch.setattr("evaluation.match.GAMES_AT_A_TIME", 1)
    assert_same(at_once.games, play_match(["random"] * 4, 40, seed=3, workers=1).games)


def test_a_longer_match_begins_like_a_shorter_one() -> None:
    short = play_match(["random", "second"], 10, seed=1, workers=1).games
    long = play_match(["random", "second"], 20, seed=1, workers=1).games
    assert (long.ranks[:10] == short.ranks).all()


def test_a_block_is_one_deal_with_everybody_once_in_every_seat() -> None:
    entrants = [Entrant(f"p{n}", "random") for n in range(3)]
    with MatchJob(entrants, 0, Setting(), Limits()) as job:
        games = job(range(2))
    assert games.block.tolist() == [0, 0, 0, 1, 1, 1]
    assert games.table[:3].tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def test_a_match_plays_whole_blocks() -> None:
    assert len(play_match(["random"] * 4, 5, workers=1).games) == 8


def test_a_match_takes_player_objects_and_tells_two_of_a_class_apart() -> None:
    result = play_match([SecondPlayer(), SecondPlayer(), agents.make("random", seed=1)], 6)
    assert result.names == ["SecondPlayer-1", "SecondPlayer-2", "RandomPlayer"]
    assert sum(row.win_share.value for row in result.standings) == pytest.approx(1)


def test_players_made_anew_have_other_chance_in_every_game() -> None:
    spec = "tests.test_evaluation_match:Dice"
    again = play_match([spec, "second"], 12, seed=2, workers=1).games
    games = play_match([spec, "second"], 12, seed=2, workers=2).games
    assert_same(games, again)
    assert len(set(games.rounds.tolist())) > 1


class Dice(SecondPlayer):
    """Chooses by a generator of its own, that a game before would have moved on."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
        order = tiles if self.random.random() < 0.5 else tiles[::-1]
        return super().take_turn(order, board)


def test_a_worker_that_dies_is_an_error_and_not_a_hang() -> None:
    with pytest.raises(WorkerError, match="exit code 3"):
        play_match(["tests.test_evaluation_match:Fatal", "second"], 20, workers=2)


class Fatal(SecondPlayer):
    """Ends its whole process."""

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
        import os

        os._exit(3)


def test_an_error_in_a_worker_is_raised_where_the_tasks_come_from() -> None:
    with pytest.raises(ZeroDivisionError), Crew(Divide(), 2) as crew:
        list(crew.do([1, 2, 0, 4]))


class Divide:
    """A job."""

    def __enter__(self) -> "Divide":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __call__(self, task: float) -> float:
        return 1 / task


def test_tasks_are_taken_only_when_somebody_is_free() -> None:
    taken = []

    def tasks() -> object:
        for task in range(1, 1000):
            taken.append(task)
            yield task

    with Crew(Divide(), 2) as crew:
        for _ in crew.do(tasks()):  # type: ignore[arg-type]
            break
    assert len(taken) <= 4


def test_a_plain_script_may_play_a_match_on_several_processes(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from evaluation import play_match\n"
        "print(len(play_match(['random', 'second'], 8, workers=2).games))\n"
    )
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert (ran.stdout, ran.returncode) == ("8\n", 0), ran.stderr


@pytest.mark.parametrize("games", [0, -1])
def test_a_match_without_games_is_an_error(games: int) -> None:
    with pytest.raises(ValueError, match=f"at least one game, not {games}"):
        play_match(["random", "random"], games)


# ------------------------------------------------------------------------------ what comes of them


def test_a_shared_win_counts_a_part_for_each() -> None:
    games = games_of([[1, 1, 2, 0], [2, 1, 3, 3], [0, 0, 0, 0]])
    assert games.win_shares.tolist() == [[0.5, 0.5, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]


def test_level_players_share_the_mean_of_their_places_and_cheaters_the_last_ones() -> None:
    games = games_of([[1, 1, 2, 0], [2, 1, 3, 3], [0, 2, 0, 1]])
    assert games.places.tolist() == [[1.5, 1.5, 3, 4], [2, 1, 3.5, 3.5], [3.5, 2, 3.5, 1]]


def test_an_empty_seat_is_behind_nobody_and_ahead_of_nobody() -> None:
    games = games_of([[1, 2, 3]])
    games.table[0, 2] = NOBODY
    assert games.places[0, :2].tolist() == [1, 2]
    assert games.scores[0].tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]


def test_being_stuck_is_no_fault() -> None:
    reasons = [[OUT_REASONS.index(word) for word in ("", "stuck", "late")]]
    assert games_of([[1, 0, 0]], reasons).faults.tolist() == [[False, False, True]]


def test_survival_is_the_share_of_rounds_after_which_a_player_was_still_in() -> None:
    games = play_match(["random"] * 4, 40, seed=5, workers=1).games
    survivors = games.out == 0
    assert (games.survival[survivors] == 1).all()
    assert (games.survival[~survivors] < 1).all()
    for game in range(len(games)):
        by_rank = sorted(zip(games.ranks[game], games.survival[game], strict=True))
        ranked = [survival for rank, survival in by_rank if rank > 0]
        assert ranked == sorted(ranked, reverse=True)


def test_one_against_three_of_the_other_gives_a_row_for_each_of_the_two() -> None:
    result = play_match(["second", "first", "first", "first"], 40, seed=1, workers=1)
    best, other = result.standings
    assert (best.name, best.seats, best.games) == ("second", 1, 40)
    assert (other.name, other.seats, other.games) == ("first", 3, 40)
    assert best.win_share.value + 3 * other.win_share.value == pytest.approx(1, abs=0.2)
    assert best.win_share.value > 0.8
    assert (best.faults, other.faults > 40) == (0, True)


def test_the_time_for_a_move_is_told() -> None:
    (row,) = standings(games_of([[1], [1]]), ["alone"])
    assert row.seconds_per_move == 0.05


@pytest.mark.parametrize(
    ("degrees", "expected"), [(2, 4.3027), (3, 3.1824), (5, 2.5706), (10, 2.2281), (500, 1.9647)]
)
def test_the_width_of_intervals_is_students(degrees: int, expected: float) -> None:
    assert student_quantile(degrees) == pytest.approx(expected, rel=2e-3)


def test_intervals_hold_the_truth_in_about_95_of_100_matches() -> None:
    random = np.random.default_rng(1)
    hits = 0
    for _ in range(600):
        luck = random.random((60, 1)) < 0.25  # the games of a block are all alike
        wins = np.repeat(luck, 4, axis=1).astype(float).ravel()
        ones = np.ones(240, dtype=np.int64)
        share = block_mean(wins, ones, np.repeat(np.arange(60), 4), 0, 1)
        hits += share.low <= 0.25 <= share.high
    assert 0.92 <= hits / 600 <= 0.98


def test_who_won_everything_still_has_an_interval() -> None:
    ones = np.ones(20)
    share = block_mean(ones, ones.astype(np.int64), np.arange(20), 0, 1)
    assert share.value == share.high == 1
    assert 0.7 < share.low < 0.95


# ----------------------------------------------------------------------------------- command line


def test_the_command_prints_a_table_and_the_pairwise_matrix(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["evaluate", "second", "first", "first", "--games", "9", "--workers", "1"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].split()[:2] == ["player", "games"]
    assert lines[1].split()[:2] == ["second", "9"]
    assert lines[2].split()[:3] == ["first", "×2", "9"]
    assert all(len(line) <= 80 for line in lines)
    assert lines[4].split()[-2:] == ["second", "first"]
    assert err == ""


def test_the_commands_json_has_everything(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["random", "second", "--games", "10", "--seed", "3", "--json", "--workers", "1"]
    assert main(["evaluate", *arguments]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 10
    assert {row["name"] for row in told["standings"]} == {"random", "second"}
    assert told["standings"][0]["win_share"].keys() == {"value", "low", "high"}
    assert told["ratings"]["elo"]["random"]["value"] == 0
    pairs = told["ratings"]["pairwise"]
    assert pairs["random"]["random"] is None
    assert pairs["random"]["second"] + pairs["second"]["random"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody", "random"], "no player is called 'nobody'"),
        (["random"], "name at least two players"),
        (["random", "--better-than", "random", "first"], "leave the others out"),
        (["--better-than", "random", "first", "--margin", "2"], "invalid share value"),
        (["random", "random", "--games", "0"], "invalid positive value"),
        (["random", "random", "--move-seconds", "0"], "move_seconds must be positive"),
    ],
)
def test_the_command_says_in_a_line_what_is_wrong(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_ratings_of_a_match_have_random_at_zero() -> None:
    result = play_match(["random", "first"], 40, seed=2, workers=1)
    assert isinstance(result, MatchResult)
    zero, first = result.ratings.elo
    assert tuple(zero) == (0, 0, 0)
    assert first.high < 0
    assert math.isnan(result.ratings.pairwise[0, 0])
