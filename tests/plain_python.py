"""What the engine does in a few games, as one line for each moment; see test_plain_python.py."""

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from tsuro_env import GameBatch, Rules

GAMES: list[dict[str, Any]] = [
    {"rules": Rules.course(6), "num_players": 4, "setup": "agent", "observation": "planes"},
    {"rules": Rules.course(4), "num_players": 3, "setup": "random", "observation": "options"},
    {"rules": Rules.boxed(5), "num_players": 5, "setup": "random", "observation": "planes"},
    {"rules": Rules.boxed(6), "num_players": 2, "setup": "agent", "observation": "options"},
]


def moments(steps: int = 40) -> Iterator[str]:
    """Restarts and illegal actions included."""
    for number, options in enumerate(GAMES):
        games = GameBatch(3, seed=number, **options)
        for step in range(steps):
            actions = games.random_actions()
            if step % 13 == 12:
                actions[step % 3] = -1
            games.step(actions)
            # In thousandths: the last bit of a fraction depends on who computes it.
            seen = (games.legal_actions(), games.observe(), games.rewards)
            parts = [np.rint(1000.0 * array).astype(np.int64).tobytes() for array in seen]
            digest = hashlib.sha256(b"".join(parts))
            yield f"{number} {step} {games.to_move} {games.ranks.tolist()} {digest.hexdigest()}"


if __name__ == "__main__":
    print("\n".join(moments()))
