"""`Config`: every number of a training run, typed and checked, with presets and YAML."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import math
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from agents.shipped_models import shipped_model
from tsuro_env import Rules
from tsuro_env.encodings import encoding_of
from tsuro_env.errors import TsuroError

SHIPPED = "shipped"


class ConfigError(TsuroError):
    """A setting that does not exist, or a value that it cannot have."""


@dataclass(frozen=True)
class Config:
    """A training run. `steps` counts the learner's decisions."""

    # The game.
    rules: str = "course"
    board_size: int | None = None
    """None: as the rules have it."""
    num_players: int = 4

    # What is learned, and how.
    observation: str = "options"
    """The encoding, and with it the network: `options` shared weights, `planes` convolutions."""
    width: int = 64
    """Units of a layer, or channels of a convolution."""
    steps: int = 12_000_000
    games: int = 1024
    """How many games are played side by side."""
    rollout: int = 16
    """Steps in each game between two updates of the network."""
    batch: int = 2048
    epochs: int = 3
    learning_rate: float = 7e-4
    """At the beginning; it falls in a straight line to nothing."""
    entropy: float = 0.01
    """What entropy is rewarded with at the beginning; it falls as the learning rate does."""
    gae_lambda: float = 0.8
    clip: float = 0.2

    # Whom the learner meets: the shares of seats for itself, for scripted players and for its own
    # earlier snapshots; the latter two are drawn more often the harder they are to beat.
    self_play: float = 0.3
    scripted: float = 0.5
    snapshots: float = 0.2
    scripted_players: tuple[str, ...] = ("greedy", "random")
    pool: int = 8
    """How many snapshots are kept."""
    snapshot_every: int = 250_000
    """Steps."""
    against: str | None = None
    """A player that has all other seats: the run then learns a best response to it."""

    # How it is watched.
    panel: tuple[str, ...] = ("random", "greedy", SHIPPED)
    """Players by their specs; `shipped` is the package's own model of the game, if there is one."""
    panel_games: int = 4000
    evaluations: int = 40
    """How often in the run the panel is played."""
    checkpoint_seconds: float = 30.0
    seed: int = 0
    threads: int = 1
    """Of torch and of the learner's games. Two help only if no other job wants the cores."""

    def __post_init__(self) -> None:
        for field, kind in typing.get_type_hints(Config).items():
            _check_type(field, getattr(self, field), kind)
        for field in ("num_players", "width", "steps", "games", "rollout", "batch", "epochs"):
            self._check(field, getattr(self, field) >= 1, "at least 1")
        for field in ("snapshot_every", "panel_games", "evaluations", "threads"):
            self._check(field, getattr(self, field) >= 1, "at least 1")
        for field in ("entropy", "self_play", "scripted", "snapshots", "pool", "seed"):
            self._check(field, getattr(self, field) >= 0, "at least 0")
        for field in ("learning_rate", "clip", "checkpoint_seconds"):
            self._check(field, getattr(self, field) > 0, "more than 0")
        self._check("gae_lambda", 0 <= self.gae_lambda <= 1, "from 0 to 1")
        self._check("batch", self.games * self.rollout % self.batch == 0, "a part of games*rollout")
        if self.self_play + self.scripted + self.snapshots <= 0:
            raise ConfigError("self_play, scripted and snapshots cannot all be 0")
        encoding_of(self.observation)
        self.game_rules.variant(self.num_players)

    def _check(self, field: str, good: bool, expected: str) -> None:
        if not good:
            raise ConfigError(f"{field} must be {expected}, got {getattr(self, field)!r}")

    @property
    def game_rules(self) -> Rules:
        rules = Rules.from_name(self.rules)
        return rules if self.board_size is None else rules.with_size(self.board_size)

    @property
    def panel_specs(self) -> tuple[str, ...]:
        """Whom evaluations are played against: the panel, or whom a best response is learned to."""
        if self.against is not None:
            return (self.against,)
        model = shipped_model(self.game_rules, self.num_players)
        named = (model if spec == SHIPPED else spec for spec in self.panel)
        return tuple(spec for spec in named if spec is not None)

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Config:
        if name not in PRESETS:
            raise ConfigError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
        return cls.from_mapping({**PRESETS[name], **changes})

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Config:
        """From what a YAML file says: lists for tuples, whole numbers for fractions."""
        kinds = typing.get_type_hints(cls)
        unknown = [key for key in values if key not in kinds]
        if unknown:
            raise ConfigError(f"unknown settings {unknown}; there are {', '.join(kinds)}")
        return cls(**{key: _converted(value, kinds[key]) for key, value in values.items()})

    @classmethod
    def from_yaml(cls, path: str | Path, **changes: Any) -> Config:
        try:
            values = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path} is no YAML: {error}") from error
        if not isinstance(values, dict):
            raise ConfigError(f"{path} holds no settings: {values!r}")
        return cls.from_mapping({**values, **changes})

    def to_yaml(self) -> str:
        values = {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in dataclasses.asdict(self).items()
        }
        text: str = yaml.safe_dump(values, sort_keys=False)
        return text

    @property
    def sha(self) -> str:
        return hashlib.sha256(self.to_yaml().encode()).hexdigest()


PRESETS: dict[str, dict[str, Any]] = {
    "quick": {
        "steps": 1_500_000,
        "evaluations": 10,
        "panel_games": 1000,
        "checkpoint_seconds": 10.0,
    },
    "standard": {},
    "full": {"steps": 100_000_000, "width": 96, "pool": 16, "panel_games": 8000},
}


def _converted(value: object, kind: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    if kind is float and isinstance(value, int | str) and not isinstance(value, bool):
        with contextlib.suppress(ValueError):  # YAML reads 1e-3 as text
            return float(value)
    return value


def _check_type(field: str, value: object, kind: Any) -> None:
    if typing.get_origin(kind) is tuple:
        good = isinstance(value, tuple) and all(isinstance(item, str) for item in value)
        expected = "a list of names"
    else:
        kinds = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
        good = type(value) in kinds and not (isinstance(value, float) and not math.isfinite(value))
        expected = " or ".join("nothing" if k is type(None) else k.__name__ for k in kinds)
    if not good:
        raise ConfigError(f"{field} must be {expected}, got {value!r}")
