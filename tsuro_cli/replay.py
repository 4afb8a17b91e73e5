"""Replay a recorded game and check that it ends the same.

Exit code 1 if it does not, 2 if the file is no game record.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

EXAMPLE = "tsuro replay game.json --html game.html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a game record, from tsuro play --record")
    parser.add_argument("--html", metavar="OUT", help="write a page that plays the game")
    parser.add_argument("--gif", metavar="OUT", help="write an animation (needs pillow)")


def run(args: argparse.Namespace) -> int:
    from tsuro_cli.games import ranking_text
    from tsuro_env import RecordError, record, replay

    game = record.load(args.file)
    try:
        replay(game)
    except RecordError as error:
        print(f"tsuro: {args.file} does not replay: {error}", file=sys.stderr)
        return 1
    print(f"{args.file}: {len(game['moves'])} moves, replayed to the same end")
    print(ranking_text(game))
    if args.html:
        from tsuro_env.drawing.html import to_html

        Path(args.html).write_text(to_html(game), encoding="utf-8")
    if args.gif:
        from tsuro_env.drawing.film import scenes_of
        from tsuro_env.drawing.gif import to_gif

        to_gif(scenes_of(game), args.gif)
    return 0
