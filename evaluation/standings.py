"""From the results of games to a table: a row for each entrant, with 95 % intervals.

Games of one block share their deal, so the intervals count blocks, not games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.games import Games

CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A value, and the interval in which the truth lies with a confidence of 95 %."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Standing:
    """What an entrant did; one that had several seats at a table, on the mean of them."""

    name: str
    seats: int
    """How many seats at a table it had."""
    games: int
    win_share: Estimate
    """For each of its seats; a win shared by k players counts 1/k."""
    mean_rank: Estimate
    """1 is the best; level players share the mean of their places, cheaters the last ones."""
    survival: Estimate
    """The share of a game's rounds (boxed: turns) after which it was still in."""
    seconds_per_move: float
    faults: int
    """How often it was taken out for what it did: illegal, malformed, exception or late."""

    def to_json(self) -> dict[str, Any]:
        return {
            key: value._asdict() if isinstance(value, Estimate) else value
            for key, value in vars(self).items()
        }


def standings(games: Games, names: Sequence[str]) -> list[Standing]:
    """A row for everybody who played, best win share first; `games.table` numbers the names."""
    played = (number for number in range(len(names)) if (games.table == number).any())
    rows = [_standing(games, number, names[number]) for number in played]
    return sorted(rows, key=lambda row: (-row.win_share.value, row.mean_rank.value))


def _standing(games: Games, number: int, name: str) -> Standing:
    mine = games.table == number
    seats = mine.sum(axis=1)

    def mean(values: NDArray[np.float64], low: float, high: float) -> Estimate:
        return block_mean(np.where(mine, values, 0).sum(axis=1), seats, games.block, low, high)

    return Standing(
        name=name,
        seats=int(seats.max()),
        games=int((seats > 0).sum()),
        win_share=mean(games.win_shares, 0, 1),
        mean_rank=mean(games.places, 1, games.table.shape[1]),
        survival=mean(games.survival, 0, 1),
        seconds_per_move=float(games.seconds[mine].sum() / max(games.moves[mine].sum(), 1)),
        faults=int(games.faults[mine].sum()),
    )


def block_mean(
    sums: NDArray[np.float64],
    counts: NDArray[np.int64],
    blocks: NDArray[np.int64],
    low: float,
    high: float,
) -> Estimate:
    """The mean of values between low and high: their sum and number in each game, and its block.

    The interval is Student's over blocks, with two blocks added that are as bad and as good as can
    be: else a player that has won everything so far would get an interval without any width.
    """
    _, block = np.unique(blocks[counts > 0], return_inverse=True)
    totals = np.bincount(block, weights=sums[counts > 0])
    numbers = np.bincount(block, weights=counts[counts > 0])
    value = totals.sum() / numbers.sum()

    usual = numbers.mean()
    totals = np.append(totals, [low * usual, high * usual])
    numbers = np.append(numbers, [usual, usual])
    middle = totals.sum() / numbers.sum()
    spread = ((totals - middle * numbers) ** 2).sum() * len(totals) / (len(totals) - 1)
    half = student_quantile(len(totals) - 1) * math.sqrt(spread) / numbers.sum()
    return Estimate(float(value), max(low, float(middle - half)), min(high, float(middle + half)))


def student_quantile(degrees: int, confidence: float = CONFIDENCE) -> float:
    """How many standard errors an interval reaches to each side, with 2 degrees of freedom or more.

    Exact for 2, else the expansion of Cornish and Fisher: three digits for 3, more beyond.
    """
    if degrees == 2:
        return confidence * math.sqrt(2 / (1 - confidence * confidence))
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / degrees**power for power, term in enumerate(terms, 1))
