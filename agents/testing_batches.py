"""The part of the test kit for players that decide in batches.

Whatever way the same question is put, in a batch, alone, or by a referee, the answer must be the
same: or a strategy does not play the game that it is measured in.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tsuro_env import BatchPlayer, Board, GameBatch
from tsuro_env.batch_player import position
from tsuro_env.engine.kernels import choose_spot
from tsuro_env.engine.state import FIRST_TILE, HAND, HAND_SIZE, NOTHING, PHASE, SPOT
from tsuro_env.engine.tables import NUM_TILES
from tsuro_env.guard import Fault, call
from tsuro_env.rules import COLORS
from tsuro_env.tile import Tile

GAMES = 24
STEPS = (0, 1, 9, 14)
"""After how many random moves the games are looked at: first placements too."""


def batch_problems(player: BatchPlayer) -> Iterator[tuple[str, str]]:
    """What is wrong with the answers, and where."""
    for rules, num_players in (("course", 3), ("boxed", 4)):
        games = GameBatch(GAMES, rules, num_players, seed=1)
        for step in range(max(STEPS) + 1):
            if step in STEPS:
                where = f"{rules}, {num_players} players, {GAMES} games after {step} random moves"
                for problem in _problems(player, games):
                    yield problem, where
            games.step(games.random_actions())


def _problems(player: BatchPlayer, games: GameBatch) -> Iterator[str]:
    everywhere = np.arange(GAMES)
    before = games.state.copy()
    answer = call(player.choose, games, everywhere)
    if type(answer) is Fault:
        yield f"choose raises {answer.message}"
        return
    whole = isinstance(answer, np.ndarray) and answer.dtype.kind == "i"
    if not (whole and answer.shape == (GAMES,)):
        yield "choose answers wrongly: it must give an array with a whole number for each game"
        return
    if not all(np.array_equal(getattr(games.state, f), getattr(before, f)) for f in before._fields):
        yield "choose changes the games that it is given"
        return
    known = ((answer >= 0) & (answer < games.num_actions)).all()
    if not (known and games.legal_actions()[everywhere, answer].all()):
        yield "choose breaks a rule: it takes an action that is not legal"
        return
    if (player.choose(games, everywhere) != answer).any():
        yield "choose takes another action when it is asked again: nothing can be repeated"
        return
    alone = [player.choose(games, np.array([game]))[0] for game in everywhere]
    if (np.array(alone) != answer).any():
        yield "choose takes another action when it is asked about one game than in a batch"
    if (player.choose(_with_other_secrets(games), everywhere) != answer).any():
        yield "choose depends on what the player cannot see: others' tiles, the deck or chance"
    if (_through_a_board(player, games) != answer).any():
        yield "choose takes another action when a referee asks than in a batch"


def _with_other_secrets(games: GameBatch) -> GameBatch:
    """The same games with other hidden tiles and another future."""
    twin = games.copy()
    state = twin.state
    state.chance[:] = state.chance[::-1] + np.uint64(1)
    state.deck[:] = state.deck[:, ::-1]
    for game, seat in enumerate(twin.to_move):
        others = [other for other in range(twin.num_players) if other != seat]
        hands = state.seats[game, others, HAND : HAND + HAND_SIZE]
        state.seats[game, others, HAND : HAND + HAND_SIZE] = np.where(
            hands == NOTHING, NOTHING, (hands + 7) % NUM_TILES
        )
    return twin


def _through_a_board(player: BatchPlayer, games: GameBatch) -> NDArray[np.int64]:
    """What the player answers when it sees each game as a referee shows it."""
    chosen = []
    for game, seat in enumerate(games.to_move):
        hand = games.state.seats[game, seat, HAND : HAND + HAND_SIZE]
        tiles = [Tile(int(index)) for index in hand if index != NOTHING]
        colors = COLORS[: games.num_players]
        others = [color for color in colors if color != colors[seat]]
        board = Board.of_game(games.rules, games.state, game)
        alone = position(board, colors[seat], others, tiles)
        if games.state.game[game, PHASE] == FIRST_TILE:
            choose_spot(alone.state, alone.variant, 0, int(games.state.game[game, SPOT]))
        chosen.append(int(player.choose(alone, np.zeros(1, dtype=np.int64))[0]))
    return np.array(chosen)
