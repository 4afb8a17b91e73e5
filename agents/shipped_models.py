"""The models that come with the package: `agents/models/tsuro-RULES-Np.onnx`."""

from __future__ import annotations

from pathlib import Path

from agents.model_info import ModelError
from tsuro_env import Rules

FOLDER = Path(__file__).parent / "models"


def shipped_models() -> dict[str, Path]:
    """The files by the names that players are made by."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.onnx"))}


def model_for(rules: Rules, num_players: int) -> Path:
    """The file for a game; its metadata says whether it really fits."""
    name = f"tsuro-{rules.name}-{num_players}p"
    models = shipped_models()
    if name not in models:
        raise ModelError(
            f"no model is shipped for {rules.name} with {num_players} players: train one and name "
            f"it as model=FILE; there are {', '.join(models)}"
        )
    return models[name]
