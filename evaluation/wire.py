"""The messages between a referee and a player in another process: lines of JSON.

The referee's side asks, the player's side answers each question with one line:

    phase  question                                              answer
    setup  ["start", {"protocol", "rules", "seed"}]              "void"
           ["playing-as", color, [color ...]]                    "void"
    play   ["initial", [tile-index ...], [state-pat ...]]        initial-place
           ["take-turn", [tile-index ...], [state-pat ...]]      tile-pat
    end    ["game-over", "won" | "lost" | "drew"]                "void"
           ["tournament-over", true | false]                     "void"

Boards, tiles and placements are in the course's formats; in `boxed`, where players start without
a tile, a placement and an avatar that has not moved yet are [color, port, x, y].  Instead of an
answer the player's side may own up: {"exception": text} or {"malformed": text}.

This module translates values; nothing here reads or writes a pipe.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tsuro_env import Board, InitialPlacement, Rules, Tile
from tsuro_env.guard import Fault
from tsuro_env.record import decode_answer, encode_answer

PROTOCOL = 1
MAX_ANSWER = 1 << 16
"""Bytes of an answer; more is malformed."""
OWN_UP = ("exception", "malformed")

START, PLAYING_AS = "start", "playing-as"
INITIAL, TAKE_TURN = "initial", "take-turn"
GAME_OVER, TOURNAMENT_OVER = "game-over", "tournament-over"
DECISIONS = (INITIAL, TAKE_TURN)
VOID = "void"
ANSWER_LENGTHS = (2, 4, 5)
"""Of a tile-pat, and of an initial-place without and with a tile."""

# Between the referee's side and the processes that look after a player; one byte each.
LAUNCHED = b"l"
STRAYS, FATE = b"s", b"f"
"""A keeper is asked how many processes the player left behind, and how its process ended."""


def to_line(value: object) -> bytes:
    """The value as one line; a TypeError or ValueError if it is not JSON."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def encode_tiles(tiles: Sequence[Tile]) -> list[int]:
    return [tile.index for tile in tiles]


def decode_tiles(value: Sequence[int]) -> tuple[Tile, ...]:
    return tuple(Tile(index) for index in value)


def encode_board(board: Board) -> list[Any]:
    """State-pats: the avatars with the tiles they stand on, then the tiles without an avatar."""
    tiles, standing, places = board.tiles, set(), []
    for color, avatar in board.avatars.items():
        where = [color, avatar.port, avatar.x, avatar.y]
        if avatar.on_tile:
            standing.add((avatar.x, avatar.y))
            where = [encode_answer(tiles[avatar.x, avatar.y]), *where]
        places.append(where)
    bare = ((square, tile) for square, tile in tiles.items() if square not in standing)
    places += [[encode_answer(tile), *square] for square, tile in bare]
    return places


def decode_board(rules: Rules, value: Sequence[Any]) -> Board:
    """The inverse of `encode_board`."""
    tiles: dict[tuple[int, int], Tile] = {}
    avatars: dict[str, tuple[int, int, str]] = {}
    marks: list[InitialPlacement] = []
    for place in value:
        if len(place) == 4:
            marks.append(InitialPlacement(None, *place))
            continue
        x, y = place[-2:]
        tiles[x, y] = Tile(*place[0])
        if len(place) == 5:
            color, port = place[1:3]
            avatars[color] = (x, y, port)
    board = Board.build(rules, tiles, avatars)
    for mark in marks:
        board = board.place_initial(mark)
    return board


def read_answer(line: bytes, question: str) -> Any:
    """What a player's line answers to a question, or the `Fault` that it is. Trusts nothing."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Fault("malformed", f"expected JSON, got {line[:40]!r}")
    if isinstance(value, dict) and len(value) == 1:
        ((reason, text),) = value.items()
        if reason in OWN_UP and isinstance(text, str):
            return Fault(reason, text[:500])
    if question not in DECISIONS:
        return (
            None if value == VOID else Fault("malformed", f"expected {VOID!r}, got {line[:40]!r}")
        )
    try:
        if isinstance(value, list) and len(value) in ANSWER_LENGTHS:
            return decode_answer(value)
    except (TypeError, ValueError, KeyError):
        pass
    return Fault("malformed", f"expected {_expected(question)}, got {line[:80]!r}")


def _expected(question: str) -> str:
    return "[index, degrees]" if question == TAKE_TURN else "[[index, degrees], color, port, x, y]"


def write_answer(answer: object, question: str) -> bytes:
    """The line for what a player's method gave back."""
    if isinstance(answer, Fault):
        return to_line({answer.reason: answer.message})
    if question not in DECISIONS:
        return to_line(VOID)
    kind = Tile if question == TAKE_TURN else InitialPlacement
    if type(answer) is not kind:
        return to_line({"malformed": f"expected a {kind.__name__}, got a {type(answer).__name__}"})
    try:
        return to_line(encode_answer(answer))
    except (TypeError, ValueError, AttributeError) as error:
        return to_line({"malformed": f"an answer that is not JSON: {error}"[:500]})
