"""The boxed game's draw pile: drawing, the dragon tile, and tiles that come back.

Each test lays out hands and pile by hand and has one player break a rule or take a turn.
"""

import numpy as np

from tsuro_env import GameBatch
from tsuro_env.engine.kernels import open_question
from tsuro_env.engine.state import (
    DECK_SIZE,
    DRAGON,
    HAND,
    NOTHING,
    OUT,
    OUT_REASONS,
    TO_MOVE,
)

ILLEGAL = -1


class Table:
    """A boxed game whose players have been set up, with hands and pile as wanted."""

    def __init__(self, hands: list[list[int]], deck: list[int], dragon: int | None = None) -> None:
        self.games = GameBatch(1, "boxed", len(hands), "random", seed=3, restart=False)
        state = self.games.state
        state.seats[0, :, HAND:] = NOTHING
        for seat, hand in enumerate(hands):
            state.seats[0, seat, HAND : HAND + len(hand)] = hand
        state.deck[0, : len(deck)] = deck
        state.game[0, DECK_SIZE] = len(deck)
        state.game[0, DRAGON] = NOTHING if dragon is None else dragon
        state.game[0, TO_MOVE] = 0
        assert open_question(state, self.games.variant, 0)  # of the new hand

    def step(self, action: int) -> None:
        self.games.step([action])

    def play(self, slot: int) -> None:
        """A legal turn with the tile of a slot."""
        legal = np.flatnonzero(self.games.legal_actions()[0])
        self.step(int(next(action for action in legal if action // 4 == slot)))

    @property
    def hands(self) -> list[list[int]]:
        rows = self.games.state.seats[0, :, HAND:].tolist()
        return [[tile for tile in row if tile >= 0] for row in rows]

    @property
    def deck(self) -> list[int]:
        return self.games.state.deck[0, : self.games.state.game[0, DECK_SIZE]].tolist()

    @property
    def dragon(self) -> int | None:
        seat = int(self.games.state.game[0, DRAGON])
        return None if seat == NOTHING else seat

    @property
    def out(self) -> list[str]:
        return [OUT_REASONS[code] for code in self.games.state.seats[0, :, OUT]]

    @property
    def to_move(self) -> int:
        return int(self.games.to_move[0])


def test_after_playing_one_tile_is_drawn_from_the_pile() -> None:
    table = Table([[2, 0, 1], [3, 4, 5], [6, 7, 8]], [10, 11])
    table.play(0)
    assert table.hands == [[0, 1, 11], [3, 4, 5], [6, 7, 8]]
    assert (table.deck, table.dragon) == ([10], None)


def test_the_first_who_cannot_draw_takes_the_dragon() -> None:
    table = Table([[2, 0, 1], [3, 4, 5], [6, 7, 8]], [])
    table.play(0)
    assert (table.hands[0], table.dragon) == ([0, 1], 0)


def test_the_dragon_stays_with_its_holder_while_nothing_comes_back() -> None:
    table = Table([[2, 0, 1], [3, 4, 5], [6, 7]], [], dragon=2)
    table.play(0)
    assert (table.hands[0], table.hands[2], table.dragon) == ([0, 1], [6, 7], 2)


def test_tiles_that_come_back_go_to_the_holder_first_and_then_round() -> None:
    table = Table([[0, 1, 2], [3], [4, 5]], [], dragon=2)
    table.step(ILLEGAL)
    assert table.out == ["illegal", "", ""]
    # Three tiles: the holder, then the next who is short, and round again.
    assert [len(hand) for hand in table.hands] == [0, 3, 3]
    assert sorted(table.hands[1] + table.hands[2]) == [0, 1, 2, 3, 4, 5]
    assert (table.deck, table.dragon) == ([], None)


def test_when_the_pile_runs_out_again_the_next_who_is_short_has_the_dragon() -> None:
    table = Table([[0], [3], [4, 5], [6, 7]], [], dragon=3)
    table.step(ILLEGAL)
    assert [len(hand) for hand in table.hands] == [0, 1, 2, 3]
    assert table.hands[3] == [6, 7, 0]
    assert (table.deck, table.dragon) == ([], 1)


def test_what_nobody_needs_stays_in_the_pile_and_the_dragon_on_the_table() -> None:
    table = Table([[0, 1, 2], [3, 4, 5], [6, 7]], [], dragon=2)
    table.step(ILLEGAL)
    assert [len(hand) for hand in table.hands] == [0, 3, 3]
    assert (len(table.deck), table.dragon) == (2, None)


def test_the_dragon_of_somebody_who_goes_out_passes_to_the_next_who_is_short() -> None:
    table = Table([[0], [3, 4, 5], [6, 7], [8]], [], dragon=0)
    table.step(ILLEGAL)
    # Seat 1 is full; seat 2 draws the only tile; seat 3 is the next who is short.
    assert table.hands == [[], [3, 4, 5], [6, 7, 0], [8]]
    assert (table.deck, table.dragon) == ([], 3)


def test_without_a_dragon_tiles_that_come_back_only_refill_the_pile() -> None:
    table = Table([[0, 1, 2], [3, 4, 5], [6, 7, 8]], [10])
    table.step(ILLEGAL)
    assert table.hands == [[], [3, 4, 5], [6, 7, 8]]
    assert (sorted(table.deck), table.dragon) == ([0, 1, 2, 10], None)


def test_whoever_has_no_tile_is_passed_over() -> None:
    table = Table([[2, 0], [], [6, 7]], [], dragon=1)
    table.play(0)
    assert (table.to_move, table.out) == (2, ["", "", ""])


def test_when_nobody_left_holds_a_tile_those_left_share_the_win() -> None:
    table = Table([[2], [], []], [], dragon=1)
    table.play(0)
    assert table.games.finished[0]
    assert table.out == ["", "", ""]
    assert table.games.ranks[0].tolist() == [1, 1, 1]


def test_when_all_but_one_are_out_the_game_ends_whatever_tiles_are_left() -> None:
    table = Table([[2, 0, 1], [3, 4, 5]], [10, 11])
    table.step(ILLEGAL)
    assert table.games.finished[0]
    assert table.games.ranks[0].tolist() == [0, 1]
