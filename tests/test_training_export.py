"""From a run to a model file."""

import json

import numpy as np
import onnx
import pytest
import torch
from sb3_contrib import MaskablePPO

from agents.logits_player import best_actions
from agents.model_info import ModelInfo
from agents.onnx_player import OnnxPlayer, run_session
from agents.onnx_safety import VALUE
from training import Config, ConfigError, export, train
from training.networks import NETWORKS
from training.onnx_export import ExportError, export_network, positions
from training.opponents import NetworkPlayer, Opponents
from training.vec_env import SelfPlayVecEnv
from tsuro_cli.main import main
from tsuro_env import GameBatch, Rules
from tsuro_env.encodings import encoding_of

CONFIG = Config(
    num_players=3,
    width=16,
    steps=2048,
    games=64,
    rollout=8,
    batch=256,
    scripted_players=("random",),
    panel=("random",),
    panel_games=60,
    evaluations=1,
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return train(CONFIG, tmp_path_factory.mktemp("runs") / "run")


@pytest.fixture(scope="module")
def model_file(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model.onnx"
    export(run.path, path)
    return path


def test_the_exported_model_and_torch_choose_the_same_moves_in_10000_positions(run, model_file):
    network, _ = run.load_best()
    with torch.no_grad():  # a young network is nearly uniform: make it choosy
        for parameter in network.parameters():
            parameter *= 2
    path = model_file.with_name("choosy.onnx")
    info = OnnxPlayer(model_file).info
    export_network(network, info, path)
    observations, legal = positions(info, 10_000)
    with torch.no_grad():
        expected = network(torch.from_numpy(observations))[0].numpy()
    logits = OnnxPlayer(path).logits(observations)
    assert (best_actions(logits, legal) == best_actions(expected, legal)).all()
    assert len(np.unique(best_actions(logits, legal))) > 12


def test_the_file_says_what_it_is_for_and_how_it_came_about(model_file):
    properties = {p.key: p.value for p in onnx.load_model(model_file).metadata_props}
    info = ModelInfo.from_properties(properties)
    assert info.rules == Rules.course()
    assert info.num_players == 3
    assert (info.observation, info.observation_version) == (
        "options",
        encoding_of("options").version,
    )
    training = json.loads(properties["tsuro.training"])
    assert training["steps"] == 2048
    assert training["config_sha"] == CONFIG.sha
    assert 0 <= training["panel"]["random"] <= 1


def test_the_file_has_logits_only_in_one_piece_for_any_batch(model_file):
    model = onnx.load_model(model_file, load_external_data=False)
    assert [output.name for output in model.graph.output] == ["logits"]
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param
    assert list(model_file.parent.glob("*.data")) == []


def test_the_file_does_not_tell_where_it_was_made(model_file):
    content = model_file.read_bytes()
    for clue in (b"site-packages", b"/training/", b".py", str(model_file.parent).encode()):
        assert clue not in content


def test_the_value_comes_along_when_it_is_asked_for(run, tmp_path):
    info = export(run.path, tmp_path / "model.onnx", with_value=True)
    player = OnnxPlayer(tmp_path / "model.onnx")
    observations, _ = positions(info, 100)
    network, _ = run.load_best()
    values = run_session(player.session, VALUE, observations)
    torch.testing.assert_close(
        torch.from_numpy(values), network(torch.from_numpy(observations))[1], rtol=1e-4, atol=1e-4
    )


@pytest.mark.parametrize("rules", ["course", "boxed"])
@pytest.mark.parametrize("observation", NETWORKS)
def test_every_network_can_be_exported_and_played(observation, rules, tmp_path):
    games = GameBatch(20, rules, 2, seed=1)
    info = ModelInfo.of(games.rules, 2, encoding_of(observation), {})
    network = NETWORKS[observation](games.variant, 8)
    export_network(network, info, tmp_path / "model.onnx", with_value=True)
    player = OnnxPlayer(tmp_path / "model.onnx")
    for _ in range(10):
        actions = player.choose(games, np.arange(20))
        assert games.legal_actions()[np.arange(20), actions].all()
        games.step(actions)


def test_a_model_that_comes_out_different_is_not_written(run, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "training.onnx_export.run_session",
        lambda session, output, observations: 1 + run_session(session, output, observations),
    )
    with pytest.raises(ExportError, match="differs from torch's by 1"):
        export(run.path, tmp_path / "model.onnx")
    assert not (tmp_path / "model.onnx").exists()


def test_a_run_without_an_evaluation_has_nothing_to_export(tmp_path):
    (tmp_path / "config.yaml").write_text(CONFIG.to_yaml())
    with pytest.raises(ConfigError, match="has no model yet"):
        export(tmp_path, tmp_path / "model.onnx")


@pytest.fixture(scope="module")
def zip_file(tmp_path_factory):
    """A policy of Stable-Baselines3's own kind, as somebody else would have trained it."""
    games = GameBatch(8, "boxed", 2, observation="options", restart=False)
    network = NETWORKS["options"](games.variant, 4)
    current = NetworkPlayer(network, encoding_of("options"))
    env = SelfPlayVecEnv(games, Opponents(current, [], (1, 0, 0), 0), 0)
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=64, device="cpu")
    path = tmp_path_factory.mktemp("zips") / "model.zip"
    model.save(path)
    return path


def test_a_zip_of_stable_baselines3_is_loaded_only_on_trust(zip_file, tmp_path, capsys):
    out = tmp_path / "model.onnx"
    game = ["--rules", "boxed", "--players", "2", "--observation", "options"]
    assert main(["export", str(zip_file), "-o", str(out), *game]) == 2
    assert "runs code that is inside it" in capsys.readouterr().err
    assert not out.exists()
    assert main(["export", str(zip_file), "-o", str(out), "--trust", *game]) == 0
    assert OnnxPlayer(out).info.rules == Rules.boxed()


def test_a_zip_for_another_game_is_refused(zip_file, tmp_path, capsys):
    game = ["--rules", "course", "--players", "2", "--observation", "options"]
    out = str(tmp_path / "model.onnx")
    assert main(["export", str(zip_file), "-o", out, "--trust", *game]) == 2
    assert "reads observations of shape" in capsys.readouterr().err


def test_the_export_command_says_how_to_go_on(run, tmp_path, capsys):
    out = str(tmp_path / "model.onnx")
    assert main(["export", str(run.path), "-o", out]) == 0
    printed = capsys.readouterr().out
    assert "plays course on 10×10 with 3 players" in printed
    assert f"tsuro evaluate {out} greedy greedy --rules course" in printed
