"""Game records: one JSON object that holds what was dealt, what was answered, and what came of it.

    format, version   "tsuro-env/game", 1
    rules             the fields of `Rules`;  rule_checker: the class that judged
    setup, supply     "agent" | "random";  "random" | "cycle" | "deck" | "given"
    seed              of the game's chance
    players           [{"name", "color"} ...], oldest first
    moves             [{"round", "color", "kind", "dealt", "answer", "placed", "out"} ...]
                      kind "placement" | "turn"; dealt: tile indices; placed: whether a tile or
                      avatar was put down; out: [{"color", "reason", "detail"} ...], newly out
                      answer: course placement [[index, degrees], color, port, x, y], boxed
                      placement [color, port, x, y], turn [index, degrees], null if unusable
    after             faults in the very last call, [{"color", "reason", "detail"} ...]
    ranking           [[color ...] ...], best first; null while the game goes on
    cheaters          [{"color", "reason", "detail"} ...]

Nothing here replays a record: that is `tsuro_env.replay`.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tsuro_env.board import InitialPlacement
from tsuro_env.errors import RecordError
from tsuro_env.files import write_atomically
from tsuro_env.guard import Fault
from tsuro_env.rules import Rules
from tsuro_env.tile import Tile

FORMAT, VERSION = "tsuro-env/game", 1

Record = dict[str, Any]


def make(
    *,
    rules: Rules,
    rule_checker: str,
    setup: str,
    supply: str,
    seed: int,
    players: Sequence[tuple[str, str]],
    moves: list[dict[str, Any]],
    after: list[dict[str, Any]],
    ranking: list[list[str]] | None,
    cheaters: Mapping[str, Fault],
) -> Record:
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": rules.to_json(),
        "rule_checker": rule_checker,
        "setup": setup,
        "supply": supply,
        "seed": seed,
        "players": [{"name": name, "color": color} for name, color in players],
        "moves": moves,
        "after": after,
        "ranking": ranking,
        "cheaters": [out_entry(color, *fault) for color, fault in cheaters.items()],
    }


def out_entry(color: str, reason: str, detail: str = "") -> dict[str, str]:
    return {"color": color, "reason": reason, "detail": detail}


def encode_answer(answer: InitialPlacement | Tile | None) -> Any:
    if isinstance(answer, InitialPlacement):
        where = [answer.color, answer.port, answer.x, answer.y]
        return where if answer.tile is None else [encode_answer(answer.tile), *where]
    return None if answer is None else [answer.index, answer.degrees]


def decode_answer(value: Any) -> InitialPlacement | Tile | None:
    """The inverse of `encode_answer`; a TypeError or ValueError if it is of no such form."""
    if value is None:
        return None
    if len(value) == 2:
        return Tile(*value)
    tile = Tile(*value[0]) if len(value) == 5 else None
    color, port, x, y = value[-4:]
    return InitialPlacement(tile, color, port, x, y)


def load(path: str | os.PathLike[str]) -> Record:
    """Read a record and check its frame; `replay` checks the rest."""
    try:
        value = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # no UTF-8, no JSON, a number of 5,000 digits
        raise RecordError(f"{path} is not JSON: {error}") from None
    return check(value, str(path))


def check(value: Any, name: str = "the record") -> Record:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise RecordError(f"{name} is no game record: its format is not {FORMAT!r}")
    if value.get("version") != VERSION:
        raise RecordError(
            f"{name} has version {value.get('version')!r}; this release reads version {VERSION}"
        )
    frame = {"rules": dict, "seed": int, "players": list, "moves": list, "cheaters": list}
    for field, kind in frame.items():
        if not isinstance(value.get(field), kind):
            raise RecordError(f"{name}: field {field!r} is missing or not a {kind.__name__}")
    return value


def save(record: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write the record so that the file is either whole or not there."""
    write_atomically(path, json.dumps(record, ensure_ascii=True, indent=1) + "\n")
