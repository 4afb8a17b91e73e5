"""TorchRL: all seats share one network, which is trained by a few steps of REINFORCE.

TorchRL's own wrapper does nearly everything. It wants `elimination="end"`, the default (every agent
stays until the game is over), and it stumbles over infos that hold the mask and something else.
"""

import torch
from pettingzoo.utils import BaseWrapper
from tensordict import TensorDict
from tensordict.nn import ProbabilisticTensorDictModule, TensorDictModule
from tensordict.nn import ProbabilisticTensorDictSequential as Policy
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType, check_env_specs
from torchrl.modules import MLP, MaskedCategorical

from tsuro_env import Rules, tsuro_v0

GAMES = 4


class WithoutInfos(BaseWrapper):
    """The mask is in the observation too, and that is where TorchRL takes it from."""

    @property
    def infos(self) -> dict[str, dict[str, object]]:
        return {agent: {} for agent in self.env.infos}


def make_env() -> PettingZooWrapper:
    game = tsuro_v0.env(Rules.course(board_size=5), num_players=3, observation="options")
    group_map = MarlGroupMapType.ALL_IN_ONE_GROUP
    return PettingZooWrapper(env=WithoutInfos(game), use_mask=True, group_map=group_map, seed=0)


def make_policy(env: PettingZooWrapper) -> Policy:
    inputs = env.observation_spec["agents", "observation", "observation"].shape[-1]
    actions = env.observation_spec["agents", "action_mask"].shape[-1]
    net = MLP(in_features=inputs, out_features=actions, num_cells=[64])
    seen, logits = ("agents", "observation", "observation"), ("agents", "logits")
    return Policy(
        TensorDictModule(net, in_keys=[seen], out_keys=[logits]),
        ProbabilisticTensorDictModule(
            in_keys={"logits": logits, "mask": ("agents", "action_mask")},
            out_keys=[("agents", "action")],
            distribution_class=MaskedCategorical,
            default_interaction_type="random",
        ),
    )


def check(game: TensorDict) -> None:
    """Of each step one agent's action counts, and it is legal; rewards sum to zero."""
    agents = game["agents"]
    assert agents["mask"].sum(dim=-1).eq(1).all()
    legal = agents["action_mask"].gather(-1, agents["action"].unsqueeze(-1)).squeeze(-1)
    assert legal[agents["mask"]].all()
    rewards = game["next", "agents", "reward"]
    assert not rewards[:-1].any()
    assert abs(rewards.sum()) < 1e-5
    assert game["next", "agents", "terminated"][-1].all()


def surprise(policy: Policy, game: TensorDict) -> torch.Tensor:
    """REINFORCE: what was done by those who won shall become more likely."""
    log_probs = policy.get_dist(game).log_prob(game["agents", "action"])
    rewards = game["next", "agents", "reward"].sum(dim=0).squeeze(-1)
    return -(log_probs * game["agents", "mask"] * rewards).sum()


if __name__ == "__main__":
    torch.manual_seed(0)
    env = make_env()
    check_env_specs(env)
    policy = make_policy(env)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    for update in range(3):
        games = [env.rollout(1000, policy) for _ in range(GAMES)]
        for game in games:
            check(game)
        loss = sum(surprise(policy, game) for game in games) / GAMES
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        steps = sum(len(game) for game in games)
        print(f"update {update}: {GAMES} games, {steps} steps, loss {loss.item():+.2f}")
