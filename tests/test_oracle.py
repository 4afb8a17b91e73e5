"""The oracle by itself: what must hold in any game of Tsuro, whoever plays it."""

import random

import pytest

from tests.oracle import CONNECTIONS, TILES, OracleGame, boxed_spots, course_spots, on_board, walk

CHEATERS = ("illegal", "stuck")


def test_the_numbers_of_the_rules_come_out() -> None:
    ways = {tuple(sorted(connections.items())) for tile in CONNECTIONS for connections in tile}
    assert len(TILES) == 35
    assert len(ways) == 105
    assert len(course_spots(10)) == 208
    assert len(boxed_spots(6)) == 48


def test_a_walk_ends_in_one_of_three_ways() -> None:
    straight, back = (2, 0), (34, 0)
    assert walk((0, 0, "C"), {(0, 0): straight}, 4) == ("FINE", (0, 0, "C"))
    assert walk((0, 0, "C"), {(0, 0): straight, (1, 0): straight}, 4) == ("FINE", (1, 0, "C"))
    assert walk((3, 0, "C"), {(3, 0): straight}, 4) == ("EXIT", (3, 0, "C"))
    both = {(0, 0): back, (1, 0): back}
    assert walk((0, 0, "C"), both, 4)[0] == "LOOP"


def check(game: OracleGame) -> None:
    """What holds between any two answers."""
    legal = game.legal_actions()
    assert bool(legal) != game.finished
    assert all(0 <= action < game.num_actions for action in legal)
    for seat in range(game.num_players):
        faced = game.faces(seat)
        if faced is not None:
            assert not game.out[seat]
            assert on_board(*faced[:2], game.size)
            assert faced[:2] not in game.tiles
    if game.boxed:
        check_boxed(game)
    else:
        asked = () if game.finished else (game.to_move,)
        assert all(bool(hand) == (seat in asked) for seat, hand in enumerate(game.hands))


def check_boxed(game: OracleGame) -> None:
    held = [tile for hand in game.hands for tile in hand]
    placed = [index for index, _ in game.tiles.values()]
    assert sorted(game.deck + held + placed) == list(range(len(TILES)))
    assert "LOOP" not in game.outcomes()
    assert "stuck" not in game.out
    assert max(map(len, game.hands)) <= 3
    left = [seat for seat in range(game.num_players) if not game.out[seat]]
    if game.dragon is None:  # the dragon lies on the table only if nobody is short
        assert all(len(game.hands[seat]) == 3 for seat in left)
    else:
        assert game.dragon in left
        assert not game.deck


def check_end(game: OracleGame) -> None:
    assert set(game.ranks) - {0} == set(range(1, max(game.ranks) + 1))
    for why, rank in zip(game.out, game.ranks, strict=True):
        assert (rank == 0) == (why in CHEATERS)
        assert why or rank == 1
    left = game.out.count("")
    if left > 1:  # only the boxed game ends with several on the board, when no tile is left
        assert game.boxed
        assert not any(hand for seat, hand in enumerate(game.hands) if not game.out[seat])


@pytest.mark.parametrize("seed", range(160))
def test_games_keep_what_must_hold_until_their_end(seed: int) -> None:
    chance = random.Random(seed)
    game = OracleGame(
        ("course", "boxed")[seed % 2],
        chance.randint(4, 10),
        chance.randint(2, 8),
        seed,
        chance.choice(["agent", "random"]),
        chance.choice(["random", "cycle"]),
    )
    errors = chance.choice([0.0, 0.0, 0.05])
    check(game)
    while not game.finished:
        action = chance.choice(game.legal_actions())
        if chance.random() < errors:
            action = chance.randrange(-2, game.num_actions + 2)
        game.step(action)
        check(game)
    check_end(game)
