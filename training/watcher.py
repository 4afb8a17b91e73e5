"""`Watcher`: what happens between the updates of a run. Checkpoints, snapshots for the pool,
evaluations against the panel, logs, the progress bar, and stopping in good order on Ctrl-C.
"""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from training.opponents import NetworkPlayer
from training.panel import WinShare, win_share
from training.run_directory import Row, RunDirectory
from training.session import Session, make_player, save
from tsuro_env.encodings import encoding_of


class Watcher(BaseCallback):
    """Everything it does at a step follows from the number of the step, checkpoints and the
    display apart: so a run that is stopped and resumed does the same as one that is not.
    """

    def __init__(self, session: Session, run: RunDirectory, history: list[Row], seconds: float):
        super().__init__()
        self.session, self.run, self.history = session, run, history
        config = session.config
        # The panel's chance is its own, so that nobody of it sits in the learner's games.
        self.panel = {spec: make_player(spec, config.seed + 1) for spec in config.panel_specs}
        self.candidate = NetworkPlayer(
            session.average, encoding_of(config.observation), draws=False
        )
        self._averaged = session.steps
        self.stopped = False
        self._asked_to_stop = False
        self._seconds_before, self._began = seconds, time.monotonic()
        self._saved = self._began
        self.bar: tqdm[Any] = tqdm(
            total=config.steps,
            initial=session.steps,
            unit=" steps",
            unit_scale=True,
            disable=None,  # where nobody watches, the lines of the evaluations are enough
            file=sys.stderr,
        )

    @property
    def seconds(self) -> float:
        """How long the run has taken, earlier parts of it included."""
        return self._seconds_before + time.monotonic() - self._began

    # ----------------------------------------------------------- called by Stable-Baselines3

    def _on_rollout_start(self) -> None:
        """Between an update and the games that follow: the only time when a run is saved."""
        session, steps = self.session, self.session.steps
        if steps > self._averaged:
            session.update_average()
            self._averaged = steps
        if self._asked_to_stop:
            self.save()
            self.stopped = True
            return
        if time.monotonic() - self._saved > session.config.checkpoint_seconds:
            self.save()
        session.opponents.forget()
        if self._is_due(session.config.snapshot_every):
            session.opponents.add_snapshot()
        if steps and self._is_due(max(session.config.steps // session.config.evaluations, 1)):
            self.evaluate()

    def _on_step(self) -> bool:
        return not self.stopped

    def _on_rollout_end(self) -> None:
        self.logger.record("rollout/mean_reward", self.session.env.take_mean_reward())
        self.bar.update(self.session.steps - self.bar.n)

    def _on_training_end(self) -> None:
        if not self.stopped:
            self.session.update_average()
            self.save()

    # --------------------------------------------------------------------------------------

    def _is_due(self, interval: int) -> bool:
        """Whether the last rollout went past a multiple of the interval."""
        steps = self.session.steps
        return steps // interval > (steps - self.session.rollout_steps) // interval

    def save(self) -> None:
        state = self.session.state()
        save(self.run.checkpoint, {**state, "history": self.history, "seconds": self.seconds})
        self._saved = time.monotonic()

    def evaluate(self) -> None:
        """Play the panel; remember the averaged network if it never did better."""
        if self.history and self.history[-1]["steps"] == self.session.steps:
            return
        config = self.session.config
        shares = {
            spec: win_share(
                self.candidate,
                player,
                config.game_rules,
                config.num_players,
                config.panel_games,
                config.seed + 1,
            )
            for spec, player in self.panel.items()
        }
        row = self._row(shares)
        if row["panel"] >= max((old["panel"] for old in self.history), default=0.0):
            self.run.save_best(self.session.average, row)
        self.history.append(row)
        self.run.write_progress(self.history)
        for spec, share in shares.items():
            self.session.model.logger.record(f"panel/{spec}", share.share)
        self._show(shares)

    def _row(self, shares: dict[str, WinShare]) -> Row:
        row = {
            "steps": self.session.steps,
            "seconds": round(self.seconds, 1),
            "steps_per_second": round(self.session.steps / self.seconds),
            "panel": sum(share.share for share in shares.values()) / len(shares),
        }
        for spec, share in shares.items():
            row[spec] = round(share.share, 4)
            row[f"{spec} ±"] = round(share.margin, 4)
        return row

    def _show(self, shares: dict[str, WinShare]) -> None:
        text = ", ".join(f"{share} against {spec}" for spec, share in shares.items())
        if self.bar.disable:
            print(f"{self.session.steps} steps, {self.seconds:.0f} s: {text}", file=sys.stderr)
        else:
            self.bar.set_postfix_str(text)

    # ----------------------------------------------------------------------------- Ctrl-C

    def __enter__(self) -> Watcher:
        writer = TensorBoard(self.run.tensorboard, self.session.steps)
        self.session.model.set_logger(Logger(None, [writer]))
        self._before = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        self.session.model.logger.close()
        self.bar.close()
        signal.signal(signal.SIGINT, self._before)

    def _interrupt(self, _signal: int, _frame: FrameType | None) -> None:
        """The first Ctrl-C finishes the update and saves; a second one does not wait."""
        if self._asked_to_stop:
            raise KeyboardInterrupt
        self._asked_to_stop = True
        print("\nstopping after this update; Ctrl-C again to stop at once", file=sys.stderr)


class TensorBoard(KVWriter):
    """Writes for TensorBoard; what an interrupted run wrote after its last checkpoint is hidden."""

    def __init__(self, folder: Path, steps: int) -> None:
        self.writer = SummaryWriter(str(folder), purge_step=steps + 1)

    def write(
        self,
        key_values: dict[str, Any],
        key_excluded: dict[str, tuple[str, ...]],  # noqa: ARG002
        step: int = 0,
    ) -> None:
        for key, value in key_values.items():
            if isinstance(value, int | float) or hasattr(value, "item"):
                self.writer.add_scalar(key, value, step)
        self.writer.flush()

    def close(self) -> None:
        self.writer.close()
