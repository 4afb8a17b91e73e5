"""How many moves a second the engine plays: random legal games with the full mask at every step."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from tsuro_env import GameBatch, Rules
from tsuro_env.errors import TsuroError

BATCH_SIZES = (1, 64, 1024, 4096)
PLAYER_COUNTS = (2, 4, 5)
BOARD_SIZES = (6, 10, 16, 24)
ROUNDS = 5
"""Things that are compared take turns this often; the medians are compared."""

Result = dict[str, Any]


class BenchError(TsuroError):
    """The yardstick cannot be built or run."""


def play_at_random(games: GameBatch, seconds: float) -> float:
    """Moves per second of random legal play with a mask at every step."""
    steps_at_a_time = max(1, 20_000 // games.num_games)
    moves = 0
    begin = time.perf_counter()
    while (passed := time.perf_counter() - begin) < seconds:
        for _ in range(steps_at_a_time):
            games.legal_actions()
            games.step(games.random_actions())
        moves += steps_at_a_time * games.num_games
    return moves / passed


def _games(
    batch: int, rules: Rules | str = "course", players: int = 4, threads: int = 1
) -> GameBatch:
    games = GameBatch(batch, rules, players, setup="random", num_threads=threads)
    play_at_random(games, 0.02)  # into the middle of things, and into the caches
    return games


def speeds(seconds: float) -> list[Result]:
    """For both rule sets, and all player counts, numbers of threads and batch sizes."""
    return [
        {
            "rules": rules,
            "players": players,
            "threads": threads,
            "batch": batch,
            "moves_per_second": play_at_random(_games(batch, rules, players, threads), seconds),
        }
        for rules in ("course", "boxed")
        for players in PLAYER_COUNTS
        for threads in (1, 2)
        for batch in BATCH_SIZES
    ]


def board_size_costs(seconds: float) -> list[Result]:
    """Nanoseconds a move for each size of the board: course, 4 players, batch 1024."""
    batches = [_games(1024, Rules.course(size)) for size in BOARD_SIZES]
    rounds = [[1e9 / play_at_random(games, seconds) for games in batches] for _ in range(ROUNDS)]
    costs = [statistics.median(costs) for costs in zip(*rounds, strict=True)]
    of_ten = costs[BOARD_SIZES.index(10)]
    return [
        {"board_size": size, "nanoseconds_per_move": cost, "relative_to_10": cost / of_ten}
        for size, cost in zip(BOARD_SIZES, costs, strict=True)
    ]


def thread_ratios(seconds: float) -> list[Result]:
    """How much faster two threads are than one: course, 4 players."""
    results = []
    for batch in (1024, 4096):
        one, two = _games(batch), _games(batch, threads=2)
        ratios = [
            play_at_random(two, seconds) / play_at_random(one, seconds) for _ in range(ROUNDS)
        ]
        results.append({"batch": batch, "ratio": statistics.median(ratios)})
    return results


def against_yardstick(source: Path, seconds: float) -> Result:
    """The engine on one core against a C program that prints its own moves per second."""
    with tempfile.TemporaryDirectory() as folder:
        program = build_yardstick(source, folder)
        games = _games(1024)
        c, engine = [], []
        for _ in range(ROUNDS):
            c.append(run_yardstick(program, seconds))
            engine.append(play_at_random(games, seconds))
    return {
        "yardstick_moves_per_second": statistics.median(c),
        "engine_moves_per_second": statistics.median(engine),
        "ratio": statistics.median(e / y for e, y in zip(engine, c, strict=True)),
    }


def build_yardstick(source: Path, folder: str) -> Path:
    """Compile the C program into a folder."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise BenchError("the yardstick needs a C compiler: neither gcc nor cc was found")
    if not source.is_file():
        raise BenchError(f"no such file: {source}")
    program = Path(folder) / "yardstick"
    command = [compiler, "-O3", "-march=native", str(source), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        raise BenchError(f"{source} does not compile: {built.stderr.strip()[:200]}")
    return program


def run_yardstick(program: Path, seconds: float) -> float:
    """Its line reads `4 players: 7000000 moves/s, ...`."""
    done = subprocess.run([program, "4", str(seconds)], capture_output=True, text=True)
    words = done.stdout.split()
    if done.returncode or "moves/s," not in words:
        raise BenchError(f"the yardstick said {done.stdout.strip()[:80]!r}, not its moves/s")
    return float(words[words.index("moves/s,") - 1])
