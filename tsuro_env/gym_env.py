"""`TsuroGymEnv`: one seat of the game for Gymnasium; opponents play the others."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from tsuro_env.aec import MOST_SKIPPED_GAMES, RENDER_MODES, Snapshot, TileSource, TsuroEnv
from tsuro_env.errors import OrderError, RulesError
from tsuro_env.opponents import Opponent, OpponentLike, seat_opponents, tell_results
from tsuro_env.rule_checker import RuleChecker
from tsuro_env.rules import Rules
from tsuro_env.spaces import whole_action
from tsuro_env.tile import is_whole

ROTATE = "rotate"


@dataclass(frozen=True)
class GymSnapshot:
    """A game in the middle, opponents included; see `TsuroGymEnv.get_state`."""

    table: Snapshot
    seat: int
    over: bool
    opponents: list[Opponent]


class TsuroGymEnv(gymnasium.Env[Any, Any]):
    """The learner's side of a game against `opponents`, the first of whom moves after the learner.

    opponents: agent specs ("greedy", "model.onnx", ...), `StrategyPlayer`s, or functions of
        (observation, action_mask) that return an action.
    seat: the learner's, 0 for the oldest; or "rotate", another one in each episode.
    elimination: "immediate" ends the episode as soon as the learner's reward is certain; "end"
        plays every game to its end.
    mask_in_observation: observations are {"observation", "action_mask"}, or the tensor alone;
        the mask is always in `info` and in `action_masks()` too.
    The other arguments are those of `TsuroEnv`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  as Gymnasium declares it
        "render_modes": list(RENDER_MODES),
        "render_fps": TsuroEnv.metadata["render_fps"],
    }

    def __init__(
        self,
        opponents: Sequence[OpponentLike] = ("random", "random", "random"),
        rules: Rules | str = "course",
        observation: str = "planes",
        setup: str = "agent",
        reward: str = "win",
        elimination: str = "immediate",
        seat: int | str = ROTATE,
        render_mode: str | None = None,
        *,
        mask_in_observation: bool = True,
        unique_rotations: bool = False,
        rule_checker: RuleChecker | None = None,
        tiles: TileSource | None = None,
    ) -> None:
        self.opponents: list[Opponent] = seat_opponents(opponents, 1)
        self.num_players = 1 + len(self.opponents)
        self.table = TsuroEnv(
            rules,
            self.num_players,
            observation,
            setup,
            reward,
            elimination,
            render_mode,
            unique_rotations=unique_rotations,
            rule_checker=rule_checker,
            tiles=tiles,
        )
        self.render_mode = render_mode
        self._fixed_seat = checked_seat(seat, self.num_players)
        self._mask_in_observation = mask_in_observation
        self._over = True
        self.seat = 0
        learner = self.table.possible_agents[0]
        space: Any = self.table.observation_space(learner)
        self.observation_space = space if mask_in_observation else space["observation"]
        self.action_space = self.table.action_space(learner)

    @property
    def learner(self) -> str:
        """The agent of `table` that the learner is."""
        return str(self.table.possible_agents[self.seat])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a game and go on to the learner's first decision.

        Games that are decided before the learner is asked anything are passed over.
        """
        super().reset(seed=seed, options=options)
        follows = seed is None and self.table.is_reset
        if seed is not None:
            for opponent in self.opponents:
                opponent.reseed(0, seed)
        for _ in range(MOST_SKIPPED_GAMES):
            self.table.reset(seed=seed)
            number = self.table.referee.seed if seed is None else seed
            self._take_seats(self.seat + 1 if follows else number)
            self._play_to_next_decision()
            if not self._over:
                return self._observation(), self._info()
            seed, follows = None, True
        raise RulesError(f"{MOST_SKIPPED_GAMES} games in a row ended before the learner was asked")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner's action, then the opponents' up to the learner's next decision.

        The reward is all that the learner got by then, its death on somebody else's turn included.
        """
        if self._over:
            raise OrderError("no episode is under way: reset() needs to be called before step()")
        self.table.play(whole_action(action, self.table.view.num_actions, "the learner"))
        self._play_to_next_decision()
        reward = self.table.rewards[self.learner]
        return self._observation(), reward, self._over, False, self._info()

    def action_masks(self) -> NDArray[np.int8]:
        """1 for each legal action of the learner; all ones after the end."""
        mask: NDArray[np.int8] = self.table.infos[self.learner]["action_mask"].copy()
        return mask

    def _take_seats(self, number: int) -> None:
        self.seat = number % self.num_players if self._fixed_seat is None else self._fixed_seat
        for place, opponent in enumerate(self.opponents, 1):
            opponent.begin(0, (self.seat + place) % self.num_players, self.num_players)

    def _play_to_next_decision(self) -> None:
        """Let the opponents play until the learner is asked, or there is nothing left to win."""
        table, learner = self.table, self.learner
        while not table.terminations[learner] and table.agent_selection != learner:
            if table.terminations[table.agent_selection]:
                table.step(None)
            else:
                asked = table.possible_agents.index(table.agent_selection)
                opponent = self.opponents[(asked - self.seat) % self.num_players - 1]
                table.play(int(opponent.choose(table.view, np.zeros(1, dtype=np.int64))[0]))
        self._over = table.terminations[learner]
        if table.referee.finished:
            _, ranks = table.view.results()
            tell_results(self.opponents, 0, self.seat, ranks.tolist())

    def _observation(self) -> Any:
        observation = self.table.observe(self.learner)
        return observation if self._mask_in_observation else observation["observation"]

    def _info(self) -> dict[str, Any]:
        out = self.table.infos[self.learner]["out"].copy()
        return {"action_mask": self.action_masks(), "out": out, "seat": self.seat}

    # ------------------------------------------------------------------------- copies and pictures

    def get_state(self) -> GymSnapshot:
        """The game as it stands, to go on from with `set_state` as often as one likes."""
        opponents = copy.deepcopy(self.opponents)
        return GymSnapshot(self.table.get_state(), self.seat, self._over, opponents)

    def set_state(self, snapshot: GymSnapshot) -> None:
        self.table.set_state(snapshot.table)
        self.seat, self._over = snapshot.seat, snapshot.over
        self.opponents = copy.deepcopy(snapshot.opponents)

    def clone(self) -> TsuroGymEnv:
        """An environment of its own that goes on from here identically; it has no window."""
        return copy.deepcopy(self)

    def render(self) -> Any:
        return self.table.render()

    def close(self) -> None:
        self.table.close()


def checked_seat(seat: object, num_players: int) -> int | None:
    """A fixed seat, or None for one that is rotated."""
    if seat == ROTATE:
        return None
    if not is_whole(seat) or not 0 <= seat < num_players:  # type: ignore[operator]
        raise RulesError(
            f"seat must be {ROTATE!r} or a whole number from 0 to {num_players - 1}, got {seat!r}"
        )
    return int(seat)  # type: ignore[call-overload,no-any-return]
