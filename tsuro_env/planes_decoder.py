"""Reads a `planes` observation back: what a player sees, as values of the game.

The other direction is `tsuro_env.engine.planes`, which says what each channel means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.planes import NUM_PAIRS, PAIRS, Channels, channels, num_channels
from tsuro_env.engine.state import HAND_SIZE, PHASES
from tsuro_env.engine.tables import NUM_ORIENTATIONS, NUM_PORTS, PORTS
from tsuro_env.errors import TsuroError
from tsuro_env.rules import MAX_PLAYERS, MIN_PLAYERS
from tsuro_env.tile import Tile

Square = tuple[int, int]

_PLAYERS_BY_CHANNELS = {num_channels(n): n for n in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
_BIT_OF_PAIR = 1 << np.arange(NUM_PAIRS)
_TILE_BY_BITS = {
    int(_BIT_OF_PAIR[PAIRS[orientation]].sum()): Tile.of(orientation)
    for orientation in range(NUM_ORIENTATIONS)
}


@dataclass(frozen=True)
class Seen:
    """What a player sees; players are counted in turn order from the viewer, who is 0."""

    tiles: dict[Square, Tile]
    facing: tuple[tuple[int, int, str] | None, ...]
    """Per player: the square that the avatar faces and the port by which it would enter."""
    hand: tuple[Tile, ...]
    place: Square | None
    """Where the tiles in hand would be laid, if that is known and there are any."""
    inside: tuple[bool, ...]
    holds: tuple[int, ...]
    """Per player: how many tiles are in hand."""
    dragon: int | None
    turn: int | None
    phase: str


def players_of(planes: NDArray[Any]) -> int:
    """The number of players of observations (..., channels, size, size)."""
    number = planes.shape[-3] if planes.ndim >= 3 else 0
    if number not in _PLAYERS_BY_CHANNELS:
        raise TsuroError(f"these are no planes: an array of shape {planes.shape}")
    return _PLAYERS_BY_CHANNELS[number]


def decode(planes: NDArray[Any]) -> Seen:
    """Read one observation, (channels, size, size)."""
    players = players_of(planes)
    at: Channels = channels(players)
    everywhere = planes[:, 0, 0]
    hand, place = _hand(
        planes[at.hand : at.inside].reshape(HAND_SIZE, NUM_PAIRS, *planes.shape[1:])
    )
    avatars = planes[at.avatars : at.hand].reshape(players, NUM_PORTS, *planes.shape[1:])
    return Seen(
        tiles=_tiles(planes[: at.avatars]),
        facing=tuple(_facing(maps) for maps in avatars),
        hand=hand,
        place=place,
        inside=tuple(everywhere[at.inside : at.holds].astype(bool).tolist()),
        holds=tuple(everywhere[at.holds : at.dragon].tolist()),
        dragon=_only(everywhere[at.dragon : at.turn]),
        turn=_only(everywhere[at.turn : at.phase]),
        phase=PHASES[int(everywhere[at.phase :].argmax())],
    )


def _tiles(connections: NDArray[Any]) -> dict[Square, Tile]:
    bits = np.tensordot(_BIT_OF_PAIR, connections, 1)
    return {(int(x), int(y)): _TILE_BY_BITS[int(bits[y, x])] for y, x in np.argwhere(bits)}


def _facing(maps: NDArray[Any]) -> tuple[int, int, str] | None:
    """From eight maps, one for each port."""
    for port, y, x in np.argwhere(maps):
        return int(x), int(y), PORTS[port]
    return None


def _hand(slots: NDArray[Any]) -> tuple[tuple[Tile, ...], Square | None]:
    """From a stack of connections for each slot."""
    tiles = [_tiles(connections) for connections in slots]
    held = tuple(next(iter(there.values())) for there in tiles if there)
    squares = set(tiles[0])
    return held, squares.pop() if len(squares) == 1 else None


def _only(values: NDArray[Any]) -> int | None:
    """The place of the one value that is not zero."""
    return int(values.argmax()) if values.any() else None
