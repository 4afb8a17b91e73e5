"""The engine against the oracle: thousands of random games, and batches of every shape.

`python -m tests.soak` plays many more.
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.oracle import next_seed
from tests.parity import (
    Configuration,
    batch_of,
    compare_game,
    compare_positions,
    compare_results,
    oracle_of,
    random_action,
    random_configuration,
    signs,
)
from tsuro_env import GameBatch, Referee
from tsuro_env.engine.state import SEED
from tsuro_env.game_batch import game_seeds

CHUNKS, GAMES_PER_CHUNK = 36, 100


@pytest.fixture(autouse=True)
def _threads_share_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The batches here are small: two threads shall play them all the same."""
    monkeypatch.setattr("tsuro_env.engine.threads.SMALLEST_PART", 1)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_agree_with_the_oracle_move_by_move(chunk: int) -> None:
    random = np.random.default_rng([1, chunk])
    seen: Counter[str] = Counter()
    for _ in range(GAMES_PER_CHUNK):
        seen.update(signs(compare_game(random_configuration(random), random)))
    # The games are no good if the interesting things do not happen in them.
    for sign in ("exit", "left", "illegal", "joint winners"):
        assert seen[f"course {sign}"], seen
        assert seen[f"boxed {sign}"], seen
    assert seen["dragon held"], seen


@pytest.mark.parametrize("seed", range(3))
def test_loops_stuck_players_and_full_boards_agree_with_the_oracle(seed: int) -> None:
    random = np.random.default_rng([2, seed])
    seen: Counter[str] = Counter()
    for number in range(240):
        c = random_configuration(random)
        if number % 2:  # crowded boards, and few tiles to choose from
            c = c._replace(rules="course", size=4 + number % 3, supply="random", deals=(1, 1))
        else:  # room for all 35 tiles
            c = c._replace(rules="boxed", size=10, supply="deck", deals=(3, 2), players=2)
        seen.update(signs(compare_game(c, random)))
    for sign in ("course loop", "course stuck", "all tiles placed"):
        assert seen[sign], seen


# ----------------------------------------------------------------------------------------- batches

BATCHES = [
    Configuration("course", 4, 2, "random", "random", (3, 2), 0, 0.0),
    Configuration("course", 6, 4, "agent", "random", (3, 2), 0, 0.02),
    Configuration("course", 10, 5, "random", "cycle", (3, 2), 0, 0.0),
    Configuration("course", 5, 8, "agent", "cycle", (2, 3), 0, 0.02),
    Configuration("boxed", 6, 3, "agent", "deck", (3, 2), 0, 0.02),
    Configuration("boxed", 4, 8, "random", "deck", (3, 2), 0, 0.0),
]
NAMES = [f"{c.rules}-{c.size}-{c.players}-{c.setup}-{c.supply}" for c in BATCHES]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("c", BATCHES, ids=NAMES)
def test_a_batch_with_restarts_agrees_with_the_oracle_game_by_game(
    c: Configuration, threads: int
) -> None:
    seeds = game_seeds(3, 5).tolist()
    games = batch_of(c, seeds, num_threads=threads)
    oracles = [oracle_of(c, seed) for seed in seeds]
    random, ends = np.random.default_rng(4), 0
    for _ in range(60):
        actions = [random_action(oracle, c, random) for oracle in oracles]
        seeds = games.state.chance[:, SEED].tolist()
        games.step(actions)
        for game, (oracle, action) in enumerate(zip(oracles, actions, strict=True)):
            oracle.step(action)
            if oracle.finished:
                compare_results(games, game, oracle, c)
                oracles[game] = oracle_of(c, next_seed(seeds[game]))
                ends += 1
            else:
                assert not games.finished[game]
            compare_positions(games, game, oracles[game], c)
    assert ends > 0


def actions_of(games: GameBatch, step: int, illegal: float) -> np.ndarray[Any, Any]:
    """Actions that depend on the game and the step alone, not on the batch."""
    seeds = games.state.chance[:, SEED]
    words = (seeds ^ np.uint64(step * 7919)) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)
    actions = []
    for mask, word in zip(games.legal_actions(), words.tolist(), strict=True):
        legal = np.flatnonzero(mask)
        wrong = word % 1000 < 1000 * illegal
        actions.append(-1 if wrong else int(legal[word % len(legal)]))
    return np.array(actions)


def diary(c: Configuration, first: int, count: int, threads: int) -> list[list[Any]]:
    """Everything that can be seen of some games of one seed, as they are played and restarted."""
    seeds = game_seeds(11, first + count)[first:].tolist()
    games = batch_of(c, seeds, num_threads=threads)
    pages: list[list[Any]] = [[] for _ in seeds]
    for step in range(80):
        games.step(actions_of(games, step, c.illegal))
        seen = (games.to_move, games.legal_actions(), games.finished, games.rewards, games.ranks,
                games.out, games.observe(), games.state.tiles, games.state.chance)  # fmt: skip
        for game, page in enumerate(pages):
            page.append([array[game].tobytes() for array in seen])
    return pages


@pytest.mark.parametrize("c", BATCHES, ids=NAMES)
def test_a_game_is_the_same_in_any_batch_on_any_number_of_threads(c: Configuration) -> None:
    together = diary(c, 0, 37, 1)
    assert diary(c, 0, 37, 2) == together
    assert diary(c, 5, 7, 1) == together[5:12]
    assert diary(c, 5, 3, 2) == together[5:8]
    for game in (0, 20, 36):
        assert diary(c, game, 1, 1) == together[game : game + 1]


@pytest.mark.parametrize("c", BATCHES, ids=NAMES)
def test_a_referee_plays_the_game_of_a_batch(c: Configuration) -> None:
    for seed in range(5):
        games = batch_of(c, [seed], restart=False)
        players = [f"player {seat}" for seat in range(c.players)]
        referee = Referee(
            None, players, c.supply, rules=games.rules, seed=seed, setup=c.setup
        )  # fmt: skip
        if referee.finished:
            continue  # before anybody was asked: a batch plays the next game instead
        step = 0
        while not referee.finished:
            assert (referee.legal_actions() == games.legal_actions()[0]).all()
            assert referee.seat_to_move == games.to_move[0]
            (action,) = actions_of(games, step, c.illegal)
            referee.submit_action(int(action))
            games.step([action])
            step += 1
        ranked = [[int(s) for s in np.flatnonzero(games.ranks[0] == r)] for r in range(1, 9)]
        assert referee.ranked_seats == [seats for seats in ranked if seats]
