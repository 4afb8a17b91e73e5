"""The golden games are played as ever; see golden.py for how to write them anew."""

import pytest

from tests.golden import FOLDER, GAMES, first_difference


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_played_line_by_line_as_ever(name: str) -> None:
    difference = first_difference(name)
    assert not difference, f"the first difference:\n{difference}"


def test_there_is_a_file_for_every_game_and_no_other() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(GAMES)
