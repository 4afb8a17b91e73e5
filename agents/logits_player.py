"""`LogitsPlayer`: the common part of all players that turn an observation into logits.

A net answers with a number for every action; what is legal, and which action to take, is decided
here. Knows neither torch nor onnxruntime.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.symmetric_views import turned
from tsuro_env import BatchPlayer, GameBatch
from tsuro_env.encodings import Encoding
from tsuro_env.engine.batch import Rows, legal_batch
from tsuro_env.engine.state import TO_MOVE, State, Variant
from tsuro_env.errors import TsuroError
from tsuro_env.symmetries import NUM_SYMMETRIES

TIE = 1e-2
"""Logits that differ by less count as equal, and the first of them is taken: many options lead to
positions that are the same up to rounding, and a net rounds differently in batches of different
sizes. Far above what rounding does, so that hardly ever it decides on which side a pair falls."""


class LogitsError(TsuroError):
    """A net answered with something that is no choice: infinite, or not a number."""


class LogitsPlayer(BatchPlayer):
    """Fill in `logits`. Takes the best legal action, or draws one if there is a temperature.

    `symmetric`: asks about the position as it looks from all eight sides, and takes the mean.
    """

    def __init__(
        self,
        encoding: Encoding,
        temperature: float = 0.0,
        seed: int | None = None,
        symmetric: bool = False,
    ) -> None:
        super().__init__(seed)
        if not (math.isfinite(temperature) and temperature >= 0):
            raise LogitsError(f"a temperature is a number of at least 0, got {temperature!r}")
        self.encoding, self.temperature = encoding, float(temperature)
        self.symmetric = symmetric

    @abstractmethod
    def logits(self, observations: NDArray[Any]) -> NDArray[np.float32]:
        """(B, ...) observations into (B, A) logits."""

    def choose(self, games: GameBatch, which: Rows) -> NDArray[np.int64]:
        logits = self._mean_logits(games, which) if self.symmetric else self._logits(games, which)
        legal = unique_legal_actions(games, which)
        if not np.isfinite(logits[legal]).all():
            raise LogitsError("the net gave a legal action a logit that is infinite or no number")
        if self.temperature == 0:
            return best_actions(logits, legal)
        drawn = unit_numbers(self.keys(games, which))
        return drawn_actions(logits / self.temperature, legal, drawn)

    def _logits(self, games: GameBatch, which: Rows) -> NDArray[np.float32]:
        return self.logits(observe(games.state, games.variant, which, self.encoding))

    def _mean_logits(self, games: GameBatch, which: Rows) -> NDArray[np.float32]:
        total = np.zeros((len(which), games.num_actions), dtype=np.float32)
        rows = np.arange(len(which))
        for symmetry in range(NUM_SYMMETRIES):
            state, order = turned(games.state, which, symmetry, games.rules)
            logits = self.logits(observe(state, games.variant, rows, self.encoding))
            total += np.take_along_axis(logits, order, axis=1) / NUM_SYMMETRIES
        return total


def observe(state: State, variant: Variant, which: Rows, encoding: Encoding) -> NDArray[Any]:
    """What the player to move sees in each of the games, in an encoding of one's own choice."""
    tensor, rows_of_it = encoding.allocate(variant, len(which))
    viewers = np.maximum(state.game[which, TO_MOVE], 0).astype(np.int64)
    encoding.kernel(tuple(state), tuple(variant), 0, len(which), which, viewers, rows_of_it)
    return tensor


def unique_legal_actions(games: GameBatch, which: Rows) -> NDArray[np.bool_]:
    """(B, A): the legal actions, without rotations that look the same as smaller ones."""
    legal = np.empty((len(which), games.num_actions), dtype=np.int8)
    fields, rules = tuple(games.state), tuple(games.variant)
    legal_batch(fields, rules, 0, len(which), which, True, legal)
    return legal.view(np.bool_)


def best_actions(logits: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The first legal action whose logit is the highest, or as good as."""
    masked = np.where(legal, logits, -np.inf)
    best: NDArray[np.int64] = (masked >= masked.max(axis=1, keepdims=True) - TIE).argmax(axis=1)
    return best


def drawn_actions(
    logits: NDArray[np.float32], legal: NDArray[np.bool_], drawn: NDArray[np.float32]
) -> NDArray[np.int64]:
    """An action by the softmax of the legal logits, each by a number drawn from [0, 1)."""
    masked = np.where(legal, logits, -np.inf)
    weights = np.exp(masked - masked.max(axis=1, keepdims=True))
    sums = weights.cumsum(axis=1)
    actions: NDArray[np.int64] = (sums > (drawn * sums[:, -1])[:, None]).argmax(axis=1)
    return actions


def unit_numbers(keys: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Random words as numbers from [0, 1)."""
    numbers: NDArray[np.float32] = (keys >> np.uint64(40)).astype(np.float32) / np.float32(2**24)
    return numbers
