"""Players from text: `make("greedy")`, `make("mcts:simulations=200")`, `make("module:Player")`.

A spec is

    NAME[:OPTIONS]                      a built-in player, or a model that comes with the package
    PATH/TO/MODEL.onnx[:OPTIONS]        a model file
    MODULE:CLASS[:OPTIONS]              a class of an importable module
    PATH/TO/FILE.py:CLASS[:OPTIONS]     a class of a file

and OPTIONS is `key=value,key=value`: keyword arguments, read as int, float, true/false, or text.
Built-in players are imported when they are first asked for.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from agents.shipped_models import shipped_models
from tsuro_env import StrategyPlayer
from tsuro_env.errors import TsuroError
from tsuro_env.guard import describe

BUILT_IN = {
    "random": "agents.random_player:RandomPlayer",
    "first": "agents.scripted:FirstPlayer",
    "second": "agents.scripted:SecondPlayer",
    "third": "agents.scripted:ThirdPlayer",
    "greedy": "agents.greedy:GreedyPlayer",
    "montecarlo": "agents.playout_search:MonteCarloPlayer",
    "mcts": "agents.playout_search:MctsPlayer",
    "learned+search": "agents.learned_search:LearnedSearchPlayer",
}

Factory = Callable[..., StrategyPlayer]


class AgentError(TsuroError):
    """A spec that makes no player."""


class UnknownAgentError(AgentError):
    """No built-in player, module or class has this name."""


class AgentImportError(AgentError):
    """The module or file of the player cannot be imported."""


class AgentOptionError(AgentError):
    """The player does not take these options."""


def names() -> list[str]:
    """The built-in players."""
    return sorted(BUILT_IN)


def unique_names(specs: Sequence[str]) -> list[str]:
    """What to call the players of a game: their specs, those that repeat numbered from 1."""
    names, repeats = [], Counter(specs)
    seen: Counter[str] = Counter()
    for spec in specs:
        seen[spec] += 1
        names.append(spec if repeats[spec] == 1 else f"{spec}-{seen[spec]}")
    return names


def make(spec: str, *, seed: int | None = None) -> StrategyPlayer:
    """A new player. `seed` goes to players that take one, unless the spec itself says it."""
    place, options = _split(spec)
    factory = _load(place)
    accepted = _accepted_options(factory)
    if seed is not None and (accepted is None or "seed" in accepted):
        options.setdefault("seed", seed)
    for key in options:
        if accepted is not None and key not in accepted:
            known = ", ".join(accepted) or "none"
            raise AgentOptionError(f"{place} has no option {key!r}; its options: {known}")
    return _build(spec, factory, options)


def make_all(specs: Sequence[str], seed: int | None = None) -> list[StrategyPlayer]:
    """The players of a game, oldest first, each with chance of its own."""
    if seed is None:
        return [make(spec) for spec in specs]
    seeds = np.random.SeedSequence(seed).generate_state(len(specs), np.uint64)
    return [make(spec, seed=int(own)) for spec, own in zip(specs, seeds, strict=True)]


def _split(spec: str) -> tuple[str, dict[str, Any]]:
    """`name:a=1,b=x` into the name and its options."""
    place, colon, last = spec.rpartition(":")
    if not colon or "=" not in last:
        return spec, {}
    options: dict[str, Any] = {}
    for item in last.split(","):
        key, equals, value = item.partition("=")
        if not (equals and key.isidentifier()):
            raise AgentOptionError(f"{spec!r}: {item!r} is not key=value")
        if key in options:
            raise AgentOptionError(f"{spec!r}: {key} is given twice")
        options[key] = _value(value)
    return place, options


def _value(text: str) -> int | float | bool | str:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for read in (int, float):
        with contextlib.suppress(ValueError):
            return read(text)
    return text


def _load(place: str) -> Factory:
    models = shipped_models()
    if place in models or place.endswith(".onnx"):
        return _load_model(models.get(place, Path(place)))
    place = BUILT_IN.get(place, place)
    where, colon, name = place.rpartition(":")
    if not (colon and where and name):
        raise UnknownAgentError(f"no player is called {place!r}; {_what_exists()}")
    module = _import_file(Path(where)) if where.endswith(".py") else _import_module(where)
    found = getattr(module, name, None)
    if not callable(found):
        players = ", ".join(_players_of(module)) or "none"
        raise UnknownAgentError(f"{where} has no player {name!r}; its players: {players}")
    factory: Factory = found
    return factory


def _load_model(path: Path) -> Factory:
    if not path.is_file():
        raise UnknownAgentError(f"there is no model file {str(path)!r}; {_what_exists()}")
    return functools.partial(_import_module("agents.onnx_player").OnnxPlayer, path)


def _what_exists() -> str:
    known = ", ".join([*names(), *shipped_models()])
    return f"there are {known}, path/to/model.onnx, module:Class and path/to/file.py:Class"


def _import_module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise _import_error(name, error) from error


def _import_file(path: Path) -> ModuleType:
    # The name is unique to the file, and known to sys.modules because dataclasses and pickle ask.
    digest = hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
    name = f"tsuro_player_{path.stem}_{digest[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _import_error(str(path), error) from error
    return module


def _import_error(where: str, error: BaseException) -> AgentImportError:
    return AgentImportError(
        f"cannot import {where}: {type(error).__name__}: {error}; {_what_exists()}"
    )


def _players_of(module: ModuleType) -> list[str]:
    return sorted(
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__ and _plays(value)
    )


def _plays(thing: object) -> bool:
    with contextlib.suppress(Exception):  # an object may refuse even to be looked at
        return all(
            callable(getattr(thing, ask, None)) for ask in ("initial_placement", "take_turn")
        )
    return False


def _accepted_options(factory: Factory) -> list[str] | None:
    """The names of the keyword arguments, or None if it takes any."""
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):  # a class written in C need not have a signature
        return None
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def _build(spec: str, factory: Factory, options: dict[str, Any]) -> StrategyPlayer:
    try:
        player = factory(**options)
    except (Exception, SystemExit) as error:
        raise AgentOptionError(f"{spec!r}: {describe(error)}") from error
    if not _plays(player):
        raise AgentError(f"{spec!r} makes no player: it lacks initial_placement or take_turn")
    return player
