"""Exporting a policy that somebody trained with Stable-Baselines3 and saved as a zip file.

Loading such a file runs code that is inside it. Nothing calls this without the user saying so.
"""

from __future__ import annotations

from pathlib import Path

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor

from agents.model_info import ModelInfo
from training.networks import Network
from training.onnx_export import ExportError, export_network
from tsuro_env import Rules
from tsuro_env.encodings import encoding_of


class PolicyNetwork(Network):
    """A policy of sb3-contrib's own kind as a network."""

    def __init__(self, policy: MaskableActorCriticPolicy) -> None:
        super().__init__()
        self.policy = policy

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        features = self.policy.extract_features(observations)
        if isinstance(features, tuple):
            for_actions, for_value = features
        else:
            for_actions = for_value = features
        logits = self.policy.action_net(self.policy.mlp_extractor.forward_actor(for_actions))
        value = self.policy.value_net(self.policy.mlp_extractor.forward_critic(for_value))
        return logits, value.squeeze(1)


def export_zip(
    zip_path: str | Path,
    path: str | Path,
    rules: str,
    num_players: int,
    observation: str,
    *,
    with_value: bool = False,
) -> ModelInfo:
    """Load a MaskablePPO zip file, code inside it and all, and write its policy as ONNX."""
    policy = MaskablePPO.load(zip_path, device="cpu").policy
    encoding = encoding_of(observation)
    info = ModelInfo.of(
        Rules.from_name(rules), num_players, encoding, {"trained_with": "stable-baselines3"}
    )
    if policy.observation_space.shape != info.observation_shape:
        raise ExportError(
            f"{zip_path} reads observations of shape {policy.observation_space.shape}; "
            f"{observation} of {info.game} has {info.observation_shape}"
        )
    export_network(PolicyNetwork(policy), info, path, with_value=with_value)
    return info
