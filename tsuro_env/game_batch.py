"""`GameBatch`: many games at a time, all seats, straight on the engine."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tsuro_env.encodings import encoding_of
from tsuro_env.engine.batch import (
    Rows,
    legal_batch,
    random_actions_batch,
    start_batch,
    step_batch,
)
from tsuro_env.engine.jit import compile_once
from tsuro_env.engine.state import TO_MOVE, State, Variant, allocate
from tsuro_env.engine.threads import SMALLEST_PART, run_in_parts
from tsuro_env.errors import ActionError, RulesError
from tsuro_env.rules import Rules
from tsuro_env.tile import is_whole

REWARDS = ("win", "rank")


class GameBatch:
    """A batch of games of the same rules; finished games restart by themselves.

    >>> games = GameBatch(3, num_players=4, seed=0)
    >>> games.step(games.random_actions())
    >>> games.finished.any()
    np.False_

    A game is its seed and its actions: neither the size of the batch nor the number of threads
    changes it. `seed` is a number, from which every game gets its own, or an array of one a game.
    Where a method takes `games`, that is which games of the batch it is about; None means all.
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
        observation: str = "planes",
        unique_rotations: bool = False,
        restart: bool = True,
        num_threads: int = 1,
    ) -> None:
        for name, value in (("num_games", num_games), ("num_threads", num_threads)):
            if not is_whole(value) or value < 1:
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
        self.encoding = encoding_of(observation)
        if num_threads > 1:
            compile_once("parallel engine", _compile_for_threads)
        self._all: Rows = np.arange(num_games)
        self._take_over(allocate(self.variant, num_games))
        self._sampler = game_seeds(0 if np.ndim(seed) else seed, num_games)
        self.reset(seed)

    def reset(self, seed: int | NDArray[np.uint64]) -> None:
        """Start all games anew."""
        seeds = np.asarray(seed if np.ndim(seed) else game_seeds(seed, self.num_games))
        if seeds.shape != (self.num_games,):
            raise RulesError(f"{self.num_games} games need as many seeds, got shape {seeds.shape}")
        if seeds.dtype.kind not in "iu" or (seeds < 0).any():
            raise RulesError(f"seeds are whole numbers of at least 0, got {seed!r}")
        self._run(start_batch, self._all, seeds.astype(np.uint64))
        self._clear_results()

    @property
    def to_move(self) -> NDArray[np.int32]:
        """(B,): the seat that is asked in each game; -1 where a game is over."""
        seats: NDArray[np.int32] = self.state.game[:, TO_MOVE].copy()
        return seats

    def legal_actions(self, games: Rows | None = None) -> NDArray[np.int8]:
        """(B, A): 1 for each legal action of the player to move."""
        rows = self._all if games is None else self._rows(games)
        legal = np.empty((len(rows), self.num_actions), dtype=np.int8)
        self._run(legal_batch, rows, self.unique_rotations, legal)
        return legal

    def observe(
        self, games: Rows | None = None, viewers: NDArray[np.int64] | None = None
    ) -> NDArray[Any]:
        """(B, ...): what the player to move sees; or the players of the seats `viewers`."""
        rows = self._all if games is None else self._rows(games)
        if viewers is None:
            viewers = np.maximum(self.state.game[rows, TO_MOVE], 0).astype(np.int64)
        tensor, rows_of_it = self.encoding.allocate(self.variant, len(rows))
        self._run(self.encoding.kernel, rows, self._viewers(viewers, len(rows)), rows_of_it)
        return tensor

    def random_actions(self) -> NDArray[np.int64]:
        """(B,): a uniformly random legal action in each game; its own chance is untouched."""
        actions = np.empty(self.num_games, dtype=np.int64)
        self._run(random_actions_batch, self._all, self._sampler, actions)
        return actions

    def step(self, actions: ArrayLike, games: Rows | None = None) -> None:
        """One action in each game; an illegal one takes that player out, as a referee does.

        Afterwards `finished` (B,) tells which games ended with it, and of those `rewards` (B, P),
        `ranks` (B, P; 1 is best, 0 a cheater) and `out` (B, P; codes of `OUT_REASONS`).
        """
        rows = self._all if games is None else self._rows(games)
        checked = self._checked(actions, len(rows))
        self._clear_results()
        self._run(
            step_batch,
            rows,
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
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._take_over(self.state.copy())
        twin._sampler = self._sampler.copy()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_fields", "_rules", "encoding")
        state = {key: value for key, value in self.__dict__.items() if key not in left_out}
        return {**state, "observation": self.encoding.name}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.encoding = encoding_of(state.pop("observation"))
        self.__dict__.update(state)
        self._take_over(self.state)

    def __deepcopy__(self, memo: dict[int, Any]) -> "GameBatch":
        return self.copy()

    def _take_over(self, state: State) -> None:
        self.state = state
        self._fields, self._rules = tuple(state), tuple(self.variant)

    def _clear_results(self) -> None:
        shape = (self.num_games, self.num_players)
        self.finished: NDArray[np.bool_] = np.zeros(self.num_games, dtype=np.bool_)
        self.rewards: NDArray[np.float32] = np.zeros(shape, dtype=np.float32)
        self.ranks: NDArray[np.int8] = np.zeros(shape, dtype=np.int8)
        self.out: NDArray[np.int8] = np.zeros(shape, dtype=np.int8)

    def _rows(self, games: ArrayLike) -> Rows:
        rows = np.asarray(games)
        if rows.dtype.kind not in "iu" or rows.ndim != 1:
            raise ActionError(f"games must be a list of whole numbers, got {games!r}")
        if len(rows) and not (rows.min() >= 0 and rows.max() < self.num_games):
            raise ActionError(f"games are numbered 0 to {self.num_games - 1}, got {games!r}")
        return np.ascontiguousarray(rows, dtype=np.int64)

    def _viewers(self, viewers: ArrayLike, count: int) -> NDArray[np.int64]:
        seats = np.ascontiguousarray(viewers, dtype=np.int64)
        last = self.num_players - 1
        if seats.shape != (count,) or not ((seats >= 0) & (seats <= last)).all():
            raise ActionError(f"{count} games need viewers from 0 to {last}, got {viewers!r}")
        return seats

    def _checked(self, actions: ArrayLike, count: int) -> NDArray[np.int64]:
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise ActionError(f"actions must be whole numbers, got an array of {array.dtype}")
        if array.shape != (count,):
            raise ActionError(f"{count} games need actions of shape ({count},), got {array.shape}")
        return np.ascontiguousarray(array, dtype=np.int64)

    def _run(self, kernel: Callable[..., None], rows: Rows, *arguments: Any) -> None:
        """Run a batch kernel over the rows, on as many threads as asked for."""
        if self.num_threads == 1:
            kernel(self._fields, self._rules, 0, len(rows), rows, *arguments)
        else:
            run_in_parts(
                kernel, self._fields, self._rules, len(rows), self.num_threads, rows, *arguments
            )


def _compile_for_threads() -> None:
    """Use every parallel kernel once."""
    for observation in ("planes", "options"):
        games = GameBatch(2 * SMALLEST_PART, observation=observation, num_threads=2)
        games.observe()
    games.legal_actions()
    games.step(games.random_actions())


def game_seeds(seed: Any, num_games: int) -> NDArray[np.uint64]:
    """A seed for each game of a batch; the first ones are the same whatever the number."""
    if not is_whole(seed) or seed < 0:
        raise RulesError(f"a seed is a whole number of at least 0, got {seed!r}")
    start = np.random.SeedSequence(int(seed)).generate_state(1, np.uint64)[0]
    steps = np.arange(1, num_games + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = start + steps
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    seeds: NDArray[np.uint64] = mixed ^ (mixed >> np.uint64(27))
    return seeds
