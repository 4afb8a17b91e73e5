"""`RefereeGame`: a referee's game for those who read batches: encodings, batch players."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsuro_env.engine.batch import Rows
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

    def views(self, seats: NDArray[np.int64]) -> NDArray[Any]:
        """(seats, ...): what the players of these seats see."""
        tensor, written = self.encoding.allocate(self.variant, len(seats))
        same_game = np.zeros(len(seats), dtype=np.int64)
        self.encoding.kernel(self._fields, self._rules, 0, len(seats), same_game, seats, written)
        return tensor
