"""The course's own cases through the harness, and the corners of its formats.

The cases are no part of the repository. They are read from the file that TSURO_COURSE_CASES names,
else from ../shared/cases/course_cases.jsonl beside the repository.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tsuro_cli import course_harness
from tsuro_cli.course_json import CourseFormatError
from tsuro_env import OffBoardError, PortError, TsuroError
from tsuro_env.errors import BoardError

REPOSITORY = Path(__file__).parents[1]
CASES = Path(
    os.environ.get("TSURO_COURSE_CASES")
    or REPOSITORY.parent / "shared" / "cases" / "course_cases.jsonl"
)
HARNESSES = {
    "tile": "xtiles",
    "board": "xboard",
    "rules": "xrules",
    "referee": "xref",
    "admin": "xadmin",
}


def read_cases() -> list[Any]:
    if not CASES.is_file() and "TSURO_COURSE_CASES" not in os.environ:
        missing = f"{CASES} is not there; name the file of cases in TSURO_COURSE_CASES"
        return [pytest.param({}, marks=pytest.mark.skip(reason=missing), id="missing")]
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines() if line]
    return [pytest.param(case, id=f"{case['kind']}-{i}") for i, case in enumerate(cases)]


def one_of_each_kind(cases: list[Any]) -> list[Any]:
    return list({case.values[0].get("kind"): case for case in cases}.values())


def answers(harness: str, *values: Any) -> list[Any]:
    """What the harness prints for these values, back from JSON."""
    text = "".join(json.dumps(value) for value in values)  # concatenated, with nothing between
    return [json.loads(line) for line in course_harness.answer(harness, text)]


@pytest.mark.parametrize("case", read_cases())
def test_every_case_of_the_course_is_answered_as_expected(case: dict[str, Any]) -> None:
    assert answers(HARNESSES[case["kind"]], *case["input"]) == case["expected"]


@pytest.mark.parametrize("case", one_of_each_kind(read_cases()))
def test_the_command_prints_what_the_cases_expect(case: dict[str, Any]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tsuro_cli", "harness", HARNESSES[case["kind"]]],
        input=" \n".join(json.dumps(value) for value in case["input"]),
        capture_output=True,
        encoding="utf-8",
        cwd=REPOSITORY,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert [json.loads(line) for line in run.stdout.splitlines()] == case["expected"]


# ----------------------------------------------------------------------------------------- xtiles


def test_xtiles_answers_each_value_in_turn() -> None:
    assert answers("xtiles", [0, 0, "A"], [34, 90, "G"], [4, 90, "A"]) == [
        ["if ", "A", " is the entrance, ", "E", " is the exit."],
        ["if ", "G", " is the entrance, ", "H", " is the exit."],
        ["if ", "A", " is the entrance, ", "H", " is the exit."],
    ]


def test_xtiles_of_nothing_is_nothing() -> None:
    assert course_harness.answer("xtiles", " \n") == []


# ----------------------------------------------------------------------------------------- xboard

STRAIGHT, BACK, UP = [2, 0], [34, 0], [4, 0]
"""Straight on; back beside where one came from; from the west to the north."""


def xboard(state: list[Any], *actions: Any) -> Any:
    (answer,) = answers("xboard", state, *actions)
    return answer


RED = [STRAIGHT, "red", "C", 0, 5]
BLUE = [STRAIGHT, "blue", "C", 0, 1]


def test_xboard_tells_where_red_stands_in_the_end() -> None:
    assert xboard([RED]) == RED
    assert xboard([RED, BLUE], ["red", STRAIGHT]) == [STRAIGHT, "red", "C", 1, 5]
    assert xboard([RED, BLUE], ["blue", STRAIGHT]) == RED


def test_xboard_writes_a_tile_with_the_smallest_degree() -> None:
    assert xboard([[[34, 270], "red", "C", 0, 5]]) == [[34, 0], "red", "C", 0, 5]
    assert xboard([RED], ["red", [2, 180]]) == [[2, 0], "red", "C", 1, 5]


def test_without_red_at_the_start_red_never_played() -> None:
    assert xboard([]) == "red never played"
    assert xboard([BLUE], ["blue", BACK]) == "red never played"
    assert xboard([BLUE], ["red", STRAIGHT]) == "red never played"


def test_red_died_when_it_left_the_board_by_its_own_tile_or_anothers() -> None:
    at_the_top = [STRAIGHT, "red", "C", 0, 0]
    assert xboard([at_the_top], ["red", UP]) == "red died"
    pushed = [STRAIGHT, "blue", "A", 1, 1]
    assert xboard([at_the_top, pushed], ["blue", UP]) == "red died"


def test_red_died_also_when_it_is_asked_to_move_afterwards() -> None:
    at_the_top = [STRAIGHT, "red", "C", 0, 0]
    assert xboard([at_the_top], ["red", UP], ["red", STRAIGHT], ["red", BACK]) == "red died"


def test_after_red_died_the_others_go_on() -> None:
    at_the_top = [STRAIGHT, "red", "C", 0, 0]
    turns_back = [BACK, "blue", "C", 0, 5]
    assert xboard([at_the_top, turns_back], ["red", UP], ["blue", BACK]) == "infinite"
    assert xboard([at_the_top, turns_back], ["red", UP], ["blue", STRAIGHT]) == "red died"


def test_somebody_else_who_left_the_board_moves_no_more() -> None:
    blue_at_the_top = [STRAIGHT, "blue", "C", 0, 0]
    moves = (["blue", UP], ["blue", STRAIGHT], ["red", STRAIGHT])
    assert xboard([blue_at_the_top, RED], *moves) == [STRAIGHT, "red", "C", 1, 5]


def test_infinite_is_the_first_loop_of_anybody() -> None:
    turns_back = [BACK, "blue", "C", 0, 1]
    assert xboard([RED, turns_back], ["red", STRAIGHT], ["blue", BACK]) == "infinite"
    assert xboard([[BACK, "red", "C", 0, 5]], ["red", BACK], ["red", STRAIGHT]) == "infinite"


def test_collision_is_the_first_new_meeting_of_any_two() -> None:
    def apart(color: str, other: str) -> list[Any]:
        return [[STRAIGHT, color, "D", 0, 0], [STRAIGHT, other, "D", 2, 0]]

    assert xboard(apart("red", "blue"), ["red", STRAIGHT]) == "collision"
    assert xboard([RED, *apart("white", "blue")], ["white", STRAIGHT]) == "collision"
    assert xboard(apart("red", "blue"), ["red", STRAIGHT], ["red", BACK]) == "collision"
    assert xboard(apart("red", "blue"), ["blue", STRAIGHT]) == apart("red", "blue")[0]


def test_avatars_that_stand_together_from_the_start_are_no_collision() -> None:
    together = [[STRAIGHT, "red", "C", 0, 5], [STRAIGHT, "blue", "C", 0, 5]]
    assert xboard(together, ["blue", STRAIGHT]) == [STRAIGHT, "red", "C", 1, 5]
    three = [*together, [STRAIGHT, "white", "G", 2, 5]]
    assert xboard(three, ["blue", STRAIGHT]) == [STRAIGHT, "red", "C", 2, 5]


@pytest.mark.parametrize(
    ("state", "error"),
    [
        ([[STRAIGHT, "red", "A", 0, 0]], PortError),
        ([RED, [STRAIGHT, 1, 5]], PortError),
        ([RED, [BACK, 0, 5]], CourseFormatError),
        ([RED, [STRAIGHT, "red", "C", 0, 8]], CourseFormatError),
        ([[STRAIGHT, "red", "C", 10, 5]], CourseFormatError),
        ([[STRAIGHT, "pink", "C", 0, 5]], CourseFormatError),
        ([[STRAIGHT, "orange", "C", 0, 5]], CourseFormatError),
        ([[[35, 0], 0, 5]], CourseFormatError),
        ([[[2, 45], 0, 5]], CourseFormatError),
        ([[STRAIGHT, "red", "I", 0, 5]], CourseFormatError),
        ([[STRAIGHT, "red", "C", 0]], CourseFormatError),
        ([[2, 0, 5]], CourseFormatError),
        ([[STRAIGHT, 0.0, 5]], CourseFormatError),
        ([[STRAIGHT, True, 5]], CourseFormatError),
        ({}, CourseFormatError),
        (None, CourseFormatError),
    ],
)
def test_a_board_that_cannot_be_is_an_error(state: Any, error: type[Exception]) -> None:
    for harness, rest in (("xboard", []), ("xrules", [[["red", STRAIGHT], 2, 2]])):
        with pytest.raises(error):
            answers(harness, state, *rest)


def test_one_square_may_be_named_twice_with_the_same_tile() -> None:
    two = [[[34, 0], "red", "C", 0, 5], [[34, 90], "blue", "A", 0, 5]]
    assert xboard(two) == [[34, 0], "red", "C", 0, 5]


@pytest.mark.parametrize(
    "action",
    [
        ["red"],
        ["red", 2],
        ["red", [2]],
        ["pink", STRAIGHT],
        [2, STRAIGHT],
        "red",
        None,
        {},
        ["red", [2, 0, 0]],
    ],
)
def test_an_action_of_another_shape_is_an_error(action: Any) -> None:
    with pytest.raises(CourseFormatError):
        answers("xboard", [RED], action)


def test_an_action_of_somebody_who_never_was_on_the_board_is_an_error() -> None:
    with pytest.raises(CourseFormatError, match="blue acts but was never on the board"):
        answers("xboard", [RED], ["blue", STRAIGHT])


# ----------------------------------------------------------------------------------------- xrules


def test_xrules_tells_legal_from_cheating() -> None:
    at_the_top = [[STRAIGHT, "red", "C", 0, 0]]
    assert answers("xrules", at_the_top, [["red", STRAIGHT], 2, 4]) == ["legal"]
    assert answers("xrules", at_the_top, [["red", UP], 2, 4]) == ["cheating"]
    assert answers("xrules", at_the_top, [["red", [5, 0]], 2, 4]) == ["cheating"]


def test_a_turn_of_somebody_who_is_not_on_the_board_is_an_error() -> None:
    with pytest.raises(CourseFormatError, match="blue is not on the board"):
        answers("xrules", [RED], [["blue", STRAIGHT], 2, 4])


@pytest.mark.parametrize(
    "values", [[], [[RED]], [[RED], [["red", STRAIGHT], 2, 4], 0], [[RED], ["red", STRAIGHT]]]
)
def test_xrules_takes_one_board_and_one_turn(values: list[Any]) -> None:
    with pytest.raises(CourseFormatError):
        answers("xrules", *values)


# --------------------------------------------------------------------------------- xref and xadmin


def test_equal_names_are_different_players() -> None:
    (result,) = answers("xref", ["a", "a", "a"])
    assert result == {"winners": [["a"]], "cheaters": ["a", "a"]}


@pytest.mark.parametrize("names", [[], ["a", "b"], list("abcdef"), "abc", ["a", "b", 3], {"a": 1}])
def test_xref_takes_three_to_five_names(names: Any) -> None:
    with pytest.raises(CourseFormatError):
        answers("xref", names)


def entrants(*strategies: str) -> list[dict[str, str]]:
    return [{"name": chr(97 + i), "strategy": s} for i, s in enumerate(strategies)]


def test_fewer_than_three_entrants_are_joint_winners() -> None:
    assert answers("xadmin", entrants("first-s.rkt", "x/second-s.py")) == [
        {"winners": [["a", "b"]]}
    ]
    assert answers("xadmin", entrants("third-s")) == [{"winners": [["a"]]}]
    assert answers("xadmin", []) == [{}]


@pytest.mark.parametrize("path", ["a/b/first-s.rkt", "FirstS.java", "..\\first_s.py", "first-s"])
def test_the_stem_of_the_path_names_the_strategy(path: str) -> None:
    (result,) = answers("xadmin", entrants(path, path, path))
    assert result == {"winners": [["a"]], "cheaters": ["b", "c"]}


@pytest.mark.parametrize("path", ["fourth-s.rkt", "first.rkt", "", "first-s/x.py", 3, None])
def test_any_other_strategy_is_an_error(path: Any) -> None:
    with pytest.raises(CourseFormatError):
        answers("xadmin", entrants("first-s.py", path))


def test_every_error_of_a_harness_is_a_value_error_of_the_package() -> None:
    for error in (CourseFormatError, PortError, OffBoardError, BoardError):
        assert issubclass(error, TsuroError)
