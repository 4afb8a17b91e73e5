"""The `options` observation says of every position what its definition says."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from tests.options_oracle import FEATURES, Board, View, expected_best
from tests.oracle import CONNECTIONS, OracleGame, course_spots
from tests.parity import Configuration, batch_of, oracle_of, random_action
from tsuro_env import GameBatch
from tsuro_env.encodings import ENCODINGS
from tsuro_env.engine import options
from tsuro_env.engine.state import HAND, HAND_SIZE, NOTHING

TILE_ACTIONS = 12
TOLERANCE = 1e-5
PAGE = Path(__file__).parent.parent / "docs" / "environments" / "observations.md"


def course(
    size: int, players: int, deals: tuple[int, int] = (3, 2), illegal: float = 0.0
) -> Configuration:
    return Configuration("course", size, players, "agent", "random", deals, 0, illegal)


def boxed(size: int, players: int) -> Configuration:
    return Configuration("boxed", size, players, "agent", "deck", (3, 2), 0, 0.0)


CONFIGURATIONS = [
    *(course(6, players) for players in range(2, 6)),
    *(course(10, players) for players in range(2, 6)),
    *(boxed(6, players) for players in range(2, 6)),
    course(5, 6),  # so crowded that avatars make each other loop
    course(6, 8, deals=(2, 1), illegal=0.03),
    course(5, 3, deals=(3, 3)),
    boxed(4, 8),  # eleven tiles to draw: the deck is soon empty
    boxed(8, 3),
]
NAMES = [f"{c.rules}-{c.size}-{c.players}-{c.deals[1]}" for c in CONFIGURATIONS]
GAMES = 3
SHARE = 0.4
"""Of the positions of a game: neighbours are much alike, and the oracle is slow."""

LOOKS_ALIKE = np.array([[[a == b for b in turns] for a in turns] for turns in CONNECTIONS])
"""(35, 4, 4): whether two rotations of a tile are the same."""


def positions(c: Configuration, share: float) -> Iterator[tuple[GameBatch, OracleGame]]:
    """A share of a game's positions on engine and oracle, and all those with loops."""
    random = np.random.default_rng(c.seed)
    games = batch_of(c, [c.seed], restart=False, observation="options")
    oracle = oracle_of(c, c.seed)
    while True:
        # Loops are too rare to be left to chance.
        if random.random() < share or oracle.finished or "LOOP" in oracle.outcomes():
            yield games, oracle
        if oracle.finished:
            return
        action = random_action(oracle, c, random)
        oracle.step(action)
        games.step([action])


def seen_by_all(games: GameBatch) -> np.ndarray:
    """(seats, length): what everybody sees of the first game."""
    seats = np.arange(games.num_players)
    return games.observe(np.zeros_like(seats), seats)


def rows_of(seen: np.ndarray) -> np.ndarray:
    """(..., 12, 25): the part of observations that is about tile actions."""
    length = TILE_ACTIONS * len(FEATURES)
    return seen[..., :length].reshape(*seen.shape[:-1], TILE_ACTIONS, len(FEATURES))


def compare(games: GameBatch, oracle: OracleGame, where: str) -> None:
    """Every number of what everybody sees."""
    now = Board(oracle.size, oracle.tiles)
    for viewer, seen in enumerate(seen_by_all(games)):
        view = View(oracle, viewer, now)
        told = f"{where}, seen by {viewer}"
        for action, row in enumerate(rows_of(seen)):
            compare_numbers(view.row(action), row, f"action {action}, {told}")
        compare_numbers(view.whole(), seen[TILE_ACTIONS * len(FEATURES) :], told)


def compare_numbers(expected: dict[str, float], found: np.ndarray, told: str) -> None:
    assert len(expected) == len(found), told
    for (name, number), other in zip(expected.items(), found.tolist(), strict=True):
        assert abs(number - other) <= TOLERANCE, f"{name}: {number}, not {other}: {told}"


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("c", CONFIGURATIONS, ids=NAMES)
def test_every_number_is_what_its_definition_says(c: Configuration, seed: int) -> None:
    c = c._replace(seed=seed)
    for number, (games, oracle) in enumerate(positions(c, SHARE)):
        compare(games, oracle, f"position {number} ({oracle.phase}) of {c}")


def test_everything_that_can_be_said_is_said_of_the_positions_compared() -> None:
    said: Counter[str] = Counter()
    for c, seed in product(CONFIGURATIONS, range(GAMES)):
        for games, oracle in positions(c._replace(seed=seed), SHARE):
            rows = rows_of(seen_by_all(games)).reshape(-1, len(FEATURES))
            said.update(dict(zip(FEATURES, (rows > 0).sum(axis=0).tolist(), strict=True)))
            said[f"{c.rules} {oracle.phase}"] += 1
            loops, lives = FEATURES.index("loops"), FEATURES.index("lives")
            said["only others loop"] += int((rows[:, loops] * rows[:, lives]).sum())
            said["empty deck"] += c.rules == "boxed" and not oracle.deck
    signs = ["course start", "course first_tile", "course turn", "boxed start", "boxed turn"]
    for sign in [*FEATURES, *signs, "only others loop", "empty deck"]:
        assert said[sign] >= 3, (sign, said)


def test_the_first_player_has_the_whole_board_to_itself() -> None:
    """A position so simple that its numbers can be told without an oracle."""
    games = batch_of(course(10, 3), [5], observation="options")
    games.step([TILE_ACTIONS + course_spots(10).index((2, 0, "E"))])  # to face (2, 1)
    row = dict(zip(FEATURES, rows_of(games.observe())[0, 0].tolist(), strict=True))
    certain = {name for name, number in row.items() if number == 1}
    assert certain >= {"present", "legal", "lives", "territory"}
    assert row["saved"] > 33.5 / 35  # of all tiles only AB CD EF GH can do no better than go back
    alone = "crowd near following company threat kills pressed weakest outlasting spread"
    assert not any(row[name] for name in alone.split())
    assert row["reach"] == pytest.approx(99 / 100)
    assert row["room"] == pytest.approx(20 / 25)
    assert row["margin"] == pytest.approx(1 / 5)


# ------------------------------------------------------------------------------ what rows look like


def seen_in_long_games(c: Configuration) -> Iterator[tuple[GameBatch, np.ndarray]]:
    """(games x seats, length): what everybody sees in many games at once, played by the engine."""
    games = batch_of(c, list(range(20)), observation="options")
    rows = np.repeat(np.arange(games.num_games), games.num_players)
    seats = np.tile(np.arange(games.num_players), games.num_games)
    for _ in range(60):
        yield games, games.observe(rows, seats)
        games.step(games.random_actions())


@pytest.mark.parametrize("c", CONFIGURATIONS, ids=NAMES)
def test_all_numbers_lie_between_zero_and_one(c: Configuration) -> None:
    for _, seen in seen_in_long_games(c):
        assert np.isfinite(seen).all()
        assert seen.min() >= 0
        assert seen.max() <= 1


@pytest.mark.parametrize("c", CONFIGURATIONS, ids=NAMES)
def test_slots_without_a_tile_have_rows_of_zeros_and_others_have_not(c: Configuration) -> None:
    for games, seen in seen_in_long_games(c):
        hands = games.state.seats[:, :, HAND : HAND + HAND_SIZE].reshape(-1)
        rows = rows_of(seen).reshape(len(hands), -1)
        assert (rows.any(axis=1) == (hands != NOTHING)).all()
        present = rows_of(seen)[..., FEATURES.index("present")].reshape(len(hands), 4)
        assert (present == (hands != NOTHING)[:, None]).all()


@pytest.mark.parametrize("c", CONFIGURATIONS, ids=NAMES)
def test_rotations_that_look_the_same_have_the_same_row(c: Configuration) -> None:
    for games, seen in seen_in_long_games(c):
        hands = games.state.seats[:, :, HAND : HAND + HAND_SIZE].reshape(-1)
        rows = rows_of(seen).reshape(len(hands), 4, len(FEATURES))
        for one, other in combinations(range(4), 2):
            alike = (hands != NOTHING) & LOOKS_ALIKE[hands, one, other]
            np.testing.assert_array_equal(rows[alike, one], rows[alike, other])


# ---------------------------------------------------------------------------------- what is written


def test_the_docstring_and_the_page_name_all_features_in_order() -> None:
    numbered = list(enumerate(FEATURES))
    lines = re.findall(r"^ +(\d+)  (\w+) ", options.__doc__, re.MULTILINE)
    assert [(int(number), name) for number, name in lines] == numbered
    cells = re.findall(r"^\| (\d+) \| (\w+) \|", PAGE.read_text(), re.MULTILINE)
    assert [(int(number), name) for number, name in cells] == numbered


def test_the_page_says_which_version_it_describes() -> None:
    assert f"## `options` (version {ENCODINGS['options'].version})" in PAGE.read_text()


def test_the_expected_best_tile_is_the_mean_over_all_hands() -> None:
    """The oracle's one formula that is not plain counting, by counting."""
    random = np.random.default_rng(0)
    for dealt, known in ((0, [3]), (1, []), (1, [3, 30]), (2, []), (2, [7])):
        worth = random.integers(4, size=35) / 3
        hands = [[*known, *hand] for hand in product(range(35), repeat=dealt)]
        counted = np.mean([max(worth[tile] for tile in hand) for hand in hands])
        assert expected_best(lambda tile, w=worth: w[tile], known, dealt) == pytest.approx(counted)
