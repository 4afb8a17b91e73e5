"""`Observer`: is told what happens in a game. One that fails is dropped; the game goes on."""

from collections.abc import Mapping, Sequence

from tsuro_env.board import Board, InitialPlacement
from tsuro_env.rules import Rules
from tsuro_env.tile import Tile


class Observer:
    """Override what is of interest."""

    def game_started(self, rules: Rules, players: Mapping[str, str]) -> None:
        """The rules, and the players' names by colour, oldest first."""

    def turn_started(self, color: str, tiles: Sequence[Tile], board: Board) -> None:
        """A first placement or a turn is asked for."""

    def turn_ended(self, color: str, answer: InitialPlacement | Tile | None, board: Board) -> None:
        """The answer and the board after it; None if there was no usable answer."""

    def player_out(self, color: str, reason: str) -> None:
        """exit, loop, stuck, illegal, malformed, exception or late."""

    def game_over(self, ranking: Sequence[Sequence[str]], cheaters: Mapping[str, str]) -> None:
        """Colours by rank, best first, and the cheaters' reasons by colour."""
