"""Makes the environments known to Gymnasium and PettingZoo. Runs at the import of the package."""

import gymnasium
import pettingzoo

GYMNASIUM_ID = "tsuro_env/Tsuro-v0"
PETTINGZOO_ID = "tsuro_env/tsuro-v0"


def register() -> None:
    """May be called again: what is registered already is left alone."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="tsuro_env.gym_env:TsuroGymEnv",
            vector_entry_point="tsuro_env.vector_env:TsuroVectorEnv",
        )
    # PettingZoo has a registry since 1.27.
    if PETTINGZOO_ID not in getattr(pettingzoo, "aec_registry", (PETTINGZOO_ID,)):
        pettingzoo.register("aec", PETTINGZOO_ID, "tsuro_env.tsuro_v0:env")
