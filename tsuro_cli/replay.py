"""Replay a recorded game and check that it ends the same.

Exit code 1 if it does not, 2 if the file is no game record.
"""

from __future__ import annotations

import argparse

EXAMPLE = "tsuro replay game.json --html game.html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a game record, from tsuro play --record")
    parser.add_argument("--html", metavar="OUT", help="write a page that plays the game")
    parser.add_argument("--gif", metavar="OUT", help="write an animation (needs pillow)")


def run(args: argparse.Namespace) -> int:
    from tsuro_cli.games import ranking_text, replayed
    from tsuro_env.drawing import scenes_of, to_gif, to_html
    from tsuro_env.files import write_atomically

    game = replayed(args.file)
    if game is None:
        return 1
    if args.html:
        write_atomically(args.html, to_html(game))
    if args.gif:
        to_gif(scenes_of(game), args.gif)
    print(f"{args.file}: {len(game['moves'])} moves, replayed to the same end")
    print(ranking_text(game))
    return 0
