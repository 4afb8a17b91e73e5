"""The player's side of isolation: run as `python -m evaluation.isolated_player` by `isolation`.

Three kinds of process, each forked from the one before:

    launcher   one for each process that plays games. It has the game imported and compiled, so
               that a new player costs a fork; no foreign code ever runs in it.
    keeper     one for each player, forked by the launcher. Whatever the player starts, and however
               it hides it, ends up below the keeper, which can count it and kill it.
    player     forked by the keeper, in a session of its own and under resource limits. Here and
               nowhere else the foreign code runs.

Every one ends when the process above it closes its end of the socket, or dies. This stops accidents
and resource abuse, not malice: a player has the same rights as the user who runs it.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import math
import os
import resource
import shutil
import signal
import socket
import tempfile
import time
from typing import Any, BinaryIO, NoReturn

import agents
from evaluation import wire
from tsuro_env import BatchPlayer, Rules, StrategyPlayer
from tsuro_env.guard import call
from tsuro_env.warm_up import warm_up

OPEN_FILES = 256
FILE_BYTES = 64 << 20
PATIENCE = 5.0
"""Seconds that a keeper gives the kernel to end what it has killed."""
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
MAX_REQUEST = 1 << 16


# ------------------------------------------------------------------------------------ launcher


def main() -> None:
    """Fork a keeper for each request: three file descriptors, and the player's settings."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers are not waited for
    warm_up()
    requests = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    while True:
        text, descriptors, _, _ = socket.recv_fds(requests, MAX_REQUEST, 3)
        if not text:
            return
        if os.fork() == 0:
            requests.close()
            _keep(json.loads(text), *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        requests.send(wire.LAUNCHED)


def _die_with_parent() -> None:
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    """Linux only; elsewhere a keeper can kill no more than the player's process group."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


# -------------------------------------------------------------------------------------- keeper


def _keep(settings: dict[str, Any], questions: int, answers: int, control: int) -> NoReturn:
    """Start the player in a folder of its own, answer about it, and when nobody asks any more end
    all that it started."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    folder = tempfile.mkdtemp(prefix="tsuro-player-")
    player = os.fork()
    if player == 0:
        os.close(control)
        os.chdir(folder)
        _play(settings, questions, answers)
    os.close(questions)
    os.close(answers)
    keeper = _Keeper(player)
    try:
        while request := os.read(control, 1):
            reply = keeper.fate() if request == wire.FATE else str(keeper.strays())
            os.write(control, reply.encode())
    finally:
        keeper.end_everything()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


class _Keeper:
    """Knows the processes below it: the player, and whatever that has started."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.status: int | None = None

    def reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == self.player:
                    self.status = ended[1]

    def strays(self) -> int:
        """How many processes there are that the player started."""
        self.reap()
        return len([pid for pid in _living_below(os.getpid()) if pid != self.player])

    def fate(self) -> str:
        """How the player's process ended, in words."""
        until = time.monotonic() + 0.5  # its pipes close a moment before it can be waited for
        while self.status is None and time.monotonic() < until:
            self.reap()
            time.sleep(0.001)
        if self.status is None:
            return "it closed its pipe"
        code = os.waitstatus_to_exitcode(self.status)
        if code < 0:
            return f"its process was ended by {signal.Signals(-code).name}"
        return f"its process ended with exit code {code}"

    def end_everything(self) -> None:
        until = time.monotonic() + PATIENCE
        while (below := self.still_there()) and time.monotonic() < until:
            # Stopped processes start no others: when nobody new has come, all can be killed.
            _signal_all(below, signal.SIGSTOP)
            if self.still_there() <= below:
                _signal_all(below, signal.SIGKILL)
            self.reap()

    def still_there(self) -> set[int]:
        self.reap()
        below = _living_below(os.getpid())
        if not below and self.status is None:  # there may be no /proc to look into
            below = {self.player, -self.player}
        return below


def _signal_all(processes: set[int], number: signal.Signals) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def _living_below(root: int) -> set[int]:
    """The processes that descend from `root`, zombies left out."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                # The command's name, in parentheses, may hold anything.
                state, parent = file.read().rpartition(b")")[2].split()[:2]
                if state not in (b"Z", b"X"):
                    parents[int(name)] = int(parent)
    below, grown = {root}, True
    while grown:
        fresh = {process for process, parent in parents.items() if parent in below} - below
        below |= fresh
        grown = bool(fresh)
    return below - {root}


# -------------------------------------------------------------------------------------- player


def _play(settings: dict[str, Any], questions: int, answers: int) -> NoReturn:
    """Become the player: limits first, then the foreign code."""
    _die_with_parent()
    os.setsid()
    # Nothing that the player prints or reads can reach the protocol.
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    _limit_resources(settings["memory"])
    with os.fdopen(questions, "rb") as lines, os.fdopen(answers, "wb", buffering=0) as out:
        _Desk(settings["spec"], settings["seed"], settings["cpu_seconds"]).serve(lines, out)
    os._exit(0)


def _limit_resources(memory: int) -> None:
    limits = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_FSIZE: FILE_BYTES,
        resource.RLIMIT_CORE: 0,
    }
    for kind, value in limits.items():
        _, hard = resource.getrlimit(kind)
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (allowed, allowed))


class _Desk:
    """Answers a referee's questions by calling the player."""

    def __init__(self, spec: str, seed: int, cpu_seconds: int) -> None:
        self.spec, self.seed, self.cpu_seconds = spec, seed, cpu_seconds
        self.rules = Rules.course()
        self.player: StrategyPlayer | None = None

    def serve(self, lines: BinaryIO, out: Any) -> None:
        for line in lines:
            question, *arguments = json.loads(line)
            answer = call(self.handle, question, arguments)
            out.write(wire.write_answer(answer, question))

    def handle(self, question: str, arguments: list[Any]) -> object:
        if question == wire.START:
            self.start(**arguments[0])
            return None
        player: Any = self.player
        if question in wire.DECISIONS:
            tiles, places = arguments
            decide = player.take_turn if question == wire.TAKE_TURN else player.initial_placement
            return decide(wire.decode_tiles(tiles), wire.decode_board(self.rules, places))
        if question == wire.PLAYING_AS:
            return player.assign_color(arguments[0], tuple(arguments[1]))
        if question == wire.GAME_OVER:
            return player.game_over(arguments[0])
        tournament_over = getattr(player, "tournament_over", None)
        return None if tournament_over is None else tournament_over(arguments[0])

    def start(self, rules: dict[str, Any], seed: int, protocol: int) -> None:
        """A new game: a new player, unless it is one that lasts, and more processor time."""
        assert protocol == wire.PROTOCOL
        allowed = math.ceil(time.process_time()) + self.cpu_seconds
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (allowed, hard))
        self.rules = Rules.from_json(rules)
        if self.player is None:
            self.player = agents.make(self.spec, seed=self.seed)
        if not isinstance(self.player, BatchPlayer):
            self.player = agents.make(self.spec, seed=seed)


if __name__ == "__main__":
    main()
