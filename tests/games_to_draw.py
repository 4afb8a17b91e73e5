"""Games and scenes for the tests of the pictures."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from tsuro_env import Referee, Rules, Tile
from tsuro_env.drawing import Scene, scenes_of

STRAIGHT = Tile(2)  # AF BE CH DG: four lines that go straight over
CORNERS = Tile(4)  # AH BC DE FG: four short lines, none crossing


def random_game(
    seed: int, rules: Rules | None = None, players: int = 4, illegal: float = 0.0, **more: Any
) -> Iterator[Referee]:
    """The same referee before the first action and after each one, to the end."""
    random = np.random.default_rng(seed)
    names = more.pop("names", [f"random {i}" for i in range(players)])
    referee = Referee(
        None, range(players), rules=rules or Rules.course(), seed=seed, names=names, **more
    )
    yield referee
    while not referee.finished:
        legal = np.flatnonzero(referee.legal_actions())
        referee.submit_action(-1 if random.random() < illegal else int(random.choice(legal)))
        yield referee


def random_record(seed: int, *arguments: Any, **more: Any) -> dict[str, Any]:
    *_, referee = random_game(seed, *arguments, **more)
    return referee.record


@cache
def long_record() -> dict[str, Any]:
    """A long game of five, in which most of the board gets covered, and lines are shared."""
    return random_record(3, players=5)


@cache
def long_film() -> list[Scene]:
    return scenes_of(long_record())


def busy_scene() -> Scene:
    """Late in the game: tiles, trails, avatars, a hand, and somebody out."""
    return next(scene for scene in reversed(long_film()) if len(scene.avatars) >= 2)


def one_tile(tile: Tile = STRAIGHT, **more: Any) -> Scene:
    return Scene(4, {(1, 1): tile}, **more)
