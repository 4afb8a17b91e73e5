"""The eight symmetries of the game, as tables and as functions on batches: for augmenting data.

Symmetry ``4 * mirrored + quarters`` mirrors the board if `mirrored` (left becomes right), then
turns it clockwise by quarters.  A game seen that way is a game by the same rules: squares, ports
and start spots change places, turned tiles turn further, a mirrored tile is another of the 35 or
itself.

    observations, masks, actions = ...     # planes (N, C, S, S), (N, A), (N,)
    order = action_order(symmetry, rules, hands_of(observations))
    transform_planes(observations, symmetry), transform_masks(masks, order), ...

Masks stand for anything that has a number for each action: policies and visit counts as well. With
`unique_rotations` a mask becomes one that allows the same tiles, but not always by their smallest
rotations.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.planes import NUM_PAIRS, PAIR_NUMBER, PAIRS, channels
from tsuro_env.engine.state import HAND_SIZE, NOTHING, TILE_ACTIONS
from tsuro_env.engine.tables import (
    CONNECTIONS,
    NUM_ORIENTATIONS,
    NUM_PORTS,
    NUM_ROTATIONS,
    NUM_TILES,
)
from tsuro_env.errors import TsuroError
from tsuro_env.planes_decoder import players_of
from tsuro_env.rules import MIN_PLAYERS, Rules
from tsuro_env.tile import is_whole

NUM_SYMMETRIES = 8


def parts(symmetry: int) -> tuple[bool, int]:
    """Whether a symmetry mirrors, and by how many quarters it turns."""
    if not is_whole(symmetry) or not 0 <= symmetry < NUM_SYMMETRIES:
        raise TsuroError(f"a symmetry is a whole number from 0 to 7, got {symmetry!r}")
    return symmetry >= NUM_ROTATIONS, int(symmetry) % NUM_ROTATIONS


def inverse(symmetry: int) -> int:
    """The symmetry that undoes another. Those that mirror undo themselves."""
    mirrored, quarters = parts(symmetry)
    return symmetry if mirrored else -quarters % NUM_ROTATIONS


# ------------------------------------------------------------------------------------------ tables


@lru_cache
def port_table(symmetry: int) -> NDArray[np.int64]:
    """(8,): where each port goes. Mirrored A and B change places, C and H, D and G, E and F."""
    mirrored, quarters = parts(symmetry)
    ports = np.arange(NUM_PORTS)
    ports = 1 - ports if mirrored else ports
    return _frozen((ports + 2 * quarters) % NUM_PORTS)


@lru_cache
def square_table(symmetry: int, size: int) -> NDArray[np.int64]:
    """(size * size,): where each square goes."""
    squares = np.arange(size * size).reshape(size, size)
    # Turned as a picture is, the map of squares tells which square comes to each place.
    return _frozen(np.argsort(_turned(squares, symmetry).ravel()))


@lru_cache
def orientation_table(symmetry: int) -> NDArray[np.int64]:
    """(140,): what each tile in each orientation becomes; the four of a tile stay four."""
    mirrored, quarters = parts(symmetry)
    tiles, rotations = np.divmod(np.arange(NUM_ORIENTATIONS), NUM_ROTATIONS)
    if mirrored:
        images = _mirror_images()
        tiles, rotations = images[tiles] // NUM_ROTATIONS, images[tiles] - rotations
    return _frozen(NUM_ROTATIONS * tiles + (rotations + quarters) % NUM_ROTATIONS)


@lru_cache
def tile_table(symmetry: int) -> NDArray[np.int64]:
    """(35,): which tile each tile becomes."""
    return _frozen(orientation_table(symmetry)[::NUM_ROTATIONS] // NUM_ROTATIONS)


@lru_cache
def spot_table(symmetry: int, rules: Rules) -> NDArray[np.int64]:
    """(spots,): where each start spot goes."""
    spots = rules.variant(MIN_PLAYERS).spots.astype(np.int64)
    squares, ports = square_table(symmetry, rules.board_size), port_table(symmetry)
    images = NUM_PORTS * squares[spots // NUM_PORTS] + ports[spots % NUM_PORTS]
    number_of = np.zeros(NUM_PORTS * len(squares), dtype=np.int64)
    number_of[spots] = np.arange(len(spots))
    return _frozen(number_of[images])


@lru_cache
def _mirror_images() -> NDArray[np.int64]:
    """(35,): the orientation that looks like each unturned tile in a mirror."""
    ports = port_table(NUM_ROTATIONS)
    by_look = {connections.tobytes(): o for o, connections in reversed([*enumerate(CONNECTIONS)])}
    images = []
    for connections in CONNECTIONS[::NUM_ROTATIONS]:
        mirrored = np.empty_like(connections)
        mirrored[ports] = ports[connections]
        images.append(by_look[mirrored.tobytes()])
    return _frozen(np.array(images))


def _turned(maps: NDArray[Any], symmetry: int) -> NDArray[Any]:
    """Pictures (..., y, x) mirrored and turned."""
    mirrored, quarters = parts(symmetry)
    return np.rot90(maps[..., ::-1] if mirrored else maps, -quarters, axes=(-2, -1))


def _frozen(table: NDArray[Any]) -> NDArray[np.int64]:
    frozen: NDArray[np.int64] = table.astype(np.int64)
    frozen.flags.writeable = False
    return frozen


# ------------------------------------------------------------------------------------------ actions


def action_order(symmetry: int, rules: Rules | str, hands: NDArray[Any]) -> NDArray[np.int64]:
    """(N, A): what each action becomes, for players with these hands, (N, 3) tile indices or -1.

    A mirrored tile has rotations of its own: so the hand matters.
    """
    rules = Rules.from_name(rules)
    first = NUM_ROTATIONS * np.maximum(hands, 0)[:, :, np.newaxis] + np.arange(NUM_ROTATIONS)
    rotations = orientation_table(symmetry)[first] % NUM_ROTATIONS
    slots = NUM_ROTATIONS * np.arange(HAND_SIZE)[:, np.newaxis]
    tile_actions = (rotations + slots).reshape(len(hands), TILE_ACTIONS)
    spots = TILE_ACTIONS + spot_table(symmetry, rules)
    return np.hstack([tile_actions, np.broadcast_to(spots, (len(hands), len(spots)))])


def transform_actions(actions: NDArray[Any], order: NDArray[np.int64]) -> NDArray[np.int64]:
    """(N,): what the actions become, by the order that `action_order` gives."""
    return np.take_along_axis(order, actions[:, np.newaxis].astype(np.int64), axis=1)[:, 0]


def transform_masks(masks: NDArray[Any], order: NDArray[np.int64]) -> NDArray[Any]:
    """(N, A): what masks become, or anything else that has a number for each action."""
    transformed = np.empty_like(masks)
    np.put_along_axis(transformed, order, masks, axis=1)
    return transformed


# ------------------------------------------------------------------------------------------ planes


def transform_planes(planes: NDArray[Any], symmetry: int) -> NDArray[Any]:
    """(N, C, S, S): what a player sees who looks at the same game that way."""
    at, ports = channels(players_of(planes)), port_table(symmetry)
    order = np.arange(at.total)  # the channel that each channel of the result comes from
    first, second = np.triu_indices(NUM_PORTS, 1)
    order[PAIR_NUMBER[ports[first], ports[second]]] = PAIR_NUMBER[first, second]
    for avatar in range(at.avatars, at.hand, NUM_PORTS):
        order[avatar + ports] = avatar + np.arange(NUM_PORTS)
    transformed = np.ascontiguousarray(_turned(planes[:, order], symmetry))

    mirrored, _ = parts(symmetry)
    if mirrored:  # tiles in hand are shown unturned: to turn the board leaves them as they are
        hands = _hand_channels(transformed)
        tiles = tile_table(symmetry)[hands_of(planes)]
        places = hands.max(axis=2, keepdims=True)
        hands[:] = _UNTURNED[tiles][..., np.newaxis, np.newaxis] * places
    return transformed


def hands_of(planes: NDArray[Any]) -> NDArray[np.int64]:
    """(N, 3): the tile indices in the viewers' hands, -1 for none."""
    shown = _hand_channels(planes).max(axis=(-2, -1))
    hands: NDArray[np.int64] = np.where(
        shown.any(axis=-1), (shown @ _UNTURNED.T).argmax(axis=-1), NOTHING
    )
    return hands


def _hand_channels(planes: NDArray[Any]) -> NDArray[Any]:
    """(N, 3, 28, S, S): the part of the planes that shows the hands, not a copy of it."""
    at = channels(players_of(planes))
    hands = planes[:, at.hand : at.inside]
    return hands.reshape(len(planes), HAND_SIZE, NUM_PAIRS, *planes.shape[2:])


def _unturned() -> NDArray[np.int8]:
    table = np.zeros((NUM_TILES, NUM_PAIRS), dtype=np.int8)
    np.put_along_axis(table, PAIRS[::NUM_ROTATIONS].astype(np.int64), 1, axis=1)
    return table


_UNTURNED = _unturned()
"""(35, 28): 1 for each pair of ports that an unturned tile connects."""
