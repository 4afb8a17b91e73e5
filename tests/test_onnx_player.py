"""Playing model files."""

import subprocess
import sys

import numpy as np
import pytest
from onnx import numpy_helper

from agents.logits_player import (
    LogitsError,
    LogitsPlayer,
    best_actions,
    drawn_actions,
    unit_numbers,
)
from agents.model_info import ModelMismatchError
from agents.onnx_player import OnnxPlayer
from tests.bad_models import ACTIONS, INFO, good_model
from tsuro_env import GameBatch, Referee
from tsuro_env.engine.state import NOTHING

EVERY = np.arange(300)


@pytest.fixture(scope="module")
def model_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "good.onnx"
    path.write_bytes(good_model().SerializeToString())
    return path


def some_games(moves, rules=INFO.rules, num_players=INFO.num_players):
    games = GameBatch(len(EVERY), rules, num_players, seed=2)
    for _ in range(moves):
        games.step(games.random_actions())
    return games


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_model_chooses_legal_moves_and_the_same_alone_as_in_a_batch(model_file, temperature):
    player = OnnxPlayer(model_file, temperature=temperature, seed=4)
    for moves in (0, 1, 2, 5, 9):
        games = some_games(moves)
        actions = player.choose(games, EVERY)
        assert games.legal_actions()[EVERY, actions].all()
        alone = [player.choose(games, EVERY[row : row + 1])[0] for row in range(50)]
        assert actions[:50].tolist() == alone


def test_more_games_than_the_largest_batch_are_chosen_the_same(model_file, monkeypatch):
    player = OnnxPlayer(model_file)
    games = some_games(7)
    expected = player.choose(games, EVERY)
    monkeypatch.setattr("agents.onnx_player.LARGEST_BATCH", 7)
    assert (player.choose(games, EVERY) == expected).all()


def test_a_model_plays_for_a_referee(model_file):
    players = [OnnxPlayer(model_file), OnnxPlayer(model_file, temperature=2.0, seed=1)]
    referee = Referee(None, players, rules=INFO.rules, seed=3)
    ranking = referee.start_game()
    assert not referee.cheaters
    assert sum(len(rank) for rank in ranking) == 2


def test_a_model_that_is_asked_about_another_game_says_so(model_file):
    player = OnnxPlayer(model_file)
    games = some_games(0, "course", 4)
    expected = "plays boxed on 6×6 with 2 players, it was asked about course on 10×10 with 4"
    with pytest.raises(ModelMismatchError, match=expected):
        player.choose(games, EVERY)


def test_logits_that_are_no_numbers_are_an_error_and_no_choice(tmp_path):
    model = good_model()
    weights = model.graph.initializer[0]
    huge = np.full(numpy_helper.to_array(weights).shape, 3e38, dtype=np.float32)
    weights.raw_data = huge.tobytes()
    (tmp_path / "huge.onnx").write_bytes(model.SerializeToString())
    player = OnnxPlayer(tmp_path / "huge.onnx")
    with pytest.raises(LogitsError, match="infinite or no number"):
        player.choose(some_games(9), EVERY)


@pytest.mark.parametrize("temperature", [-1.0, float("nan"), float("inf")])
def test_a_temperature_is_a_number_from_zero_on(model_file, temperature):
    with pytest.raises(LogitsError, match="temperature"):
        OnnxPlayer(model_file, temperature=temperature)


def test_the_best_action_is_the_first_of_those_that_are_as_good():
    logits = np.array([[3.0, 1.0, 1.00001, 2.0], [0.0, 5.0, 5.00001, 5.00005]], dtype=np.float32)
    legal = np.array([[False, True, True, False], [True, True, True, True]])
    assert best_actions(logits, legal).tolist() == [1, 1]


def test_drawn_actions_follow_the_softmax_of_what_is_legal():
    logits = np.log(np.array([[0.5, 0.2, 0.3, 9.0]], dtype=np.float32)).repeat(20_000, axis=0)
    legal = np.array([[True, True, True, False]]).repeat(20_000, axis=0)
    words = np.random.default_rng(0).integers(2**64, size=20_000, dtype=np.uint64)
    shares = np.bincount(drawn_actions(logits, legal, unit_numbers(words)), minlength=4) / 20_000
    assert shares == pytest.approx([0.5, 0.2, 0.3, 0.0], abs=0.015)


def test_the_extreme_random_words_draw_legal_actions():
    logits = np.zeros((2, 4), dtype=np.float32)
    legal = np.array([[False, True, True, False]] * 2)
    words = np.array([0, 2**64 - 1], dtype=np.uint64)
    assert drawn_actions(logits, legal, unit_numbers(words)).tolist() == [1, 2]


def test_of_rotations_that_look_the_same_the_smallest_is_chosen():
    class Backwards(LogitsPlayer):
        """Likes the last action best."""

        def logits(self, observations):
            numbers = np.arange(ACTIONS, dtype=np.float32)
            return numbers[None].repeat(len(observations), axis=0)

    games = some_games(10)
    actions = Backwards(INFO.encoding).choose(games, EVERY)
    unique = GameBatch(len(EVERY), INFO.rules, INFO.num_players, unique_rotations=True)
    unique.state.game[...] = games.state.game
    unique.state.seats[...] = games.state.seats
    legal = unique.legal_actions()
    assert (games.to_move != NOTHING).all()
    assert legal[EVERY, actions].all()
    assert (legal < games.legal_actions()).any()


def test_a_model_is_played_without_torch_being_installed(model_file):
    program = """
import sys
class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch", "stable_baselines3", "sb3_contrib"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, NoTorch())
from agents.onnx_player import OnnxPlayer
from tsuro_env import Referee
players = [OnnxPlayer(sys.argv[1]), OnnxPlayer(sys.argv[1])]
referee = Referee(None, players, rules="boxed", seed=3)
assert referee.start_game() and not referee.cheaters
print("played")
"""
    answer = subprocess.run(
        [sys.executable, "-c", program, model_file], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "played\n"
