"""`OnnxPlayer`: a trained net, played with onnxruntime alone. No torch is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from agents.logits_player import LogitsPlayer
from agents.onnx_safety import INPUT, LARGEST_BATCH, LOGITS, read_model
from tsuro_env import GameBatch
from tsuro_env.engine.batch import Rows


class OnnxPlayer(LogitsPlayer):
    """Plays a model file that `tsuro export` or anybody else has made.

    `temperature` 0 takes the best action; above that actions are drawn, the higher the wilder.
    `symmetric` takes the mean of what the net says about the position from all eight sides.
    """

    def __init__(
        self,
        path: str | Path,
        temperature: float = 0.0,
        seed: int | None = None,
        symmetric: bool = False,
    ) -> None:
        content, self.info = read_model(path)
        super().__init__(self.info.encoding, temperature, seed, symmetric)
        self.session = new_session(content)

    def choose(self, games: GameBatch, which: Rows) -> NDArray[np.int64]:
        self.info.check_game(games.rules, games.num_players)
        return super().choose(games, which)

    def logits(self, observations: NDArray[Any]) -> NDArray[np.float32]:
        return run_session(self.session, LOGITS, observations)


def new_session(content: bytes) -> onnxruntime.InferenceSession:
    """A session for a model that has been checked: one thread, that sleeps when it is idle."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def run_session(
    session: onnxruntime.InferenceSession, output: str, observations: NDArray[Any]
) -> NDArray[np.float32]:
    """One output for all observations, in batches of the size that was checked."""
    numbers = np.ascontiguousarray(observations, dtype=np.float32)
    parts = [
        session.run([output], {INPUT: numbers[first : first + LARGEST_BATCH]})[0]
        for first in range(0, len(numbers), LARGEST_BATCH)
    ]
    answer: NDArray[np.float32] = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return answer
