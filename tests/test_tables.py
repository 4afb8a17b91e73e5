"""The geometry: the drawing of the ports, and every numbering with its way back."""

import numpy as np
import pytest

from tests import oracle
from tsuro_env import Board, Referee, Rules, Tile
from tsuro_env.engine import tables
from tsuro_env.engine.tables import (
    CONNECTIONS,
    OFF_BOARD,
    PLAINEST,
    PORTS,
    SMALLEST_ROTATION,
    edge_marks,
    fresh_links,
    inward_spots,
    periphery,
)

SIZES = [4, 5, 6, 10, 24]


def place_of(half_edge: int, size: int) -> oracle.Place:
    square, port = divmod(int(half_edge), 8)
    return square % size, square // size, PORTS[port]


def half_edge_of(place: oracle.Place, size: int) -> int:
    x, y, port = place
    return 8 * (y * size + x) + PORTS.index(port)


# -------------------------------------------------------------------------------------- the drawing


def drawn_ports() -> dict[str, tuple[int, int, int]]:
    """The number, column and line of each port in the drawing of the module."""
    assert tables.__doc__ is not None
    lines = tables.__doc__.split("::\n\n")[1].split("\n\n")[0].splitlines()
    found = {}
    for line_number, line in enumerate(lines):
        for column, character in enumerate(line):
            if character in PORTS:
                found[character] = (int(line[column + 2]), column, line_number)
    return found


def test_the_drawing_shows_every_port_with_its_number() -> None:
    assert {port: number for port, (number, _, _) in drawn_ports().items()} == {
        port: number for number, port in enumerate(PORTS)
    }


def test_the_drawing_shows_every_port_on_the_side_that_it_faces() -> None:
    drawn = drawn_ports()
    columns = sorted(column for _, column, _ in drawn.values())
    lines = sorted(line for _, _, line in drawn.values())
    middle_x, middle_y = (columns[0] + columns[-1]) / 2, (lines[0] + lines[-1]) / 2
    size = 5
    for port, (number, column, line) in drawn.items():
        x, y, _ = place_of(fresh_links(size)[8 * (2 * size + 2) + number], size)
        dx, dy = x - 2, y - 2
        across, down = (column - middle_x) / middle_x, (line - middle_y) / middle_y
        if dy:
            assert np.sign(down) == dy, port
            assert abs(down) == 1, port
        else:
            assert np.sign(across) == dx, port
            assert abs(down) < 1, port


def test_the_drawing_goes_round_clockwise_from_the_top_left() -> None:
    drawn = drawn_ports()
    column = {port: at for port, (_, at, _) in drawn.items()}
    line = {port: at for port, (_, _, at) in drawn.items()}
    assert column["A"] < column["B"]
    assert line["C"] < line["D"]
    assert column["F"] < column["E"]
    assert line["H"] < line["G"]


# ---------------------------------------------------------------------- numbers and their way back


@pytest.mark.parametrize("size", SIZES)
def test_every_half_edge_is_a_place_and_back(size: int) -> None:
    places = [place_of(number, size) for number in range(8 * size * size)]
    assert len(set(places)) == len(places)
    assert [half_edge_of(place, size) for place in places] == list(range(len(places)))


@pytest.mark.parametrize("size", SIZES)
def test_across_an_edge_is_the_facing_port_of_the_next_square(size: int) -> None:
    links = fresh_links(size)
    for half_edge, across in enumerate(links.tolist()):
        x, y, port = oracle.across(place_of(half_edge, size))
        if oracle.on_board(x, y, size):
            assert place_of(across, size) == (x, y, port)
            assert links[across] == half_edge
        else:
            assert across == OFF_BOARD


@pytest.mark.parametrize("size", SIZES)
def test_the_start_spots_are_those_of_the_oracle_in_its_order(size: int) -> None:
    inward = [place_of(spot, size) for spot in inward_spots(size)]
    assert inward == oracle.course_spots(size)
    marks = [oracle.across(place_of(mark, size)) for mark in edge_marks(size)]
    assert marks == oracle.boxed_spots(size)
    assert len(set(inward)) == len(inward) == 4 * 4 + 4 * (size - 2) * 6
    assert len(set(marks)) == len(marks) == 8 * size


@pytest.mark.parametrize("size", SIZES)
def test_the_periphery_goes_round_once_from_square_to_neighbouring_square(size: int) -> None:
    ring = periphery(size)
    assert ring[0] == (0, 0)
    assert len(set(ring)) == len(ring) == 4 * (size - 1)
    for (x, y), (next_x, next_y) in zip(ring, (*ring[1:], ring[0]), strict=True):
        assert abs(x - next_x) + abs(y - next_y) == 1
        assert x in (0, size - 1) or y in (0, size - 1)
    assert ring[1] == (1, 0)  # clockwise


@pytest.mark.parametrize("size", SIZES)
def test_no_table_can_be_written_to(size: int) -> None:
    for table in (fresh_links(size), inward_spots(size), edge_marks(size)):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0


def test_connections_are_those_of_the_oracle() -> None:
    for orientation, row in enumerate(CONNECTIONS):
        expected = oracle.CONNECTIONS[orientation // 4][orientation % 4]
        assert {PORTS[a]: PORTS[b] for a, b in enumerate(row)} == expected


def test_the_plainest_orientation_looks_the_same_and_is_the_first_that_does() -> None:
    for orientation, plainest in enumerate(PLAINEST.tolist()):
        assert plainest // 4 == orientation // 4
        assert plainest % 4 == SMALLEST_ROTATION[orientation]
        assert (CONNECTIONS[plainest] == CONNECTIONS[orientation]).all()
        for smaller in range(4 * (orientation // 4), plainest):
            assert (CONNECTIONS[smaller] != CONNECTIONS[orientation]).any()


@pytest.mark.parametrize("rules", [Rules.course(4), Rules.course(), Rules.boxed(4), Rules.boxed()])
def test_every_start_action_is_a_placement_and_back(rules: Rules) -> None:
    referee = Referee(None, ["a", "b"], rules=rules, seed=1)
    for action in range(12, rules.num_actions):
        spot = int(referee._variant.spots[action - 12])
        placement = referee._placement(0, None if rules.is_boxed else Tile(0), spot)
        assert referee._half_edge(placement) == spot
        twin = referee.copy()
        twin.submit_action(action)
        if not rules.is_boxed:
            twin.submit_action(0)
        avatar = twin.board.avatar("white")
        assert avatar is not None
        assert (avatar.x, avatar.y, avatar.port) == (placement.x, placement.y, placement.port)
        assert Board.empty(rules).place_initial(placement).avatar("white") == avatar
