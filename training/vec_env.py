"""The games of the learner as a Stable-Baselines3 `VecEnv`, all of them in one batch.

In every game one seat is the learner's, a different one in the next game; the others belong to
opponents of the pool. A step of the environment is an action of the learner in every game, and
then everybody else's until it is asked again: what happens in between, its own death on another's
turn included, is in the reward of that step.

Nobody asks for a single one of the games: where the interface has `indices`, all are meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from training.opponents import Opponents
from tsuro_env import GameBatch
from tsuro_env.engine.batch import Rows
from tsuro_env.engine.kernels import win_reward
from tsuro_env.engine.learner import DONE, restart_batch, turns_batch
from tsuro_env.engine.state import OUT_AT, OVER, PHASE
from tsuro_env.spaces import action_space, tensor_space

Indices = None | int | Iterable[int]
Infos = list[dict[str, Any]]


class SelfPlayVecEnv(VecEnv):
    """Games against a pool of opponents, seen from the learner's seat."""

    def __init__(self, games: GameBatch, opponents: Opponents, seed: int) -> None:
        if games.restart:
            raise ValueError("games that restart by themselves hide their last position")
        self.games, self.opponents = games, opponents
        self.chance = np.random.default_rng(seed)
        self.render_mode = None
        super().__init__(
            games.num_games,
            tensor_space(games.encoding, games.variant),
            action_space(games.variant),
        )
        self._all: Rows = np.arange(self.num_envs)
        self._no_infos: Infos = [{}] * self.num_envs  # one and the same: a list of many is slow
        self._loss = win_reward(games.num_players, 1, False)
        self.learner: NDArray[np.int64] = self._all % games.num_players
        """The learner's seat in each game."""
        self.owners = np.zeros((self.num_envs, games.num_players), dtype=np.int64)
        """Which opponent of the pool sits how many places after the learner."""
        self.rewards_seen, self.games_seen = 0.0, 0
        self._results = np.zeros(self.num_envs, dtype=np.float32)
        self._going_on = False
        self._actions: NDArray[np.int64] = np.zeros(self.num_envs, dtype=np.int64)
        self._masks: NDArray[np.int8] = np.zeros((0, games.num_actions), dtype=np.int8)

    def reset(self) -> NDArray[Any]:
        """Start all games anew; after `load_state` show them where they are."""
        if not self._going_on:
            self._restart(self._all)
            nobody_acted = np.ones(self.num_envs, dtype=np.bool_)
            self._play_until_asked(np.zeros(self.num_envs, np.float32), nobody_acted, [])
        self._going_on = False
        return self._observe()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], Infos]:
        rewards = np.zeros(self.num_envs, dtype=np.float32)
        dones = np.zeros(self.num_envs, dtype=np.bool_)
        infos = self._no_infos.copy()
        self.games.step(self._actions)
        self._play_until_asked(rewards, dones, infos)
        return self._observe(), rewards, dones, infos

    def action_masks(self) -> NDArray[np.int8]:
        """(B, A): 1 for each legal action of the learner."""
        return self._masks

    def take_mean_reward(self) -> float:
        """The learner's mean reward in the games that ended since this was last asked."""
        mean = self.rewards_seen / max(self.games_seen, 1)
        self.rewards_seen, self.games_seen = 0.0, 0
        return mean

    def _observe(self) -> NDArray[Any]:
        self._masks = self.games.legal_actions()
        return self.games.observe()

    def _play_until_asked(
        self, rewards: NDArray[np.float32], dones: NDArray[np.bool_], infos: Infos
    ) -> None:
        """Let the opponents move, and decided games start anew, until the learner is to move."""
        which = self._all
        while len(which):
            which = self._play_until_decided(which)
            self._finish(which, rewards, dones, infos)

    def _play_until_decided(self, which: Rows) -> Rows:
        """Let the opponents move until the learner is to move; the games that end before that."""
        games = self.games
        decided = []
        while len(which):
            ended = which[games.finished[which]]
            self._results[ended] = games.rewards[ended, self.learner[ended]]
            turns = np.empty(len(which), dtype=np.int64)
            self._run(turns_batch, which, self.learner[which], True, turns)
            decided.append(which[turns == DONE])
            which, turns = which[turns > 0], turns[turns > 0]
            games.step(self.opponents.choose(games, which, self.owners[which, turns]), which)
        return np.concatenate(decided)

    def _finish(
        self, decided: Rows, rewards: NDArray[np.float32], dones: NDArray[np.bool_], infos: Infos
    ) -> None:
        """Reward the learner for games that are decided, and start them anew."""
        games = self.games
        # A game that was decided before the learner was ever asked has no step to reward.
        ended = decided[~dones[decided]]
        over = games.state.game[ended, PHASE] == OVER
        rewards[ended] = np.where(over, self._results[ended], self._loss)
        dones[ended] = True
        last = games.observe(ended, self.learner[ended])
        for game, observation in zip(ended.tolist(), last, strict=True):
            infos[game] = {"terminal_observation": observation}
        self.rewards_seen += float(rewards[ended].sum())
        self.games_seen += len(ended)
        self._record(ended)
        self._restart(decided)

    def _record(self, ended: Rows) -> None:
        """Tell the pool who outlasted whom."""
        out_at = self.games.state.seats[ended, :, OUT_AT].astype(np.float64)
        seats = (self.learner[ended, None] + np.arange(self.games.num_players)) % out_at.shape[1]
        out_at = np.take_along_axis(out_at, seats, axis=1)
        scores = 0.5 + 0.5 * np.sign(out_at[:, :1] - out_at[:, 1:])
        self.opponents.record(self.owners[ended, 1:], scores)

    def _restart(self, which: Rows) -> None:
        """The next games, with the learner one seat further on and new opponents."""
        self._run(restart_batch, which)
        self.learner[which] = (self.learner[which] + 1) % self.games.num_players
        self.owners[which, 1:] = self.opponents.draw(
            (len(which), self.games.num_players - 1), self.chance
        )

    def _run(self, kernel: Callable[..., None], rows: Rows, *arguments: Any) -> None:
        fields, rules = tuple(self.games.state), tuple(self.games.variant)
        kernel(fields, rules, 0, len(rows), rows, *arguments)

    def state(self) -> dict[str, Any]:
        """All that decides how the games go on, opponents apart."""
        return {
            "games": self.games.state._asdict(),
            "learner": self.learner,
            "owners": self.owners,
            "chance": self.chance.bit_generator.state,
        }

    def load_state(self, state: dict[str, Any]) -> None:
        for name, field in self.games.state._asdict().items():
            field[...] = state["games"][name]
        self.learner[...], self.owners[...] = state["learner"], state["owners"]
        self.chance.bit_generator.state = state["chance"]
        self._going_on = True

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: Indices = None,  # noqa: ARG002
        **method_kwargs: Any,
    ) -> list[Any]:
        # One answer for all games: np.stack, which MaskablePPO calls on it, then copies nothing.
        return [getattr(self, method_name)(*method_args, **method_kwargs)]

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:  # noqa: ARG002
        return [getattr(self, attr_name)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:  # noqa: ARG002
        setattr(self, attr_name, value)

    def env_is_wrapped(
        self,
        wrapper_class: type[Any],  # noqa: ARG002
        indices: Indices = None,  # noqa: ARG002
    ) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        """There is nothing to close."""
