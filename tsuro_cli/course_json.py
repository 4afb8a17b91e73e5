"""The course's JSON formats: reading them strictly, and printing answers.

Everything that is not exactly as the formats say is a CourseFormatError. Boards that cannot be are
the Board's own errors.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from tsuro_env import Board, Rules, Tile
from tsuro_env.errors import TsuroError

DEGREES = (0, 90, 180, 270)
PORTS = tuple("ABCDEFGH")
COLORS = ("white", "black", "red", "green", "blue")
STRATEGIES = {"firsts": "first", "seconds": "second", "thirds": "third"}

Action = tuple[str, Tile]


class CourseFormatError(TsuroError):
    """Input that is not in the course's format."""


def read_values(text: str) -> list[Any]:
    """The concatenated JSON values of a text."""
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    values, position = [], _skip_space(text, 0)
    while position < len(text):
        try:
            value, position = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            where = f"line {error.lineno} column {error.colno}"
            raise CourseFormatError(f"not JSON at {where}: {error.msg}") from None
        except RecursionError:
            raise CourseFormatError("JSON nested too deeply") from None
        values.append(value)
        position = _skip_space(text, position)
    return values


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\r\n":
        position += 1
    return position


def _no_constant(name: str) -> None:
    raise CourseFormatError(f"{name} is not JSON")


def to_line(value: object) -> str:
    """One answer as a line of plain ASCII: names may hold what no terminal can show."""
    return json.dumps(value, ensure_ascii=True)


# Reading the parts, smallest first


def tile_index(value: object) -> int:
    return _integer(value, range(35), "a tile index from 0 to 34")


def degree(value: object) -> int:
    return _integer(value, DEGREES, "a degree: 0, 90, 180 or 270")


def coordinate(value: object) -> int:
    return _integer(value, range(10), "a coordinate from 0 to 9")


def port(value: object) -> str:
    return _one_of(value, PORTS, "a port from A to H")


def color(value: object) -> str:
    return _one_of(value, COLORS, f"a colour: {', '.join(COLORS)}")


def entrance(value: object) -> tuple[Tile, str]:
    """[tile-index, degree, port]"""
    index, degrees, at = _list_of(value, 3, "[tile-index, degree, port]")
    return Tile(tile_index(index), degree(degrees)), port(at)


def tile_pat(value: object) -> Tile:
    """[tile-index, degree]"""
    index, degrees = _list_of(value, 2, "[tile-index, degree]")
    return Tile(tile_index(index), degree(degrees))


def action_pat(value: object) -> Action:
    """[color, tile-pat]"""
    mover, tile = _list_of(value, 2, "[color, tile-pat]")
    return color(mover), tile_pat(tile)


def turn_pat(value: object) -> tuple[Action, tuple[Tile, Tile]]:
    """[action-pat, tile-index, tile-index]"""
    action, one, two = _list_of(value, 3, "[action-pat, tile-index, tile-index]")
    return action_pat(action), (Tile(tile_index(one), 0), Tile(tile_index(two), 0))


def board(value: object) -> Board:
    """[state-pat…]: tiles with and without an avatar."""
    if not isinstance(value, list):
        raise _unexpected(value, "a list of placed tiles")
    tiles: dict[tuple[int, int], Tile] = {}
    avatars: dict[str, tuple[int, int, str]] = {}
    for place in value:
        tile, owner, at, x, y = _state_pat(place)
        if tiles.setdefault((x, y), tile) != tile:
            raise CourseFormatError(f"two different tiles on the square ({x}, {y})")
        if owner is None or at is None:
            continue
        if owner in avatars:
            raise CourseFormatError(f"{owner} stands on the board twice")
        avatars[owner] = (x, y, at)
    return Board.build(Rules.course(), tiles, avatars)


def _state_pat(value: object) -> tuple[Tile, str | None, str | None, int, int]:
    match value:
        case [tile, x, y]:
            return tile_pat(tile), None, None, coordinate(x), coordinate(y)
        case [tile, owner, at, x, y]:
            return tile_pat(tile), color(owner), port(at), coordinate(x), coordinate(y)
    raise _unexpected(value, "[tile-pat, x, y] or [tile-pat, color, port, x, y]")


def initial_place(on: Board, owner: str) -> list[Any]:
    """The initial-place of an avatar that is on the board, to be printed."""
    avatar = on.avatar(owner)
    assert avatar is not None
    tile = on.tile_at(avatar.x, avatar.y)
    assert tile is not None
    return [[tile.index, tile.degrees], owner, avatar.port, avatar.x, avatar.y]


def referee_names(value: object) -> list[str]:
    """[name…]: 3 to 5 of them."""
    if not isinstance(value, list) or not 3 <= len(value) <= 5:
        raise _unexpected(value, "a list of 3 to 5 names")
    return [_text(name, "a name") for name in value]


def entrants(value: object) -> list[tuple[str, str]]:
    """[{"name": s, "strategy": path}…] as (name, built-in player)."""
    if not isinstance(value, list):
        raise _unexpected(value, "a list of entrants")
    return [_entrant(entrant) for entrant in value]


def _entrant(value: object) -> tuple[str, str]:
    if not isinstance(value, dict) or value.keys() != {"name", "strategy"}:
        raise _unexpected(value, 'an object with "name" and "strategy"')
    return _text(value["name"], "a name"), _strategy(value["strategy"])


def _strategy(value: object) -> str:
    """`…/first-s.rkt`, `…/FirstS.java` and `…\\first_s.py` are all `first`."""
    path = _text(value, "the path of a strategy")
    stem = PurePosixPath(PureWindowsPath(path).as_posix()).stem
    plain = stem.lower().replace("-", "").replace("_", "")
    if plain not in STRATEGIES:
        raise _unexpected(value, "a path to first-s, second-s or third-s")
    return STRATEGIES[plain]


def outcome(ranking: Iterable[Iterable[str]], cheaters: Iterable[str]) -> dict[str, Any]:
    """The result of a game or a tournament; an empty field is left out."""
    result: dict[str, Any] = {}
    if winners := [sorted(rank) for rank in ranking]:
        result["winners"] = winners
    if out := sorted(cheaters):
        result["cheaters"] = out
    return result


# Checks


def _integer(value: object, allowed: Iterable[int], what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value not in allowed:
        raise _unexpected(value, what)
    return value


def _one_of(value: object, allowed: tuple[str, ...], what: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise _unexpected(value, what)
    return value


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise _unexpected(value, what)
    return value


def _list_of(value: object, length: int, what: str) -> list[Any]:
    if not isinstance(value, list) or len(value) != length:
        raise _unexpected(value, what)
    return value


def _unexpected(value: object, what: str) -> CourseFormatError:
    try:
        shown = json.dumps(value)
    except RecursionError:
        shown = "something nested very deeply"
    return CourseFormatError(
        f"expected {what}, got {shown if len(shown) <= 80 else shown[:77] + '...'}"
    )
