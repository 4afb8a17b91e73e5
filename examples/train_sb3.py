"""Stable-Baselines3: MaskablePPO learns to beat a random player on a small board, in some minutes.

    python examples/train_sb3.py [STEPS]

The mask is left out of the observation, where the network would take it for a feature: MaskablePPO
asks the environment for `action_masks()` by itself.  For stronger players see `tsuro train`.
"""

import sys

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_util import make_vec_env

from tsuro_env import Rules  # which also registers the environment

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 60_000
GAME = {
    "opponents": ["random"],
    "rules": Rules.course(board_size=6),
    "observation": "options",
    "setup": "random",
    "mask_in_observation": False,
    "unique_rotations": True,
}

env = make_vec_env("tsuro_env/Tsuro-v0", n_envs=16, seed=0, env_kwargs=GAME)
model = MaskablePPO(
    "MlpPolicy", env, n_steps=128, batch_size=512, n_epochs=8, learning_rate=1e-3, gamma=1.0, seed=0
)
others = make_vec_env("tsuro_env/Tsuro-v0", n_envs=4, seed=1, env_kwargs=GAME)
before, _ = evaluate_policy(model, others, n_eval_episodes=200)
model.learn(STEPS)
after, _ = evaluate_policy(model, others, n_eval_episodes=200)
print(f"mean reward: {before:+.2f} before, {after:+.2f} after {STEPS:,} steps")
