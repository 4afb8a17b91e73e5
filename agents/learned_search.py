"""`learned+search`: the search of `mcts` with a trained net in it.

A simulation plays on as one of `mcts` does, but only until the player has been asked a few times
again: what the position is worth then, the net's value says. If the game was decided on the way,
the result does. What the net's policy thinks of an option is its prior, and alone decides where to
start.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from agents.kernels.playouts import UNDECIDED, play_on_batch
from agents.logits_player import observe
from agents.model_info import ModelError
from agents.onnx_player import OnnxPlayer, run_session
from agents.onnx_safety import VALUE
from agents.search import BudgetError, Floats, Options, Search, SearchPlayer
from agents.shipped_models import model_for, shipped_models
from tsuro_env import GameBatch, Rules
from tsuro_env.engine.jit import compile_once

GAMES_AT_ONCE = 128
"""How many games are played on side by side: enough to keep the net busy, few enough to stop."""
SIMULATIONS = 600
"""Takes some 5 to 15 milliseconds."""


class LearnedSearchPlayer(SearchPlayer):
    """Searches with so many `simulations` a move; or, if that is given, for `milliseconds`.

    `model` is a model file with a value, or the name of a shipped model; without it the shipped
    model for the game is taken. `horizon` is after how many of its own turns the value is asked.
    """

    def __init__(
        self,
        model: str | None = None,
        simulations: int = SIMULATIONS,
        milliseconds: float | None = None,
        horizon: int = 2,
        seed: int | None = None,
    ) -> None:
        super().__init__(simulations, milliseconds, seed)
        if not (isinstance(horizon, int) and horizon >= 1):
            raise BudgetError(f"horizon must be a whole number from 1 on, got {horizon!r}")
        self.horizon = horizon
        self._nets: dict[tuple[Rules, int], OnnxPlayer] = {}
        self._model = model
        if model is not None:
            net = _net(shipped_models().get(model, Path(model)))
            self._nets[net.info.rules, net.info.num_players] = net

    def policy(self, games: GameBatch) -> OnnxPlayer:
        game = games.rules, games.num_players
        if game not in self._nets:
            if self._model is not None:
                next(iter(self._nets.values())).info.check_game(*game)
            self._nets[game] = _net(model_for(*game))
        return self._nets[game]

    def new_search(self, games: GameBatch, game: int, options: Options, key: np.uint64) -> Search:
        return NetSearch(self.policy(games), games, game, options, self.horizon, key)


class NetSearch(Search):
    """Every simulation goes on to the horizon, and is judged by the net there."""

    trust = 50.0
    worth_of_logit = 0.03
    """How much of the win a step of one in the logit of an option is worth."""
    at_a_time = GAMES_AT_ONCE

    def __init__(
        self,
        net: OnnxPlayer,
        games: GameBatch,
        game: int,
        options: Options,
        horizon: int,
        key: np.uint64,
    ) -> None:
        self.net, self.horizon, self.key = net, horizon, key
        self.root = games.state.take([game])
        # Dealt at random whatever the supply: the player cannot know what it will give next.
        self.games = GameBatch(GAMES_AT_ONCE, games.rules, games.num_players, restart=False)
        views = observe(self.root, games.variant, np.zeros(1, np.int64), net.encoding)
        logits = net.logits(views)[0, options].astype(np.float64)
        super().__init__(options, self.worth_of_logit * logits)

    def simulate(self, alive: Options, count: int) -> Floats:
        total = np.zeros(len(alive))
        at_once = max(GAMES_AT_ONCE // len(alive), 1)
        first, last = int(self.count[alive[0]]), int(self.count[alive[0]]) + count
        for number in range(first, last, at_once):
            total += self._play(self.options[alive], number, min(at_once, last - number))
        return total

    def _play(self, options: Options, first: int, each: int) -> Floats:
        """Play each of the options on so many times, with the same tiles to come for all."""
        games, worth = self.games, np.empty(each * len(options))
        fields, rules, root = tuple(games.state), tuple(games.variant), tuple(self.root)
        play_on_batch(fields, rules, root, self.key, first, each, options, self.horizon, worth)
        reached = np.flatnonzero(worth == UNDECIDED)
        if len(reached):
            views = observe(games.state, games.variant, reached, self.net.encoding)
            values = run_session(self.net.session, VALUE, views).astype(np.float64)
            # From the reward, 1 for a win and -1 / (players - 1) for a loss, to a share of the win.
            worth[reached] = (values * (games.num_players - 1) + 1) / games.num_players
        total: Floats = worth.reshape(len(options), each).sum(axis=1)
        return total


def _net(model: Path) -> OnnxPlayer:
    net = OnnxPlayer(model)
    if VALUE not in [output.name for output in net.session.get_outputs()]:
        raise ModelError(f"{model} has no value: export it with --with-value to search with it")
    return net


def _warm_up() -> None:
    games = GameBatch(1, setup="random")
    fields, root = (tuple(games.state), tuple(games.variant)), tuple(games.state.copy())
    option, worth = np.flatnonzero(games.legal_actions()[0])[:1], np.empty(1)
    play_on_batch(*fields, root, np.uint64(0), 0, 1, option, 1, worth)


compile_once("search with models", _warm_up)
