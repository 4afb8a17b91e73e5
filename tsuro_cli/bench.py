"""Measure the speed of the engine, of the environments, or of the players.

Times are noisy: compare figures of one run, as ratios.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsuro_cli.arguments import positive_seconds

if TYPE_CHECKING:
    from tsuro_cli.bench_engine import Result

EXAMPLE = "tsuro bench --seconds 0.5 --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        choices=("engine", "envs", "agents"),
        default="engine",
        help="the engine (default), the environments that wrap it, or the players",
    )
    parser.add_argument(
        "--seconds",
        type=positive_seconds,
        default=0.3,
        metavar="S",
        help="length of a measurement (0.3 s)",
    )
    parser.add_argument(
        "--yardstick",
        metavar="FILE.c",
        type=Path,
        help="a C program to compile and compare the engine with in the same run; called with the "
        "number of players and of seconds, it prints '... N moves/s, ...'",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")


def run(args: argparse.Namespace) -> int:
    if args.what == "envs":
        from tsuro_cli import bench_envs

        return bench_envs.run(args)
    if args.what == "agents":
        from tsuro_cli import bench_agents

        return bench_agents.run(args)
    from tsuro_cli import bench_engine

    results: dict[str, Any] = {}
    if args.yardstick:  # first: what is wrong with it should show at once
        results["yardstick"] = bench_engine.against_yardstick(args.yardstick, args.seconds)
    results["speeds"] = bench_engine.speeds(args.seconds)
    results["board_sizes"] = bench_engine.board_size_costs(args.seconds)
    results["threads"] = bench_engine.thread_ratios(args.seconds)
    print(json.dumps(results, indent=2) if args.json else as_text(results))
    return 0


def as_text(results: dict[str, Any]) -> str:
    lines = ["Moves per second, random legal play, random start, a mask at every step:", ""]
    lines += _speed_table(results["speeds"])
    lines += ["", "Cost of a move by board size (course, 4 players, batch 1024):", ""]
    for row in results["board_sizes"]:
        size, nanoseconds = row["board_size"], row["nanoseconds_per_move"]
        relative = row["relative_to_10"]
        lines.append(
            f"  {size:2} x {size:<2}  {nanoseconds:6.0f} ns   {relative:.2f} x that on 10 x 10"
        )
    lines.append("")
    for row in results["threads"]:
        lines.append(f"Two threads against one, batch {row['batch']}: {row['ratio']:.2f} x")
    if "yardstick" in results:
        y = results["yardstick"]
        lines.append(
            f"Against the yardstick, one core, batch 1024: {y['ratio']:.2f} x "
            f"({y['engine_moves_per_second']:,.0f} : {y['yardstick_moves_per_second']:,.0f})"
        )
    return "\n".join(lines)


def _speed_table(speeds: list[Result]) -> list[str]:
    """A line for each rule set, player count and thread count; a column for each batch size."""
    batches = sorted({row["batch"] for row in speeds})
    lines = ["rules   players  threads" + "".join(f"{f'batch {b}':>14}" for b in batches)]
    cells: dict[tuple[str, int, int], list[float]] = {}
    for row in speeds:
        key = row["rules"], row["players"], row["threads"]
        cells.setdefault(key, []).append(row["moves_per_second"])
    for (rules, players, threads), rates in cells.items():
        numbers = "".join(f"{rate:14,.0f}" for rate in rates)
        lines.append(f"{rules:6}  {players:7}  {threads:7}{numbers}")
    return lines
