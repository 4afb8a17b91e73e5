"""A game that is turned or mirrored is the same game."""

import numpy as np
import pytest

from tests.oracle import CONNECTIONS
from tests.parity import batch_of, random_configuration
from tsuro_env import GameBatch, Rules, Tile, TsuroError, tsuro_v0
from tsuro_env.engine.state import FACING, HAND, LEGAL, NO_TILE, NOTHING, PHASE, SPOT, TO_MOVE
from tsuro_env.engine.tables import PLAINEST, PORTS
from tsuro_env.symmetries import (
    NUM_SYMMETRIES,
    action_order,
    hands_of,
    inverse,
    orientation_table,
    port_table,
    spot_table,
    square_table,
    tile_table,
    transform_actions,
    transform_masks,
    transform_planes,
)

ALL = range(NUM_SYMMETRIES)
QUARTER, MIRROR = 1, 4


def test_a_quarter_turn_moves_every_letter_by_two_and_a_mirror_swaps_them():
    assert "".join(PORTS[port] for port in port_table(QUARTER)) == "CDEFGHAB"
    assert "".join(PORTS[port] for port in port_table(MIRROR)) == "BAHGFEDC"


def test_a_quarter_turn_takes_the_top_left_corner_to_the_top_right_one():
    top_left, top_right, bottom_right = 0, 3, 15
    assert square_table(QUARTER, 4)[[top_left, top_right]].tolist() == [top_right, bottom_right]
    assert square_table(MIRROR, 4)[[top_left, top_right]].tolist() == [top_right, top_left]


@pytest.mark.parametrize("symmetry", ALL)
def test_a_tile_becomes_the_tile_whose_connections_are_moved(symmetry):
    moved = dict(zip(PORTS, (PORTS[port] for port in port_table(symmetry)), strict=True))
    for orientation, image in enumerate(orientation_table(symmetry).tolist()):
        before = CONNECTIONS[orientation // 4][orientation % 4]
        after = CONNECTIONS[image // 4][image % 4]
        assert after == {moved[one]: moved[other] for one, other in before.items()}
        assert image // 4 == tile_table(symmetry)[orientation // 4]


@pytest.mark.parametrize("symmetry", ALL)
def test_the_inverse_undoes_every_table(symmetry):
    back = inverse(symmetry)
    for rules in (Rules.course(), Rules.boxed(), Rules.course(board_size=5)):
        for table, undo in (
            (port_table(symmetry), port_table(back)),
            (square_table(symmetry, rules.board_size), square_table(back, rules.board_size)),
            (orientation_table(symmetry), orientation_table(back)),
            (tile_table(symmetry), tile_table(back)),
            (spot_table(symmetry, rules), spot_table(back, rules)),
        ):
            np.testing.assert_array_equal(undo[table], np.arange(len(table)))


def test_the_eight_symmetries_differ():
    assert len({square_table(symmetry, 4).tobytes() for symmetry in ALL}) == NUM_SYMMETRIES


@pytest.mark.parametrize("symmetry", [-1, 8, 1.0, None, True])
def test_there_is_no_other_symmetry(symmetry):
    with pytest.raises(TsuroError, match="from 0 to 7"):
        port_table(symmetry)


def image_of(games: GameBatch, symmetry: int) -> GameBatch:
    """The same games, seen that way: every field of the state by its own table."""
    image = games.copy()
    old, new, size = games.state, image.state, games.rules.board_size
    squares, tiles = square_table(symmetry, size), tile_table(symmetry)
    half_edges = (8 * squares[:, np.newaxis] + port_table(symmetry)).ravel()
    orientations = PLAINEST[orientation_table(symmetry)]

    new.links[:, half_edges] = np.where(old.links < 0, old.links, half_edges[old.links])
    covered = old.tiles != NO_TILE
    new.tiles[:, squares] = np.where(
        covered, orientations[np.where(covered, old.tiles, 0)], NO_TILE
    )
    facing, hands = old.seats[:, :, FACING], old.seats[:, :, HAND:]
    new.seats[:, :, FACING] = np.where(facing < 0, facing, half_edges[facing])
    new.seats[:, :, HAND:] = np.where(hands < 0, hands, tiles[hands])
    spots = old.game[:, SPOT]
    new.game[:, SPOT] = np.where(spots < 0, spots, spot_table(symmetry, games.rules)[spots])
    new.deck[:] = tiles[old.deck]

    asked = np.maximum(old.game[:, TO_MOVE], 0)
    order = action_order(symmetry, games.rules, hands[np.arange(games.num_games), asked])
    bits = old.game[:, LEGAL, np.newaxis] >> np.arange(12) & 1
    new.game[:, LEGAL] = (transform_masks(bits, order[:, :12]) << np.arange(12)).sum(axis=1)
    return image


def hands_to_move(games: GameBatch) -> np.ndarray:
    asked = np.maximum(games.to_move, 0)
    return games.state.seats[np.arange(games.num_games), asked, HAND:]


@pytest.mark.parametrize("seed", range(12))
def test_a_transformed_position_has_the_transformed_observation_and_mask(seed):
    random = np.random.default_rng(seed)
    games = batch_of(random_configuration(random), random.integers(2**63, size=8).tolist())
    for _ in range(int(random.integers(60))):
        games.step(games.random_actions())
    planes, masks = games.observe(), games.legal_actions()
    np.testing.assert_array_equal(hands_of(planes), hands_to_move(games))
    for symmetry in ALL:
        image = image_of(games, symmetry)
        np.testing.assert_array_equal(transform_planes(planes, symmetry), image.observe())
        order = action_order(symmetry, games.rules, hands_of(planes))
        np.testing.assert_array_equal(transform_masks(masks, order), image.legal_actions())


@pytest.mark.parametrize("symmetry", ALL)
@pytest.mark.parametrize("players", [2, 5, 8])
def test_a_transformed_game_from_a_deck_plays_the_same(symmetry, players):
    games = GameBatch(20, "boxed", players, seed=players, restart=False)
    image = image_of(games, symmetry)
    ended = 0
    while ended < 20:
        actions = games.random_actions()
        order = action_order(symmetry, games.rules, hands_to_move(games))
        games.step(actions)
        image.step(transform_actions(actions, order))
        expected = image_of(games, symmetry).state
        empty = np.repeat(expected.tiles == NO_TILE, 8, axis=1)
        np.testing.assert_array_equal(expected.links[empty], image.state.links[empty])
        for mine, theirs in zip(expected[1:], image.state[1:], strict=True):
            np.testing.assert_array_equal(mine, theirs)
        np.testing.assert_array_equal(games.rewards, image.rewards)
        ended += games.finished.sum()


@pytest.mark.parametrize("symmetry", ALL)
@pytest.mark.parametrize("seed", range(4))
def test_a_transformed_game_of_given_tiles_plays_the_same(symmetry, seed):
    random = np.random.default_rng(seed)
    supply = random.integers(35, size=1000)
    rules = Rules.course(board_size=int(random.integers(4, 11)))
    game = tsuro_v0.env(rules, 4, tiles=[Tile(i) for i in supply.tolist()])
    tiles = [Tile(i) for i in tile_table(symmetry)[supply].tolist()]
    image = tsuro_v0.env(rules, 4, tiles=tiles)
    game.reset(seed=0)
    image.reset(seed=1)  # another seed: with tiles of one's own it decides nothing
    for _ in game.agent_iter():
        mine, *rest, _ = game.last()
        theirs, *rest_of_image, _ = image.last()
        assert rest == rest_of_image
        planes = mine["observation"][np.newaxis]
        expected = transform_planes(planes, symmetry)[0]
        np.testing.assert_array_equal(expected, theirs["observation"])
        if rest[1]:
            game.step(None)
            image.step(None)
            continue
        order = action_order(symmetry, rules, hands_of(planes))
        mask = transform_masks(mine["action_mask"][np.newaxis], order)[0]
        np.testing.assert_array_equal(mask, theirs["action_mask"])
        action = random.choice(np.flatnonzero(mine["action_mask"]), size=1)
        game.step(action[0])
        image.step(transform_actions(action, order)[0])


def test_two_transformations_make_a_third():
    games = GameBatch(30, seed=5)
    for _ in range(20):
        games.step(games.random_actions())
    planes = games.observe()
    turned = transform_planes(transform_planes(planes, QUARTER), QUARTER)
    np.testing.assert_array_equal(turned, transform_planes(planes, 2))
    mirrored = transform_planes(transform_planes(planes, MIRROR), QUARTER)
    np.testing.assert_array_equal(mirrored, transform_planes(planes, MIRROR + QUARTER))
    for symmetry in ALL:
        back = transform_planes(transform_planes(planes, symmetry), inverse(symmetry))
        np.testing.assert_array_equal(back, planes)


def test_a_hand_without_tiles_is_read_as_none():
    games = GameBatch(5, setup="random", seed=1)
    waiting = (games.to_move + 1) % 4
    assert (games.state.game[:, PHASE] == 2).all()
    assert (hands_of(games.observe(viewers=waiting)) == NOTHING).all()
