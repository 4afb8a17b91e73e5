"""The PettingZoo environment: PettingZoo's own tests, rewards, elimination, order of calls."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils import average_total_reward

from tests.environments import configurations, play_out, random_action, turns, who_is_out
from tsuro_env import OrderError, Rules, RulesError, tsuro_v0
from tsuro_env.aec import TsuroEnv
from tsuro_env.registration import GYMNASIUM_ID, PETTINGZOO_ID, register

with warnings.catch_warnings():
    # PettingZoo's tests import its own environments in a way that it has deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test
    from pettingzoo.test.state_test import test_state as check_state
    from pettingzoo.test.state_test import test_state_space as check_state_space

# A third party cannot avoid them: PettingZoo knows its own environments with such observations.
KNOWN_WARNINGS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or "
    "gymnasium.spaces.discrete",
}


class OtherDeals(TsuroEnv):
    """PettingZoo's tests always use the same seed: this shifts it."""

    shift = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(None if seed is None else seed + self.shift, options)


@pytest.mark.parametrize("number", range(200))
def test_api_test_passes(number):
    env = OtherDeals(**configurations(200)[number])
    env.shift = number
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(8 * number + seat)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env, num_cycles=1000)
    assert {str(warning.message) for warning in caught} <= KNOWN_WARNINGS


@pytest.mark.parametrize("number", range(0, 32, 3))
def test_seed_test_passes(number):
    seed_test(lambda: tsuro_v0.env(**configurations(32)[number]))


@pytest.mark.parametrize("rules", ["course", "boxed"])
def test_render_test_passes_in_every_mode_without_a_screen(rules, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(TsuroEnv.metadata, "render_fps", 1000)
    render_test(
        lambda render_mode: tsuro_v0.env(rules=rules, num_players=3, render_mode=render_mode),
        custom_tests={"ansi": lambda text: "white" in text},
    )


@pytest.mark.parametrize("observation", ["planes", "options"])
def test_the_state_passes_pettingzoos_state_test(observation):
    env = tsuro_v0.env(observation=observation)
    check_state_space(env)
    check_state(env, num_cycles=20)


def test_random_play_that_ignores_the_mask_raises_nothing_and_sums_to_zero(capsys):
    total = average_total_reward(tsuro_v0.env(num_players=8), max_episodes=20)
    assert total == pytest.approx(0, abs=1e-5)


def test_the_environment_is_in_pettingzoos_registry():
    env = pettingzoo.make("aec", "tsuro_env/tsuro_v0", num_players=3)
    assert isinstance(env, TsuroEnv)
    assert env.max_num_agents == 3
    assert str(env) == "tsuro_v0"


def test_registering_again_changes_nothing():
    before = pettingzoo.spec("aec", PETTINGZOO_ID), gymnasium.spec(GYMNASIUM_ID)
    register()
    assert (pettingzoo.spec("aec", PETTINGZOO_ID), gymnasium.spec(GYMNASIUM_ID)) == before


# ---------------------------------------------------------------------------------------- the game


@pytest.mark.parametrize("number", range(16))
def test_the_rewards_come_at_the_end_and_sum_to_zero(number):
    env = tsuro_v0.env(**{**configurations(16)[number], "elimination": "end"})
    env.reset(seed=number)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    random = np.random.default_rng(number)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert not truncated
        assert reward == 0 or terminated
        totals[agent] += reward
        env.step(None if terminated else random_action(observation["action_mask"], random))
    assert sum(totals.values()) == pytest.approx(0, abs=1e-5)
    assert max(totals.values()) > 0
    winners = env.referee.ranking[0]
    if env.view.reward == "win":
        share = (len(totals) - len(winners)) / (len(winners) * (len(totals) - 1))
        for agent, total in totals.items():
            won = agent in winners
            assert total == pytest.approx(share if won else -1 / (len(totals) - 1))


def test_reward_rank_spreads_the_places_evenly():
    env = tsuro_v0.env(num_players=5, reward="rank")
    expected = {1: 1.0, 2: 0.5, 3: 0.0, 4: -0.5, 5: -1.0}
    seen = 0
    for seed in range(40):
        env.reset(seed=seed)
        rewards = play_out(env, np.random.default_rng(seed))
        ranking = env.referee.ranking
        if [len(rank) for rank in ranking] == [1, 1, 1, 1, 1]:
            seen += 1
            assert {a: expected[i] for i, (a,) in enumerate(ranking, 1)} == rewards
    assert seen


@pytest.mark.parametrize("rules", ["course", "boxed"])
def test_elimination_changes_when_agents_terminate_but_not_what_they_get(rules):
    early = 0
    for seed in range(30):
        ends = [tsuro_v0.env(rules, 6, elimination=kind) for kind in ("end", "immediate")]
        totals: list[dict[str, float]] = []
        lengths: list[dict[str, int]] = []
        for env in ends:
            env.reset(seed=seed)
            random = np.random.default_rng(seed)
            totals.append({})
            lengths.append({})
            moves = 0
            for agent in env.agent_iter():
                observation, reward, terminated, _, _ = env.last()
                if terminated:
                    totals[-1][agent], lengths[-1][agent] = reward, moves
                    env.step(None)
                else:
                    env.step(random_action(observation["action_mask"], random))
                    moves += 1
        assert totals[0] == totals[1]
        assert len(set(lengths[0].values())) == 1, "all terminate together"
        assert all(lengths[1][agent] <= lengths[0][agent] for agent in lengths[0])
        early += sum(lengths[1][agent] < lengths[0][agent] for agent in lengths[0])
    assert early > 60


def test_a_player_who_might_still_share_the_win_is_not_terminated():
    """In the course players who go out in the same round share a rank."""
    env = tsuro_v0.env(num_players=4, elimination="immediate")
    waited = 0
    for seed in range(200):
        env.reset(seed=seed)
        for agent, _, _ in turns(env, np.random.default_rng(seed)):
            out = who_is_out(env.infos[agent])
            waiting = [a for a in env.agents if a in out and not env.terminations[a]]
            waited += len(waiting)
            for other in waiting:
                assert out[other] in ("exit", "loop")
    assert waited, "nobody went out in the middle of a round"


def test_whoever_is_out_is_not_asked_again_and_everybody_is_told_why():
    env = tsuro_v0.env(num_players=5)
    reasons: set[str] = set()
    for seed in range(30):
        env.reset(seed=seed)
        for agent, _, _ in turns(env, np.random.default_rng(seed)):
            out = who_is_out(env.infos[agent])
            assert agent not in out
            assert all(who_is_out(info) == out for info in env.infos.values())
            reasons |= set(out.values())
        assert len(env.referee.out) >= 4
    assert {"exit", "stuck"} <= reasons


def test_the_mask_is_a_fresh_int8_array_that_is_never_all_zero():
    env = tsuro_v0.env(num_players=3, setup="random")
    env.reset(seed=1)
    for agent, observation, _ in turns(env, np.random.default_rng(1)):
        for other in env.possible_agents:
            mask = env.observe(other)["action_mask"]
            assert mask.dtype == np.int8
            assert mask.any()
            assert other == agent or mask.all(), "whoever is not asked may say anything"
        handed_out = [
            observation["action_mask"],
            env.observe(agent)["action_mask"],
            env.infos[agent]["action_mask"],
            env.action_masks(),
        ]
        expected = env.action_masks()
        for mask in handed_out:
            np.testing.assert_array_equal(mask, expected)
            mask[:] = 7  # whoever changes a mask changes nobody else's


def test_unique_rotations_masks_exactly_the_copies_out():
    every, unique = (
        tsuro_v0.env("boxed", 2, setup="random", unique_rotations=flag) for flag in (False, True)
    )
    fewer = 0
    for seed in range(20):
        every.reset(seed=seed)
        unique.reset(seed=seed)
        for _, observation, action in turns(unique, np.random.default_rng(seed)):
            pending = every.referee.pending
            looks = {}
            for a in np.flatnonzero(every.action_masks()):
                look = pending.tiles[a // 4].rotated(90 * (int(a) % 4))
                looks.setdefault((a // 4, look), int(a))
            mask = np.flatnonzero(observation["action_mask"])
            assert mask.tolist() == sorted(looks.values())
            fewer += len(mask) < every.action_masks().sum()
            every.step(action)
    assert fewer


def test_seeds_make_games_and_a_reset_without_one_goes_on_to_the_next():
    def deals(env: TsuroEnv, *seeds: int | None) -> list[Any]:
        found = []
        for seed in seeds:
            env.reset(seed=seed)
            found.append(env.referee.pending.tiles)
        return found

    one, two = tsuro_v0.env(), tsuro_v0.env()
    assert deals(one, 5, None, None, 5) == deals(two, 5, None, None, 5)
    assert len(set(deals(one, 5, None, None, None))) > 1
    assert len(set(deals(tsuro_v0.env(), *[None] * 8))) > 1


def test_the_state_holds_what_everybody_sees():
    env = tsuro_v0.env("boxed", 3, setup="random")
    env.reset(seed=2)
    views = [env.observe(agent)["observation"] for agent in env.possible_agents]
    np.testing.assert_array_equal(env.state(), np.concatenate(views))
    assert env.state() in env.state_space


def test_a_board_of_any_size_and_number_of_players_can_be_had():
    env = tsuro_v0.env(Rules.course(board_size=12), num_players=8)
    env.reset(seed=0)
    assert env.observe("player_7")["observation"].shape == (212, 12, 12)
    assert env.action_space("player_0").n == 12 + 4 * 10 * 6 + 4 * 4  # sides, corners


# --------------------------------------------------------------------------------- order, arguments


@pytest.mark.parametrize(
    "call",
    [
        lambda env: env.step(0),
        lambda env: env.observe("player_0"),
        lambda env: env.state(),
        lambda env: env.render(),
        lambda env: env.agent_iter(),
        lambda env: env.get_state(),
        lambda env: env.action_masks(),
    ],
)
def test_nothing_can_be_done_before_reset(call):
    with pytest.raises(OrderError, match=r"reset\(\) needs to be called before \w+\(\)"):
        call(tsuro_v0.env(render_mode="ansi"))


@pytest.mark.parametrize(
    "name",
    ["rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents", "agents"],
)
def test_nothing_of_the_game_can_be_read_before_reset(name):
    with pytest.raises(AttributeError, match=rf"{name} cannot be accessed before reset\(\)"):
        getattr(tsuro_v0.env(), name)


def test_a_step_after_the_end_says_that_reset_is_needed():
    env = tsuro_v0.env("boxed", 2)
    env.reset(seed=0)
    play_out(env, np.random.default_rng(0))
    with pytest.raises(OrderError, match="the game is over"):
        env.step(0)


def test_a_loop_that_does_not_step_is_told_so():
    env = tsuro_v0.env()
    env.reset(seed=0)
    with pytest.raises(OrderError, match="in a loop over agent_iter"):
        for _ in env.agent_iter():
            pass


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("rules", "chess"),
        ("num_players", 1),
        ("num_players", 9),
        ("observation", "pixels"),
        ("setup", "mine"),
        ("reward", "score"),
        ("elimination", "never"),
        ("render_mode", "hologram"),
        ("tiles", "gold"),
    ],
)
def test_a_wrong_argument_is_named_with_what_was_expected(argument, value):
    with pytest.raises(RulesError, match=rf"{value!r}|{value}"):
        tsuro_v0.env(**{argument: value})


def test_rendering_without_a_mode_warns():
    env = tsuro_v0.env()
    env.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
