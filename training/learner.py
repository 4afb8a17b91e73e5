"""sb3-contrib's MaskablePPO fitted to games that begin with a choice of where to begin.

`Rollouts` keeps such choices until their game is over, and judges them by how it ended. It keeps
its memory from one rollout to the next, and masks as the bytes that they are. `Learner` lets the
reward for entropy fade, and does not look through a thousand empty infos at every step for what a
Monitor would say.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from torch import Tensor

Array = NDArray[Any]


DECISION = ("observations", "actions", "values", "log_probs", "action_masks")
"""What a rollout holds of a decision besides how it is judged."""


class Rollouts(MaskableRolloutBuffer):
    """What the learner saw, did and got; a place for each step of each game.

    The first `setup` decisions of a game are judged by how the game ends, since the value that
    comes soon after knows too little of what they are good for. A game takes longer than a rollout:
    so they wait, and when their game is over they take the places of others that have to wait.
    """

    def __init__(self, *arguments: Any, setup: int = 2, **options: Any) -> None:
        self.setup = setup
        self._memory: dict[str, Array] = {}
        super().__init__(*arguments, **options)
        self.waiting: dict[str, Array] = {}
        """Decisions that wait, the `game` of each; and how many decisions each game has `seen`."""

    def reset(self) -> None:
        if self._memory:  # `get` left flat views of it in its place
            self.__dict__.update(self._memory)
            self.pos, self.full, self.generator_ready = 0, False, False
        else:
            super().reset()
            self.action_masks = np.zeros(self.action_masks.shape, dtype=np.int8)
            self._memory = {
                name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)
            }

    def add(  # type: ignore[override]
        self,
        obs: Array,
        action: Array,
        reward: Array,
        episode_start: Array,
        value: Tensor,
        log_prob: Tensor,
        action_masks: Array,
    ) -> None:
        self.observations[self.pos] = obs
        self.actions[self.pos] = action
        self.rewards[self.pos] = reward
        self.episode_starts[self.pos] = episode_start
        self.values[self.pos] = value.numpy()
        self.log_probs[self.pos] = log_prob.numpy()
        self.action_masks[self.pos] = action_masks.reshape(self.n_envs, -1)
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def compute_returns_and_advantage(self, last_values: Tensor, dones: Array) -> None:
        super().compute_returns_and_advantage(last_values, dones)
        ends = np.append(self.episode_starts[1:] > 0, [dones > 0], axis=0)
        last = len(ends) - 1
        # How many decisions each game has seen before each step, and when it will be over.
        seen, over = np.zeros((2, *ends.shape), dtype=np.int64)
        seen[0] = np.where(self.episode_starts[0] > 0, 0, self.waiting.get("seen", 0))
        over[last] = np.where(ends[last], last, len(ends))
        for step in range(1, len(ends)):
            seen[step] = np.where(ends[step - 1], 0, seen[step - 1] + 1)
            back = last - step
            over[back] = np.where(ends[back], back, over[back + 1])

        judged = (seen < self.setup) & (over <= last)
        steps, games = np.nonzero(judged)
        self._judge((steps, games), self.rewards[over[judged], games])

        places = np.nonzero((seen < self.setup) & (over > last))
        waiting = {name: getattr(self, name)[places] for name in DECISION}
        waiting["game"] = places[1]
        if "game" in self.waiting:
            before = self.waiting
            done = over[0, before["game"]] <= last
            ready = np.flatnonzero(done)[: len(places[0])]
            filled = places[0][: len(ready)], places[1][: len(ready)]
            for name in DECISION:
                getattr(self, name)[filled] = before[name][ready]
            games = before["game"][ready]
            self._judge(filled, self.rewards[over[0, games], games])
            waiting = {name: np.append(before[name][~done], waiting[name], 0) for name in waiting}
        waiting["seen"] = np.where(ends[last], 0, seen[last] + 1)
        self.waiting = waiting

    def _judge(self, places: tuple[Array, Array], results: Array) -> None:
        self.returns[places] = results
        self.advantages[places] = results - self.values[places]

    @staticmethod
    def swap_and_flatten(arr: Array) -> Array:
        """All steps in one row, as they lie in memory: they are shuffled anyway."""
        return arr.reshape(-1, *(arr.shape[2:] or (1,)))


class Learner(MaskablePPO):
    """MaskablePPO over `Rollouts`; the reward for entropy falls in a straight line to nothing.

    What single moves are worth is little. A reward for trying them all must not outweigh it in the
    end: the policy would stay undecided, and the best of its choices mean nothing.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        options["rollout_buffer_class"] = Rollouts
        super().__init__(*arguments, **options)
        self._first_entropy = self.ent_coef

    @property
    def rollouts(self) -> Rollouts:
        assert isinstance(self.rollout_buffer, Rollouts)
        return self.rollout_buffer

    def train(self) -> None:
        self.ent_coef = self._first_entropy * max(self._current_progress_remaining, 0.0)
        super().train()

    def _update_info_buffer(self, *_: Any) -> None:
        """The environment itself keeps count of the rewards."""
