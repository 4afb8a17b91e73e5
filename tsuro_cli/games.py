"""Between the command line and the game: which rules were asked for, and how a game ended."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from tsuro_cli.screen import harmless
from tsuro_env import Rules


def rules_of(args: argparse.Namespace) -> Rules:
    """The rules that --rules and --size ask for."""
    rules = Rules.from_name(args.rules)
    return rules if args.size is None else rules.with_size(args.size)


def ranking_text(record: Mapping[str, Any]) -> str:
    """The ranking of a finished game, a line for each rank and each cheater."""
    if record["ranking"] is None:
        return "The game is not over."
    names = {
        player["color"]: f"{harmless(player['name'])} ({player['color']})"
        for player in record["players"]
    }
    lines = [
        f"{rank}. {', '.join(names[color] for color in tied)}"
        for rank, tied in enumerate(record["ranking"], 1)
    ]
    for fault in record["cheaters"]:
        detail = f": {harmless(fault['detail'])}" if fault["detail"] else ""
        lines.append(f"-  {names[fault['color']]} {fault['reason']}{detail}")
    return "\n".join(lines)
