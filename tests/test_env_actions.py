"""Illegal actions take out whoever makes them and nobody else; what is no action is an error."""

import gymnasium
import numpy as np
import pytest

from tests.environments import assert_same, random_action, who_is_out
from tsuro_env import OUT_REASONS, ActionError, GameBatch, tsuro_v0

NO_ACTIONS = [
    float("nan"),
    np.nan,
    0.0,
    np.float32(3),
    "0",
    None,
    True,
    np.bool_(True),
    [0],
    np.array([0]),
    np.array([0.0]),
    object(),
]


def kind_of(action: object) -> str:
    return type(action).__name__


OUT_OF_RANGE = [-1, 220, 10**30, np.int64(-5), np.uint8(255)]


@pytest.mark.parametrize("action", NO_ACTIONS, ids=kind_of)
def test_what_is_no_whole_number_is_an_error_that_names_it_and_changes_nothing(action):
    env = tsuro_v0.env()
    env.reset(seed=1)
    before = env.observe("player_0")
    with pytest.raises(ActionError, match="player_0 is asked for a whole number from 0 to 219"):
        env.step(action)
    assert env.agent_selection == "player_0"
    assert_same(env.observe("player_0"), before)


@pytest.mark.parametrize("action", OUT_OF_RANGE, ids=kind_of)
def test_an_action_out_of_range_is_an_error_that_changes_nothing(action):
    env = tsuro_v0.env()
    env.reset(seed=1)
    with pytest.raises(ActionError, match="not in the action space"):
        env.step(action)
    assert who_is_out(env.infos["player_0"]) == {}
    assert env.referee.moves_made == 0


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint16, np.array])
def test_every_kind_of_whole_number_is_an_action(kind):
    env = tsuro_v0.env(setup="random")
    env.reset(seed=1)
    action = int(np.argmax(env.action_masks()))
    env.step(kind(action))
    assert env.agent_selection == "player_1"


def test_a_terminated_agent_has_only_the_action_none():
    env = tsuro_v0.env("boxed", 2)
    env.reset(seed=0)
    env.step(0)  # a tile action where a start spot is asked for: out, and the game is over
    with pytest.raises(ActionError, match="player_0 is terminated: its only action is None, got 0"):
        env.step(0)


@pytest.mark.parametrize("rules", ["course", "boxed"])
@pytest.mark.parametrize("elimination", ["end", "immediate"])
def test_an_illegal_action_takes_out_that_player_alone(rules, elimination):
    env = tsuro_v0.env(rules, 4, elimination=elimination)
    for seed in range(20):
        env.reset(seed=seed)
        random = np.random.default_rng(seed)
        for _ in range(int(random.integers(30))):
            if env.terminations[env.agent_selection]:
                break
            env.step(random_action(env.action_masks(), random))
        if env.terminations[env.agent_selection]:
            continue
        cheater = env.agent_selection
        others = who_is_out(env.infos[cheater])
        board = env.referee.board
        env.step(int(random.choice(np.flatnonzero(env.action_masks() == 0))))
        out = who_is_out(env.infos[env.agent_selection])
        assert out[cheater] == "illegal"
        newly = set(out) - set(others) - {cheater}
        assert all(out[agent] == "stuck" for agent in newly), "only what the rules do by themselves"
        assert env.referee.board.tiles == board.tiles, "no tile is placed"
        assert cheater in env.referee.cheaters


def test_the_others_play_on_after_an_illegal_action_and_the_cheater_loses():
    env = tsuro_v0.env(num_players=3)
    env.reset(seed=4)
    random = np.random.default_rng(4)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    moves = 0
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        totals[agent] += reward
        if terminated:
            env.step(None)
            continue
        mask = observation["action_mask"]
        env.step(int(np.argmin(mask)) if moves == 0 else random_action(mask, random))
        moves += 1
    assert moves > 10
    assert totals["player_0"] == -0.5
    assert env.referee.ranking[0] <= {"player_1", "player_2"}


@pytest.mark.parametrize("action", [*NO_ACTIONS, *OUT_OF_RANGE], ids=kind_of)
def test_the_gymnasium_environment_refuses_what_is_no_action(action):
    env = gymnasium.make("tsuro_env/Tsuro-v0", disable_env_checker=True)
    observation, _ = env.reset(seed=0)
    with pytest.raises(ActionError, match="the learner is asked for a whole number"):
        env.step(action)
    np.testing.assert_array_equal(env.unwrapped.action_masks(), observation["action_mask"])


def test_an_illegal_action_of_the_learner_ends_its_episode_with_a_loss():
    env = gymnasium.make("tsuro_env/Tsuro-v0")
    observation, _ = env.reset(seed=0)
    illegal = int(np.argmin(observation["action_mask"]))
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (pytest.approx(-1 / 3), True, False)
    assert who_is_out(info) == {f"player_{info['seat']}": "illegal"}


@pytest.mark.parametrize(
    "actions",
    [
        np.zeros(3),
        np.full(3, np.nan),
        np.zeros(2, dtype=int),
        np.zeros((3, 1), dtype=int),
        [True] * 3,
        ["0"] * 3,
        None,
        [0, 220, 0],
        [0, -1, 0],
    ],
    ids=kind_of,
)
def test_the_vector_environment_refuses_what_are_no_actions(actions):
    envs = gymnasium.make_vec("tsuro_env/Tsuro-v0", num_envs=3)
    before, _ = envs.reset(seed=0)
    with pytest.raises(ActionError, match="whole numbers from 0 to 219"):
        envs.step(actions)
    np.testing.assert_array_equal(envs.action_masks(), before["action_mask"])


def test_an_illegal_action_in_a_vector_environment_ends_one_episode():
    envs = gymnasium.make_vec("tsuro_env/Tsuro-v0", num_envs=3)
    observations, _ = envs.reset(seed=0)
    actions = observations["action_mask"].argmax(axis=1)
    actions[1] = observations["action_mask"][1].argmin()
    _, rewards, terminated, _, infos = envs.step(actions)
    assert terminated.tolist() == [False, True, False]
    assert rewards.tolist() == [0, pytest.approx(-1 / 3), 0]
    seat = infos["final_info"]["seat"][1]
    assert OUT_REASONS[infos["final_info"]["out"][1, seat]] == "illegal"
    assert not infos["out"].any(), "the game that followed has just begun"


def test_a_batch_and_an_environment_do_the_same_with_an_illegal_action():
    env = tsuro_v0.env(setup="random")
    env.reset(seed=3)
    games = GameBatch(1, setup="random", seed=np.array([3], dtype=np.uint64))
    illegal = int(np.argmin(env.action_masks()))
    env.step(illegal)
    games.step([illegal])
    assert env.agent_selection == f"player_{games.to_move[0]}"
    np.testing.assert_array_equal(env.action_masks(), games.legal_actions()[0])
