"""A copied game goes on identically, in whatever way it was copied."""

import copy
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from agents.scripted import SecondPlayer
from tests.environments import assert_same, configurations, random_action
from tsuro_env import RuleChecker, RulesError, Tile, tsuro_v0
from tsuro_env.aec import TsuroEnv
from tsuro_env.gym_env import TsuroGymEnv
from tsuro_env.vector_env import TsuroVectorEnv


def by_state(env: Any) -> Any:
    twin = copy.deepcopy(env)
    twin.reset(seed=123)
    twin.set_state(env.get_state())
    return twin


def by_pickled_state(env: Any) -> Any:
    twin = by_state(env)
    twin.reset(seed=99)
    twin.set_state(pickle.loads(pickle.dumps(env.get_state())))
    return twin


WAYS: list[Callable[[Any], Any]] = [
    lambda env: env.clone(),
    copy.deepcopy,
    lambda env: pickle.loads(pickle.dumps(env)),
    by_state,
    by_pickled_state,
]
NAMES = ["clone", "deepcopy", "pickle", "state", "pickled_state"]


def course_of_game(env: TsuroEnv, seed: int) -> list[Any]:
    """Everything that can be seen of the rest of a game and of the next one."""
    random = np.random.default_rng(seed)
    seen: list[Any] = []
    for _ in range(2):
        for agent in env.agent_iter():
            last = env.last()
            seen.append((agent, *last, env.state(), dict(env.rewards)))
            env.step(None if last[2] else random_action(last[0]["action_mask"], random))
        seen.append(env.referee.record)
        env.reset()
    return seen


@pytest.mark.parametrize("way", WAYS, ids=NAMES)
@pytest.mark.parametrize("number", range(0, 32, 3))
def test_a_copy_of_a_game_goes_on_identically_and_leaves_the_original_alone(way, number):
    env = tsuro_v0.env(**configurations(32)[number])
    env.reset(seed=number)
    random = np.random.default_rng(number)
    for _, _ in zip(range(int(random.integers(60))), env.agent_iter(), strict=False):
        _, _, terminated, _, info = env.last()
        env.step(None if terminated else random_action(info["action_mask"], random))
        if not env.agents:
            env.reset()
    twin = way(env)
    of_twin = course_of_game(twin, number)
    assert_same(tuple(of_twin), tuple(course_of_game(env, number)))


def test_a_copy_made_between_the_terminations_of_agents_goes_on_identically():
    env = tsuro_v0.env(num_players=5, elimination="immediate")
    copied = 0
    for seed in range(5):
        env.reset(seed=seed)
        random = np.random.default_rng(seed)
        for agent in env.agent_iter():
            _, _, terminated, _, info = env.last()
            if terminated:
                for way in WAYS:
                    twin = way(env)
                    assert twin.agent_selection == agent
                    assert twin.action_masks().all(), "nothing is asked of a terminated agent"
                    assert_same(twin.last(), env.last())
                    twin.step(None)
                    copied += 1
            env.step(None if terminated else random_action(info["action_mask"], random))
    assert copied


def test_a_snapshot_can_be_used_again_and_again():
    env = tsuro_v0.env()
    env.reset(seed=1)
    start = env.get_state()
    games = []
    for _ in range(3):
        env.set_state(start)
        games.append(course_of_game(env, 7))
    assert_same(tuple(games[0]), tuple(games[1]))
    assert_same(tuple(games[0]), tuple(games[2]))


def test_tiles_of_ones_own_are_the_same_for_a_copy():
    random = np.random.default_rng(0)
    tiles = (Tile(int(random.integers(35))) for _ in itertools.count())
    env = tsuro_v0.env(tiles=tiles)
    env.reset(seed=1)
    for _ in range(11):
        env.step(int(env.action_masks().argmax()))
    twin = tsuro_v0.env(tiles=())
    twin.set_state(env.get_state())
    while not env.referee.finished:
        assert env.referee.pending.tiles == twin.referee.pending.tiles
        action = int(env.action_masks().argmax())
        env.step(action)
        twin.step(action)
    assert env.referee.record == twin.referee.record


def test_a_snapshot_of_another_game_is_refused():
    env = tsuro_v0.env(num_players=3)
    env.reset(seed=0)
    with pytest.raises(RulesError, match="3 players"):
        tsuro_v0.env(num_players=4).set_state(env.get_state())
    with pytest.raises(RulesError, match="course"):
        tsuro_v0.env("boxed", num_players=3).set_state(env.get_state())


def test_a_copy_has_no_window(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(TsuroEnv.metadata, "render_fps", 1000)
    env = tsuro_v0.env(render_mode="human")
    env.reset(seed=0)
    twin = pickle.loads(pickle.dumps(env))
    env.close()
    twin.step(int(twin.action_masks().argmax()))
    twin.close()
    twin.close()


class Counting(SecondPlayer):
    """Has a memory: how often it was asked decides which legal option it takes."""

    count = 0

    def take_turn(self, tiles, board):
        self.count += 1
        legal = RuleChecker().legal_turns(board, self.color, tiles)
        return legal[self.count % len(legal)]


@pytest.mark.parametrize("way", WAYS, ids=NAMES)
@pytest.mark.parametrize("vector", [False, True])
def test_a_copy_of_an_environment_with_opponents_goes_on_identically(way, vector):
    opponents = ["random", Counting(), "third"]
    env: Any = TsuroVectorEnv(4, opponents) if vector else TsuroGymEnv(opponents)
    env.reset(seed=3)
    random = np.random.default_rng(3)

    def step(env: Any, random: np.random.Generator) -> tuple[Any, ...]:
        masks = env.action_masks()
        if vector:
            return env.step(np.array([random_action(mask, random) for mask in masks]))
        result = env.step(random_action(masks, random))
        return (*result, env.reset()) if result[2] else result

    for _ in range(40):
        step(env, random)
    twin = way(env)
    one, two = np.random.default_rng(8), np.random.default_rng(8)
    mine = [step(env, one) for _ in range(60)]
    theirs = [step(twin, two) for _ in range(60)]
    assert_same(tuple(mine), tuple(theirs))


def test_a_wrapped_environment_can_be_copied():
    env = gymnasium.make("tsuro_env/Tsuro-v0")
    env.reset(seed=0)
    action = int(env.unwrapped.action_masks().argmax())
    twin = copy.deepcopy(env)
    assert_same(env.step(action), twin.step(action))
