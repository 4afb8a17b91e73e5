"""A player of one's own: it stays away from the edge. It plays a match, and an environment."""

from collections.abc import Sequence

import gymnasium

import agents
from tsuro_env import Board, InitialPlacement, Referee, RuleChecker, StrategyPlayer, Tile


class Inward(StrategyPlayer):
    """Starts wherever it may, and then lays the tile that leads it nearest to the middle."""

    def initial_placement(self, tiles: Sequence[Tile], board: Board) -> InitialPlacement:
        x, y, port = RuleChecker().legal_spots(board)[0]
        tile = None if board.rules.is_boxed else tiles[0]  # there nothing is laid at first
        return InitialPlacement(tile, self.color, port, x, y)

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Tile:
        legal = RuleChecker().legal_turns(board, self.color, tiles)
        return min(legal, key=lambda tile: self.distance_after(board, tile), default=tiles[0])

    def distance_after(self, board: Board, tile: Tile) -> float:
        """How far from the middle it would be; far away if it would be out."""
        after = board.place_tile(self.color, tile)
        if after.avatar(self.color) is None:
            return 100.0
        x, y = after.faced(self.color)
        middle = (board.size - 1) / 2
        return abs(x - middle) + abs(y - middle)


if __name__ == "__main__":
    wins = 0.0
    for seed in range(100):
        me, others = Inward(), [agents.make("random", seed=number) for number in range(3)]
        table = [*others[: seed % 4], me, *others[seed % 4 :]]
        winners = Referee(None, table, seed=seed).start_game()[0]
        wins += (me in winners) / len(winners)
    print(f"Inward wins {wins:.0f} of 100 games against three random players")

    env = gymnasium.make("tsuro_env/Tsuro-v0", opponents=[Inward(), "random"])
    observation, info = env.reset(seed=0)
    print("asked first in seat", info["seat"], "with", info["action_mask"].sum(), "legal actions")
