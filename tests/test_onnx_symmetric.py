"""Averaging over the eight sides of the board."""

import numpy as np
import pytest

from agents.logits_player import LogitsPlayer, observe
from agents.symmetric_views import turned
from tsuro_env import GameBatch, Rules
from tsuro_env.encodings import encoding_of
from tsuro_env.engine.batch import legal_batch
from tsuro_env.engine.state import validate
from tsuro_env.symmetries import (
    NUM_SYMMETRIES,
    inverse,
    orientation_table,
    transform_masks,
    transform_planes,
)

GAMES = np.arange(80)
RULES = [Rules.course(), Rules.boxed(), Rules.course(5)]


def some_games(rules):
    games = GameBatch(len(GAMES), rules, 3, seed=4)
    for moves in range(len(GAMES)):  # games of every length
        games.step(games.random_actions()[moves:], GAMES[moves:])
    return games


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("symmetry", range(NUM_SYMMETRIES))
def test_a_turned_game_looks_as_its_planes_turned_and_allows_the_same(rules, symmetry):
    games = some_games(rules)
    state, order = turned(games.state, GAMES, symmetry, rules)
    validate(state, games.variant)
    planes = encoding_of("planes")
    seen = observe(games.state, games.variant, GAMES, planes)
    assert (observe(state, games.variant, GAMES, planes) == transform_planes(seen, symmetry)).all()
    legal = np.empty((len(GAMES), games.num_actions), dtype=np.int8)
    legal_batch(tuple(state), tuple(games.variant), 0, len(GAMES), GAMES, False, legal)
    assert (legal == transform_masks(games.legal_actions(), order)).all()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("symmetry", range(NUM_SYMMETRIES))
def test_turning_there_and_back_changes_nothing(rules, symmetry):
    games = some_games(rules)
    there, _ = turned(games.state, GAMES, symmetry, rules)
    back, _ = turned(there, GAMES, inverse(symmetry), rules)
    for field in ("tiles", "seats", "game"):
        assert np.array_equal(getattr(back, field), getattr(games.state, field)), field


class Lopsided(LogitsPlayer):
    """Prefers actions by their numbers and by whatever is first in the observation."""

    def logits(self, observations):
        flat = observations.reshape(len(observations), -1).astype(np.float32)
        weights = np.random.default_rng(0).normal(size=(flat.shape[1], self.num_actions))
        return (flat @ weights).astype(np.float32)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("observation", ["options", "planes"])
def test_a_symmetric_player_chooses_the_same_from_every_side(rules, observation):
    games = some_games(rules)
    player = Lopsided(encoding_of(observation), symmetric=True)
    player.num_actions = games.num_actions
    logits = player._mean_logits(games, GAMES)
    alone = Lopsided(encoding_of(observation))
    alone.num_actions = games.num_actions
    for symmetry in range(NUM_SYMMETRIES):
        image = games.copy()
        state, order = turned(games.state, GAMES, symmetry, rules)
        image._take_over(state)
        expected = transform_masks(logits, order)
        np.testing.assert_allclose(player._mean_logits(image, GAMES), expected, atol=1e-3)
    assert not np.allclose(alone._logits(games, GAMES), logits, atol=1e-3)


def test_every_orientation_has_an_image():
    for symmetry in range(NUM_SYMMETRIES):
        assert sorted(orientation_table(symmetry)) == list(range(140))
