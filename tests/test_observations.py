"""The observations show all that a player sees, from the player's own side, and nothing else."""

from typing import Any

import numpy as np
import pytest

from tests.oracle import OracleGame, across
from tests.parity import Configuration, batch_of, oracle_of, plainest, random_configuration
from tsuro_env import GameBatch, Rules, Tile, TsuroError
from tsuro_env.encodings import ENCODINGS
from tsuro_env.engine.planes import PAIRS, channels, num_channels
from tsuro_env.engine.state import (
    DECK_SIZE,
    DRAGON,
    HAND,
    HAND_SIZE,
    LEGAL,
    NOTHING,
    PHASE,
    SPOT,
    TO_MOVE,
    TURN,
)
from tsuro_env.engine.tables import CONNECTIONS
from tsuro_env.planes_decoder import decode, players_of


def expected_view(oracle: OracleGame, viewer: int) -> dict[str, Any]:
    """What `decode` shall find, by an oracle that knows nothing of observations."""
    seats = [(viewer + k) % oracle.num_players for k in range(oracle.num_players)]
    asked = not oracle.finished and oracle.to_move == viewer
    facing = [oracle.faces(seat) for seat in seats]
    place = facing[0][:2] if facing[0] else None
    if asked and oracle.phase == "first_tile":
        assert oracle.chosen is not None
        place = oracle.chosen[:2]
        facing[0] = across(oracle.chosen)
    hand = tuple(Tile(index) for index in oracle.hands[viewer])
    return {
        "tiles": {square: _tile(*tile) for square, tile in oracle.tiles.items()},
        "facing": tuple(facing),
        "hand": hand,
        "place": place if hand else None,
        "inside": tuple(not oracle.out[seat] for seat in seats),
        "holds": tuple(len(oracle.hands[seat]) for seat in seats),
        "dragon": None if oracle.dragon is None else seats.index(oracle.dragon),
        "turn": None if oracle.finished else seats.index(oracle.to_move),
        "phase": "over" if oracle.finished else oracle.phase,
    }


def _tile(index: int, rotation: int) -> Tile:
    index, rotation = plainest(index, rotation)
    return Tile(index, 90 * rotation)


@pytest.mark.parametrize("seed", range(40))
def test_the_planes_decode_to_what_every_player_of_a_game_sees(seed):
    random = np.random.default_rng(seed)
    configuration = random_configuration(random)
    oracle = oracle_of(configuration, configuration.seed)
    games = batch_of(configuration, [configuration.seed], restart=False)
    every_seat = np.arange(configuration.players)
    while True:
        rows = np.zeros(configuration.players, dtype=np.int64)
        for viewer, planes in enumerate(games.observe(rows, every_seat)):
            assert vars(decode(planes)) == expected_view(oracle, viewer), configuration
        if oracle.finished:
            return
        action = int(random.choice(oracle.legal_actions()))
        oracle.step(action)
        games.step([action])


def test_every_orientation_has_planes_of_its_own_look():
    looks = {(tuple(PAIRS[o]), CONNECTIONS[o].tobytes()) for o in range(len(PAIRS))}
    assert len(looks) == len({pairs for pairs, _ in looks}) == 105


@pytest.mark.parametrize("players", range(2, 9))
def test_the_channels_of_the_planes_follow_each_other_without_gaps(players):
    at = channels(players)
    assert at.total == num_channels(players) == 116 + 12 * players
    sizes = np.diff([*at])
    assert sizes.tolist() == [28, 8 * players, 84, players, players, players, players, 4]


@pytest.mark.parametrize("shape", [(164,), (10, 10), (7, 10, 10)])
def test_an_array_that_is_no_planes_is_refused(shape):
    with pytest.raises(TsuroError, match="no planes"):
        players_of(np.zeros(shape))


def positions(
    c: Configuration, random: np.random.Generator, steps: int, observation: str
) -> GameBatch:
    """Games of a configuration after some random moves."""
    seeds = random.integers(2**63, size=16).tolist()
    games = batch_of(c, seeds, restart=False, observation=observation)
    for _ in range(steps):
        games.step(games.random_actions())
    return games


def views(games: GameBatch) -> np.ndarray:
    """(games x seats, ...): what everybody sees."""
    rows = np.repeat(np.arange(games.num_games), games.num_players)
    return games.observe(rows, np.tile(np.arange(games.num_players), games.num_games))


def change_what_is_hidden(games: GameBatch, viewer: int, random: np.random.Generator) -> None:
    """Others' tiles, the deck's order, chance to come, and what others are thinking of."""
    state = games.state
    for game in range(games.num_games):
        for seat in range(games.num_players):
            if seat == viewer:
                continue
            for slot in range(HAND, HAND + HAND_SIZE):
                if state.seats[game, seat, slot] != NOTHING:
                    state.seats[game, seat, slot] = random.integers(35)
        random.shuffle(state.deck[game, : state.game[game, DECK_SIZE]])
        if state.game[game, TO_MOVE] != viewer:
            state.game[game, LEGAL] = random.integers(1, 2**12)
            if state.game[game, SPOT] != NOTHING:
                state.game[game, SPOT] = random.integers(len(games.variant.spots))
    state.chance[:] = random.integers(2**63, size=state.chance.shape)


@pytest.mark.parametrize("observation", list(ENCODINGS))
@pytest.mark.parametrize("seed", range(20))
def test_nothing_that_is_hidden_changes_an_observation(observation, seed):
    random = np.random.default_rng(seed)
    games = positions(random_configuration(random), random, 40 * seed // 20, observation)
    for viewer in range(games.num_players):
        changed = games.copy()
        change_what_is_hidden(changed, viewer, random)
        seen = slice(viewer, None, games.num_players)
        np.testing.assert_array_equal(views(games)[seen], views(changed)[seen])


def test_hidden_hands_do_differ_in_the_information_hiding_test():
    random = np.random.default_rng(3)
    configuration = Configuration("boxed", 6, 4, "random", "deck", (3, 2), 5, 0.0)
    games = positions(configuration, random, 4, "planes")
    changed = games.copy()
    change_what_is_hidden(changed, 0, random)
    assert (games.state.seats != changed.state.seats).any()
    assert (games.state.deck != changed.state.deck).any()
    others = views(games)[1::4] != views(changed)[1::4]
    assert others.any(), "what the others see did not change: nothing was hidden"


@pytest.mark.parametrize("observation", list(ENCODINGS))
@pytest.mark.parametrize("seed", range(20))
def test_an_observation_does_not_tell_which_seat_the_viewer_has(observation, seed):
    """A game with everybody moved on by some seats looks the same to everybody."""
    random = np.random.default_rng(100 + seed)
    games = positions(random_configuration(random), random, 40 * seed // 20, observation)
    players, by = games.num_players, int(random.integers(1, games.num_players))
    moved = games.copy()
    moved.state.seats[:] = np.roll(games.state.seats, by, axis=1)
    for column in (TO_MOVE, DRAGON):
        holders = games.state.game[:, column]
        moved.state.game[:, column] = np.where(holders < 0, holders, (holders + by) % players)
    mine = views(games).reshape(games.num_games, players, -1)
    theirs = views(moved).reshape(games.num_games, players, -1)
    # Means over players may differ in their last bit: they are summed up in another order.
    np.testing.assert_allclose(np.roll(mine, by, axis=1), theirs, rtol=1e-6, atol=0)


@pytest.mark.parametrize("observation", list(ENCODINGS))
def test_observations_have_the_dtype_and_range_of_their_encoding(observation):
    random = np.random.default_rng(8)
    encoding = ENCODINGS[observation]
    for steps in range(0, 90, 3):
        games = positions(random_configuration(random), random, steps, observation)
        seen = views(games)
        assert seen.dtype == encoding.dtype
        assert seen.shape[1:] == encoding.shape(games.variant)
        assert seen.min() >= 0
        assert seen.max() <= encoding.largest
        assert seen.reshape(len(seen), -1).any(axis=1).all(), "an observation of zeros"


def test_the_seat_that_is_asked_is_observed_when_no_viewer_is_named():
    games = GameBatch(50, Rules.boxed(), 5, setup="random", seed=4)
    for _ in range(7):
        games.step(games.random_actions())
    assert (games.state.game[:, PHASE] == TURN).all()
    at = channels(5)
    assert games.observe()[:, at.turn].all()
    assert not games.observe()[:, at.turn + 1 : at.phase].any()
