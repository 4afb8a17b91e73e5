"""Reading a player's answer: a copy made of plain values, or what is wrong with its shape.

Nothing of a foreign type is trusted, not its class, its equality or its fields, and nothing of it
is run.  Whether a well-formed answer is legal is for the `RuleChecker`.
"""

from tsuro_env.board import InitialPlacement
from tsuro_env.engine.tables import NUM_TILES, PORTS
from tsuro_env.errors import MalformedError
from tsuro_env.guard import type_name
from tsuro_env.rules import Rules
from tsuro_env.tile import DEGREES, Tile


def read_turn(answer: object) -> Tile:
    """The tile that was answered."""
    if type(answer) is not Tile:
        raise MalformedError(f"expected a Tile, got {_kind(answer)}")
    # Even a Tile may have been forged by force: a field can be missing or be anything.
    index, degrees = getattr(answer, "index", None), getattr(answer, "degrees", None)
    if type(index) is not int or type(degrees) is not int:
        raise MalformedError("a Tile whose index or degrees are no whole numbers")
    if index not in range(NUM_TILES) or degrees not in DEGREES:
        raise MalformedError("a Tile whose index or degrees do not exist")
    return Tile(index, degrees)


def read_placement(answer: object, color: str, rules: Rules) -> InitialPlacement:
    """The first placement that was answered by the player of this colour."""
    if type(answer) is not InitialPlacement:
        raise MalformedError(f"expected an InitialPlacement, got {_kind(answer)}")
    tile, own_color, port, x, y = (
        getattr(answer, name, None) for name in InitialPlacement.__dataclass_fields__
    )
    if type(own_color) is not str or own_color != color:
        raise MalformedError(f"a first placement of {color} must have that colour")
    if type(port) is not str or port not in tuple(PORTS):
        raise MalformedError("a first placement needs a port from A to H")
    last = rules.board_size - 1
    if type(x) is not int or type(y) is not int or not (0 <= x <= last and 0 <= y <= last):
        raise MalformedError(f"a first placement needs whole numbers x and y from 0 to {last}")
    if not rules.is_boxed:
        return InitialPlacement(read_turn(tile), color, port, x, y)
    if tile is not None:
        raise MalformedError(f"a first placement in boxed has no tile, got {_kind(tile)}")
    return InitialPlacement(None, color, port, x, y)


def _kind(value: object) -> str:
    return "None" if value is None else f"a {type_name(value)}"
