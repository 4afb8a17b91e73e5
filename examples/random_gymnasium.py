"""Gymnasium: one seat, played at random against three opponents, for ten episodes."""

import gymnasium
import numpy as np

from tsuro_env import OUT_REASONS  # which also registers the environment

env = gymnasium.make("tsuro_env/Tsuro-v0", opponents=["random", "second", "third"])
random = np.random.default_rng(0)

for episode in range(10):
    observation, info = env.reset(seed=episode)
    terminated = False
    while not terminated:
        action = random.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
    out = [OUT_REASONS[code] or "in" for code in info["out"]]
    print(f"episode {episode}: seat {info['seat']} of {out}, reward {reward:+.2f}")
