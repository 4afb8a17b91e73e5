"""The gallery. No rogue takes more than half a minute, whatever happens to it."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

from tests.rogues.base import Rogue, write_everywhere

HALF_A_MINUTE = 30.0


class EndlessLoop(Rogue):
    def misbehave(self) -> None:
        until = time.monotonic() + HALF_A_MINUTE
        while time.monotonic() < until:
            pass


class Late(Rogue):
    """Answers properly, but after its deadline."""

    def misbehave(self) -> None:
        time.sleep(HALF_A_MINUTE)


class Parent(Rogue):
    """Answers properly, and leaves processes behind: a plain child, and one that hides."""

    def misbehave(self) -> None:
        subprocess.Popen(["sleep", "30"])
        if os.fork() == 0:  # a daemon: its parent ends, and it is in a session of its own
            os.setsid()
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            if os.fork() == 0:
                time.sleep(HALF_A_MINUTE)
            os._exit(0)


class Glutton(Rogue):
    """Asks for 4 GB."""

    def misbehave(self) -> int:
        return len(bytearray(4 << 30))


class Flood(Rogue):
    """Prints 32 MB; that is nobody's business, and it plays on."""

    def misbehave(self) -> None:
        line = b"x" * (1 << 16)
        for _ in range(256):
            os.write(1, line)
            os.write(2, line)
        print("never seen")
        print("never seen either", file=sys.stderr)


class Crash(Rogue):
    def misbehave(self) -> None:
        os.abort()


class Exit(Rogue):
    def misbehave(self) -> None:
        os._exit(3)


class Garbage(Rogue):
    def misbehave(self) -> None:
        write_everywhere(b"\x00\xff[[[[{not json\n")


class Endless(Rogue):
    """Writes a line that does not end."""

    def misbehave(self) -> None:
        for _ in range(40):
            write_everywhere(b"[" * 4096)


class Bomb:
    """What a reader that unpickles would run."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (66,)


class Pickle(Rogue):
    def misbehave(self) -> None:
        write_everywhere(pickle.dumps(Bomb()) + b"\n")


class ClosedPipe(Rogue):
    """Closes everything, and stays."""

    def misbehave(self) -> None:
        os.closerange(3, 256)
        time.sleep(HALF_A_MINUTE)


class Burner(Rogue):
    """Answers properly, and goes on computing behind the referee's back."""

    def misbehave(self) -> None:
        threading.Thread(target=EndlessLoop.misbehave, args=(self,), daemon=True).start()


class Quitter(Rogue):
    def misbehave(self) -> None:
        raise SystemExit("enough")


class Shouter(Rogue):
    """Fails with a text that would like to be a page, or to paint a terminal, or is none."""

    def misbehave(self) -> None:
        raise ValueError("<script>window.harmed = 3</script>\x1b[31m \ud800")
