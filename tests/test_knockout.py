"""The knock-out tournament: tables, who goes on, cheaters, and what everybody is told."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

import agents
from agents.scripted import FirstPlayer, SecondPlayer, ThirdPlayer
from evaluation.knockout import knockout, table_sizes
from tests.players import OwnBaseError
from tsuro_env import COLORS, Fault, Observer, Rules, StrategyPlayer, Tile


class Entrant:
    """What every player of these tournaments writes down."""

    tables: list[tuple[int, str]]
    told: list[bool]

    def __init__(self, games: Callable[[], int]) -> None:
        self._games, self.tables, self.told = games, [], []

    def assign_color(self, color: str, others: Sequence[str]) -> None:
        super().assign_color(color, others)  # type: ignore[misc]
        self.tables.append((self._games(), color))

    def tournament_over(self, won: bool) -> None:
        self.told.append(won)


class First(Entrant, FirstPlayer):
    pass


class Second(Entrant, SecondPlayer):
    pass


class Third(Entrant, ThirdPlayer):
    pass


class Cheat(Entrant, SecondPlayer):
    def take_turn(self, *_: Any) -> Tile:
        raise OwnBaseError("cheating")


class BadLoser(Entrant, SecondPlayer):
    def tournament_over(self, won: bool) -> None:
        raise OwnBaseError("no!")


class Rankings(Observer):
    """The rankings of all games, by colour."""

    def __init__(self) -> None:
        self.rankings: list[list[list[str]]] = []

    def game_over(self, ranking: Sequence[Sequence[str]], _: Any) -> None:
        self.rankings.append([list(rank) for rank in ranking])


class Tournament:
    """Plays one, and knows afterwards who sat where."""

    def __init__(self, kinds: Sequence[type[Entrant]], **options: Any) -> None:
        self.games = 0
        self.entrants: list[Any] = [kind(lambda: self.games) for kind in kinds]
        self.watcher = Rankings()
        self.result = knockout(
            self.entrants, supply=self.supply, observers=[self.watcher], **options
        )

    def supply(self) -> str:
        self.games += 1
        return "cycle"

    def tables(self) -> list[list[Any]]:
        """The players of each game, in the order of their colours."""
        seated = {
            (game, color): player for player in self.entrants for game, color in player.tables
        }
        return [
            [seated[game, color] for color in COLORS if (game, color) in seated]
            for game in range(1, self.games + 1)
        ]

    def went_on(self, game: int) -> set[Any]:
        """The first two ranks of a game."""
        table, ranking = self.tables()[game], self.watcher.rankings[game]
        return {table[COLORS.index(color)] for rank in ranking[:2] for color in rank}


# ----------------------------------------------------------------------------------------- tables


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (3, [3]), (4, [4]), (5, [5]), (6, [3, 3]), (7, [4, 3]), (8, [5, 3]), (9, [5, 4]),
        (10, [5, 5]), (11, [5, 3, 3]), (12, [5, 4, 3]), (13, [5, 5, 3]), (16, [5, 5, 3, 3]),
    ],
)  # fmt: skip
def test_tables_of_five_and_a_remainder_that_is_shared_out(players: int, sizes: list[int]) -> None:
    assert table_sizes(players) == sizes


@pytest.mark.parametrize("players", range(3, 61))
def test_everybody_gets_a_seat_at_a_table_of_three_to_five(players: int) -> None:
    sizes = table_sizes(players)
    assert sum(sizes) == players
    assert set(sizes) <= {3, 4, 5}
    assert sizes == sorted(sizes, reverse=True)
    assert sum(size < 5 for size in sizes) <= 2


@pytest.mark.parametrize("players", [0, 1, 2, -3])
def test_fewer_than_three_make_no_table(players: int) -> None:
    with pytest.raises(ValueError, match=f"{players} players make no table"):
        table_sizes(players)


@pytest.mark.parametrize("count", [6, 7, 8, 11, 12, 17, 23])
@pytest.mark.parametrize("mixture", [[Second], [Second, Third], [First, Second, Third, Cheat]])
def test_rounds_are_played_in_the_order_of_age_and_two_ranks_go_on(
    count: int, mixture: list[type[Entrant]]
) -> None:
    tournament = Tournament([mixture[i % len(mixture)] for i in range(count)])
    tables, game = tournament.tables(), 0
    left, before = list(tournament.entrants), -1
    while len(left) > 5 and len(left) != before:
        before, on = len(left), set()
        for size in table_sizes(len(left)):
            table, left = left[:size], left[size:]
            assert tables[game] == table
            on |= tournament.went_on(game)
            game += 1
        left = [player for player in tournament.entrants if player in on]
    if 3 <= len(left) <= 5:
        assert tables[game:] == [left]
    else:
        assert game == tournament.games
        assert tournament.result.ranking == ([set(left)] if left else [])


# -------------------------------------------------------------------------------------- the result


@pytest.mark.parametrize("count", [3, 4, 5])
def test_three_to_five_play_one_game_whose_ranking_is_the_tournaments(count: int) -> None:
    tournament = Tournament([Second] * count)
    assert tournament.games == 1
    table, ranking = tournament.entrants, tournament.watcher.rankings[0]
    expected = [{table[COLORS.index(color)] for color in rank} for rank in ranking]
    assert tournament.result.ranking == expected


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_three_are_joint_winners_without_a_game(count: int) -> None:
    tournament = Tournament([Second] * count)
    assert tournament.games == 0
    assert tournament.result.ranking == ([set(tournament.entrants)] if count else [])
    assert all(player.told == [True] for player in tournament.entrants)


def test_as_many_as_before_the_round_are_joint_winners() -> None:
    # On so small a board the tables of three often end with two ranks, or one.
    for size in (4, 5, 6):
        for kind in (Second, Third):
            tournament = Tournament([kind] * 6, rules=Rules.course(size))
            if tournament.games == 2 and tournament.went_on(0) | tournament.went_on(1) == set(
                tournament.entrants
            ):
                assert tournament.result.ranking == [set(tournament.entrants)]
                assert all(player.told == [True] for player in tournament.entrants)
                return
    pytest.fail("no such tournament among these")


def test_winners_are_told_true_and_all_others_false() -> None:
    tournament = Tournament([Second, Third] * 4)
    winners = tournament.result.ranking[0]
    for player in tournament.entrants:
        assert player.told == [player in winners]


# ---------------------------------------------------------------------------------------- cheaters


def test_a_cheater_is_out_of_the_tournament_and_told_nothing() -> None:
    tournament = Tournament([Second, Cheat, Second, Third, Second, Third, Cheat])
    cheats = [player for player in tournament.entrants if isinstance(player, Cheat)]
    assert set(cheats) <= set(tournament.result.cheaters)
    for player in cheats:
        assert tournament.result.cheaters[player] == Fault("exception", "OwnBaseError: cheating")
        assert (len(player.tables), player.told) == (1, [])
    assert not any(rank & set(tournament.result.cheaters) for rank in tournament.result.ranking)


def test_if_all_but_one_cheat_he_wins() -> None:
    tournament = Tournament([Cheat, Cheat, Second])
    assert tournament.result.ranking == [{tournament.entrants[2]}]
    assert set(tournament.result.cheaters) == set(tournament.entrants[:2])


def test_whoever_fails_to_hear_the_end_is_a_cheater_and_wins_nothing() -> None:
    tournament = Tournament([BadLoser] * 3)
    assert tournament.result.ranking == []
    assert tournament.result.cheaters == dict.fromkeys(
        tournament.entrants, Fault("exception", "OwnBaseError: no!")
    )
    two = Tournament([BadLoser, Second])
    assert two.result.ranking == [{two.entrants[1]}]


def test_a_player_need_not_want_to_hear_the_end() -> None:
    players: list[StrategyPlayer] = [SecondPlayer() for _ in range(7)]
    result = knockout(players)
    assert result.cheaters == {}
    assert result.ranking


def test_a_boxed_tournament_deals_from_the_deck() -> None:
    entrants = [agents.make("random", seed=seed) for seed in range(7)]
    result = knockout(entrants, rules="boxed")
    assert result.ranking
    assert not result.cheaters
