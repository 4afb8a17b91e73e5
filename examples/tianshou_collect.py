"""Tianshou: a DQN learner in the first seat, random players in the others.

Tianshou's own wrapper is all the adapter that is needed. It wants `elimination="end"`, the default:
an episode ends when the first agent terminates.
"""

import numpy as np
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

from tsuro_env import Rules, tsuro_v0

PLAYERS, ENVS = 3, 4


def make_env() -> PettingZooEnv:
    rules = Rules.course(board_size=5)
    return PettingZooEnv(tsuro_v0.env(rules, num_players=PLAYERS, observation="options"))


def make_algorithm(env: PettingZooEnv) -> MultiAgentOffPolicyAlgorithm:
    net = Net(
        state_shape=env.observation_space["observation"].shape,
        action_shape=int(env.action_space.n),
        hidden_sizes=[64],
    )
    policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.1)
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=50)
    others = [
        MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in range(PLAYERS - 1)
    ]
    return MultiAgentOffPolicyAlgorithm(algorithms=[learner, *others], env=env)


def check(buffer: VectorReplayBuffer) -> None:
    """Every action was legal; rewards come at the end and sum to zero."""
    steps = buffer.sample_indices(0)
    assert buffer.obs.mask[steps, buffer.act[steps]].all()
    rewards, ended = buffer.rew[steps], buffer.terminated[steps]
    assert rewards.shape == (len(steps), PLAYERS)
    assert ended.any()
    assert not rewards[~ended].any()
    assert rewards[ended].any()
    assert np.allclose(rewards.sum(axis=1), 0, atol=1e-5)


if __name__ == "__main__":
    torch.manual_seed(0)
    np.random.seed(0)  # noqa: NPY002  Tianshou's random players draw from there
    algorithm = make_algorithm(make_env())
    envs = DummyVectorEnv([make_env for _ in range(ENVS)])
    envs.seed(0)
    buffer = VectorReplayBuffer(10_000, ENVS)
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset()
    for update in range(3):
        with policy_within_training_step(algorithm.policy):
            collected = collector.collect(n_episode=10)
            for _ in range(10):
                stats = algorithm.update(buffer, sample_size=64)
        loss = stats.get_loss_stats_dict()["player_0/loss"]
        print(f"update {update}: {collected.n_collected_episodes} games, loss {loss:.3f}")
    check(buffer)
    print(f"{len(buffer)} steps, all legal; rewards sum to zero")
