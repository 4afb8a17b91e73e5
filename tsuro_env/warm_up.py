"""Compiles every kernel of the package, by using it once. Runs at the first import on a machine."""

import numpy as np

from tsuro_env.aec import TsuroEnv
from tsuro_env.batch_player import position
from tsuro_env.board import Board, InitialPlacement
from tsuro_env.engine.positions import keys_batch
from tsuro_env.game_batch import GameBatch
from tsuro_env.referee import Referee
from tsuro_env.rule_checker import RuleChecker
from tsuro_env.rules import Rules
from tsuro_env.tile import Tile
from tsuro_env.vector_env import TsuroVectorEnv


def warm_up() -> None:
    games = GameBatch(2)
    games.legal_actions()
    games.observe()
    GameBatch(2, observation="options").observe()
    games.step(games.random_actions())

    board = Board.build(Rules.course(), {(0, 0): Tile(0)}, {})
    board = board.place_initial(InitialPlacement(Tile(2), "white", "E", 4, 0))
    board.trial("white", Tile(2))
    RuleChecker().legal_turns(board, "white", [Tile(2), Tile(3)])
    board.place_tile("white", Tile(2))
    position(board, "white", ["black"], [Tile(2)])
    keys = np.empty(2, dtype=np.uint64)
    keys_batch(tuple(games.state), tuple(games.variant), 0, 2, np.arange(2), np.uint64(0), keys)

    for setup in ("agent", "random"):
        referee = Referee(None, ["one", "two"], seed=0, setup=setup)
        while not referee.finished:
            referee.submit_action(int(referee.legal_actions().argmax()))
        assert referee.ranking
        assert referee.record  # which plays the game once more, step by step
    illegal = Referee(None, ["one", "two"], seed=0)
    illegal.submit_action(-1)
    assert illegal.record
    _play_environments()


def _play_environments() -> None:
    env = TsuroEnv(num_players=3, elimination="immediate")
    env.reset(seed=0)
    for _ in env.agent_iter():
        _, _, terminated, _, info = env.last()
        env.step(None if terminated else int(info["action_mask"].argmax()))
    vector = TsuroVectorEnv(2, [lambda _, mask: int(mask.argmax())])
    observation, _ = vector.reset(seed=0)
    terminated = np.zeros(2, dtype=np.bool_)
    while not terminated.any():
        observation, _, terminated, _, _ = vector.step(observation["action_mask"].argmax(axis=1))
