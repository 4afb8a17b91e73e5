"""Ratings: known strengths come out again, with intervals that hold what they promise."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.games import NOBODY, Games
from evaluation.ratings import ELO, fit, pair_points, rate
from tests.test_evaluation_match import games_of

STRENGTHS = np.array([0.0, 0.4, -0.7, 1.1, 0.2, -0.3])
NAMES = ["random", "b", "c", "d", "e", "f"]


def simulate(
    random: np.random.Generator, blocks: int, games_in_a_block: int = 4, seats: int = 4
) -> Games:
    """Games whose rankings are drawn from the strengths (Plackett and Luce).

    In that model any two players compare as Bradley and Terry say, whoever else is at the table.
    All games of a block end alike, as if the deal decided everything: the hardest case.
    """
    table = np.argsort(random.random((blocks, len(STRENGTHS))), axis=1)[:, :seats]
    luck = STRENGTHS[table] + random.gumbel(size=table.shape)
    ranks = np.argsort(np.argsort(-luck, axis=1), axis=1) + 1
    games = games_of(np.repeat(ranks, games_in_a_block, axis=0).tolist())
    games.table[:] = np.repeat(table, games_in_a_block, axis=0)
    games.block[:] = np.repeat(np.arange(blocks), games_in_a_block)
    return games


def test_many_games_give_the_strengths_back() -> None:
    ratings = rate(simulate(np.random.default_rng(0), 20_000, 1), NAMES)
    found = np.array([elo.value for elo in ratings.elo])
    assert np.abs(found - ELO * (STRENGTHS - STRENGTHS[0])).max() < 15


def test_intervals_hold_the_strengths_in_92_to_98_of_100_tournaments() -> None:
    random = np.random.default_rng(1)
    truth = ELO * (STRENGTHS - STRENGTHS[0])
    hits, tournaments = 0, 400
    for number in range(tournaments):
        ratings = rate(simulate(random, 150), NAMES, seed=number, replicates=300)
        hits += sum(
            elo.low <= true <= elo.high
            for elo, true in zip(ratings.elo[1:], truth[1:], strict=True)
        )
    assert 0.92 <= hits / (5 * tournaments) <= 0.98


def test_the_order_of_the_games_does_not_matter() -> None:
    games = simulate(np.random.default_rng(2), 100, 1)
    order = np.random.default_rng(3).permutation(100)
    shuffled = Games(*(column[order] for column in vars(games).values()))
    one, other = rate(games, NAMES).elo, rate(shuffled, NAMES).elo
    assert [elo.value for elo in one] == pytest.approx([elo.value for elo in other])


def test_players_who_only_ever_tie_have_the_same_rating() -> None:
    ratings = rate(games_of([[1, 1, 2]] * 30), ["a", "b", "c"])
    a, b, c = (elo.value for elo in ratings.elo)
    assert a == pytest.approx(b)
    assert a > c
    assert ratings.pairwise[0, 1] == 0.5


def test_a_share_of_the_points_is_the_rating_it_stands_for() -> None:
    ratings = rate(games_of([[1, 2]] * 3000 + [[2, 1]] * 1000), ["a", "b"])
    assert ratings.elo[0].value - ratings.elo[1].value == pytest.approx(
        400 * math.log10(3), rel=1e-3
    )


def test_who_never_lost_has_a_finite_rating() -> None:
    ratings = rate(games_of([[1, 2, 0]] * 50), ["random", "b", "c"])
    values = [elo.value for elo in ratings.elo]
    assert values[0] == 0 > values[1] > values[2] > -5000


def test_random_is_the_zero_of_the_scale_and_without_it_the_mean() -> None:
    games = games_of([[1, 2, 3], [2, 1, 3], [1, 3, 2], [3, 1, 2]])
    anchored = rate(games, ["a", "random", "c"])
    assert anchored.anchor == "random"
    assert tuple(anchored.elo[1]) == (0, 0, 0)
    free = rate(games, ["a", "b", "c"])
    assert free.anchor is None
    assert sum(elo.value for elo in free.elo) == pytest.approx(0, abs=1e-6)


def test_the_pairwise_matrix_shows_a_circle_that_the_ratings_hide() -> None:
    games = games_of([[1, 2]] * 60)
    games.table[:] = [[0, 1], [1, 2], [2, 0]] * 20
    ratings = rate(games, ["paper", "stone", "scissors"])
    assert [elo.value for elo in ratings.elo] == pytest.approx([0, 0, 0], abs=1e-6)
    assert ratings.pairwise[0, 1] == ratings.pairwise[1, 2] == ratings.pairwise[2, 0] == 1


def test_who_never_met_has_no_share() -> None:
    games = games_of([[1, 2]] * 4)
    games.table[:2, 1] = 2
    ratings = rate(games, ["a", "b", "c"])
    assert math.isnan(ratings.pairwise[1, 2])
    assert ratings.meetings[1, 2] == 0
    assert ratings.to_json()["pairwise"]["b"]["c"] is None


def test_empty_seats_and_an_entrants_own_second_seat_do_not_count() -> None:
    games = games_of([[1, 2, 3]])
    games.table[0] = [0, 0, NOBODY]
    assert pair_points(games, 1).sum() == 0


def test_a_fit_of_many_at_once_is_that_of_each() -> None:
    random = np.random.default_rng(5)
    points: NDArray[np.float64] = random.integers(0, 30, size=(7, 5, 5)).astype(float)
    points *= 1 - np.eye(5)
    together = fit(points)
    for one, expected in zip(points, together, strict=True):
        assert fit(one) == pytest.approx(expected, abs=1e-9)
