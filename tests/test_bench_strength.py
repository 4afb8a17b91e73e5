"""`python -m bench.strength` measures the rows that it is asked for, and says what is missing."""

import json

import pytest

from bench import strength
from bench.strength import ROWS, Row, as_text, rows_called
from evaluation import Estimate, Standing


def standing(share: float, low: float, milliseconds: float = 1.0) -> Standing:
    estimate = Estimate(share, low, 2 * share - low)
    return Standing("somebody", 1, 10_000, estimate, estimate, estimate, milliseconds / 1000, 0)


def test_a_row_is_measured_and_judged(capsys: pytest.CaptureFixture[str]) -> None:
    strength.main(["--only", "greedy/course/2", "--games", "40", "--json"])
    (line,) = capsys.readouterr().out.splitlines()
    row = json.loads(line)
    assert row["name"] == "greedy/course/2/random"
    found = row["found"]
    assert found["games"] == 40
    assert found["faults"] == 0
    assert found["win_share"]["low"] < found["win_share"]["value"] <= found["win_share"]["high"]
    assert found["win_share"]["value"] > 0.6
    assert row["met"] == (found["win_share"]["value"] >= row["target"] == 0.83)
    assert 0 < found["seconds_per_move"] < 0.1


def test_the_table_fits_a_terminal_and_says_which_models_are_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strength, "shipped_models", dict)
    strength.main(["--only", "greedy/boxed/4", "learned+search", "tsuro-course-4p", "--games", "8"])
    header, *lines = capsys.readouterr().out.splitlines()
    assert header.split()[:2] == ["player", "against"]
    assert [line.split()[0] for line in lines] == [
        "tsuro-course-4p",
        "tsuro-course-4p",
        "learned+search",
        "learned+search",
        "greedy",
    ]
    assert [line.partition("no such model: ")[2] for line in lines] == [
        "tsuro-course-4p",
        "tsuro-course-4p",
        "tsuro-course-4p",
        "tsuro-course-2p",
        "",
    ]
    for row in ROWS:
        for found in (None, standing(0.25, 0.2, 0.00123), standing(0.25, 0.2, 123.4)):
            assert len(as_text(row, found)) <= 80


def test_a_target_is_for_the_share_or_for_the_lower_end_and_within_the_time() -> None:
    share, low = Row("a", "b", 4, "course", 0.3), Row("a", "b", 4, "course", 0.3, certain=True)
    assert share.met(standing(0.30, 0.28))
    assert not share.met(standing(0.29, 0.28))
    assert not share.met(standing(0.35, 0.34, milliseconds=120))
    assert low.met(standing(0.33, 0.31))
    assert not low.met(standing(0.33, 0.29))
    assert Row("a", "b", 4, "course").met(standing(0.9, 0.8)) is None


def test_rows_are_chosen_by_the_beginning_of_their_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert rows_called([]) == list(ROWS)
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert [row.name for row in rows_called(["mcts/boxed", "greedy/course/4"])] == [
        "greedy/course/4/random",
        "mcts/boxed/2/greedy",
    ]
    with pytest.raises(SystemExit):
        strength.main(["--only", "mct"])
    assert "no row is called mct; there are" in capsys.readouterr().err
