"""The rule checker: verdicts with reasons, and the legal options of a position."""

import re
from typing import Any

import pytest

from tests.oracle import OracleGame
from tsuro_env import (
    Board,
    ColorError,
    InitialPlacement,
    Referee,
    RuleChecker,
    Rules,
    Tile,
    TsuroError,
    Verdict,
)

CHECK = RuleChecker()
STRAIGHT, TURNS_BACK, CORNERS = Tile(2), Tile(34), Tile(4)
DEALT = [STRAIGHT, CORNERS, TURNS_BACK]
EVERY_TURN = [tile.rotated(degrees) for tile in Tile.all() for degrees in (0, 90, 180, 270)]


def place(tile: Any, port: str, x: int, y: int, color: str = "white") -> InitialPlacement:
    return InitialPlacement(tile, color, port, x, y)


def board_of(tiles: dict[tuple[int, int], Tile], avatars: dict[str, tuple[int, int, str]]) -> Board:
    return Board.build(Rules.course(), tiles, avatars)


# ------------------------------------------------------------------------------- first placements


def test_a_legal_first_placement_is_true_and_has_no_reason() -> None:
    verdict = CHECK.check_initial(Board.empty(), DEALT, place(STRAIGHT, "E", 4, 0))
    assert verdict == Verdict(True, "")
    assert verdict


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_dealt_tile_may_be_turned(degrees: int) -> None:
    assert CHECK.check_initial(Board.empty(), [Tile(5)], place(Tile(5, degrees), "E", 4, 0))


@pytest.mark.parametrize("corner", [(0, 0), (9, 0), (9, 9), (0, 9)])
def test_corners_belong_to_the_periphery(corner: tuple[int, int]) -> None:
    inward = [
        port
        for port in "ABCDEFGH"
        if CHECK.check_initial(Board.empty(), DEALT, place(STRAIGHT, port, *corner))
    ]
    assert len(inward) == 4


@pytest.mark.parametrize(
    ("placement", "reason"),
    [
        (place(Tile(7), "E", 4, 0), r"Tile\(7, 0\) is none of the tiles dealt: 2, 4, 34"),
        (place(None, "E", 4, 0), "None is none of the tiles dealt"),
        (place((2, 0), "E", 4, 0), "is none of the tiles dealt"),
        (place(STRAIGHT, "E", 4, 4), r"\(4, 4\) is no free square on the periphery"),
        (place(STRAIGHT, "A", 4, 0), "port A .* faces out of the board"),
        (place(STRAIGHT, "E", 4, 10), "coordinates are 0 to 9"),
        (place(STRAIGHT, "X", 4, 0), "a letter from A to H"),
        (place(STRAIGHT, "E", 4, 0, "pink"), "unknown colour 'pink'"),
        (place(STRAIGHT, "E", 7, 0, "red"), "red is on the board already"),
        (place(STRAIGHT, "C", 8, 9), r"\(8, 9\) has a tile already"),
        (place(STRAIGHT, "A", 7, 9), "without a neighbouring tile"),
        (place(STRAIGHT, "C", 7, 9), r"port C of \(7, 9\) faces a tile"),
        (place(STRAIGHT, "A", 9, 9), "without a neighbouring tile"),
    ],
)
def test_an_illegal_first_placement_says_why(placement: InitialPlacement, reason: str) -> None:
    board = board_of({(8, 9): STRAIGHT}, {"red": (8, 9, "A")})
    verdict = CHECK.check_initial(board, DEALT, placement)
    assert not verdict
    assert re.search(reason, verdict.reason), verdict.reason


def test_a_tile_in_the_way_diagonally_is_no_neighbour() -> None:
    board = board_of({(8, 9): STRAIGHT}, {"red": (8, 9, "A")})
    assert CHECK.check_initial(board, DEALT, place(STRAIGHT, "A", 9, 8))


def test_the_legal_spots_are_208_at_first_and_those_of_the_oracle_later() -> None:
    board = Board.empty()
    assert len(CHECK.legal_spots(board)) == 208
    oracle = OracleGame("course", 10, 2, 0)
    assert CHECK.legal_spots(board) == oracle.spots
    oracle.tiles[4, 0] = (2, 0)
    board = board.place_initial(place(STRAIGHT, "E", 4, 0))
    expected = [oracle.spots[action - 12] for action in oracle.legal_actions()]
    assert CHECK.legal_spots(board) == expected
    assert all(square not in {spot[:2] for spot in expected} for square in [(3, 0), (4, 0), (5, 0)])


def test_exactly_the_legal_spots_pass_the_check() -> None:
    board = board_of({(4, 0): STRAIGHT, (0, 9): CORNERS}, {})
    legal = set(CHECK.legal_spots(board))
    for x in range(10):
        for y in range(10):
            for port in "ABCDEFGH":
                verdict = CHECK.check_initial(board, DEALT, place(STRAIGHT, port, x, y))
                assert bool(verdict) == ((x, y, port) in legal)


def test_in_boxed_a_start_is_any_free_mark_and_no_tile() -> None:
    board = Board.empty(Rules.boxed())
    assert len(CHECK.legal_spots(board)) == 48
    assert CHECK.check_initial(board, [], place(None, "A", 2, 0))
    board = board.place_initial(place(None, "A", 2, 0))
    assert "is taken" in CHECK.check_initial(board, [], place(None, "A", 2, 0, "black")).reason
    assert CHECK.check_initial(board, [], place(None, "B", 2, 0, "black"))
    assert "not on the edge" in CHECK.check_initial(board, [], place(None, "E", 2, 0, "red")).reason
    with_tile = CHECK.check_initial(board, DEALT, place(STRAIGHT, "B", 2, 0, "red"))
    assert "without a tile" in with_tile.reason


# ------------------------------------------------------------------------------------------- turns


def test_a_tile_that_was_not_dealt_is_illegal() -> None:
    board = board_of({(4, 0): STRAIGHT}, {"red": (4, 0, "E")})
    verdict = CHECK.check_turn(board, "red", [STRAIGHT, CORNERS], TURNS_BACK)
    assert verdict == Verdict(False, "Tile(34, 0) is none of the tiles dealt: 2, 4")


@pytest.mark.parametrize("answer", [None, 2, (2, 0), "Tile(2, 0)", object()])
def test_something_that_is_no_tile_was_not_dealt(answer: Any) -> None:
    board = board_of({(4, 0): STRAIGHT}, {"red": (4, 0, "E")})
    assert not CHECK.check_turn(board, "red", [STRAIGHT, CORNERS], answer)


def test_a_tile_that_claims_to_equal_all_others_was_not_dealt() -> None:
    class Liar(Tile):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return hash(STRAIGHT)

    board = board_of({(4, 0): STRAIGHT}, {"red": (4, 0, "E")})
    assert not CHECK.check_turn(board, "red", [STRAIGHT, CORNERS], Liar(2))


def test_leaving_the_board_is_illegal_where_something_else_is_fine() -> None:
    board = board_of({(0, 0): STRAIGHT}, {"red": (0, 0, "C")})
    verdict = CHECK.check_turn(board, "red", [CORNERS, STRAIGHT], CORNERS)
    assert not verdict
    assert verdict.reason.startswith("Tile(4, 0) leads red off the board, but ")
    assert CHECK.check_turn(board, "red", [CORNERS, STRAIGHT], STRAIGHT)


def test_pushing_others_out_is_fine() -> None:
    board = board_of(
        {(0, 0): STRAIGHT, (1, 1): STRAIGHT}, {"red": (0, 0, "D"), "blue": (1, 1, "B")}
    )
    after = board.place_tile("red", Tile(0))
    assert after.colors == ("red",)
    assert CHECK.check_turn(board, "red", [Tile(0), Tile(0)], Tile(0))


def test_making_another_avatar_loop_is_illegal_where_something_else_is_fine() -> None:
    board = board_of(
        {(3, 3): TURNS_BACK, (5, 3): STRAIGHT}, {"red": (3, 3, "C"), "blue": (5, 3, "H")}
    )
    verdict = CHECK.check_turn(board, "blue", [TURNS_BACK, STRAIGHT], TURNS_BACK)
    assert not verdict
    assert verdict.reason.startswith("Tile(34, 0) makes an avatar loop, but ")


def test_where_every_option_leaves_the_board_all_are_legal() -> None:
    # Red stands before the corner (0, 0): some tiles lead out of it however they are turned.
    board = board_of({(1, 0): STRAIGHT}, {"red": (1, 0, "H")})
    leading_out = [
        tile
        for tile in Tile.all()
        if all(board.trial("red", tile.rotated(d)) == "EXIT" for d in (0, 90, 180, 270))
    ]
    assert leading_out
    dealt = [leading_out[0], leading_out[-1]]
    for tile in EVERY_TURN:
        assert bool(CHECK.check_turn(board, "red", dealt, tile)) == (
            tile.index in {t.index for t in dealt}
        )


def test_where_every_option_loops_all_are_legal() -> None:
    board = board_of({(3, 3): TURNS_BACK}, {"red": (3, 3, "C")})
    dealt = [TURNS_BACK, TURNS_BACK]
    assert board.trial("red", TURNS_BACK) == "LOOP"
    assert CHECK.check_turn(board, "red", dealt, TURNS_BACK)
    assert CHECK.legal_turns(board, "red", dealt) == [TURNS_BACK]


def stuck_position() -> tuple[Board, list[Tile]]:
    """Red faces the corner (0, 0) from a tile that turns back; a tile leads out or back to it."""
    board = board_of({(1, 0): TURNS_BACK}, {"red": (1, 0, "H")})
    for one in Tile.all():
        for two in Tile.all():
            outcomes = {
                board.trial("red", t.rotated(d)) for t in (one, two) for d in (0, 90, 180, 270)
            }
            if outcomes == {"EXIT", "LOOP"}:
                return board, [one, two]
    raise AssertionError("no such tiles")


def test_where_exits_and_loops_are_mixed_and_nothing_is_fine_nothing_is_legal() -> None:
    board, dealt = stuck_position()
    assert CHECK.legal_turns(board, "red", dealt) == []
    for tile in (t.rotated(d) for t in dealt for d in (0, 90, 180, 270)):
        verdict = CHECK.check_turn(board, "red", dealt, tile)
        assert verdict == Verdict(
            False, "no option is legal: some leave the board, the others loop"
        )


def test_the_legal_turns_are_distinct_and_in_the_order_of_the_deal() -> None:
    board = board_of({(4, 0): STRAIGHT}, {"red": (4, 0, "E")})
    turns = CHECK.legal_turns(board, "red", [Tile(13), TURNS_BACK, Tile(13)])
    assert len(turns) == len(set(turns))
    order = [Tile(13, 90 * r) for r in range(4)] + [TURNS_BACK]
    assert turns == [tile for tile in order if tile in turns]


@pytest.mark.parametrize("seed", range(20))
def test_a_turn_passes_the_check_exactly_if_it_is_among_the_legal_turns(seed: int) -> None:
    referee = Referee(None, ["a", "b", "c"], rules=Rules.course(5), seed=seed, setup="random")
    while (pending := referee.pending) is not None:
        legal = CHECK.legal_turns(pending.board, pending.color, pending.tiles)
        assert legal
        for tile in EVERY_TURN[seed % 3 :: 3]:
            verdict = CHECK.check_turn(pending.board, pending.color, pending.tiles, tile)
            assert bool(verdict) == (tile in legal)
            assert bool(verdict) == (verdict.reason == "")
        referee.submit(legal[seed % len(legal)])


def test_a_colour_that_is_not_on_the_board_has_no_turn() -> None:
    board = board_of({(4, 0): STRAIGHT}, {"red": (4, 0, "E")})
    with pytest.raises(ColorError, match="blue is not on the board"):
        CHECK.legal_turns(board, "blue", [STRAIGHT, CORNERS])
    with pytest.raises(ColorError, match="unknown colour 'pink'"):
        CHECK.legal_turns(board, "pink", [STRAIGHT, CORNERS])


@pytest.mark.parametrize("count", [0, 4])
def test_a_turn_has_1_to_3_tiles_to_choose_from(count: int) -> None:
    board = board_of({(4, 0): STRAIGHT}, {"red": (4, 0, "E")})
    with pytest.raises(TsuroError, match=f"1 to 3 tiles to choose from, got {count}"):
        CHECK.legal_turns(board, "red", [STRAIGHT] * count)


def test_checking_changes_nothing() -> None:
    board = board_of({(4, 0): STRAIGHT}, {"red": (4, 0, "E")})
    before = board._state.copy()
    CHECK.check_turn(board, "red", DEALT, STRAIGHT)
    CHECK.legal_turns(board, "red", DEALT)
    CHECK.check_initial(board, DEALT, place(STRAIGHT, "E", 8, 0))
    for mine, theirs in zip(before, board._state, strict=True):
        assert (mine == theirs).all()
