"""`Session`: the learner, its games and its opponents, made from a config; and all that together as
plain data, so that a run can go on from a file as if it had never stopped.

The data is tensors, numbers and text only: reading it back runs no code that is in the file.
"""

from __future__ import annotations

import copy
import io
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

import agents
from training.config import Config, ConfigError
from training.learner import Learner
from training.networks import NETWORKS, Network
from training.opponents import NetworkPlayer, Opponents
from training.policy import NetworkPolicy
from training.vec_env import SelfPlayVecEnv
from tsuro_env import BatchPlayer, GameBatch
from tsuro_env.encodings import encoding_of
from tsuro_env.files import write_atomically

FORMAT = 3
"""Counts changes of what checkpoints and models of runs hold."""
RECENCY = 9
"""The average goes back over the last part in so many of all updates, more or less."""


class Session:
    """Everything that changes while a run learns."""

    def __init__(self, config: Config) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config = config
        self.network = new_network(config)
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        """The mean of what the network has been of late: it does not waver as the network does from
        one update to the next, and is the stronger for it. It is what a run comes to."""
        self.opponents = self._opponents()
        games = GameBatch(
            config.games,
            config.game_rules,
            config.num_players,
            seed=config.seed,
            observation=config.observation,
            unique_rotations=True,
            restart=False,
            num_threads=config.threads,
        )
        self.env = SelfPlayVecEnv(games, self.opponents, config.seed)
        self.model = Learner(
            NetworkPolicy,
            self.env,
            learning_rate=self._learning_rate,
            n_steps=config.rollout,
            batch_size=config.batch,
            n_epochs=config.epochs,
            gamma=1.0,  # the one reward comes at the end, and a late win is as good as an early one
            gae_lambda=config.gae_lambda,
            clip_range=config.clip,
            ent_coef=config.entropy,
            seed=config.seed,
            device="cpu",
            policy_kwargs={"network": self.network},
            rollout_buffer_kwargs={"setup": 1 if config.game_rules.is_boxed else 2},
        )

    def _learning_rate(self, left: float) -> float:
        """By the share of the run that is left after the rollout; never less than one update's.

        The last rollout may end past the last step: without that bound the rate would be negative.
        """
        return self.config.learning_rate * max(left, self.rollout_steps / self.config.steps)

    def _opponents(self) -> Opponents:
        config = self.config
        current = NetworkPlayer(self.network, encoding_of(config.observation), seed=config.seed)
        if config.against is not None:
            frozen = make_player(config.against, config.seed)
            return Opponents(current, [frozen], (0.0, 1.0, 0.0), 0)
        scripted = [make_player(spec, config.seed) for spec in config.scripted_players]
        shares = (config.self_play, config.scripted, config.snapshots)
        return Opponents(current, scripted, shares, config.pool)

    @property
    def steps(self) -> int:
        return self.model.num_timesteps

    @property
    def rollout_steps(self) -> int:
        return self.config.games * self.config.rollout

    def update_average(self) -> None:
        """To be called after every update of the network."""
        updates = self.steps // self.rollout_steps
        for mean, now in zip(self.average.parameters(), self.network.parameters(), strict=True):
            mean.lerp_(now.detach(), RECENCY / (updates + RECENCY))

    def state(self) -> dict[str, Any]:
        numpy_state: dict[str, Any] = np.random.get_state(legacy=False)  # noqa: NPY002
        return {
            "steps": self.steps,
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.model.policy.optimizer.state_dict(),
            # Stable-Baselines3 draws actions with torch's chance and shuffles batches with numpy's.
            "torch_chance": torch.get_rng_state(),
            "numpy_chance": to_plain(numpy_state),
            "env": to_plain(self.env.state()),
            "begun": to_plain(self.model._last_episode_starts),
            "waiting": to_plain(self.model.rollouts.waiting),
            "opponents": {**to_plain(self.opponents.state()), "snapshots": self._snapshots()},
        }

    def _snapshots(self) -> list[dict[str, Any]]:
        return [player.network.state_dict() for player in self.opponents.snapshots]

    def load_state(self, state: dict[str, Any]) -> None:
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self.model.policy.optimizer.load_state_dict(state["optimizer"])
        networks = []
        for weights in state["opponents"]["snapshots"]:
            networks.append(new_network(self.config))
            networks[-1].load_state_dict(weights)
        self.opponents.load_state(from_plain(state["opponents"]), networks)
        self.env.load_state(from_plain(state["env"]))
        self.model.num_timesteps = state["steps"]
        # Or else Stable-Baselines3 takes all games for new ones.
        self.model._last_obs = self.env.reset()
        self.model._last_episode_starts = from_plain(state["begun"])
        self.model.rollouts.waiting = from_plain(state["waiting"])
        torch.set_rng_state(state["torch_chance"])
        np.random.set_state(from_plain(state["numpy_chance"]))  # noqa: NPY002


def new_network(config: Config) -> Network:
    variant = config.game_rules.variant(config.num_players)
    return NETWORKS[config.observation](variant, config.width)


def make_player(spec: str, seed: int) -> BatchPlayer:
    player = agents.make(spec, seed=seed)
    if not isinstance(player, BatchPlayer):
        raise ConfigError(f"{spec!r} cannot play in batches, so it cannot be trained against")
    return player


def save(path: Path, state: dict[str, Any]) -> None:
    """Write plain data so that the file is either whole or not there."""
    file = io.BytesIO()
    torch.save({"format": FORMAT, **state}, file)
    write_atomically(path, file.getvalue())


def load(path: Path) -> dict[str, Any]:
    """Read plain data; anything else in the file is refused, not run."""
    state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    if state.get("format") != FORMAT:
        found = state.get("format", "an earlier kind")
        raise ConfigError(f"{path} is of format {found}, this version reads format {FORMAT}")
    return state


def to_plain(value: Any) -> Any:
    """Arrays as tensors, all the way down."""
    if isinstance(value, np.ndarray):
        return torch.from_numpy(value.copy())
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    return value


def from_plain(value: Any) -> Any:
    """The other way round."""
    if isinstance(value, torch.Tensor):
        array: NDArray[Any] = value.numpy()
        return array
    if isinstance(value, dict):
        return {key: from_plain(item) for key, item in value.items()}
    return value
