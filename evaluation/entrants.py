"""Who takes part: names, specs and where their code runs. Makes no players; see `roster`."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import agents
from evaluation.extras import needs
from tsuro_env import StrategyPlayer
from tsuro_env.errors import TsuroError

MAX_NAME = 100


class EntrantError(TsuroError):
    """An entrant that cannot take part: no name, no spec, options of the wrong kind."""


@dataclass(frozen=True)
class Entrant:
    """One who takes part, under a name of its own.

    `spec` is for `agents.make`. `isolated`: its code runs in a process of its own, under limits.
    `player`: an object of the caller's that plays instead; it has to stay in this process.
    """

    name: str
    spec: str
    isolated: bool = False
    player: StrategyPlayer | None = None


def is_foreign(spec: str) -> bool:
    """Whether the spec names a class of a module or file, and not a built-in player."""
    place, _, last = spec.rpartition(":")
    return ":" in (place if "=" in last else spec)


def from_specs(
    players: Sequence[str | StrategyPlayer | Entrant], isolate: bool | None = False
) -> list[Entrant]:
    """Entrants named after their specs, those that repeat numbered from 1.

    `isolate`: all of them, none (False), or those whose code is foreign (None).
    """
    specs = [_spec(player) for player in players]
    numbered = agents.unique_names(specs)
    return [
        _entrant(player, spec, name, isolate)
        for player, spec, name in zip(players, specs, numbered, strict=True)
    ]


def _spec(player: str | StrategyPlayer | Entrant) -> str:
    if isinstance(player, Entrant):
        return player.name
    return player if isinstance(player, str) else type(player).__name__


def _entrant(
    player: str | StrategyPlayer | Entrant, spec: str, name: str, isolate: bool | None
) -> Entrant:
    if isinstance(player, Entrant):
        return dataclasses.replace(player, name=name)
    if not isinstance(player, str):
        return Entrant(name, spec, player=player)
    return Entrant(name, spec, is_foreign(spec) if isolate is None else isolate)


def from_file(path: str | os.PathLike[str], isolate: bool | None = None) -> list[Entrant]:
    """Entrants of a YAML file: a list of specs, or of mappings with name, spec and options.

    - greedy
    - name: careful
      spec: my_module:Careful
      options: {depth: 3}
    """
    yaml = needs("yaml", "a file of entrants")
    try:
        listed = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise EntrantError(f"{path} is not YAML: {error}") from None
    if not isinstance(listed, list) or not listed:
        raise EntrantError(f"{path}: expected a list of entrants, got {type(listed).__name__}")
    read = [_from_yaml(item, f"{path}, entrant {n}") for n, item in enumerate(listed, 1)]
    names = agents.unique_names([name for name, _ in read])
    return [
        Entrant(name, spec, is_foreign(spec) if isolate is None else isolate)
        for name, (_, spec) in zip(names, read, strict=True)
    ]


def _from_yaml(item: object, where: str) -> tuple[str, str]:
    """Name and spec of one item."""
    if isinstance(item, str):
        return item, item
    if not isinstance(item, Mapping) or not item.keys() <= {"name", "spec", "options"}:
        raise EntrantError(f"{where}: expected a spec, or name, spec and options; got {item!r}")
    spec = item.get("spec")
    if not isinstance(spec, str) or not spec:
        raise EntrantError(f"{where}: spec must be a text, got {spec!r}")
    name = item.get("name", spec)
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME:
        raise EntrantError(f"{where}: name must be a text of 1 to {MAX_NAME} letters")
    return name, _with_options(spec, item.get("options") or {}, where)


def _with_options(spec: str, options: Any, where: str) -> str:
    if not isinstance(options, Mapping):
        raise EntrantError(f"{where}: options must be a mapping, got {options!r}")
    for key, value in options.items():
        scalar = isinstance(value, str | int | float) and "," not in str(value)
        if not isinstance(key, str) or not scalar:
            raise EntrantError(f"{where}: option {key}: {value!r} is no number, text or true/false")
    if not options:
        return spec
    text = ",".join(f"{key}={value}" for key, value in options.items())
    joint = "," if "=" in spec.rpartition(":")[2] else ":"  # the spec may have some already
    return f"{spec}{joint}{text}"


def is_text(name: str) -> bool:
    """False for halves of letters, which no file can hold; a broken file name gives such."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def check(entrants: Iterable[Entrant]) -> None:
    """Names must differ, since results are kept under them, and foreign code must be there."""
    seen: set[str] = set()
    for entrant in entrants:
        if entrant.name in seen:
            raise EntrantError(f"two entrants are called {entrant.name!r}")
        if not is_text(entrant.name) or not is_text(entrant.spec):
            raise EntrantError(f"{entrant.name!r}: a name must be text that can be written down")
        seen.add(entrant.name)
        # Looked for and not imported: whatever foreign code does, it shall do in its own process.
        place = entrant.spec.partition(":")[0]
        if entrant.isolated and place.endswith(".py") and not Path(place).is_file():
            raise EntrantError(f"{entrant.name}: there is no file {place}")
        if entrant.isolated and is_foreign(entrant.spec) and not place.endswith(".py"):
            package = place.partition(".")[0]
            if importlib.util.find_spec(package) is None:
                raise EntrantError(f"{entrant.name}: there is no module {package}")
