"""What holds of the engine whatever is played: found by random search over games and positions."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.parity import Configuration, batch_of, half_edge, tiles_of
from tsuro_env import GameBatch
from tsuro_env.engine.kernels import LOOPS, place_tile, walk
from tsuro_env.engine.state import (
    DECK_SIZE,
    FACING,
    HAND,
    NO_TILE,
    OUT,
    PHASE,
    TILE_ACTIONS,
    TURN,
    validate,
)
from tsuro_env.engine.tables import CONNECTIONS, NUM_TILES, OFF_BOARD, PORTS

checked = settings(deadline=None, database=None, derandomize=True, max_examples=150)

configurations = st.builds(
    Configuration,
    rules=st.sampled_from(["course", "boxed"]),
    size=st.integers(4, 12),
    players=st.integers(2, 8),
    setup=st.sampled_from(["agent", "random"]),
    supply=st.sampled_from(["random", "cycle"]),
    deals=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    seed=st.integers(0, 2**64 - 1),
    illegal=st.just(0.0),
).map(lambda c: c._replace(supply="deck") if c.rules == "boxed" else c)

choices = st.builds(
    lambda count, seed: np.random.default_rng(seed).integers(10**6, size=count).tolist(),
    st.integers(0, 70),
    st.integers(0, 2**32),
)


def new_game(c: Configuration, **options: Any) -> GameBatch:
    return batch_of(c, [c.seed], **options)


def pick(games: GameBatch, choice: int) -> int:
    """One of the legal actions, by any number."""
    legal = np.flatnonzero(games.legal_actions()[0])
    return int(legal[choice % len(legal)])


def position(c: Configuration, played: list[int]) -> GameBatch:
    """A game after some legal actions; it goes on with the next one when it ends."""
    games = new_game(c)
    for choice in played:
        games.step([pick(games, choice)])
    return games


# -------------------------------------------------------------------------------------------- paths


@given(configurations, choices)
@checked
def test_links_are_symmetric_and_lead_between_empty_squares(
    c: Configuration, played: list[int]
) -> None:
    games = position(c, played)
    validate(games.state, games.variant)


@given(configurations, choices, st.integers(0, 10**6), st.integers(0, 139))
@checked
def test_walking_back_undoes_walking(
    c: Configuration, played: list[int], where: int, orientation: int
) -> None:
    state = position(c, played).state
    empty = np.flatnonzero(np.repeat(state.tiles[0] == NO_TILE, 8))
    entry = int(empty[where % len(empty)])
    end = walk(state, 0, entry, orientation, 4)
    # Where the path that enters here comes from; it may have crossed this very square before.
    origin = int(state.links[0, entry])
    if origin >> 3 == entry >> 3:
        origin = walk(state, 0, origin, orientation, 4)
    place_tile(state, 0, entry >> 3, orientation)
    assert (end == LOOPS) == (origin == LOOPS)
    if end >= 0:
        assert state.links[0, end] == origin
    if origin >= 0:
        assert state.links[0, origin] == end


@given(configurations, choices, st.integers(0, 10**6), st.integers(0, 139))
@checked
def test_a_walk_ends_where_steps_from_port_to_port_end(
    c: Configuration, played: list[int], where: int, orientation: int
) -> None:
    games = position(c, played)
    state, links = games.state, games.variant.fresh_links
    empty = np.flatnonzero(np.repeat(state.tiles[0] == NO_TILE, 8))
    entry = int(empty[where % len(empty)])
    tiles = state.tiles[0].copy()
    tiles[entry >> 3] = orientation
    at, steps = entry, 0
    while at != OFF_BOARD and tiles[at >> 3] != NO_TILE and steps <= 8 * tiles.size:
        port = int(CONNECTIONS[tiles[at >> 3], at & 7])
        at, steps = int(links[8 * (at >> 3) + port]), steps + 1
    expected = LOOPS if steps > 8 * tiles.size else at
    assert walk(state, 0, entry, orientation, 4) == expected


@given(configurations, st.randoms(use_true_random=False))
@checked
def test_tiles_may_be_laid_in_any_order(c: Configuration, random: Any) -> None:
    squares = list(range(c.size * c.size))
    random.shuffle(squares)
    laid = [(square, random.randrange(140)) for square in squares[: len(squares) // 2]]
    boards = []
    for order in (laid, laid[::-1], sorted(laid)):
        state = GameBatch(1, batch_of(c, [0]).rules, 2).state
        for square, orientation in order:
            place_tile(state, 0, square, orientation)
        alive = np.repeat(state.tiles[0] == NO_TILE, 8)
        boards.append((state.tiles[0].tolist(), state.links[0, alive].tolist()))
    assert boards[0] == boards[1] == boards[2]


# ---------------------------------------------------------------------------------------- the games


@given(configurations, choices)
@checked
def test_there_is_always_something_legal_to_do(c: Configuration, played: list[int]) -> None:
    games = new_game(c)
    for choice in played:
        mask = games.legal_actions()[0]
        assert mask.any()
        start = games.state.game[0, PHASE] == 0
        assert not mask[:TILE_ACTIONS].any() if start else not mask[TILE_ACTIONS:].any()
        games.step([pick(games, choice)])
    assert games.legal_actions().any()


@given(configurations, choices, st.integers(-5, 700))
@checked
def test_any_number_is_an_answer_and_only_the_one_who_gave_it_suffers(
    c: Configuration, played: list[int], action: int
) -> None:
    games = position(c, played)
    legal = games.legal_actions()[0]
    if 0 <= action < len(legal) and legal[action]:
        return
    games.restart = False
    seat, before = int(games.to_move[0]), games.state.seats[0, :, OUT].copy()
    tiles = games.state.tiles.copy()
    games.step([action])
    after = games.state.seats[0, :, OUT]
    assert after[seat] == 4  # illegal
    assert (games.state.tiles == tiles).all() or c.setup == "random"
    newly_out = np.flatnonzero((before == 0) & (after != 0))
    assert all(other == seat or after[other] == 3 for other in newly_out)  # stuck at once


@given(configurations, choices)
@checked
def test_in_boxed_no_tile_is_ever_lost_or_doubled(c: Configuration, played: list[int]) -> None:
    games = new_game(c._replace(rules="boxed", supply="deck"))
    for number, choice in enumerate(played):
        state = games.state
        placed = [index for index, _ in tiles_of(games, 0).values()]
        held = [tile for tile in state.seats[0, :, HAND:].ravel().tolist() if tile >= 0]
        deck = state.deck[0, : state.game[0, DECK_SIZE]].tolist()
        assert sorted(placed + held + deck) == list(range(NUM_TILES))
        games.step([-1 if number % 17 == 16 else pick(games, choice)])


# ---------------------------------------------------------------------------------------- turning


def turned_square(square: tuple[int, int], size: int) -> tuple[int, int]:
    """Where a square comes to lie when the board is turned clockwise."""
    x, y = square
    return size - 1 - y, x


def turned_port(port: str) -> str:
    return PORTS[(PORTS.index(port) + 2) % 8]


def turned_action(action: int, games: GameBatch) -> int:
    """The same action as it is seen on the turned board."""
    if action < TILE_ACTIONS:
        return action // 4 * 4 + (action + 1) % 4
    size = games.rules.board_size
    spots = [half_edge(spot, size) for spot in games.variant.spots.tolist()]
    place = spots[action - TILE_ACTIONS]
    assert place is not None
    x, y, port = place
    return TILE_ACTIONS + spots.index((*turned_square((x, y), size), turned_port(port)))


@given(configurations, choices)
@checked
def test_a_turned_game_has_the_turned_outcome(c: Configuration, played: list[int]) -> None:
    c = c._replace(setup="agent")
    games, turned = new_game(c, restart=False), new_game(c, restart=False)
    for choice in played:
        if games.to_move[0] < 0:
            break
        legal = np.flatnonzero(games.legal_actions()[0]).tolist()
        image = sorted(turned_action(action, games) for action in legal)
        assert image == np.flatnonzero(turned.legal_actions()[0]).tolist()
        action = legal[choice % len(legal)]
        games.step([action])
        turned.step([turned_action(action, games)])
        assert (games.to_move == turned.to_move).all()
        assert (games.ranks == turned.ranks).all()
        assert (games.state.seats[0, :, OUT] == turned.state.seats[0, :, OUT]).all()
    assert turned_tiles(games) == same_looks(turned)
    for mine, other in zip(games.state.seats[0], turned.state.seats[0], strict=True):
        here, there = half_edge(int(mine[FACING]), c.size), half_edge(int(other[FACING]), c.size)
        if here is None:
            assert there is None
        else:
            x, y, port = here
            assert there == (*turned_square((x, y), c.size), turned_port(port))


def turned_tiles(games: GameBatch) -> dict[tuple[int, int], bytes]:
    size = games.rules.board_size
    return {
        turned_square(square, size): CONNECTIONS[4 * index + (rotation + 1) % 4].tobytes()
        for square, (index, rotation) in tiles_of(games, 0).items()
    }


def same_looks(games: GameBatch) -> dict[tuple[int, int], bytes]:
    return {
        square: CONNECTIONS[4 * index + rotation].tobytes()
        for square, (index, rotation) in tiles_of(games, 0).items()
    }


@given(configurations, choices)
@checked
def test_a_turn_is_asked_of_somebody_who_is_in_and_holds_a_tile(
    c: Configuration, played: list[int]
) -> None:
    games = position(c, played)
    state, seat = games.state, int(games.to_move[0])
    assert state.seats[0, seat, OUT] == 0
    assert state.seats[0, seat, HAND] >= 0
    if state.game[0, PHASE] == TURN:
        assert state.seats[0, seat, FACING] >= 0
