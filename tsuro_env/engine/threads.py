"""The batch kernels on several threads: the games of a batch in parts, the parts at once.

Which thread plays which game changes nothing: games share no state.
"""

import os
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numba
import numpy as np
from numba import prange
from numpy.typing import NDArray

from tsuro_env.engine.batch import (
    Fields,
    legal_batch,
    random_actions_batch,
    start_batch,
    step_batch,
)
from tsuro_env.engine.jit import parallel_kernel
from tsuro_env.engine.options import options_batch
from tsuro_env.engine.planes import planes_batch

Bounds = NDArray[np.int64]

SMALLEST_PART = 32
"""Games. Handing fewer to a thread takes longer than playing them."""


@parallel_kernel
def start_parts(fields: Fields, rules: Fields, bounds: Bounds, *arguments: Any) -> None:
    for part in prange(bounds.size - 1):
        start_batch(fields, rules, bounds[part], bounds[part + 1], *arguments)


@parallel_kernel
def step_parts(fields: Fields, rules: Fields, bounds: Bounds, *arguments: Any) -> None:
    for part in prange(bounds.size - 1):
        step_batch(fields, rules, bounds[part], bounds[part + 1], *arguments)


@parallel_kernel
def legal_parts(fields: Fields, rules: Fields, bounds: Bounds, *arguments: Any) -> None:
    for part in prange(bounds.size - 1):
        legal_batch(fields, rules, bounds[part], bounds[part + 1], *arguments)


@parallel_kernel
def random_actions_parts(fields: Fields, rules: Fields, bounds: Bounds, *arguments: Any) -> None:
    for part in prange(bounds.size - 1):
        random_actions_batch(fields, rules, bounds[part], bounds[part + 1], *arguments)


@parallel_kernel
def planes_parts(fields: Fields, rules: Fields, bounds: Bounds, *arguments: Any) -> None:
    for part in prange(bounds.size - 1):
        planes_batch(fields, rules, bounds[part], bounds[part + 1], *arguments)


@parallel_kernel
def options_parts(fields: Fields, rules: Fields, bounds: Bounds, *arguments: Any) -> None:
    for part in prange(bounds.size - 1):
        options_batch(fields, rules, bounds[part], bounds[part + 1], *arguments)


IN_PARTS: dict[Callable[..., None], Callable[..., None]] = {
    start_batch: start_parts,
    step_batch: step_parts,
    legal_batch: legal_parts,
    random_actions_batch: random_actions_parts,
    planes_batch: planes_parts,
    options_batch: options_parts,
}
"""Batch kernels, and the same in parts; other packages add theirs."""


class _Threads:
    """numba's threads do not survive a fork, and not every kind of them may be called from two
    threads at a time: so one caller at a time, and no threads in a child of a process that used
    them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.used = False
        self.lost = False

    def forget(self) -> None:
        self.lock = threading.Lock()
        self.lost = self.used


_threads = _Threads()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.forget)


@lru_cache
def _bounds(parts: int, num_games: int) -> Bounds:
    return np.arange(parts + 1) * num_games // parts


def run_in_parts(
    kernel: Callable[..., None],
    fields: Fields,
    rules: Fields,
    num_games: int,
    num_threads: int,
    *arguments: Any,
) -> None:
    """Run a batch kernel over all games, on as many threads as asked for or there are."""
    available: int = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
    parts = min(num_threads, available, num_games // SMALLEST_PART)
    if parts <= 1 or _threads.lost:
        kernel(fields, rules, 0, num_games, *arguments)
        return
    bounds = _bounds(parts, num_games)
    with _threads.lock:
        _threads.used = True
        before = numba.get_num_threads()
        numba.set_num_threads(parts)
        try:
            IN_PARTS[kernel](fields, rules, bounds, *arguments)
        finally:
            numba.set_num_threads(before)
