"""The referee's side of isolation: players in processes of their own, with hard limits.

`IsolatedPlayer` looks like any player to a referee. Behind it is a process that is killed, with all
that it started, as soon as it breaks a limit or the protocol: that is a `Fault`, and the referee's
rule for cheaters. What a process sends is read as JSON of limited length and never trusted.

The other side is `isolated_player`; the messages are in `wire`.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation import wire
from evaluation.crew import import_path
from tsuro_env import Board, Rules, Tile
from tsuro_env.errors import TsuroError
from tsuro_env.guard import Fault

MAX_LIVING = 32
"""Processes of players that a launcher keeps; the one that was idle longest makes room."""
LONGEST_WAIT = 1e6
"""Seconds that the system can be asked to wait for an answer; eleven days."""
SECONDS_TO_END = 10.0
"""Within this time a keeper has killed everything, or something is wrong with the machine."""

KEPT_VARIABLES = (
    "HOME",
    "PATH",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "NUMBA_CACHE_DIR",
    "NUMBA_DISABLE_JIT",
)
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class IsolationError(TsuroError):
    """The machinery of isolation itself does not work here."""


@dataclass(frozen=True)
class Limits:
    """What a player in a process of its own may use."""

    move_seconds: float = 5.0
    """For each answer."""
    first_seconds: float = 30.0
    """For each answer until the first move is made: imports, compilation, loading a model."""
    memory: int = 2 << 30
    """Bytes of address space, for each process."""
    cpu_seconds: int = 600
    """Processor time for a game, for each process."""

    def __post_init__(self) -> None:
        for name in ("move_seconds", "first_seconds", "memory", "cpu_seconds"):
            if not getattr(self, name) > 0:
                raise IsolationError(f"{name} must be positive, got {getattr(self, name)!r}")


class Launcher:
    """Starts the processes of players, and ends them all when it is closed."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._requests: socket.socket | None = None
        self._living: list[PlayerProcess] = []

    def launch(self, spec: str, seed: int) -> PlayerProcess:
        while len(self._living) >= MAX_LIVING:
            min(self._living, key=lambda process: process.last_asked).close()
        process = PlayerProcess(self)
        settings = {
            "spec": _absolute(spec),
            "seed": seed,
            "memory": self.limits.memory,
            "cpu_seconds": self.limits.cpu_seconds,
        }
        try:
            self._send(wire.to_line(settings), process.far_ends)
        except BaseException:
            process.close()
            raise
        process.let_go_of_far_ends()
        self._living.append(process)
        return process

    def forget(self, process: PlayerProcess) -> None:
        if process in self._living:
            self._living.remove(process)

    def close(self) -> None:
        for process in list(self._living):
            process.close()
        if self._process is not None and self._requests is not None:
            self._requests.close()
            self._process.wait()
        self._process = self._requests = None

    def _send(self, request: bytes, descriptors: Sequence[int]) -> None:
        if self._requests is None:
            self._start()
        assert self._requests is not None
        try:
            socket.send_fds(self._requests, [request], descriptors)
            launched = self._requests.recv(1) == wire.LAUNCHED
        except OSError:
            launched = False
        if not launched:
            raise IsolationError("the process that launches players is gone")

    def _start(self) -> None:
        if not hasattr(socket, "send_fds"):
            raise IsolationError("isolation needs a POSIX system; see --no-isolate")
        self._requests, far_end = socket.socketpair()
        with far_end:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "evaluation.isolated_player"],
                stdin=far_end.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=_clean_environment(),
                start_new_session=True,
            )


def _clean_environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    return {**kept, **dict.fromkeys(ONE_THREAD, "1"), "PYTHONPATH": import_path()}


def _absolute(spec: str) -> str:
    """The spec with the path of its file, if it has one, made absolute."""
    place, colon, rest = spec.partition(":")
    if place.endswith((".py", ".onnx")):
        place = str(Path(place).resolve())
    return place + colon + rest


class PlayerProcess:
    """A player's process: a question in, an answer or a `Fault` out, within a deadline."""

    def __init__(self, launcher: Launcher) -> None:
        self.last_asked = time.monotonic()
        self.is_closed = False
        self._launcher = launcher
        asked, self._questions = os.pipe()
        self._answers, answered = os.pipe()
        self._control, control = socket.socketpair()
        self.far_ends = [asked, answered, control.detach()]
        os.set_blocking(self._questions, False)
        os.set_blocking(self._answers, False)

    def let_go_of_far_ends(self) -> None:
        for descriptor in self.far_ends:
            os.close(descriptor)
        self.far_ends = []

    def ask(self, message: Sequence[Any], seconds: float) -> Any:
        """The answer, translated; or the Fault that there was instead."""
        self.last_asked = time.monotonic()
        until = self.last_asked + seconds
        late = Fault("late", f"no answer within {seconds:g} s")
        try:
            if not self._write(wire.to_line(message), until):
                return late
            line = self._read_line(until)
        except (BrokenPipeError, ConnectionResetError):
            line = b""
        if line is None:
            return late
        if not line:
            return Fault("exception", self._tell(wire.FATE))
        if len(line) > wire.MAX_ANSWER:
            return Fault("malformed", f"more than {wire.MAX_ANSWER} bytes for an answer")
        return wire.read_answer(line, str(message[0]))

    def strays(self) -> int:
        """How many processes the player has started that still run."""
        count = self._tell(wire.STRAYS)
        return int(count) if count.isdigit() else 0

    def close(self) -> None:
        """End the player and everything that it started."""
        self.is_closed = True
        self.let_go_of_far_ends()
        self._launcher.forget(self)
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
            self._control.settimeout(SECONDS_TO_END)
            while self._control.recv(64):
                pass  # until the keeper, having killed everything, is gone itself
        self._control.close()
        os.close(self._questions)
        os.close(self._answers)

    def _write(self, line: bytes, until: float) -> bool:
        while line:
            if not _ready(self._questions, select.POLLOUT, until):
                return False
            line = line[os.write(self._questions, line) :]
        return True

    def _read_line(self, until: float) -> bytes | None:
        """A line, or what is longer than a line may be; empty at the end; None when too late."""
        received = b""
        while not received.endswith(b"\n") and len(received) <= wire.MAX_ANSWER:
            if not _ready(self._answers, select.POLLIN, until):
                return None
            part = os.read(self._answers, wire.MAX_ANSWER)
            if not part:
                return b""
            received += part
        return received

    def _tell(self, request: bytes) -> str:
        """The keeper's answer."""
        try:
            self._control.settimeout(SECONDS_TO_END)
            self._control.send(request)
            return self._control.recv(256).decode() or "its process is gone"
        except OSError:
            return "its process is gone"


def _ready(descriptor: int, event: int, until: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, event)
    left = min(max(0.0, until - time.monotonic()), LONGEST_WAIT)
    return bool(poll.poll(left * 1000))


class IsolatedPlayer:
    """A player for a `TableReferee`, whose code runs elsewhere.

    Where something goes wrong its methods hand back a `Fault`. After that the process is gone; the
    next game gets a new one. `seed` is for a player that lasts, `game_seed`, to be set before each
    game, for one that is made anew; see `roster`.
    """

    def __init__(self, spec: str, rules: Rules, launcher: Launcher, seed: int = 0) -> None:
        self.spec, self.rules = spec, rules
        self.seed = self.game_seed = seed
        self._launcher = launcher
        self._process: PlayerProcess | None = None
        self._has_moved = False

    def assign_color(self, color: str, others: Sequence[str]) -> Fault | None:
        return self._start() or self._tell([wire.PLAYING_AS, color, list(others)])

    def initial_placement(self, tiles: Sequence[Tile], board: Board) -> Any:
        return self._decide(wire.INITIAL, tiles, board)

    def take_turn(self, tiles: Sequence[Tile], board: Board) -> Any:
        return self._decide(wire.TAKE_TURN, tiles, board)

    def game_over(self, result: str) -> Fault | None:
        return self._tell([wire.GAME_OVER, result]) or self._left_behind()

    def tournament_over(self, won: bool) -> Fault | None:
        return self._start() or self._tell([wire.TOURNAMENT_OVER, won]) or self._left_behind()

    def _start(self) -> Fault | None:
        if self._process is None or self._process.is_closed:
            self._process = self._launcher.launch(self.spec, self.seed)
            self._has_moved = False
        rules = self.rules.to_json()
        start = {"protocol": wire.PROTOCOL, "rules": rules, "seed": self.game_seed}
        return self._tell([wire.START, start])

    def _decide(self, question: str, tiles: Sequence[Tile], board: Board) -> Any:
        answer = self._ask([question, wire.encode_tiles(tiles), wire.encode_board(board)])
        self._has_moved = True
        return answer

    def _tell(self, message: Sequence[Any]) -> Fault | None:
        answer = self._ask(message)
        return answer if isinstance(answer, Fault) else None

    def _ask(self, message: Sequence[Any]) -> Any:
        assert self._process is not None
        limits = self._launcher.limits
        seconds = limits.move_seconds if self._has_moved else limits.first_seconds
        answer = self._process.ask(message, seconds)
        if isinstance(answer, Fault):
            self._end()
        return answer

    def _left_behind(self) -> Fault | None:
        assert self._process is not None
        strays = self._process.strays()
        if not strays:
            return None
        fault = Fault("exception", f"left {strays} processes running")
        self._end()
        return fault

    def _end(self) -> None:
        assert self._process is not None
        self._process.close()
        self._process = None
