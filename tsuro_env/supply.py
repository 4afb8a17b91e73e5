"""Tiles given to a referee by an iterator of the caller's own."""

from collections.abc import Iterable, Iterator
from typing import Any

from tsuro_env.errors import RulesError, SupplyError
from tsuro_env.tile import Tile


class GivenSupply:
    """Reads tiles off an iterator; copies read the same tiles, independently of each other.

    What the iterator has given is kept in a list that all copies share, so that a referee can be
    copied in the middle of a game whatever the iterator is.
    """

    def __init__(self, tiles: Iterable[Tile]) -> None:
        try:
            self._source: Iterator[Tile] = iter(tiles)
        except TypeError:
            raise RulesError(
                f"tiles must be 'random', 'cycle' or an iterator of tiles, got {tiles!r}"
            ) from None
        self._given: list[Tile] = []
        self._position = 0

    def take(self) -> Tile:
        while self._position >= len(self._given):
            try:
                tile = next(self._source)
            except StopIteration:
                raise SupplyError(
                    f"the tile supply ran dry after {len(self._given)} tiles"
                ) from None
            if not isinstance(tile, Tile):
                raise SupplyError(f"the tile supply gave {tile!r}, which is no Tile")
            self._given.append(tile)
        self._position += 1
        return self._given[self._position - 1]

    def __deepcopy__(self, memo: dict[int, Any]) -> "GivenSupply":
        twin = object.__new__(GivenSupply)
        twin._source, twin._given, twin._position = self._source, self._given, self._position
        return twin
