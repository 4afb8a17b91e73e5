"""What a run leaves on disk, and where: `RunDirectory`.

    config.yaml          the settings
    run.json             versions, git revision, seed, when it was started and resumed
    progress.csv         a line for each evaluation
    learning_curve.png   the same, drawn at the end
    tensorboard/         the same and more, for each update
    checkpoint.pt        everything needed to go on
    best.pt              the network that did best against the panel
    best_response.json   with `against`: how far the frozen player could be beaten

All files are written atomically.
"""

from __future__ import annotations

import csv
import importlib.metadata
import io
import json
import platform
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from training.config import Config, ConfigError
from training.networks import Network
from training.session import load, new_network, save
from tsuro_env.files import write_atomically

Row = dict[str, float]

PACKAGES = ("tsuro-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "onnx")


class RunDirectory:
    """The files of one run by their names."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.checkpoint = self.path / "checkpoint.pt"
        self.best = self.path / "best.pt"
        self.tensorboard = self.path / "tensorboard"
        self.learning_curve = self.path / "learning_curve.png"

    @classmethod
    def create(cls, path: str | Path, config: Config) -> RunDirectory:
        """A new directory for a new run; one that holds a run already is not touched."""
        run = cls(path)
        if (run.path / "config.yaml").exists():
            raise ConfigError(f"{path} already holds a run: resume it, or choose another place")
        run.path.mkdir(parents=True, exist_ok=True)
        write_atomically(run.path / "config.yaml", config.to_yaml())
        run._write_json("run.json", {"seed": config.seed, "config_sha": config.sha, "starts": []})
        return run

    @classmethod
    def open(cls, path: str | Path) -> RunDirectory:
        run = cls(path)
        if not (run.path / "config.yaml").is_file():
            raise ConfigError(f"{path} holds no run: there is no config.yaml in it")
        return run

    def config(self) -> Config:
        return Config.from_yaml(self.path / "config.yaml")

    def add_start(self, steps: int) -> None:
        """Note that the run starts, or goes on, now and with what."""
        facts = self.facts()
        facts["starts"].append(
            {
                "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
                "at_step": steps,
                "command": " ".join(sys.argv),
                "git_revision": git_revision(),
                "python": platform.python_version(),
                "platform": platform.platform(),
                "versions": {name: importlib.metadata.version(name) for name in PACKAGES},
            }
        )
        self._write_json("run.json", facts)

    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads((self.path / "run.json").read_text(encoding="utf-8"))
        return facts

    def write_progress(self, rows: list[Row]) -> None:
        file = io.StringIO()
        writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else [])
        writer.writeheader()
        writer.writerows(rows)
        write_atomically(self.path / "progress.csv", file.getvalue())

    def progress(self) -> list[Row]:
        path = self.path / "progress.csv"
        if not path.exists():
            return []
        with path.open(newline="", encoding="utf-8") as file:
            return [
                {key: float(value) for key, value in row.items()} for row in csv.DictReader(file)
            ]

    def best_response(self) -> dict[str, Any] | None:
        path = self.path / "best_response.json"
        result: dict[str, Any] | None = None
        if path.exists():
            result = json.loads(path.read_text(encoding="utf-8"))
        return result

    def write_best_response(self, result: dict[str, Any]) -> None:
        self._write_json("best_response.json", result)

    def save_best(self, network: Network, row: Row) -> None:
        save(self.best, {"network": network.state_dict(), "row": row})

    def load_best(self) -> tuple[Network, Row]:
        """The network that did best against the panel, and the line of that evaluation."""
        if not self.best.is_file():
            raise ConfigError(
                f"{self.path} has no model yet: its first evaluation is still to come"
            )
        state = load(self.best)
        network = new_network(self.config())
        network.load_state_dict(state["network"])
        network.requires_grad_(False)
        return network, state["row"]

    def _write_json(self, name: str, value: object) -> None:
        write_atomically(self.path / name, json.dumps(value, indent=2) + "\n")


def git_revision() -> str | None:
    """The commit that the code is from, if it is run from a checkout."""
    try:
        answer = subprocess.run(
            [
                "git",
                "-C",
                str(Path(__file__).parent),
                "describe",
                "--always",
                "--dirty",
                "--abbrev=40",
            ],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip()
