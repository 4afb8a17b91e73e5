"""Plays games on the engine and on the oracle side by side; the first difference is an error."""

from typing import Any, NamedTuple

import numpy as np

from tests.oracle import CONNECTIONS, OracleGame, next_seed
from tsuro_env import GameBatch, Rules
from tsuro_env.engine.kernels import outcome
from tsuro_env.engine.state import (
    DECK_SIZE,
    DRAGON,
    FACING,
    HAND,
    HAND_SIZE,
    NO_TILE,
    OUT,
    OUT_REASONS,
    PHASE,
    PHASES,
    TO_MOVE,
)
from tsuro_env.engine.tables import PORTS

OUTCOMES = ("FINE", "EXIT", "LOOP")
SIZES = (4, 4, 5, 5, 6, 6, 7, 8, 10, 10, 13, 24)
"""Small boards more often: their games are short, and full of collisions and loops."""


class Configuration(NamedTuple):
    """Everything that a game depends on, but the actions."""

    rules: str
    size: int
    players: int
    setup: str
    supply: str
    deals: tuple[int, int]
    seed: int
    illegal: float
    """How often a player answers with any number at all."""


def random_configuration(random: np.random.Generator) -> Configuration:
    rules = ("course", "boxed")[random.integers(2)]
    course = rules == "course"
    other_deals = course and random.random() < 0.2
    return Configuration(
        rules=rules,
        size=int(random.choice(SIZES)),
        players=int(random.integers(2, 9)),
        setup=("agent", "random")[random.integers(2)],
        supply=("random", "cycle")[random.integers(2)] if course else "deck",
        deals=(int(random.integers(1, 4)), int(random.integers(1, 4))) if other_deals else (3, 2),
        seed=int(random.integers(2**63)),
        illegal=0.03 if random.random() < 0.2 else 0.0,
    )


def rules_of(c: Configuration) -> Rules:
    if c.rules == "boxed":
        return Rules.boxed(c.size)
    return Rules.course(c.size, *c.deals)


def batch_of(c: Configuration, seeds: list[int], **options: Any) -> GameBatch:
    own_seeds = np.array(seeds, dtype=np.uint64)
    return GameBatch(
        len(seeds), rules_of(c), c.players, c.setup, own_seeds, supply=c.supply, **options
    )


def oracle_of(c: Configuration, seed: int) -> OracleGame:
    """The game of a seed, or of the next ones if it is decided before anybody is asked."""
    while True:
        game = OracleGame(c.rules, c.size, c.players, seed, c.setup, c.supply, c.deals)
        if not game.finished:
            return game
        seed = next_seed(seed)


def compare_game(c: Configuration, random: np.random.Generator) -> OracleGame:
    """Play one game on both with the same actions, comparing after each; the finished oracle."""
    games = batch_of(c, [c.seed], restart=False)
    oracle = oracle_of(c, c.seed)
    while not oracle.finished:
        compare_positions(games, 0, oracle, c)
        action = random_action(oracle, c, random)
        oracle.step(action)
        games.step([action])
    compare_results(games, 0, oracle, c)
    return oracle


def random_action(oracle: OracleGame, c: Configuration, random: np.random.Generator) -> int:
    if c.illegal and random.random() < c.illegal:
        return int(random.integers(-2, oracle.num_actions + 2))
    legal = oracle.legal_actions()
    return legal[int(random.random() * len(legal))]


def compare_results(games: GameBatch, game: int, oracle: OracleGame, c: Configuration) -> None:
    assert games.finished[game], c
    assert games.ranks[game].tolist() == oracle.ranks, c
    assert [OUT_REASONS[code] for code in games.out[game]] == oracle.out, c


def compare_positions(games: GameBatch, game: int, oracle: OracleGame, c: Configuration) -> None:
    """Whose turn, masks, tiles, avatars, hands, deck, who is out, each option's outcome."""
    state = games.state
    assert PHASES[state.game[game, PHASE]] == oracle.phase, c
    assert state.game[game, TO_MOVE] == oracle.to_move, c
    mask = games.legal_actions(np.array([game]))[0]
    assert np.flatnonzero(mask).tolist() == oracle.legal_actions(), c
    assert tiles_of(games, game) == {at: plainest(*tile) for at, tile in oracle.tiles.items()}, c
    seats = state.seats[game].tolist()
    for seat, columns in enumerate(seats):
        assert half_edge(columns[FACING], c.size) == oracle.faces(seat), c
        assert OUT_REASONS[columns[OUT]] == oracle.out[seat], c
        hand = columns[HAND : HAND + HAND_SIZE]
        assert [tile for tile in hand if tile >= 0] == oracle.hands[seat], c
    if c.rules == "boxed":
        assert state.deck[game, : state.game[game, DECK_SIZE]].tolist() == oracle.deck, c
        dragon = int(state.game[game, DRAGON])
        assert (None if dragon < 0 else dragon) == oracle.dragon, c
    if oracle.phase == "turn":
        for action, expected in enumerate(oracle.outcomes()):
            if expected is not None:
                tile = seats[oracle.to_move][HAND + action // 4]
                found = outcome(state, game, oracle.to_move, 4 * tile + action % 4)
                assert OUTCOMES[found] == expected, c


def tiles_of(games: GameBatch, game: int) -> dict[tuple[int, int], tuple[int, int]]:
    row, size = games.state.tiles[game], games.rules.board_size
    return {
        (s % size, s // size): divmod(int(row[s]), 4)
        for s in np.flatnonzero(row != NO_TILE).tolist()
    }


def half_edge(number: int, size: int) -> tuple[int, int, str] | None:
    if number < 0:
        return None
    square, port = divmod(number, 8)
    return square % size, square // size, PORTS[port]


def plainest(index: int, rotation: int) -> tuple[int, int]:
    """The tile with the smallest rotation that looks the same."""
    turned = CONNECTIONS[index]
    return index, turned.index(turned[rotation])


def signs(oracle: OracleGame) -> list[str]:
    """What a finished game had in it."""
    rules = "boxed" if oracle.boxed else "course"
    found = [f"{rules} {why or 'left'}" for why in set(oracle.out)]
    if oracle.ranks.count(1) > 1:
        found.append(f"{rules} joint winners")
    if not any(oracle.ranks):
        found.append(f"{rules} no winner")
    if oracle.dragon is not None:
        found.append("dragon held")
    if len(oracle.tiles) == 35 and oracle.boxed:
        found.append("all tiles placed")
    return found
