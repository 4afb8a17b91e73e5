"""`RefereeGame`: a referee's game for those who read batches: encodings, batch players."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.batch import THE_ONLY_GAME, Rows, result_batch
from tsuro_env.game_batch import GameBatch
from tsuro_env.referee import Referee


class RefereeGame(GameBatch):
    """A batch of one that shows what the referee knows. The referee moves it on, not `step`."""

    def look_at(self, referee: Referee) -> None:
        self._referee = referee
        self._take_over(referee.state)

    def legal_actions(self, games: Rows | None = None) -> NDArray[np.int8]:  # noqa: ARG002
        """(1, A): by the referee's own rule checker."""
        mask: NDArray[np.int8] = self._referee.legal_actions(self.unique_rotations)[np.newaxis]
        return mask

    def results(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """(P,) and (P,): the rewards and ranks of a game that is over; rank 0 is a cheater's."""
        rewards = np.empty((1, self.num_players), dtype=np.float32)
        ranks, out = np.empty((2, 1, self.num_players), dtype=np.int8)
        by_rank = self.reward == "rank"
        result_batch(self._fields, self._rules, 0, 1, THE_ONLY_GAME, by_rank, rewards, ranks, out)
        return rewards[0], ranks[0]

    def views(self, seats: NDArray[np.int64]) -> NDArray[Any]:
        """(seats, ...): what the players of these seats see."""
        tensor, written = self.encoding.allocate(self.variant, len(seats))
        same_game = np.zeros(len(seats), dtype=np.int64)
        self.encoding.kernel(self._fields, self._rules, 0, len(seats), same_game, seats, written)
        return tensor
