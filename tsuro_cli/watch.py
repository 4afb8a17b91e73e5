"""Watch a recorded game move by move, in the terminal or in a window.

The record is replayed first: exit code 1 if it does not end as it says, 2 if it is no record.
"""

from __future__ import annotations

import argparse

from tsuro_cli.arguments import seconds

EXAMPLE = "tsuro watch game.json --window --delay 0.5"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a game record, from tsuro play --record")
    parser.add_argument("--window", action="store_true", help="in a window (needs pygame-ce)")
    parser.add_argument(
        "--delay", type=seconds, default=0.4, metavar="S", help="pause after each move (0.4 s)"
    )
    parser.add_argument("--no-color", action="store_true", help="draw without colours")


def run(args: argparse.Namespace) -> int:
    from tsuro_cli.games import ranking_text, replayed
    from tsuro_cli.screen import Screen, wants_color
    from tsuro_env.drawing import Window, scenes_of

    game = replayed(args.file)
    if game is None:
        return 1
    if args.window:
        window = Window(fps=1 / args.delay if args.delay else None)
        for scene in scenes_of(game):
            window.show(scene)
        window.close()
    else:
        screen = Screen(args.delay, wants_color() and not args.no_color)
        for scene in scenes_of(game):
            screen.show(scene)
    print(ranking_text(game))
    return 0
