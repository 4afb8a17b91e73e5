"""The programs in the documentation of training run as they are printed."""

import re
from pathlib import Path

import pytest

from agents.onnx_player import OnnxPlayer
from tsuro_cli.main import main
from tsuro_env import Rules

DOCS = Path(__file__).parent.parent / "docs"


def programs(page):
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


def run(program):
    exec(compile(program, "documentation", "exec"), {"__name__": "documentation"})


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_reinforce_program_makes_a_model_that_plays(elsewhere):
    run(programs("own_algorithm.md")[0])
    assert OnnxPlayer("reinforce.onnx").info.rules == Rules.boxed()


@pytest.mark.filterwarnings("ignore::UserWarning")  # Stable-Baselines3 on spaces and devices
def test_the_stable_baselines3_program_makes_a_zip_that_can_be_exported(elsewhere):
    run(programs("own_algorithm.md")[1])
    command = next(
        line.split()[1:]
        for line in (DOCS / "own_algorithm.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("tsuro export")
    )
    assert main(command) == 0
    assert OnnxPlayer("mine.onnx").info.num_players == 2


def test_the_python_way_to_train_works_as_printed_but_shorter(elsewhere):
    (program,) = programs("training.md")
    shorter = program.replace(
        "steps=50_000", "steps=4096, games=64, batch=256, panel_games=40, evaluations=1"
    )
    assert shorter != program
    run(shorter)
    assert OnnxPlayer("two-players.onnx").info.rules == Rules.course()
