"""Make a page of a tournament's results, with plots, replays and every game as a table.

Needs the extra `eval`. The page, index.html in the folder, is one file without scripts.
"""

from __future__ import annotations

import argparse

EXAMPLE = "tsuro report results.sqlite -o report"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", metavar="FILE", help="the SQLite file of tsuro tournament")
    parser.add_argument("-o", "--out", required=True, metavar="FOLDER", help="where to write it")


def run(args: argparse.Namespace) -> int:
    from evaluation.report import write_report

    print(write_report(args.results, args.out))
    return 0
