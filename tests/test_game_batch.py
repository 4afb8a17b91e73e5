"""`GameBatch`: its arguments, results and copies; that restarted games are always alive.

That the games themselves are right is for test_engine_oracle.py.
"""

import copy
import pickle
import time
from typing import Any

import numpy as np
import pytest

from tests.oracle import OracleGame, next_seed
from tsuro_env import ActionError, GameBatch, Rules, RulesError, game_seeds
from tsuro_env.engine.state import CLOCK, NO_TILE, SEED, validate


def play(games: GameBatch, steps: int) -> GameBatch:
    for _ in range(steps):
        games.step(games.random_actions())
    return games


# --------------------------------------------------------------------------------------- restarting


@pytest.mark.parametrize("players", [2, 3])
def test_a_game_that_is_decided_before_anybody_is_asked_gives_way_to_the_next(
    players: int,
) -> None:
    # After a random set-up on a small board all but one may be stuck at once.
    decided = GameBatch(2000, Rules.course(4), players, "random", seed=1)
    assert (decided.to_move >= 0).all()
    assert decided.legal_actions().any(axis=1).all()
    asked_for, played = game_seeds(1, 2000), decided.state.chance[:, SEED]
    others = np.flatnonzero(played != asked_for)
    assert (len(others) > 0) == (players == 2)
    for game in others:
        seed = int(asked_for[game])
        while OracleGame("course", 4, players, seed, "random").finished:
            seed = next_seed(seed)
        assert played[game] == seed


def test_restarted_games_always_ask_somebody() -> None:
    games = GameBatch(3000, Rules.course(4), 2, "random", seed=1)
    restarts = 0
    for _ in range(60):
        games.step(games.random_actions())
        restarts += int(games.finished.sum())
        assert (games.to_move >= 0).all()
        assert games.legal_actions().any(axis=1).all()
    assert restarts > 10_000


def test_without_restarts_a_finished_game_stays_as_it_is() -> None:
    games = GameBatch(8, Rules.course(4), 3, seed=1, restart=False)
    ends = np.zeros(8, dtype=int)
    for _ in range(100):
        games.step(games.random_actions())
        ends += games.finished
    assert (ends == 1).all()
    assert (games.to_move == -1).all()
    assert not games.legal_actions().any()
    before = games.state.copy()
    games.step(np.zeros(8, dtype=int))
    assert not games.finished.any()
    for mine, theirs in zip(before, games.state, strict=True):
        assert (mine == theirs).all()


def test_a_restarted_game_begins_with_an_empty_board_and_another_seed() -> None:
    games = GameBatch(16, Rules.course(5), 3, seed=1)
    while not games.finished.any():
        seeds = games.state.chance[:, SEED].copy()
        games.step(games.random_actions())
    ended = games.finished
    assert (games.state.tiles[ended] == NO_TILE).all()
    assert (games.state.game[ended, CLOCK] == 0).all()
    assert (games.state.chance[ended, SEED] != seeds[ended]).all()
    assert (games.state.chance[~ended, SEED] == seeds[~ended]).all()


# ------------------------------------------------------------------------------------------ results


def expected_rewards(ranks: list[int], kind: str) -> list[float]:
    """From the ranks alone, as the design says it; cheaters come last together."""
    players = len(ranks)
    places = [rank or players + 1 for rank in ranks]
    if kind == "win":
        winners = places.count(1)
        return [
            (players - winners) / (winners * (players - 1)) if place == 1 else -1 / (players - 1)
            for place in places
        ]
    in_order = sorted(places)
    spread = np.linspace(1, -1, players)
    return [
        float(np.mean([s for s, p in zip(spread, in_order, strict=True) if p == place]))
        for place in places
    ]


@pytest.mark.parametrize("kind", ["win", "rank"])
@pytest.mark.parametrize("rules", ["course", "boxed"])
@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_rewards_follow_from_the_ranks(kind: str, rules: str, players: int) -> None:
    games = GameBatch(32, Rules.from_name(rules).with_size(5), players, reward=kind, seed=2)
    chance = np.random.default_rng(0)
    seen = 0
    for _ in range(80):
        actions = games.random_actions()
        illegal = chance.random(32) < 0.02
        games.step(np.where(illegal, -1, actions))
        for game in np.flatnonzero(games.finished):
            ranks = games.ranks[game].tolist()
            expected = expected_rewards(ranks, kind)
            np.testing.assert_allclose(games.rewards[game], expected, atol=1e-6)
            assert ranks.count(0) == (games.out[game] >= 3).sum()
            seen += 1
        assert not games.rewards[~games.finished].any()
        assert not games.ranks[~games.finished].any()
    assert seen > 10


@pytest.mark.parametrize("players", range(2, 9))
def test_rewards_of_a_won_game_add_up_to_nothing(players: int) -> None:
    games = play(GameBatch(64, Rules.course(4), players, "random", seed=3), 5)
    for _ in range(20):
        games.step(games.random_actions())
        won = games.finished & (games.ranks == 1).any(axis=1)
        np.testing.assert_allclose(games.rewards[won].sum(axis=1), 0, atol=1e-5)


# ------------------------------------------------------------------------------- copies and pickles


@pytest.mark.parametrize("rules", ["course", "boxed"])
@pytest.mark.parametrize(
    "copier", [GameBatch.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))]
)
def test_a_copy_goes_on_by_itself_and_in_the_same_way(rules: str, copier: Any) -> None:
    games = play(GameBatch(8, rules, 3, seed=4), 20)
    twin = copier(games)
    before = games.state.copy()
    play(twin, 30)
    for mine, theirs in zip(before, games.state, strict=True):
        assert (mine == theirs).all()
    play(games, 30)
    for mine, theirs in zip(games.state, twin.state, strict=True):
        assert (mine == theirs).all()
    assert (games.observe() == twin.observe()).all()


def test_a_pickled_batch_needs_no_new_compilation() -> None:
    games = GameBatch(2, seed=1)
    twin = pickle.loads(pickle.dumps(games))
    before = time.monotonic()
    twin.step(twin.random_actions())
    twin.legal_actions()
    assert time.monotonic() - before < 2
    assert not twin.variant.fresh_links.flags.writeable


def test_a_mask_is_a_fresh_array_at_each_call() -> None:
    games = GameBatch(2, seed=1)
    first = games.legal_actions()
    first[:] = 0
    assert games.legal_actions().any()
    assert games.legal_actions().dtype == np.int8


def test_lookalike_rotations_are_masked_only_on_request() -> None:
    plain, unique = (GameBatch(64, seed=1, unique_rotations=flag) for flag in (False, True))
    for games in (plain, unique):
        games.step(np.full(64, 12))
    assert (plain.legal_actions()[:, :12] == 1).all()
    masks = unique.legal_actions()
    assert (masks <= plain.legal_actions()).all()
    assert masks[:, [0, 4, 8]].all()
    assert masks.sum() < plain.legal_actions().sum()


# ------------------------------------------------------------------------------ some of the games


@pytest.mark.parametrize("threads", [1, 2])
def test_rows_ask_about_and_step_some_of_the_games(threads: int) -> None:
    games = play(GameBatch(200, num_players=3, seed=1, num_threads=threads), 10)
    which = np.array([4, 1, *range(60, 130)])
    assert (games.legal_actions(which) == games.legal_actions()[which]).all()
    assert (games.observe(which) == games.observe()[which]).all()
    before = games.state.copy()
    games.step(games.legal_actions(which).argmax(axis=1), which)
    rest = np.setdiff1d(np.arange(200), which)
    for mine, theirs in zip(before.take(rest), games.state.take(rest), strict=True):
        assert (mine == theirs).all()
    assert not (before.game[which] == games.state.game[which]).all(axis=1).any()


@pytest.mark.parametrize("threads", [1, 2])
def test_no_rows_at_all_are_fine(threads: int) -> None:
    games = GameBatch(4, seed=1, num_threads=threads)
    nobody = np.zeros(0, dtype=np.int64)
    assert games.legal_actions(nobody).shape == (0, games.num_actions)
    games.step(nobody, nobody)


@pytest.mark.parametrize("rows", [[4], [-1], [0.5], ["0"], [[0]], 0])
def test_rows_that_are_none_are_an_action_error(rows: Any) -> None:
    games = GameBatch(4, seed=1)
    with pytest.raises(ActionError, match="games"):
        games.legal_actions(rows)


# --------------------------------------------------------------------------------- wrong arguments


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_games": 0}, "num_games must be a whole number of at least 1, got 0"),
        ({"num_games": 1.5}, "num_games .* got 1.5"),
        ({"num_games": True}, "num_games .* got True"),
        ({"num_threads": 0}, "num_threads .* got 0"),
        ({"num_players": 1}, "num_players .* got 1"),
        ({"num_players": 9}, "num_players .* got 9"),
        ({"rules": "chess"}, "got 'chess'"),
        ({"setup": "me"}, "got 'me'"),
        ({"supply": "given"}, "needs a Referee"),
        ({"supply": "deck"}, "got 'deck'"),
        ({"rules": "boxed", "supply": "cycle"}, "got 'cycle'"),
        ({"reward": "points"}, "got 'points'"),
        ({"observation": "pixels"}, "got 'pixels'"),
        ({"seed": -1}, "a seed .* got -1"),
        ({"seed": 1.5}, "a seed .* got 1.5"),
        ({"seed": "1"}, "a seed .* got '1'"),
        ({"seed": None}, "a seed .* got None"),
        ({"seed": [1]}, r"4 games need as many seeds, got shape \(1,\)"),
        ({"seed": [1.5, 2, 3, 4]}, "seeds are whole numbers of at least 0"),
        ({"seed": [-1, 2, 3, 4]}, "seeds are whole numbers of at least 0"),
        ({"seed": ["1", "2", "3", "4"]}, "seeds are whole numbers of at least 0"),
    ],
)
def test_what_makes_no_batch_is_a_rules_error(options: dict[str, Any], message: str) -> None:
    given = {"num_games": 4, **options}
    with pytest.raises(RulesError, match=message):
        GameBatch(**given)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0.0] * 4, "whole numbers, got an array of float64"),
        (["0"] * 4, "whole numbers"),
        ([True] * 4, "whole numbers, got an array of bool"),
        ([None] * 4, "whole numbers, got an array of object"),
        ([0] * 3, r"shape \(4,\), got \(3,\)"),
        ([[0] * 4], r"shape \(4,\), got \(1, 4\)"),
        (0, r"shape \(4,\), got \(\)"),
    ],
)
def test_actions_of_another_kind_are_an_action_error_and_change_nothing(
    actions: Any, message: str
) -> None:
    games = GameBatch(4, seed=1)
    before = games.state.copy()
    with pytest.raises(ActionError, match=message):
        games.step(actions)
    assert (before.game == games.state.game).all()


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_actions_of_any_whole_type_are_taken(dtype: type) -> None:
    games = GameBatch(4, seed=1)
    games.step(np.full(4, 12, dtype=dtype))
    assert (games.legal_actions()[:, :12] == 1).all()


def test_the_seeds_of_a_batch_are_those_of_any_larger_one() -> None:
    assert (game_seeds(7, 3) == game_seeds(7, 100)[:3]).all()
    assert len(np.unique(game_seeds(7, 10_000))) == 10_000
    assert (game_seeds(7, 3) != game_seeds(8, 3)).all()


@pytest.mark.parametrize("rules", ["course", "boxed"])
def test_the_state_is_valid_at_every_moment(rules: str) -> None:
    games = GameBatch(16, rules, 5, seed=5)
    for _ in range(60):
        validate(games.state, games.variant)
        games.step(games.random_actions())
