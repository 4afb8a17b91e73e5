"""`BatchPlayer`: a player that decides for many games at once, and so for one as well.

This is the interface between strategies that think in arrays (nets, search, compiled heuristics)
and everything that can ask them so: vector environments, matches, trainers.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tsuro_env.board import Board, InitialPlacement
from tsuro_env.engine.batch import Rows
from tsuro_env.engine.kernels import choose_spot, legal_turns
from tsuro_env.engine.positions import keys_batch
from tsuro_env.engine.state import (
    EXIT,
    FACING,
    HAND,
    HAND_SIZE,
    IN,
    LEFT,
    LEGAL,
    NOTHING,
    OUT,
    PHASE,
    SPOT,
    START,
    TILE_ACTIONS,
    TO_MOVE,
    TURN,
)
from tsuro_env.engine.tables import PORTS
from tsuro_env.errors import RulesError
from tsuro_env.game_batch import GameBatch
from tsuro_env.player import StrategyPlayer
from tsuro_env.rules import COLORS
from tsuro_env.tile import Tile, is_whole

Choose = TypeVar("Choose", bound=Callable[..., NDArray[np.int64]])


def uniform(choose: Choose) -> Choose:
    """Marks a `choose` that takes every legal action with equal chance, by `keys`: whoever plays
    many games may then let the engine do it."""
    vars(choose)["is_uniform"] = True
    return choose


class BatchPlayer(StrategyPlayer):
    """Fill in `choose`; a referee's questions are translated into it.

    Both ways choose the same moves for the same seed if `choose` looks only at what the player to
    move sees, and takes all its chance from `keys`.
    """

    def __init__(self, seed: int | None = None) -> None:
        if seed is not None and not (is_whole(seed) and 0 <= seed < 2**64):
            raise RulesError(f"a seed is a whole number from 0 to 2**64 - 1, got {seed!r}")
        self.seed = secrets.randbits(64) if seed is None else int(seed)

    def choose(self, games: GameBatch, which: Rows) -> NDArray[np.int64]:
        """An action for the player to move in each of the games `which` of the batch."""
        raise NotImplementedError

    @property
    def is_uniform(self) -> bool:
        """Whether the class's own `choose` is marked as `uniform`, and draws from these `keys`."""
        kind = type(self)
        return hasattr(kind.choose, "is_uniform") and kind.keys is BatchPlayer.keys

    def keys(self, games: GameBatch, which: Rows) -> NDArray[np.uint64]:
        """A random word for each decision, made of the seed and of what the player sees."""
        keys = np.empty(len(which), dtype=np.uint64)
        fields, rules = tuple(games.state), tuple(games.variant)
        keys_batch(fields, rules, 0, len(which), which, np.uint64(self.seed), keys)
        return keys

    def initial_placement(self, tiles: Sequence[Tile], board: Board) -> InitialPlacement:
        games = position(board, self.color, self.others, tiles)
        spot = self._choose_one(games) - TILE_ACTIONS
        square, port = divmod(int(games.variant.spots[spot]), 8)
        tile = None
        if not board.rules.is_boxed:
            choose_spot(games.state, games.variant, 0, spot)
            slot, rotation = divmod(self._choose_one(games), 4)
            tile = Tile.of(4 * tiles[slot].index + rotation)
        y, x = divmod(square, board.size)
        return InitialPlacement(tile, self.color, PORTS[port], x, y)

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
        slot, rotation = divmod(
            self._choose_one(position(board, self.color, self.others, tiles)), 4
        )
        return Tile.of(4 * tiles[slot].index + rotation)

    def _choose_one(self, games: GameBatch) -> int:
        return int(self.choose(games, np.zeros(1, dtype=np.int64))[0])


def position(board: Board, color: str, others: Sequence[str], tiles: Sequence[Tile]) -> GameBatch:
    """A batch of one game as a player sees it who is asked to move.

    What the player cannot see is left blank: the others' tiles, the supply, why somebody is out.
    """
    if not 1 <= len(tiles) <= HAND_SIZE:
        raise RulesError(f"a player is asked with 1 to {HAND_SIZE} tiles, got {len(tiles)}")
    seats = sorted((color, *others), key=COLORS.index)
    games = GameBatch(1, board.rules, len(seats), restart=False)
    seat = seats.index(color)
    state, game = games.state, games.state.game[0]
    state.links[:] = board._state.links
    state.tiles[:] = board._state.tiles
    state.seats[0, :, FACING] = board._state.seats[0, [COLORS.index(c) for c in seats], FACING]
    state.seats[0, :, HAND:] = NOTHING
    state.seats[0, seat, HAND : HAND + len(tiles)] = [tile.index for tile in tiles]
    state.chance[:] = 0

    # Whoever is not on the board is out, or after the asker in a set-up that is still going on.
    away = state.seats[0, :, FACING] == NOTHING
    placing = bool(away[seat])
    state.seats[0, :, OUT] = np.where(away, EXIT, IN)
    if placing:
        state.seats[0, seat:, OUT] = IN
    game[LEFT] = (state.seats[0, :, OUT] == IN).sum()
    game[TO_MOVE], game[SPOT] = seat, NOTHING
    game[PHASE] = START if placing else TURN
    game[LEGAL] = 0 if placing else legal_turns(state, 0, seat)
    return games
