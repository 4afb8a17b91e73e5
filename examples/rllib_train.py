"""RLlib: all seats share one masked policy, which PPO trains for two iterations.

RLlib has a wrapper for PettingZoo and a module that masks actions; the adapter brings the two
together, since the module wants to find the observation under the name "observations".
"""

from typing import Any

import gymnasium
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from tsuro_env import Rules, tsuro_v0

POLICY = "shared"


class TsuroMultiAgentEnv(PettingZooEnv):
    """Also watches that no agent makes an illegal move, and that rewards sum to zero."""

    games = 0

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__(tsuro_v0.env(**config))
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(_renamed(space.spaces))
            for agent, space in self.observation_spaces.items()
        }
        self.observation_space = gymnasium.spaces.Dict(self.observation_spaces)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        observations, infos = super().reset(seed=seed, options=options)
        return {agent: _renamed(seen) for agent, seen in observations.items()}, infos

    def step(self, action: dict[str, int]) -> Any:
        (chosen,) = action.values()
        assert self.env.action_masks()[chosen], "an illegal action"
        observations, rewards, terminated, truncated, infos = super().step(action)
        if terminated["__all__"]:
            assert abs(sum(rewards.values())) < 1e-5
            TsuroMultiAgentEnv.games += 1
        seen = {agent: _renamed(one) for agent, one in observations.items()}
        return seen, rewards, terminated, truncated, infos


def _renamed(seen: dict[str, Any]) -> dict[str, Any]:
    return {"observations": seen["observation"], "action_mask": seen["action_mask"]}


def make_config() -> PPOConfig:
    table = {"rules": Rules.course(board_size=5), "num_players": 3, "observation": "options"}
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [64]}
    )
    return (
        PPOConfig()
        # RLlib's own check of environments would try actions without looking at the mask.
        .environment(TsuroMultiAgentEnv, env_config=table, disable_env_checking=True)
        .env_runners(num_env_runners=0)
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda *_, **__: POLICY)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={POLICY: module}))
        .training(train_batch_size_per_learner=400, minibatch_size=64, num_epochs=2)
        .debugging(seed=0, log_level="ERROR")
    )


if __name__ == "__main__":
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    algorithm = make_config().build_algo()
    for iteration in range(2):
        learned = algorithm.train()["learners"][POLICY]
        print(f"iteration {iteration}: loss {learned['total_loss']:+.3f}")
    assert TsuroMultiAgentEnv.games > 0
    print(f"{TsuroMultiAgentEnv.games} games, all moves legal; rewards sum to zero")
    algorithm.stop()
    ray.shutdown()
