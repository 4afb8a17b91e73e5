"""Tsuro for reinforcement learning: the game, its referee, and its environments."""

from tsuro_env.batch_player import BatchPlayer
from tsuro_env.board import Avatar, Board, InitialPlacement
from tsuro_env.engine.jit import compile_once
from tsuro_env.engine.state import OUT_REASONS
from tsuro_env.errors import (
    ActionError,
    BoardError,
    ColorError,
    OccupiedError,
    OffBoardError,
    OrderError,
    PortError,
    RecordError,
    ReplayError,
    RulesError,
    SupplyError,
    TileError,
    TsuroError,
)
from tsuro_env.game_batch import GameBatch, game_seeds
from tsuro_env.guard import Fault
from tsuro_env.observer import Observer
from tsuro_env.player import StrategyPlayer
from tsuro_env.referee import Pending, Referee
from tsuro_env.registration import register
from tsuro_env.replay import replay
from tsuro_env.rule_checker import RuleChecker, Verdict
from tsuro_env.rules import COLORS, Rules
from tsuro_env.tile import Tile
from tsuro_env.warm_up import warm_up

__version__ = "0.1.0"

__all__ = [
    "COLORS",
    "OUT_REASONS",
    "ActionError",
    "Avatar",
    "BatchPlayer",
    "Board",
    "BoardError",
    "ColorError",
    "Fault",
    "GameBatch",
    "InitialPlacement",
    "Observer",
    "OccupiedError",
    "OffBoardError",
    "OrderError",
    "Pending",
    "PortError",
    "RecordError",
    "Referee",
    "ReplayError",
    "RuleChecker",
    "Rules",
    "RulesError",
    "StrategyPlayer",
    "SupplyError",
    "Tile",
    "TileError",
    "TsuroError",
    "Verdict",
    "game_seeds",
    "replay",
]

compile_once("game engine", warm_up)
register()
