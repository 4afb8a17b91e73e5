"""The learner's games as a Stable-Baselines3 VecEnv."""

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

import agents
from training.networks import OptionsNetwork
from training.opponents import NetworkPlayer, Opponents
from training.policy import NetworkPolicy
from training.vec_env import SelfPlayVecEnv
from tsuro_env import GameBatch, Rules
from tsuro_env.encodings import encoding_of
from tsuro_env.engine.state import TO_MOVE

GAMES = 40


def make_env(rules="course", num_players=4, games=GAMES, seed=0):
    """An environment with the network itself, a random player and a snapshot in its pool."""
    torch.manual_seed(seed)
    batch = GameBatch(games, rules, num_players, seed=seed, observation="options", restart=False)
    network = OptionsNetwork(batch.variant, 8)
    current = NetworkPlayer(network, encoding_of("options"))
    opponents = Opponents(current, [agents.make("random", seed=3)], (1.0, 1.0, 1.0), 2)
    opponents.add_snapshot()
    return SelfPlayVecEnv(batch, opponents, seed)


def random_actions(env, chance):
    masks = env.action_masks().astype(float)
    return np.array([chance.choice(len(row), p=row / row.sum()) for row in masks])


def to_the_end(env, game, action):
    """Play one game on alone, by the one-at-a-time answers of the same players, to its very end."""
    alone = env.games.copy()
    row = np.array([game])
    learner = env.learner[game]
    alone.step([action], row)
    asked_again = False
    while not alone.finished[game]:
        seat = alone.state.game[game, TO_MOVE]
        if seat == learner:
            asked_again = True
            break
        owner = env.owners[game, (seat - learner) % alone.num_players]
        alone.step(env.opponents.players[owner].choose(alone, row), row)
    return asked_again, float(alone.rewards[game, learner])


@pytest.mark.parametrize(
    ("rules", "num_players"),
    [("course", 2), ("course", 4), ("boxed", 2), ("boxed", 5), (Rules.course(4), 4)],
)
def test_the_reward_of_a_step_is_what_the_whole_game_pays_if_the_learner_is_not_asked_again(
    rules, num_players
):
    env = make_env(rules, num_players)
    chance = np.random.default_rng(0)
    env.reset()
    deaths = 0
    for _ in range(30):
        actions = random_actions(env, chance)
        expected = [to_the_end(env, game, actions[game]) for game in range(GAMES)]
        _, rewards, dones, _ = env.step(actions)
        for game, (asked_again, reward) in enumerate(expected):
            assert dones[game] != asked_again
            assert rewards[game] == pytest.approx(0.0 if asked_again else reward)
        deaths += dones.sum()
    assert deaths > GAMES / 2


def test_the_learner_is_to_move_in_every_game_after_every_step():
    env = make_env()
    chance = np.random.default_rng(1)
    env.reset()
    for _ in range(20):
        assert (env.games.to_move == env.learner).all()
        masks = env.action_masks()
        assert masks.any(axis=1).all()
        assert (masks == env.games.legal_actions()).all()
        env.step(random_actions(env, chance))


def test_the_learner_sits_one_seat_further_on_in_the_next_game():
    env = make_env()
    chance = np.random.default_rng(2)
    env.reset()
    for _ in range(20):
        before = env.learner.copy()
        _, _, dones, _ = env.step(random_actions(env, chance))
        assert (env.learner == (before + dones) % 4).all()


def test_games_that_end_show_their_last_position_and_the_others_share_one_empty_info():
    env = make_env()
    chance = np.random.default_rng(3)
    env.reset()
    seen = 0
    for _ in range(20):
        observations, _, dones, infos = env.step(random_actions(env, chance))
        assert len({id(info) for info, done in zip(infos, dones, strict=True) if not done}) <= 1
        for game in np.flatnonzero(dones):
            last = infos[game]["terminal_observation"]
            assert last.shape == observations[game].shape
            assert not np.array_equal(last, observations[game])
            seen += 1
        assert all(not infos[game] for game in np.flatnonzero(~dones))
    assert seen > 0


def test_the_pool_learns_who_outlasted_whom():
    env = make_env()
    chance = np.random.default_rng(4)
    env.reset()
    met = score = 0.0
    for _ in range(30):
        actions = random_actions(env, chance)
        owners = env.owners.copy()
        before = env.opponents.met.copy()
        _, _, dones, _ = env.step(actions)
        added = env.opponents.met - before
        assert (added == np.bincount(owners[dones, 1:].ravel(), minlength=len(added))).all()
        met, score = env.opponents.met.sum(), env.opponents.score.sum()
    assert 0 < score < met


def test_a_loaded_state_goes_on_in_the_same_way():
    env, twin = make_env(), make_env()
    chance = np.random.default_rng(5)
    env.reset()
    for _ in range(7):
        env.step(random_actions(env, chance))
    twin.load_state(env.state())
    assert (twin.reset() == env.games.observe()).all()
    for _ in range(10):
        actions = random_actions(env, chance)
        for one, two in zip(env.step(actions)[:3], twin.step(actions)[:3], strict=True):
            assert np.array_equal(one, two)
        assert np.array_equal(env.action_masks(), twin.action_masks())


def test_games_that_restart_by_themselves_are_refused():
    env = make_env()
    games = GameBatch(2, observation="options")
    with pytest.raises(ValueError, match="restart"):
        SelfPlayVecEnv(games, env.opponents, 0)


class MaskPerGame(SelfPlayVecEnv):
    """Hands out the masks as Stable-Baselines3 documents it: a list with one for each game."""

    def env_method(self, method_name, *arguments, indices=None, **options):
        (masks,) = super().env_method(method_name)
        return list(masks)


def test_masks_as_one_array_train_the_same_weights_as_one_mask_a_game():
    weights = []
    for kind in (SelfPlayVecEnv, MaskPerGame):
        env = make_env(games=16)
        env.__class__ = kind
        network = env.opponents.current.network
        model = MaskablePPO(
            NetworkPolicy,
            env,
            n_steps=8,
            batch_size=32,
            n_epochs=2,
            seed=0,
            device="cpu",
            policy_kwargs={"network": network},
        )
        model.learn(256)
        weights.append(torch.cat([p.detach().flatten() for p in network.parameters()]))
    assert torch.equal(*weights)


@pytest.mark.parametrize("observation", ["options", "planes"])
def test_no_games_have_no_observations(observation):
    games = GameBatch(3, observation=observation)
    nothing = games.observe(np.zeros(0, dtype=np.int64))
    assert nothing.shape == (0, *games.encoding.shape(games.variant))
