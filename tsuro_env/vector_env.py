"""`TsuroVectorEnv`: many games against opponents at once, straight on a `GameBatch`.

What `gymnasium.make_vec` gives. Each of its games is played exactly as `TsuroGymEnv` plays it.
"""

from __future__ import annotations

import copy
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from tsuro_env.aec import MOST_SKIPPED_GAMES
from tsuro_env.engine.batch import Rows, result_batch
from tsuro_env.engine.kernels import win_reward
from tsuro_env.engine.learner import DONE, play_randomly_batch, restart_batch, turns_batch
from tsuro_env.engine.state import OUT, OVER, PHASE
from tsuro_env.errors import ActionError, OrderError, RulesError
from tsuro_env.game_batch import GameBatch
from tsuro_env.gym_env import ROTATE, checked_seat
from tsuro_env.opponents import (
    BatchOpponent,
    Opponent,
    OpponentLike,
    random_seeds,
    seat_opponents,
    tell_results,
)
from tsuro_env.rules import Rules
from tsuro_env.spaces import ELIMINATIONS, action_space, observation_space, one_of
from tsuro_env.tile import is_whole

EVERYWHERE = slice(None)
"""All rows, for numpy: nothing is gathered or scattered."""


NO_ACTIONS: NDArray[np.int64] = np.empty(0, dtype=np.int64)
"""Where no learner was asked."""


@dataclass(frozen=True)
class VectorSnapshot:
    """Games in the middle, opponents included; see `TsuroVectorEnv.get_state`."""

    games: GameBatch
    seats: NDArray[np.int64]
    is_reset: bool
    opponents: list[Opponent]


class TsuroVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` games, in each of which a learner sits among the same opponents.

    Games that end are followed by others in the same step: their last observations and infos are in
    `infos["final_obs"]` and `infos["final_info"]`.  `num_threads` is that of the `GameBatch`; the
    other arguments are those of `TsuroGymEnv`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  as Gymnasium declares it
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Sequence[OpponentLike] = ("random", "random", "random"),
        rules: Rules | str = "course",
        observation: str = "planes",
        setup: str = "agent",
        reward: str = "win",
        elimination: str = "immediate",
        seat: int | str = ROTATE,
        *,
        mask_in_observation: bool = True,
        unique_rotations: bool = False,
        tiles: str | None = None,
        num_threads: int = 1,
    ) -> None:
        self.opponents: list[Opponent] = seat_opponents(opponents, num_envs)
        self.games = GameBatch(
            num_envs,
            rules,
            1 + len(self.opponents),
            setup,
            supply=tiles,
            reward=reward,
            observation=observation,
            unique_rotations=unique_rotations,
            restart=False,
            num_threads=num_threads,
        )
        self.num_envs, self.num_players = num_envs, self.games.num_players
        # By rank nothing is certain before the end.
        self._until_lost = (
            one_of("elimination", elimination, ELIMINATIONS) == "immediate" and reward == "win"
        )
        self._loss = float(np.float32(win_reward(self.num_players, 1, False)))
        self._fixed_seat = checked_seat(seat, self.num_players)
        self._mask_in_observation = mask_in_observation
        self._all: Rows = np.arange(num_envs)
        self.seats = np.zeros(num_envs, dtype=np.int64)
        """The learner's seat in each game."""
        self._is_reset = False
        self._random_seeds = random_seeds(self.opponents)

        space = observation_space(self.games.encoding, self.games.variant)
        self.single_observation_space = space if mask_in_observation else space["observation"]
        self.single_action_space = action_space(self.games.variant)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start all games: those of `seed`, `seed + 1`, ... or of a list of seeds; without a seed
        those that follow on the last ones."""
        super().reset(seed=seed if isinstance(seed, int) else None, options=options)
        if seed is None and self._is_reset:
            self._take_next_games(self._all)
        else:
            self._take_games(self._seeds(seed), reseed=seed is not None)
        self._is_reset = True
        self._open(self._all)
        masks = self.action_masks()
        return self._observations(masks), self._infos(EVERYWHERE, masks)

    def step(
        self, actions: ArrayLike
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """The learners' actions, then the opponents' up to the learners' next decisions."""
        if not self._is_reset:
            raise OrderError("reset() needs to be called before step()")
        done = self._play_to_next_decision(self._all, self._checked(actions))
        rewards = np.zeros(self.num_envs)
        finals: dict[str, Any] = {}
        if done.any():
            rows = np.flatnonzero(done)
            rewards[rows] = self._results(rows)
            finals = self._finals(rows)
            self._take_next_games(rows)
            self._open(rows)
        masks = self.action_masks()
        infos = {**finals, **self._infos(EVERYWHERE, masks)}
        return self._observations(masks), rewards, done, np.zeros_like(done), infos

    def action_masks(self) -> NDArray[np.int8]:
        """(num_envs, num_actions): 1 for each legal action."""
        return self.games.legal_actions()

    # ------------------------------------------------------------------------------- the games

    def _take_games(self, seeds: NDArray[np.uint64], *, reseed: bool) -> None:
        self.games.reset(seeds)
        self._take_seats(self._all, (seeds % np.uint64(self.num_players)).astype(np.int64))
        if reseed:
            for opponent in self.opponents:
                for row, seed in enumerate(seeds.tolist()):
                    opponent.reseed(row, seed)

    def _take_next_games(self, rows: Rows) -> None:
        self._run(restart_batch, rows)
        self._take_seats(rows, (self.seats[rows] + 1) % self.num_players)

    def _take_seats(self, rows: Rows, seats: NDArray[np.int64]) -> None:
        self.seats[rows] = seats if self._fixed_seat is None else self._fixed_seat

    def _open(self, rows: Rows) -> None:
        """Go on to the learners' first decisions; games decided before that are passed over."""
        listeners = self._listeners
        for _ in range(MOST_SKIPPED_GAMES):
            for row, seat in zip(rows.tolist(), self.seats[rows].tolist(), strict=True):
                for place, opponent in listeners:
                    opponent.begin(row, (seat + place) % self.num_players, self.num_players)
            rows = rows[self._play_to_next_decision(rows)]
            if not len(rows):
                return
            self._results(rows)
            self._take_next_games(rows)
        raise RulesError(f"{MOST_SKIPPED_GAMES} games in a row ended before the learner was asked")

    def _play_to_next_decision(
        self, rows: Rows, actions: NDArray[np.int64] = NO_ACTIONS
    ) -> NDArray[np.bool_]:
        """Play the learners' actions, if they were asked, and let the opponents play; afterwards
        True where there is nothing left for the learner."""
        turns = np.empty(len(rows), dtype=np.int64)
        seats, until_lost, seeds = self.seats[rows], self._until_lost, self._random_seeds
        if seeds is not None:
            self._run(play_randomly_batch, rows, actions, seats, until_lost, seeds, turns)
        else:
            if len(actions):
                self.games.step(actions, rows)
            self._run(turns_batch, rows, seats, until_lost, turns)
            self._ask_opponents(rows, turns)
        done: NDArray[np.bool_] = turns == DONE
        return done

    def _ask_opponents(self, rows: Rows, turns: NDArray[np.int64]) -> None:
        """One after the other in each game, as long as it is the turn of one of them."""
        waiting = np.flatnonzero(turns > 0)
        while len(waiting):
            places, games = turns[waiting], rows[waiting]
            actions = np.empty(len(waiting), dtype=np.int64)
            for place, opponent in enumerate(self.opponents, 1):
                his = np.flatnonzero(places == place)
                if len(his):
                    actions[his] = opponent.choose(self.games, games[his])
            self.games.step(actions, games)
            self._run(turns_batch, games, self.seats[games], self._until_lost, places)
            turns[waiting] = places
            waiting = waiting[places > 0]

    def _results(self, rows: Rows) -> NDArray[np.float32]:
        """The learners' rewards where nothing is left for them; opponents are told of the ends."""
        shape = (self.num_envs, self.num_players)
        rewards = np.full(shape, self._loss, dtype=np.float32)  # unless the game says otherwise
        ranks, out = np.empty((2, *shape), dtype=np.int8)
        over = rows[self.games.state.game[rows, PHASE] == OVER]
        self._run(result_batch, over, self.games.reward == "rank", rewards, ranks, out)
        if self._listeners:
            for row in over.tolist():
                tell_results(self.opponents, row, int(self.seats[row]), ranks[row].tolist())
        learners: NDArray[np.float32] = rewards[rows, self.seats[rows]]
        return learners

    @property
    def _listeners(self) -> list[tuple[int, Opponent]]:
        """The opponents that want to know of beginnings and ends, and their places."""
        return [
            (place, opponent)
            for place, opponent in enumerate(self.opponents, 1)
            if not isinstance(opponent, BatchOpponent)
        ]

    def _run(self, kernel: Any, rows: Rows, *arguments: Any) -> None:
        fields, rules = tuple(self.games.state), tuple(self.games.variant)
        kernel(fields, rules, 0, len(rows), rows, *arguments)

    # ----------------------------------------------------------------------------- what is seen

    def _observations(self, masks: NDArray[np.int8]) -> Any:
        # A copy: the infos have the masks too, and who changes the one must not change the other.
        return self._with_mask(self.games.observe(viewers=self.seats), masks.copy())

    def _with_mask(self, tensor: NDArray[Any], masks: NDArray[np.int8]) -> Any:
        if not self._mask_in_observation:
            return tensor
        return {"observation": tensor, "action_mask": masks}

    def _finals(self, rows: Rows) -> dict[str, Any]:
        """The last observations and infos of games that are over for the learner."""
        observations = np.full(self.num_envs, None, dtype=object)
        tensors = self.games.observe(rows, self.seats[rows])
        masks = np.ones((len(rows), self.games.num_actions), dtype=np.int8)
        for row, tensor, mask in zip(rows.tolist(), tensors, masks, strict=True):
            observations[row] = self._with_mask(tensor, mask)
        there = self._spread(rows, np.True_)
        return {
            "final_obs": observations,
            "_final_obs": there,
            "final_info": self._infos(rows, self._spread(rows, masks)),
            "_final_info": there.copy(),
        }

    def _infos(self, rows: Rows | slice, masks: NDArray[np.int8]) -> dict[str, Any]:
        """The infos of these games as Gymnasium batches them: "_key" says who has the "key"."""
        there = self._spread(rows, np.True_)
        return {
            "action_mask": masks,
            "_action_mask": there,
            "out": self._spread(rows, self.games.state.seats[rows, :, OUT].astype(np.int8)),
            "_out": there.copy(),
            "seat": self._spread(rows, self.seats[rows]),
            "_seat": there.copy(),
        }

    def _spread(self, rows: Rows | slice, values: Any) -> NDArray[Any]:
        """An array for all games, with these values in these rows and zeros in the others."""
        array = np.zeros((self.num_envs, *values.shape[1:]), dtype=values.dtype)
        array[rows] = values
        return array

    # ---------------------------------------------------------------------- copies of the games

    def get_state(self) -> VectorSnapshot:
        """The games as they stand, to go on from with `set_state` as often as one likes."""
        opponents = copy.deepcopy(self.opponents)
        return VectorSnapshot(self.games.copy(), self.seats.copy(), self._is_reset, opponents)

    def set_state(self, snapshot: VectorSnapshot) -> None:
        self.games, self.seats = snapshot.games.copy(), snapshot.seats.copy()
        self._is_reset = snapshot.is_reset
        self.opponents = copy.deepcopy(snapshot.opponents)

    def clone(self) -> TsuroVectorEnv:
        """An environment of its own that goes on from here identically."""
        return copy.deepcopy(self)

    # ------------------------------------------------------------------------------- the checks

    def _seeds(self, seed: int | Sequence[int] | None) -> NDArray[np.uint64]:
        first: Any = secrets.randbits(63) if seed is None else seed
        listed = isinstance(first, Sequence | np.ndarray)
        seeds = list(first) if listed else range(first, first + self.num_envs)
        if len(seeds) != self.num_envs:
            raise RulesError(f"{self.num_envs} games need as many seeds, got {len(seeds)}")
        for one in seeds:
            if not is_whole(one) or not 0 <= one < 2**64:
                raise RulesError(f"a seed is a whole number from 0 to 2**64 - 1, got {one!r}")
        return np.array(seeds, dtype=np.uint64)

    def _checked(self, actions: ArrayLike) -> NDArray[np.int64]:
        array, last = np.asarray(actions), self.games.num_actions - 1
        if array.dtype.kind not in "iu" or array.shape != (self.num_envs,):
            raise ActionError(
                f"{self.num_envs} whole numbers from 0 to {last} are asked for, got an array of "
                f"{array.dtype} and shape {array.shape}"
            )
        if array.min() < 0 or array.max() > last:
            wrong = array[(array < 0) | (array > last)][0]
            raise ActionError(f"actions are whole numbers from 0 to {last}, got {wrong}")
        return array.astype(np.int64)
