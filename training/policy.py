"""The bridge from our networks to sb3-contrib's MaskablePPO.

It computes the masked distribution itself: sb3-contrib's normalises 220 logits three times, which
takes as long as a small network.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor

from training.networks import Network

Masks = NDArray[Any] | Tensor


class NetworkPolicy(MaskableActorCriticPolicy):
    """A policy whose logits and values come from one `Network`."""

    network: Network

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Schedule,
        network: Network,
    ) -> None:
        super().__init__(observation_space, action_space, lr_schedule, normalize_images=False)
        assert isinstance(action_space, spaces.Discrete)
        self.network, self.num_actions = network, int(action_space.n)
        self.optimizer = torch.optim.Adam(network.parameters(), lr=lr_schedule(1), eps=1e-5)

    def _build(self, lr_schedule: Schedule) -> None:
        """The layers that the base class would make are not wanted."""

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Masks | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        drawn = None if deterministic else torch.rand(len(obs))
        decisions = self.network.choose(obs.float(), self._given(obs, action_masks), drawn)
        return decisions.actions, decisions.values, decisions.log_chances

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        values, log_chances, entropy = (torch.empty(len(obs)) for _ in range(3))
        for choices in self.network.consider(obs.float(), self._given(obs, action_masks)):
            each = torch.log_softmax(choices.logits, dim=1)
            chosen = (choices.actions == actions[choices.games].unsqueeze(1)).float()
            values[choices.games] = choices.values
            log_chances[choices.games] = (each * chosen).sum(dim=1)
            entropy[choices.games] = -(each.exp() * each).sum(dim=1)
        return values, log_chances, entropy

    def predict_values(self, obs: Any) -> Tensor:
        values: Tensor = self.network(obs.float())[1]
        return values

    def _given(self, obs: Tensor, masks: Masks | None) -> Tensor:
        if masks is None:
            raise ValueError("the policy needs the masks of legal actions")
        return torch.as_tensor(masks).reshape(len(obs), self.num_actions)

    def get_distribution(
        self, obs: Any, action_masks: NDArray[np.generic] | None = None
    ) -> MaskableDistribution:
        distribution = self.action_dist.proba_distribution(
            action_logits=self.network(obs.float())[0]
        )
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution
