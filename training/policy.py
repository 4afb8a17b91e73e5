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

ILLEGAL = -1e8
"""The logit of an illegal action: finite, so that gradients stay so."""

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
        self.network = network
        self.optimizer = torch.optim.Adam(network.parameters(), lr=lr_schedule(1), eps=1e-5)

    def _build(self, lr_schedule: Schedule) -> None:
        """The layers that the base class would make are not wanted."""

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Masks | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        logits, values = self.network(obs.float())
        logits = _masked(logits, action_masks)
        actions = logits.argmax(dim=1) if deterministic else _draw(torch.softmax(logits, dim=1))
        return actions, values, _of(torch.log_softmax(logits, dim=1), actions)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        logits, values = self.network(obs.float())
        logits = _masked(logits, action_masks)
        log_chances = torch.log_softmax(logits, dim=1)
        entropy = -(torch.softmax(logits, dim=1) * log_chances).sum(dim=1)
        return values, _of(log_chances, actions), entropy

    def predict_values(self, obs: Any) -> Tensor:
        values: Tensor = self.network(obs.float())[1]
        return values

    def get_distribution(
        self, obs: Any, action_masks: NDArray[np.generic] | None = None
    ) -> MaskableDistribution:
        distribution = self.action_dist.proba_distribution(
            action_logits=self.network(obs.float())[0]
        )
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution


def _masked(logits: Tensor, masks: Masks | None) -> Tensor:
    if masks is None:
        return logits
    return logits.masked_fill(torch.as_tensor(masks).reshape(logits.shape) == 0, ILLEGAL)


def _draw(chances: Tensor) -> Tensor:
    """An action for each row; torch.multinomial takes as long as the network."""
    sums = chances.cumsum(dim=1)
    # Just less than one, so that the number stays below the sum and meets a real chance.
    drawn = torch.rand(len(chances), 1) * (1 - 1e-6) * sums[:, -1:]
    return torch.searchsorted(sums, drawn, right=True).squeeze(1)


def _of(log_chances: Tensor, actions: Tensor) -> Tensor:
    return log_chances.gather(1, actions.unsqueeze(1)).squeeze(1)
