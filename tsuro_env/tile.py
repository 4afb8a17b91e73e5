"""`Tile`: one of the 35 tiles, turned; a value that never changes."""

from numbers import Integral
from typing import Any

from tsuro_env.engine.tables import CONNECTIONS, NUM_TILES, PORTS, SMALLEST_ROTATION
from tsuro_env.errors import TileError

DEGREES = (0, 90, 180, 270)


def is_whole(value: object) -> bool:
    """A whole number, numpy's included; `True` is none."""
    if type(value) is int:  # nearly always, and the next line takes long
        return True
    return isinstance(value, Integral) and not isinstance(value, bool)


class Tile:
    """A tile in an orientation.  Tiles that look the same are equal.

    >>> tile = Tile(13, 270)
    >>> tile["A"], tile.rotated(90), Tile(34, 90)
    ('G', Tile(13, 0), Tile(34, 0))
    """

    __slots__ = ("degrees", "index")

    index: int
    """0..34, the canonical table of the rules."""
    degrees: int
    """0, 90, 180 or 270 clockwise: the smallest that gives the same connections."""

    def __init__(self, index: int, degrees: int = 0) -> None:
        if not is_whole(index) or not 0 <= index < NUM_TILES:
            raise TileError(f"a tile index is a whole number from 0 to 34, got {index!r}")
        if not is_whole(degrees) or degrees not in DEGREES:
            raise TileError(f"degrees must be 0, 90, 180 or 270, got {degrees!r}")
        index, degrees = int(index), int(degrees)
        object.__setattr__(self, "index", index)
        smallest = int(SMALLEST_ROTATION[4 * index + degrees // 90])
        object.__setattr__(self, "degrees", 90 * smallest)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Tile does not change (tried to set {name!r})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Tile does not change (tried to delete {name!r})")

    def __getitem__(self, port: str) -> str:
        """The port at the other end of the connection."""
        return PORTS[CONNECTIONS[self.orientation, port_number(port)]]

    def rotated(self, degrees: int) -> "Tile":
        """The tile turned clockwise by a multiple of 90 degrees."""
        if not is_whole(degrees) or degrees % 90:
            raise TileError(f"a tile is turned by a multiple of 90 degrees, got {degrees!r}")
        return Tile(self.index, (self.degrees + int(degrees)) % 360)

    @property
    def orientation(self) -> int:
        """``4 * index + degrees / 90``: the row of the engine's table of connections."""
        return 4 * self.index + self.degrees // 90

    @property
    def connections(self) -> tuple[str, ...]:
        """The four connections as pairs of letters, like ``("AE", "BF", "CH", "DG")``."""
        pairs = ((port, self[port]) for port in PORTS)
        return tuple(a + b for a, b in pairs if a < b)

    @staticmethod
    def of(orientation: int) -> "Tile":
        """The inverse of `orientation`."""
        return Tile(int(orientation) // 4, 90 * (int(orientation) % 4))

    @staticmethod
    def all() -> tuple["Tile", ...]:
        """The 35 tiles, unturned."""
        return tuple(Tile.of(4 * index) for index in range(NUM_TILES))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tile):
            return NotImplemented
        return self.index == other.index and self.degrees == other.degrees

    def __hash__(self) -> int:
        return hash((self.index, self.degrees))

    def __repr__(self) -> str:
        return f"Tile({self.index}, {self.degrees})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Tile, (self.index, self.degrees)


def port_number(port: str) -> int:
    """0..7 for "A".."H"."""
    if not isinstance(port, str) or len(port) != 1 or port not in PORTS:
        raise TileError(f"a port is a letter from A to H, got {port!r}")
    return PORTS.index(port)
