"""Between the command line and the game: which rules were asked for, and how a game ended."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Mapping
from typing import Any

from tsuro_cli.screen import harmless
from tsuro_env import ReplayError, Rules, record, replay
from tsuro_env.record import Record


def rules_of(args: argparse.Namespace) -> Rules:
    """The rules that --rules and --size ask for."""
    rules = Rules.from_name(args.rules)
    return rules if args.size is None else rules.with_size(args.size)


def replayed(file: str) -> Record | None:
    """A recorded game, replayed; None after saying why if it does not end as the record tells."""
    claimed = record.load(file)
    try:
        return replay(claimed).record
    except ReplayError as error:
        message = harmless(" ".join(str(error).split()))
        print(f"tsuro: {file} does not replay: {message}", file=sys.stderr)
        return None


def ranking_text(game: Mapping[str, Any]) -> str:
    """The ranking of a finished game, a paragraph for each rank and each cheater."""
    if game["ranking"] is None:
        return "The game is not over."
    names = {
        player["color"]: f"{harmless(player['name'])} ({player['color']})"
        for player in game["players"]
    }
    lines = [
        f"{rank}. {', '.join(names[color] for color in tied)}"
        for rank, tied in enumerate(game["ranking"], 1)
    ]
    for fault in game["cheaters"]:
        detail = f": {harmless(fault['detail'])}" if fault["detail"] else ""
        lines.append(f"-  {names[fault['color']]} {fault['reason']}{detail}")
    return "\n".join(map(_wrapped, lines))


def _wrapped(line: str) -> str:
    """As wide as a terminal at most, a longer name apart; what follows is indented like a list."""
    return textwrap.fill(
        line, 80, subsequent_indent="   ", break_long_words=False, break_on_hyphens=False
    )
