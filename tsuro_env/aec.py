"""`TsuroEnv`: the game for PettingZoo, one agent at a time.

It translates between PettingZoo's bookkeeping and a `Referee`, and decides no rule.  What
PettingZoo's wrappers would check (the order of calls, the bounds of actions) is checked here, since
any wrapper costs more than a move.
"""

from __future__ import annotations

import copy
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv

from tsuro_env.engine.kernels import next_seed, win_reward
from tsuro_env.engine.learner import has_lost
from tsuro_env.engine.state import LEFT, NOTHING, OUT, TO_MOVE
from tsuro_env.errors import ActionError, OrderError, RulesError
from tsuro_env.referee import Referee
from tsuro_env.referee_game import RefereeGame
from tsuro_env.rule_checker import RuleChecker
from tsuro_env.rules import Rules
from tsuro_env.spaces import (
    ELIMINATIONS,
    action_space,
    observation_space,
    one_of,
    tensor_space,
    whole_action,
)
from tsuro_env.tile import Tile

if TYPE_CHECKING:
    from tsuro_env.drawing import Window

RENDER_MODES = ("human", "ansi", "rgb_array")
MOST_SKIPPED_GAMES = 1000

Observation = dict[str, NDArray[Any]]
TileSource = str | Iterable[Tile] | Callable[[int], Iterable[Tile]]
"""The name of a supply; or tiles of one's own; or a function that makes them of a game's seed."""

_KNOWN_SINCE_RESET = {
    "agents",
    "agent_selection",
    "infos",
    "num_agents",
    "referee",
    "rewards",
    "terminations",
    "truncations",
}


@dataclass(frozen=True)
class Snapshot:
    """A game in the middle, with PettingZoo's bookkeeping; see `TsuroEnv.get_state`."""

    referee: Referee
    agents: tuple[str, ...]
    agent_selection: str
    selection_after_the_dead: str | None
    rewards: dict[str, float]
    cumulative_rewards: dict[str, float]
    terminations: dict[str, bool]


class TsuroEnv(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """Tsuro for 2 to 8 agents; `player_0`, the oldest, begins.

    rules: "course", "boxed" or a `Rules` value.
    observation: "planes" or "options".
    setup: "agent" (everybody chooses where to start) or "random" (the referee places everybody).
    reward: "win" (the zero-sum share of the win) or "rank".
    elimination: "end" (all terminate when the game ends) or "immediate" (whoever is out does so as
        soon as its result is certain).
    render_mode: None, "human", "ansi" or "rgb_array".
    unique_rotations: mask out rotations that look the same as a smaller one of the same tile.
    rule_checker, tiles: judge and supply of one's own, as a `Referee` takes them; tiles may also
        be a function that makes them of the game's seed.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "tsuro_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | str = "course",
        num_players: int = 4,
        observation: str = "planes",
        setup: str = "agent",
        reward: str = "win",
        elimination: str = "end",
        render_mode: str | None = None,
        *,
        unique_rotations: bool = False,
        rule_checker: RuleChecker | None = None,
        tiles: TileSource | None = None,
    ) -> None:
        super().__init__()
        self.view = RefereeGame(
            1,
            rules,
            num_players,
            setup,
            supply=tiles if isinstance(tiles, str) else None,
            reward=reward,
            observation=observation,
            unique_rotations=unique_rotations,
        )
        self._setup, self._tiles, self._rule_checker = setup, tiles, rule_checker
        # By rank nothing is certain before the end.
        self._immediate = (
            one_of("elimination", elimination, ELIMINATIONS) == "immediate" and reward == "win"
        )
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self._window: Window | None = None
        self.is_reset = False

        encoding, variant = self.view.encoding, self.view.variant
        self.possible_agents = [f"player_{seat}" for seat in range(num_players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seats = np.arange(num_players)
        space = observation_space(encoding, variant)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: action_space(variant) for agent in self.possible_agents}
        self.state_space = tensor_space(encoding, variant, num_players)
        self._anything: NDArray[np.int8] = np.ones(variant.num_actions, dtype=np.int8)
        self._mask = self._anything

    @property
    def rules(self) -> Rules:
        return self.view.rules

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    # -------------------------------------------------------------------------------- the game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a game: that of `seed`; else the one that follows on the last; else any."""
        if seed is None and self.is_reset:
            seed = following(self.referee.seed)
        referee = self._new_referee(seed)
        for _ in range(MOST_SKIPPED_GAMES):
            if not referee.finished:
                break  # almost always: it takes all but one to be stuck before anybody is asked
            referee = self._new_referee(following(referee.seed))
        else:
            raise RulesError(f"{MOST_SKIPPED_GAMES} games in a row ended before anybody was asked")
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection: str | None = None
        self._take_over(referee)
        self._ask()
        self._show()

    def step(self, action: Any) -> None:
        """The action of `agent_selection`: a whole number; None once the agent is terminated."""
        self._check_order("step")
        agent = self.agent_selection
        if agent not in self.terminations:
            raise OrderError("the game is over: reset() needs to be called before step()")
        if not self.terminations[agent]:
            self.play(whole_action(action, self.view.num_actions, agent))
        elif action is None:
            self._was_dead_step(action)
            self._stepped = True
        else:
            raise ActionError(f"{agent} is terminated: its only action is None, got {action!r}")

    def play(self, action: int) -> None:
        """`step` without the checks: a number out of bounds is illegal like any other."""
        mover = self.agent_selection
        self._cumulative_rewards[mover] = 0.0
        self.referee.submit_action(action)
        game = self.view.state.game
        if game.item(0, LEFT) != self._left:
            self._note_who_is_out()
        self.infos[mover] = self._info(self._anything)
        if game.item(0, TO_MOVE) == NOTHING:
            self._mask = self._anything
            self._terminate(self._results())
        else:
            self._ask()
            if self._immediate and self._left < len(self.agents):
                self._terminate(self._losses())
        self._stepped = True
        self._show()

    def _ask(self) -> None:
        self.agent_selection = agent = self.possible_agents[self.view.state.game.item(0, TO_MOVE)]
        self._mask = self.referee.legal_actions(self.view.unique_rotations)
        self.infos[agent] = self._info(self._mask)

    def _results(self) -> dict[str, float]:
        """The rewards of a game that is over."""
        rewards, _ = self.view.results()
        return {agent: rewards.item(self._seat_of[agent]) for agent in self.agents}

    def _losses(self) -> dict[str, float]:
        """The rewards of those who have certainly lost a game that goes on."""
        state, variant = self.view.state, self.view.variant
        loss = float(np.float32(win_reward(len(self._seats), 1, False)))
        return {
            agent: loss
            for agent in self.agents
            if has_lost(state, variant, 0, self._seat_of[agent])
        }

    def _terminate(self, rewards: dict[str, float]) -> None:
        for agent, reward in rewards.items():
            self.terminations[agent] = True
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
        self._deads_step_first()

    # ----------------------------------------------------------------------------- what is seen

    def observe(self, agent: str) -> Observation:
        """The view of any possible agent and its mask: all ones for whoever is not asked."""
        self._check_order("observe")
        seat = self._seat_of[agent]
        view: NDArray[Any] = self.view.views(self._seats[seat : seat + 1])[0]
        return {"observation": view, "action_mask": self._mask_of(agent)}

    def state(self) -> NDArray[Any]:
        """The views of all players one after the other along the first axis: every hand."""
        self._check_order("state")
        views = self.view.views(self._seats)
        joined: NDArray[Any] = views.reshape(self.state_space.shape)
        return joined

    def action_masks(self) -> NDArray[np.int8]:
        """The mask of `agent_selection`."""
        self._check_order("action_masks")
        return self._mask_of(self.agent_selection)

    def _mask_of(self, agent: str) -> NDArray[np.int8]:
        asked = self.view.state.game.item(0, TO_MOVE) == self._seat_of[agent]
        mask: NDArray[np.int8] = (self._mask if asked else self._anything).copy()
        return mask

    def _info(self, mask: NDArray[np.int8]) -> dict[str, Any]:
        return {"action_mask": mask.copy(), "out": self._out.copy()}

    def _note_who_is_out(self) -> None:
        self._left = self.view.state.game.item(0, LEFT)
        self._out: NDArray[np.int8] = self.view.state.seats[0, :, OUT].astype(np.int8)
        self.infos = {agent: self._info(self._anything) for agent in self.agents}

    # ------------------------------------------------------------------------- copies of the game

    def get_state(self) -> Snapshot:
        """The game as it stands, to go on from with `set_state`, here or in an environment like
        this one, as often as one likes."""
        self._check_order("get_state")
        return Snapshot(
            self.referee.copy(),
            tuple(self.agents),
            self.agent_selection,
            self._skip_agent_selection,
            dict(self.rewards),
            dict(self._cumulative_rewards),
            dict(self.terminations),
        )

    def set_state(self, snapshot: Snapshot) -> None:
        referee = snapshot.referee
        if (referee.rules, len(referee.players)) != (self.rules, len(self.possible_agents)):
            raise RulesError(
                f"the snapshot is of a game of {len(referee.players)} players by {referee.rules}, "
                f"not of {len(self.possible_agents)} by {self.rules}"
            )
        self.agents = list(snapshot.agents)
        self.rewards = dict(snapshot.rewards)
        self._cumulative_rewards = dict(snapshot.cumulative_rewards)
        self.terminations = dict(snapshot.terminations)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = snapshot.selection_after_the_dead
        self._take_over(referee.copy())
        if not referee.finished:
            self._ask()
        self.agent_selection = snapshot.agent_selection

    def clone(self) -> TsuroEnv:
        """An environment of its own that goes on from here identically; it has no window."""
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> TsuroEnv:
        # Tiles of the user's own may be an iterator, which cannot be copied: copies of the referee
        # share what it has given so far.
        memo[id(self._tiles)] = self._tiles
        twin = memo[id(self)] = object.__new__(type(self))
        twin.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.is_reset:  # the copies of the game and of the referee share one state again
            self.view.look_at(self.referee)

    def _take_over(self, referee: Referee) -> None:
        self.referee = referee
        self.is_reset = True
        self.view.look_at(referee)
        self._mask = self._anything
        self._note_who_is_out()
        self._stepped = True

    def _new_referee(self, seed: int | None) -> Referee:
        seed = secrets.randbits(63) if seed is None else seed
        return Referee(
            self._rule_checker,
            self.possible_agents,
            self._tiles(seed) if callable(self._tiles) else self._tiles,
            rules=self.rules,
            seed=seed,
            setup=self._setup,
        )

    # --------------------------------------------------------------------------- the order of calls

    def _check_order(self, method: str) -> None:
        if not self.is_reset:
            raise OrderError(f"reset() needs to be called before {method}()")

    def __getattr__(self, name: str) -> Any:
        if name in _KNOWN_SINCE_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset()")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yields `agent_selection` until the game is over; the loop has to step each time."""
        self._check_order("agent_iter")
        return self._agents_in_turn(max_iter)

    def _agents_in_turn(self, max_iter: int) -> Iterator[str]:
        self._stepped = True
        while self.agents and max_iter > 0:
            if not self._stepped:
                raise OrderError("step() or reset() needs to be called in a loop over agent_iter()")
            self._stepped = False
            max_iter -= 1
            yield self.agent_selection

    # ----------------------------------------------------------------------------------- pictures

    def render(self) -> str | NDArray[np.uint8] | None:
        """The position as `render_mode` says: text, pixels (height, width, 3), or a window."""
        self._check_order("render")
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing: the environment has no render_mode")
            return None
        from tsuro_env import drawing  # pictures are seldom wanted, and take long to import

        scene = drawing.scene_of(self.referee)
        if self.render_mode == "ansi":
            return drawing.to_text(scene)
        if self.render_mode == "rgb_array":
            return drawing.to_rgb(scene)
        if self._window is None:
            self._window = drawing.Window(fps=self.metadata["render_fps"])
        self._window.show(scene)
        return None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None


def following(seed: int) -> int:
    """The seed of the game that follows on that of `seed`, the same as in a `GameBatch`."""
    return int(next_seed(np.uint64(seed)))
