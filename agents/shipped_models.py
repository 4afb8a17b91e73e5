"""The models that come with the package: `agents/models/tsuro-RULES-Np.onnx`."""

from __future__ import annotations

from pathlib import Path

from agents.model_info import ModelError
from tsuro_env import Rules

FOLDER = Path(__file__).parent / "models"


def shipped_models() -> dict[str, Path]:
    """The files by the names that players are made by."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.onnx"))}


def shipped_model(rules: Rules, num_players: int) -> str | None:
    """The name of the model for a game, if one is shipped."""
    usual = Rules.from_name(rules.name)
    name = f"tsuro-{rules.name}-{num_players}p"
    return name if rules == usual and name in shipped_models() else None


def model_for(rules: Rules, num_players: int) -> Path:
    """The file for a game."""
    name, models = shipped_model(rules, num_players), shipped_models()
    if name is None:
        size = f"{rules.board_size}×{rules.board_size}"
        raise ModelError(
            f"no model is shipped for {rules.name} on {size} with {num_players} players: train one "
            f"and name it as model=FILE; there are {', '.join(models)}"
        )
    return models[name]
