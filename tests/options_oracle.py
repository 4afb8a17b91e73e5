"""What the `options` observation shall say of a position of the oracle, in slow and plain Python.

Tiles are laid on a copy of the board, and whoever it concerns walks port by port. Written from the
definition at the top of `tsuro_env/engine/options.py`; no code or tables of the engine are used.

An entry (x, y, port) is an empty square that somebody faces, and the port by which it would go in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod

from tests.oracle import (
    CONNECTIONS,
    PORTS,
    TILES,
    OracleGame,
    Place,
    Square,
    across,
    on_board,
    walk,
)

FEATURES = [
    "present", "legal", "lives", "exits", "loops",
    "saved", "surviving", "lasting", "open", "returning", "reach", "room", "margin",
    "crowd", "near", "following", "company", "threat", "territory", "enduring",
    "kills", "pressed", "weakest", "outlasting", "spread",
]  # fmt: skip
SAFE = 28
ALL_TILES = range(len(TILES))


class Board:
    """Tiles on squares, and where paths lead over them."""

    def __init__(self, size: int, tiles: dict[Square, tuple[int, int]]) -> None:
        self.size, self.tiles = size, tiles
        self._ways: dict[Square, dict[str, Place | None]] = {}
        self._savers: dict[Place, set[int]] = {}

    @property
    def squares(self) -> list[Square]:
        return [(x, y) for y in range(self.size) for x in range(self.size)]

    def with_tile(self, square: Square, index: int, rotation: int) -> Board:
        return Board(self.size, {**self.tiles, square: (index, rotation)})

    def is_empty(self, square: Square) -> bool:
        return on_board(*square, self.size) and square not in self.tiles

    def go(self, entry: Place) -> tuple[str, Place]:
        """How somebody who faces a square fares once it is covered; until then it stays."""
        result, place = walk(across(entry), self.tiles, self.size)
        return result, across(place)

    def ways(self, square: Square) -> dict[str, Place | None]:
        """Where the path from each port of an empty square leads; None is off the board."""
        if square not in self._ways:
            ends = {port: walk((*square, port), self.tiles, self.size) for port in PORTS}
            self._ways[square] = {
                port: across(place) if result == "FINE" else None
                for port, (result, place) in ends.items()
            }
        return self._ways[square]

    def onward(self, square: Square) -> dict[str, Place]:
        """The ways that lead to another empty square."""
        return {port: end for port, end in self.ways(square).items() if end and end[:2] != square}

    def savers(self, entry: Place) -> set[int]:
        """The tiles of which some rotation keeps somebody at `entry` on the board."""
        if entry not in self._savers:
            self._savers[entry] = {
                tile
                for tile in ALL_TILES
                if any(self.with_tile(entry[:2], tile, r).go(entry)[0] == "FINE" for r in range(4))
            }
        return self._savers[entry]

    def direct_savers(self, entry: Place) -> int:
        """Savers that lead to another square at once, not by a path that comes back."""
        return leading_to(entry, self.onward(entry[:2]))

    def safe_ports(self, square: Square) -> list[str]:
        """The ports of a square behind which at least SAFE tiles would save directly."""
        onward = self.onward(square)
        return [port for port, end in onward.items() if self.direct_savers(end) >= SAFE]


def exits_of(tile: int, entry: Place) -> list[str]:
    """The ports that the rotations of a tile lead an entry to."""
    return [turned[entry[2]] for turned in CONNECTIONS[tile]]


def leading_to(entry: Place, ports: Iterable[str]) -> int:
    """How many tiles have a rotation that leads an entry to one of these ports."""
    wanted = set(ports)
    return sum(not wanted.isdisjoint(exits_of(tile, entry)) for tile in ALL_TILES)


def chance(good: int, dealt: int) -> float:
    """That there is a good one among so many tiles, each of which is any of the 35."""
    return 1 - (1 - good / len(TILES)) ** dealt


def expected_best(worth: Callable[[int], float], known: list[int], dealt: int) -> float:
    """The mean of the best of the known tiles and some dealt, each of which is any of the 35."""
    least = max(map(worth, known), default=0.0)
    if dealt == 0:
        return least
    values = sorted(max(worth(tile), least) for tile in ALL_TILES)
    # With the chance (i / 35) ** dealt the best of those dealt is among the i lowest of all.
    lowest = [(i / len(TILES)) ** dealt for i in range(len(TILES) + 1)]
    return sum(value * (lowest[i + 1] - lowest[i]) for i, value in enumerate(values))


def two_turns(entry: Place, second: dict[str, float], known: list[int], dealt: int) -> float:
    """The chance to survive two turns, by what each port of the first is worth in the second."""

    def worth(tile: int) -> float:
        return max(second.get(port, 0.0) for port in exits_of(tile, entry))

    return expected_best(worth, known, dealt)


def steps_between(one: Place, other: Place) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def ring(size: int) -> list[Square]:
    """The squares of the periphery clockwise from the top left."""
    last = size - 1
    half = [(i, 0) for i in range(last)] + [(last, i) for i in range(last)]
    return half + [(last - x, last - y) for x, y in half]


class View:
    """A position as one player thinks about it."""

    def __init__(self, game: OracleGame, viewer: int, now: Board) -> None:
        self.game, self.viewer, self.now = game, viewer, now
        players = game.num_players
        self.others = [(viewer + k) % players for k in range(1, players)]
        self.hand = game.hands[viewer]
        self.entries = {seat: game.faces(seat) for seat in range(players) if game.faces(seat)}
        self.asked = game.to_move == viewer and not game.finished
        self.square = self.entries[viewer][:2] if viewer in self.entries else None
        if self.asked and game.phase == "first_tile":
            self.square = game.chosen[:2]
            self.entries[viewer] = across(game.chosen)
        self.turn_tiles = 3 if game.boxed else game.turn_deal

    # Each option ----------------------------------------------------------------------

    def row(self, action: int) -> dict[str, float]:
        slot, rotation = divmod(action, 4)
        row = dict.fromkeys(FEATURES, 0.0)
        if slot >= len(self.hand):
            return row
        row["present"] = 1.0
        row["legal"] = float(self.asked and action in self.game.legal_actions())
        if self.square is None:  # where the tile would be laid is not known yet
            return row
        laid = self.now.with_tile(self.square, self.hand[slot], rotation)
        walks = {seat: laid.go(entry) for seat, entry in self.entries.items()}
        loopers = [seat for seat, (result, _) in walks.items() if result == "LOOP"]
        if loopers:  # the tile is not laid, so there is nothing more to say
            row["loops"] = 1.0
            row["lives"] = float(self.viewer not in loopers)
            row["kills"] = len(set(loopers) & set(self.others)) / len(self.others)
            return row
        ends = {seat: entry for seat, (result, entry) in walks.items() if result == "FINE"}
        pushed_out = [seat for seat in self.others if seat in walks and seat not in ends]
        row["kills"] = len(pushed_out) / len(self.others)
        row |= self.of_the_others(laid, ends)
        if self.viewer in ends:
            kept = self.hand[:slot] + self.hand[slot + 1 :]
            row |= self.of_oneself(laid, ends[self.viewer], kept)
            row |= self.of_company(laid, ends)
        row["lives"] = float(self.viewer in ends)
        row["exits"] = float(self.viewer not in ends)
        return row

    def of_oneself(self, laid: Board, mine: Place, kept: list[int]) -> dict[str, float]:
        """By the entry that the player would come to face; `kept` is the rest of its hand."""
        now, square = self.now, mine[:2]
        around = [(mine[0] + i, mine[1] + j) for i in range(-2, 3) for j in range(-2, 3)]
        # In boxed the hand is kept, and one is drawn from the deck while there is one.
        known = kept if self.game.boxed else []
        dealt = min(len(self.game.deck), 1) if self.game.boxed else self.turn_tiles
        ways, savers = laid.ways(square).values(), laid.savers(mine)
        return {
            "saved": len(savers) / len(TILES),
            "surviving": expected_best(lambda tile: float(tile in savers), known, dealt),
            "lasting": self.lasting(laid, mine, known, dealt),
            "enduring": self.enduring(laid, mine, known, dealt),
            "open": len(laid.onward(square)) / 8,
            "returning": sum(end is not None and end[:2] == square for end in ways) / 8,
            "reach": self.reach(mine),
            "room": sum(map(now.is_empty, around)) / 25,
            "margin": min(min(at, now.size - 1 - at) for at in square) / (now.size / 2),
            "territory": mean([self.is_nearest(mine, there) for there in now.squares]),
        }

    def of_company(self, laid: Board, ends: dict[int, Place]) -> dict[str, float]:
        """How close the others would be, those that move soonest first."""
        mine = ends[self.viewer]
        others = [ends[seat] for seat in self.others if seat in ends]
        close = [1 / (1 + steps_between(mine, other)) for other in others]
        beside = [other for other in others if other[:2] == mine[:2]]
        pushed = [chance(self.pushers(laid, mine, other), self.turn_tiles) for other in beside]
        return {
            "crowd": len(beside) / len(self.others),
            "near": max(close, default=0.0),
            "following": close[0] if close else 0.0,
            "company": sum(close) / len(self.others),
            "threat": 1 - prod(1 - push for push in pushed),
        }

    def of_the_others(self, laid: Board, ends: dict[int, Place]) -> dict[str, float]:
        """How those of them would fare that would still have an avatar."""
        left = [seat for seat in self.others if seat in ends]
        saved = [len(laid.savers(ends[seat])) / len(TILES) for seat in left]
        return {
            "pressed": mean(saved),
            "weakest": min(saved, default=0.0),
            "outlasting": mean([self.outlasting(laid, seat, ends[seat]) for seat in left]),
            "spread": mean([self.reach(ends[seat]) for seat in left]),
        }

    # What they are made of ------------------------------------------------------------

    def lasting(self, laid: Board, entry: Place, known: list[int], dealt: int) -> float:
        """Two turns of which the second finds the same board as the first, no paths that return."""
        second = {
            port: chance(laid.direct_savers(end), self.turn_tiles)
            for port, end in laid.onward(entry[:2]).items()
        }
        return two_turns(entry, second, known, dealt)

    def enduring(self, laid: Board, entry: Place, known: list[int], dealt: int) -> float:
        """The same, with a second turn to a safe port: safe before the tile is laid."""
        second = {
            port: chance(leading_to(end, self.now.safe_ports(end[:2])), self.turn_tiles)
            for port, end in laid.onward(entry[:2]).items()
        }
        return two_turns(entry, second, known, dealt)

    def outlasting(self, laid: Board, seat: int, entry: Place) -> float:
        """Another's `lasting`, with the tile only if a path joins its square now to the tile's."""
        square = self.entries[seat][:2]
        joined = [end[:2] for end in self.now.ways(square).values() if end]
        board = laid if self.square in [square, *joined] else self.now
        return self.lasting(board, entry, [], self.turn_tiles)

    def reach(self, entry: Place) -> float:
        """By paths as they are now, none of them over the square of the tile."""
        reached, to_visit = {entry[:2]}, [entry[:2]]
        while to_visit:
            ends = {end[:2] for end in self.now.ways(to_visit.pop()).values() if end}
            fresh = ends - reached - {self.square}
            reached |= fresh
            to_visit += fresh
        return len(reached) / len(self.now.squares)

    def is_nearest(self, mine: Place, there: Square) -> bool:
        """Empty now, and nearer to it than to where any other is now."""
        place = (*there, "A")
        others = [self.entries[seat] for seat in self.others if seat in self.entries]
        return self.now.is_empty(there) and all(
            steps_between(mine, place) < steps_between(other, place) for other in others
        )

    def pushers(self, laid: Board, mine: Place, other: Place) -> int:
        """Tiles with a rotation that leads one off the board, the other to another square."""
        ways, onward = laid.ways(mine[:2]), laid.onward(mine[:2])
        return sum(
            any(ways[turned[mine[2]]] is None and turned[other[2]] in onward for turned in turns)
            for turns in CONNECTIONS
        )

    # The whole game -------------------------------------------------------------------

    def whole(self) -> dict[str, float]:
        """The global features by name, in their order."""
        game, now = self.game, self.now
        phases = ("start", "first_tile", "turn")
        whole = {f"phase {p}": float(p == game.phase and not game.finished) for p in phases}
        whole["covered"] = len(now.tiles) / len(now.squares)
        for k, seat in enumerate([self.viewer, *self.others]):
            entry = game.faces(seat)
            whole[f"{k} is in"] = float(not game.out[seat])
            whole[f"{k} faces"] = float(entry is not None)
            whole[f"{k} x"] = entry[0] / (now.size - 1) if entry else 0.0
            whole[f"{k} y"] = entry[1] / (now.size - 1) if entry else 0.0
            whole[f"{k} saved"] = len(now.savers(entry)) / len(TILES) if entry else 0.0
            whole[f"{k} turn"] = float(seat == game.to_move and not game.finished)
        faced = [entry[:2] for entry in map(game.faces, range(game.num_players)) if entry]
        for square in ring(now.size):
            whole[f"edge {square}"] = float(square in now.tiles or square in faced)
        return whole
