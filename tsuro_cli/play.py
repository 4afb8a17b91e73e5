"""Play one game between named players, and draw it in the terminal.

On a terminal the game is shown move by move, elsewhere only its end.
"""

from __future__ import annotations

import argparse
import sys

from tsuro_cli.arguments import add_game_options, seconds

EXAMPLE = "tsuro play random random first --rules course --seed 7 --record game.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "players",
        nargs="+",
        metavar="PLAYER",
        help="oldest first: a name such as random, a model.onnx, module:Class, or file.py:Class; "
        "options follow as name:key=value,key=value",
    )
    add_game_options(parser)
    parser.add_argument("--record", metavar="FILE", help="write the game record, for tsuro replay")
    parser.add_argument("--no-color", action="store_true", help="draw without colours")
    parser.add_argument(
        "--delay", type=seconds, default=0.2, metavar="S", help="pause after each move (0.2 s)"
    )
    parser.add_argument("--quiet", action="store_true", help="print the ranking only")


def run(args: argparse.Namespace) -> int:
    import agents
    from tsuro_cli.games import ranking_text, rules_of
    from tsuro_cli.screen import TOP_LEFT, Screen, draw, last_scene, wants_color
    from tsuro_env import Referee
    from tsuro_env.record import save

    live = sys.stdout.isatty() and not args.quiet
    color = wants_color() and not args.no_color
    screen = Screen(args.delay, color)
    referee = screen.referee = Referee(
        None,
        agents.make_all(args.players, args.seed),
        args.supply,
        [screen] if live else (),
        rules=rules_of(args),
        seed=args.seed,
        setup=args.setup,
        names=agents.unique_names(args.players),
    )
    referee.start_game()
    if not args.quiet:
        print((TOP_LEFT if live else "") + draw(last_scene(referee), color))
    print(ranking_text(referee.record))
    if args.record is not None:
        save(referee.record, args.record)
    return 0
