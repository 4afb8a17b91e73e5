"""The text shows what lies on the board, fits the terminal, and is harmless."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from tests.games_to_draw import CORNERS, STRAIGHT, busy_scene, long_film, one_tile, random_record
from tsuro_env import Avatar, Rules, Tile
from tsuro_env.drawing import Scene, Seat, scenes_of, to_text
from tsuro_env.drawing.geometry import Step
from tsuro_env.drawing.palette import PAINTS
from tsuro_env.engine.tables import CONNECTIONS, PORTS

MODES = [(color, unicode) for color in (True, False) for unicode in (True, False)]


def bare(text: str) -> list[str]:
    return re.sub(r"\x1b\[[\d;]*m", "", text).splitlines()


@pytest.mark.parametrize(("color", "unicode"), MODES)
def test_every_scene_of_a_game_on_ten_by_ten_fits_eighty_columns(
    color: bool, unicode: bool
) -> None:
    for scene in long_film():
        text = to_text(scene, color, unicode)
        assert max(map(len, bare(text))) <= 80
        assert color == ("\x1b" in text)
        assert unicode or text.isascii()


@pytest.mark.parametrize("size", [4, 6, 11, 16, 24])
@pytest.mark.parametrize(("color", "unicode"), MODES)
def test_other_sizes_can_be_drawn_too(size: int, color: bool, unicode: bool) -> None:
    scene = scenes_of(random_record(1, Rules.course(board_size=size), players=2))[-1]
    lines = bare(to_text(scene, color, unicode))
    assert max(map(len, lines)) <= max(80, 6 + 5 * size)


@pytest.mark.parametrize("walked", [False, True])
def test_the_signs_of_the_plain_text_can_be_read_back_to_the_tiles(walked: bool) -> None:
    last = long_film()[-1]
    board = Scene(last.size, last.tiles, trails=last.trails if walked else {})
    lines = bare(to_text(board, color=False, unicode=False))[2:]
    column = {"H": 0, "G": 0, "A": 2, "F": 2, "B": 3, "E": 3, "C": 5, "D": 5}
    for x in range(board.size):
        for y in range(board.size):
            rows = [lines[3 * y + r].ljust(80)[3 + 7 * x :][:6] for r in (0, 1)]
            signs = [rows[port in "DEFG"][column[port]] for port in PORTS]
            if (x, y) in board.tiles:
                partners = [
                    next(b for b in range(8) if b != a and signs[b] == signs[a]) for a in range(8)
                ]
                assert partners == CONNECTIONS[board.tiles[x, y].orientation].tolist()
            else:
                assert set(signs) == {" "}


def dot(lines: list[str], x: int, y: int) -> bool:
    """Whether a braille dot is set, counted from the board's top left dot."""
    letter = lines[2 + y // 4].ljust(80)[3 + x // 2]
    bit = ((0, 3), (1, 4), (2, 5), (6, 7))[y % 4][x % 2]
    return bool(ord(letter) - 0x2800 >> bit & 1) if letter >= "\u2800" else False


def test_in_braille_every_port_of_every_tile_has_a_dot_and_empty_squares_have_none() -> None:
    scene = busy_scene()
    lines = bare(to_text(Scene(scene.size, scene.tiles), color=True))
    ports = [(4, 0), (9, 0), (13, 3), (13, 8), (9, 11), (4, 11), (0, 8), (0, 3)]
    for x in range(scene.size):
        for y in range(scene.size):
            dots = [dot(lines, 14 * x + px, 12 * y + py) for px, py in ports]
            assert dots == [(x, y) in scene.tiles] * 8


@pytest.mark.parametrize("unicode", [True, False])
def test_an_avatar_is_its_letter_and_an_arrow_into_the_square_it_faces(unicode: bool) -> None:
    avatars = {"red": Avatar(1, 1, "C"), "blue": Avatar(0, 0, "A", on_tile=False)}
    text = to_text(one_tile(avatars=avatars), color=False, unicode=unicode)
    assert ("R▶" if unicode else "R>") in text
    rows = text.splitlines()
    row = next(i for i, line in enumerate(rows) if "U" in line)
    column = rows[row].index("U")
    assert rows[row + 1][column] == ("▼" if unicode else "v")


def test_without_colours_the_letters_of_the_colours_run_along_the_trails() -> None:
    tiles = {(x, 1): STRAIGHT for x in range(3)}
    trail = tuple(Step(x, 1, 7, 2) for x in range(3))
    alone = Scene(4, tiles, trails={"green": trail})
    assert Counter(to_text(alone, color=False))["g"] == 3
    together = Scene(4, tiles, trails={"green": trail, "red": trail[1:]})
    letters = Counter(to_text(together, color=False))
    assert (letters["g"], letters["r"]) == (3, 2)


def test_in_colour_everybody_who_walked_a_line_has_a_stretch_of_it() -> None:
    trail = (Step(1, 1, 7, 2),)
    text = to_text(one_tile(trails={"red": trail, "blue": trail}), color=True)
    for color in ("red", "blue"):
        assert f"38;5;{PAINTS[color].terminal};" in text


def test_the_text_names_who_is_out_and_why_who_moves_and_the_hand() -> None:
    seats = (
        Seat("white", "Ann"),
        Seat("black", "Bob", "loop", rank=2),
        Seat("red", "Cy", "illegal"),
    )
    hand = (STRAIGHT, Tile(28, 90))
    scene = one_tile(seats=seats, mover="white", hand=hand, chosen=1, caption="go")
    lines = to_text(scene, color=False).splitlines()
    assert lines[0] == "go"
    assert any(re.search("▸ +W +white +Ann$", line) for line in lines)
    assert any(re.search("B +black +Bob +rank 2, caught in a loop$", line) for line in lines)
    assert any(re.search("R +red +Cy +illegal move$", line) for line in lines)
    assert any(re.search(r"2 +\*28 at 90", line) for line in lines)


def test_names_cannot_send_codes_to_the_terminal_or_widen_the_picture() -> None:
    names = ["\x1b[2Jboom\r\n", "漢字" * 60, "e\u0301" * 90, "x" * 500, "\u202e\ud800"]
    seats = tuple(Seat(c, n) for c, n in zip(PAINTS, names, strict=False))
    for color, unicode in MODES:
        text = to_text(one_tile(CORNERS, seats=seats, caption="y" * 300), color, unicode)
        for sign in ("\x1b[2J", "\r", "\u202e", "\ud800"):
            assert sign not in text
        wide = [sum(2 if c in "漢字" else c != "\u0301" for c in line) for line in bare(text)]
        assert max(wide) <= 80


@pytest.mark.parametrize("unicode", [True, False])
def test_avatars_on_one_port_stand_one_behind_the_other(unicode: bool) -> None:
    avatars = {color: Avatar(1, 1, "C") for color in ("red", "green", "blue")}
    text = to_text(one_tile(avatars=avatars), color=False, unicode=unicode)
    assert ("UGR▶" if unicode else "UGR>") in text


@pytest.mark.parametrize("size", [4, 10, 24])
@pytest.mark.parametrize("unicode", [True, False])
def test_a_crowd_on_one_port_stays_on_its_tile(size: int, unicode: bool) -> None:
    for port in PORTS:
        for x, y in ((0, 0), (size - 1, size - 1)):
            scene = Scene(size, {(x, y): STRAIGHT})
            crowd = replace(scene, avatars=dict.fromkeys(PAINTS, Avatar(x, y, port)))
            before = to_text(scene, color=False, unicode=unicode).splitlines()
            after = to_text(crowd, color=False, unicode=unicode).splitlines()
            assert len(before) == len(after)
            assert sum(one != other for one, other in zip(before, after, strict=True)) <= 7
