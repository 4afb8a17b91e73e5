"""sb3-contrib's MaskablePPO fitted to games that begin with a choice of where to begin.

`Rollouts` judges that choice by what comes of it until the rollout ends. It keeps its memory from
one rollout to the next, and masks as the bytes that they are. `Learner` lets the reward for entropy
fade, and does not look through a thousand empty infos at every step for what a Monitor would say.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from torch import Tensor

Array = NDArray[Any]


class Rollouts(MaskableRolloutBuffer):
    """What the learner saw, did and got; a place for each step of each game."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._memory: dict[str, Array] = {}
        super().__init__(*arguments, **options)

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
        """The first decision of a game, where to start, is judged as late as the rollout allows:
        the value a turn later knows too little of what a spot is good for."""
        usual = self.gae_lambda
        self.gae_lambda = 1.0
        super().compute_returns_and_advantage(last_values, dones)
        advantages, returns = self.advantages.copy(), self.returns
        self.gae_lambda = usual
        super().compute_returns_and_advantage(last_values, dones)
        starts = self.episode_starts > 0
        self.advantages[starts], self.returns[starts] = advantages[starts], returns[starts]

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
        options.setdefault("rollout_buffer_class", Rollouts)
        super().__init__(*arguments, **options)
        self._first_entropy = self.ent_coef

    def train(self) -> None:
        self.ent_coef = self._first_entropy * max(self._current_progress_remaining, 0.0)
        super().train()

    def _update_info_buffer(self, *_: Any) -> None:
        """The environment itself keeps count of the rewards."""
