"""A longer comparison of the engine with the oracle:

    python -m tests.soak --games 100000 --seed 1 --processes 2

Game number i of a seed is always the same, whatever the number of processes.  The first difference
stops the run: it prints the configuration, and the exit code is 1.
"""

import argparse
import multiprocessing
import sys
import time
from collections import Counter

import numpy as np

from tests.parity import compare_game, random_configuration, signs

CHUNK = 250


def play_chunk(task: tuple[int, int, int]) -> Counter[str]:
    """Games first .. last - 1 of a seed; what they had in them."""
    seed, first, last = task
    seen: Counter[str] = Counter()
    for number in range(first, last):
        random = np.random.default_rng([seed, number])
        configuration = random_configuration(random)
        try:
            seen.update(signs(compare_game(configuration, random)))
        except AssertionError as error:
            raise AssertionError(f"game {number} of seed {seed}: {configuration}") from error
    return seen


def show_progress(played: int, games: int, seconds: float) -> None:
    rate = played / seconds
    left = f"{rate:.0f} a second, {(games - played) / rate:.0f} s left"
    print(f"\r{played:,} of {games:,} games, {left}  ", end="", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    args = parser.parse_args()
    tasks = [
        (args.seed, first, min(first + CHUNK, args.games)) for first in range(0, args.games, CHUNK)
    ]
    seen: Counter[str] = Counter()
    played, begun = 0, time.monotonic()
    with multiprocessing.get_context("spawn").Pool(args.processes) as pool:
        try:
            for (_, first, last), found in zip(tasks, pool.imap(play_chunk, tasks), strict=True):
                seen.update(found)
                played += last - first
                show_progress(played, args.games, time.monotonic() - begun)
        except AssertionError as error:
            print(f"\nDIFFERENCE after {played:,} games: {error}")
            return 1
    print(file=sys.stderr)
    for sign, count in sorted(seen.items()):
        print(f"{count:9,}  games with: {sign}")
    print(f"{played:,} games of seed {args.seed}: no difference between the engine and the oracle")
    return 0


if __name__ == "__main__":
    sys.exit(main())
