"""Environments given odd opponents, tiles, judges and seeds: corners that once were wrong."""

from collections.abc import Iterator, Sequence
from typing import Any

import gymnasium
import numpy as np
import pytest

import agents
from tests.players import Honest
from tsuro_env import (
    BatchPlayer,
    Board,
    GameBatch,
    InitialPlacement,
    RuleChecker,
    RulesError,
    Tile,
    Verdict,
    tsuro_v0,
)

ENV = "tsuro_env/Tsuro-v0"


class Sloppy(BatchPlayer):
    """Writes into what it was given."""

    def choose(self, games: GameBatch, which: Any) -> Any:
        actions = games.legal_actions(which).argmax(axis=1)
        which += 1
        return actions


def test_an_opponent_that_writes_into_its_argument_harms_nobody() -> None:
    env = gymnasium.make(ENV, opponents=[Sloppy(seed=0)], setup="random")
    _, info = env.reset(seed=1)
    for _ in range(30):
        _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
        if over:
            _, info = env.reset()
    assert info["action_mask"].any()


class NobodyMayStart(RuleChecker):
    def check_initial(self, board: Board, tiles: Any, placement: InitialPlacement) -> Verdict:
        return Verdict(False, "no")


def test_rules_under_which_nobody_can_start_are_an_error_and_no_hang() -> None:
    env = tsuro_v0.env(num_players=2, rule_checker=NobodyMayStart(), rules="boxed")
    with pytest.raises(RulesError, match="in a row"):
        env.reset(seed=0)


class OddPort(Honest):
    def initial_placement(self, tiles: Sequence[Tile], board: Board) -> InitialPlacement:
        placement = super().initial_placement(tiles, board)
        port: Any = ["E"]
        return InitialPlacement(placement.tile, placement.color, port, placement.x, placement.y)


class BorrowedColor(Honest):
    def initial_placement(self, tiles: Sequence[Tile], board: Board) -> InitialPlacement:
        placement = super().initial_placement(tiles, board)
        return InitialPlacement(placement.tile, "teal", placement.port, placement.x, placement.y)


@pytest.mark.parametrize("culprit", [OddPort, BorrowedColor])
def test_a_malformed_first_placement_of_an_opponent_takes_it_out(culprit: type[Honest]) -> None:
    env = gymnasium.make(ENV, opponents=[culprit(), "second"], seat=0)
    _, info = env.reset(seed=3)
    env.step(int(info["action_mask"].argmax()))
    _, _, _, _, info = env.step(0)
    assert env.unwrapped.table.referee.out == {"black": "illegal"}  # type: ignore[attr-defined]


def test_one_player_object_has_one_seat() -> None:
    player = agents.make("second")
    with pytest.raises(RulesError, match="the same player"):
        gymnasium.make(ENV, opponents=[player, player])


def endless() -> Iterator[Tile]:
    index = 0
    while True:
        yield Tile(index % 35)
        index += 1


def test_a_game_with_tiles_from_a_generator_can_be_cloned() -> None:
    env = tsuro_v0.env(num_players=2, tiles=endless())
    env.reset(seed=0)
    for _ in range(5):
        env.step(int(env.action_masks().argmax()))
    twin = env.clone()
    for _ in range(5):
        np.testing.assert_array_equal(env.action_masks(), twin.action_masks())
        for one in (env, twin):
            one.step(int(one.action_masks().argmax()))
    assert env.referee.record == twin.referee.record


@pytest.mark.parametrize("seed", [[-1, 0, 1], [1.5, 2, 3], [0, 1, 2**64], [0, 1, True], [0, 1]])
def test_seeds_of_a_vector_are_whole_numbers(seed: Any) -> None:
    envs = gymnasium.make_vec(ENV, num_envs=3, opponents=["random"])
    with pytest.raises(RulesError):
        envs.reset(seed=seed)


def test_seeds_of_a_vector_may_be_an_array() -> None:
    envs = gymnasium.make_vec(ENV, num_envs=3, opponents=["random"])
    seed: Any = np.array([5, 6, 7])
    first, _ = envs.reset(seed=seed)
    second, _ = envs.reset(seed=5)
    np.testing.assert_array_equal(first["observation"], second["observation"])
