"""The rules of Tsuro, written once: compiled kernels over the arrays of a `State`.

Each kernel works on one game ``b``; `batch.py` only loops over them, and the objects of the package
(`Board`, `RuleChecker`, `Referee`) call them on a batch of one.  From small to large:

    chance      random_word, below, shuffle
    paths       walk, place_tile
    outcomes    outcome, legal_turns
    starting    legal_spot, any_legal_spot, put_first_tile
    one turn    lay_tile, take_out, settle_deck
    the game    next_question, deal, open_question, act, proceed, start_game, begin_game,
                rank_of, win_reward, rank_reward
"""

import numpy as np

from tsuro_env.engine.jit import hot_kernel, int64, kernel, wrapping_kernel
from tsuro_env.engine.state import (
    CLOCK,
    CYCLE_SUPPLY,
    DEALT,
    DECK_SIZE,
    DRAGON,
    EXIT,
    FACING,
    FIRST_TILE,
    HAND,
    HAND_SIZE,
    ILLEGAL,
    IN,
    LEFT,
    LEGAL,
    LOOP,
    NEVER,
    NO_TILE,
    NOTHING,
    OUT,
    OUT_AT,
    OVER,
    PHASE,
    RANDOM,
    SEED,
    SPOT,
    START,
    STUCK,
    TILE_ACTIONS,
    TO_MOVE,
    TURN,
    State,
    Variant,
)
from tsuro_env.engine.tables import CONNECTIONS, NUM_TILES, OFF_BOARD, PLAINEST

LOOPS = -2
"""`walk`: the avatar comes back to where it entered."""

FINE, EXITS, CLOSES_LOOP = range(3)
"""`outcome` of choosing a tile for a turn."""

# ---------------------------------------------------------------------------------------- chance

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@wrapping_kernel
def mix(word: np.uint64) -> np.uint64:
    """SplitMix64's output function: a bijection that scatters close words."""
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    word ^= word >> _31
    return word


@wrapping_kernel
def next_seed(seed: np.uint64) -> np.uint64:
    """What a generator starts with, and the seed of the game that follows in the same place."""
    return mix(seed + _GOLDEN)


@wrapping_kernel
def random_word(state: State, b: int) -> np.uint64:
    state.chance[b, RANDOM] += _GOLDEN
    return mix(np.uint64(state.chance[b, RANDOM]))


@wrapping_kernel
def scale(word: np.uint64, bound: int) -> int:
    """A random word as a number 0 .. bound - 1."""
    number: int = np.int64(((word >> _32) * np.uint64(bound)) >> _32)  # signed: it is counted down
    return number


@hot_kernel
def below(state: State, b: int, bound: int) -> int:
    """A random number 0 .. bound - 1."""
    return scale(random_word(state, b), bound)


@kernel
def shuffle_deck(state: State, b: int) -> None:
    for i in range(state.game[b, DECK_SIZE] - 1, 0, -1):
        j = below(state, b, i + 1)
        tile = state.deck[b, i]
        state.deck[b, i] = state.deck[b, j]
        state.deck[b, j] = tile


# ----------------------------------------------------------------------------------------- paths


@hot_kernel
def walk(state: State, b: int, entry: int, orientation: int, looks: int) -> int:
    """Where an avatar at half-edge `entry` goes if its square got that tile.

    The half-edge that it then faces, OFF_BOARD, or LOOPS.  Everything outside the square has been
    folded into the links, so a path crosses the tile at most four times: `looks` is 4, or fewer
    where fewer paths come back to the square (see `paths_back`).  There is no branch in here that
    depends on the tiles: a processor could not foresee it.
    """
    square = entry >> 3
    port = entry & 7
    end = entry
    for _ in range(looks):
        end = int(state.links[b, 8 * square + int(CONNECTIONS[orientation, port])])
        port = end & 7 if end >> 3 == square else port
    return LOOPS if end >> 3 == square else end


@hot_kernel
def paths_back(state: State, b: int, square: int) -> int:
    """How many paths lead out of an empty square and back to it: 0 to 4. With 0 nobody loops."""
    ends = 0
    for half_edge in range(8 * square, 8 * square + 8):
        ends += state.links[b, half_edge] >> 3 == square
    return ends >> 1


@hot_kernel
def place_tile(state: State, b: int, square: int, orientation: int) -> None:
    """Cover an empty square: each of the tile's four connections joins the two paths at its ends.

    The joins may be done one after the other even where a path comes back to this very square: a
    join then re-links a half-edge of this square, and a later join reads it.
    """
    state.tiles[b, square] = PLAINEST[orientation]
    for port in range(8):
        other = int(CONNECTIONS[orientation, port])
        if port < other:
            one = state.links[b, 8 * square + port]
            two = state.links[b, 8 * square + other]
            if one >= 0:
                state.links[b, one] = two
            if two >= 0:
                state.links[b, two] = one


# -------------------------------------------------------------------------------------- outcomes


@hot_kernel
def in_company(state: State, b: int, seat: int) -> bool:
    """Whether another avatar faces the seat's square too."""
    square = state.seats[b, seat, FACING] >> 3
    count = 0
    for other in range(state.seats.shape[1]):
        count += state.seats[b, other, FACING] >> 3 == square
    return count > 1


@kernel
def outcome(state: State, b: int, seat: int, orientation: int) -> int:
    """CLOSES_LOOP if any avatar would loop, else EXITS if the mover would leave, else FINE."""
    mine = int(state.seats[b, seat, FACING])
    for other in range(state.seats.shape[1]):
        facing = int(state.seats[b, other, FACING])
        if facing >> 3 == mine >> 3 and walk(state, b, facing, orientation, 4) == LOOPS:
            return CLOSES_LOOP
    return EXITS if walk(state, b, mine, orientation, 4) == OFF_BOARD else FINE


@hot_kernel
def legal_turns(state: State, b: int, seat: int) -> int:
    """A bit for each legal tile action of the seat's hand; 0: the player is stuck."""
    back = paths_back(state, b, state.seats[b, seat, FACING] >> 3)
    if back == 0:  # six turns in seven: nobody can loop, and one look-up is the whole walk
        return judge_hand(state, b, seat, 1, False)
    return judge_hand(state, b, seat, 4, in_company(state, b, seat))


@hot_kernel
def judge_hand(state: State, b: int, seat: int, looks: int, company: bool) -> int:
    options = 0
    fine = 0
    loops = 0
    for slot in range(HAND_SIZE):
        tile = int(state.seats[b, seat, HAND + slot])
        if tile < 0:
            break
        options |= 15 << (4 * slot)
        for rotation in range(4):
            end = walk(state, b, int(state.seats[b, seat, FACING]), 4 * tile + rotation, looks)
            fine |= (end >= 0) << (4 * slot + rotation)
            loops |= (end == LOOPS) << (4 * slot + rotation)
    if company:
        loops |= loops_of_others(state, b, seat)
        fine &= ~loops
    if fine:
        return fine
    # No option is fine: all are legal if all of them exit or all of them loop.
    return options if loops == 0 or loops == options else 0


@kernel
def loops_of_others(state: State, b: int, seat: int) -> int:
    """A bit for each tile action of the hand that makes another avatar loop."""
    loops = 0
    square = state.seats[b, seat, FACING] >> 3
    for other in range(state.seats.shape[1]):
        facing = int(state.seats[b, other, FACING])
        if facing >> 3 == square and other != seat:
            for slot in range(hand_count(state, b, seat)):
                tile = int(state.seats[b, seat, HAND + slot])
                for rotation in range(4):
                    end = walk(state, b, facing, 4 * tile + rotation, 4)
                    loops |= (end == LOOPS) << (4 * slot + rotation)
    return loops


# -------------------------------------------------------------------------------------- starting


@kernel
def legal_spot(state: State, variant: Variant, b: int, spot: int) -> bool:
    half_edge = variant.spots[spot]
    if variant.boxed:
        for seat in range(variant.players):
            if state.seats[b, seat, FACING] == half_edge:
                return False
        return True
    square = half_edge >> 3
    if state.tiles[b, square] != NO_TILE:
        return False
    for side in range(0, 8, 2):
        neighbour = variant.fresh_links[8 * square + side]
        if neighbour >= 0 and state.tiles[b, neighbour >> 3] != NO_TILE:
            return False
    return True


@kernel
def any_legal_spot(state: State, variant: Variant, b: int) -> bool:
    for spot in range(variant.spots.size):
        if legal_spot(state, variant, b, spot):
            return True
    return False


@kernel
def random_spot(state: State, variant: Variant, b: int) -> int:
    """A uniformly random legal start spot, or NOTHING if there is none."""
    for _ in range(64):
        spot = below(state, b, variant.spots.size)
        if legal_spot(state, variant, b, spot):
            return spot
    legal = 0
    for spot in range(variant.spots.size):
        if legal_spot(state, variant, b, spot):
            legal += 1
    if legal == 0:
        return NOTHING
    wanted = below(state, b, legal)
    for spot in range(variant.spots.size):
        if legal_spot(state, variant, b, spot):
            if wanted == 0:
                return spot
            wanted -= 1
    return NOTHING


@kernel
def put_first_tile(
    state: State, variant: Variant, b: int, seat: int, standing: int, orientation: int
) -> None:
    """Course: lay a tile and stand on a port of it, given as a half-edge of that square."""
    place_tile(state, b, standing >> 3, orientation)
    state.seats[b, seat, FACING] = variant.fresh_links[standing]
    clear_hand(state, b, seat)


# -------------------------------------------------------------------------------------- one turn


@hot_kernel
def take_out(state: State, b: int, seat: int, reason: int) -> None:
    state.seats[b, seat, FACING] = NOTHING
    state.seats[b, seat, OUT] = reason
    state.seats[b, seat, OUT_AT] = state.game[b, CLOCK]
    state.game[b, LEFT] -= 1


@hot_kernel
def lay_tile(state: State, b: int, seat: int, orientation: int) -> bool:
    """Lay a tile on the square that the seat faces; everybody facing it walks.

    If anybody would loop, no tile is laid (False) and the loopers are out.
    """
    square = int(state.seats[b, seat, FACING]) >> 3
    first, last = seat, seat + 1
    if in_company(state, b, seat):
        first, last = 0, state.seats.shape[1]
    looping = False
    for other in range(first, last):
        facing = int(state.seats[b, other, FACING])
        if facing >> 3 == square and walk(state, b, facing, orientation, 4) == LOOPS:
            looping = True
    for other in range(first, last):
        facing = int(state.seats[b, other, FACING])
        if facing >> 3 == square:
            end = walk(state, b, facing, orientation, 4)
            if looping:
                if end == LOOPS:
                    take_out(state, b, other, LOOP)
            elif end == OFF_BOARD:
                take_out(state, b, other, EXIT)
            else:
                state.seats[b, other, FACING] = end
    if looping:
        return False
    place_tile(state, b, square, orientation)
    return True


@hot_kernel
def hand_count(state: State, b: int, seat: int) -> int:
    count = 0
    while count < HAND_SIZE and state.seats[b, seat, HAND + count] >= 0:
        count += 1
    return count


@kernel
def drop_from_hand(state: State, b: int, seat: int, slot: int) -> None:
    """Remove the tile in a slot; the later ones move up."""
    for i in range(slot, HAND_SIZE - 1):
        state.seats[b, seat, HAND + i] = state.seats[b, seat, HAND + i + 1]
    state.seats[b, seat, HAND + HAND_SIZE - 1] = NOTHING


@hot_kernel
def clear_hand(state: State, b: int, seat: int) -> None:
    for slot in range(HAND_SIZE):
        state.seats[b, seat, HAND + slot] = NOTHING


@kernel
def draw(state: State, b: int, seat: int) -> None:
    """One tile from the end of a deck that is not empty."""
    state.game[b, DECK_SIZE] -= 1
    tile = state.deck[b, state.game[b, DECK_SIZE]]
    state.seats[b, seat, HAND + hand_count(state, b, seat)] = tile


@kernel
def next_short_seat(state: State, b: int, seat: int) -> int:
    """The first player clockwise after `seat` who is in and has less than a full hand."""
    players = state.seats.shape[1]
    for step in range(1, players + 1):
        other: int = (seat + step) % players
        if state.seats[b, other, OUT] == IN and hand_count(state, b, other) < HAND_SIZE:
            return other
    return NOTHING


@kernel
def settle_deck(state: State, b: int, mover: int) -> None:
    """Boxed, after a turn: tiles of players who are out go back, then those who may draw do."""
    returned = False
    for seat in range(state.seats.shape[1]):
        if state.seats[b, seat, OUT] != IN:
            for slot in range(hand_count(state, b, seat)):
                state.deck[b, state.game[b, DECK_SIZE]] = state.seats[b, seat, HAND + slot]
                state.game[b, DECK_SIZE] += 1
                returned = True
            clear_hand(state, b, seat)
    if returned:
        shuffle_deck(state, b)

    holder = state.game[b, DRAGON]
    if holder == NOTHING:
        if state.seats[b, mover, OUT] == IN:
            if state.game[b, DECK_SIZE] > 0:
                draw(state, b, mover)
            else:
                state.game[b, DRAGON] = mover
        return
    # Whoever holds the dragon draws first; then it goes round to the next who lacks a tile.
    if state.seats[b, holder, OUT] != IN:
        holder = next_short_seat(state, b, holder)
    while holder != NOTHING and state.game[b, DECK_SIZE] > 0:
        draw(state, b, holder)
        holder = next_short_seat(state, b, holder)
    state.game[b, DRAGON] = holder


# -------------------------------------------------------------------------------------- the game


@hot_kernel
def is_over(state: State, variant: Variant, b: int) -> bool:
    """At most one player is left; or, in boxed, nobody left holds a tile."""
    if state.game[b, LEFT] <= 1:
        return True
    if not variant.boxed:
        return False
    for seat in range(variant.players):
        if state.seats[b, seat, OUT] == IN and state.seats[b, seat, HAND] >= 0:
            return False
    return True


@hot_kernel
def next_question(state: State, variant: Variant, b: int) -> bool:
    """Move on to the next player to be asked; False when the game is over."""
    if is_over(state, variant, b):
        state.game[b, PHASE] = OVER
        state.game[b, TO_MOVE] = NOTHING
        state.game[b, LEGAL] = 0
        return False
    seat = state.game[b, TO_MOVE]
    if state.game[b, PHASE] == FIRST_TILE:
        state.game[b, PHASE] = START
    while True:
        seat += 1
        if seat == variant.players:
            seat = 0
            state.game[b, PHASE] = TURN
            if not variant.boxed:
                state.game[b, CLOCK] += 1
        # In boxed a player without a tile is passed over.
        holds = not variant.boxed or state.seats[b, seat, HAND] >= 0
        if state.seats[b, seat, OUT] == IN and holds:
            break
    state.game[b, TO_MOVE] = seat
    return True


@hot_kernel
def deal(state: State, variant: Variant, b: int) -> None:
    """Course: the tiles for this question, to whoever is asked, from the engine's own supply."""
    if variant.boxed:
        return
    seat = state.game[b, TO_MOVE]
    count = variant.first_deal if state.game[b, PHASE] == START else variant.turn_deal
    for slot in range(count):
        if variant.supply == CYCLE_SUPPLY:
            tile = state.game[b, DEALT] % NUM_TILES
        else:
            tile = below(state, b, NUM_TILES)
        state.game[b, DEALT] += 1
        state.seats[b, seat, HAND + slot] = tile


@hot_kernel
def asked(state: State, b: int) -> int:
    """The seat to move. In the width of Python's own numbers: for any other, and for constants,
    numba would compile what it is given to once more."""
    return int64(state.game[b, TO_MOVE])


@hot_kernel
def hand_bits(state: State, b: int, seat: int) -> int:
    """A bit for every tile action of the hand."""
    return (1 << (4 * hand_count(state, b, seat))) - 1


@hot_kernel
def open_question(state: State, variant: Variant, b: int) -> bool:
    """Work out what the player to move may do; False: nothing, he is stuck and out."""
    seat = asked(state, b)
    if state.game[b, PHASE] == START:
        state.game[b, LEGAL] = 0
        able = any_legal_spot(state, variant, b)
    else:
        state.game[b, LEGAL] = legal_turns(state, b, seat)
        able = state.game[b, LEGAL] != 0
    if not able:
        expel(state, variant, b, seat, int64(STUCK))
    return able


@kernel
def expel(state: State, variant: Variant, b: int, seat: int, reason: int) -> None:
    """Take a cheater (or somebody stuck) out on his own turn: no tile is placed."""
    state.game[b, SPOT] = NOTHING
    state.game[b, LEGAL] = 0
    if variant.boxed:
        state.game[b, CLOCK] += 1
        take_out(state, b, seat, reason)
        settle_deck(state, b, seat)
    else:
        take_out(state, b, seat, reason)
        clear_hand(state, b, seat)


@hot_kernel
def is_legal(state: State, variant: Variant, b: int, action: int) -> bool:
    if action < 0 or action >= TILE_ACTIONS + variant.spots.size:
        return False
    if state.game[b, PHASE] == START:
        return action >= TILE_ACTIONS and legal_spot(state, variant, b, action - TILE_ACTIONS)
    return action < TILE_ACTIONS and (state.game[b, LEGAL] >> action) & 1 == 1


@hot_kernel
def choose_at_random(state: State, variant: Variant, b: int, word: np.uint64) -> int:
    """A legal action of the open question, all equally likely, by a random word; 0 when over."""
    first, last = 0, TILE_ACTIONS
    if state.game[b, PHASE] == START:
        first, last = TILE_ACTIONS, TILE_ACTIONS + variant.spots.size
        for _ in range(16):  # nearly all spots are legal: to try some is quicker than to count all
            action = first + scale(word, variant.spots.size)
            if is_legal(state, variant, b, action):
                return action
            word = next_seed(word)
    legal = 0
    for action in range(first, last):
        legal += is_legal(state, variant, b, action)
    if legal == 0:
        return 0
    wanted = scale(word, legal)
    action = first - 1
    while wanted >= 0:
        action += 1
        wanted -= is_legal(state, variant, b, action)
    return action


@kernel
def choose_spot(state: State, variant: Variant, b: int, spot: int) -> None:
    """A start action, judged before. Course: the same player is asked for the tile next."""
    seat = asked(state, b)
    if variant.boxed:
        state.seats[b, seat, FACING] = variant.spots[spot]
    else:
        state.game[b, SPOT] = spot
        state.game[b, PHASE] = FIRST_TILE
        state.game[b, LEGAL] = hand_bits(state, b, seat)


@hot_kernel
def play_tile(state: State, variant: Variant, b: int, slot: int, rotation: int) -> bool:
    """A tile action, judged before. False: a loop, so that the tile was not laid."""
    seat = asked(state, b)
    orientation = 4 * int(state.seats[b, seat, HAND + slot]) + rotation
    if state.game[b, PHASE] == FIRST_TILE:
        standing = int(variant.spots[state.game[b, SPOT]])
        state.game[b, SPOT] = NOTHING
        put_first_tile(state, variant, b, seat, standing, orientation)
        return True
    if not variant.boxed:
        laid = lay_tile(state, b, seat, orientation)
        clear_hand(state, b, seat)
        return laid
    state.game[b, CLOCK] += 1
    laid = lay_tile(state, b, seat, orientation)
    if laid:
        drop_from_hand(state, b, seat, slot)
    settle_deck(state, b, seat)
    return laid


@hot_kernel
def act(state: State, variant: Variant, b: int, action: int) -> None:
    """Judge an action as the referee does, and apply it."""
    if not is_legal(state, variant, b, action):
        expel(state, variant, b, asked(state, b), int64(ILLEGAL))
    elif state.game[b, PHASE] == START:
        choose_spot(state, variant, b, action - TILE_ACTIONS)
    else:
        play_tile(state, variant, b, action >> 2, action & 3)


@kernel
def place_at_random(state: State, variant: Variant, b: int) -> None:
    """`setup="random"`: the referee chooses a spot, tile and rotation for the player to move."""
    spot = random_spot(state, variant, b)
    if spot == NOTHING:
        expel(state, variant, b, asked(state, b), int64(STUCK))
        return
    choose_spot(state, variant, b, spot)
    if not variant.boxed:
        slot = below(state, b, variant.first_deal)
        play_tile(state, variant, b, slot, below(state, b, 4))


@hot_kernel
def proceed(state: State, variant: Variant, b: int) -> bool:
    """Go on until somebody is asked something that he can do; False when the game is over."""
    if state.game[b, PHASE] == FIRST_TILE and state.game[b, SPOT] != NOTHING:
        return True
    while next_question(state, variant, b):
        deal(state, variant, b)
        if state.game[b, PHASE] == START and variant.random_setup:
            place_at_random(state, variant, b)
        elif open_question(state, variant, b):
            return True
    return False


@kernel
def start_game(state: State, variant: Variant, b: int, seed: np.uint64) -> None:
    """An empty board and the set-up's very beginning; `proceed` asks the first question."""
    for i in range(variant.fresh_links.size):
        state.links[b, i] = variant.fresh_links[i]
    for square in range(variant.size * variant.size):
        state.tiles[b, square] = NO_TILE
    for seat in range(variant.players):
        state.seats[b, seat, FACING] = NOTHING
        state.seats[b, seat, OUT] = IN
        state.seats[b, seat, OUT_AT] = NEVER
        clear_hand(state, b, seat)
    for column in range(state.game.shape[1]):
        state.game[b, column] = 0
    state.game[b, TO_MOVE] = NOTHING
    state.game[b, SPOT] = NOTHING
    state.game[b, DRAGON] = NOTHING
    state.game[b, PHASE] = START
    state.game[b, LEFT] = variant.players
    state.chance[b, SEED] = seed
    state.chance[b, RANDOM] = next_seed(seed)
    if variant.boxed:
        for tile in range(NUM_TILES):
            state.deck[b, tile] = tile
        state.game[b, DECK_SIZE] = NUM_TILES
        shuffle_deck(state, b)
        for seat in range(variant.players):
            for _ in range(variant.first_deal):
                draw(state, b, seat)


@kernel
def begin_game(state: State, variant: Variant, b: int, seed: np.uint64) -> None:
    """Start a game in which somebody is asked something.

    After a random set-up it happens that all but one are stuck at once; the game of the next seed
    is then begun instead.
    """
    start_game(state, variant, b, seed)
    while not proceed(state, variant, b):
        start_game(state, variant, b, next_seed(state.chance[b, SEED]))


@kernel
def rank_of(state: State, b: int, seat: int) -> int:
    """1 for the winners, then 2, 3, ...; 0 for cheaters. Later out is better, survivors best."""
    if state.seats[b, seat, OUT] >= STUCK:
        return 0
    rank = 1
    better = state.seats[b, seat, OUT_AT]
    while True:
        # The next later moment at which somebody ranked went out is one rank ahead.
        nearest = NEVER + 1
        for other in range(state.seats.shape[1]):
            if state.seats[b, other, OUT] < STUCK:
                moment = int(state.seats[b, other, OUT_AT])
                if better < moment < nearest:
                    nearest = moment
        if nearest == NEVER + 1:
            return rank
        rank += 1
        better = nearest


@kernel
def win_reward(players: int, winners: int, won: bool) -> float:
    """The zero-sum share of the win: a sole winner gets 1, everybody else -1 / (players - 1)."""
    if won:
        return (players - winners) / (winners * (players - 1))
    return -1.0 / (players - 1)


@kernel
def rank_reward(players: int, ahead: int, level: int) -> float:
    """Places spread evenly over [-1, 1]: `ahead` are better, `level` (oneself included) tie."""
    return 1.0 - (2.0 * ahead + level - 1) / (players - 1)
