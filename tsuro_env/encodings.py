"""The observation encodings by name: their shapes, their versions, and how to compute them.

What each number means is written where it is computed: `engine/planes.py`, `engine/options.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine import options, planes
from tsuro_env.engine.state import HAND_SIZE, Variant
from tsuro_env.errors import RulesError


@dataclass(frozen=True)
class Encoding:
    """How a player's view of a game becomes a tensor."""

    name: str
    version: int
    """Counts changes of meaning: a net trained on one version cannot read another."""
    dtype: type[np.generic]
    largest: int
    """Every number of the tensor lies between 0 and this."""
    shape: Callable[[Variant], tuple[int, ...]]
    kernel: Callable[..., None]
    """A batch kernel that fills in a row of the tensor for each row and viewer."""

    def allocate(self, variant: Variant, rows: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """A tensor (rows, *shape), and the same memory in the shape that the kernel writes."""
        first, *others = self.shape(variant)
        tensor = np.empty((rows, first, *others), dtype=self.dtype)
        return tensor, tensor.reshape((rows, first, prod(others))) if others else tensor


ENCODINGS = {
    "planes": Encoding(
        "planes",
        1,
        np.int8,
        HAND_SIZE,
        lambda variant: (planes.num_channels(variant.players), variant.size, variant.size),
        planes.planes_batch,
    ),
    "options": Encoding(
        "options",
        2,
        np.float32,
        1,
        lambda variant: (options.length(variant.size, variant.players),),
        options.options_batch,
    ),
}


def encoding_of(name: str) -> Encoding:
    if name not in ENCODINGS:
        raise RulesError(f"observation must be one of {list(ENCODINGS)}, got {name!r}")
    return ENCODINGS[name]
