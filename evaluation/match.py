"""Many games between the same players through the referee, with the seats rotated.

Games come in blocks of one for each seat: the same deal, everyone moved on by a seat.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import agents
from tsuro_env import Referee, Rules, StrategyPlayer, game_seeds


@dataclass
class Standing:
    """What one player did in a match; a win shared by k players counts 1/k for each."""

    name: str
    games: int = 0
    wins: float = 0.0
    ranks: float = 0.0
    faults: int = 0

    @property
    def win_share(self) -> float:
        return self.wins / self.games

    @property
    def mean_rank(self) -> float:
        """1 is the best; tied players share the mean of their places, cheaters the last ones."""
        return self.ranks / self.games


def play_match(
    specs: Sequence[str],
    games: int = 1000,
    seed: int = 0,
    rules: Rules | str = "course",
    *,
    setup: str = "agent",
    supply: str | None = None,
) -> list[Standing]:
    """Play `games` games between the players that the specs name; one standing for each."""
    if games < 1:
        raise ValueError(f"a match needs at least one game, not {games}")
    players = agents.make_all(specs, seed)
    standings = [Standing(name) for name in agents.unique_names(specs)]
    standing_of = dict(zip(players, standings, strict=True))
    seats = len(players)
    deals = game_seeds(seed, -(-games // seats))

    for game in range(games):
        block, moved = divmod(game, seats)
        table = players[moved:] + players[:moved]
        deal = int(deals[block])
        referee = Referee(None, table, supply, rules=rules, seed=deal, setup=setup)
        ranking = referee.start_game()
        _count(standing_of, ranking, referee.cheaters)
    return standings


def _count(
    standing_of: dict[StrategyPlayer, Standing],
    ranking: Sequence[Collection[StrategyPlayer]],
    cheaters: Collection[StrategyPlayer],
) -> None:
    """Add one game to the standings."""
    for player in ranking[0] if ranking else ():
        standing_of[player].wins += 1 / len(ranking[0])
    place = 1
    for tied in [*ranking, cheaters]:
        for player in tied:
            standing_of[player].games += 1
            standing_of[player].ranks += place + (len(tied) - 1) / 2
        place += len(tied)
    for player in cheaters:
        standing_of[player].faults += 1
