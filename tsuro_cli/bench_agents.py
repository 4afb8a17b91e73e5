"""How many moves a second the players choose, one core: in batches of games, and one at a time."""

from __future__ import annotations

import argparse
import importlib.util
import json
import time

import numpy as np

import agents
from agents.shipped_models import shipped_models
from tsuro_cli.bench_engine import Result
from tsuro_env import BatchPlayer, GameBatch

BATCHES = {"random": 1024, "greedy": 1024, "montecarlo": 16, "mcts": 16}
MODEL_BATCHES = {"tsuro-course-4p": 1024, "learned+search": 16}
"""Games in a batch of each player; those of searchers are asked one after the other anyway."""


def run(args: argparse.Namespace) -> int:
    results = measure_agents(args.seconds)
    print(json.dumps(results, indent=2) if args.json else as_text(results))
    return 0


def measure_agents(seconds: float) -> list[Result]:
    """Course, four players, all of them the one that is measured."""
    batches = dict(BATCHES)
    if importlib.util.find_spec("onnxruntime") and shipped_models():
        batches |= MODEL_BATCHES
    return [_measure(spec, batch, seconds) for spec, batch in batches.items()]


def _measure(spec: str, batch: int, seconds: float) -> Result:
    player = agents.make(spec, seed=0)
    assert isinstance(player, BatchPlayer)
    rates = {size: _moves_per_second(player, size, seconds) for size in (batch, 1)}
    return {
        "player": spec,
        "batch": batch,
        "moves_per_second": rates[batch],
        "milliseconds_alone": 1000 / rates[1],
    }


def _moves_per_second(player: BatchPlayer, num_games: int, seconds: float) -> float:
    games, which = GameBatch(num_games, setup="random", seed=0), np.arange(num_games)
    moves = 0
    games.step(player.choose(games, which))  # warm up
    begin = time.perf_counter()
    while (passed := time.perf_counter() - begin) < seconds:
        games.step(player.choose(games, which))
        moves += num_games
    return moves / passed


def as_text(results: list[Result]) -> str:
    lines = ["Moves chosen, course, 4 players, turns only, one core:", ""]
    lines.append(f"  {'player':18}{'batch':>6}{'moves a second':>16}{'alone, ms a move':>18}")
    lines += [
        f"  {row['player']:18}{row['batch']:6}{row['moves_per_second']:16,.0f}"
        f"{row['milliseconds_alone']:18.3f}"
        for row in results
    ]
    return "\n".join(lines)
