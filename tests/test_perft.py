"""The engine counts as many positions as the oracle did; see perft.py."""

import json
from typing import Any

import pytest

from tests.parity import Configuration
from tests.perft import FILE, POSITIONS, count_with_engine, engine_at, spread, taken
from tsuro_env import GameBatch

ENTRIES: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))


def test_the_file_has_every_position() -> None:
    assert list(ENTRIES) == list(POSITIONS)


@pytest.mark.parametrize("name", ENTRIES)
def test_the_engine_counts_what_the_oracle_counted(name: str) -> None:
    entry = ENTRIES[name]
    c = Configuration(**{**entry["configuration"], "deals": tuple(entry["configuration"]["deals"])})
    games = engine_at(c, entry["actions"])
    counts = entry["counts"]
    found = [count_with_engine(games, c, depth) for depth in range(1, len(counts) + 1)]
    assert found == counts, by_first_action(games, c, len(counts), entry["by_first_action"])


def by_first_action(
    games: GameBatch, c: Configuration, depth: int, expected: dict[str, int]
) -> str:
    """Under which first actions the engine counts otherwise."""
    wider, actions = spread(games, c)
    found = {
        str(action): count_with_engine(taken(wider, c, [number]), c, depth - 1)
        for number, action in enumerate(actions)
    }
    lines = [
        f"action {action}: {found.get(action)} instead of {expected.get(action)}"
        for action in sorted({*found, *expected}, key=int)
        if found.get(action) != expected.get(action)
    ]
    return "\n".join(["counted differently:", *lines])


def test_the_breakdown_names_the_first_actions_that_differ() -> None:
    entry = ENTRIES["course, crowded"]
    c = POSITIONS["course, crowded"][0]
    games = engine_at(c, entry["actions"])
    expected = entry["by_first_action"]
    action = next(iter(expected))
    wrong = {**expected, action: expected[action] + 1}
    depth = len(entry["counts"])
    assert by_first_action(games, c, depth, expected) == "counted differently:"
    assert f"action {action}: {expected[action]} instead of" in by_first_action(
        games, c, depth, wrong
    )
