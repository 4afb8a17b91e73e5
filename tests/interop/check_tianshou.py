"""Tianshou sees the same games, masks and rewards as anybody else."""

import numpy as np
from tianshou.env import PettingZooEnv

from tests.interop.example import load, output_of
from tsuro_env import tsuro_v0


def test_the_example_trains():
    text = output_of("tianshou_collect")
    assert text.count("update") == 3
    assert "all legal; rewards sum to zero" in text


def test_the_wrapped_game_is_the_game_of_its_seed_and_actions():
    wrapped: PettingZooEnv = load("tianshou_collect").make_env()
    game = tsuro_v0.env(wrapped.env.rules, num_players=3, observation="options")
    random = np.random.default_rng(0)
    for seed in range(5):
        seen, _ = wrapped.reset(seed=seed)
        game.reset(seed=seed)
        terminated = False
        while not terminated:
            expected = game.observe(game.agent_selection)
            assert seen["agent_id"] == game.agent_selection
            np.testing.assert_array_equal(seen["mask"], expected["action_mask"].astype(bool))
            np.testing.assert_array_equal(seen["obs"], expected["observation"])
            action = int(random.choice(np.flatnonzero(seen["mask"])))
            seen, rewards, terminated, truncated, _ = wrapped.step(action)
            game.step(action)
            assert rewards == list(game.rewards.values())
            assert not truncated
        assert all(game.terminations.values())
