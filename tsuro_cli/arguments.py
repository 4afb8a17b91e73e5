"""What the commands share for reading arguments. Imports nothing of the game."""

from __future__ import annotations

import argparse
from typing import NoReturn


class UsageError(ValueError):
    """The command line does not make sense."""


class Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would print its usage and leave."""

    def __init__(self, **options: object) -> None:
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            **options,  # type: ignore[arg-type]
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


# Types of arguments: where one of them raises, argparse says "invalid natural value: 'x'".


def natural(text: str) -> int:
    """A whole number from 0 on that fits into 63 bits."""
    number = int(text)
    if not 0 <= number < 2**63:
        raise ValueError
    return number


def positive(text: str) -> int:
    """A whole number from 1 on."""
    if natural(text) == 0:
        raise ValueError
    return int(text)


def seconds(text: str) -> float:
    """A time span of at most a day."""
    number = float(text)
    if not 0 <= number <= 86_400:
        raise ValueError
    return number


def positive_seconds(text: str) -> float:
    """The same, but not zero."""
    if seconds(text) == 0:
        raise ValueError
    return float(text)


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which game is played."""
    parser.add_argument(
        "--rules", choices=("course", "boxed"), default="course", help="rule set (course)"
    )
    parser.add_argument("--size", type=positive, metavar="N", help="squares along one side")
    parser.add_argument(
        "--setup",
        choices=("agent", "random"),
        default="agent",
        help="who makes the first placements: the players, or chance",
    )
    parser.add_argument(
        "--supply",
        choices=("random", "cycle", "deck"),
        help="where the tiles come from: random or cycle (course), deck (boxed)",
    )
    parser.add_argument("--seed", type=natural, metavar="N", help="makes the game repeatable")
