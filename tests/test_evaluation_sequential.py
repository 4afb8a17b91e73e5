"""The sequential test: how often it is wrong in simulation, and that it stops on real games."""

import json

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation import better_than
from evaluation.sequential import MIN_BLOCKS, evidence, is_decisive
from tsuro_cli.main import main

TESTS = 3000


def shares(share: float, seats: int, blocks: int, alike: float) -> NDArray[np.float64]:
    """(TESTS, blocks): mean win shares in blocks of one game for each seat.

    `alike` of the games of a block end as its first one did, for they share a deal.
    """
    random = np.random.default_rng(2)
    mean = np.zeros((TESTS, blocks))
    first = random.random((TESTS, blocks)) < share
    for _ in range(seats):
        own = random.random((TESTS, blocks)) < share
        mean += np.where(random.random((TESTS, blocks)) < alike, first, own) / seats
    return mean


def accepted(share: float, margin: float, seats: int, blocks: int, alike: float) -> float:
    """How many of the tests say "better"."""
    found = evidence(shares(share, seats, blocks, alike), margin, seats)
    decisive = is_decisive(found)
    assert decisive.any(axis=1).mean() > 0.98
    at = decisive.argmax(axis=1)
    last = found[np.arange(TESTS), at]
    return float((decisive.any(axis=1) & (last > 0)).mean())


CASES = [(4, 0.05, 600, 0.0), (4, 0.05, 1200, 0.5), (2, 0.1, 500, 0.0), (3, 0.08, 600, 0.3)]


@pytest.mark.parametrize(("seats", "margin", "blocks", "alike"), CASES)
def test_of_100_equal_players_at_most_6_are_called_better(
    seats: int, margin: float, blocks: int, alike: float
) -> None:
    assert accepted(1 / seats, margin, seats, blocks, alike) <= 0.06


@pytest.mark.parametrize(("seats", "margin", "blocks", "alike"), CASES)
def test_of_100_better_players_at_least_90_are_found(
    seats: int, margin: float, blocks: int, alike: float
) -> None:
    assert accepted(1 / seats + margin, margin, seats, blocks, alike) >= 0.9


def test_a_player_that_wins_every_game_is_found_at_the_first_chance() -> None:
    found = evidence(np.ones((1, 100)), 0.03, 4)
    assert np.isfinite(found).all()
    assert is_decisive(found)[0].argmax() == MIN_BLOCKS - 1


def test_it_stops_as_soon_as_it_knows_whatever_the_number_of_workers() -> None:
    verdicts = [
        better_than("random", "first", num_players=3, seed=4, workers=workers) for workers in (1, 2)
    ]
    assert verdicts[0] == verdicts[1]
    assert verdicts[0].better is True
    assert verdicts[0].blocks == MIN_BLOCKS
    assert verdicts[0].games == 3 * MIN_BLOCKS
    assert verdicts[0].win_share.low > verdicts[0].fair_share


def test_the_weaker_player_is_not_better() -> None:
    verdict = better_than("first", "random", num_players=2, workers=1)
    assert verdict.better is False
    assert verdict.evidence < 0


def test_without_enough_games_it_is_not_known() -> None:
    verdict = better_than("random", "random", margin=0.01, max_games=160, workers=1)
    assert verdict.better is None
    assert verdict.games == 160


def test_a_margin_is_a_share() -> None:
    with pytest.raises(ValueError, match="between 0 and 1, not 0"):
        better_than("random", "random", margin=0)


def test_the_command_says_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    question = ["evaluate", "--better-than", "random", "first", "--players", "2", "--workers", "1"]
    assert main(question) == 0
    assert capsys.readouterr().out.startswith("random is better than first: 64 games, win share")
    assert main([*question, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["better"] is True
    assert told["fair_share"] == 0.5
