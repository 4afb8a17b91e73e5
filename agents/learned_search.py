"""`learned+search`: looks ahead with a trained net.

For each option it plays on, many times and with other tiles each time, until it is asked again: by
the net's policy for everybody. What the position is worth then, the net's value says; if the game
was decided on the way, the result does. Options that look worse are given up early, so that the
better half gets the rest of the budget. A start spot is chosen by the policy alone.
"""

from __future__ import annotations

import math
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.logits_player import drawn_actions, observe, unique_legal_actions
from agents.model_info import ModelError
from agents.onnx_player import OnnxPlayer, run_session
from agents.onnx_safety import VALUE
from agents.redeal import redeal_batch
from agents.shipped_models import model_for
from tsuro_env import BatchPlayer, GameBatch, Rules
from tsuro_env.engine.batch import Rows
from tsuro_env.engine.kernels import win_reward
from tsuro_env.engine.learner import DONE, turns_batch
from tsuro_env.engine.state import OVER, PHASE, START, TO_MOVE

Floats = NDArray[np.float64]

GAMES_AT_ONCE = 128
"""How many games are played on side by side: enough to keep the net busy, few enough to stop."""


class LearnedSearchPlayer(BatchPlayer):
    """Searches for so many `milliseconds`, or with so many `simulations` if that is given.

    `model` is a model file with a value, or the name of a shipped model; without it the shipped
    model for the game is taken. `horizon` is after how many of its own turns the value is asked.
    """

    def __init__(
        self,
        model: str | None = None,
        milliseconds: float = 100.0,
        simulations: int | None = None,
        horizon: int = 1,
        seed: int | None = None,
    ) -> None:
        super().__init__(seed)
        for name, value in (("simulations", simulations), ("horizon", horizon)):
            if value is not None and value < 1:
                raise ModelError(f"{name} must be at least 1, got {value}")
        if not milliseconds > 0:
            raise ModelError(f"milliseconds must be more than 0, got {milliseconds}")
        self.milliseconds, self.simulations, self.horizon = milliseconds, simulations, horizon
        self._nets: dict[tuple[Rules, int], OnnxPlayer] = {}
        self._model = model
        if model is not None:
            net = _net(model)
            self._nets[net.info.rules, net.info.num_players] = net

    def choose(self, games: GameBatch, which: Rows) -> NDArray[np.int64]:
        net = self._net_for(games)
        keys = self.keys(games, which)
        chosen = [
            self._choose(net, games, row, int(key))
            for row, key in zip(which, keys.tolist(), strict=True)
        ]
        return np.array(chosen, dtype=np.int64)

    def _net_for(self, games: GameBatch) -> OnnxPlayer:
        game = games.rules, games.num_players
        if game not in self._nets:
            if self._model is not None:
                next(iter(self._nets.values())).info.check_game(*game)
            self._nets[game] = _net(model_for(*game))
        return self._nets[game]

    def _choose(self, net: OnnxPlayer, games: GameBatch, row: np.int64, key: int) -> int:
        which = np.array([row])
        options = np.flatnonzero(unique_legal_actions(games, which)[0])
        if games.state.game[row, PHASE] == START or len(options) == 1:
            return int(net.choose(games, which)[0])
        search = _Search(net, games, which, options, self.horizon, key)
        if self.simulations is None:
            return search.best_by(time.perf_counter() + self.milliseconds / 1000)
        return search.best_of(self.simulations)


class _Search:
    """The options of one question, and what has been found out about them."""

    def __init__(
        self,
        net: OnnxPlayer,
        games: GameBatch,
        which: Rows,
        options: NDArray[np.int64],
        horizon: int,
        key: int,
    ) -> None:
        self.net, self.options, self.horizon = net, options, horizon
        self.root = games.state.take(which)
        self.seat = int(self.root.game[0, TO_MOVE])
        self.chance = np.random.default_rng(key)
        self.games = GameBatch(GAMES_AT_ONCE, games.rules, games.num_players, restart=False)
        self.loss = win_reward(games.num_players, 1, False)
        logits = net.logits(observe(self.root, games.variant, np.zeros(1, np.int64), net.encoding))
        self.prior = logits[0, options].astype(np.float64)
        self.total, self.count = np.zeros(len(options)), np.zeros(len(options))

    def best_of(self, simulations: int) -> int:
        """The best option after so many simulations."""
        alive = np.arange(len(self.options))
        rounds = max(math.ceil(math.log2(len(alive))), 1)
        for _ in range(rounds):
            self.simulate(alive, simulations // rounds)
            alive = self._better_half(alive)
        return int(self.options[alive[0]])

    def best_by(self, deadline: float) -> int:
        """The best option at the deadline."""
        alive = np.arange(len(self.options))
        rounds = max(math.ceil(math.log2(len(alive))), 1)
        started = time.perf_counter()
        for number in range(1, rounds + 1):
            until = started + (deadline - started) * number / rounds
            batch = time.perf_counter()
            while True:
                self.simulate(alive, GAMES_AT_ONCE)
                now = time.perf_counter()
                if now + (now - batch) > until:  # the next one would take as long as this one
                    break
                batch = now
            alive = self._better_half(alive)
        return int(self.options[alive[0]])

    def _better_half(self, alive: NDArray[np.int64]) -> NDArray[np.int64]:
        worth = self.total[alive] / np.maximum(self.count[alive], 1)
        order = np.lexsort((-self.prior[alive], -worth))
        return alive[order[: max(len(alive) // 2, 1)]]

    def simulate(self, alive: NDArray[np.int64], simulations: int) -> None:
        """Play each of the options on equally often, with the same chance for all of them."""
        each = max(min(simulations, GAMES_AT_ONCE) // len(alive), 1)
        left = simulations
        while left >= each * len(alive):
            self._play(alive, each)
            left -= each * len(alive)

    def _play(self, alive: NDArray[np.int64], each: int) -> None:
        rows = np.arange(each * len(alive))
        games = self.games
        for name, position in self.root._asdict().items():
            getattr(games.state, name)[rows] = position
        words = self.chance.integers(2**64, size=each, dtype=np.uint64)
        fields, rules = tuple(games.state), tuple(games.variant)
        redeal_batch(fields, rules, 0, len(rows), rows, np.tile(words, len(alive)))
        games.step(np.repeat(self.options[alive], each), rows)
        worth = self._worth(rows).reshape(len(alive), each)
        self.total[alive] += worth.sum(axis=1)
        self.count[alive] += each

    def _worth(self, rows: Rows) -> Floats:
        """What games are worth to the searcher that have gone on until the horizon."""
        games, worth = self.games, np.zeros(len(rows))
        asked = np.zeros(len(rows), dtype=np.int64)
        seats = np.full(len(rows), self.seat)
        going = rows
        while len(going):
            turns = np.empty(len(going), dtype=np.int64)
            fields, rules = tuple(games.state), tuple(games.variant)
            turns_batch(fields, rules, 0, len(going), going, seats[going], True, turns)
            done = going[turns == DONE]
            over = games.state.game[done, PHASE] == OVER
            worth[done] = np.where(over, games.rewards[done, self.seat], self.loss)
            asked[going[turns == 0]] += 1
            reached = going[(turns == 0) & (asked[going] == self.horizon)]
            if len(reached):
                worth[reached] = self._values(reached)
            going = going[(turns > 0) | ((turns == 0) & (asked[going] < self.horizon))]
            if len(going):
                games.step(self._moves(going), going)
        return worth

    def _values(self, rows: Rows) -> Floats:
        views = observe(self.games.state, self.games.variant, rows, self.net.encoding)
        return run_session(self.net.session, VALUE, views).astype(np.float64)

    def _moves(self, rows: Rows) -> NDArray[np.int64]:
        views = observe(self.games.state, self.games.variant, rows, self.net.encoding)
        words = self.chance.integers(2**64, size=len(rows), dtype=np.uint64)
        return drawn_actions(self.net.logits(views), unique_legal_actions(self.games, rows), words)


def _net(model: str | Path) -> OnnxPlayer:
    net = OnnxPlayer(model)
    if VALUE not in [output.name for output in net.session.get_outputs()]:
        raise ModelError(f"{model} has no value: export it with --with-value to search with it")
    return net
