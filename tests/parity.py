"""Plays games on the engine and on the oracle side by side; the first difference is an error."""

from typing import Any

import numpy as np

from tests.oracle import CONNECTIONS, OracleGame
from tsuro_env import GameBatch, Rules
from tsuro_env.engine.kernels import outcome
from tsuro_env.engine.state import (
    DECK_SIZE,
    DRAGON,
    FACING,
    HAND,
    HAND_SIZE,
    NO_TILE,
    OUT_REASONS,
    PHASE,
    PHASES,
    TO_MOVE,
)
from tsuro_env.engine.tables import PORTS

OUTCOMES = ("FINE", "EXIT", "LOOP")


def random_configuration(random: np.random.Generator) -> dict[str, Any]:
    rules = ("course", "boxed")[random.integers(2)]
    return {
        "rules": rules,
        "size": int(random.choice([4, 5, 6, 7, 10, 13])),
        "players": int(random.integers(2, 9)),
        "setup": ("agent", "random")[random.integers(2)],
        "supply": ("random", "cycle")[random.integers(2)] if rules == "course" else "deck",
        "seed": int(random.integers(2**63)),
        "illegal": bool(random.random() < 0.2),
    }


def compare_game(configuration: dict[str, Any], random: np.random.Generator) -> int:
    """Play one game on both with the same actions, comparing after each; how many moves it had."""
    c = configuration
    rules = Rules.from_name(c["rules"]).with_size(c["size"])
    games = GameBatch(
        1,
        rules,
        c["players"],
        c["setup"],
        np.array([c["seed"]], dtype=np.uint64),
        supply=c["supply"],
        restart=False,
    )
    oracle = OracleGame(c["rules"], c["size"], c["players"], c["seed"], c["setup"], c["supply"])
    moves = 0
    while not oracle.finished:
        compare_positions(games, oracle, c)
        legal = oracle.legal_actions()
        action = int(random.choice(legal))
        if c["illegal"] and random.random() < 0.03:
            action = int(random.integers(-2, games.num_actions + 2))
        oracle.step(action)
        games.step([action])
        moves += 1
    assert games.finished[0], c
    assert games.ranks[0].tolist() == oracle.ranks, c
    assert [OUT_REASONS[code] for code in games.out[0]] == oracle.out, c
    return moves


def plainest(index: int, rotation: int) -> tuple[int, int]:
    """The tile with the smallest rotation that looks the same."""
    turned = CONNECTIONS[index]
    return index, next(r for r in range(4) if turned[r] == turned[rotation])


def compare_positions(games: GameBatch, oracle: OracleGame, c: dict[str, Any]) -> None:
    state, size = games.state, c["size"]
    assert PHASES[state.game[0, PHASE]] == oracle.phase, c
    assert state.game[0, TO_MOVE] == oracle.to_move, c
    assert np.flatnonzero(games.legal_actions()[0]).tolist() == oracle.legal_actions(), c
    tiles = {
        (int(s) % size, int(s) // size): divmod(int(state.tiles[0, s]), 4)
        for s in np.flatnonzero(state.tiles[0] != NO_TILE)
    }
    assert tiles == {square: plainest(*tile) for square, tile in oracle.tiles.items()}, c
    for seat in range(c["players"]):
        facing = int(state.seats[0, seat, FACING])
        faced = None
        if facing >= 0:
            square, port = divmod(facing, 8)
            faced = (square % size, square // size, PORTS[port])
        assert faced == oracle.faces(seat), c
        hand = state.seats[0, seat, HAND : HAND + HAND_SIZE].tolist()
        assert [tile for tile in hand if tile >= 0] == oracle.hands[seat], c
    if c["rules"] == "boxed":
        assert state.deck[0, : state.game[0, DECK_SIZE]].tolist() == oracle.deck, c
        dragon = int(state.game[0, DRAGON])
        assert (None if dragon < 0 else dragon) == oracle.dragon, c
    if oracle.phase == "turn":
        seat = oracle.to_move
        for action, expected in enumerate(oracle.outcomes()):
            if expected is not None:
                tile = int(state.seats[0, seat, HAND + action // 4])
                found = outcome(state, 0, seat, 4 * tile + action % 4)
                assert OUTCOMES[found] == expected, c
