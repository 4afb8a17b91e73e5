"""A slow, plain oracle of Tsuro, to check the engine against.

It remembers where every avatar stands and walks square by square over the placed
tiles. It shares no code and no tables with the engine, knows nothing of observations
or rewards, and is written to be compared with the rules sentence by sentence.

    Ports of a square      A B       Clockwise from the top-left. A place (x, y, port)
                         H     C     is an avatar standing on that port of that square
                         G     D     and facing the square across it. An edge mark is a
                           F E       place on an imaginary square just off the board.
"""

from __future__ import annotations

Square = tuple[int, int]
Place = tuple[int, int, str]

PORTS = "ABCDEFGH"
FACING = dict(zip(PORTS, "FEHGBADC", strict=True))
NORTH, EAST, SOUTH, WEST = (0, -1), (1, 0), (0, 1), (-1, 0)
TOWARDS = dict(zip(PORTS, [NORTH, NORTH, EAST, EAST, SOUTH, SOUTH, WEST, WEST], strict=True))
TILES = [
    "AE BF CH DG", "AE BF CG DH", "AF BE CH DG", "AE BD CG FH", "AH BC DE FG",
    "AE BC DH FG", "AE BC DG FH", "AD BG CF EH", "AD BF CG EH", "AD BE CH FG",
    "AD BE CG FH", "AD BC EH FG", "AC BH DF EG", "AC BH DE FG", "AC BG DF EH",
    "AC BG DE FH", "AC BF DH EG", "AC BF DG EH", "AC BE DH FG", "AC BE DG FH",
    "AC BD EH FG", "AC BD EG FH", "AB CH DG EF", "AB CH DF EG", "AB CH DE FG",
    "AB CG DH EF", "AB CG DF EH", "AB CG DE FH", "AB CF DH EG", "AB CF DG EH",
    "AB CE DH FG", "AB CE DG FH", "AB CD EH FG", "AB CD EG FH", "AB CD EF GH",
]  # fmt: skip
TILE_ACTIONS = 12  # three slots, four rotations each; the start actions come after

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """Scramble a 64-bit word (the finisher of SplitMix64)."""
    z &= WORD
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
    return z ^ (z >> 31)


def next_seed(seed: int) -> int:
    """What the game of a seed begins its chance with; and the seed of the game after it."""
    return mix(seed + GOLDEN)


def connections(index: int, rotation: int) -> dict[str, str]:
    """Where each port leads; a quarter turn clockwise moves every letter by two."""
    ends: dict[str, str] = {}
    for pair in TILES[index].split():
        one, other = (PORTS[(PORTS.index(p) + 2 * rotation) % 8] for p in pair)
        ends[one], ends[other] = other, one
    return ends


CONNECTIONS = [[connections(i, r) for r in range(4)] for i in range(len(TILES))]


def across(place: Place) -> Place:
    """The place on the other side of the edge; doing it twice changes nothing."""
    x, y, port = place
    dx, dy = TOWARDS[port]
    return x + dx, y + dy, FACING[port]


def on_board(x: int, y: int, size: int) -> bool:
    return 0 <= x < size and 0 <= y < size


def walk(place: Place, tiles: dict[Square, tuple[int, int]], size: int) -> tuple[str, Place]:
    """Go on until facing an empty square, off the board, or back where one has been."""
    been = {place}
    while True:
        x, y, entry = across(place)
        if not on_board(x, y, size):
            return "EXIT", place
        if (x, y) not in tiles:
            return "FINE", place
        index, rotation = tiles[x, y]
        place = (x, y, CONNECTIONS[index][rotation][entry])
        if place in been:
            return "LOOP", place
        been.add(place)


def course_spots(size: int) -> list[Place]:
    """Periphery squares clockwise, each with its ports that face an in-board square."""
    last = size - 1
    ring = [(x, 0) for x in range(size)] + [(last, y) for y in range(1, size)]
    ring += [(x, last) for x in range(last - 1, -1, -1)]
    ring += [(0, y) for y in range(last - 1, 0, -1)]
    spots = [(x, y, port) for x, y in ring for port in PORTS]
    return [spot for spot in spots if on_board(*across(spot)[:2], size)]


def boxed_spots(size: int) -> list[Place]:
    """The edge marks clockwise, as the places just off the board."""
    there, back, last = range(size), range(size - 1, -1, -1), size - 1
    marks = [(x, 0, p) for x in there for p in "AB"]
    marks += [(last, y, p) for y in there for p in "CD"]
    marks += [(x, last, p) for x in back for p in "EF"]
    marks += [(0, y, p) for y in back for p in "GH"]
    return [across(mark) for mark in marks]


class OracleGame:
    """One game; `step` answers the question put to `to_move`."""

    def __init__(
        self,
        rules: str,
        size: int,
        num_players: int,
        seed: int,
        setup: str = "agent",
        supply: str = "random",
        deals: tuple[int, int] = (3, 2),
    ) -> None:
        assert rules in ("course", "boxed"), rules
        assert setup in ("agent", "random"), setup
        assert supply in ("random", "cycle", "deck"), supply
        self.boxed = rules == "boxed"
        self.size, self.num_players = size, num_players
        self.setup, self.supply = setup, supply
        self.first_deal, self.turn_deal = deals  # course: how many tiles are dealt
        self.spots = boxed_spots(size) if self.boxed else course_spots(size)
        self.num_actions = TILE_ACTIONS + len(self.spots)
        self.tiles: dict[Square, tuple[int, int]] = {}
        self.avatars: list[Place | None] = [None] * num_players
        self.hands: list[list[int]] = [[] for _ in range(num_players)]
        self.out = [""] * num_players
        self.out_at = [0] * num_players  # the value of `round` on going out
        self.round = 0  # course: the round; boxed: how many turns have been answered
        self.chosen: Place | None = None  # the spot that awaits its first tile
        self.deck: list[int] = []
        self.dragon: int | None = None
        self.finished = False
        self.ranks = [0] * num_players
        self.phase, self.to_move = "start", -1
        self._rng = next_seed(seed)
        self._supplied = 0
        self._outcomes: list[str | None] = []  # of the open question, once they are known
        if self.boxed:  # the deck is shuffled and dealt before anybody is asked
            self.deck = list(range(len(TILES)))
            self._shuffle()
            for hand in self.hands:
                hand += [self.deck.pop() for _ in range(3)]
        self._move_on()

    # Chance ---------------------------------------------------------------------------

    def _below(self, n: int) -> int:
        self._rng = (self._rng + GOLDEN) & WORD
        return (mix(self._rng) >> 32) * n >> 32

    def _shuffle(self) -> None:
        for i in range(len(self.deck) - 1, 0, -1):
            j = self._below(i + 1)
            self.deck[i], self.deck[j] = self.deck[j], self.deck[i]

    def _supply_tile(self) -> int:
        if self.supply == "random":
            return self._below(len(TILES))
        self._supplied += 1
        return (self._supplied - 1) % len(TILES)

    def _draw_spot(self) -> int | None:
        """A random legal spot: by trial first, from the list of all when that fails."""
        for _ in range(64):
            spot = self._below(len(self.spots))
            if self.spots and self._spot_is_legal(self.spots[spot]):
                return spot
        legal = self.legal_actions()
        return legal[self._below(len(legal))] - TILE_ACTIONS if legal else None

    # What may be done -----------------------------------------------------------------

    def _in(self) -> list[int]:
        return [seat for seat in range(self.num_players) if not self.out[seat]]

    def faces(self, seat: int) -> Place | None:
        """The empty square that the avatar faces, and the port by which it enters."""
        place = self.avatars[seat]
        return None if place is None else across(place)

    def _spot_is_legal(self, spot: Place) -> bool:
        if self.boxed:  # no two avatars on the same mark
            return spot not in self.avatars
        # The square and its neighbours are empty, so that a first tile moves nobody.
        x, y, _ = spot
        around = [(x + dx, y + dy) for dx, dy in (NORTH, EAST, SOUTH, WEST)]
        return not any(square in self.tiles for square in [(x, y), *around])

    def _try(self, action: int) -> dict[int, tuple[str, Place]]:
        """How everyone who faces the mover's square would walk, by seat."""
        x, y, _ = self._faced()
        slot, rotation = divmod(action, 4)
        tiles = {**self.tiles, (x, y): (self.hands[self.to_move][slot], rotation)}
        walks = {}
        for seat, place in enumerate(self.avatars):
            if place is not None and across(place)[:2] == (x, y):
                walks[seat] = walk(place, tiles, self.size)
        return walks

    def _faced(self) -> Place:
        faced = self.faces(self.to_move)
        assert faced is not None, "the player to move has an avatar on the board"
        return faced

    def outcomes(self) -> list[str | None]:
        """In a turn, per tile action: LOOP if anybody loops, else what the mover does."""
        if self.finished or self.phase != "turn":
            return [None] * TILE_ACTIONS
        if self._outcomes:  # of the same question, asked before
            return self._outcomes
        found: list[str | None] = [None] * TILE_ACTIONS
        for action in range(4 * len(self.hands[self.to_move])):
            walks = self._try(action)
            looping = any(result == "LOOP" for result, _ in walks.values())
            found[action] = "LOOP" if looping else walks[self.to_move][0]
        self._outcomes = found
        return found

    def legal_actions(self) -> list[int]:
        if self.finished:
            return []
        if self.phase == "start":
            legal = [i for i, s in enumerate(self.spots) if self._spot_is_legal(s)]
            return [TILE_ACTIONS + i for i in legal]
        if self.phase == "first_tile":  # nothing moves, so any dealt tile will do
            return list(range(4 * len(self.hands[self.to_move])))
        outcomes = self.outcomes()
        options = [a for a, outcome in enumerate(outcomes) if outcome]
        fine = [a for a in options if outcomes[a] == "FINE"]
        # Without a FINE option: all EXIT or all LOOP are legal, a mixture is stuck.
        return fine or (options if len({outcomes[a] for a in options}) == 1 else [])

    # What an answer does --------------------------------------------------------------

    def step(self, action: int) -> None:
        """Apply an answer; an illegal one takes the player out. Idle once finished."""
        if self.finished:
            return
        legal = action in self.legal_actions()
        if self.boxed and (self.phase == "turn" or not legal):
            self.round += 1  # every tile is a rank of its own
        if not legal:
            self._take_out(self.to_move, "illegal")
        elif self.phase == "start":
            self._choose(action - TILE_ACTIONS)
            if not self.boxed:
                self.phase = "first_tile"  # the same player is asked again
                return
        elif self.phase == "first_tile":
            self._lay_first(action)
        else:
            self._play(action)
        self._settle()
        self._move_on()

    def _choose(self, spot: int) -> None:
        """In boxed the avatar goes to its mark; in course it waits for its tile."""
        if self.boxed:
            self.avatars[self.to_move] = self.spots[spot]
        else:
            self.chosen = self.spots[spot]

    def _lay_first(self, action: int) -> None:
        assert self.chosen is not None
        slot, rotation = divmod(action, 4)
        self.tiles[self.chosen[:2]] = (self.hands[self.to_move][slot], rotation)
        self.avatars[self.to_move] = self.chosen

    def _play(self, action: int) -> None:
        walks = self._try(action)
        if any(result == "LOOP" for result, _ in walks.values()):
            # Legal only when every option loops: no tile is placed, loopers are out.
            for seat, (result, _) in walks.items():
                if result == "LOOP":
                    self._take_out(seat, "loop")
            return
        x, y, _ = self._faced()
        slot, rotation = divmod(action, 4)
        self.tiles[x, y] = (self.hands[self.to_move].pop(slot), rotation)
        for seat, (result, place) in walks.items():
            self.avatars[seat] = place
            if result == "EXIT":  # pushed off by another's tile counts just the same
                self._take_out(seat, "exit")

    def _take_out(self, seat: int, why: str) -> None:
        self.out[seat], self.out_at[seat] = why, self.round
        self.avatars[seat] = None

    def _settle(self) -> None:
        """After an answer: course throws away what is left, boxed returns and draws."""
        if not self.boxed:
            self.hands[self.to_move] = []
            self.chosen = None
            return
        returned = [t for s, h in enumerate(self.hands) if self.out[s] for t in h]
        if returned:  # the tiles of those who went out are shuffled back
            self.hands = [[] if self.out[s] else h for s, h in enumerate(self.hands)]
            self.deck += returned
            self._shuffle()
        if self.dragon is None:
            mover = self.to_move
            if self.out[mover] or len(self.hands[mover]) == 3:  # full in the set-up
                return
            if self.deck:
                self.hands[mover].append(self.deck.pop())
            else:
                self.dragon = mover
            return
        # The dragon's holder draws first, then clockwise whoever is short of tiles.
        if self.out[self.dragon]:
            self.dragon = self._short_after(self.dragon)
        while self.deck and self.dragon is not None:
            self.hands[self.dragon].append(self.deck.pop())
            self.dragon = self._short_after(self.dragon)

    def _short_after(self, seat: int) -> int | None:
        """The next player clockwise, at last the same one, with fewer than 3 tiles."""
        for step in range(1, self.num_players + 1):
            other = (seat + step) % self.num_players
            if not self.out[other] and len(self.hands[other]) < 3:
                return other
        return None

    # Who is asked next ----------------------------------------------------------------

    def _move_on(self) -> None:
        """Go on to the next player who can answer; place at random, drop the stuck."""
        while not self._is_over():
            self._next_seat()
            if not self.boxed:  # dealt also to a player who then proves stuck
                count = self.first_deal if self.phase == "start" else self.turn_deal
                self.hands[self.to_move] = [self._supply_tile() for _ in range(count)]
            if self.phase == "start" and self.setup == "random":
                self._place_at_random()
            elif self.legal_actions():
                return
            else:
                self._take_out(self.to_move, "stuck")
            self._settle()
        self.finished = True
        self._rank()

    def _is_over(self) -> bool:
        """At most one is left, or in boxed no tile is (so too when all are placed)."""
        left = self._in()
        return len(left) <= 1 or (self.boxed and not any(self.hands[s] for s in left))

    def _next_seat(self) -> None:
        self._outcomes = []
        if self.phase != "turn":
            self.phase = "start"
            if self.to_move + 1 < self.num_players:
                self.to_move += 1
                return
            self.phase = "turn"
        seat = self.to_move
        while True:
            seat = (seat + 1) % self.num_players
            if seat == 0 and not self.boxed:
                self.round += 1  # the end of the set-up also wraps, into round 1
            if not self.out[seat] and (self.hands[seat] or not self.boxed):
                break  # in boxed a player without a tile is passed over
        self.to_move = seat

    def _place_at_random(self) -> None:
        spot = self._draw_spot()
        if spot is None:
            self._take_out(self.to_move, "stuck")
            return
        self._choose(spot)
        if not self.boxed:
            slot = self._below(self.first_deal)
            rotation = self._below(4)
            self._lay_first(4 * slot + rotation)

    def _rank(self) -> None:
        """Survivors, then the later out the better; cheaters (and the stuck) get none."""
        never = self.round + 1
        when = {s: self.out_at[s] if self.out[s] else never for s in self._ranked()}
        classes = sorted(set(when.values()), reverse=True)
        for seat, time in when.items():
            self.ranks[seat] = 1 + classes.index(time)

    def _ranked(self) -> list[int]:
        return [s for s, why in enumerate(self.out) if why not in ("illegal", "stuck")]
