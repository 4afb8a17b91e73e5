"""Gymnasium: a thousand games at once, in one batch, against random opponents."""

import time

import gymnasium

import tsuro_env  # noqa: F401  registers the environment

STEPS = 200
envs = gymnasium.make_vec("tsuro_env/Tsuro-v0", num_envs=1000, opponents=["random"] * 3)
envs.reset(seed=0)

episodes = 0
wins = 0.0
begin = time.perf_counter()
for _ in range(STEPS):
    actions = envs.unwrapped.games.random_actions()  # your policy goes here
    observations, rewards, terminated, truncated, infos = envs.step(actions)
    # A game that ended has been followed by another one already.
    episodes += terminated.sum()
    wins += (rewards > 0).sum()
seconds = time.perf_counter() - begin

print(f"{episodes} episodes, of which {wins / episodes:.1%} won or shared")
print(f"{STEPS * envs.num_envs / seconds:,.0f} decisions per second")
