"""The gallery's twins: out at the same moments, by an exception, with no harm to anybody."""

from tests.rogues.base import Rogue


class Raises(Rogue):
    """Fails in the turn in which its twin misbehaves."""

    def misbehave(self) -> None:
        raise RuntimeError("out")


EndlessLoop = Late = Glutton = Crash = Garbage = Pickle = ClosedPipe = Raises


class Parent(Rogue):
    """Fails at the end of a game, when its twin's children are found."""

    ashamed = False

    def misbehave(self) -> None:
        self.ashamed = True

    def game_over(self, result: str) -> None:
        if self.ashamed:
            raise RuntimeError("out")


class Flood(Rogue):
    """Like its twin it plays on."""

    def misbehave(self) -> None:
        pass
