"""The one way in which foreign code (players, observers) is called: nothing it does escapes.

Exceptions of any kind, time and silence are turned into a `Fault`.  A soft limit cannot stop code
that never returns: the call is left behind in its own thread.  For a hard one, players run in
processes of their own.
"""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NamedTuple


class Fault(NamedTuple):
    """Why somebody was taken out: `reason` is one word, `message` tells more."""

    reason: str
    message: str


class _Interrupted(KeyboardInterrupt):
    """The user's own Ctrl-C, as opposed to a KeyboardInterrupt that a player raises."""


def _interrupt(signal_number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise _Interrupted


@contextlib.contextmanager
def users_interrupts() -> Iterator[None]:
    """Within this block the user's Ctrl-C is told apart from exceptions of players."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def type_name(value: object) -> str:
    """The name of the value's class, as Python knows it: a metaclass may have another idea."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name[:80]


def describe(error: BaseException) -> str:
    """The exception in words; not even its own str() is trusted."""
    name = type_name(error)
    try:
        text = f"{name}: {error}"
    except BaseException:  # noqa: BLE001  its own __str__ fails: the name has to do
        return name
    return text[:500].removesuffix(": ")


def call(function: Callable[..., Any], *arguments: Any, limit: float | None = None) -> Any:
    """The function's result, or a `Fault`: then its type is exactly that, and it is not theirs."""
    if limit is None:
        return _attempt(function, arguments)
    result: list[Any] = []
    thread = threading.Thread(
        target=lambda: result.append(_attempt(function, arguments)), daemon=True
    )
    thread.start()
    thread.join(min(limit, threading.TIMEOUT_MAX))
    if not result:
        return Fault("late", f"no answer within {limit:g} s")
    return result[0]


def _attempt(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        answer = function(*arguments)
    except _Interrupted:
        raise
    except BaseException as error:  # noqa: BLE001  SystemExit is the player's fault too
        return Fault("exception", describe(error))
    return Fault("malformed", "answered with a Fault") if type(answer) is Fault else answer
