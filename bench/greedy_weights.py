"""What single weights of `greedy` are worth: how its territory and start weights were chosen.

    python -m bench.greedy_weights [--games 12000]

Each row changes some weights of course, and plays `greedy` alone against `random`, and the shipped
model alone against that `greedy`: less for the model means a stronger `greedy`.
"""

from __future__ import annotations

import argparse

import agents
from agents import greedy
from training.panel import win_share
from tsuro_env import BatchPlayer, Rules
from tsuro_env.engine.options import TERRITORY

ROWS = [
    (4, (1.0, 1.0, 0.6), 0.0),
    (4, (-1.0, 0.0, 0.6), 0.0),
    (4, (-1.0, 0.0, 0.6), 1.0),
    (4, (-1.0, 0.0, 0.6), 2.0),
    (2, (1.0, 1.0, 0.6), 0.0),
    (2, (-1.0, 0.0, 0.6), 0.0),
    (2, (-1.0, 0.0, 0.6), 0.5),
    (2, (-1.0, 0.0, 0.6), 1.0),
]
"""Players, weights of start spots, weight of territory."""


def player(spec: str) -> BatchPlayer:
    made = agents.make(spec, seed=2)
    assert isinstance(made, BatchPlayer)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=12_000)
    games = parser.parse_args().games
    print("players  start               territory  against random  the model against it")
    for players, start, territory in ROWS:
        greedy.START_WEIGHTS["course"] = start
        greedy.WEIGHTS["course"][TERRITORY] = (territory, territory)
        one, model = player("greedy"), player(f"tsuro-course-{players}p")
        table = Rules.course(), players, games
        random = win_share(one, player("random"), *table, seed=77)
        shipped = win_share(model, one, *table, seed=78)
        print(f"{players:7}  {start!s:18} {territory:10}   {random}   {shipped}", flush=True)


if __name__ == "__main__":
    main()
