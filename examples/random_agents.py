"""PettingZoo: four agents play a game at random, and the end is drawn in the terminal."""

import numpy as np

from tsuro_env import tsuro_v0

env = tsuro_v0.env(rules="course", num_players=4, render_mode="ansi")
env.reset(seed=7)
random = np.random.default_rng(7)

for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        print(f"{agent} gets {reward:+.2f}")
        env.step(None)
    else:
        legal = np.flatnonzero(observation["action_mask"])
        env.step(random.choice(legal))

print(env.render())
print("out:", env.referee.out)
