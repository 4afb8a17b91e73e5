"""`Rules`: every number of a rule set, frozen and validated, and its compiled view."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from tsuro_env.engine.state import (
    CYCLE_SUPPLY,
    DECK_SUPPLY,
    GIVEN_SUPPLY,
    HAND_SIZE,
    RANDOM_SUPPLY,
    Variant,
)
from tsuro_env.errors import RulesError

COLORS = ("white", "black", "red", "green", "blue", "orange", "purple", "teal")
"""In the order of the players' age. The course's five, then three more."""

MIN_PLAYERS, MAX_PLAYERS = 2, len(COLORS)
MIN_SIZE, MAX_SIZE = 4, 24

Setup = Literal["agent", "random"]

_SUPPLIES = {
    "random": RANDOM_SUPPLY,
    "cycle": CYCLE_SUPPLY,
    "deck": DECK_SUPPLY,
    "given": GIVEN_SUPPLY,
}


def _whole(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise RulesError(f"{name} must be a whole number from {low} to {high}, got {value!r}")


@dataclass(frozen=True)
class Rules:
    """A rule set: `Rules.course()` (the default everywhere), `Rules.boxed()`, or one's own numbers.

    In `course` tiles are dealt for every question and gone afterwards; in `boxed` there is one
    deck, hands are kept, and players start on edge marks without a tile.
    """

    name: Literal["course", "boxed"] = "course"
    board_size: int = 10
    first_deal: int = 3
    """course: tiles dealt for the first placement; boxed: tiles of a full hand, always 3."""
    turn_deal: int = 2
    """course: tiles dealt for each turn; boxed: tiles drawn after a turn, always 1."""

    def __post_init__(self) -> None:
        if self.name not in ("course", "boxed"):
            raise RulesError(f"rules must be 'course' or 'boxed', got {self.name!r}")
        _whole("board_size", self.board_size, MIN_SIZE, MAX_SIZE)
        _whole("first_deal", self.first_deal, 1, HAND_SIZE)
        _whole("turn_deal", self.turn_deal, 1, HAND_SIZE)
        if self.is_boxed and (self.first_deal, self.turn_deal) != (HAND_SIZE, 1):
            raise RulesError("boxed rules have a hand of 3 and draw 1: first_deal=3, turn_deal=1")

    @classmethod
    def course(cls, board_size: int = 10, first_deal: int = 3, turn_deal: int = 2) -> "Rules":
        return cls("course", board_size, first_deal, turn_deal)

    @classmethod
    def boxed(cls, board_size: int = 6) -> "Rules":
        return cls("boxed", board_size, HAND_SIZE, 1)

    @classmethod
    def from_name(cls, name: "str | Rules") -> "Rules":
        """`"course"` or `"boxed"`; a `Rules` value is handed back as it is."""
        if isinstance(name, Rules):
            return name
        if name == "course":
            return cls.course()
        if name == "boxed":
            return cls.boxed()
        raise RulesError(f"rules must be 'course', 'boxed' or a Rules value, got {name!r}")

    @classmethod
    def from_json(cls, value: object) -> "Rules":
        if not isinstance(value, Mapping):
            raise RulesError(f"rules must be a JSON object, got {value!r}")
        known: dict[str, Any] = {
            key: value[key] for key in cls.__dataclass_fields__ if key in value
        }
        missing = set(cls.__dataclass_fields__) - set(value)
        unknown = set(value) - set(known)
        if missing or unknown:
            raise RulesError(f"rules have wrong fields: {sorted(missing | unknown)}")
        return cls(**known)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def with_size(self, board_size: int) -> "Rules":
        return replace(self, board_size=board_size)

    @property
    def is_boxed(self) -> bool:
        return self.name == "boxed"

    @property
    def colors(self) -> tuple[str, ...]:
        return COLORS

    @property
    def default_supply(self) -> str:
        return "deck" if self.is_boxed else "random"

    @property
    def num_actions(self) -> int:
        """The size of the action space, whatever the number of players."""
        return self.variant(MIN_PLAYERS).num_actions

    def variant(self, num_players: int, setup: str = "agent", supply: str | None = None) -> Variant:
        """The compiled view, for a number of players, a set-up and a supply of tiles."""
        _whole("num_players", num_players, MIN_PLAYERS, MAX_PLAYERS)
        if setup not in ("agent", "random"):
            raise RulesError(f"setup must be 'agent' or 'random', got {setup!r}")
        supply = self.default_supply if supply is None else supply
        allowed = ("deck",) if self.is_boxed else ("random", "cycle", "given")
        if supply not in allowed:
            raise RulesError(f"{self.name} rules take a supply of {allowed}, got {supply!r}")
        return _variant(self, num_players, setup == "random", _SUPPLIES[supply])


@lru_cache(maxsize=256)
def _variant(rules: Rules, players: int, random_setup: bool, supply: int) -> Variant:
    return Variant.of(
        rules.board_size,
        players,
        rules.first_deal,
        rules.turn_deal,
        rules.is_boxed,
        random_setup,
        supply,
    )
