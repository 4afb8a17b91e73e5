"""Between the command line and the game: which rules were asked for, and how a game ended."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from tsuro_env import Rules


def rules_of(args: argparse.Namespace) -> Rules:
    """The rules that --rules and --size ask for."""
    rules = Rules.from_name(args.rules)
    return rules if args.size is None else rules.with_size(args.size)


def ranking_text(record: Mapping[str, Any]) -> str:
    """The ranking of a finished game, a line for each rank and each cheater."""
    names = {
        player["color"]: f"{player['name']} ({player['color']})" for player in record["players"]
    }
    lines, place = [], 1
    for tied in record["ranking"]:
        lines.append(f"{place}. {', '.join(names[color] for color in tied)}")
        place += len(tied)
    for fault in record["cheaters"]:
        detail = f": {fault['detail']}" if fault["detail"] else ""
        lines.append(f"-  {names[fault['color']]} {fault['reason']}{detail}")
    return "\n".join(lines)
