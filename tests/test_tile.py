"""Tiles: the canonical table, turning, equality, and what is no tile."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from tests.oracle import TILES
from tsuro_env import Tile, TileError, TsuroError
from tsuro_env.tile import DEGREES, is_whole, port_number

PORTS = "ABCDEFGH"
ORIENTATIONS = [(index, degrees) for index in range(35) for degrees in DEGREES]


def turned(port: str, quarters: int) -> str:
    return PORTS[(PORTS.index(port) + 2 * quarters) % 8]


@pytest.mark.parametrize("index", range(35))
def test_an_unturned_tile_has_the_connections_of_the_table(index: int) -> None:
    assert Tile(index).connections == tuple(TILES[index].split())


@pytest.mark.parametrize(("index", "degrees"), ORIENTATIONS)
def test_a_path_leads_back_and_never_to_its_own_port(index: int, degrees: int) -> None:
    tile = Tile(index, degrees)
    for port in PORTS:
        assert tile[port] != port
        assert tile[tile[port]] == port


@pytest.mark.parametrize(("index", "degrees"), ORIENTATIONS)
def test_a_quarter_turn_clockwise_moves_every_letter_by_two(index: int, degrees: int) -> None:
    tile = Tile(index, degrees)
    after = tile.rotated(90)
    for port in PORTS:
        assert after[turned(port, 1)] == turned(tile[port], 1)


def test_there_are_105_distinct_orientations() -> None:
    tiles = {Tile(index, degrees) for index, degrees in ORIENTATIONS}
    assert len(tiles) == 105
    assert len({tile.connections for tile in tiles}) == 105


@pytest.mark.parametrize(("index", "degrees"), ORIENTATIONS)
def test_the_degrees_are_the_smallest_with_the_same_connections(index: int, degrees: int) -> None:
    wanted = {turned(a, degrees // 90) + turned(b, degrees // 90) for a, b in TILES[index].split()}
    alike = [d for d in DEGREES if same_connections(Tile(index).rotated(d), wanted)]
    assert Tile(index, degrees).degrees == alike[0]


def same_connections(tile: Tile, wanted: set[str]) -> bool:
    return {frozenset(pair) for pair in tile.connections} == {frozenset(pair) for pair in wanted}


def test_no_two_tiles_of_the_table_are_rotations_of_each_other() -> None:
    for tile in Tile.all():
        lookalikes = {tile.rotated(degrees).connections for degrees in DEGREES}
        assert not any(o.connections in lookalikes for o in Tile.all() if o.index != tile.index)


def test_all_gives_the_35_tiles_in_order() -> None:
    assert [tile.index for tile in Tile.all()] == list(range(35))
    assert {tile.degrees for tile in Tile.all()} == {0}


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 360, -90, 450, np.int64(90)])
def test_turning_takes_any_multiple_of_90(degrees: int) -> None:
    assert Tile(5).rotated(degrees) == Tile(5, int(degrees) % 360)


def test_turning_adds_up() -> None:
    assert Tile(13, 270).rotated(180) == Tile(13, 90)


@pytest.mark.parametrize("orientation", range(140))
def test_an_orientation_gives_its_tile_back(orientation: int) -> None:
    tile = Tile.of(orientation)
    assert (tile.index, tile) == (orientation // 4, Tile(orientation // 4, orientation % 4 * 90))
    assert Tile.of(tile.orientation) == tile


def test_tiles_that_look_the_same_are_equal_and_hash_alike() -> None:
    assert Tile(34, 90) == Tile(34, 0)
    assert hash(Tile(34, 90)) == hash(Tile(34))
    assert Tile(0) != Tile(0, 90)
    assert Tile(0) != Tile(1)
    assert Tile(0) != (0, 0)
    assert Tile(0) != "Tile(0, 0)"


def test_a_tile_survives_copying_and_pickling() -> None:
    tile = Tile(13, 270)
    assert copy.copy(tile) == copy.deepcopy(tile) == pickle.loads(pickle.dumps(tile)) == tile


def test_the_repr_makes_the_tile_again() -> None:
    assert repr(Tile(13, 270)) == "Tile(13, 270)"
    assert eval(repr(Tile(13, 270))) == Tile(13, 270)


@pytest.mark.parametrize("name", ["index", "degrees", "anything"])
def test_a_tile_does_not_change(name: str) -> None:
    tile = Tile(3, 90)
    with pytest.raises(AttributeError, match=f"does not change.*{name}"):
        setattr(tile, name, 5)
    with pytest.raises(AttributeError, match=f"does not change.*{name}"):
        delattr(tile, name)
    assert tile == Tile(3, 90)


@pytest.mark.parametrize("index", [-1, 35, 10**6, 1.0, "3", None, True, [1], np.float64(2)])
def test_an_index_outside_the_table_is_a_tile_error(index: Any) -> None:
    with pytest.raises(TileError, match="from 0 to 34, got") as error:
        Tile(index)
    assert repr(index) in str(error.value)


@pytest.mark.parametrize("degrees", [1, 45, 360, -90, 90.0, "90", None, False])
def test_degrees_that_are_no_quarter_turn_are_a_tile_error(degrees: Any) -> None:
    with pytest.raises(TileError, match="0, 90, 180 or 270, got") as error:
        Tile(0, degrees)
    assert repr(degrees) in str(error.value)


@pytest.mark.parametrize("degrees", [45, 1, 90.0, "90", None])
def test_turning_by_anything_else_is_a_tile_error(degrees: Any) -> None:
    with pytest.raises(TileError, match="multiple of 90 degrees, got") as error:
        Tile(0).rotated(degrees)
    assert repr(degrees) in str(error.value)


@pytest.mark.parametrize("port", ["I", "a", "", "AB", 0, None, ["A"]])
def test_a_port_that_is_no_letter_from_a_to_h_is_a_tile_error(port: Any) -> None:
    with pytest.raises(TileError, match="a letter from A to H, got") as error:
        Tile(0)[port]
    assert repr(port) in str(error.value)


def test_ports_are_numbered_from_0() -> None:
    assert [port_number(port) for port in PORTS] == list(range(8))


def test_a_tile_error_is_a_value_error() -> None:
    assert issubclass(TileError, TsuroError)
    assert issubclass(TsuroError, ValueError)


@pytest.mark.parametrize(
    ("value", "whole"),
    [(3, True), (np.int8(3), True), (True, False), (3.0, False), ("3", False), (None, False)],
)
def test_whole_numbers_are_told_from_the_rest(value: object, whole: bool) -> None:
    assert is_whole(value) is whole
