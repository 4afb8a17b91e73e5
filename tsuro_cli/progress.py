"""A progress bar on stderr: only where somebody looks at it, and gone when the work is done."""

from __future__ import annotations

import sys
import time
from typing import TextIO

WIDTH = 30
PAUSE = 0.1
"""Seconds between two drawings."""


class ProgressBar:
    """Call it with how much of how much is done; use it as a context manager."""

    def __init__(self, what: str, stream: TextIO | None = None) -> None:
        self._what = what
        self._stream = sys.stderr if stream is None else stream
        self._wanted = self._stream.isatty()
        self._started = time.monotonic()
        self._drawn = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if not self._wanted or now - self._drawn < PAUSE:
            return
        self._drawn = now
        filled = WIDTH * done // max(total, 1)
        spent = now - self._started
        left = f", {_duration(spent * (total - done) / done)} left" if done else ""
        bar = "#" * filled + "." * (WIDTH - filled)
        self._stream.write(f"\r\x1b[K{bar} {done}/{total} {self._what}{left}")
        self._stream.flush()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *error: object) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
