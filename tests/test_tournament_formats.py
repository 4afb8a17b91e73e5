"""The formats of tournaments: who meets whom, and the ranking."""

import itertools
from collections import Counter
from collections.abc import Callable

import pytest

from evaluation.formats import (
    FORMATS,
    Fixture,
    FormatError,
    Plan,
    Ranking,
    Ranks,
    _even_sizes,
    score,
)


def hold(
    format_: str, plan: Plan, play: Callable[[Fixture], Ranks]
) -> tuple[list[list[Fixture]], Ranking]:
    """Every round's fixtures, and the ranking."""
    schedule = FORMATS[format_](plan)
    rounds = [next(schedule)]
    try:
        while True:
            rounds.append(schedule.send([play(fixture) for fixture in rounds[-1]]))
    except StopIteration as end:
        return rounds, end.value


def oldest_wins(fixture: Fixture) -> Ranks:
    """Entrants beat those with higher numbers."""
    order = sorted(fixture.seats)
    return [order.index(entrant) + 1 for entrant in fixture.seats]


def test_a_round_robin_has_every_table_in_every_rotation() -> None:
    (fixtures,), ranking = hold("round-robin", Plan(5, 0, table_size=3, rounds=2), oldest_wins)
    assert len(fixtures) == 10 * 3 * 2
    tables = Counter(frozenset(fixture.seats) for fixture in fixtures)
    assert tables == {frozenset(t): 6 for t in itertools.combinations(range(5), 3)}
    seats = Counter((entrant, seat) for f in fixtures for seat, entrant in enumerate(f.seats))
    assert set(seats.values()) == {12}
    for _, block in itertools.groupby(fixtures, key=lambda fixture: fixture.block):
        first, *others = block
        for moved, other in enumerate(others, 1):
            assert other.seats == first.seats[moved:] + first.seats[:moved]
            assert other.moved == moved
    assert ranking == [[0], [1], [2], [3], [4]]


def test_a_knockout_plays_one_game_a_table_and_the_first_two_ranks_go_on() -> None:
    rounds, ranking = hold("knockout", Plan(16, 0), oldest_wins)
    assert [[fixture.seats for fixture in fixtures] for fixtures in rounds] == [
        [(0, 1, 2, 3, 4), (5, 6, 7, 8, 9), (10, 11, 12), (13, 14, 15)],
        [(0, 1, 5, 6, 10), (11, 13, 14)],
        [(0, 1, 11, 13)],
    ]
    assert ranking == [[0], [1], [11], [13]]
    assert [fixture.block for fixtures in rounds for fixture in fixtures] == list(range(7))


def test_in_a_knockout_a_cheater_is_out() -> None:
    def cheat(fixture: Fixture) -> Ranks:
        return [0 if entrant == 0 else 1 for entrant in fixture.seats]

    rounds, ranking = hold("knockout", Plan(6, 0), cheat)
    assert [fixture.seats for fixture in rounds[1]] == [(1, 2, 3, 4, 5)]
    assert ranking == [[1, 2, 3, 4, 5]]


def test_swiss_rounds_bring_those_together_who_did_equally_well() -> None:
    rounds, ranking = hold("swiss", Plan(16, 3, rounds=4), oldest_wins)
    assert len(rounds) == 4
    for fixtures in rounds:
        assert len(fixtures) == 16
        assert Counter(e for f in fixtures for e in f.seats) == dict.fromkeys(range(16), 4)
    assert ranking[0] == [0]
    assert ranking[-1] == [15]

    def spread(fixtures: list[Fixture]) -> int:
        return sum(max(fixture.seats) - min(fixture.seats) for fixture in fixtures)

    assert spread(rounds[-1]) < 0.7 * spread(rounds[0])


def test_swiss_rounds_avoid_meeting_again() -> None:
    rounds, _ = hold("swiss", Plan(8, 1, table_size=2, rounds=3), lambda f: [1] * len(f.seats))
    meetings = Counter(frozenset(f.seats) for fixtures in rounds for f in fixtures if not f.moved)
    assert set(meetings.values()) == {1}


def test_the_seed_draws_the_first_swiss_round() -> None:
    def first_round(seed: int) -> list[Fixture]:
        return next(FORMATS["swiss"](Plan(12, seed)))

    assert first_round(1) == first_round(1)
    assert first_round(1) != first_round(2)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_swiss_tables_are_even_and_nobody_sits_alone(size: int) -> None:
    for entrants in range(max(size, 2), 40):
        sizes = _even_sizes(entrants, size)
        assert sum(sizes) == entrants
        assert max(sizes) - min(sizes) <= 1
        assert min(sizes) >= 2
        assert max(sizes) <= size or (size, max(sizes)) == (2, 3)


def test_level_entrants_share_a_rank() -> None:
    _, ranking = hold("round-robin", Plan(4, 0, table_size=2), lambda f: [1, 1])
    assert ranking == [[0, 1, 2, 3]]


@pytest.mark.parametrize(
    ("rank", "ranks", "expected"),
    [(1, [1, 2, 3], 1), (2, [1, 2, 3], 0.5), (3, [1, 2, 3], 0), (1, [1, 1, 2], 0.75),
     (0, [1, 2, 0], 0), (0, [1, 0, 0], 0.25), (1, [1, 0], 1)],
)  # fmt: skip
def test_a_score_is_the_share_of_others_that_one_is_ahead_of(
    rank: int, ranks: list[int], expected: float
) -> None:
    assert score(rank, ranks) == expected


@pytest.mark.parametrize(
    ("format_", "plan"),
    [
        ("knockout", Plan(2, 0)),
        ("round-robin", Plan(3, 0, table_size=4)),
        ("round-robin", Plan(1, 0)),
        ("swiss", Plan(4, 0, table_size=1)),
    ],
)
def test_a_tournament_that_cannot_be_held_is_an_error(format_: str, plan: Plan) -> None:
    with pytest.raises(FormatError):
        next(FORMATS[format_](plan))
