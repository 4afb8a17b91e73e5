"""How fast training is, and where its time goes.

    python bench/training_speed.py [--updates N] [--games N] [--threads N ...]

From one run, for each number of threads: the native VecEnv beside Stable-Baselines3's DummyVecEnv
over the Gymnasium environment at the same settings, that is the same learner, network, threads and
number of games, and three random opponents. Then the preset `standard` on one thread, opponents
from its pool included, and what share of the time each part takes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import torch
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

import agents
import tsuro_env  # noqa: F401 (registers the environment)
from training.config import Config
from training.learner import Learner
from training.opponents import NetworkPlayer, Opponents
from training.policy import NetworkPolicy
from training.session import Session, new_network
from training.vec_env import SelfPlayVecEnv
from tsuro_env import BatchPlayer, GameBatch
from tsuro_env.encodings import encoding_of


class Timer:
    """Adds up the time spent in methods."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def watch(self, thing: Any, method: str, name: str) -> None:
        original: Callable[..., Any] = getattr(thing, method)
        self.seconds.setdefault(name, 0.0)

        def timed(*arguments: Any, **options: Any) -> Any:
            started = time.perf_counter()
            try:
                return original(*arguments, **options)
            finally:
                self.seconds[name] += time.perf_counter() - started

        setattr(thing, method, timed)


def native(config: Config) -> VecEnv:
    games = GameBatch(
        config.games,
        config.game_rules,
        config.num_players,
        observation="options",
        unique_rotations=True,
        restart=False,
        num_threads=config.threads,
    )
    current = NetworkPlayer(new_network(config), encoding_of("options"))
    random = agents.make("random", seed=1)
    assert isinstance(random, BatchPlayer)
    return SelfPlayVecEnv(games, Opponents(current, [random], (0.0, 1.0, 0.0), 0), 0)


def dummy(config: Config) -> VecEnv:
    def make() -> gymnasium.Env[Any, Any]:
        return gymnasium.make(
            "tsuro_env/Tsuro-v0",
            opponents=["random"] * (config.num_players - 1),
            observation="options",
            mask_in_observation=False,
            unique_rotations=True,
            disable_env_checker=True,
        )

    return DummyVecEnv([make] * config.games)


class Measured:
    """A learner whose rollouts and updates are timed."""

    def __init__(self, env: VecEnv, config: Config) -> None:
        self.steps = config.games * config.rollout
        self.model = Learner(
            NetworkPolicy,
            env,
            n_steps=config.rollout,
            batch_size=config.batch,
            n_epochs=config.epochs,
            device="cpu",
            policy_kwargs={"network": new_network(config)},
        )
        self.model.learn(self.steps)  # to warm up: not counted
        self.timer = Timer()
        self.timer.watch(self.model, "collect_rollouts", "rollouts")
        self.timer.watch(self.model, "train", "updates")

    def update(self) -> dict[str, float]:
        """Learn for one update more; the seconds of its parts so far."""
        self.model.learn(self.steps, reset_num_timesteps=False)
        return self.timer.seconds


def compare(config: Config, updates: int) -> None:
    """Both in turns, so that what else the machine does hits them alike."""
    torch.set_num_threads(config.threads)
    learners = {
        "native": Measured(native(config), config),
        "DummyVecEnv": Measured(dummy(config), config),
    }
    for _ in range(updates):
        found = {name: learner.update() for name, learner in learners.items()}
    steps = config.games * config.rollout * updates
    threads = f"{config.threads} thread{'s' * (config.threads > 1)}"
    print(
        f"{config.games} games, three random opponents, {threads}: the learner's steps per second"
    )
    print(f"  {'':12} {'rollouts':>9} {'training':>9}")
    for name, seconds in found.items():
        print(
            f"  {name:12} {steps / seconds['rollouts']:9.0f} {steps / sum(seconds.values()):9.0f}"
        )
    ratios = [
        part(found["DummyVecEnv"]) / part(found["native"])
        for part in (lambda s: s["rollouts"], lambda s: sum(s.values()))
    ]
    print(f"  {'ratio':12} {ratios[0]:9.1f} {ratios[1]:9.1f}")


def shares(config: Config, updates: int) -> None:
    session = Session(config)
    session.model.learn(session.rollout_steps)
    timer = Timer()
    timer.watch(session.env, "step_wait", "stepping")
    timer.watch(session.opponents, "choose", "opponents")
    timer.watch(session.model, "train", "updates")
    started = time.perf_counter()
    session.model.learn(session.rollout_steps * updates, reset_num_timesteps=False)
    total = time.perf_counter() - started
    seconds = timer.seconds
    parts = {
        "environment": seconds["stepping"] - seconds["opponents"],
        "opponents' decisions": seconds["opponents"],
        "updates of the network": seconds["updates"],
    }
    parts["learner's decisions"] = total - sum(parts.values())
    steps = session.rollout_steps * updates
    print(f"standard, against its pool: {steps / total:.0f} steps per second, of which")
    for name, part in parts.items():
        print(f"  {part / total:6.1%}  {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=10)
    parser.add_argument("--games", type=int, default=Config().games)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    for threads in arguments.threads:
        config = Config.preset("standard", games=arguments.games, threads=threads)
        compare(config, arguments.updates)
    shares(Config.preset("standard", games=arguments.games), arguments.updates)


if __name__ == "__main__":
    main()
