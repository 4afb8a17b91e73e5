"""How strong the players are: every figure that the documents give, with its target.

    python -m bench.strength [--games N] [--only NAME ...] [--json]

In each row the player sits alone against copies of another, in every seat of the same deals. A row
is printed as soon as it is measured; all of them take about an hour on two cores. A target is met
within 100 milliseconds a move, or not at all. NAME is the beginning of a row's name,
PLAYER/RULES/PLAYERS/OTHER as in `mcts/course/4/greedy`; so `mcts` is all of its rows, and
`mcts/course` those with that rule set.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents.shipped_models import shipped_models
from evaluation import Standing, play_match
from tsuro_cli.arguments import positive
from tsuro_cli.evaluate import plus_minus

SEED = 1000
"""Other deals than those that `greedy` was tuned on, or that chose between models in training."""
GAMES, GAMES_OF_NETS = 4_000, 10_000
SLOWEST = 100
"""Milliseconds a move for a player with a target."""


@dataclass(frozen=True)
class Row:
    """One figure to be measured."""

    player: str
    other: str
    players: int
    rules: str
    target: float | None = None
    certain: bool = False
    """The target is for the lower end of the interval, and must be exceeded."""

    @property
    def name(self) -> str:
        return f"{self.player}/{self.rules}/{self.players}/{self.other}"

    @property
    def missing(self) -> str:
        """The model that the player needs, if it does not come with the package; else nothing."""
        model = f"tsuro-{self.rules}-{self.players}p"
        needed = self.player in (model, "learned+search")
        return model if needed and model not in shipped_models() else ""

    @property
    def games(self) -> int:
        return GAMES_OF_NETS if self.player.startswith("tsuro-") else GAMES

    def met(self, found: Standing) -> bool | None:
        """Whether the target is met, without thinking for too long; None if there is none."""
        if self.target is None:
            return None
        share = found.win_share
        enough = share.low > self.target if self.certain else share.value >= self.target
        return enough and 1000 * found.seconds_per_move <= SLOWEST


ROWS = (
    Row("greedy", "random", 4, "course", 0.62),
    Row("mcts", "greedy", 4, "course", 0.30),
    Row("tsuro-course-4p", "greedy", 4, "course", 0.27, certain=True),
    Row("tsuro-course-4p", "random", 4, "course", 0.62),
    Row("learned+search", "greedy", 4, "course", 0.33),
    Row("greedy", "random", 2, "course", 0.83),
    Row("mcts", "greedy", 2, "course", 0.60),
    Row("tsuro-course-2p", "greedy", 2, "course", 0.58),
    Row("learned+search", "greedy", 2, "course", 0.65),
    Row("montecarlo", "greedy", 4, "course"),
    Row("montecarlo", "greedy", 2, "course"),
    Row("greedy", "random", 4, "boxed"),
    Row("greedy", "random", 2, "boxed"),
    Row("tsuro-boxed-4p", "greedy", 4, "boxed"),
    Row("tsuro-boxed-2p", "greedy", 2, "boxed"),
    Row("mcts", "greedy", 2, "boxed"),
)


def rows_called(names: Sequence[str]) -> list[Row]:
    """The rows whose names begin with one of these; all if there are none."""
    unknown = [name for name in names if not any(_begins(row, name) for row in ROWS)]
    if unknown:
        known = "\n  ".join(row.name for row in ROWS)
        raise ValueError(f"no row is called {', '.join(unknown)}; there are\n  {known}")
    return [row for row in ROWS if not names or any(_begins(row, name) for name in names)]


def _begins(row: Row, name: str) -> bool:
    return f"{row.name}/".startswith(f"{name}/")


def play(row: Row, games: int | None) -> Standing | None:
    """What the row's player did in so many games; None if its model is missing."""
    if row.missing:
        return None
    table = [row.player] + [row.other] * (row.players - 1)
    result = play_match(table, games or row.games, SEED, row.rules)
    return next(standing for standing in result.standings if standing.name == row.player)


HEADER = ("player", "against", "players", "rules", "games", "win share", "target", "met", "ms/move")
WIDTHS = (15, 8, 7, 6, 6, 10, 8, 3, 7)


def in_columns(cells: Sequence[str]) -> str:
    """A line of the table: the first two columns to the left, the others to the right."""
    return " ".join(
        cell.rjust(width) if column > 1 else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    ).rstrip()


def as_text(row: Row, found: Standing | None) -> str:
    against = row.other if row.players == 2 else f"{row.players - 1} {row.other}"
    target = "" if row.target is None else f"{'low>' if row.certain else '≥'}{row.target:.2f}"
    if found is None:
        cells = in_columns((row.player, against, str(row.players), row.rules, *[""] * 5))
        return f"{cells}  no such model: {row.missing}"
    return in_columns(
        (
            row.player,
            against,
            str(row.players),
            row.rules,
            f"{found.games:,}",
            plus_minus(found.win_share, 3),
            target,
            {True: "yes", False: "no", None: ""}[row.met(found)],
            f"{1000 * found.seconds_per_move:.2g}",
        )
    )


def as_json(row: Row, found: Standing | None) -> str:
    """One line."""
    said: dict[str, Any] = {"name": row.name, **vars(row)}
    if found is None:
        return json.dumps({**said, "problem": f"no such model: {row.missing}"})
    return json.dumps({**said, "met": row.met(found), "found": found.to_json()})


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=positive, metavar="N", help="for every row, at least")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these rows")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each row")
    args = parser.parse_args(arguments)
    try:
        rows = rows_called(args.only)
    except ValueError as error:
        parser.error(str(error))
    if not args.json:
        print(in_columns(HEADER))
    for row in rows:
        found = play(row, args.games)
        print(as_json(row, found) if args.json else as_text(row, found), flush=True)


if __name__ == "__main__":
    main()
