"""What the tests of the environments share."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tsuro_env import OUT_REASONS
from tsuro_env.aec import TsuroEnv


def random_action(mask: np.ndarray, random: np.random.Generator) -> int:
    return int(random.choice(np.flatnonzero(mask)))


def turns(env: TsuroEnv, random: np.random.Generator) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Play a game to its end at random, yielding before each step: agent, observation, action."""
    for agent in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        if terminated:
            env.step(None)
        else:
            action = random_action(observation["action_mask"], random)
            yield agent, observation, action
            env.step(action)


def who_is_out(info: dict[str, Any]) -> dict[str, str]:
    """The reasons in an info, in words."""
    reasons = [OUT_REASONS[code] for code in info["out"].tolist()]
    return {f"player_{seat}": reason for seat, reason in enumerate(reasons) if reason}


def play_out(env: TsuroEnv, random: np.random.Generator) -> dict[str, float]:
    """Play a game to its end at random; what each agent got in all."""
    totals: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        totals[agent] = totals.get(agent, 0.0) + reward
        env.step(None if terminated else random_action(observation["action_mask"], random))
    return totals


def configurations(count: int) -> list[dict[str, Any]]:
    """Arguments of `tsuro_v0.env`: all rules, eliminations, encodings, set-ups, rewards, sizes."""
    return [
        {
            "rules": ("course", "boxed")[i % 2],
            "num_players": 2 + i % 7,
            "elimination": ("end", "immediate")[i // 2 % 2],
            "observation": ("planes", "options")[i // 4 % 2],
            "setup": ("agent", "random")[i // 8 % 2],
            "reward": ("win", "rank")[i // 16 % 2],
        }
        for i in range(count)
    ]


def assert_same(mine: Any, theirs: Any, where: str = "") -> None:
    """Equal to the last bit, in types as well, all the way down."""
    assert type(mine) is type(theirs), (where, type(mine), type(theirs))
    if isinstance(mine, dict):
        assert mine.keys() == theirs.keys(), (where, mine.keys(), theirs.keys())
        for key, value in mine.items():
            assert_same(value, theirs[key], f"{where}[{key!r}]")
    elif isinstance(mine, tuple) or (isinstance(mine, np.ndarray) and mine.dtype == object):
        assert len(mine) == len(theirs), where
        for i, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            assert_same(one, other, f"{where}[{i}]")
    elif isinstance(mine, np.ndarray):
        assert mine.dtype == theirs.dtype, (where, mine.dtype, theirs.dtype)
        np.testing.assert_array_equal(mine, theirs, err_msg=where)
    else:
        assert mine == theirs, (where, mine, theirs)
