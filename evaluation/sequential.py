"""Is A better than B? A sequential test that stops as soon as it knows.

One A plays against Bs in all other seats, in blocks of one deal in which A has every seat once.
A's mean win share in a block is compared with the fair share: "no better" says that it is the fair
share, "better" that it is larger by a margin. The test is a generalised sequential probability
ratio test: it adds up evidence block by block until one of the two can be given up, each wrongly in
at most 5 % of cases. (A against Bs is one question; A at a mixed table would be another.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.crew import Crew
from evaluation.entrants import Entrant, from_specs
from evaluation.games import Games
from evaluation.isolation import Limits
from evaluation.match import MatchJob, Progress
from evaluation.standings import Estimate, block_mean
from evaluation.table import Setting
from tsuro_env import Rules, StrategyPlayer

ERROR = 0.05
"""How often each of the two mistakes may happen."""
EVIDENCE = math.log((1 - ERROR) / ERROR)
"""The log likelihood ratio at which one of the hypotheses is given up."""
MIN_BLOCKS = 32
"""Before that the variance is known too badly."""
MARGIN = 0.03
MAX_GAMES = 20_000
GAMES_AT_A_TIME = 128
"""Few, since what is played after the decision is played in vain."""


@dataclass(frozen=True)
class Verdict:
    """`better` is None if the games were used up before it was known."""

    better: bool | None
    games: int
    blocks: int
    evidence: float
    """The log likelihood ratio of "better" against "no better"."""
    win_share: Estimate
    """A's; after a sequential test somewhat exaggerated."""
    fair_share: float
    margin: float

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "win_share": self.win_share._asdict()}


def evidence(shares: NDArray[np.float64], margin: float, seats: int) -> NDArray[np.float64]:
    """(..., n): the log likelihood ratio after each block, from the blocks' win shares (..., n).

    The variance is that of the blocks so far, and of one more that is spread like independent fair
    games: a player that wins every single game shall not have infinite evidence for it.
    """
    fair = 1 / seats
    blocks = np.arange(1, shares.shape[-1] + 1)
    mean = shares.cumsum(axis=-1) / blocks
    squares = (shares**2).cumsum(axis=-1) / blocks
    variance = squares - mean**2 + fair * (1 - fair) / seats / blocks
    return blocks * margin * (2 * (mean - fair) - margin) / (2 * variance)


def is_decisive(evidence: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(..., n): where the test may stop."""
    enough = np.arange(1, evidence.shape[-1] + 1) >= MIN_BLOCKS
    decisive: NDArray[np.bool_] = (np.abs(evidence) >= EVIDENCE) & enough
    return decisive


def better_than(
    first: str | StrategyPlayer | Entrant,
    second: str,
    *,
    num_players: int = 4,
    margin: float = MARGIN,
    max_games: int = MAX_GAMES,
    seed: int = 0,
    rules: Rules | str = "course",
    setup: str = "agent",
    supply: str | None = None,
    isolate: bool | None = False,
    limits: Limits | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Verdict:
    """Whether `first`, alone against `second` in all other seats, wins more than its fair share."""
    if not 0 < margin < 1:
        raise ValueError(f"the margin is a share between 0 and 1, not {margin}")
    players = [first, *[second] * (num_players - 1)]
    entrants = from_specs(players, isolate)
    setting = Setting(Rules.from_name(rules), setup, supply)
    job = MatchJob(entrants, seed, setting, limits or Limits())
    most = max(1, max_games // num_players)
    tasks = job.tasks(most, GAMES_AT_A_TIME)
    shares: NDArray[np.float64] = np.zeros(0)
    waiting: dict[int, Games] = {}
    with Crew(job, job.workers(workers, len(tasks))) as crew:
        for part in crew.do(tasks):
            # Parts come in any order; evidence is counted in the order of the blocks, so that the
            # number of workers changes nothing.
            waiting[int(part.block[0])] = part
            while len(shares) in waiting:
                fresh = _block_shares(waiting.pop(len(shares)), num_players)
                shares = np.append(shares, fresh)
            if progress is not None:
                progress(len(shares) * num_players, most * num_players)
            if is_decisive(evidence(shares, margin, num_players)).any():
                break
    return _verdict(shares, margin, num_players)


def _block_shares(games: Games, seats: int) -> NDArray[np.float64]:
    """The first entrant's mean win share in each block."""
    mine = np.where(games.table == 0, games.win_shares, 0).sum(axis=1)
    means: NDArray[np.float64] = mine.reshape(-1, seats).mean(axis=1)
    return means


def _verdict(shares: NDArray[np.float64], margin: float, seats: int) -> Verdict:
    """As it was at the first moment at which it was known."""
    found = evidence(shares, margin, seats)
    decisive = is_decisive(found)
    blocks = int(decisive.argmax()) + 1 if decisive.any() else len(shares)
    last = float(found[blocks - 1])
    every = np.arange(blocks)
    return Verdict(
        better=last > 0 if decisive.any() else None,
        games=blocks * seats,
        blocks=blocks,
        evidence=last,
        win_share=block_mean(shares[:blocks], np.ones_like(every), every, 0, 1),
        fair_share=1 / seats,
        margin=margin,
    )
