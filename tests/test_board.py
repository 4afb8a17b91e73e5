"""Boards: every operation, every typed error, and that a board is a value."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from tsuro_env import (
    COLORS,
    Avatar,
    Board,
    BoardError,
    ColorError,
    InitialPlacement,
    OccupiedError,
    OffBoardError,
    PortError,
    Rules,
    Tile,
    TileError,
    TsuroError,
)

STRAIGHT = Tile(2)  # AF BE CH DG: every path goes straight across
TURNS_BACK = Tile(34)  # AB CD EF GH: every path comes back beside itself
CROSSING = Tile(0)  # AE BF CH DG


def course(*placements: tuple[Tile, str, str, int, int]) -> Board:
    board = Board.empty()
    for tile, color, port, x, y in placements:
        board = board.place_initial(InitialPlacement(tile, color, port, x, y))
    return board


# --------------------------------------------------------------------------------- an empty board


@pytest.mark.parametrize("rules", [Rules.course(), Rules.boxed(), Rules.course(24), Rules.boxed(4)])
def test_an_empty_board_has_its_size_and_nothing_on_it(rules: Rules) -> None:
    board = Board.empty(rules)
    assert board.rules == rules
    assert board.size == rules.board_size
    assert board.dimensions == (rules.board_size, rules.board_size)
    assert (board.tiles, board.avatars, board.colors) == ({}, {}, ())
    assert board.tile_at(0, 0) is None
    assert board.avatars_at(0, 0) == {}
    assert all(board.avatar(color) is None for color in COLORS)


def test_without_rules_a_board_is_that_of_the_course() -> None:
    assert Board.empty() == Board.empty(Rules.course())


# ------------------------------------------------------------------------------ first placements


def test_a_first_placement_puts_down_the_tile_and_the_avatar() -> None:
    before = Board.empty()
    after = before.place_initial(InitialPlacement(Tile(13, 90), "red", "E", 4, 0))
    assert after.tile_at(4, 0) == Tile(13, 90)
    assert after.avatar("red") == Avatar(4, 0, "E")
    assert after.avatars_at(4, 0) == {"red": "E"}
    assert after.faced("red") == (4, 1)
    assert after.colors == ("red",)
    assert before == Board.empty()


def test_colours_are_listed_from_the_oldest_player_on() -> None:
    board = course((STRAIGHT, "blue", "E", 0, 0), (STRAIGHT, "white", "E", 4, 0))
    assert board.colors == ("white", "blue")
    assert list(board.avatars) == ["white", "blue"]


def test_a_first_tile_on_an_occupied_square_is_an_occupied_error() -> None:
    board = course((STRAIGHT, "red", "E", 4, 0))
    with pytest.raises(OccupiedError, match=r"\(4, 0\) has a tile"):
        board.place_initial(InitialPlacement(STRAIGHT, "blue", "E", 4, 0))


def test_a_first_tile_on_a_square_that_somebody_faces_is_an_occupied_error() -> None:
    # Nothing moves at a first placement, and no avatar may be left facing a tile.
    board = course((STRAIGHT, "red", "E", 4, 0))
    with pytest.raises(OccupiedError, match=r"\(4, 1\) is faced by red"):
        board.place_initial(InitialPlacement(STRAIGHT, "blue", "C", 4, 1))


def test_a_colour_that_is_on_the_board_cannot_be_placed_again() -> None:
    board = course((STRAIGHT, "red", "E", 4, 0))
    with pytest.raises(ColorError, match="red is on the board already"):
        board.place_initial(InitialPlacement(STRAIGHT, "red", "E", 8, 0))


@pytest.mark.parametrize(
    ("port", "x", "y"),
    [("A", 4, 0), ("B", 0, 0), ("C", 9, 3), ("D", 9, 9), ("E", 5, 9), ("H", 0, 5)],
)
def test_a_port_that_faces_outward_is_a_port_error(port: str, x: int, y: int) -> None:
    with pytest.raises(PortError, match=rf"port {port} of \({x}, {y}\) faces out of the board"):
        Board.empty().place_initial(InitialPlacement(STRAIGHT, "red", port, x, y))


def test_a_port_that_faces_a_tile_is_a_port_error() -> None:
    board = course((STRAIGHT, "red", "E", 4, 0))
    with pytest.raises(PortError, match=r"port G of \(5, 0\) faces a tile"):
        board.place_initial(InitialPlacement(STRAIGHT, "blue", "G", 5, 0))


@pytest.mark.parametrize(
    "place", [(-1, 0), (10, 0), (0, 10), (0, -1), (1.0, 0), ("1", 0), (None, 0)]
)
def test_a_first_placement_off_the_board_is_an_off_board_error(place: tuple[Any, Any]) -> None:
    with pytest.raises(OffBoardError, match="coordinates are 0 to 9") as error:
        Board.empty().place_initial(InitialPlacement(STRAIGHT, "red", "E", *place))
    assert f"({place[0]!r}, {place[1]!r})" in str(error.value)


@pytest.mark.parametrize("tile", [None, 3, (0, 0), "Tile(0, 0)"])
def test_a_first_placement_in_course_needs_a_tile(tile: Any) -> None:
    with pytest.raises(BoardError, match="needs a Tile, got") as error:
        Board.empty().place_initial(InitialPlacement(tile, "red", "E", 4, 0))
    assert repr(tile) in str(error.value)


@pytest.mark.parametrize("port", ["I", "a", "", 4, None])
def test_a_first_placement_with_an_unknown_port_is_a_tile_error(port: Any) -> None:
    with pytest.raises(TileError, match="a letter from A to H"):
        Board.empty().place_initial(InitialPlacement(STRAIGHT, "red", port, 4, 0))


@pytest.mark.parametrize("color", ["pink", "Red", "", None, 2, ["red"]])
def test_an_unknown_colour_is_a_colour_error_everywhere(color: Any) -> None:
    board = course((STRAIGHT, "red", "E", 4, 0))
    for attempt in (
        lambda: board.avatar(color),
        lambda: board.faced(color),
        lambda: board.place_tile(color, STRAIGHT),
        lambda: board.trial(color, STRAIGHT),
        lambda: board.place_initial(InitialPlacement(STRAIGHT, color, "E", 8, 0)),
        lambda: (
            Board.build(Rules.course(), {(4, 0): STRAIGHT}, {color: (4, 0, "E")})
            if isinstance(color, str)
            else board.avatar(color)
        ),
    ):
        with pytest.raises(ColorError, match="unknown colour") as error:
            attempt()
        assert repr(color) in str(error.value)


# --------------------------------------------------------------------------------- later tiles


def test_a_tile_goes_to_the_faced_square_and_its_avatar_walks() -> None:
    board = course((STRAIGHT, "red", "E", 4, 0))
    after = board.place_tile("red", STRAIGHT)
    assert after.tile_at(4, 1) == STRAIGHT
    assert after.avatar("red") == Avatar(4, 1, "E")
    assert after.faced("red") == (4, 2)
    assert board.tile_at(4, 1) is None


def test_an_avatar_walks_on_over_tiles_that_lie_there_already() -> None:
    tiles = {(4, y): STRAIGHT for y in (0, 2, 3, 4)}
    board = Board.build(Rules.course(), tiles, {"red": (4, 0, "F")})
    assert board.place_tile("red", STRAIGHT).avatar("red") == Avatar(4, 4, "F")


def test_everybody_who_faces_the_square_walks() -> None:
    board = course((STRAIGHT, "red", "E", 4, 0), (STRAIGHT, "blue", "C", 3, 1))
    after = board.place_tile("red", STRAIGHT)
    assert after.avatar("red") == Avatar(4, 1, "E")
    assert after.avatar("blue") == Avatar(4, 1, "C")
    assert after.avatars_at(4, 1) == {"red": "E", "blue": "C"}


def test_who_leaves_the_board_is_not_on_the_new_one() -> None:
    board = course((STRAIGHT, "red", "C", 0, 0), (STRAIGHT, "blue", "C", 5, 9))
    after = board.place_tile("red", Tile(4))  # AH ...: from H up and out at A
    assert after.colors == ("blue",)
    assert after.avatar("red") is None
    assert after.tile_at(1, 0) == Tile(4)


def test_two_avatars_on_one_port_move_together() -> None:
    together = Board.build(
        Rules.course(), {(4, 4): STRAIGHT}, {"red": (4, 4, "C"), "blue": (4, 4, "C")}
    )
    after = together.place_tile("red", STRAIGHT)
    assert after.avatar("red") == after.avatar("blue") == Avatar(5, 4, "C")


def test_where_anybody_loops_no_tile_is_placed_and_only_the_loopers_are_gone() -> None:
    # Red and blue face the same square; turning back, red loops through its own tile.
    board = Board.build(
        Rules.course(),
        {(3, 3): TURNS_BACK, (5, 3): STRAIGHT},
        {"red": (3, 3, "C"), "blue": (5, 3, "H")},
    )
    assert board.trial("red", TURNS_BACK) == "LOOP"
    assert board.trial("blue", TURNS_BACK) == "LOOP"
    after = board.place_tile("blue", TURNS_BACK)
    assert after.tile_at(4, 3) is None
    assert after.colors == ("blue",)
    assert after.avatar("blue") == board.avatar("blue")


def test_a_trial_tells_what_placing_would_do() -> None:
    board = course((STRAIGHT, "red", "C", 0, 0))
    assert board.trial("red", STRAIGHT) == "FINE"
    assert board.trial("red", Tile(4)) == "EXIT"
    assert board.tiles == {(0, 0): STRAIGHT}


def test_a_colour_that_is_not_on_the_board_cannot_move() -> None:
    board = course((STRAIGHT, "red", "E", 4, 0))
    for attempt in (
        lambda: board.place_tile("blue", STRAIGHT),
        lambda: board.trial("blue", STRAIGHT),
        lambda: board.faced("blue"),
    ):
        with pytest.raises(ColorError, match="blue is not on the board"):
            attempt()


@pytest.mark.parametrize("tile", [None, 0, (0, 90), "Tile(0, 0)"])
def test_placing_something_that_is_no_tile_is_a_board_error(tile: Any) -> None:
    board = course((STRAIGHT, "red", "E", 4, 0))
    for attempt in (lambda: board.place_tile("red", tile), lambda: board.trial("red", tile)):
        with pytest.raises(BoardError, match="expected a Tile") as error:
            attempt()
        assert repr(tile) in str(error.value)


@pytest.mark.parametrize("place", [(-1, 0), (0, 10), (10, 10), (0.0, 1), ("0", 0), (None, None)])
def test_looking_off_the_board_is_an_off_board_error(place: tuple[Any, Any]) -> None:
    board = Board.empty()
    for look in (board.tile_at, board.avatars_at):
        with pytest.raises(OffBoardError, match="off the board") as error:
            look(*place)
        assert f"({place[0]!r}, {place[1]!r})" in str(error.value)


# ----------------------------------------------------------------------- building one mid-game


def test_a_built_board_is_equal_to_the_played_one() -> None:
    played = course((Tile(13), "red", "E", 4, 0), (Tile(7), "blue", "E", 8, 0))
    played = played.place_tile("red", Tile(5, 90)).place_tile("blue", Tile(9))
    avatars = {color: (a.x, a.y, a.port) for color, a in played.avatars.items()}
    assert Board.build(Rules.course(), played.tiles, avatars) == played


def test_the_order_in_which_tiles_are_laid_does_not_matter() -> None:
    squares = [(x, y) for x in range(3) for y in range(3)]
    tiles = {square: Tile(7 * i % 35, 90 * (i % 4)) for i, square in enumerate(squares)}
    reverse = dict(reversed(tiles.items()))
    boards = [Board.build(Rules.course(), t, {"red": (2, 2, "C")}) for t in (tiles, reverse)]
    assert boards[0] == boards[1]
    for index in range(35):
        moved = [board.place_tile("red", Tile(index)) for board in boards]
        assert moved[0] == moved[1]


def test_an_avatar_on_a_square_without_a_tile_is_a_board_error() -> None:
    with pytest.raises(BoardError, match=r"red stands on \(4, 0\), where no tile lies"):
        Board.build(Rules.course(), {}, {"red": (4, 0, "E")})


def test_a_built_avatar_must_face_an_empty_square() -> None:
    tiles = {(4, 0): STRAIGHT, (4, 1): STRAIGHT}
    with pytest.raises(PortError, match=r"port E of \(4, 0\) faces a tile"):
        Board.build(Rules.course(), tiles, {"red": (4, 0, "E")})
    with pytest.raises(PortError, match=r"port A of \(4, 0\) faces out"):
        Board.build(Rules.course(), tiles, {"red": (4, 0, "A")})


def test_a_built_tile_off_the_board_or_of_another_kind_is_an_error() -> None:
    with pytest.raises(OffBoardError, match=r"\(10, 0\)"):
        Board.build(Rules.course(), {(10, 0): STRAIGHT}, {})
    wrong: Any = {(1, 0): (2, 0)}
    with pytest.raises(BoardError, match=r"expected a Tile, got \(2, 0\)"):
        Board.build(Rules.course(), wrong, {})


# ------------------------------------------------------------------------------------------ boxed


def boxed(port: str, x: int, y: int, color: str = "red") -> InitialPlacement:
    return InitialPlacement(None, color, port, x, y)


def test_in_boxed_an_avatar_starts_outside_on_an_edge_mark() -> None:
    board = Board.empty(Rules.boxed()).place_initial(boxed("A", 2, 0))
    assert board.avatar("red") == Avatar(2, 0, "A", on_tile=False)
    assert board.avatars_at(2, 0) == {}
    assert board.faced("red") == (2, 0)
    after = board.place_tile("red", STRAIGHT)
    assert after.avatar("red") == Avatar(2, 0, "F")
    assert after.avatars_at(2, 0) == {"red": "F"}


def test_in_boxed_a_mark_is_taken_once_only() -> None:
    board = Board.empty(Rules.boxed()).place_initial(boxed("A", 2, 0))
    with pytest.raises(OccupiedError, match=r"the mark A of \(2, 0\) is taken"):
        board.place_initial(boxed("A", 2, 0, "blue"))
    assert board.place_initial(boxed("B", 2, 0, "blue")).colors == ("red", "blue")


def test_in_boxed_a_mark_before_a_tile_is_occupied() -> None:
    board = Board.empty(Rules.boxed()).place_initial(boxed("A", 2, 0)).place_tile("red", STRAIGHT)
    with pytest.raises(OccupiedError, match=r"\(2, 0\) has a tile"):
        board.place_initial(boxed("B", 2, 0, "blue"))


def test_in_boxed_a_start_inside_is_a_port_error() -> None:
    with pytest.raises(PortError, match=r"port E of \(2, 0\) is not on the edge"):
        Board.empty(Rules.boxed()).place_initial(boxed("E", 2, 0))


def test_in_boxed_a_player_starts_without_a_tile() -> None:
    with pytest.raises(BoardError, match="starts without a tile"):
        Board.empty(Rules.boxed()).place_initial(InitialPlacement(STRAIGHT, "red", "A", 2, 0))


# --------------------------------------------------------------------------------------- a value


def test_equal_boards_hash_alike_and_others_differ() -> None:
    one = course((STRAIGHT, "red", "E", 4, 0))
    assert one == course((STRAIGHT, "red", "E", 4, 0))
    assert hash(one) == hash(course((STRAIGHT, "red", "E", 4, 0)))
    for other in (
        course((STRAIGHT, "red", "F", 4, 0)),
        course((STRAIGHT, "blue", "E", 4, 0)),
        course((CROSSING, "red", "E", 4, 0)),
        Board.empty(),
        Board.empty(Rules.course(11)),
        "a board",
    ):
        assert one != other


def test_a_board_survives_copying_and_pickling() -> None:
    board = course((STRAIGHT, "red", "E", 4, 0))
    for twin in (copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert twin == board
        assert twin.place_tile("red", STRAIGHT) == board.place_tile("red", STRAIGHT)


def test_a_deep_copy_shares_no_memory() -> None:
    board = course((STRAIGHT, "red", "E", 4, 0))
    twin = copy.deepcopy(board)
    for mine, theirs in zip(board._state, twin._state, strict=True):
        assert not np.shares_memory(mine, theirs)


@pytest.mark.parametrize("name", ["_state", "_rules", "size", "color"])
def test_a_board_does_not_change(name: str) -> None:
    board = Board.empty()
    with pytest.raises(AttributeError, match=f"does not change.*{name}"):
        setattr(board, name, None)
    with pytest.raises(AttributeError, match=f"does not change.*{name}"):
        delattr(board, name)


def test_what_a_board_hands_out_is_not_its_own() -> None:
    board = course((STRAIGHT, "red", "E", 4, 0))
    board.tiles.clear()
    board.avatars.clear()
    board.avatars_at(4, 0).clear()
    assert board == course((STRAIGHT, "red", "E", 4, 0))
    assert len(board.tiles) == len(board.avatars) == len(board.avatars_at(4, 0)) == 1


def test_the_repr_says_what_is_on_it() -> None:
    assert repr(Board.empty()) == "<Board 10x10, 0 tiles, empty>"
    assert repr(course((STRAIGHT, "red", "E", 4, 0))) == "<Board 10x10, 1 tiles, red>"


@pytest.mark.parametrize("error", [OffBoardError, OccupiedError, ColorError, PortError])
def test_every_board_error_is_its_own_kind_of_value_error(error: type[Exception]) -> None:
    assert issubclass(error, BoardError)
    assert issubclass(BoardError, TsuroError)
    assert issubclass(error, ValueError)
