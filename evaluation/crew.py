"""`Crew`: a job on several processes. What a task gives does not depend on who does it.

The workers are programs of their own (see `worker`), not children of `multiprocessing`: so a script
needs no ``if __name__ == "__main__"``, and a worker ends when the process that started it is gone,
however that happened.  Both ends are ours: pickle is fine here.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import IO, Any, Generic, Protocol, TypeVar

TaskIn = TypeVar("TaskIn", contravariant=True)
ResultOut = TypeVar("ResultOut", covariant=True)
Task = TypeVar("Task")
Result = TypeVar("Result")


class Job(Protocol[TaskIn, ResultOut]):
    """What workers do: entered once in each of them, called for each task, left at the end."""

    def __enter__(self) -> Any: ...
    def __exit__(self, *error: Any) -> Any: ...
    def __call__(self, task: TaskIn, /) -> ResultOut: ...


class WorkerError(ChildProcessError):
    """A worker process ended in the middle of its work."""


def available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def import_path() -> str:
    """PYTHONPATH for a process that shall find the same modules as this one."""
    return os.pathsep.join(os.path.abspath(entry) for entry in sys.path)


class Crew(Generic[Task, Result]):
    """Workers for a job, as a context manager; one worker is this very process."""

    def __init__(self, job: Job[Task, Result], workers: int) -> None:
        if workers < 1:
            raise ValueError(f"there must be at least one worker, not {workers}")
        self._job, self._workers = job, workers
        self._threads: ThreadPoolExecutor | None = None
        self._processes: list[subprocess.Popen[bytes]] = []
        self._idle: queue.SimpleQueue[subprocess.Popen[bytes]] = queue.SimpleQueue()

    def __enter__(self) -> Crew[Task, Result]:
        if self._workers == 1:
            self._job.__enter__()
            return self
        # A thread for each process waits for its answers. The processes are started here, since
        # on Linux they end with the thread that started them.
        self._threads = ThreadPoolExecutor(self._workers)
        for _ in range(self._workers):
            process = _start()
            self._processes.append(process)
            self._idle.put(process)
            with contextlib.suppress(OSError):  # if it is dead already, its first task will tell
                _send(process, self._job)
        return self

    def __exit__(self, *error: Any) -> None:
        if self._threads is None:
            self._job.__exit__(*error)
            return
        for process in self._processes:
            if error[0] is not None:  # nobody waits any more for what they are doing
                process.terminate()
            with contextlib.suppress(OSError):
                _open(process.stdin).close()
        self._threads.shutdown()
        for process in self._processes:
            process.wait()
            _open(process.stdout).close()

    def do(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """The results as they come; tasks are taken only when somebody is free to do them."""
        if self._threads is None:
            yield from map(self._job, tasks)
            return
        source = iter(tasks)
        running: set[Future[Result]] = set()
        while True:
            for task in source:
                running.add(self._threads.submit(self._ask, task))
                if len(running) == self._workers:
                    break
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()

    def _ask(self, task: Task) -> Result:
        process = self._idle.get()
        try:
            _send(process, task)
            failed, result = pickle.load(_open(process.stdout))
        except (OSError, EOFError) as error:
            raise WorkerError(f"a worker ended with exit code {process.wait()}") from error
        finally:
            self._idle.put(process)
        if failed:
            raise result
        done: Result = result
        return done


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "evaluation.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": import_path()},
    )


def _send(process: subprocess.Popen[bytes], value: object) -> None:
    pipe = _open(process.stdin)
    pickle.dump(value, pipe)
    pipe.flush()


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
