"""`GameBatch`: many games at a time, all seats, straight on the engine."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tsuro_env.engine.batch import legal_batch, random_actions_batch, start_batch, step_batch
from tsuro_env.engine.state import TO_MOVE, State, Variant, allocate
from tsuro_env.errors import ActionError, RulesError
from tsuro_env.rules import Rules

REWARDS = ("win", "rank")


class GameBatch:
    """A batch of games of the same rules; finished games restart by themselves.

    >>> games = GameBatch(3, num_players=4, seed=0)
    >>> games.step(games.random_actions())
    >>> games.finished.any()
    np.False_

    A game is its seed and its actions: neither the size of the batch nor the number of threads
    changes it. `seed` is a number, from which every game gets its own, or an array of one a game.
    """

    def __init__(
        self,
        num_games: int,
        rules: Rules | str = "course",
        num_players: int = 4,
        setup: str = "agent",
        seed: int | NDArray[np.uint64] = 0,
        *,
        supply: str | None = None,
        reward: str = "win",
        unique_rotations: bool = False,
        restart: bool = True,
        num_threads: int = 1,
    ) -> None:
        for name, value in (("num_games", num_games), ("num_threads", num_threads)):
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise RulesError(f"{name} must be a whole number of at least 1, got {value!r}")
        if reward not in REWARDS:
            raise RulesError(f"reward must be one of {REWARDS}, got {reward!r}")
        if supply == "given":
            raise RulesError("a supply of one's own needs a Referee; here: 'random' or 'cycle'")
        self.rules = Rules.from_name(rules)
        self.variant: Variant = self.rules.variant(num_players, setup, supply)
        self.num_games, self.num_players = num_games, num_players
        self.num_actions = self.variant.num_actions
        self.num_threads = num_threads
        self.reward, self.unique_rotations, self.restart = reward, unique_rotations, restart
        self.state: State = allocate(self.variant, num_games)
        self._fields, self._rules = tuple(self.state), tuple(self.variant)
        self._sampler = game_seeds(0, num_games) if np.ndim(seed) else game_seeds(seed, num_games)
        self.reset(seed)

    def reset(self, seed: int | NDArray[np.uint64]) -> None:
        """Start all games anew."""
        seeds = np.array(seed if np.ndim(seed) else game_seeds(seed, self.num_games), np.uint64)
        if seeds.shape != (self.num_games,):
            raise RulesError(f"{self.num_games} games need as many seeds, got shape {seeds.shape}")
        self._run(start_batch, seeds)
        self._clear_results()

    @property
    def to_move(self) -> NDArray[np.int32]:
        """(B,): the seat that is asked in each game."""
        return self.state.game[:, TO_MOVE].copy()

    def legal_actions(self) -> NDArray[np.int8]:
        """(B, A): 1 for each legal action of the player to move."""
        legal = np.zeros((self.num_games, self.num_actions), dtype=np.int8)
        self._run(legal_batch, self.unique_rotations, legal)
        return legal

    def random_actions(self) -> NDArray[np.int64]:
        """(B,): a uniformly random legal action in each game; the games' own chance is untouched."""
        actions = np.zeros(self.num_games, dtype=np.int64)
        self._run(random_actions_batch, self._sampler, actions)
        return actions

    def step(self, actions: ArrayLike) -> None:
        """One action in each game; an illegal one takes that player out, as a referee does.

        Afterwards `finished` (B,) tells which games ended with it, and of those `rewards` (B, P),
        `ranks` (B, P; 1 is best, 0 a cheater) and `out` (B, P; codes of `OUT_REASONS`).
        """
        checked = self._checked(actions)
        self._clear_results()
        self._run(
            step_batch,
            checked,
            self.reward == "rank",
            self.restart,
            self.finished,
            self.rewards,
            self.ranks,
            self.out,
        )

    def copy(self) -> "GameBatch":
        """Games that go on from here, independently."""
        twin = object.__new__(GameBatch)
        twin.__dict__.update(self.__dict__)
        twin.state = self.state.copy()
        twin._fields = tuple(twin.state)
        twin._sampler = self._sampler.copy()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_fields"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._fields = tuple(self.state)

    def __deepcopy__(self, memo: dict[int, Any]) -> "GameBatch":
        return self.copy()

    def _clear_results(self) -> None:
        shape = (self.num_games, self.num_players)
        self.finished: NDArray[np.bool_] = np.zeros(self.num_games, dtype=np.bool_)
        self.rewards: NDArray[np.float32] = np.zeros(shape, dtype=np.float32)
        self.ranks: NDArray[np.int8] = np.zeros(shape, dtype=np.int8)
        self.out: NDArray[np.int8] = np.zeros(shape, dtype=np.int8)

    def _checked(self, actions: ArrayLike) -> NDArray[np.int64]:
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise ActionError(f"actions must be whole numbers, got an array of {array.dtype}")
        if array.shape != (self.num_games,):
            raise ActionError(
                f"{self.num_games} games need actions of shape ({self.num_games},), "
                f"got {array.shape}"
            )
        return np.ascontiguousarray(array, dtype=np.int64)

    def _run(self, kernel: Callable[..., None], *arguments: Any) -> None:
        """Run a batch kernel over all games, on as many threads as asked for."""
        threads = min(self.num_threads, self.num_games)
        if threads == 1:
            kernel(self._fields, self._rules, 0, self.num_games, *arguments)
            return
        bounds = [self.num_games * part // threads for part in range(threads + 1)]
        pool = _pool(threads - 1, os.getpid())
        others = [
            pool.submit(kernel, self._fields, self._rules, low, high, *arguments)
            for low, high in zip(bounds[1:-1], bounds[2:], strict=True)
        ]
        kernel(self._fields, self._rules, bounds[0], bounds[1], *arguments)
        for other in others:
            other.result()


@lru_cache(maxsize=8)
def _pool(workers: int, process: int) -> ThreadPoolExecutor:
    """One pool a size and process: a forked child must not wait for its parent's threads."""
    return ThreadPoolExecutor(workers, thread_name_prefix="tsuro_env")


def game_seeds(seed: Any, num_games: int) -> NDArray[np.uint64]:
    """A seed for each game of a batch; the first ones are the same whatever the number."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise RulesError(f"a seed is a whole number of at least 0, got {seed!r}")
    words = np.random.SeedSequence(int(seed)).generate_state(1, np.uint64)[0]
    numbers = np.arange(1, num_games + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = words + numbers
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(27))
