"""`RuleChecker`: says of an answer whether it is legal, and if not why. The engine decides."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tsuro_env.board import Board, InitialPlacement
from tsuro_env.engine.batch import THE_ONLY_GAME, legal_batch
from tsuro_env.engine.kernels import legal_turns
from tsuro_env.engine.state import HAND, HAND_SIZE, TILE_ACTIONS
from tsuro_env.engine.tables import PORTS
from tsuro_env.errors import BoardError, TileError, TsuroError
from tsuro_env.rules import COLORS, MAX_PLAYERS
from tsuro_env.tile import Tile


@dataclass(frozen=True)
class Verdict:
    """Legal, or why not. True in a condition exactly if legal."""

    legal: bool
    reason: str = ""

    def __bool__(self) -> bool:
        return self.legal


LEGAL = Verdict(True)


class RuleChecker:
    """The rules of the board's own rule set. Subclass it to play by other ones."""

    def check_initial(
        self, board: Board, tiles: Sequence[Tile], placement: InitialPlacement
    ) -> Verdict:
        """May a first placement be made with these dealt tiles?"""
        rules = board.rules
        _check_tiles(tiles)
        if not isinstance(placement, InitialPlacement):
            raise BoardError(f"expected an InitialPlacement, got {placement!r}")
        if not rules.is_boxed and not _was_dealt(placement.tile, tiles):
            return Verdict(False, f"{placement.tile!r} is none of the tiles dealt: {_names(tiles)}")
        try:
            board.place_initial(placement)
        except TsuroError as error:
            return Verdict(False, str(error))
        if (placement.x, placement.y, placement.port) not in self.legal_spots(board):
            return Verdict(
                False,
                f"({placement.x}, {placement.y}) is no free square on the periphery without a "
                "neighbouring tile",
            )
        return LEGAL

    def check_turn(self, board: Board, color: str, tiles: Sequence[Tile], tile: Tile) -> Verdict:
        """May the colour play this turned tile, having been dealt these?"""
        _check_tiles(tiles)
        if not _was_dealt(tile, tiles):
            return Verdict(False, f"{tile!r} is none of the tiles dealt: {_names(tiles)}")
        legal = self.legal_turns(board, color, tiles)
        if tile in legal:
            return LEGAL
        if not legal:
            return Verdict(False, "no option is legal: some leave the board, the others loop")
        if board.trial(color, tile) == "LOOP":
            return Verdict(False, f"{tile!r} makes an avatar loop, but {legal[0]!r} would not")
        return Verdict(False, f"{tile!r} leads {color} off the board, but {legal[0]!r} would not")

    def legal_turns(self, board: Board, color: str, tiles: Sequence[Tile]) -> list[Tile]:
        """The distinct legal tiles, in the order of the dealt ones and of their rotations."""
        _check_tiles(tiles)
        board.faced(color)  # a colour that is not on the board has no turn
        if not 1 <= len(tiles) <= HAND_SIZE:
            raise TsuroError(f"a turn has 1 to {HAND_SIZE} tiles to choose from, got {len(tiles)}")
        seat = COLORS.index(color)
        state = board._state
        seats = state.seats.copy()
        seats[0, seat, HAND : HAND + len(tiles)] = [tile.index for tile in tiles]
        bits = int(legal_turns(state._replace(seats=seats), 0, seat))
        options = (
            Tile.of(4 * tile.index + rotation)
            for slot, tile in enumerate(tiles)
            for rotation in range(4)
            if bits >> (4 * slot + rotation) & 1
        )
        return list(dict.fromkeys(options))

    def legal_spots(self, board: Board) -> list[tuple[int, int, str]]:
        """Where a first placement may be made: square and port, clockwise from the top left."""
        variant = board.rules.variant(MAX_PLAYERS)
        legal = np.zeros((1, variant.num_actions), dtype=np.int8)
        legal_batch(tuple(board._state), tuple(variant), 0, 1, THE_ONLY_GAME, False, legal)
        spots = variant.spots[np.flatnonzero(legal[0, TILE_ACTIONS:])].tolist()
        return [
            (spot // 8 % board.size, spot // 8 // board.size, PORTS[spot % 8]) for spot in spots
        ]


def _check_tiles(tiles: Sequence[Tile]) -> None:
    for tile in tiles:
        if not isinstance(tile, Tile):
            raise TileError(f"the dealt tiles must be Tiles, got {tile!r}")


def _was_dealt(tile: object, tiles: Sequence[Tile]) -> bool:
    """By number, and for nothing but a Tile: an object's own idea of equality does not count."""
    return type(tile) is Tile and any(tile.index == dealt.index for dealt in tiles)


def _names(tiles: Sequence[Tile]) -> str:
    return ", ".join(str(tile.index) for tile in tiles) or "none"
