"""The state of a batch of games as plain arrays, and the compiled view of the rules.

Everything that decides a game's future is in here, chance included: a game is its seed and the
actions, whatever the size of the batch or the number of threads.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.tables import (
    NUM_ORIENTATIONS,
    NUM_PORTS,
    NUM_TILES,
    OFF_BOARD,
    edge_marks,
    fresh_links,
    inward_spots,
)

HAND_SIZE = 3
"""The largest hand of any rule set."""
TILE_ACTIONS = 4 * HAND_SIZE
"""Actions 0..11 are ``4 * slot + rotation``; the start actions ``TILE_ACTIONS + spot`` follow."""

NOTHING = -1
"""No avatar, no tile, no seat, no spot."""
NO_TILE = 255
"""In `State.tiles`: an empty square."""
NEVER = 32767
"""In column OUT_AT: still in."""

# Columns of State.seats; the hand takes HAND .. HAND + HAND_SIZE - 1, filled from the left.
FACING, OUT, OUT_AT, HAND = 0, 1, 2, 3
SEAT_COLUMNS = HAND + HAND_SIZE
# Columns of State.game.
TO_MOVE, PHASE, SPOT, CLOCK, LEFT, LEGAL, DEALT, DECK_SIZE, DRAGON = range(9)
GAME_COLUMNS = 9
# Columns of State.chance.
SEED, RANDOM = 0, 1

# Column PHASE: what the player to move is asked for.
START, FIRST_TILE, TURN, OVER = range(4)
PHASES = ("start", "first_tile", "turn", "over")

# Column OUT: 0 while in, else why not. From STUCK on the player counts as a cheater: no rank.
IN, EXIT, LOOP, STUCK, ILLEGAL, MALFORMED, EXCEPTION, LATE = range(8)
OUT_REASONS = ("", "exit", "loop", "stuck", "illegal", "malformed", "exception", "late")

# Variant.supply: where the tiles come from.
RANDOM_SUPPLY, CYCLE_SUPPLY, DECK_SUPPLY, GIVEN_SUPPLY = range(4)


class State(NamedTuple):
    """B games of P players on boards of S x S squares."""

    links: NDArray[np.int16]
    """(B, 8 S S): for every half-edge of an *empty* square the half-edge of the empty square that
    somebody who leaves through it comes to face, or OFF_BOARD. Meaningless on covered squares."""
    tiles: NDArray[np.uint8]
    """(B, S S): the orientation 0..139 lying on each square, of those that look the same the
    smallest, or NO_TILE."""
    seats: NDArray[np.int16]
    """(B, P, 6): per player, oldest first:
    FACING  the half-edge of the empty square that the avatar faces, or NOTHING;
    OUT     IN, or why the player is out;
    OUT_AT  the CLOCK at which it went out, or NEVER;
    HAND..  tile indices 0..34, or NOTHING."""
    game: NDArray[np.int32]
    """(B, 9):
    TO_MOVE    the seat that is asked, or NOTHING before the first question;
    PHASE      START, FIRST_TILE, TURN or OVER;
    SPOT       in FIRST_TILE the start spot just chosen, else NOTHING;
    CLOCK      course: the round (0 during the set-up); boxed: the number of turns taken;
    LEFT       how many players are in;
    LEGAL      in FIRST_TILE and TURN a bit for each legal tile action;
    DEALT      how many tiles the supply has given;
    DECK_SIZE  boxed: how many tiles of `deck` are left;
    DRAGON     boxed: the seat that holds the dragon tile, or NOTHING."""
    deck: NDArray[np.int8]
    """(B, 35): boxed: the draw pile, drawn from its end; beyond DECK_SIZE meaningless."""
    chance: NDArray[np.uint64]
    """(B, 2): SEED of the current game, and the RANDOM generator's state."""

    def copy(self) -> "State":
        return State._make(field.copy() for field in self)

    def take(self, games: NDArray[np.integer] | list[int]) -> "State":
        """A new state of the chosen games, in that order (the same game may be taken often)."""
        return State._make(field[games] for field in self)


class Variant(NamedTuple):
    """What the kernels need to know of the rules: numbers, and the tables of the board's size."""

    size: int
    players: int
    first_deal: int
    """Course: tiles dealt for the first placement; boxed: the size of the hand."""
    turn_deal: int
    """Course: tiles dealt for each turn; boxed: 0, hands are kept."""
    boxed: bool
    """Whether hands are kept and drawn from one deck, and players start on edge marks."""
    random_setup: bool
    """Whether the referee places everybody."""
    supply: int
    fresh_links: NDArray[np.int16]
    spots: NDArray[np.int16]
    """The start spots: half-edges to stand on (course) or to enter by (boxed)."""

    @classmethod
    def of(
        cls,
        size: int,
        players: int,
        first_deal: int,
        turn_deal: int,
        boxed: bool,
        random_setup: bool,
        supply: int,
    ) -> "Variant":
        """With the tables that belong to these numbers."""
        spots = edge_marks(size) if boxed else inward_spots(size)
        numbers = (size, players, first_deal, turn_deal, boxed, random_setup, supply)
        return cls(*numbers, fresh_links(size), spots)

    def __reduce__(self) -> tuple[Any, ...]:
        # Tables that were pickled come back writable: to numba that is another type, for which
        # it would compile every kernel again.
        return Variant.of, tuple(self[:-2])

    @property
    def num_actions(self) -> int:
        return TILE_ACTIONS + len(self.spots)


def allocate(variant: Variant, num_games: int) -> State:
    """A state whose games have not been started."""
    squares = variant.size * variant.size
    state = State(
        links=np.empty((num_games, NUM_PORTS * squares), dtype=np.int16),
        tiles=np.full((num_games, squares), NO_TILE, dtype=np.uint8),
        seats=np.full((num_games, variant.players, SEAT_COLUMNS), NOTHING, dtype=np.int16),
        game=np.zeros((num_games, GAME_COLUMNS), dtype=np.int32),
        deck=np.zeros((num_games, NUM_TILES), dtype=np.int8),
        chance=np.zeros((num_games, 2), dtype=np.uint64),
    )
    state.links[:] = variant.fresh_links
    state.seats[:, :, OUT] = IN
    state.seats[:, :, OUT_AT] = NEVER
    return state


def validate(state: State, variant: Variant) -> None:
    """Assert shapes, dtypes, ranges, and that links of empty squares come in symmetric pairs."""
    games = len(state.game)
    squares = variant.size * variant.size
    expected = {
        "links": ((games, NUM_PORTS * squares), np.int16),
        "tiles": ((games, squares), np.uint8),
        "seats": ((games, variant.players, SEAT_COLUMNS), np.int16),
        "game": ((games, GAME_COLUMNS), np.int32),
        "deck": ((games, NUM_TILES), np.int8),
        "chance": ((games, 2), np.uint64),
    }
    for name, (shape, dtype) in expected.items():
        field = getattr(state, name)
        assert (field.shape, field.dtype) == (shape, dtype), (name, field.shape, field.dtype)
    empty = state.tiles == NO_TILE
    assert ((state.tiles < NUM_ORIENTATIONS) | empty).all()
    for b in range(games):
        half_edges = np.flatnonzero(np.repeat(empty[b], NUM_PORTS))
        ends = state.links[b, half_edges]
        inside = ends != OFF_BOARD
        assert empty[b, ends[inside] // NUM_PORTS].all(), "a link leads to a covered square"
        assert (state.links[b, ends[inside]] == half_edges[inside]).all(), "links not symmetric"
        facing, out = state.seats[b, :, FACING], state.seats[b, :, OUT]
        assert empty[b, facing[facing >= 0] // NUM_PORTS].all(), "an avatar faces a covered square"
        assert (facing[out != IN] == NOTHING).all(), "a player who is out has an avatar"
        assert state.game[b, LEFT] == (out == IN).sum()
        assert state.game[b, PHASE] in range(len(PHASES))
