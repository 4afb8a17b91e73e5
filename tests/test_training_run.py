"""Whole training runs, small ones: what they leave behind, and going on after the end."""

import contextlib
import csv
import json
import os
import signal
import subprocess
import sys
import time

import pytest
import torch

from training import Config, ConfigError, resume, train
from training.session import FORMAT, Session, load, save
from training.watcher import Watcher
from tsuro_env import GameBatch

SMALL = Config(
    num_players=3,
    width=8,
    steps=4096,
    games=64,
    rollout=8,
    batch=256,
    epochs=1,
    scripted_players=("random",),
    pool=2,
    snapshot_every=1024,
    panel=("random",),
    panel_games=60,
    evaluations=4,
    checkpoint_seconds=1000.0,
)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A run that nobody interrupts."""
    return train(SMALL, tmp_path_factory.mktemp("runs") / "undisturbed")


def rows_without_time(run):
    timing = ("seconds", "steps_per_second")
    return [{k: v for k, v in row.items() if k not in timing} for row in run.progress()]


def assert_same_end(one, two):
    """Down to the last bit: weights, optimiser, pool, chance, games."""
    timing = ("history", "seconds")
    states = [
        {key: value for key, value in load(run.checkpoint).items() if key not in timing}
        for run in (one, two)
    ]
    assert_same(*states)
    assert rows_without_time(one) == rows_without_time(two)
    assert_same(load(one.best)["network"], load(two.best)["network"])


def assert_same(one, two):
    if isinstance(one, dict):
        assert one.keys() == two.keys()
        for key in one:
            assert_same(one[key], two[key])
    elif isinstance(one, list | tuple):
        assert len(one) == len(two)
        for a, b in zip(one, two, strict=True):
            assert_same(a, b)
    elif isinstance(one, torch.Tensor):
        assert torch.equal(one, two)
    else:
        assert one == two


def test_a_run_leaves_its_settings_versions_logs_models_and_curve(undisturbed):
    assert undisturbed.config() == SMALL
    facts = undisturbed.facts()
    assert facts["seed"] == SMALL.seed
    assert facts["config_sha"] == SMALL.sha
    (start,) = facts["starts"]
    assert start["at_step"] == 0
    assert {"torch", "numpy", "sb3-contrib", "tsuro-env"} <= start["versions"].keys()
    assert undisturbed.learning_curve.read_bytes().startswith(b"\x89PNG")
    assert list(undisturbed.tensorboard.iterdir())


def test_progress_has_a_line_for_each_evaluation(undisturbed):
    with (undisturbed.path / "progress.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["steps"]) for row in rows] == [1024, 2048, 3072, 4096]
    assert all(0 <= float(row["random"]) <= 1 for row in rows)
    assert all(0 < float(row["random ±"]) < 0.5 for row in rows)


def test_the_best_model_is_the_one_that_did_best_against_the_panel(undisturbed):
    _, row = undisturbed.load_best()
    assert row["panel"] == max(row["panel"] for row in undisturbed.progress())


def test_the_learning_rate_falls_and_stays_positive_though_the_last_rollout_goes_past_the_end():
    session = Session(Config.from_mapping({**vars(SMALL), "steps": 2500}))
    rates = [session._learning_rate(1 - steps / 2500) for steps in range(512, 3000, 512)]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] < SMALL.learning_rate
    assert rates[-1] == pytest.approx(SMALL.learning_rate * 512 / 2500)


def test_the_value_ends_up_within_what_the_games_pay(undisturbed):
    network, _ = undisturbed.load_best()
    games = GameBatch(200, SMALL.game_rules, SMALL.num_players, seed=1, observation="options")
    for _ in range(20):
        games.step(games.random_actions())
    values = network(torch.from_numpy(games.observe()))[1]
    assert -0.5 < values.mean() < 0.5
    assert values.std() < 0.5


def test_the_same_seed_gives_the_same_run(undisturbed, tmp_path):
    assert_same_end(undisturbed, train(SMALL, tmp_path / "run"))


class KilledError(Exception):
    """Stands for the end of the process."""


@pytest.mark.parametrize("last_checkpoint", [0, 1536, 2048, 4096])
def test_a_killed_run_goes_on_without_a_seam(undisturbed, tmp_path, monkeypatch, last_checkpoint):
    save_for_real = Watcher.save

    def save_until_then(watcher):
        if watcher.session.steps == last_checkpoint:
            save_for_real(watcher)

    def step_or_die(watcher):
        if watcher.session.steps > last_checkpoint + 600:
            raise KilledError
        return True

    with monkeypatch.context() as patch:
        patch.setattr(Watcher, "save", save_until_then)
        patch.setattr(Watcher, "_on_step", step_or_die)
        config = Config.from_mapping({**vars(SMALL), "checkpoint_seconds": 1e-9})
        killed = last_checkpoint < SMALL.steps
        with pytest.raises(KilledError) if killed else contextlib.nullcontext():
            train(config, tmp_path / "run")
    run = resume(tmp_path / "run")
    assert [start["at_step"] for start in run.facts()["starts"]] == [0, last_checkpoint]
    assert_same_end(undisturbed, run)


def start_in_a_process(directory, tmp_path):
    """`tsuro train` of a run too long to end by itself, once it has been evaluated."""
    config = tmp_path / "config.yaml"
    changed = {**vars(SMALL), "steps": 10**9, "evaluations": 10**5, "checkpoint_seconds": 0.01}
    config.write_text(Config.from_mapping(changed).to_yaml())
    process = subprocess.Popen(
        [sys.executable, "-m", "tsuro_cli", "train", "--config", config, "-o", directory],
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not (directory / "progress.csv").exists():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process


def test_a_checkpoint_or_model_of_another_format_is_refused(tmp_path):
    for state in ({"network": {}}, {"network": {}, "format": FORMAT - 1}):
        torch.save(state, tmp_path / "best.pt")
        with pytest.raises(ConfigError, match=f"reads format {FORMAT}"):
            load(tmp_path / "best.pt")


def test_ctrl_c_saves_and_ends_in_good_order(tmp_path):
    directory = tmp_path / "run"
    process = start_in_a_process(directory, tmp_path)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "stopping after this update" in errors
    assert load(directory / "checkpoint.pt")["steps"] > 0


def test_kill_9_leaves_a_checkpoint_that_can_be_read(tmp_path):
    directory = tmp_path / "run"
    process = start_in_a_process(directory, tmp_path)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    session = Session(Config.from_yaml(directory / "config.yaml"))
    session.load_state(load(directory / "checkpoint.pt"))
    assert session.steps > 0
    assert session.steps % session.rollout_steps == 0


def test_a_directory_that_holds_a_run_is_not_trained_over(undisturbed):
    with pytest.raises(ConfigError, match="already holds a run"):
        train(SMALL, undisturbed.path)


def test_only_a_run_can_be_resumed(tmp_path):
    with pytest.raises(ConfigError, match="holds no run"):
        resume(tmp_path)


def test_a_checkpoint_with_code_in_it_is_refused_and_not_run(tmp_path):
    save(tmp_path / "checkpoint.pt", {"steps": Trap(tmp_path / "sprung")})
    with pytest.raises(Exception, match="Weights only load failed"):
        load(tmp_path / "checkpoint.pt")
    assert not (tmp_path / "sprung").exists()


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_a_best_response_reports_how_far_the_frozen_player_can_be_beaten(tmp_path, monkeypatch):
    monkeypatch.setattr("training.runs.BEST_RESPONSE_GAMES", 600)
    changed = {**vars(SMALL), "num_players": 2, "against": "random", "steps": 16384}
    changed |= {"width": 32, "epochs": 4}  # enough to learn something
    run = train(Config.from_mapping(changed), tmp_path / "run")
    result = json.loads((run.path / "best_response.json").read_text(encoding="utf-8"))
    assert result["against"] == "random"
    assert result["fair_share"] == 0.5
    low = result["share"] - result["margin"] - 0.5
    assert result["exploitable_by_at_least"] == pytest.approx(max(0.0, low))
    assert result["share"] > 0.5
    assert set(run.progress()[0]) >= {"random", "random ±"}


def test_a_convolutional_network_trains_on_planes(tmp_path):
    changed = {**vars(SMALL), "observation": "planes", "board_size": 6, "steps": 512}
    run = train(Config.from_mapping(changed), tmp_path / "run")
    assert len(run.progress()) == 1
