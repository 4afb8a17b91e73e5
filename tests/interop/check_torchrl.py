"""TorchRL sees the same games, masks and rewards as anybody else."""

import numpy as np
import torch

from tests.interop.example import load, output_of
from tsuro_env import Rules, tsuro_v0


def test_the_example_trains():
    assert output_of("torchrl_collect").count("update") == 3


def test_a_rollout_is_the_game_of_its_seed_and_actions():
    torch.manual_seed(1)
    env = load("torchrl_collect").make_env()
    rewarded = 0
    for seed in range(5):
        env.set_seed(seed)
        agents = (rollout := env.rollout(1000))["agents"]
        rewards = rollout["next", "agents", "reward"].squeeze(-1)
        game = tsuro_v0.env(Rules.course(board_size=5), num_players=3, observation="options")
        game.reset(seed=env._env.env.referee.seed)
        for step in range(len(rollout)):
            (seat,) = np.flatnonzero(agents["mask"][step]).tolist()
            assert game.agent_selection == f"player_{seat}"
            seen = game.observe(game.agent_selection)
            mask = agents["action_mask"][step, seat].numpy()
            np.testing.assert_array_equal(mask, seen["action_mask"].astype(bool))
            tensor = agents["observation", "observation"][step, seat].numpy()
            np.testing.assert_array_equal(tensor, seen["observation"])
            game.step(int(agents["action"][step, seat]))
        expected = [game.rewards[agent] for agent in game.possible_agents]
        np.testing.assert_allclose(rewards[-1], expected)
        assert not rewards[:-1].any()
        rewarded += any(expected)
    assert rewarded
