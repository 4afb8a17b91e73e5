"""Players who raise or give wrong answers: each time the game ends, and only the culprit is out."""

import signal
from typing import Any

import pytest

from tests.players import (
    METHODS,
    Bomb,
    Deed,
    Honest,
    Impostor,
    Nameless,
    NamelessError,
    OwnBaseError,
    Rogue,
    answering,
    forged_placement,
    play_against,
    raising,
    tile_not_dealt,
)
from tsuro_env import Board, Fault, InitialPlacement, Referee, RuleChecker, Tile

# ------------------------------------------------------------------------------------- exceptions


class SilentError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even a message")


class ShyText(str):
    def __format__(self, specification: str) -> str:
        raise RuntimeError("no formatting")


class ShyError(Exception):
    def __str__(self) -> str:
        return ShyText("shy")


ERRORS = [
    ValueError("a plain one"),
    SystemExit(0),
    KeyboardInterrupt(),
    GeneratorExit(),
    StopIteration(),
    MemoryError(),
    RecursionError(),
    OwnBaseError("of its own"),
    SilentError(),
    ShyError(),
    NamelessError(),
    Exception("x" * 10**6),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type.__repr__(type(error)))
@pytest.mark.parametrize("method", METHODS)
def test_whoever_raises_is_out(method: str, error: BaseException) -> None:
    rogue = Rogue(method, raising(error))
    referee = play_against(rogue)
    fault = referee.cheaters[rogue]
    assert fault.reason == "exception"
    assert len(fault.message) <= 500
    assert rogue.called[-1] == method


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rules", ["course", "boxed"])
def test_in_either_rule_set_and_with_a_time_limit_too(method: str, rules: str) -> None:
    rogue = Rogue(method, raising(SystemExit(3)))
    referee = play_against(rogue, rules, time_limit=20)
    assert referee.cheaters[rogue] == Fault("exception", "SystemExit: 3")


def test_endless_recursion_is_an_exception_like_others() -> None:
    def deed(*arguments: Any) -> Any:
        return deed(*arguments)

    rogue = Rogue("take_turn", deed)
    referee = play_against(rogue)
    assert referee.cheaters[rogue].message.startswith("RecursionError")


def test_the_users_own_interrupt_ends_the_game_for_everybody() -> None:
    # A shell starts background jobs with interrupts switched off.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rogue = Rogue("take_turn", lambda *_: signal.raise_signal(signal.SIGINT))
    referee = Referee(None, [Honest(), rogue, Honest()], seed=5)
    with pytest.raises(KeyboardInterrupt):
        referee.start_game()
    assert referee.cheaters == {}
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# ---------------------------------------------------------------------------------- wrong answers


class LyingTile(Tile):
    """Claims to be equal to every tile."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class OfNoName(metaclass=Nameless):
    pass


def forged_tile(index: Any, degrees: Any) -> Tile:
    tile = Tile(0)
    object.__setattr__(tile, "index", index)
    object.__setattr__(tile, "degrees", degrees)
    return tile


NO_TILES = {
    "None": None,
    "a number": 42,
    "True": True,
    "text": "Tile(0, 0)",
    "a pair": (0, 0),
    "a list of tiles": [Tile(0)],
    "a generator": (tile for tile in [Tile(0)]),
    "the class itself": Tile,
    "a first placement": InitialPlacement(Tile(0), "black", "E", 4, 0),
    "a lying tile": LyingTile(0),
    "an unfinished tile": object.__new__(Tile),
    "a tile of no index": forged_tile(99, 0),
    "a tile of huge degrees": forged_tile(0, 10**9),
    "a tile of odd degrees": forged_tile(0, 45),
    "a tile of text": forged_tile("0", "0"),
    "a tile of bombs": forged_tile(Bomb(), Bomb()),
    "an impostor": Impostor(Tile),
    "a false fault": Impostor(Fault),
    "a fault": Fault("late", "not me"),
    "an unknown fault": Fault("bored", "of the game"),
    "a bomb": Bomb(),
    "something of no name": OfNoName(),
    "something huge": "x" * 10**7,
}


@pytest.mark.parametrize("name", NO_TILES)
@pytest.mark.parametrize("after", [0, 2])
def test_a_turn_that_is_answered_with_no_tile_is_malformed(name: str, after: int) -> None:
    rogue = Rogue("take_turn", answering(NO_TILES[name]), after)
    referee = play_against(rogue)
    assert referee.cheaters[rogue].reason == "malformed"
    assert len(referee.cheaters[rogue].message) < 200
    assert rogue.called.count("take_turn") == after + 1


class LyingText(str):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class LyingPlacement(InitialPlacement):
    pass


NO_PLACEMENTS: dict[str, Deed] = {
    **{name: answering(value) for name, value in NO_TILES.items() if "placement" not in name},
    "a tile": answering(Tile(0)),
    "an unfinished placement": answering(object.__new__(InitialPlacement)),
    "a subclass": answering(LyingPlacement(Tile(0), "black", "E", 4, 0)),
    "no tile": forged_placement(tile=None),
    "a lying tile inside": forged_placement(tile=LyingTile(0)),
    "a forged tile inside": forged_placement(tile=forged_tile(0, 10**9)),
    "another's colour": forged_placement(color="white"),
    "an unknown colour": forged_placement(color="pink"),
    "a lying colour": forged_placement(color=LyingText("black")),
    "a port that is none": forged_placement(port="I"),
    "two ports": forged_placement(port="AB"),
    "no port": forged_placement(port=""),
    "a huge port": forged_placement(port="A" * 10**7),
    "a port of bytes": forged_placement(port=b"A"),
    "x that is no number": forged_placement(x="4"),
    "x that is a bool": forged_placement(x=True),
    "x that is a fraction": forged_placement(x=4.0),
    "x off the board": forged_placement(x=10),
    "y below the board": forged_placement(y=-1),
    "a number of 5,000 digits": forged_placement(x=10**5000),
    "a bomb inside": forged_placement(x=Bomb()),
}


@pytest.mark.parametrize("name", NO_PLACEMENTS)
def test_a_first_placement_of_the_wrong_shape_is_malformed(name: str) -> None:
    rogue = Rogue("initial_placement", NO_PLACEMENTS[name])
    referee = play_against(rogue)
    assert referee.cheaters[rogue].reason == "malformed"
    assert len(referee.cheaters[rogue].message) < 200
    assert rogue.called == ["assign_color", "initial_placement"]


def test_in_boxed_a_first_placement_with_a_tile_is_malformed() -> None:
    rogue = Rogue("initial_placement", forged_placement(tile=Tile(0)))
    referee = play_against(rogue, "boxed")
    assert referee.cheaters[rogue].reason == "malformed"


def fatal_turn(_: Tile, tiles: tuple[Tile, ...], board: Board) -> Tile:
    """A dealt tile that is not legal, if there is one."""
    legal = RuleChecker().legal_turns(board, "black", tiles)
    options = [tile.rotated(degrees) for tile in tiles for degrees in (0, 90, 180, 270)]
    return next((tile for tile in options if tile not in legal), legal[0])


@pytest.mark.parametrize("deed", [tile_not_dealt, fatal_turn])
@pytest.mark.parametrize("rules", ["course", "boxed"])
def test_a_turn_that_breaks_a_rule_is_illegal(deed: Deed, rules: str) -> None:
    rogue = Rogue("take_turn", deed)
    referee = play_against(rogue, rules)
    assert referee.cheaters[rogue].reason == "illegal"


@pytest.mark.parametrize("fields", [{"x": 4, "y": 4}, {"port": "A"}, {"x": 1, "y": 0}])
def test_a_first_placement_that_breaks_a_rule_is_illegal(fields: dict[str, Any]) -> None:
    # The honest first player stands on (1, 0).
    rogue = Rogue("initial_placement", forged_placement(**fields))
    referee = play_against(rogue)
    assert referee.cheaters[rogue].reason == "illegal"


@pytest.mark.parametrize("method", ["assign_color", "game_over"])
@pytest.mark.parametrize("name", ["a number", "an impostor", "a false fault", "a bomb"])
def test_what_is_answered_to_a_notice_does_not_matter(method: str, name: str) -> None:
    rogue = Rogue(method, answering(NO_TILES[name]))
    referee = Referee(None, [Honest(), rogue, Honest()], seed=5)
    referee.start_game()
    assert referee.cheaters == {}
