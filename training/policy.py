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

from training.networks import Choices, Network

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
        actions = torch.empty(len(obs), dtype=torch.int64)
        values, log_chances = (torch.empty(len(obs)) for _ in range(2))
        for choices in self._consider(obs, action_masks):
            logits = choices.logits
            chances = torch.softmax(logits, dim=1)
            chosen = (logits.argmax(dim=1) if deterministic else _draw(chances)).unsqueeze(1)
            offered = choices.actions.expand_as(logits)
            actions[choices.games] = offered.gather(1, chosen).squeeze(1)
            values[choices.games] = choices.values
            log_chances[choices.games] = chances.gather(1, chosen).squeeze(1).log()
        return actions, values, log_chances

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        values, log_chances, entropy = (torch.empty(len(obs)) for _ in range(3))
        for choices in self._consider(obs, action_masks):
            each = torch.log_softmax(choices.logits, dim=1)
            chosen = (choices.actions == actions[choices.games].unsqueeze(1)).float()
            values[choices.games] = choices.values
            log_chances[choices.games] = (each * chosen).sum(dim=1)
            entropy[choices.games] = -(each.exp() * each).sum(dim=1)
        return values, log_chances, entropy

    def predict_values(self, obs: Any) -> Tensor:
        return self.network.values(obs.float())

    def _consider(self, obs: Tensor, masks: Masks | None) -> list[Choices]:
        shape = len(obs), self.num_actions
        given = torch.ones(shape) if masks is None else torch.as_tensor(masks).reshape(shape)
        return self.network.consider(obs.float(), given)

    def get_distribution(
        self, obs: Any, action_masks: NDArray[np.generic] | None = None
    ) -> MaskableDistribution:
        distribution = self.action_dist.proba_distribution(
            action_logits=self.network(obs.float())[0]
        )
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution


def _draw(chances: Tensor) -> Tensor:
    """An action for each row; torch.multinomial takes as long as the network."""
    sums = chances.cumsum(dim=1)
    # Just less than one, so that the number stays below the sum and meets a real chance.
    drawn = torch.rand(len(chances), 1) * (1 - 1e-6) * sums[:, -1:]
    return torch.searchsorted(sums, drawn, right=True).squeeze(1)
