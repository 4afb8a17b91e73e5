"""Whom the learner meets."""

import numpy as np
import pytest
import torch

import agents
from training.networks import OptionsNetwork
from training.opponents import CURRENT, NetworkPlayer, Opponents
from tsuro_env import GameBatch
from tsuro_env.encodings import encoding_of

RANDOM, FIRST_SNAPSHOT = 1, 2


def make_opponents(shares=(0.5, 0.2, 0.3), capacity=4, snapshots=0):
    torch.manual_seed(0)
    network = OptionsNetwork(GameBatch(1, num_players=2).variant, 4)
    current = NetworkPlayer(network, encoding_of("options"))
    opponents = Opponents(current, [agents.make("random", seed=1)], shares, capacity)
    for _ in range(snapshots):
        opponents.add_snapshot()
    return opponents


def meet(opponents, place, score, times=100):
    owners = np.full(times, place)
    opponents.record(owners, np.full(times, score))


def test_seats_are_shared_out_as_configured():
    assert make_opponents(snapshots=2).chances() == pytest.approx([0.5, 0.2, 0.15, 0.15])


def test_while_there_is_no_snapshot_the_others_share_its_seats():
    assert make_opponents().chances() == pytest.approx([0.5 / 0.7, 0.2 / 0.7])


def test_a_snapshot_that_is_harder_to_beat_is_drawn_more_often():
    opponents = make_opponents(snapshots=2)
    meet(opponents, FIRST_SNAPSHOT, 0.9)
    meet(opponents, FIRST_SNAPSHOT + 1, 0.3)
    easy, hard = opponents.chances()[FIRST_SNAPSHOT:]
    assert hard > 5 * easy
    drawn = np.bincount(opponents.draw((4000,), np.random.default_rng(0)), minlength=4)
    assert drawn / 4000 == pytest.approx(opponents.chances(), abs=0.03)


def test_old_meetings_fade():
    opponents = make_opponents(snapshots=1)
    meet(opponents, FIRST_SNAPSHOT, 0.0)
    for _ in range(50):
        opponents.forget()
    meet(opponents, FIRST_SNAPSHOT, 1.0, times=10)
    assert opponents.beaten[FIRST_SNAPSHOT] > 0.8


def test_a_full_pool_drops_the_easiest_of_its_older_half():
    opponents = make_opponents(capacity=4, snapshots=4)
    for place, score in enumerate((0.4, 0.6, 0.5, 0.9), FIRST_SNAPSHOT):
        meet(opponents, place, score)
    kept = [opponents.players[place] for place in (2, 4, 5)]  # hard and old, recent, recent
    opponents.add_snapshot()
    assert opponents.num_snapshots == 4
    assert [opponents.players[place] for place in (2, 4, 5)] == kept
    assert opponents.met[3] == 0
    assert opponents.born[3] == 5


def test_a_snapshot_stays_as_it_was_while_the_learner_learns():
    opponents = make_opponents(snapshots=1)
    snapshot = opponents.snapshots[0].network
    before = [parameter.clone() for parameter in snapshot.parameters()]
    with torch.no_grad():
        for parameter in opponents.current.network.parameters():
            parameter += 1
    after = list(snapshot.parameters())
    assert all(torch.equal(one, two) for one, two in zip(before, after, strict=True))
    assert not any(parameter.requires_grad for parameter in after)


def test_every_seat_is_answered_by_its_owner():
    opponents = make_opponents(snapshots=1)
    games = GameBatch(60, num_players=2, seed=3)
    for _ in range(9):
        games.step(games.random_actions())
    which = np.arange(10, 60)
    owners = np.arange(50) % 3
    actions = opponents.choose(games, which, owners)
    for owner in (CURRENT, RANDOM, FIRST_SNAPSHOT):
        mine = owners == owner
        alone = opponents.players[owner].choose(games, which[mine])
        assert (actions[mine] == alone).all()
