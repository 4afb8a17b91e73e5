"""How many steps a second the environments make: random legal play, a mask and an observation at
every step, on one core. What is compared takes turns; the medians are compared."""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import pettingzoo

from tsuro_cli.bench_engine import ROUNDS, Result, build_yardstick, run_yardstick
from tsuro_env import GameBatch, tsuro_v0
from tsuro_env.vector_env import TsuroVectorEnv

BATCH = 1024
TSURO, CONNECT_FOUR = "tsuro_v0", "connect_four_v3"
OBSERVATIONS = ("planes", "options")

Loop = Callable[[float], float]
"""Runs for some seconds; how many steps a second it made."""


def run(args: argparse.Namespace) -> int:
    results = measure_environments(args.seconds, args.yardstick)
    print(json.dumps(results, indent=2) if args.json else as_text(results))
    return 0


def measure_environments(seconds: float, yardstick: Path | None = None) -> list[Result]:
    """A row for each loop: its name, its steps per second, and how it compares with another."""
    rows = _in_turns(seconds, {TSURO: _agents_loop(tsuro_v0.env()), **_connect_four()})
    rows += _in_turns(seconds, {"Gymnasium, one game": _single_loop()})
    for observation in OBSERVATIONS:
        envs = _vector_env(observation)
        loops = {
            f"make_vec, {observation}": _vector_loop(envs),
            f"GameBatch, {observation}": _batch_loop(observation),
        }
        rows += _in_turns(seconds, loops)
        rows[-2]["moves_per_step"] = _moves_per_step(envs)
    if yardstick is not None:
        with tempfile.TemporaryDirectory() as folder:
            program = build_yardstick(yardstick, folder)
            loops = {
                "GameBatch, planes": _batch_loop("planes"),
                "yardstick": lambda seconds: run_yardstick(program, seconds),
            }
            rows += _in_turns(seconds, loops)
    return rows


def _in_turns(seconds: float, loops: dict[str, Loop]) -> list[Result]:
    """Measure loops in turns; all but the last are compared with the last."""
    rounds = [{name: loop(seconds) for name, loop in loops.items()} for _ in range(ROUNDS)]
    *compared, reference = loops
    rows: list[Result] = []
    for name in loops:
        rows.append({"name": name, "steps_per_second": statistics.median(r[name] for r in rounds)})
        if name in compared:
            ratios = [rates[name] / rates[reference] for rates in rounds]
            rows[-1] |= {"compared_with": reference, "ratio": statistics.median(ratios)}
    return rows


def _rate(step: Callable[[], int], seconds: float) -> float:
    """Call until the time is over; steps per second."""
    steps = 0
    begin = time.perf_counter()
    while (passed := time.perf_counter() - begin) < seconds:
        steps += step()
    return steps / passed


def _agents_loop(env: Any) -> Loop:
    """`env.last()` and `env.step()`, for any PettingZoo environment with masks."""
    chance = random.Random(0)

    def play_a_game() -> int:
        steps = 0
        env.reset(seed=chance.getrandbits(30))
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            action = None
            if not (terminated or truncated):
                legal = observation["action_mask"].nonzero()[0]
                action = int(legal[int(chance.random() * len(legal))])
            env.step(action)
            steps += 1
        return steps

    play_a_game()
    return lambda seconds: _rate(play_a_game, seconds)


def _connect_four() -> dict[str, Loop]:
    """PettingZoo's own game, for comparison; none where PettingZoo or its pygame is too old."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            env: Any = pettingzoo.make("aec", f"classic/{CONNECT_FOUR}")
        except (AttributeError, ImportError):
            return {}
    return {CONNECT_FOUR: _agents_loop(env)}


def _single_loop() -> Loop:
    env: Any = gymnasium.make("tsuro_env/Tsuro-v0", disable_env_checker=True)
    chance = random.Random(0)

    def play_a_game() -> int:
        steps, terminated = 0, False
        _, info = env.reset(seed=chance.getrandbits(30))
        while not terminated:
            legal = info["action_mask"].nonzero()[0]
            action = int(legal[int(chance.random() * len(legal))])
            _, _, terminated, _, info = env.step(action)
            steps += 1
        return steps

    play_a_game()
    return lambda seconds: _rate(play_a_game, seconds)


def _batch_loop(observation: str) -> Loop:
    games = GameBatch(BATCH, seed=0, observation=observation)

    def step() -> int:
        games.legal_actions()
        games.observe()
        games.step(games.random_actions())
        return BATCH

    _rate(step, 0.1)
    return lambda seconds: _rate(step, seconds)


def _vector_env(observation: str) -> TsuroVectorEnv:
    envs = gymnasium.make_vec("tsuro_env/Tsuro-v0", num_envs=BATCH, observation=observation)
    assert isinstance(envs, TsuroVectorEnv)
    envs.reset(seed=0)
    return envs


def _vector_loop(envs: TsuroVectorEnv) -> Loop:
    def step() -> int:
        envs.step(envs.games.random_actions())
        return BATCH

    _rate(step, 0.1)
    return lambda seconds: _rate(step, seconds)


def _moves_per_step(envs: TsuroVectorEnv, steps: int = 100) -> float:
    """How many moves of the game, the opponents' included, a step of the environment makes."""
    moves = 0
    counted = envs.clone()
    counted._random_seeds = None  # so that opponents are asked, and every move is a step of `games`
    move = counted.games.step

    def counting(actions: Any, games: Any = None) -> None:
        nonlocal moves
        moves += len(actions)
        move(actions, games)

    counted.games.step = counting  # type: ignore[method-assign]
    for _ in range(steps):
        counted.step(counted.games.random_actions())
    return moves / (steps * BATCH)


def as_text(results: list[Result]) -> str:
    lines = [f"Steps per second, random legal play, course, 4 players; batches of {BATCH}:", ""]
    for row in results:
        line = f"  {row['name']:22}{row['steps_per_second']:12,.0f}"
        if "ratio" in row:
            line += f"   {row['ratio']:.2f} x {row['compared_with']}"
        if "moves_per_step" in row:
            moves = row["moves_per_step"]
            line += f"; {moves:.1f} moves a step, {moves * row['ratio']:.2f} x in moves"
        lines.append(line)
    return "\n".join(lines)
