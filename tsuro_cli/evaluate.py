"""Play many games between players, with the seats rotated, and print a table."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from tsuro_cli.arguments import add_game_options, positive

if TYPE_CHECKING:
    from evaluation import Standing

EXAMPLE = "tsuro evaluate random second third --games 300 --seed 7"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="name, module:Class, ...")
    parser.add_argument("--games", type=positive, default=100, metavar="N", help="games (100)")
    add_game_options(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")


def run(args: argparse.Namespace) -> int:
    from evaluation import play_match
    from tsuro_cli.games import rules_of

    standings = play_match(
        args.players,
        args.games,
        args.seed or 0,
        rules_of(args),
        setup=args.setup,
        supply=args.supply,
    )
    standings.sort(key=lambda standing: (-standing.wins, standing.ranks))
    print(as_json(standings) if args.json else as_table(standings))
    return 0


def as_table(standings: list[Standing]) -> str:
    width = max(len("player"), *(len(standing.name) for standing in standings))
    lines = [f"{'player':{width}}  {'games':>6}  {'win share':>9}  {'mean rank':>9}  {'faults':>6}"]
    lines += [
        f"{s.name:{width}}  {s.games:6}  {s.win_share:9.3f}  {s.mean_rank:9.2f}  {s.faults:6}"
        for s in standings
    ]
    return "\n".join(lines)


def as_json(standings: list[Standing]) -> str:
    return json.dumps(
        [
            {
                "player": s.name,
                "games": s.games,
                "win_share": s.win_share,
                "mean_rank": s.mean_rank,
                "faults": s.faults,
            }
            for s in standings
        ],
        indent=2,
    )
