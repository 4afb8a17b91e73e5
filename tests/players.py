"""Players, observers and odd objects for the tests of the referee."""

from collections.abc import Callable, Sequence
from typing import Any

from agents.scripted import SecondPlayer
from tsuro_env import Board, InitialPlacement, Observer, Referee, Tile, replay

Deed = Callable[..., Any]

METHODS = ("assign_color", "initial_placement", "take_turn", "game_over")


class Honest(SecondPlayer):
    """Plays legally, and writes down every call."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def assign_color(self, color: str, others: Sequence[str]) -> None:
        self.calls.append(("assign_color", color, tuple(others)))
        super().assign_color(color, others)

    def initial_placement(self, tiles: Sequence[Tile], board: Board) -> InitialPlacement:
        self.calls.append(("initial_placement", tuple(tiles), board))
        return super().initial_placement(tiles, board)

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
        self.calls.append(("take_turn", tuple(tiles), board))
        return super().take_turn(tiles, board)

    def game_over(self, result: str) -> None:
        self.calls.append(("game_over", result))

    @property
    def called(self) -> list[str]:
        return [call[0] for call in self.calls]


class Rogue(Honest):
    """Does something else than an honest player in one of the calls, from the n-th time on.

    `deed` gets what an honest player would answer and the arguments of the call.
    """

    def __init__(self, method: str, deed: Callable[..., Any], after: int = 0) -> None:
        super().__init__()
        self._method, self._deed, self._after = method, deed, after

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name not in METHODS or name != super().__getattribute__("_method"):
            return found

        def misbehave(*arguments: Any) -> Any:
            honest = found(*arguments)
            if self.called.count(name) <= self._after:
                return honest
            return self._deed(honest, *arguments)

        return misbehave


class Notebook(Observer):
    """Writes down everything it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def game_started(self, *arguments: Any) -> None:
        self.told.append(("game_started", *arguments))

    def turn_started(self, *arguments: Any) -> None:
        self.told.append(("turn_started", *arguments))

    def turn_ended(self, *arguments: Any) -> None:
        self.told.append(("turn_ended", *arguments))

    def player_out(self, *arguments: Any) -> None:
        self.told.append(("player_out", *arguments))

    def game_over(self, *arguments: Any) -> None:
        self.told.append(("game_over", *arguments))

    def of(self, kind: str) -> list[tuple[Any, ...]]:
        return [note[1:] for note in self.told if note[0] == kind]


def play_against(rogue: Any, rules: str = "course", time_limit: float | None = None) -> Referee:
    """A game of the rogue between two honest players, and what must hold in the end."""
    honest = [Honest(), Honest()]
    referee = Referee(
        None, [honest[0], rogue, honest[1]], rules=rules, seed=5, time_limit=time_limit
    )
    ranking = referee.start_game()
    assert sorted(map(id, set().union(*ranking))) == sorted(map(id, honest))
    assert list(referee.cheaters) == [rogue]
    assert all("game_over" in player.called for player in honest)
    assert replay(referee.record).record == referee.record
    return referee


# ------------------------------------------------------------------------------------------ deeds


def raising(error: BaseException) -> Deed:
    def deed(*_: Any) -> Any:
        raise error

    return deed


def answering(value: Any) -> Deed:
    return lambda *_: value


def forged_placement(**fields: Any) -> Deed:
    """The honest placement with some fields replaced."""

    def deed(honest: InitialPlacement, *_: Any) -> InitialPlacement:
        for name, value in fields.items():
            object.__setattr__(honest, name, value)
        return honest

    return deed


def tile_not_dealt(_: Tile, tiles: tuple[Tile, ...], __: Board) -> Tile:
    return next(tile for tile in Tile.all() if tile.index not in {t.index for t in tiles})


# ------------------------------------------------------------------------------------ odd objects


class OwnBaseError(BaseException):
    pass


class Nameless(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise RuntimeError("no name")


class NamelessError(BaseException, metaclass=Nameless):
    pass


class Impostor:
    """Claims to be of another class."""

    def __init__(self, of: type) -> None:
        self._of = of

    @property
    def __class__(self) -> type:  # type: ignore[override]
        return self._of


class Bomb:
    """Whatever is done with it raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise RuntimeError("bool")

    def __repr__(self) -> str:
        raise RuntimeError("repr")
