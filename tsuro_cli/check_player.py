"""Play a player through every phase and odd situation, and say what it does wrong.

Exit code 0: nothing wrong; 1: findings; 2: there is no such player.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from tsuro_cli.arguments import UsageError, seconds

if TYPE_CHECKING:
    from agents.testing import PlayerCheck

EXAMPLE = "tsuro check-player my_module:MyPlayer --limit 1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("player", metavar="PLAYER", help="name, module:Class, file.py:Class, ...")
    parser.add_argument(
        "--limit", type=seconds, default=2.0, metavar="S", help="seconds for each answer (2)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of sentences")


def run(args: argparse.Namespace) -> int:
    import agents
    from agents.testing import PlayerCheck

    if args.limit == 0:
        raise UsageError("--limit must be more than 0 seconds")
    agents.make(args.player)  # a spec that makes no player is an error, not a finding
    check = PlayerCheck(lambda: agents.make(args.player), args.limit)
    check.run()
    print(as_json(check) if args.json else as_text(args.player, check))
    return 1 if check.findings else 0


def as_text(player: str, check: PlayerCheck) -> str:
    slowest = f"the slowest answer took {1000 * check.slowest:.1f} ms"
    played = f"{player}: {check.games} games, {check.questions} calls, {slowest}"
    if not check.findings:
        return f"{played}\nnothing wrong was found"
    return "\n".join([played, *(f"- {finding}" for finding in check.findings)])


def as_json(check: PlayerCheck) -> str:
    return json.dumps(
        {
            "games": check.games,
            "calls": check.questions,
            "slowest_seconds": check.slowest,
            "findings": [
                {"problem": f.problem, "where": f.where, "times": f.times} for f in check.findings
            ],
        },
        indent=2,
    )
