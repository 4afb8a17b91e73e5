"""Answer the course's test inputs: JSON values on standard input, one JSON value a line out."""

from __future__ import annotations

import argparse
import sys

EXAMPLE = """echo '[0, 90, "A"] [34, 0, "G"]' | tsuro harness xtiles"""

HARNESSES = {
    "xtiles": "where paths through tiles come out",
    "xboard": "what becomes of red",
    "xrules": "whether a turn is legal",
    "xref": "one game",
    "xadmin": "a knock-out tournament",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    listing = ", ".join(f"{name} ({purpose})" for name, purpose in HARNESSES.items())
    parser.add_argument("harness", choices=HARNESSES, metavar="HARNESS", help=f"one of {listing}")


def run(args: argparse.Namespace) -> int:
    from tsuro_cli import course_harness

    for line in course_harness.answer(args.harness, sys.stdin.buffer.read().decode("utf-8")):
        print(line)
    return 0
