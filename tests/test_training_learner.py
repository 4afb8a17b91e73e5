"""What differs from sb3-contrib's own: the buffer, the entropy, and the average of the weights."""

from functools import partial

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

from training import Config
from training.learner import Rollouts
from training.session import Session

STEPS, GAMES, FEATURES, ACTIONS = 5, 3, 4, 6


def filled(kind, seed):
    chance = np.random.default_rng(seed)
    buffer = kind(
        STEPS,
        spaces.Box(0, 1, (FEATURES,)),
        spaces.Discrete(ACTIONS),
        device="cpu",
        gamma=0.9,
        gae_lambda=0.8,
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
    ours, theirs = filled(partial(Rollouts, setup=0), 1), filled(MaskableRolloutBuffer, 1)
    expected = rows(theirs, batch_size)
    assert rows(ours, batch_size) == expected
    assert len(set(expected)) == STEPS * GAMES


def test_the_first_decisions_of_a_game_are_judged_by_its_end_each_once_and_others_as_usual():
    """Decisions are numbered; their numbers stand in the observations."""
    setup, games, steps = 2, 20, 6
    chance = np.random.default_rng(4)
    sizes = (steps, spaces.Box(0, 1e6, (1,)), spaces.Discrete(ACTIONS))
    settings = {"device": "cpu", "gamma": 1.0, "gae_lambda": 0.8, "n_envs": games}
    ours, usual = (
        Rollouts(*sizes, setup=setup, **settings),
        MaskableRolloutBuffer(*sizes, **settings),
    )
    current = [[] for _ in range(games)]
    result, first, seen = {}, set(), {}
    number, kept, late = 0, 0, 0
    starts = np.ones(games, dtype=bool)
    for _ in range(12):
        for buffer in (ours, usual):
            buffer.reset()
        for _ in range(steps):
            numbers = np.arange(number, number + games)
            number += games
            ends = chance.random(games) < 0.15
            rewards = np.where(ends, chance.standard_normal(games), 0).astype(np.float32)
            for game in range(games):
                current[game].append(int(numbers[game]))
                if len(current[game]) <= setup:
                    first.add(int(numbers[game]))
                if ends[game]:
                    result.update(dict.fromkeys(current[game][:setup], rewards[game]))
                    current[game] = []
            values = torch.from_numpy(chance.standard_normal(games).astype(np.float32))
            for buffer in (ours, usual):
                buffer.add(
                    numbers[:, None].astype(np.float32),
                    numbers[:, None] % ACTIONS,
                    rewards,
                    starts,
                    values,
                    values,
                    action_masks=np.ones((games, ACTIONS), dtype=np.int8),
                )
            starts = ends
        for buffer in (ours, usual):
            buffer.compute_returns_and_advantage(torch.zeros(games), starts)
        for place in np.ndindex(steps, games):
            mine, theirs = (int(buffer.observations[place][0]) for buffer in (ours, usual))
            assert int(ours.actions[place][0]) == mine % ACTIONS
            if mine in result:
                assert seen.setdefault(mine, "by its end") == "by its end" or mine == theirs
                assert ours.returns[place] == result[mine]
                value = ours.log_probs[place]  # which the test made the same
                assert ours.advantages[place] == pytest.approx(result[mine] - value, abs=1e-6)
                late += mine != theirs
            else:
                assert mine == theirs
                assert ours.returns[place] == usual.returns[place]
                assert ours.advantages[place] == usual.advantages[place]
                kept += mine in first
    assert late > 100
    assert kept < late / 2  # places for which no decision was ready
    assert len(seen) > 0.8 * len(result)


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
