"""The same games through every interface: PettingZoo, Gymnasium, and the batch."""

from typing import Any

import numpy as np
import pytest

from tests.environments import assert_same, random_action
from tsuro_env import GameBatch, Observer, Referee, Rules, tsuro_v0
from tsuro_env.gym_env import TsuroGymEnv

TABLES: list[dict[str, Any]] = [
    {"rules": "course", "opponents": ["second", "third", "random"]},
    {
        "rules": "boxed",
        "opponents": ["random", "second", "third", "first"],
        "observation": "options",
    },
    {"rules": Rules.course(board_size=5), "opponents": ["third"], "reward": "rank"},
    {"rules": "boxed", "opponents": ["first", "random"], "setup": "random", "reward": "rank"},
    {"rules": Rules.course(board_size=6), "opponents": ["second"] * 7, "setup": "random"},
]
GAMES_PER_CASE = 25


class Table(TsuroGymEnv):
    """Remembers the actions of everybody, and what the learner saw before each of its own."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(elimination="end", **arguments)
        self.actions: list[int] = []
        self.seen: dict[int, dict[str, Any]] = {}
        play = self.table.play
        self.table.play = lambda action: (self.actions.append(action), play(action))

    def _take_seats(self, number: int) -> None:
        """A game begins, maybe because the last one was over before the learner was asked."""
        super()._take_seats(number)
        self.actions.clear()
        self.seen.clear()

    def play_game(self, seed: int, random: np.random.Generator) -> float:
        observation, _ = self.reset(seed=seed)
        terminated, reward = False, 0.0
        while not terminated:
            self.seen[len(self.actions)] = observation
            action = random_action(observation["action_mask"], random)
            observation, reward, terminated, _, _ = self.step(action)
        self.seen[len(self.actions)] = observation
        return reward


@pytest.mark.parametrize("case", range(8))
@pytest.mark.parametrize("table", range(len(TABLES)))
def test_a_game_is_the_same_through_every_interface(table, case):
    """Eight times five times 25: a thousand games."""
    arguments = TABLES[table]
    single = Table(**arguments)
    kinds = {key: value for key, value in arguments.items() if key != "opponents"}
    agents = tsuro_v0.env(num_players=single.num_players, **kinds)
    seeds = 1000 * table + GAMES_PER_CASE * case + np.arange(GAMES_PER_CASE)
    random = np.random.default_rng(case)
    for seed in seeds.tolist():
        reward = single.play_game(seed, random)
        played = single.table.referee.seed
        agents.reset(seed=played)
        games = batch_of_one(played, single.num_players, kinds)
        for number, action in enumerate(single.actions):
            mover = agents.agent_selection
            assert mover == f"player_{games.to_move[0]}"
            seen = agents.observe(mover)
            assert_same(games.observe()[0], seen["observation"])
            assert_same(games.legal_actions()[0], seen["action_mask"])
            if mover == single.learner:
                assert_same(single.seen.get(number), seen)
            # An opponent's answer that is no action is a number that no agent may hand to `step`.
            agents.play(action)
            games.step([action])
        assert_same(single.seen[len(single.actions)], agents.observe(single.learner))
        assert games.finished[0]
        rewards = [agents.rewards[agent] for agent in agents.possible_agents]
        assert rewards == games.rewards[0].tolist()
        assert reward == rewards[single.seat]
        assert agents.referee.record["ranking"] == single.table.referee.record["ranking"]
        assert agents.referee.ranked_seats == ranked_seats(games.ranks[0].tolist())


def batch_of_one(seed: int, players: int, kinds: dict[str, Any]) -> GameBatch:
    seeds = np.array([seed], dtype=np.uint64)
    return GameBatch(1, num_players=players, seed=seeds, restart=False, **kinds)


def ranked_seats(ranks: list[int]) -> list[list[int]]:
    last = max(ranks)
    return [[seat for seat, r in enumerate(ranks) if r == rank] for rank in range(1, last + 1)]


@pytest.mark.parametrize("rules", ["course", "boxed"])
@pytest.mark.parametrize("setup", ["agent", "random"])
def test_a_game_that_nobody_watched_has_the_record_of_a_watched_one(rules, setup):
    for seed in range(25):
        players = ["one", "two", "three"]
        unwatched = Referee(None, players, rules=rules, setup=setup, seed=seed)
        watched = Referee(None, players, None, [Observer()], rules=rules, setup=setup, seed=seed)
        random = np.random.default_rng(seed)
        while not watched.finished:
            legal = watched.legal_actions()
            np.testing.assert_array_equal(legal, unwatched.legal_actions())
            action = random_action(legal, random) if random.random() < 0.98 else -1
            assert watched.submit_action(action) == unwatched.submit_action(action)
            if random.random() < 0.1:
                assert unwatched.copy().record == watched.record
            if random.random() < 0.05:
                assert unwatched.record == watched.record
        assert unwatched.record == watched.record
        assert unwatched.cheaters == watched.cheaters
        assert unwatched.moves_made == watched.moves_made
