"""What differs from sb3-contrib's own: the buffer, the entropy, and the average of the weights."""

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

from training import Config
from training.learner import Rollouts
from training.session import Session

STEPS, GAMES, FEATURES, ACTIONS = 5, 3, 4, 6


def filled(kind, seed, gae_lambda=1.0):
    chance = np.random.default_rng(seed)
    buffer = kind(
        STEPS,
        spaces.Box(0, 1, (FEATURES,)),
        spaces.Discrete(ACTIONS),
        device="cpu",
        gamma=0.9,
        gae_lambda=gae_lambda,
        n_envs=GAMES,
    )
    for start in range(2):  # a second rollout overwrites the first
        buffer.reset()
        for _ in range(STEPS):
            buffer.add(
                chance.random((GAMES, FEATURES), dtype=np.float32),
                chance.integers(ACTIONS, size=(GAMES, 1)),
                chance.standard_normal(GAMES).astype(np.float32),
                chance.random(GAMES) < 0.3,
                torch.from_numpy(chance.standard_normal(GAMES).astype(np.float32)),
                torch.from_numpy(chance.standard_normal(GAMES).astype(np.float32)),
                action_masks=chance.integers(2, size=(GAMES, ACTIONS)).astype(np.int8),
            )
        buffer.compute_returns_and_advantage(torch.zeros(GAMES), np.ones(GAMES))
        if start == 0:
            list(buffer.get(5))
    return buffer


def rows(buffer, batch_size):
    """Everything that it hands out, a tuple for each step of each game, in some order."""
    batches = list(buffer.get(batch_size))
    assert len(batches) == -(-STEPS * GAMES // batch_size)
    found = []
    for batch in batches:
        columns = [column.float().reshape(len(column), -1) for column in batch]
        found += [tuple(row.tolist()) for row in torch.cat(columns, dim=1)]
    return sorted(found)


@pytest.mark.parametrize("batch_size", [4, 15])
def test_rollouts_hand_out_what_the_buffer_of_sb3_contrib_does(batch_size):
    ours, theirs = filled(Rollouts, 1), filled(MaskableRolloutBuffer, 1)
    expected = rows(theirs, batch_size)
    assert rows(ours, batch_size) == expected
    assert len(set(expected)) == STEPS * GAMES


def test_the_first_decision_of_a_game_is_judged_at_the_end_of_the_rollout_and_others_as_usual():
    ours = filled(Rollouts, 7, 0.8)
    at_the_end = filled(MaskableRolloutBuffer, 7, 1.0)
    usual = filled(MaskableRolloutBuffer, 7, 0.8)
    seen = set()
    for step in range(STEPS):
        for game in range(GAMES):
            begun = ours.episode_starts[step, game]
            expected = at_the_end if begun else usual
            assert ours.advantages[step, game] == expected.advantages[step, game]
            assert ours.returns[step, game] == expected.returns[step, game]
            differs = usual.returns[step, game] != at_the_end.returns[step, game]
            seen.add((bool(begun), bool(differs)))
    assert {(True, True), (False, True)} <= seen


def test_rollouts_keep_their_memory():
    buffer = filled(Rollouts, 2)
    before = buffer.observations.ctypes.data
    list(buffer.get(5))
    buffer.reset()
    assert buffer.observations.shape == (STEPS, GAMES, FEATURES)
    assert buffer.observations.ctypes.data == before


def tiny_session():
    return Session(
        Config(
            num_players=2,
            width=8,
            steps=1024,
            games=32,
            rollout=8,
            batch=64,
            epochs=1,
            scripted_players=("random",),
        )
    )


def test_the_reward_for_entropy_fades_with_the_steps():
    session = tiny_session()
    seen = []
    train = session.model.train
    session.model.train = lambda: (train(), seen.append(session.model.ent_coef))
    session.model.learn(1024)
    assert seen == pytest.approx([session.config.entropy * left for left in (0.75, 0.5, 0.25, 0.0)])


def test_the_average_moves_to_where_the_network_is_the_more_slowly_the_longer_the_run():
    session = tiny_session()
    moved = []
    for updates in (1, 100):
        session.model.num_timesteps = updates * session.rollout_steps
        with torch.no_grad():
            for mean, now in zip(
                session.average.parameters(), session.network.parameters(), strict=True
            ):
                mean.zero_()
                now.fill_(1.0)
        session.update_average()
        weights = torch.cat([weight.flatten() for weight in session.average.parameters()])
        assert weights.min() == weights.max()
        moved.append(float(weights.max()))
    assert moved == pytest.approx([9 / 10, 9 / 109])
