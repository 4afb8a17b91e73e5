"""What a model file says about itself, so that no net is ever asked about another game.

It is kept in the file's own metadata, as text under keys that begin with `tsuro.`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tsuro_env import Rules
from tsuro_env.encodings import ENCODINGS, Encoding
from tsuro_env.errors import TsuroError

FORMAT = 1
"""Counts changes of the metadata."""
ACTIONS_VERSION = 1
"""Counts changes of what the numbers of the actions mean."""


class ModelError(TsuroError):
    """A model file that cannot be played."""


class ModelMismatchError(ModelError):
    """A model made for another game, or for another version of this package."""


@dataclass(frozen=True)
class ModelInfo:
    """The game that a model was trained for, what it reads, and how it came about."""

    rules: Rules
    num_players: int
    observation: str
    observation_version: int
    actions_version: int
    training: dict[str, Any] = field(default_factory=dict)
    """A summary for people: steps, the panel's figures, the sha of the config, versions."""

    @classmethod
    def of(
        cls, rules: Rules, num_players: int, encoding: Encoding, training: dict[str, Any]
    ) -> ModelInfo:
        """For a model that is being made with this version of the package."""
        return cls(rules, num_players, encoding.name, encoding.version, ACTIONS_VERSION, training)

    @property
    def encoding(self) -> Encoding:
        return ENCODINGS[self.observation]

    @property
    def observation_shape(self) -> tuple[int, ...]:
        return self.encoding.shape(self.rules.variant(self.num_players))

    @property
    def game(self) -> str:
        return _describe(self.rules, self.num_players)

    def check_game(self, rules: Rules, num_players: int) -> None:
        if (rules, num_players) != (self.rules, self.num_players):
            asked = _describe(rules, num_players)
            raise ModelMismatchError(f"this model plays {self.game}, it was asked about {asked}")

    def to_properties(self) -> dict[str, str]:
        return {
            "tsuro.format": str(FORMAT),
            "tsuro.rules": json.dumps(self.rules.to_json()),
            "tsuro.num_players": str(self.num_players),
            "tsuro.observation": self.observation,
            "tsuro.observation_version": str(self.observation_version),
            "tsuro.actions_version": str(self.actions_version),
            "tsuro.training": json.dumps(self.training),
        }

    @classmethod
    def from_properties(cls, properties: Mapping[str, str]) -> ModelInfo:
        """Read it back, and make sure that this version of the package speaks the same."""
        if "tsuro.format" not in properties:
            raise ModelMismatchError(
                "the file does not say which game it is for: no tsuro metadata"
            )
        try:
            info = cls(
                rules=Rules.from_json(json.loads(properties["tsuro.rules"])),
                num_players=int(properties["tsuro.num_players"]),
                observation=properties["tsuro.observation"],
                observation_version=int(properties["tsuro.observation_version"]),
                actions_version=int(properties["tsuro.actions_version"]),
                training=dict(json.loads(properties["tsuro.training"])),
            )
            info.rules.variant(info.num_players)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            message = f"its metadata is damaged: {type(error).__name__}: {error}"
            raise ModelMismatchError(message) from error
        info._check_versions(properties["tsuro.format"])
        return info

    def _check_versions(self, metadata_format: str) -> None:
        if self.observation not in ENCODINGS:
            raise ModelMismatchError(
                f"it reads the observation {self.observation!r}; there are {', '.join(ENCODINGS)}"
            )
        for what, found, expected in (
            ("metadata", metadata_format, str(FORMAT)),
            (f"observation {self.observation!r}", self.observation_version, self.encoding.version),
            ("actions", self.actions_version, ACTIONS_VERSION),
        ):
            if found != expected:
                raise ModelMismatchError(
                    f"it was made for version {found} of the {what}; here is version {expected}"
                )


def _describe(rules: Rules, num_players: int) -> str:
    size = f"{rules.board_size}×{rules.board_size}"
    usual = Rules.from_name(rules.name).with_size(rules.board_size)
    deals = "" if rules == usual else f", deals of {rules.first_deal} and {rules.turn_deal} tiles"
    return f"{rules.name} on {size} with {num_players} players{deals}"
