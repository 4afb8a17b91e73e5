"""Opponents of a learner: specs, players and functions, all asked for actions in the same way.

An environment holds one `Opponent` for each seat but the learner's; it plays in all games of the
environment.  Nothing is caught here: what an opponent raises comes out of `step`.  An answer that
breaks a rule takes the opponent out, as everywhere.
"""

from __future__ import annotations

import copy
import importlib
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsuro_env.answers import read_placement, read_turn
from tsuro_env.batch_player import BatchPlayer
from tsuro_env.board import Board
from tsuro_env.engine.batch import Rows
from tsuro_env.engine.state import (
    FIRST_TILE,
    HAND,
    HAND_SIZE,
    NOTHING,
    PHASE,
    START,
    TILE_ACTIONS,
    TO_MOVE,
)
from tsuro_env.engine.tables import PORTS
from tsuro_env.errors import MalformedError, RulesError
from tsuro_env.game_batch import GameBatch
from tsuro_env.player import StrategyPlayer
from tsuro_env.rules import COLORS, MIN_PLAYERS, Rules
from tsuro_env.spaces import whole_action
from tsuro_env.tile import Tile

Policy = Callable[[NDArray[Any], NDArray[np.int8]], Any]
"""(observation, action_mask) -> action, as the opponent sees the game."""
OpponentLike = str | StrategyPlayer | Policy

ILLEGAL_ACTION = -1
"""What becomes of an answer that is no action."""


class Opponent:
    """One seat in each game of a batch."""

    def begin(self, game: int, seat: int, num_players: int) -> None:
        """A game starts, in which the opponent has this seat."""

    def reseed(self, game: int, seed: int) -> None:
        """From here on all chance in this game follows from the seed."""

    def choose(self, games: GameBatch, which: Rows) -> NDArray[np.int64]:
        """An action for the player to move in each of the games `which` of the batch."""
        raise NotImplementedError

    def end(self, game: int, result: str) -> None:
        """A game is over: "won", "lost" or "drew". Cheaters are not told."""


class BatchOpponent(Opponent):
    """A batch player, asked for all games at once.

    It has neither memory nor chance but what it sees: copies can share it, and no seed matters.
    """

    def __init__(self, player: BatchPlayer) -> None:
        self.player = player

    def choose(self, games: GameBatch, which: Rows) -> NDArray[np.int64]:
        return self.player.choose(games, which)

    def __deepcopy__(self, memo: dict[int, Any]) -> BatchOpponent:
        return self


class PolicyOpponent(Opponent):
    """A function of observation and mask, called for one game after the other."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def choose(self, games: GameBatch, which: Rows) -> NDArray[np.int64]:
        seen = zip(games.observe(which), games.legal_actions(which), strict=True)
        actions = [
            whole_action(self.policy(observation, mask), games.num_actions, "an opponent")
            for observation, mask in seen
        ]
        return np.array(actions, dtype=np.int64)


class PlayerOpponent(Opponent):
    """A player for each game, asked as a referee asks; its answers become actions."""

    def __init__(
        self, players: list[StrategyPlayer], remake: Callable[[int], StrategyPlayer] | None = None
    ) -> None:
        self.players = players
        self._remake = remake
        # A first placement is two actions: the second one, while it waits to be played.
        self._tile_actions = [ILLEGAL_ACTION] * len(players)

    def begin(self, game: int, seat: int, num_players: int) -> None:
        colors = COLORS[:num_players]
        others = tuple(color for color in colors if color != colors[seat])
        self.players[game].assign_color(colors[seat], others)

    def reseed(self, game: int, seed: int) -> None:
        if self._remake is not None:
            self.players[game] = self._remake(seed)

    def choose(self, games: GameBatch, which: Rows) -> NDArray[np.int64]:
        return np.array([self._ask(games, game) for game in which.tolist()], dtype=np.int64)

    def _ask(self, games: GameBatch, game: int) -> int:
        state = games.state.take([game])
        phase, seat = state.game[0, PHASE], state.game[0, TO_MOVE]
        if phase == FIRST_TILE:
            return self._tile_actions[game]
        dealt = state.seats[0, seat, HAND : HAND + HAND_SIZE].tolist()
        hand = [index for index in dealt if index != NOTHING]
        tiles = tuple(Tile.of(4 * index) for index in hand)
        board = Board.of_game(games.rules, state)
        try:
            if phase != START:
                return tile_action(read_turn(self.players[game].take_turn(tiles, board)), hand)
            answer = self.players[game].initial_placement(tiles, board)
            placement = read_placement(answer, COLORS[seat], games.rules)
        except MalformedError:
            return ILLEGAL_ACTION
        self._tile_actions[game] = tile_action(placement.tile, hand)
        where = (placement.x, placement.y, placement.port)
        return start_actions(games.rules).get(where, ILLEGAL_ACTION)

    def end(self, game: int, result: str) -> None:
        self.players[game].game_over(result)


def tile_action(tile: Tile | None, hand: Sequence[int]) -> int:
    """The action that plays a turned tile of the hand."""
    if tile is None or tile.index not in hand:
        return ILLEGAL_ACTION
    return 4 * hand.index(tile.index) + tile.degrees // 90


@lru_cache
def start_actions(rules: Rules) -> dict[tuple[int, int, str], int]:
    """The start action of every place to stand on, (x, y, port)."""
    spots = rules.variant(MIN_PLAYERS).spots.tolist()
    size = rules.board_size
    return {
        (spot // 8 % size, spot // 8 // size, PORTS[spot % 8]): TILE_ACTIONS + number
        for number, spot in enumerate(spots)
    }


def random_seeds(opponents: Sequence[Opponent]) -> NDArray[np.uint64] | None:
    """The seeds of opponents that all choose at random, so that the engine can play for them."""
    players = [one.player for one in opponents if isinstance(one, BatchOpponent)]
    if len(players) < len(opponents) or not all(player.is_uniform for player in players):
        return None
    return np.array([player.seed for player in players], dtype=np.uint64)


def tell_results(
    opponents: Sequence[Opponent], game: int, learner: int, ranks: Sequence[int]
) -> None:
    """Tell the opponents how a game ended, by the ranks of all seats (0: a cheater)."""
    for place, opponent in enumerate(opponents, 1):
        rank = ranks[(learner + place) % len(ranks)]
        if rank > 0:
            best = "won" if ranks.count(1) == 1 else "drew"
            opponent.end(game, best if rank == 1 else "lost")


def seat_opponents(opponents: Sequence[OpponentLike], num_games: int) -> list[Opponent]:
    """An `Opponent` for each of what the user named."""
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        raise RulesError(f"opponents must be a list of players, got {opponents!r}")
    objects = [id(one) for one in opponents if hasattr(one, "take_turn")]
    if len(set(objects)) != len(objects):
        raise RulesError("two seats have the same player: make one object for each seat")
    return [_seat(one, number, num_games) for number, one in enumerate(opponents)]


def _seat(opponent: Any, number: int, num_games: int) -> Opponent:
    if isinstance(opponent, str):
        remake = partial(_make_player, opponent, number)
        player = remake(0)
        if not isinstance(player, BatchPlayer):
            players = [player, *(remake(0) for _ in range(num_games - 1))]
            return PlayerOpponent(players, remake)
        opponent = player
    if isinstance(opponent, BatchPlayer):
        return BatchOpponent(opponent)
    if hasattr(opponent, "take_turn"):
        copies = (copy.deepcopy(opponent) for _ in range(num_games - 1))
        return PlayerOpponent([opponent, *copies])
    if callable(opponent):
        return PolicyOpponent(opponent)
    raise RulesError(
        "an opponent is an agent spec, a StrategyPlayer or a function of (observation, "
        f"action_mask), got {opponent!r}"
    )


def _make_player(spec: str, number: int, seed: int) -> StrategyPlayer:
    """The player of a spec; opponents of the same spec differ in their chance."""
    agents = importlib.import_module("agents")  # which itself imports this package
    player: StrategyPlayer = agents.make(spec, seed=(seed + number) % 2**64)
    return player
