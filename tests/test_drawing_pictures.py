"""SVG and pixels: what lies on the board is drawn, in colours that can be told apart."""

import re
from collections import Counter
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.games_to_draw import CORNERS, busy_scene, long_film, one_tile
from tsuro_env import Avatar
from tsuro_env.drawing import PictureError, Scene, Seat, to_rgb, to_svg
from tsuro_env.drawing.geometry import PORT_POINTS, Step, curve, lines_of, point_on
from tsuro_env.drawing.lettering import GLYPHS, fitted, text_mask, text_width, wrapped
from tsuro_env.drawing.palette import BOARD, LINE, PAINTS, TILE, rgb
from tsuro_env.drawing.picture import Place

SVG = "{http://www.w3.org/2000/svg}"

# --------------------------------------------------------------------------------------- the SVG


def classes(svg: str) -> Counter[str]:
    root = ElementTree.fromstring(svg)
    return Counter(node.get("class", "") for node in root.iter())


def test_the_svg_has_every_tile_step_avatar_and_arrow() -> None:
    scene = busy_scene()
    found = classes(to_svg(scene))
    assert found["tile"] == len(scene.tiles) + len(scene.hand)
    assert found["step"] == sum(len(trail) for trail in scene.trails.values())
    assert found["avatar"] == len(scene.avatars) + len(scene.seats)
    assert 0 < found["arrow"] <= len(scene.avatars)


def test_a_tile_of_the_svg_has_its_four_lines_from_port_to_port() -> None:
    root = ElementTree.fromstring(to_svg(one_tile(CORNERS)))
    tile = next(node for node in root.iter() if node.get("class") == "tile")
    place = Place.of(4, 1000)
    ends = set()
    for path in tile.iter(f"{SVG}path"):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", path.get("d", ""))]
        ends.add(tuple(round(n) for n in (*numbers[:2], *numbers[-2:])))
    assert ends == {
        tuple(
            round(value)
            for port in line
            for value in place.at(*np.add((1, 1), PORT_POINTS[port]).tolist())
        )
        for line in lines_of(CORNERS)
    }


def test_the_svg_escapes_names_and_stays_well_formed() -> None:
    names = ['<script>alert("1")</script>', "&amp; \x00\x1b 'q' \"", "]]>", "\ud800\u202e"]
    seats = tuple(Seat(c, n) for c, n in zip(PAINTS, names, strict=False))
    svg = to_svg(one_tile(seats=seats, caption='"><script/>', note="</svg>"))
    root = ElementTree.fromstring(svg.encode("utf-8"))
    assert not list(root.iter(f"{SVG}script"))
    texts = [node.text or "" for node in root.iter(f"{SVG}text")]
    assert any(text.startswith("<script>alert(") for text in texts)


def test_a_bare_board_has_no_panel() -> None:
    assert 'viewBox="0 0 1000 1000"' in to_svg(one_tile())
    assert 'viewBox="0 0 1400 1000"' in to_svg(one_tile(caption="go"))
    assert to_rgb(one_tile(), 300).shape == (300, 300, 3)


# ------------------------------------------------------------------------------------ the pixels


def pixel(image: Any, scene: Scene, x: float, y: float) -> tuple[int, ...]:
    """The colour at a point of the board, given in squares."""
    left, top = Place.of(scene.size, len(image)).at(x, y)
    return tuple(int(c) for c in image[int(top), int(left)])


def near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 24


def test_the_picture_is_an_array_of_bytes_of_the_height_asked_for() -> None:
    for scene in long_film()[::20]:
        image = to_rgb(scene, 500)
        assert image.shape == (500, 700, 3)
        assert image.dtype == np.uint8
        assert image.flags.writeable


def test_every_placed_tile_is_drawn_with_its_lines() -> None:
    scene = busy_scene()
    board = Scene(scene.size, scene.tiles)
    image, empty = to_rgb(board, 1000), to_rgb(Scene(scene.size), 1000)
    for x in range(scene.size):
        for y in range(scene.size):
            at = board, x + 0.1, y + 0.5
            assert near(pixel(image, *at), pixel(empty, *at)) != ((x, y) in scene.tiles)
    for (x, y), tile in scene.tiles.items():
        for line in lines_of(tile):
            px, py = point_on(curve(*line), 0.06)
            assert near(pixel(image, board, x + px, y + py), rgb(LINE))


@pytest.mark.parametrize("color", PAINTS)
def test_trails_and_stones_have_the_players_colour(color: str) -> None:
    avatars = {color: Avatar(1, 1, "H")}
    scene = one_tile(CORNERS, avatars=avatars, trails={color: (Step(1, 1, 0, 7),)})
    image = to_rgb(scene, 800)
    fill = rgb(PAINTS[color].fill)
    px, py = point_on(curve(0, 7), 0.6)
    assert near(pixel(image, scene, 1 + px, 1 + py), fill)
    assert near(pixel(image, scene, 1.0, 1 + 1 / 3 + 0.1), fill)
    other = point_on(curve(1, 2), 0.5)
    assert near(pixel(image, scene, 1 + other[0], 1 + other[1]), rgb(LINE))
    assert near(pixel(image, scene, 1.5, 1.5), rgb(TILE))


def test_of_a_shared_line_everybody_gets_a_fair_share() -> None:
    trail = (Step(1, 1, 7, 2),)
    colors = ("red", "green", "blue")
    image = to_rgb(one_tile(trails=dict.fromkeys(colors, trail)), 800).astype(int)
    share = {c: (np.abs(image - rgb(PAINTS[c].fill)).max(axis=2) < 9).sum() for c in colors}
    assert min(share.values()) > 0.6 * max(share.values())


def contrast(one: str, other: str) -> float:
    """As the accessibility guidelines count it: 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    shares = [c / 255 for c in rgb(color)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("color", PAINTS)
def test_every_colour_can_be_seen_on_tiles_and_on_the_board(color: str) -> None:
    """A dark fill is seen by itself, a light one by its dark edge."""
    paint = PAINTS[color]
    for ground in (TILE, BOARD):
        assert max(contrast(paint.fill, ground), contrast(paint.edge, ground)) > 1.7
    assert contrast(paint.fill, paint.edge) > 2.4
    assert contrast(paint.fill, paint.ink) > 3


def test_no_two_colours_look_alike() -> None:
    for one, other in combinations(PAINTS.values(), 2):
        assert np.linalg.norm(np.subtract(rgb(one.fill), rgb(other.fill))) > 80


def test_drawing_leaves_no_trace_in_the_next_picture() -> None:
    scene = busy_scene()
    empty = Scene(scene.size, seats=scene.seats)
    before = to_rgb(empty, 400)
    to_rgb(scene, 400)[...] = 0
    assert np.array_equal(to_rgb(empty, 400), before)
    assert np.array_equal(to_rgb(scene, 400), to_rgb(scene, 400))


def test_a_picture_too_small_for_its_board_is_refused() -> None:
    for size in (20, -1, 300.5, "big", None):
        with pytest.raises(PictureError, match="expected at least 120 pixels"):
            to_rgb(one_tile(), size)  # type: ignore[arg-type]
    assert to_rgb(Scene(24), 144).shape == (144, 144, 3)


# ------------------------------------------------------------------------------------ the letters


def test_every_sign_has_ink_and_unknown_letters_become_question_marks() -> None:
    masks = {sign: text_mask(sign, 24)[1] for sign in GLYPHS}
    assert all(mask.max() == 1 for mask in masks.values())
    assert len({mask.tobytes() for mask in masks.values()}) == len(GLYPHS)
    assert set(map(chr, range(33, 127))) <= set(GLYPHS)
    assert np.array_equal(text_mask("漢", 24)[1], masks["?"])
    assert np.array_equal(text_mask("é", 24)[1], masks["e"])
    assert text_mask("", 12)[1].max() == 0


def test_texts_are_cut_and_broken_to_the_room_there_is() -> None:
    assert fitted("short", 20, 500) == "short"
    cut = fitted("a name that is far too long" * 1000, 20, 100)
    assert cut.endswith("…")
    assert text_width(cut, 20) <= 100
    lines = wrapped("words " * 5000, 20, 200, most=3)
    assert len(lines) == 3
    assert all(text_width(line, 20) <= 200 for line in lines)
    assert wrapped("", 20, 200, most=3) == []
