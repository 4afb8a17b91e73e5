"""Scenes show what lies on the table, and films of games that cannot be are refused."""

import copy
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.games_to_draw import (
    CORNERS,
    STRAIGHT,
    long_film,
    long_record,
    random_game,
    random_record,
)
from tsuro_env import Avatar, Board, InitialPlacement, Rules, Tile
from tsuro_env.drawing import Scene, scene_of, scenes_of
from tsuro_env.drawing.film import frames_of
from tsuro_env.drawing.geometry import (
    PORT_POINTS,
    Step,
    across,
    curve,
    length_of,
    lines_of,
    point_on,
    stripes,
)
from tsuro_env.drawing.palette import PAINTS
from tsuro_env.drawing.scene import ahead_of
from tsuro_env.engine.tables import PORTS
from tsuro_env.errors import RecordError
from tsuro_env.rules import COLORS

GAMES = [
    (Rules.course(), {"players": 5}),
    (Rules.course(board_size=6), {"players": 3, "illegal": 0.03}),
    (Rules.course(board_size=7), {"players": 8, "tiles": "cycle"}),
    (Rules.course(), {"players": 4, "setup": "random"}),
    (Rules.boxed(), {"players": 8}),
    (Rules.boxed(), {"players": 2, "illegal": 0.03}),
]

# --------------------------------------------------------------------------------- the geometry


def test_the_colours_are_those_of_the_rules_in_the_same_order() -> None:
    assert tuple(PAINTS) == COLORS
    assert len({paint.letter for paint in PAINTS.values()}) == len(COLORS)


def test_facing_ports_are_at_the_same_point() -> None:
    for port in range(8):
        x, y, facing = across(3, 3, port)
        assert np.allclose(np.add((3, 3), PORT_POINTS[port]), np.add((x, y), PORT_POINTS[facing]))
        assert across(x, y, facing) == (3, 3, port)


def test_lines_meet_the_side_at_a_right_angle_and_stay_inside_the_square() -> None:
    for a in range(8):
        for b in range(8):
            if a != b:
                line = curve(a, b)
                assert curve(b, a) == line[::-1]
                assert all(0 <= value <= 1 for i in range(21) for value in point_on(line, i / 20))
                start, control = line[:2]
                side = 1 if a in (0, 1, 4, 5) else 0  # the coordinate that must change alone
                assert start[1 - side] == control[1 - side]
                assert start[side] != control[side]


def test_the_lines_of_a_tile_are_its_connections() -> None:
    for tile in Tile.all():
        assert [PORTS[a] + PORTS[b] for a, b in lines_of(tile)] == list(tile.connections)


def test_everybody_gets_as_many_stripes_of_a_line() -> None:
    assert length_of(0, 5) == pytest.approx(1)
    for parts in range(1, 9):
        assert all(stripes(a, b, parts) % parts == 0 for a in range(8) for b in range(8) if a != b)
        assert stripes(0, 5, parts) >= parts


# ------------------------------------------------------------------------------- boards as scenes


def test_of_a_board_the_line_behind_each_avatar_is_its_trail() -> None:
    tiles = {(0, 1): STRAIGHT, (1, 1): STRAIGHT, (2, 1): CORNERS}
    board = Board.build(Rules.course(board_size=4), tiles, {"red": (2, 1, "A")})
    scene = Scene.of_board(board)
    assert scene.tiles == tiles
    assert scene.trails == {"red": (Step(0, 1, 7, 2), Step(1, 1, 7, 2), Step(2, 1, 7, 0))}
    assert scene.faced == {(2, 0): ("red",)}


def test_an_avatar_at_the_border_faces_the_square_it_stands_at() -> None:
    board = Board.empty(Rules.boxed()).place_initial(InitialPlacement(None, "blue", "H", 0, 2))
    scene = Scene.of_board(board)
    assert scene.faced == {(0, 2): ("blue",)}
    assert scene.trails == {}


def test_two_avatars_that_face_the_same_square_are_both_named() -> None:
    avatars = {"white": Avatar(0, 0, "C"), "black": Avatar(2, 0, "H")}
    scene = Scene(3, {(0, 0): STRAIGHT, (2, 0): STRAIGHT}, avatars)
    assert scene.faced == {(1, 0): ("white", "black")}


def test_a_line_that_two_have_walked_names_both_whichever_way_they_went() -> None:
    trails = {"white": (Step(0, 0, 2, 7),), "black": (Step(0, 0, 7, 2), Step(0, 0, 0, 5))}
    scene = Scene(3, {(0, 0): STRAIGHT}, trails=trails)
    assert scene.walked == {(0, 0): {(2, 7): ["white", "black"], (0, 5): ["black"]}}


def test_a_board_shows_itself_in_notebooks() -> None:
    board = Board.build(Rules.course(), {(3, 0): STRAIGHT}, {"green": (3, 0, "F")})
    svg = board._repr_svg_()
    assert svg.startswith("<svg")
    assert svg.count('class="tile"') == svg.count('class="avatar"') == 1


# -------------------------------------------------------------------------------- games as scenes


@pytest.mark.parametrize(("rules", "more"), GAMES)
def test_the_scene_of_a_referee_is_his_board_and_his_question(
    rules: Rules, more: dict[str, Any]
) -> None:
    shown = 0
    for seed in range(2):
        for referee in random_game(seed, rules, **more):
            scene, board, pending = scene_of(referee), referee.board, referee.pending
            assert scene.tiles == board.tiles
            assert scene.avatars == board.avatars
            assert {color for color in scene.trails if color in board.colors} == {
                color for color, avatar in board.avatars.items() if avatar.on_tile
            }
            if pending is not None:
                assert (scene.mover, scene.hand) == (pending.color, pending.tiles)
                assert pending.color.capitalize() in scene.caption
            shown += 1
        assert scene.mover is None
        assert "win" in scene.caption
    assert shown > 10


@pytest.mark.parametrize(("rules", "more"), GAMES)
def test_a_film_ends_with_the_position_that_the_referee_shows(
    rules: Rules, more: dict[str, Any]
) -> None:
    for seed in range(4):
        *_, referee = random_game(seed, rules, **more)
        film, scene = scenes_of(referee.record), scene_of(referee)
        assert len(film) == len(referee.record["moves"]) + 1
        last = film[-1]
        for field in ("tiles", "avatars", "trails", "seats", "caption", "note"):
            assert getattr(last, field) == getattr(scene, field)
        for before, after in pairwise(film):
            assert set(before.tiles) <= set(after.tiles)


def test_the_square_chosen_for_a_first_tile_is_shown_until_the_tile_is_chosen() -> None:
    spots = [scene_of(referee).spot for referee in random_game(5, players=3)]
    assert [spot is not None for spot in spots[:6]] == [False, True] * 3
    assert set(spots[6:]) == {None}
    referees = random_game(5, players=3)
    scene = [scene_of(next(referees)) for _ in range(2)][1]
    assert scene.spot is not None
    assert scene.faced == {scene.spot: ("white",)}


def test_a_trail_begins_on_the_first_tile_even_if_the_line_goes_on_behind_it() -> None:
    for scene in long_film():
        for color, trail in scene.trails.items():
            x, y, _, _ = trail[0]
            assert x in (0, 9) or y in (0, 9), color
            assert all(across(a.x, a.y, a.leave) == (b.x, b.y, b.enter) for a, b in pairwise(trail))
    # In a game of five some line is longer than what its owner walked.
    last = long_film()[-1]
    board = Board.build(Rules.course(), last.tiles, {})
    assert any(
        board.tile_at(x, y) is not None
        for trail in last.trails.values()
        for x, y, _ in [across(trail[0].x, trail[0].y, trail[0].enter)]
        if 0 <= x < 10 and 0 <= y < 10
    )


def test_the_last_scene_tells_everybodys_rank_and_fate() -> None:
    record, last = long_record(), long_film()[-1]
    ranks = {color: rank for rank, group in enumerate(record["ranking"], 1) for color in group}
    reasons = {out["color"]: out["reason"] for move in record["moves"] for out in move["out"]}
    for seat in last.seats:
        assert seat.rank == ranks.get(seat.color)
        assert seat.reason == reasons.get(seat.color, "")
    assert last.beaten == {color for color in reasons if ranks[color] > 1}
    assert last.caption.endswith("Green and blue share the win")


def test_walks_begin_where_the_avatar_stood_and_end_where_it_stands() -> None:
    walks = 0
    for before, after in pairwise(frames_of(long_record())):
        for color, trail in after.move.walks.items():
            if color in before.scene.avatars:
                walks += 1
                first, last = trail[0], trail[-1]
                stood = ahead_of(before.scene.avatars[color])
                assert stood == (first.x, first.y, first.enter)
                avatar = after.scene.avatars.get(color)
                assert avatar in (None, (last.x, last.y, PORTS[last.leave], True))
    assert walks > 40


def test_who_broke_a_rule_is_taken_off_and_no_tile_is_laid() -> None:
    record = next(r for r in (random_record(s, illegal=0.1) for s in range(50)) if r["cheaters"])
    number = next(i for i, m in enumerate(record["moves"], 1) if not m["placed"] and m["out"])
    before, after = scenes_of(record)[number - 1 : number + 1]
    gone = record["moves"][number - 1]["out"][0]
    assert after.tiles == before.tiles
    assert gone["color"] not in after.avatars
    assert {seat.color: seat.reason for seat in after.seats}[gone["color"]] == gone["reason"]
    trail = before.trails.get(gone["color"])
    assert scenes_of(record)[-1].trails.get(gone["color"]) == trail


def test_a_player_who_fails_after_the_end_is_shown_with_its_fault() -> None:
    record = copy.deepcopy(long_record())
    winner = record["ranking"][0].pop(0)
    record["after"] = [{"color": winner, "reason": "exception", "detail": "game_over failed"}]
    seat = next(s for s in scenes_of(record)[-1].seats if s.color == winner)
    assert (seat.rank, seat.reason, seat.fate) == (None, "exception", "failed")


def test_a_game_that_goes_on_can_be_shown() -> None:
    record = copy.deepcopy(long_record())
    record["ranking"], record["moves"] = None, record["moves"][:9]
    last = scenes_of(record)[-1]
    assert "win" not in last.caption
    assert not any(seat.rank for seat in last.seats)


# ------------------------------------------------------------------------------------ bad records


def spoilt(record: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    record = copy.deepcopy(record)
    target: Any = record
    for key in path[:-1]:
        target = target[key]
    if value is KeyError:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return record


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("format",), "chess", "no game record"),
        (("version",), 2, "version 2"),
        (("moves",), KeyError, "'moves' is missing"),
        (("rules", "board_size"), "ten", "the record: "),
        (("rules", "board_size"), 10**9, "the record: board_size 1000000000: expected 1 to 24"),
        (("players", 0, "color"), "pink", "the record: .*'pink'"),
        (("players", 1, "color"), "white", "expected a colour of their own for each"),
        (("players", 1), 7, "the record: "),
        (("moves", 0), None, "move 1 of the record: "),
        (("moves", 0, "kind"), "pass", "move 1 of the record: kind 'pass'"),
        (("moves", 0, "answer"), 7, "move 1 of the record: "),
        (("moves", 0, "answer", 0), [35, 0], "move 1 of the record: .*35"),
        (("moves", 0, "answer", 0), [3, 45], "move 1 of the record: .*45"),
        (("moves", 0, "answer", 2), "Z", "move 1 of the record: .*'Z'"),
        (("moves", 0, "answer", 3), 40, r"move 1 of the record: square \(40"),
        (("moves", 0, "answer", 3), 0.5, r"move 1 of the record: square \(0.5"),
        (("moves", 0, "answer", 3), "0", r"move 1 of the record: square \('0'"),
        (("moves", 7, "color"), "grey", "move 8 of the record: colour 'grey'"),
        (("moves", 7, "out"), KeyError, "move 8 of the record: no 'out'"),
        (("moves", 7, "out"), [{"color": "grey"}], "move 8 of the record: colour 'grey'"),
        (("moves", 7, "dealt"), [99], "move 8 of the record: .*99"),
        (("ranking",), [["pink"]], "the end of the record: colour 'pink'"),
        (("ranking",), 7, "the end of the record: "),
        (("after",), [7], "the end of the record: "),
    ],
)
def test_a_bad_record_is_refused_and_the_move_is_named(
    path: tuple[Any, ...], value: Any, message: str
) -> None:
    with pytest.raises(RecordError, match=message):
        scenes_of(spoilt(long_record(), path, value))


def test_a_record_that_hides_an_exit_is_refused() -> None:
    moves = long_record()["moves"]
    number = next(i for i, m in enumerate(moves) if any(o["reason"] == "exit" for o in m["out"]))
    with pytest.raises(RecordError, match=f"move {number + 1} of the record: .* leaves the board"):
        scenes_of(spoilt(long_record(), ("moves", number, "out"), []))


@pytest.mark.parametrize("value", [None, [], "text", 3])
def test_what_is_no_object_is_no_record(value: Any) -> None:
    with pytest.raises(RecordError):
        scenes_of(value)
