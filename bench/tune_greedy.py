"""How the weights of `greedy` were found.

    python -m bench.tune_greedy --rules course --players 2

Each direction is a random change of all weights at once. The weights plus the change play against
the weights minus the change, in all rotations of the seats, on the same deals; and each of them
plays alone against random players. Which side scores more, averaged over thousands of directions,
tells which way every single weight should go: a gradient from games alone, to which every game
contributes for every weight. Two players tune the weights for two players left, more players those
for more; the others stay as they are in `agents/greedy.py`.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from numpy.typing import NDArray

from agents.greedy import WEIGHTS, weights_of
from agents.kernels.greedy import HEADS_UP, MORE, greedy_batch
from tsuro_env import GameBatch, game_seeds
from tsuro_env.engine import options
from tsuro_env.engine.state import OVER, PHASE

Array = NDArray[np.float64]

RANDOM = -1
"""In a seating: a random player; other numbers are rows of the weights."""
# By the names of `tsuro_env.engine.options`, how far a change of each weight goes: such that all of
# them matter about as much.
STEPS = {
    "SURVIVING": 0.2,
    "LASTING": 0.4,
    "OPEN": 0.2,
    "REACHING": 0.8,
    "ROOM": 0.2,
    "MARGIN": 0.15,
    "CROWD": 0.15,
    "NEAR": 0.2,
    "KILLS": 0.2,
    "PRESSED": 0.2,
    "OUTLASTING": 0.2,
    "TERRITORY": 0.2,
}
START_STEP = 0.3


def play(
    rules: str, seating: NDArray[np.int64], deals: NDArray[np.uint64], weights: Array, starts: Array
) -> Array:
    """Play a game for each row of the seating; the shares of the win."""
    games = GameBatch(len(seating), rules, seating.shape[1], seed=deals, restart=False)
    shares = np.zeros(seating.shape)
    going = np.arange(len(seating))
    while len(going):
        styles = seating[going, games.to_move[going]]
        actions = games.random_actions()[going]
        greedy = np.flatnonzero(styles != RANDOM)
        chosen = np.empty(len(greedy), dtype=np.int64)
        rows, own = going[greedy], styles[greedy]
        fields = tuple(games.state), tuple(games.variant)
        greedy_batch(*fields, 0, len(rows), rows, own, weights, starts, chosen)
        actions[greedy] = chosen
        games.step(actions, going)
        won = games.ranks == 1
        shares += won / np.maximum(won.sum(axis=1, keepdims=True), 1)
        going = going[games.state.game[going, PHASE] != OVER]
    return shares


def scores(
    rules: str, players: int, seed: int, weights: Array, starts: Array
) -> tuple[Array, float]:
    """How much more each direction's plus side scores than its minus side; and against random.

    Row `i` of the weights is the plus side of direction `i`, row `directions + i` its minus side.
    """
    directions = len(weights) // 2
    direction = np.repeat(np.arange(directions), players)
    rotation = np.tile(np.arange(players), directions)
    deals = game_seeds(seed, directions)[direction]
    minus_sits = (np.arange(players) + rotation[:, None]) % 2 == 1
    seating = direction[:, None] + directions * minus_sits
    shares = play(rules, seating, deals, weights, starts)
    score = np.where(minus_sits, -shares, shares).sum(axis=1)

    alone = []
    rows = np.arange(len(direction))
    for side in (direction, direction + directions):
        seating = np.full((len(rows), players), RANDOM)
        seating[rows, rotation] = side
        alone.append(play(rules, seating, deals, weights, starts)[rows, rotation])
    score += alone[0] - alone[1]
    return score.reshape(directions, players).mean(axis=1), float(np.mean(alone))


def tune(rules: str, players: int, rounds: int, directions: int, rate: float, seed: int) -> None:
    chance = np.random.default_rng(seed)
    weights, starts = weights_of(rules)
    which = HEADS_UP if players == 2 else MORE
    tuned = np.array([getattr(options, name) for name in STEPS])
    steps = np.array(list(STEPS.values()))
    pull = np.zeros(len(tuned) + starts.shape[1])
    for number in range(rounds):
        began = time.perf_counter()
        change = chance.standard_normal((directions, len(pull)))
        plus, plus_starts = np.repeat(weights, directions, 0), np.repeat(starts, directions, 0)
        minus, minus_starts = plus.copy(), plus_starts.copy()
        own, at_start = change[:, : len(tuned)] * steps, change[:, len(tuned) :] * START_STEP
        plus[:, which, tuned] += own
        minus[:, which, tuned] -= own
        plus_starts += at_start
        minus_starts -= at_start
        score, against_random = scores(
            rules,
            players,
            seed + number,
            np.concatenate([plus, minus]),
            np.concatenate([plus_starts, minus_starts]),
        )
        gradient = score @ change / directions
        pull = 0.5 * pull + rate * gradient
        weights[0, which, tuned] += pull[: len(tuned)] * steps
        starts[0] += pull[len(tuned) :] * START_STEP
        error = score.std() / directions**0.5
        pulls = gradient[: len(tuned)] / error
        report(number, time.perf_counter() - began, against_random, pulls)
        for name, weight in zip(STEPS, weights[0, which, tuned], strict=True):
            print(f"    {name:12}{weight:8.2f}")
        print("    start       ", np.round(starts[0], 2), flush=True)


def report(number: int, seconds: float, against_random: float, pulls: Array) -> None:
    """One round: the changed weights against random, and each pull in standard errors."""
    said = [f"{name} {pull:+.1f}" for name, pull in zip(STEPS, pulls, strict=True)]
    print(f"round {number}: {seconds:.0f} s, {against_random:.3f} against random; pulls: {said}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rules", choices=list(WEIGHTS), default="course")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--directions", type=int, default=4000)
    parser.add_argument("--rate", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    tune(args.rules, args.players, args.rounds, args.directions, args.rate, args.seed)


if __name__ == "__main__":
    main()
