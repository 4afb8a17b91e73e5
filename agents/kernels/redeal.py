"""Games as a player sees them, with other tiles where it cannot see: for searches that try out what
may come."""

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.batch import Fields, Rows
from tsuro_env.engine.jit import kernel
from tsuro_env.engine.kernels import clear_hand, draw, shuffle_deck
from tsuro_env.engine.state import (
    CLOCK,
    DECK_SIZE,
    DRAGON,
    EXIT,
    HAND,
    HAND_SIZE,
    IN,
    NO_TILE,
    NOTHING,
    OUT,
    OUT_AT,
    RANDOM,
    TO_MOVE,
    State,
    Variant,
)
from tsuro_env.engine.tables import NUM_TILES

BEFORE = -1
"""In column OUT_AT: out before the search began."""


@kernel
def redeal(state: State, variant: Variant, b: int, word: np.uint64) -> None:
    """Give a game another future, by a random word, that fits what the player to move sees.

    Nothing else of the game goes into it, neither the tiles of others nor when and why they went
    out: whoever searches from here cannot peep. In boxed all tiles that are neither on the board
    nor in the player's hand are dealt again; if there are too few for full hands, those next in
    turn get one more.
    """
    state.chance[b, RANDOM] = word
    state.game[b, CLOCK] = 0
    for seat in range(variant.players):
        if state.seats[b, seat, OUT] != IN:
            state.seats[b, seat, OUT] = EXIT
            state.seats[b, seat, OUT_AT] = BEFORE
    if variant.boxed:
        redeal_deck(state, variant, b)


@kernel
def redeal_deck(state: State, variant: Variant, b: int) -> None:
    asked = state.game[b, TO_MOVE]
    seen = 0
    for square in range(state.tiles.shape[1]):
        if state.tiles[b, square] != NO_TILE:
            seen |= 1 << (state.tiles[b, square] >> 2)
    for slot in range(HAND_SIZE):
        if state.seats[b, asked, HAND + slot] != NOTHING:
            seen |= 1 << state.seats[b, asked, HAND + slot]
    state.game[b, DECK_SIZE] = 0
    for tile in range(NUM_TILES):
        if not (seen >> tile) & 1:
            state.deck[b, state.game[b, DECK_SIZE]] = tile
            state.game[b, DECK_SIZE] += 1
    shuffle_deck(state, b)
    state.game[b, DRAGON] = NOTHING
    for seat in range(variant.players):
        if seat != asked:
            clear_hand(state, b, seat)
    for _ in range(HAND_SIZE):
        for step in range(1, variant.players):
            seat = (asked + step) % variant.players
            if state.seats[b, seat, OUT] == IN and state.game[b, DECK_SIZE] > 0:
                draw(state, b, seat)


@kernel
def redeal_batch(
    fields: Fields, rules: Fields, low: int, high: int, rows: Rows, words: NDArray[np.uint64]
) -> None:
    """Other futures for these games, each by its own word."""
    state, variant = State(*fields), Variant(*rules)
    for row in range(low, high):
        redeal(state, variant, rows[row], words[row])
