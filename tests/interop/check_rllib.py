"""RLlib sees the same games, masks and rewards as anybody else."""

import numpy as np

from tests.interop.example import load, output_of
from tsuro_env import Rules, tsuro_v0

TABLE = {"rules": Rules.course(board_size=5), "num_players": 3, "observation": "options"}


def test_the_example_trains():
    text = output_of("rllib_train")
    assert text.count("iteration") == 2
    assert "all moves legal; rewards sum to zero" in text


def test_the_wrapped_game_is_the_game_of_its_seed_and_actions():
    wrapped = load("rllib_train").TsuroMultiAgentEnv(TABLE)
    game = tsuro_v0.env(**TABLE)
    random = np.random.default_rng(0)
    for seed in range(5):
        observations, _ = wrapped.reset(seed=seed)
        game.reset(seed=seed)
        over, totals = False, dict.fromkeys(game.possible_agents, 0.0)
        while not over:
            ((agent, seen),) = observations.items()
            assert agent == game.agent_selection
            assert seen in wrapped.observation_spaces[agent]
            expected = game.observe(agent)
            np.testing.assert_array_equal(seen["action_mask"], expected["action_mask"])
            np.testing.assert_array_equal(seen["observations"], expected["observation"])
            action = int(random.choice(np.flatnonzero(seen["action_mask"])))
            observations, rewards, terminated, _, _ = wrapped.step({agent: action})
            game.step(action)
            over = terminated["__all__"]
            for other, reward in rewards.items():
                totals[other] += reward
        assert totals == game.rewards
