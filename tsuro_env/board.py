"""`Board`: what lies on the table, as a value that never changes.

A board names, validates and translates; how avatars walk is the engine's business.  It knows
nothing of turns, hands or legality: see `RuleChecker`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tsuro_env.engine.kernels import lay_tile, outcome, place_tile, put_first_tile
from tsuro_env.engine.state import (
    FACING,
    HAND,
    IN,
    NEVER,
    NO_TILE,
    NOTHING,
    OUT,
    OUT_AT,
    State,
    Variant,
    allocate,
)
from tsuro_env.engine.tables import PORTS
from tsuro_env.errors import BoardError, ColorError, OccupiedError, OffBoardError, PortError
from tsuro_env.rules import COLORS, MAX_PLAYERS, Rules
from tsuro_env.tile import Tile, is_whole, port_number

OUTCOMES = ("FINE", "EXIT", "LOOP")


class Avatar(NamedTuple):
    """Where a marker stands: on a port of the tile at (x, y).

    At the start of a boxed game it stands outside, on the edge mark of the empty square (x, y), and
    `on_tile` is false.
    """

    x: int
    y: int
    port: str
    on_tile: bool = True


@dataclass(frozen=True)
class InitialPlacement:
    """A first placement, in the order of the course's JSON. In `boxed` there is no tile."""

    tile: Tile | None
    color: str
    port: str
    x: int
    y: int


class Board:
    """An immutable board: every change gives a new one.

    >>> board = Board.empty(Rules.course())
    >>> board = board.place_initial(InitialPlacement(Tile(2), "red", "E", 4, 0))
    >>> board.place_tile("red", Tile(2)).avatar("red")
    Avatar(x=4, y=1, port='E', on_tile=True)
    """

    __slots__ = ("_rules", "_state")

    _rules: Rules
    _state: State  # one game with a seat for every colour

    def __init__(self, rules: Rules, state: State) -> None:
        """Use `Board.empty`, `Board.build` or `Board.of_game`; the board owns the state."""
        object.__setattr__(self, "_rules", rules)
        object.__setattr__(self, "_state", state)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Board does not change (tried to set {name!r})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Board does not change (tried to delete {name!r})")

    # ------------------------------------------------------------------------------- making one

    @classmethod
    def empty(cls, rules: Rules | str | None = None) -> "Board":
        rules = Rules.course() if rules is None else Rules.from_name(rules)
        return cls(rules, allocate(rules.variant(MAX_PLAYERS), 1))

    @classmethod
    def build(
        cls,
        rules: Rules,
        tiles: Mapping[tuple[int, int], Tile],
        avatars: Mapping[str, tuple[int, int, str]],
    ) -> "Board":
        """A board in the middle of a game: tiles on squares, avatars on ports of those tiles."""
        board = cls.empty(rules)
        state = board._state
        for (x, y), tile in tiles.items():
            place_tile(state, 0, board._square(x, y), board._tile(tile).orientation)
        for color, (x, y, port) in avatars.items():
            if board.tile_at(x, y) is None:
                raise BoardError(f"{color} stands on ({x}, {y}), where no tile lies")
            facing = board._faced_from(x, y, port)
            state.seats[0, board._seat(color), FACING] = facing
        return board

    @classmethod
    def of_game(cls, rules: Rules, state: State, game: int = 0) -> "Board":
        """A copy of what lies on the table of one game of the engine."""
        players = state.seats.shape[1]
        seats = np.full((1, MAX_PLAYERS, state.seats.shape[2]), NOTHING, dtype=np.int16)
        seats[:, :, OUT] = IN
        seats[:, :, OUT_AT] = NEVER
        seats[0, :players, :HAND] = state.seats[game, :, :HAND]
        return cls(
            rules,
            State(
                links=state.links[game : game + 1].copy(),
                tiles=state.tiles[game : game + 1].copy(),
                seats=seats,
                game=np.zeros((1, state.game.shape[1]), dtype=np.int32),
                deck=np.zeros((1, state.deck.shape[1]), dtype=np.int8),
                chance=np.zeros((1, 2), dtype=np.uint64),
            ),
        )

    # ---------------------------------------------------------------------------- looking at it

    @property
    def rules(self) -> Rules:
        return self._rules

    @property
    def size(self) -> int:
        return self._rules.board_size

    @property
    def dimensions(self) -> tuple[int, int]:
        """Width and height."""
        return self.size, self.size

    def tile_at(self, x: int, y: int) -> Tile | None:
        orientation = int(self._state.tiles[0, self._square(x, y)])
        return None if orientation == NO_TILE else Tile.of(orientation)

    @property
    def tiles(self) -> dict[tuple[int, int], Tile]:
        """All the tiles, by square."""
        row = self._state.tiles[0]
        return {
            (int(square) % self.size, int(square) // self.size): Tile.of(row[square])
            for square in np.flatnonzero(row != NO_TILE)
        }

    @property
    def colors(self) -> tuple[str, ...]:
        """The colours whose avatars are on the board, oldest player first."""
        return tuple(
            color
            for color, facing in zip(COLORS, self._state.seats[0, :, FACING], strict=True)
            if facing != NOTHING
        )

    def avatar(self, color: str) -> Avatar | None:
        """Where the colour stands, or None if it is not on the board."""
        facing = int(self._state.seats[0, self._seat(color), FACING])
        if facing == NOTHING:
            return None
        standing = int(self._variant.fresh_links[facing])
        on_tile = standing != NOTHING
        x, y, port = self._place(standing if on_tile else facing)
        return Avatar(x, y, port, on_tile)

    @property
    def avatars(self) -> dict[str, Avatar]:
        """Every avatar on the board, by colour."""
        found = ((color, self.avatar(color)) for color in self.colors)
        return {color: avatar for color, avatar in found if avatar is not None}

    def avatars_at(self, x: int, y: int) -> dict[str, str]:
        """The colours that stand on the tile at (x, y), each with its port."""
        self._square(x, y)
        return {
            color: avatar.port
            for color, avatar in self.avatars.items()
            if avatar.on_tile and (avatar.x, avatar.y) == (x, y)
        }

    def faced(self, color: str) -> tuple[int, int]:
        """The empty square that a colour on the board faces: where its next tile goes."""
        x, y, _ = self._place(self._facing(color))
        return x, y

    # ------------------------------------------------------------------------------ changing it

    def place_initial(self, placement: InitialPlacement) -> "Board":
        """A new board with a first tile and an avatar on it; in `boxed` just the avatar.

        What cannot be done on a table is an error; whether it is legal is for `RuleChecker`.
        """
        if not isinstance(placement, InitialPlacement):
            raise BoardError(f"expected an InitialPlacement, got {placement!r}")
        seat = self._seat(placement.color)
        if self._state.seats[0, seat, FACING] != NOTHING:
            raise ColorError(f"{placement.color} is on the board already")
        if self._rules.is_boxed:
            if placement.tile is not None:
                raise BoardError("in boxed rules a player starts without a tile")
            mark = self._edge_mark(placement)
            state = self._state.copy()
            state.seats[0, seat, FACING] = mark
            return Board(self._rules, state)
        if not isinstance(placement.tile, Tile):
            raise BoardError(f"a first placement needs a Tile, got {placement.tile!r}")
        square = self._square(placement.x, placement.y)
        if self._state.tiles[0, square] != NO_TILE:
            raise OccupiedError(f"({placement.x}, {placement.y}) has a tile already")
        for color in self.colors:
            if self.faced(color) == (placement.x, placement.y):  # nobody moves at a first placement
                raise OccupiedError(f"({placement.x}, {placement.y}) is faced by {color}")
        self._faced_from(placement.x, placement.y, placement.port)
        state = self._state.copy()
        standing = 8 * square + port_number(placement.port)
        put_first_tile(state, self._variant, 0, seat, standing, placement.tile.orientation)
        return Board(self._rules, state)

    def place_tile(self, color: str, tile: Tile) -> "Board":
        """A new board with the tile on the square that the colour faces, everybody facing it moved.

        Avatars that leave are not on the new board.  If anybody would loop, the new board lacks
        the loopers and the tile.
        """
        self._facing(color)
        state = self._state.copy()
        lay_tile(state, 0, self._seat(color), self._tile(tile).orientation)
        return Board(self._rules, state)

    def trial(self, color: str, tile: Tile) -> str:
        """What `place_tile` would do to the colour: "FINE", "EXIT", or "LOOP" if anybody loops."""
        self._facing(color)
        seat = self._seat(color)
        return OUTCOMES[outcome(self._state, 0, seat, self._tile(tile).orientation)]

    # ------------------------------------------------------------------------------ translation

    @property
    def _variant(self) -> Variant:
        return self._rules.variant(MAX_PLAYERS)

    def _tile(self, tile: Tile) -> Tile:
        if not isinstance(tile, Tile):
            raise BoardError(f"expected a Tile, got {tile!r}")
        return tile

    def _square(self, x: int, y: int) -> int:
        for value in (x, y):
            if not is_whole(value) or not 0 <= value < self.size:
                last = self.size - 1
                raise OffBoardError(f"({x!r}, {y!r}) is off the board: coordinates are 0 to {last}")
        return int(y) * self.size + int(x)

    def _place(self, half_edge: int) -> tuple[int, int, str]:
        square, port = divmod(half_edge, 8)
        return square % self.size, square // self.size, PORTS[port]

    def _seat(self, color: str) -> int:
        if not isinstance(color, str) or color not in COLORS:
            raise ColorError(f"unknown colour {color!r}: the colours are {', '.join(COLORS)}")
        return COLORS.index(color)

    def _facing(self, color: str) -> int:
        facing = int(self._state.seats[0, self._seat(color), FACING])
        if facing == NOTHING:
            raise ColorError(f"{color} is not on the board")
        return facing

    def _faced_from(self, x: int, y: int, port: str) -> int:
        """The half-edge faced from a port of a square; it must belong to an empty square."""
        facing = int(self._variant.fresh_links[8 * self._square(x, y) + port_number(port)])
        if facing == NOTHING:
            raise PortError(f"port {port} of ({x}, {y}) faces out of the board")
        if self._state.tiles[0, facing >> 3] != NO_TILE:
            raise PortError(f"port {port} of ({x}, {y}) faces a tile, not an empty square")
        return facing

    def _edge_mark(self, placement: InitialPlacement) -> int:
        x, y, port = placement.x, placement.y, placement.port
        mark = 8 * self._square(x, y) + port_number(port)
        if self._variant.fresh_links[mark] != NOTHING:
            raise PortError(f"port {port} of ({x}, {y}) is not on the edge of the board")
        if self._state.tiles[0, mark >> 3] != NO_TILE:
            raise OccupiedError(f"({x}, {y}) has a tile already")
        if (self._state.seats[0, :, FACING] == mark).any():
            raise OccupiedError(f"the mark {port} of ({x}, {y}) is taken")
        return mark

    # -------------------------------------------------------------------------------- as a value

    def _key(self) -> tuple[Any, ...]:
        state = self._state
        return self._rules, state.tiles.tobytes(), state.seats[0, :, FACING].tobytes()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        from tsuro_env.drawing import Scene, to_svg  # drawing costs nothing unless it is used

        return to_svg(Scene.of_board(self))

    def __repr__(self) -> str:
        tiles = len(self.tiles)
        return (
            f"<Board {self.size}x{self.size}, {tiles} tiles, {', '.join(self.colors) or 'empty'}>"
        )

    def __copy__(self) -> "Board":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Board":
        return Board(self._rules, self._state.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return Board, (self._rules, self._state)
