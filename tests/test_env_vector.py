"""The native vector environment plays each of its games as the single environment does."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from agents.random_player import RandomPlayer
from tests.environments import assert_same, random_action
from tests.players import Honest
from tsuro_env import OrderError, RulesError
from tsuro_env.vector_env import TsuroVectorEnv

ID = "tsuro_env/Tsuro-v0"


def middle(observation: np.ndarray, mask: np.ndarray) -> int:
    """An opponent that is a function: the legal action in the middle."""
    legal = np.flatnonzero(mask)
    return int(legal[len(legal) // 2])


ARGUMENTS: list[dict[str, Any]] = [
    {},
    {"rules": "boxed", "opponents": ["random"] * 7, "elimination": "end"},
    {"rules": "boxed", "opponents": ["random", middle], "seat": 1, "reward": "rank"},
    {"setup": "random", "opponents": ["first", "third"], "mask_in_observation": False},
    {"opponents": ["second"], "observation": "options", "unique_rotations": True},
    {"opponents": ["third", middle, "random"], "tiles": "cycle", "seat": 3},
]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=range(len(ARGUMENTS)))
def test_it_gives_what_single_environments_give(arguments):
    native = gymnasium.make_vec(ID, num_envs=5, **arguments)
    assert isinstance(native, TsuroVectorEnv)
    singles = SyncVectorEnv(
        [lambda: gymnasium.make(ID, disable_env_checker=True, **arguments)] * 5,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    assert native.observation_space == singles.observation_space
    assert native.action_space == singles.action_space
    assert native.metadata["autoreset_mode"] == singles.metadata["autoreset_mode"]
    random = np.random.default_rng(0)
    endings = 0
    for seed in (7, None, [3, 1, 4, 1, 5]):
        mine = native.reset(seed=seed)
        assert_same(mine, singles.reset(seed=seed))
        masks = mine[1]["action_mask"]
        for _ in range(40):
            actions = np.array([random_action(mask, random) for mask in masks])
            if random.random() < 0.1:
                actions[random.integers(5)] = random.integers(native.single_action_space.n)
            mine = native.step(actions)
            assert_same(mine, singles.step(actions))
            masks = mine[4]["action_mask"]
            endings += mine[2].sum()
    assert endings > 10


def test_the_size_of_the_batch_changes_no_game():
    small, large = (gymnasium.make_vec(ID, num_envs=n) for n in (3, 64))
    observations, _ = small.reset(seed=9)
    others, _ = large.reset(seed=9)
    random = np.random.default_rng(9)
    for _ in range(60):
        np.testing.assert_array_equal(observations["observation"], others["observation"][:3])
        actions = [random_action(mask, random) for mask in others["action_mask"]]
        observations, *results, _ = small.step(np.array(actions[:3]))
        others, *other_results, _ = large.step(np.array(actions))
        for mine, theirs in zip(results, other_results, strict=True):
            np.testing.assert_array_equal(mine, theirs[:3])


def test_random_opponents_play_the_same_whether_they_are_asked_or_the_engine_plays_for_them():
    class Asked(RandomPlayer):
        def choose(self, games, which):
            return super().choose(games, which)

    by_engine = TsuroVectorEnv(50, ["random"] * 3)
    asked = TsuroVectorEnv(50, [Asked(seed=number) for number in range(3)])
    assert by_engine._random_seeds is not None
    assert asked._random_seeds is None, "what the player itself decides must not be passed by"
    assert_same(by_engine.reset(seed=4), asked.reset(seed=4))
    for _ in range(60):
        actions = by_engine.games.random_actions()
        assert_same(by_engine.step(actions), asked.step(actions))


def test_players_with_a_memory_have_one_in_each_game():
    player = Honest()
    envs = TsuroVectorEnv(3, [player])
    envs.reset(seed=0)
    for _ in range(12):
        envs.step(envs.action_masks().argmax(axis=1))
    (opponent,) = envs.opponents
    assert opponent.players[0] is player
    assert len({id(one) for one in opponent.players}) == 3
    for one in opponent.players:
        assert one.called[0] == "assign_color"
        assert one.called.count("assign_color") >= one.called.count("game_over")


def test_nothing_that_was_handed_out_is_used_again():
    envs = gymnasium.make_vec(ID, num_envs=4)
    observations, infos = envs.reset(seed=0)
    kept = [observations["observation"], observations["action_mask"], infos["action_mask"]]
    copies = [array.copy() for array in kept]
    for _ in range(20):
        envs.step(envs.action_masks().argmax(axis=1))
    for array, as_it_was in zip(kept, copies, strict=True):
        np.testing.assert_array_equal(array, as_it_was)


def test_masks_of_observations_and_infos_share_no_memory():
    envs = gymnasium.make_vec(ID, num_envs=16)
    observations, infos = envs.reset(seed=0)
    assert not np.shares_memory(observations["action_mask"], infos["action_mask"])
    while "final_obs" not in infos:
        observations, _, _, _, infos = envs.step(observations["action_mask"].argmax(axis=1))
    assert not np.shares_memory(observations["action_mask"], infos["action_mask"])
    final_masks = infos["final_info"]["action_mask"]
    for last in infos["final_obs"][infos["_final_obs"]]:
        assert last["action_mask"].all()
        assert not np.shares_memory(last["action_mask"], final_masks)


def test_gymnasiums_vector_wrappers_work_on_it():
    envs = RecordEpisodeStatistics(gymnasium.make_vec(ID, num_envs=8))
    _, infos = envs.reset(seed=0)
    finished = 0
    while finished < 10:
        _, _, terminated, _, infos = envs.step(envs.env.action_masks().argmax(axis=1))
        finished += terminated.sum()
        if terminated.any():
            assert (infos["episode"]["l"][terminated] > 0).all()
    listed = DictInfoToList(gymnasium.make_vec(ID, num_envs=2))
    _, infos = listed.reset(seed=0)
    assert [info["action_mask"].shape for info in infos] == [(220,), (220,)]


def test_the_environments_opponents_are_asked_in_batches():
    sizes = []

    class Watched(RandomPlayer):
        def choose(self, games, which):
            sizes.append(len(which))
            return super().choose(games, which)

    envs = TsuroVectorEnv(256, [Watched(seed=0)], seat=0)
    envs.reset(seed=0)
    for _ in range(20):
        envs.step(envs.games.random_actions())
    assert len(sizes) < 200
    assert max(sizes) > 200


def test_wrong_seeds_and_steps_before_reset_are_refused():
    envs = TsuroVectorEnv(3)
    with pytest.raises(OrderError, match="reset"):
        envs.step([0, 0, 0])
    with pytest.raises(RulesError, match="3 games need as many seeds, got 2"):
        envs.reset(seed=[1, 2])


def test_games_that_end_before_the_learner_is_asked_are_passed_over():
    with pytest.raises(RulesError, match="ended before the learner was asked"):
        TsuroVectorEnv(2, [lambda _, mask: int(mask.argmin())], seat=1).reset(seed=0)
