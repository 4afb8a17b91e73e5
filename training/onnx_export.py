"""`export`: a run's best model as one ONNX file that plays without torch.

The graph ends in logits; masks and choosing are the player's business. Before the file is written,
it has passed the same checks as a stranger's, and agreed with torch on real positions.
"""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agents.logits_player import best_actions, observe, unique_legal_actions
from agents.model_info import ModelError, ModelInfo
from agents.onnx_player import new_session, run_session
from agents.onnx_safety import INPUT, LOGITS, VALUE, check_model
from training.networks import Network
from training.run_directory import RunDirectory
from tsuro_env import GameBatch
from tsuro_env.encodings import encoding_of
from tsuro_env.files import write_atomically

CHECKED_POSITIONS = 1000
TOLERANCE = 1e-3


class ExportError(ModelError):
    """A model that came out of the exporter different from what went in."""


def export(run_dir: str | Path, path: str | Path, *, with_value: bool = False) -> ModelInfo:
    """Write the best model of a run; with its value as a second output if `with_value`."""
    run = RunDirectory.open(run_dir)
    config = run.config()
    network, row = run.load_best()
    training = {
        "steps": int(row["steps"]),
        "seconds": row["seconds"],
        "panel": {key: row[key] for key in row if f"{key} ±" in row},
        "config_sha": config.sha,
        "git_revision": run.facts()["starts"][-1]["git_revision"],
    }
    encoding = encoding_of(config.observation)
    info = ModelInfo.of(config.game_rules, config.num_players, encoding, training)
    export_network(network, info, path, with_value=with_value)
    return info


def export_network(
    network: Network, info: ModelInfo, path: str | Path, *, with_value: bool = False
) -> None:
    """Write any network that turns observations into logits and values."""
    network = network.eval()
    observations, legal = positions(info, CHECKED_POSITIONS)
    content = to_onnx(network, info, observations[:2], with_value)
    check_model(content)
    with torch.no_grad():
        logits, values = network(torch.from_numpy(observations).float())
    session = new_session(content)
    _compare(LOGITS, run_session(session, LOGITS, observations), logits.numpy(), legal)
    if with_value:
        _compare(VALUE, run_session(session, VALUE, observations), values.numpy(), None)
    write_atomically(path, content)


def positions(info: ModelInfo, count: int) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Observations and masks from all parts of real games."""
    games = GameBatch(100, info.rules, info.num_players, seed=1)
    which = np.arange(games.num_games)
    observations, legal = [], []
    for _ in range(-(-count // games.num_games)):
        for _ in range(7):  # coprime to the length of a round: every seat and phase comes by
            games.step(games.random_actions())
        observations.append(observe(games.state, games.variant, which, info.encoding))
        legal.append(unique_legal_actions(games, which))
    return np.concatenate(observations)[:count], np.concatenate(legal)[:count]


def to_onnx(network: Network, info: ModelInfo, example: NDArray[Any], with_value: bool) -> bytes:
    outputs = [LOGITS, VALUE] if with_value else [LOGITS]
    batch = torch.export.Dim("batch")
    # The exporter reports on torchvision and on its own deprecations.
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            _Outputs(network, with_value),
            (torch.from_numpy(example).float(),),
            input_names=[INPUT],
            output_names=outputs,
            dynamic_shapes={INPUT: {0: batch}},
            dynamo=True,
            external_data=False,
            verbose=False,
        )
    assert program is not None
    model: onnx.ModelProto = program.model_proto
    _forget_sources(model)
    onnx.helper.set_model_props(model, info.to_properties())
    return bytes(model.SerializeToString(deterministic=True))


class _Outputs(nn.Module):
    """The network with the outputs that the file shall have."""

    def __init__(self, network: Network, with_value: bool) -> None:
        super().__init__()
        self.network, self.with_value = network, with_value

    def forward(self, observations: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        logits, value = self.network(observations)
        return (logits, value) if self.with_value else logits


def _forget_sources(model: onnx.ModelProto) -> None:
    """The exporter notes files and lines of the source code in every part of the graph."""
    graph = model.graph
    for part in (*graph.node, *graph.input, *graph.output, *graph.value_info, *graph.initializer):
        del part.metadata_props[:]
        part.doc_string = ""
    del graph.metadata_props[:]


def _compare(
    name: str,
    exported: NDArray[np.float32],
    original: NDArray[np.float32],
    legal: NDArray[np.bool_] | None,
) -> None:
    error = float(np.abs(exported - original).max())
    if not error <= TOLERANCE:
        raise ExportError(f"the exported {name} differs from torch's by {error}")
    if legal is not None:
        same = best_actions(exported, legal) == best_actions(original, legal)
        if not same.all():
            raise ExportError(f"{(~same).sum()} of {len(same)} moves differ after the export")
