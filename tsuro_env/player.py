"""`StrategyPlayer`: what a referee asks of a player."""

from collections.abc import Sequence

from tsuro_env.board import Board, InitialPlacement
from tsuro_env.tile import Tile


class StrategyPlayer:
    """Subclass it and fill in the two decisions; or use any object that has these methods.

    The order of the calls: `assign_color` once; `initial_placement` once; `take_turn` as long as
    the player is in; `game_over` once, for everybody who did not break a rule.  Whoever raises,
    answers something that is no answer, breaks a rule or is late is out and never called again.
    """

    color: str = ""
    others: tuple[str, ...] = ()

    def assign_color(self, color: str, others: Sequence[str]) -> None:
        """The player's colour, and the others' in the order of play (oldest first)."""
        self.color = color
        self.others = tuple(others)

    def initial_placement(self, tiles: Sequence[Tile], board: Board) -> InitialPlacement:
        """A first placement with one of the dealt tiles; in `boxed` an edge mark without a tile."""
        raise NotImplementedError

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
        """One of the tiles, turned as it shall lie on the square that the avatar faces."""
        raise NotImplementedError

    def game_over(self, result: str) -> None:
        """The end: "won" alone, "drew" as one of several winners, or "lost"."""
