"""The PettingZoo environment under the names that PettingZoo's environments have.

    from tsuro_env import tsuro_v0
    env = tsuro_v0.env(rules="course", num_players=4)

The checks that PettingZoo puts into wrappers are in the environment itself: `env` adds none and is
the same as `raw_env`.
"""

from tsuro_env.aec import TsuroEnv

env = raw_env = TsuroEnv
