"""The Gymnasium environment: the checkers, seats, rewards, and opponents of every kind."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as sb3_check_env

from agents.scripted import SecondPlayer
from tests.environments import assert_same, random_action, who_is_out
from tests.players import Honest
from tsuro_env import (
    ActionError,
    OrderError,
    RuleChecker,
    RulesError,
    StrategyPlayer,
    Tile,
    Verdict,
)
from tsuro_env.aec import TsuroEnv
from tsuro_env.gym_env import TsuroGymEnv

ID = "tsuro_env/Tsuro-v0"

ARGUMENTS: list[dict[str, Any]] = [
    {},
    {"rules": "boxed", "opponents": ["random"] * 7},
    {"opponents": ["second"], "observation": "options", "setup": "random"},
    {"opponents": ["random", "third"], "elimination": "end", "mask_in_observation": False},
    {"reward": "rank", "seat": 2, "unique_rotations": True, "tiles": "cycle"},
]


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(TsuroEnv.metadata, "render_fps", 1000)


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=range(len(ARGUMENTS)))
def test_gymnasiums_check_env_passes_in_every_render_mode(arguments):
    check_env(gymnasium.make(ID, **arguments).unwrapped)


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=range(len(ARGUMENTS)))
def test_stable_baselines3s_check_env_passes(arguments):
    with warnings.catch_warnings():
        # It takes any three-dimensional observation for a photograph, and gives advice on those.
        warnings.filterwarnings("ignore", "(It seems that your observation|The minimal resolution)")
        warnings.filterwarnings("ignore", "Treating image space as channels-last")
        sb3_check_env(gymnasium.make(ID, **arguments).unwrapped)


def play(env: Any, seed: int, random: np.random.Generator) -> tuple[int, float, dict[str, Any]]:
    """One episode with random legal actions: its length, its reward and its last info."""
    _, info = env.reset(seed=seed)
    steps, total, terminated = 0, 0.0, False
    while not terminated:
        action = random_action(info["action_mask"], random)
        _, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        assert reward == 0 or terminated
        steps += 1
        total += reward
    return steps, total, info


@pytest.mark.parametrize("rules", ["course", "boxed"])
@pytest.mark.parametrize("reward", ["win", "rank"])
def test_the_reward_is_the_same_whether_the_game_is_played_to_its_end_or_not(rules, reward):
    ends = [
        TsuroGymEnv(["random"] * 4, rules, reward=reward, elimination=e)
        for e in ("end", "immediate")
    ]
    shorter = 0
    for seed in range(40):
        (steps, total, info), (quick_steps, quick_total, quick_info) = (
            play(env, seed, np.random.default_rng(seed)) for env in ends
        )
        assert (steps, total) == (quick_steps, quick_total)
        finished = ends[1].table.referee.finished
        shorter += not finished
        assert finished or reward == "win"
        assert who_is_out(quick_info).items() <= who_is_out(info).items()
        expected = ends[0].table.view.results()[0][info["seat"]]
        assert total == expected
    assert (shorter > 0) == (reward == "win")


def test_a_death_on_somebody_elses_turn_is_in_the_reward_of_the_last_action():
    env = TsuroGymEnv(["random"] * 7, "boxed")
    pushed = 0
    for seed in range(60):
        _, total, info = play(env, seed, np.random.default_rng(seed))
        learner = f"player_{info['seat']}"
        if who_is_out(info).get(learner) != "exit":
            continue
        last = [move for move in env.table.referee.record["moves"] if move["out"]]
        colors = env.table.referee.colors
        own = colors[info["seat"]]
        by_other = [m for m in last if m["color"] != own and own in [o["color"] for o in m["out"]]]
        pushed += bool(by_other)
        assert total < 0 or env.table.referee.finished
    assert pushed


def test_the_seat_is_fixed_or_moves_on_by_one_in_each_episode():
    fixed = TsuroGymEnv(seat=2)
    assert [fixed.reset(seed=s)[1]["seat"] for s in (0, 1, 2)] == [2, 2, 2]
    rotating = TsuroGymEnv(seat="rotate")
    seats = [rotating.reset(seed=6)[1]["seat"]] + [rotating.reset()[1]["seat"] for _ in range(5)]
    assert seats == [2, 3, 0, 1, 2, 3]


def test_every_seat_sees_its_own_game():
    for seat in range(4):
        env = TsuroGymEnv(seat=seat)
        observation, info = env.reset(seed=1)
        assert env.table.agent_selection == f"player_{seat}"
        assert_same(observation, env.table.observe(f"player_{seat}"))
        assert_same(info["action_mask"], observation["action_mask"])
        assert_same(env.action_masks(), observation["action_mask"])


def test_the_mask_can_be_left_out_of_the_observation():
    with_mask, without = TsuroGymEnv(), TsuroGymEnv(mask_in_observation=False)
    observation, info = with_mask.reset(seed=1)
    tensor, same_info = without.reset(seed=1)
    assert_same(observation["observation"], tensor)
    assert_same(info, same_info)
    assert without.observation_space == with_mask.observation_space["observation"]


# --------------------------------------------------------------------------------------- opponents


def test_a_function_of_observation_and_mask_is_an_opponent():
    asked = []

    def policy(observation, action_mask):
        asked.append((observation.shape, action_mask.dtype))
        return np.flatnonzero(action_mask)[-1]

    play(TsuroGymEnv([policy, policy]), 0, np.random.default_rng(0))
    assert set(asked) == {((152, 10, 10), np.dtype(np.int8))}


def test_an_opponent_sees_the_game_from_its_own_seat():
    env = TsuroGymEnv([lambda *seen: views.append(seen) or int(seen[1].argmax())], seat=0)
    views: list[Any] = []
    env.reset(seed=0)
    env.step(int(env.action_masks().argmax()))
    before = env.get_state()
    env.step(int(env.action_masks().argmax()))
    env.set_state(before)
    env.table.step(int(env.action_masks().argmax()))
    assert env.table.agent_selection == "player_1"
    expected = env.table.observe("player_1")
    assert_same(views[0], (expected["observation"], expected["action_mask"]))


def test_a_player_is_called_as_a_referee_would_call_it():
    player = Honest()
    env = TsuroGymEnv([player, "random"], "boxed", elimination="end", seat=0)
    for seed in range(3):
        player.calls.clear()
        play(env, seed, np.random.default_rng(seed))
        assert player.called[:2] == ["assign_color", "initial_placement"]
        assert player.calls[0] == ("assign_color", "black", ("white", "red"))
        assert set(player.called[2:-1]) == {"take_turn"}
        ranks = env.table.view.results()[1].tolist()
        if ranks[1] == 0:
            assert "game_over" not in player.called
        else:
            best = "won" if ranks.count(1) == 1 else "drew"
            assert player.calls[-1] == ("game_over", best if ranks[1] == 1 else "lost")


def test_a_scripted_opponent_plays_as_it_does_for_a_referee():
    env = TsuroGymEnv(["second", "third", "first"], elimination="end", seat=0)
    for seed in range(10):
        play(env, seed, np.random.default_rng(seed))
        for move in env.table.referee.record["moves"]:
            if move["color"] == "green" and move["kind"] == "turn" and move["answer"]:
                assert move["answer"] == [move["dealt"][0], 0], (
                    "`first` lays its first tile unturned"
                )


class Dice(SecondPlayer):
    """Throws dice of its own."""

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)

    def take_turn(self, tiles, board):
        legal = RuleChecker().legal_turns(board, self.color, tiles)
        return legal[self.random.integers(len(legal))]


def test_the_chance_of_opponents_from_specs_follows_from_the_seed_of_reset():
    opponents = [f"{__name__}:Dice"] * 2
    env, other = TsuroGymEnv(opponents, seat=0), TsuroGymEnv(opponents, seat=0)
    games = []
    for table, seed in ((env, 3), (env, 4), (env, 3), (other, 3)):
        play(table, seed, np.random.default_rng(0))
        games.append(table.table.referee.record["moves"])
    assert games[0] == games[2] == games[3]
    dice = [opponent.players[0].random.integers(2**60) for opponent in env.opponents]
    assert dice[0] != dice[1]


class Broken(StrategyPlayer):
    def initial_placement(self, tiles, board):
        raise LookupError("I lost my tiles")


def test_what_an_opponent_raises_comes_out():
    with pytest.raises(LookupError, match="I lost my tiles"):
        TsuroGymEnv([Broken()], seat=1).reset(seed=0)
    with pytest.raises(ActionError, match="an opponent is asked for a whole number"):
        TsuroGymEnv([lambda *_: 0.5], seat=1).reset(seed=0)


class Cheat(SecondPlayer):
    """Answers with a tile that it does not have, or with none at all."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def take_turn(self, tiles, board):
        return self.answer


@pytest.mark.parametrize("answer", [None, "tile", 3, Tile(0)])
def test_an_opponent_that_breaks_a_rule_is_out_and_the_game_goes_on(answer):
    env = TsuroGymEnv([Cheat(answer), "second"], seat=0, tiles=lambda _: iter([Tile(7)] * 1000))
    _, info = env.reset(seed=0)
    for _ in range(3):
        _, _, _, _, info = env.step(random_action(info["action_mask"], np.random.default_rng(0)))
    assert who_is_out(info)["player_1"] == "illegal"
    assert "player_2" not in who_is_out(info)


def test_games_that_end_before_the_learner_is_asked_are_passed_over():
    first_is_illegal = iter([0])
    env = TsuroGymEnv([lambda _, mask: next(first_is_illegal, int(mask.argmax()))], seat=1)
    _, info = env.reset(seed=0)
    assert who_is_out(info) == {}
    with pytest.raises(RulesError, match="ended before the learner was asked"):
        TsuroGymEnv([lambda _, mask: int(mask.argmin())], seat=1).reset(seed=0)


@pytest.mark.parametrize("opponents", ["random", 3, [], [3], [None], ["random"] * 8])
def test_wrong_opponents_are_refused(opponents):
    with pytest.raises(RulesError):
        TsuroGymEnv(opponents)


@pytest.mark.parametrize("seat", [-1, 4, 1.0, "first", None, True])
def test_a_wrong_seat_is_refused(seat):
    with pytest.raises(RulesError, match="seat must be 'rotate' or a whole number from 0 to 3"):
        TsuroGymEnv(seat=seat)


def test_a_step_before_reset_or_after_the_end_says_so():
    env = TsuroGymEnv()
    with pytest.raises(OrderError, match="reset"):
        env.step(0)
    env.reset(seed=0)
    env.step(int(env.action_masks().argmin()))
    with pytest.raises(OrderError, match="reset"):
        env.step(0)


class NoCorners(RuleChecker):
    """Nobody may start in a corner."""

    def check_initial(self, board, tiles, placement):
        last = board.size - 1
        if placement.x in (0, last) and placement.y in (0, last):
            return Verdict(False, "not in a corner")
        return super().check_initial(board, tiles, placement)


def test_a_rule_checker_of_ones_own_judges_the_learner_and_its_opponents():
    env = TsuroGymEnv(["second"], rule_checker=NoCorners(), seat=0)
    _, info = env.reset(seed=0)
    plain = TsuroGymEnv(["second"], seat=0)
    plain.reset(seed=0)
    corners = plain.action_masks() - info["action_mask"]
    assert corners.sum() == 4 * 4  # four ports of each corner square face inward
    _, _, _, _, info = env.step(int(corners.argmax()))
    assert who_is_out(info) == {"player_0": "illegal"}
