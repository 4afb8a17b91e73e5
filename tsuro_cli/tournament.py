"""Hold a tournament and keep every game in a SQLite file.

Entrants whose code is foreign (module:Class, path/to/file.py:Class) run in processes of their own,
under limits; whoever breaks one is out of that game. A tournament that was interrupted goes on with
--resume. `tsuro report` makes a page of the file.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from tsuro_cli.arguments import UsageError, add_game_options, positive
from tsuro_cli.evaluate import (
    add_limit_options,
    add_worker_options,
    limits_of,
    standings_text,
)

if TYPE_CHECKING:
    from evaluation import TournamentResult
    from tsuro_cli.progress import ProgressBar

EXAMPLE = (
    "tsuro tournament random second third first --format swiss --seed 7 --out results.sqlite\n"
    "  tsuro tournament --resume results.sqlite"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("entrants", nargs="*", metavar="PLAYER", help="name, module:Class, ...")
    parser.add_argument(
        "--entrants", dest="file", metavar="FILE", help="a YAML list of specs or name/spec/options"
    )
    parser.add_argument(
        "--format", choices=("knockout", "round-robin", "swiss"), default="round-robin"
    )
    parser.add_argument("--out", metavar="FILE", help="the SQLite file to be written")
    parser.add_argument("--resume", metavar="FILE", help="go on with the tournament in a file")
    parser.add_argument("--table", type=positive, metavar="K", help="players at a table (4)")
    parser.add_argument(
        "--rounds",
        type=positive,
        metavar="N",
        help="swiss: rounds; round-robin: deals for each table (1)",
    )
    add_game_options(parser)
    add_worker_options(parser)
    parser.add_argument(
        "--isolate",
        action=argparse.BooleanOptionalAction,
        help="run all players in processes of their own, or none (default: foreign ones)",
    )
    add_limit_options(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")


def run(args: argparse.Namespace) -> int:
    from tsuro_cli.progress import ProgressBar

    with ProgressBar("games") as progress:
        result = _resume(args, progress) if args.resume else _hold(args, progress)
    if args.json:
        print(json.dumps(result_json(result), indent=2))
    else:
        print(result_text(result))
    return 0


def _resume(args: argparse.Namespace, progress: ProgressBar) -> TournamentResult:
    from evaluation import resume

    if args.entrants or args.file or args.out:
        raise UsageError("--resume takes everything from the file: leave entrants and --out away")
    return resume(args.resume, workers=args.workers, progress=progress)


def _hold(args: argparse.Namespace, progress: ProgressBar) -> TournamentResult:
    from evaluation import tournament
    from evaluation.entrants import from_file
    from tsuro_cli.games import rules_of

    if not args.out:
        raise UsageError("--out names the file for the results (see tsuro tournament --help)")
    if bool(args.entrants) == bool(args.file):
        raise UsageError("name the entrants, or give a file of them with --entrants")
    return tournament(
        from_file(args.file, args.isolate) if args.file else args.entrants,
        args.out,
        args.format,
        args.seed or 0,
        rules_of(args),
        setup=args.setup,
        supply=args.supply,
        table_size=args.table,
        rounds=args.rounds,
        isolate=args.isolate,
        limits=limits_of(args),
        workers=args.workers,
        progress=progress,
    )


def result_json(result: TournamentResult) -> dict[str, Any]:
    return {
        "format": result.format,
        "games": len(result.games),
        "ranking": result.ranking,
        "standings": [row.to_json() for row in result.standings],
        "ratings": result.ratings.to_json(),
        "faults": [vars(fault) for fault in result.faults],
    }


def result_text(result: TournamentResult) -> str:
    from tsuro_env.drawing.svg import printable

    place, ranking = 1, []
    for rank in result.ranking:
        ranking.append(printable(f"{place}. {', '.join(rank)}"))
        place += len(rank)
    parts = ["\n".join(ranking) or "Everybody cheated: there is no winner."]
    parts.append(standings_text(result.standings, result.ratings))
    if result.faults:
        parts.append("\n".join(["faults", *_faults(result)]))
    return "\n\n".join(parts)


def _faults(result: TournamentResult) -> list[str]:
    """A line for each player and kind of fault, with the first detail: the words of a stranger."""
    from tsuro_env.drawing.svg import printable

    lines: dict[tuple[str, str], list[str]] = {}
    for fault in result.faults:
        lines.setdefault((fault.name, fault.reason), []).append(fault.detail)
    return [
        printable(f"  {name}: {reason}, {len(details)} times; {details[0]}")
        for (name, reason), details in lines.items()
    ]
