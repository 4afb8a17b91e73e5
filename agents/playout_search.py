"""`montecarlo` and `mcts`: play positions on to their end, many times.

montecarlo   simulates every option equally often, with random moves, and takes the best mean
mcts         moves of a quick sensible policy, the better half of the options going on, and what
             `greedy` thinks of an option as its prior
"""

from __future__ import annotations

import numpy as np

from agents.greedy import GreedyPlayer, weights_of
from agents.kernels.greedy import scores_of_game
from agents.kernels.playouts import simulate
from agents.search import Floats, Options, Search, SearchPlayer
from tsuro_env import GameBatch
from tsuro_env.engine.jit import compile_once
from tsuro_env.engine.state import RANDOM_SUPPLY, TILE_ACTIONS

QUICKLY, AT_RANDOM = True, False
"""How simulations move."""

SIMULATIONS = 500
"""Takes some 10 to 20 milliseconds."""


class PlayoutSearch(Search):
    """Every simulation is a game played to its end."""

    trust = 50.0
    worth_of_score = 0.12
    """How much of the win a point in the score of `greedy` is worth."""

    def __init__(
        self, games: GameBatch, game: int, options: Options, key: np.uint64, quickly: bool
    ) -> None:
        variant = games.variant
        if not variant.boxed:  # the player cannot know what a supply will give next
            variant = variant._replace(supply=RANDOM_SUPPLY)
        self.fields = tuple(games.state), tuple(variant)
        self.game, self.key, self.quickly = game, key, quickly
        scores = np.empty(TILE_ACTIONS)
        scores_of_game(*self.fields, game, weights_of(games.rules.name)[0][0], scores)
        super().__init__(options, self.worth_of_score * scores[options])

    def simulate(self, alive: Options, count: int) -> Floats:
        total = np.zeros(len(alive))
        first, chosen = int(self.count[alive[0]]), self.options[alive]
        simulate(*self.fields, self.game, self.key, first, count, self.quickly, chosen, total)
        return total


class FlatSearch(PlayoutSearch):
    """All options equally often, and nothing thought of them beforehand."""

    trust = 0.0

    def best(self, simulations: int, milliseconds: float | None) -> int:
        everything = np.arange(len(self.options))
        self.spend(everything, simulations, milliseconds)
        return int(self.options[np.argmax(self.total)])


class MctsPlayer(SearchPlayer):
    """Sequential halving over the options, quick playouts, and `greedy` as a prior."""

    def __init__(
        self,
        simulations: int = SIMULATIONS,
        milliseconds: float | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(simulations, milliseconds, seed)

    def policy(self, games: GameBatch) -> GreedyPlayer:  # noqa: ARG002
        return GreedyPlayer(seed=self.seed)

    def new_search(self, games: GameBatch, game: int, options: Options, key: np.uint64) -> Search:
        return PlayoutSearch(games, game, options, key, QUICKLY)


class MonteCarloPlayer(MctsPlayer):
    """Flat Monte Carlo: every option equally often, random moves."""

    def new_search(self, games: GameBatch, game: int, options: Options, key: np.uint64) -> Search:
        return FlatSearch(games, game, options, key, AT_RANDOM)


def _warm_up() -> None:
    games = GameBatch(1, setup="random")
    for player in (MonteCarloPlayer(simulations=1), MctsPlayer(simulations=1)):
        player.choose(games, np.zeros(1, dtype=np.int64))


compile_once("searching players", _warm_up)
