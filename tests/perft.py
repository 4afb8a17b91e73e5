"""Counting positions: how many sequences of legal actions lead on from a fixed position.

    python -m tests.perft --write     count with the oracle, and write tests/data/perft.json

test_perft.py has the engine count the same.
"""

import argparse
import copy
import json
from pathlib import Path
from typing import Any

import numpy as np

from tests.oracle import OracleGame
from tests.parity import Configuration, batch_of
from tsuro_env import GameBatch

FILE = Path(__file__).parent / "data" / "perft.json"

# How many actions are taken first, and how deep is counted.
POSITIONS: dict[str, tuple[Configuration, int, int]] = {
    "course, first placements": (
        Configuration("course", 4, 2, "agent", "cycle", (3, 2), 1, 0.0), 0, 3,
    ),
    "course, crowded": (Configuration("course", 4, 4, "agent", "cycle", (3, 2), 2, 0.0), 10, 5),
    "course, five players": (
        Configuration("course", 10, 5, "random", "random", (3, 2), 3, 0.0), 20, 5,
    ),
    "course, eight players on 6x6": (
        Configuration("course", 6, 8, "random", "random", (3, 3), 4, 0.0), 6, 4,
    ),
    "boxed, starting": (Configuration("boxed", 6, 3, "agent", "deck", (3, 2), 5, 0.0), 0, 2),
    "boxed, first turns": (Configuration("boxed", 6, 3, "random", "deck", (3, 2), 6, 0.0), 3, 4),
    "boxed, crowded": (Configuration("boxed", 4, 6, "random", "deck", (3, 2), 7, 0.0), 5, 5),
    "boxed, few tiles left": (
        Configuration("boxed", 7, 3, "random", "deck", (3, 2), 8, 0.0), 26, 6,
    ),
}  # fmt: skip


# ----------------------------------------------------------------------------------- by the oracle


def oracle_at(c: Configuration, actions: list[int]) -> OracleGame:
    game = OracleGame(c.rules, c.size, c.players, c.seed, c.setup, c.supply, c.deals)
    for action in actions:
        game.step(action)
    return game


def count_with_oracle(game: OracleGame, depth: int) -> int:
    legal = game.legal_actions()
    if depth == 1:
        return len(legal)
    return sum(count_with_oracle(after(game, action), depth - 1) for action in legal)


def after(game: OracleGame, action: int) -> OracleGame:
    twin = copy.copy(game)
    for name in ("tiles", "avatars", "hands", "out", "out_at", "deck", "ranks"):
        setattr(twin, name, copy.copy(getattr(game, name)))
    twin.hands = [list(hand) for hand in game.hands]
    twin.step(action)
    return twin


def entry(c: Configuration, before: int, depth: int) -> dict[str, Any]:
    game, actions = oracle_at(c, []), []
    for number in range(before):
        legal = game.legal_actions()
        actions.append(legal[number * 7919 % len(legal)])
        game.step(actions[-1])
    by_action = {
        str(action): count_with_oracle(after(game, action), depth - 1) if depth > 1 else 1
        for action in game.legal_actions()
    }
    return {
        "configuration": c._asdict(),
        "actions": actions,
        "counts": [count_with_oracle(game, d) for d in range(1, depth)] + [sum(by_action.values())],
        "by_first_action": by_action,
    }


# ----------------------------------------------------------------------------------- by the engine


def engine_at(c: Configuration, actions: list[int]) -> GameBatch:
    games = batch_of(c, [c.seed], restart=False)
    for action in actions:
        games.step([action])
    return games


def taken(games: GameBatch, c: Configuration, which: list[int]) -> GameBatch:
    """A batch of some of the games, each as often as it is named."""
    chosen = batch_of(c, [0] * len(which), restart=False)
    for field, source in zip(chosen.state, games.state.take(which), strict=True):
        field[...] = source
    return chosen


def spread(games: GameBatch, c: Configuration) -> tuple[GameBatch, list[int]]:
    """A batch with a game for every legal action of every game; and those actions."""
    parents, actions = np.nonzero(games.legal_actions())
    wider = taken(games, c, parents.tolist())
    wider.step(actions)
    return wider, actions.tolist()


def count_with_engine(games: GameBatch, c: Configuration, depth: int) -> int:
    for _ in range(depth - 1):
        if not games.legal_actions().any():
            return 0
        games, _ = spread(games, c)
    return int(games.legal_actions().sum())


def main() -> None:
    parser = argparse.ArgumentParser(description="count positions with the oracle")
    parser.add_argument("--write", action="store_true", required=True, help=f"write {FILE.name}")
    parser.parse_args()
    positions = {name: entry(*position) for name, position in POSITIONS.items()}
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(positions, indent=1) + "\n", encoding="utf-8")
    for name, position in positions.items():
        print(f"{name}: {position['counts']}")


if __name__ == "__main__":
    main()
