"""The policy networks, and the policy that hands them to MaskablePPO."""

import numpy as np
import pytest
import torch
from gymnasium import spaces

from agents.logits_player import LogitsError
from training.networks import ILLEGAL, NETWORKS, Network, OptionsNetwork
from training.policy import NetworkPolicy
from tsuro_env import GameBatch, Rules
from tsuro_env.engine import options
from tsuro_env.engine.state import TILE_ACTIONS

WIDTH = 8


def some_games(observation, rules="course", num_players=3):
    games = GameBatch(64, rules, num_players, seed=5, observation=observation)
    for _ in range(60):
        games.step(games.random_actions())
    return games


def observations_of(games):
    return torch.from_numpy(games.observe()).float()


@pytest.mark.parametrize("observation", NETWORKS)
@pytest.mark.parametrize("rules", ["course", "boxed", Rules.course(6)])
@pytest.mark.parametrize("num_players", [2, 5])
def test_every_network_answers_with_a_logit_for_each_action_and_a_value(
    observation, rules, num_players
):
    games = some_games(observation, rules, num_players)
    network = NETWORKS[observation](games.variant, WIDTH)
    logits, values = network(observations_of(games))
    assert logits.shape == (64, games.num_actions)
    assert values.shape == (64,)
    assert torch.isfinite(logits).all()


def split(observations):
    head = TILE_ACTIONS * options.OPTION_FEATURES
    rows = observations[:, :head].reshape(-1, TILE_ACTIONS, options.OPTION_FEATURES)
    return rows, observations[:, head:]


def joined(rows, overall):
    return torch.cat([rows.flatten(1), overall], dim=1)


def test_options_in_another_order_get_the_same_logits_in_that_order_and_the_same_value():
    games = some_games("options")
    network = OptionsNetwork(games.variant, WIDTH)
    rows, overall = split(observations_of(games))
    order = torch.randperm(TILE_ACTIONS, generator=torch.Generator().manual_seed(0))
    logits, values = network(joined(rows, overall))
    moved, same = network(joined(rows[:, order], overall))
    torch.testing.assert_close(moved[:, :TILE_ACTIONS], logits[:, order])
    torch.testing.assert_close(moved[:, TILE_ACTIONS:], logits[:, TILE_ACTIONS:])
    torch.testing.assert_close(same, values)


def test_what_an_illegal_option_would_lead_to_does_not_touch_the_value():
    games = some_games("options")
    network = OptionsNetwork(games.variant, WIDTH)
    rows, overall = split(observations_of(games))
    illegal = rows[:, :, options.IS_LEGAL] == 0
    assert illegal.any()
    changed = rows.clone()
    changed[illegal] += 1
    changed[:, :, options.IS_LEGAL] = rows[:, :, options.IS_LEGAL]
    torch.testing.assert_close(
        network(joined(changed, overall))[1], network(joined(rows, overall))[1]
    )


@pytest.mark.parametrize("observation", NETWORKS)
@pytest.mark.parametrize("rules", ["course", "boxed"])
@pytest.mark.parametrize("unique", [False, True])
@pytest.mark.parametrize("steps", [0, 4, 45])
def test_considering_only_legal_actions_changes_neither_their_logits_nor_the_values(
    observation, rules, unique, steps
):
    games = GameBatch(60, rules, 4, seed=2, observation=observation, unique_rotations=unique)
    for _ in range(steps):
        games.step(games.random_actions())
    network = NETWORKS[observation](games.variant, WIDTH)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter *= 2
    observations, masks = observations_of(games), torch.as_tensor(games.legal_actions())
    logits, values = network(observations)
    groups = network.consider(observations, masks)
    assert sorted(torch.cat([group.games for group in groups]).tolist()) == list(range(60))
    for group in groups:
        torch.testing.assert_close(group.values, values[group.games])
        there = group.logits > ILLEGAL / 2
        offered = group.actions.expand_as(group.logits)
        torch.testing.assert_close(
            group.logits[there], logits[group.games].gather(1, offered)[there]
        )
        found = torch.zeros_like(masks[group.games]).scatter(1, offered, there.to(masks.dtype))
        assert torch.equal(found, masks[group.games])


@pytest.mark.parametrize(
    ("rules", "num_players", "width"), [("course", 2, 12), ("course", 5, 1), ("boxed", 4, 7)]
)
@pytest.mark.parametrize("unique", [False, True])
@pytest.mark.parametrize("steps", [0, 1, 4, 5, 45])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_compiled_network_chooses_as_the_written_one_does(
    rules, num_players, width, unique, steps, threads, torch_threads
):
    torch_threads(threads)
    torch.manual_seed(steps)
    games = GameBatch(
        100, rules, num_players, seed=2, observation="options", unique_rotations=unique
    )
    for _ in range(steps):
        games.step(games.random_actions())
    network = OptionsNetwork(games.variant, width)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter *= 2
        network.spots.worth.normal_()
    observations, masks = observations_of(games), torch.as_tensor(games.legal_actions())
    for drawn in (None, torch.rand(100), torch.zeros(100), torch.full((100,), 0.999)):
        ours = network.choose(observations, masks, drawn)
        expected = Network.choose(network, observations, masks, drawn)
        same = ours.actions == expected.actions
        if drawn is None:
            assert same.all()
        else:  # a number may fall so near to the bound of two actions that rounding decides
            logits = network(observations)[0].detach().masked_fill(masks == 0, ILLEGAL)
            bounds = torch.softmax(logits.double(), dim=1).cumsum(dim=1)
            gaps = (bounds - drawn.unsqueeze(1)).abs().amin(dim=1)
            assert (gaps[~same] < 1e-6).all()
        torch.testing.assert_close(ours.log_chances[same], expected.log_chances[same])
        torch.testing.assert_close(ours.values, expected.values)


@pytest.fixture
def torch_threads():
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


def test_observations_and_masks_of_another_game_are_refused():
    network = OptionsNetwork(GameBatch(1, num_players=4).variant, WIDTH)
    games = some_games("options", num_players=2)
    masks = torch.as_tensor(games.legal_actions())
    with pytest.raises(ValueError, match=r"\(64, 352\)"):
        network.choose(observations_of(games), masks, None)
    games = some_games("options", num_players=4)
    with pytest.raises(ValueError, match=r"\(64, 12\)"):
        network.choose(observations_of(games), masks[:, :TILE_ACTIONS], None)


def test_the_policy_asks_for_masks():
    games = some_games("options")
    with pytest.raises(ValueError, match="masks"):
        make_policy(games)(observations_of(games))


@pytest.mark.parametrize("observation", NETWORKS)
def test_actions_are_drawn_as_often_as_their_chances_say(observation):
    games = GameBatch(1, num_players=3, seed=5, observation=observation)
    for _ in range(6):
        games.step(games.random_actions())
    network = NETWORKS[observation](games.variant, WIDTH)
    times = 20_000
    observations = observations_of(games).expand(times, *games.encoding.shape(games.variant))
    masks = torch.as_tensor(games.legal_actions()).expand(times, -1)
    actions, log_chances, _ = network.choose(
        observations.contiguous(), masks, torch.linspace(0, 1 - 1e-6, times)
    )
    found = torch.bincount(actions, minlength=games.num_actions) / times
    assert (found > 0).sum() == masks[0].sum()
    torch.testing.assert_close(log_chances.exp(), found[actions], atol=1e-3, rtol=0)


@pytest.mark.parametrize("observation", NETWORKS)
def test_a_network_of_no_numbers_is_not_played_with(observation):
    games = some_games(observation)
    network = NETWORKS[observation](games.variant, WIDTH)
    with torch.no_grad():
        next(iter(network.parameters())).fill_(torch.nan)
    masks = torch.as_tensor(games.legal_actions())
    with pytest.raises(LogitsError, match="no number"):
        network.choose(observations_of(games), masks, torch.rand(64))


def make_policy(games):
    network = OptionsNetwork(games.variant, WIDTH)
    shape = games.encoding.shape(games.variant)
    policy = NetworkPolicy(
        spaces.Box(0, 1, shape), spaces.Discrete(games.num_actions), lambda _: 1e-3, network
    )
    with torch.no_grad():  # a new network is nearly uniform: make it choosy
        for parameter in network.parameters():
            parameter *= 3
    return policy


def test_the_policys_chances_are_those_of_sb3s_masked_distribution():
    games = some_games("options")
    policy = make_policy(games)
    observations, masks = observations_of(games), games.legal_actions()
    theirs = policy.get_distribution(observations, masks).distribution
    actions = torch.as_tensor(masks.argmax(axis=1))
    values, log_chances, entropy = policy.evaluate_actions(
        observations, actions, torch.as_tensor(masks)
    )
    torch.testing.assert_close(log_chances, theirs.log_prob(actions))
    torch.testing.assert_close(entropy, theirs.entropy())
    torch.testing.assert_close(values, policy.predict_values(observations))


def test_the_policy_draws_only_legal_actions_and_reports_their_chances():
    games = some_games("options")
    policy = make_policy(games)
    observations, masks = observations_of(games), games.legal_actions()
    rows = np.arange(games.num_games)
    for deterministic in (False, True):
        actions, _, log_chances = policy(observations, deterministic, action_masks=masks)
        assert masks[rows, actions.numpy()].all()
        _, expected, _ = policy.evaluate_actions(observations, actions, torch.as_tensor(masks))
        torch.testing.assert_close(log_chances, expected)
