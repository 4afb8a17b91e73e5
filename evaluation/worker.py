"""A worker of a `Crew`, run as `python -m evaluation.worker`: reads a job, then does its tasks.

It ends when no more tasks can come; on Linux also at once when the process that started it dies.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import signal
import sys
from collections.abc import Iterator
from typing import IO, Any

PR_SET_PDEATHSIG = 1


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who gives the tasks
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    with os.fdopen(os.dup(1), "wb") as results, contextlib.suppress(BrokenPipeError):
        os.dup2(2, 1)  # what a player prints must not get between the results
        try:
            job = pickle.load(sys.stdin.buffer)
            with job:
                for task in _tasks(sys.stdin.buffer):
                    _send(results, False, job(task))
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001  whatever it is, it is raised where tasks come from
            _send(results, True, error)


def _tasks(source: IO[bytes]) -> Iterator[Any]:
    with contextlib.suppress(EOFError):
        while True:
            yield pickle.load(source)


def _send(results: IO[bytes], failed: bool, result: object) -> None:
    pickle.dump((failed, result), results)
    results.flush()


if __name__ == "__main__":
    main()
