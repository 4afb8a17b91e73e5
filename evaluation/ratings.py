"""Ratings: Bradley-Terry strengths fitted to all pairs of all games at once, on the Elo scale.

Of every game each pair of players counts as one comparison, a tie as half a win for both. The fit
does not depend on the order of the games. Intervals come from drawing whole blocks again.

A rating hides who beats whom: look at the pairwise matrix too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.games import NOBODY, Games
from evaluation.standings import CONFIDENCE, Estimate

ELO = 400 / math.log(10)
"""Elo points for a factor e in the odds."""
RIDGE = 0.1
"""Keeps the strength of somebody who never lost finite; next to real results it does not count."""
REPLICATES = 1000
NORMAL = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""How many standard errors an interval reaches to each side."""
MAX_BLOCKS = 4096
"""More blocks than this are drawn again in groups: it saves memory and changes nothing."""


@dataclass(frozen=True)
class Ratings:
    """`elo` in the order of `names`; `anchor` has 0, or without one the mean."""

    names: list[str]
    elo: list[Estimate]
    anchor: str | None
    pairwise: NDArray[np.float64]
    """(n, n): the row's share of the points against the column's; NaN where they never met."""
    meetings: NDArray[np.float64]
    """(n, n): how many comparisons that is."""

    def to_json(self) -> dict[str, Any]:
        shares = [[None if np.isnan(x) else x for x in row] for row in self.pairwise.tolist()]
        return {
            "anchor": self.anchor,
            "elo": {n: e._asdict() for n, e in zip(self.names, self.elo, strict=True)},
            "pairwise": {
                name: dict(zip(self.names, row, strict=True))
                for name, row in zip(self.names, shares, strict=True)
            },
        }


def rate(
    games: Games,
    names: Sequence[str],
    anchor: str | None = "random",
    *,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Ratings:
    """Rate the entrants that `games.table` numbers; `anchor` has rating 0 if it is one of them."""
    points = pair_points(games, len(names))
    strength = fit(points.sum(axis=0))
    random = np.random.default_rng(seed)
    blocks = len(points)
    weights = random.multinomial(blocks, np.full(blocks, 1 / blocks), size=replicates)
    drawn = (weights @ points.reshape(blocks, -1)).reshape(replicates, *points.shape[1:])
    redrawn = fit(drawn)

    fixed = names.index(anchor) if anchor in names else None
    elo = _on_elo_scale(strength, fixed)
    # In simulation this holds its promise better than the percentiles of what was drawn again.
    half = NORMAL * _on_elo_scale(redrawn, fixed).std(axis=0, ddof=1)
    total = points.sum(axis=0)
    meetings = total + total.T
    with np.errstate(invalid="ignore"):
        pairwise = total / meetings
    estimates = [
        Estimate(float(value), float(value - reach), float(value + reach))
        for value, reach in zip(elo, half, strict=True)
    ]
    return Ratings(list(names), estimates, None if fixed is None else anchor, pairwise, meetings)


def _on_elo_scale(strength: NDArray[np.float64], fixed: int | None) -> NDArray[np.float64]:
    zero = strength.mean(axis=-1) if fixed is None else strength[..., fixed]
    scaled: NDArray[np.float64] = ELO * (strength - zero[..., None])
    return scaled


def pair_points(games: Games, entrants: int) -> NDArray[np.float64]:
    """(blocks, n, n): the points that the row's entrant took off the column's in each block."""
    _, block = np.unique(games.block, return_inverse=True)
    block = block % MAX_BLOCKS
    one, other = games.table[:, :, None], games.table[:, None, :]
    pairs = (one != NOBODY) & (other != NOBODY) & (one != other)
    cell = (block[:, None, None] * entrants + one) * entrants + other
    blocks = int(block.max()) + 1
    points = np.bincount(
        cell[pairs], weights=games.scores[pairs], minlength=blocks * entrants * entrants
    )
    return points.astype(np.float64).reshape(blocks, entrants, entrants)


def fit(points: NDArray[np.float64], ridge: float = RIDGE) -> NDArray[np.float64]:
    """(..., n): the strengths, in log odds, that make points (..., n, n) most likely.

    Newton's method on a concave function, each step held to two: far out its curvature misleads.
    """
    meetings = points + np.swapaxes(points, -1, -2)
    strength = np.zeros(points.shape[:-1])
    unit = np.eye(points.shape[-1])
    for _ in range(100):
        ahead = 1 / (1 + np.exp(strength[..., None, :] - strength[..., :, None]))
        slope = (points - meetings * ahead).sum(axis=-1) - ridge * strength
        weight = meetings * ahead * (1 - ahead)
        curvature = unit * (weight.sum(axis=-1) + ridge)[..., None] - weight
        step = np.linalg.solve(curvature, slope[..., None])[..., 0]
        strength = strength + np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-9:
            break
    return strength
