"""A game as scenes: the position of a referee, or a record as a film, a scene for every move.

The record says who went out and why; the film only follows the lines, so that a game of any rule
checker's making can be drawn. What cannot be followed is a RecordError that names the move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from tsuro_env.board import Avatar
from tsuro_env.drawing.geometry import (
    HalfEdge,
    Square,
    Step,
    across,
    on_board,
    partner,
    walk_from,
)
from tsuro_env.drawing.scene import Scene, Seat, Trail, ahead_of, in_words
from tsuro_env.engine.state import FIRST_TILE, PHASE, SPOT
from tsuro_env.engine.tables import NUM_PORTS, PORTS
from tsuro_env.errors import RecordError
from tsuro_env.record import Record, check
from tsuro_env.referee import Referee
from tsuro_env.rules import COLORS, MAX_SIZE
from tsuro_env.tile import Tile, is_whole, port_number

KINDS: Final = ("color", "placement", "turn")
OPENING: Final = "Before the first move"
#: What reading a value of the wrong shape may raise.
_MALFORMED: Final = (KeyError, TypeError, IndexError, ValueError, AttributeError)


class Move(NamedTuple):
    """What a move changed: the tile laid, what it added to the trails, and who went out."""

    placed: Square | None = None
    walks: Mapping[str, Trail] = {}
    out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Frame:
    """A scene, and the move since the one before it."""

    scene: Scene
    move: Move


def scene_of(referee: Referee) -> Scene:
    """The position now, with the hand of the player who is asked."""
    pending = referee.pending
    record = referee.record
    table = _Table(record)
    for move in record["moves"]:
        table.play(move)
    caption = _caption(record["moves"][-1]) if record["moves"] else OPENING
    if pending is None:
        return table.finished(record, table.scene(caption))
    game = referee.state.game[0]
    spot = None
    if game[PHASE] == FIRST_TILE:
        spots = referee.rules.variant(len(referee.players)).spots
        square = int(spots[game[SPOT]]) // NUM_PORTS
        spot = square % table.size, square // table.size
    caption = f"{caption}. {pending.color.capitalize()} to move"
    return table.scene(caption, pending.color, pending.tiles, spot=spot)


def scenes_of(record: Record) -> list[Scene]:
    """The scenes of a recorded game: the empty board, then the board after each move."""
    return [frame.scene for frame in frames_of(record)]


def frames_of(record: Record) -> list[Frame]:
    """As ``scenes_of``, with the moves between them."""
    check(record)
    where = "the record"
    try:
        table = _Table(record)
        frames = [Frame(table.scene(OPENING), Move())]
        for number, entry in enumerate(record["moves"], 1):
            where = f"move {number} of the record"
            move = table.play(entry)
            hand, chosen = _hand(entry["dealt"], entry["answer"])
            scene = table.scene(_caption(entry), entry["color"], hand, chosen)
            frames.append(Frame(scene, move))
        where = "the end of the record"
        frames[-1] = Frame(table.finished(record, frames[-1].scene), frames[-1].move)
    except _MALFORMED as error:
        reason = f"no {error}" if isinstance(error, KeyError) else error
        raise RecordError(f"{where}: {reason}") from error
    return frames


class _Table:
    """What lies on the table while a record is followed."""

    def __init__(self, record: Record) -> None:
        self.size = int(record["rules"]["board_size"])
        if not 0 < self.size <= MAX_SIZE:
            raise RecordError(f"board_size {self.size}: expected 1 to {MAX_SIZE}")
        self.names = {player["color"]: str(player["name"]) for player in record["players"]}
        if len(self.names) != len(record["players"]) or not set(self.names) <= set(COLORS):
            raise RecordError(f"players {[*self.names]}: expected a colour of their own for each")
        name, seed = record["rules"]["name"], record["seed"]
        self.note = f"{len(self.names)} players, {name} rules, seed {seed}"
        self.tiles: dict[Square, Tile] = {}
        self.avatars: dict[str, Avatar] = {}
        self.trails: dict[str, Trail] = {}
        self.fates: dict[str, tuple[str, str]] = {}

    def scene(
        self,
        caption: str,
        mover: str | None = None,
        hand: tuple[Tile, ...] = (),
        chosen: int | None = None,
        *,
        spot: Square | None = None,
    ) -> Scene:
        return Scene(
            size=self.size,
            tiles=dict(self.tiles),
            avatars=dict(self.avatars),
            trails=dict(self.trails),
            seats=self.seats({}),
            mover=mover,
            hand=hand,
            chosen=chosen,
            spot=spot,
            caption=caption,
            note=self.note,
        )

    def seats(self, ranks: Mapping[str, int]) -> tuple[Seat, ...]:
        return tuple(
            Seat(color, name, *self.fates.get(color, ("", "")), ranks.get(color))
            for color, name in self.names.items()
        )

    def play(self, entry: Mapping[str, Any]) -> Move:
        """One move of a record: lay the tile, walk, take off who is out."""
        color, kind, answer = self._known(entry["color"]), entry["kind"], entry["answer"]
        if kind not in KINDS:
            raise RecordError(f"kind {kind!r}: expected one of {', '.join(KINDS)}")
        out = tuple(o["color"] for o in entry["out"])
        placed: Square | None = None
        walks: dict[str, Trail] = {}
        if answer is not None and entry["placed"] and kind == "placement":
            placed, walks = self._start(color, answer)
        elif answer is not None and entry["placed"]:
            placed, walks = self._turn(color, answer, out)
        for walker, steps in walks.items():
            self.trails[walker] = self.trails.get(walker, ()) + steps
        self._take_off(entry["out"])
        return Move(placed, walks, out)

    def finished(self, record: Record, scene: Scene) -> Scene:
        """The last scene: everybody's rank, who won, and who failed even after the end."""
        self._take_off(record.get("after") or [])
        ranking = record.get("ranking")
        if ranking is None:
            return scene
        ranks = {
            self._known(color): rank for rank, group in enumerate(ranking, 1) for color in group
        }
        caption = f"{scene.caption}. {_winners(ranking[0] if ranking else [])}"
        return replace(scene, seats=self.seats(ranks), caption=caption)

    def _known(self, color: Any) -> str:
        if color not in self.names:
            raise RecordError(f"colour {color!r}: expected a player of this game")
        return str(color)

    def _start(self, color: str, answer: Sequence[Any]) -> tuple[Square | None, dict[str, Trail]]:
        """A first tile with an avatar on it, or an avatar at an edge mark."""
        _, letter, x, y = answer[-4:]
        port, on_tile = port_number(letter), len(answer) == 5
        self._check_empty(x, y)
        self.avatars[color] = Avatar(x, y, letter, on_tile)
        if not on_tile:
            return None, {}
        tile = self.tiles[x, y] = Tile(*answer[0])
        return (x, y), {color: (Step(x, y, partner(tile, port), port),)}

    def _turn(
        self, color: str, tile: Sequence[int], gone: Sequence[str]
    ) -> tuple[Square, dict[str, Trail]]:
        """A tile on the square that the mover faces; everybody who faces it walks."""
        if color not in self.avatars:
            raise RecordError(f"a turn of {color}: expected its avatar on the board")
        x, y, _ = ahead_of(self.avatars[color])
        starts = {walker: ahead_of(avatar) for walker, avatar in self.avatars.items()}
        self._check_empty(x, y)
        self.tiles[x, y] = Tile(*tile)
        walks = {
            walker: self._walk(walker, start, walker in gone)
            for walker, start in starts.items()
            if (start.x, start.y) == (x, y)
        }
        return (x, y), walks

    def _check_empty(self, x: Any, y: Any) -> None:
        whole = is_whole(x) and is_whole(y)
        if not whole or not on_board(self.size, x, y) or (x, y) in self.tiles:
            raise RecordError(f"square ({x!r}, {y!r}): expected an empty square of the board")

    def _walk(self, color: str, start: HalfEdge, gone: bool) -> Trail:
        steps = walk_from(self.tiles, start)
        x, y, _, leave = steps[-1]
        self.avatars[color] = Avatar(x, y, PORTS[leave])
        ahead = across(x, y, leave)
        stays = on_board(self.size, ahead.x, ahead.y) and (ahead.x, ahead.y) not in self.tiles
        if not stays and not gone:
            raise RecordError(f"{color} leaves the board or loops: expected it among those out")
        return steps

    def _take_off(self, out: Iterable[Mapping[str, Any]]) -> None:
        for entry in out:
            color = self._known(entry["color"])
            self.fates[color] = str(entry["reason"]), str(entry["detail"])
            self.avatars.pop(color, None)


def _chosen_tile(answer: Sequence[Any] | None) -> Tile | None:
    """The tile in an answer; an edge mark has none."""
    if answer is None or len(answer) == 4:
        return None
    return Tile(*(answer[0] if len(answer) == 5 else answer))


def _hand(
    dealt: Sequence[int], answer: Sequence[Any] | None
) -> tuple[tuple[Tile, ...], int | None]:
    """The tiles offered, and which one was chosen; one that was not offered has no place here."""
    hand = [Tile(index) for index in dealt]
    tile = _chosen_tile(answer)
    if tile is None or tile.index not in dealt:
        return tuple(hand), None
    slot = list(dealt).index(tile.index)
    hand[slot] = tile
    return tuple(hand), slot


def _caption(entry: Mapping[str, Any]) -> str:
    color, answer = entry["color"], entry["answer"]
    tile = _chosen_tile(answer)
    if answer is None:
        action = f"{color} makes no move"
    elif tile is None:
        action = f"{color} starts at {answer[1]} of ({answer[2]}, {answer[3]})"
    else:
        verb = "starts with" if entry["kind"] == "placement" else "plays"
        action = f"{color} {verb} tile {tile.index} at {tile.degrees}°"
    out: dict[str, list[str]] = {}
    for fault in entry["out"]:
        out.setdefault(in_words(fault["reason"]), []).append(fault["color"])
    fates = [
        f"{_list(colors)} {'are' if len(colors) > 1 else 'is'} out: {reason}"
        for reason, colors in out.items()
    ]
    return f"Round {entry['round']}: " + "; ".join([action, *fates])


def _winners(colors: Sequence[str]) -> str:
    if not colors:
        return "Nobody wins"
    words = f"{_list(colors)} {'share the win' if len(colors) > 1 else 'wins'}"
    return words[0].upper() + words[1:]


def _list(colors: Sequence[str]) -> str:
    *others, last = colors
    return f"{', '.join(others)} and {last}" if others else last
