"""Play many games between players, with the seats rotated, and print a table.

Games come in blocks: one deal, played once from every seat. Intervals are of 95 % confidence.
With --better-than, play A alone against B in all other seats until it is known whether A is better.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tsuro_cli.arguments import UsageError, add_game_options, positive, seconds

if TYPE_CHECKING:
    from evaluation import Estimate, Limits, MatchResult, Ratings, Standing, Verdict

EXAMPLE = (
    "tsuro evaluate random second third --games 300 --seed 7\n"
    "  tsuro evaluate --better-than random first --players 3"
)
DEFAULT_GAMES = 100
MEBIBYTE = 1 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("entrants", nargs="*", metavar="PLAYER", help="name, module:Class, ...")
    parser.add_argument(
        "--games", type=positive, metavar="N", help=f"games, at least ({DEFAULT_GAMES})"
    )
    parser.add_argument(
        "--better-than", nargs=2, metavar=("A", "B"), help="stop when it is known if A beats Bs"
    )
    parser.add_argument(
        "--players", type=positive, default=4, metavar="N", help="with --better-than: seats (4)"
    )
    parser.add_argument(
        "--margin",
        type=share,
        default=0.03,
        metavar="S",
        help="with --better-than: how much more than its fair share A has to win (0.03)",
    )
    add_game_options(parser)
    add_worker_options(parser)
    parser.add_argument(
        "--isolate", action="store_true", help="run every player in a process of its own"
    )
    add_limit_options(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")


def add_worker_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--workers", type=positive, metavar="N", help="processes (one for each core)"
    )


def add_limit_options(parser: argparse.ArgumentParser) -> None:
    """What players in processes of their own may use."""
    parser.add_argument(
        "--move-seconds", type=seconds, default=5.0, metavar="S", help="isolated: for a move (5)"
    )
    parser.add_argument(
        "--first-seconds",
        type=seconds,
        default=30.0,
        metavar="S",
        help="isolated: for starting and the first move (30)",
    )
    parser.add_argument(
        "--memory", type=positive, default=2048, metavar="MB", help="isolated: memory (2048)"
    )


def limits_of(args: argparse.Namespace) -> Limits:
    from evaluation import Limits

    return Limits(args.move_seconds, args.first_seconds, args.memory * MEBIBYTE)


def share(text: str) -> float:
    """A number between 0 and 1."""
    number = float(text)
    if not 0 < number < 1:
        raise ValueError
    return number


def run(args: argparse.Namespace) -> int:
    if args.better_than:
        if args.entrants:
            raise UsageError("--better-than names both players: leave the others out")
        return _run_test(args)
    if len(args.entrants) < 2:
        raise UsageError("name at least two players (see tsuro evaluate --help)")
    return _run_match(args)


def _run_match(args: argparse.Namespace) -> int:
    from evaluation import play_match
    from tsuro_cli.games import rules_of
    from tsuro_cli.progress import ProgressBar

    with ProgressBar("games") as progress:
        result = play_match(
            args.entrants,
            args.games or DEFAULT_GAMES,
            args.seed or 0,
            rules_of(args),
            setup=args.setup,
            supply=args.supply,
            isolate=args.isolate,
            limits=limits_of(args),
            workers=args.workers,
            progress=progress,
        )
    print(match_json(result) if args.json else match_text(result))
    return 0


def _run_test(args: argparse.Namespace) -> int:
    from evaluation import better_than
    from evaluation.sequential import MAX_GAMES
    from tsuro_cli.games import rules_of
    from tsuro_cli.progress import ProgressBar

    first, second = args.better_than
    with ProgressBar("games at most") as progress:
        verdict = better_than(
            first,
            second,
            num_players=args.players,
            margin=args.margin,
            max_games=args.games or MAX_GAMES,
            seed=args.seed or 0,
            rules=rules_of(args),
            setup=args.setup,
            supply=args.supply,
            isolate=args.isolate,
            limits=limits_of(args),
            workers=args.workers,
            progress=progress,
        )
    if args.json:
        print(json.dumps(verdict.to_json(), indent=2))
    else:
        print(verdict_text(first, second, verdict))
    return 0


def match_text(result: MatchResult) -> str:
    return standings_text(result.standings, result.ratings)


def standings_text(standings: Sequence[Standing], ratings: Ratings) -> str:
    """The table, as narrow as a terminal, and the pairwise matrix."""
    elo = dict(zip(ratings.names, ratings.elo, strict=True))
    header = ["player", "games", "win share", "mean rank", "survival", "Elo", "ms/move", "faults"]
    rows = [
        [
            row.name if row.seats == 1 else f"{row.name} ×{row.seats}",
            str(row.games),
            plus_minus(row.win_share, 3),
            plus_minus(row.mean_rank, 2),
            plus_minus(row.survival, 3),
            plus_minus(elo[row.name], 0, sign="+"),
            f"{1000 * row.seconds_per_move:.3g}",
            str(row.faults),
        ]
        for row in standings
    ]
    return "\n\n".join([as_table([header, *rows]), *pairwise_text(ratings)])


def plus_minus(estimate: Estimate, digits: int, sign: str = "") -> str:
    """Like 0.634±.014: half the length of the 95 % interval."""
    half = f"{(estimate.high - estimate.low) / 2:.{digits}f}"
    return f"{estimate.value:{sign}.{digits}f}±{half.removeprefix('0') or '0'}"


def pairwise_text(ratings: Ratings) -> list[str]:
    """The pairwise matrix under its headline; nothing if there is only one player."""
    if len(ratings.names) < 2:
        return []
    rows = [["points of the row against", *ratings.names]]
    for name, shares in zip(ratings.names, ratings.pairwise.tolist(), strict=True):
        rows.append([name, *("-" if math.isnan(share) else f"{share:.3f}" for share in shares)])
    return [as_table(rows)]


def interval(estimate: Estimate, form: str) -> str:
    return f"{estimate.value:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"


def as_table(rows: list[list[str]]) -> str:
    """Columns set flush: the first to the left, the others to the right."""
    from tsuro_env.drawing.svg import printable

    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def match_json(result: MatchResult) -> str:
    return json.dumps(
        {
            "games": len(result.games),
            "standings": [row.to_json() for row in result.standings],
            "ratings": result.ratings.to_json(),
        },
        indent=2,
    )


def verdict_text(first: str, second: str, verdict: Verdict) -> str:
    answer = {
        True: f"{first} is better than {second}",
        False: f"{first} is not better than {second} by the margin",
        None: f"not known yet whether {first} is better than {second}",
    }[verdict.better]
    share = interval(verdict.win_share, ".3f")
    return (
        f"{answer}: {verdict.games} games, win share {share}, fair share {verdict.fair_share:.3f}, "
        f"margin {verdict.margin:g}"
    )
