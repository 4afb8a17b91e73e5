"""The shipped models: small, safe, for the game they are named after, and good at it."""

import re
import time
from pathlib import Path

import numpy as np
import pytest

import agents
from agents.onnx_safety import VALUE, read_model
from agents.shipped_models import FOLDER, model_for, shipped_model, shipped_models
from training.panel import win_share
from tsuro_env import BatchPlayer, GameBatch, Referee, Rules

NAMES = ["tsuro-boxed-2p", "tsuro-boxed-4p", "tsuro-course-2p", "tsuro-course-4p"]
CARD = (FOLDER / "README.md").read_text(encoding="utf-8")


def game_of(name: str) -> tuple[Rules, int]:
    _, rules, players = name.split("-")
    return Rules.from_name(rules), int(players.removesuffix("p"))


def test_there_is_one_for_two_and_four_players_of_both_rule_sets():
    assert list(shipped_models()) == NAMES
    assert {shipped_model(*game_of(name)) for name in NAMES} == set(NAMES)
    assert shipped_model(Rules.course(), 7) is None
    assert shipped_model(Rules.course(6), 4) is None


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_small_safe_file_with_a_value_that_says_where_it_is_from(name):
    path: Path = model_for(*game_of(name))
    assert path.stat().st_size < 2_000_000
    _, info = read_model(path)
    assert (info.rules, info.num_players) == game_of(name)
    assert VALUE in [output.name for output in agents.make(name).session.get_outputs()]
    assert info.training["steps"] > 0
    assert re.fullmatch("[0-9a-f]{40}", info.training["git_revision"])


@pytest.mark.parametrize("name", NAMES)
def test_its_card_says_how_it_was_trained_and_how_strong_it_is(name):
    _, info = read_model(model_for(*game_of(name)))
    assert name in CARD
    assert info.training["git_revision"][:10] in CARD


@pytest.mark.parametrize("name", NAMES)
def test_it_plays_for_a_referee_and_with_search_on_top(name):
    rules, num_players = game_of(name)
    specs = [name, "learned+search:simulations=20", *["greedy"] * (num_players - 2)]
    referee = Referee(None, agents.make_all(specs, seed=1), rules=rules, seed=2)
    referee.start_game()
    assert not referee.cheaters


@pytest.mark.parametrize("name", NAMES)
def test_it_is_much_better_than_random_and_no_worse_than_greedy(name):
    """A few games only: `python -m bench.strength` measures."""
    rules, num_players = game_of(name)
    player, random, greedy = (agents.make(spec, seed=3) for spec in (name, "random", "greedy"))
    assert isinstance(player, BatchPlayer)
    assert win_share(player, random, rules, num_players, 1000).share > 2 / (num_players + 0.5)
    share = win_share(player, greedy, rules, num_players, 1000)
    assert share.share + share.margin > 1 / num_players


def test_a_move_of_a_shipped_model_takes_at_most_200_microseconds():
    """The best of several rounds, since other jobs may share the machine."""
    player = agents.make("tsuro-course-4p")
    games, which = GameBatch(1, "course", 4, setup="random", seed=1), np.zeros(1, dtype=np.int64)
    times = []
    for _ in range(20):
        began = time.perf_counter()
        for _ in range(20):
            player.choose(games, which)
        times.append((time.perf_counter() - began) / 20)
    assert min(times) < 200e-6
