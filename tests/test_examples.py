"""The examples run, and show what they promise."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
IN_ENVIRONMENTS_OF_THEIR_OWN = {"torchrl_collect", "tianshou_collect", "rllib_train"}


def output_of(name: str, folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-W", "error::DeprecationWarning:__main__", EXAMPLES / f"{name}.py"]
    done = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_is_a_test_for_every_example():
    tested = set(re.findall(r'output_of\("(\w+)"', Path(__file__).read_text()))
    assert {path.stem for path in EXAMPLES.glob("*.py")} == tested | IN_ENVIRONMENTS_OF_THEIR_OWN


def test_random_agents_play_a_game_to_its_end(tmp_path):
    text = output_of("random_agents", tmp_path)
    rewards = [float(number) for number in re.findall(r"player_\d gets ([+-][\d.]+)", text)]
    assert len(rewards) == 4
    assert sum(rewards) == pytest.approx(0, abs=0.02)
    assert "rank 1" in text


def test_a_random_learner_plays_ten_episodes(tmp_path):
    text = output_of("random_gymnasium", tmp_path)
    assert [int(seat) for seat in re.findall(r"seat (\d)", text)] == [i % 4 for i in range(10)]


def test_a_thousand_games_are_played_at_once(tmp_path):
    share = float(re.search(r"([\d.]+)% won", output_of("random_vector", tmp_path))[1])
    assert 20 < share < 40


def test_a_custom_player_beats_random_ones(tmp_path):
    wins = int(re.search(r"wins (\d+) of 100", output_of("custom_player", tmp_path))[1])
    assert wins > 35


def test_a_custom_rule_checker_changes_the_masks(tmp_path):
    text = output_of("custom_rule_checker", tmp_path)
    assert "usual rules: 208 places" in text
    assert "no corners: 192 places" in text
    assert "illegal" in text


def test_maskable_ppo_trains_on_the_gymnasium_environment(tmp_path):
    text = output_of("train_sb3", tmp_path, "2048")
    assert re.search(r"mean reward: .* before, .* after 2,048 steps", text)
