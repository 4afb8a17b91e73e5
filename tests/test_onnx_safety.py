"""Model files from strangers: what is refused, in which words, and at what cost."""

import json
import subprocess
import sys
import time

import numpy as np
import onnx
import pytest
from onnx import helper

from agents.model_info import ModelError, ModelMismatchError
from agents.onnx_safety import check_model, read_model
from tests.bad_models import ACTIONS, BAD_MODELS, INFO, good_bytes, good_model
from tsuro_env import Rules


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of bad files."""
    folder = tmp_path_factory.mktemp("bad_models")
    for name, (make, _) in BAD_MODELS.items():
        (folder / f"{name}.onnx").write_bytes(make())
    return folder


def test_the_good_model_passes(tmp_path):
    path = tmp_path / "good.onnx"
    path.write_bytes(good_bytes())
    content, info = read_model(path)
    assert content == good_bytes()
    assert info == INFO


@pytest.mark.parametrize("name", BAD_MODELS)
def test_a_bad_file_is_refused_in_its_own_words_within_a_second(folder, name):
    path = folder / f"{name}.onnx"
    started = time.perf_counter()
    with pytest.raises(ModelError) as caught:
        read_model(path)
    assert time.perf_counter() - started < 1
    assert str(path) in str(caught.value)
    assert BAD_MODELS[name][1] in str(caught.value)


def test_all_bad_files_together_take_less_than_500_mb(folder):
    program = r"""
import json, re, sys
from pathlib import Path
from agents.model_info import ModelError
from agents.onnx_player import OnnxPlayer
refused = 0
for path in sorted(Path(sys.argv[1]).iterdir()):
    try:
        OnnxPlayer(path)
    except ModelError:
        refused += 1
# Not getrusage: on Linux that begins with what the process that started this one used.
peak = int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])
print(json.dumps({"refused": refused, "megabytes": peak / 1024, "torch": "torch" in sys.modules}))
"""
    answer = subprocess.run(
        [sys.executable, "-c", program, folder], capture_output=True, text=True, check=True
    )
    result = json.loads(answer.stdout)
    assert result["refused"] == len(BAD_MODELS)
    assert result["megabytes"] < 500
    assert not result["torch"]


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ModelError, match="there is no such file"):
        read_model(tmp_path / "nowhere.onnx")
    with pytest.raises(ModelError, match="there is no such file"):
        read_model(tmp_path)


def test_a_model_may_have_a_value_as_second_output_and_nothing_else():
    for name, fine in (("value", True), ("secret", False)):
        model = good_model()
        pick = onnx.numpy_helper.from_array(np.array(0), "pick")
        model.graph.initializer.append(pick)
        model.graph.node.append(helper.make_node("Gather", ["logits", "pick"], [name], axis=1))
        model.graph.output.append(
            helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["batch"])
        )
        if fine:
            assert check_model(model.SerializeToString()) == INFO
        else:
            with pytest.raises(ModelError, match="its input and outputs are"):
                check_model(model.SerializeToString())


def test_changing_any_single_byte_never_does_worse_than_a_refusal():
    content = good_bytes()
    for at in (*range(200), *range(len(content) - 400, len(content))):
        damaged = bytearray(content)
        damaged[at] ^= 0x41
        try:
            info = check_model(bytes(damaged))
        except ModelError:
            continue
        assert info.rules.num_actions == ACTIONS


def test_a_model_for_another_game_says_which_game_it_is_for():
    with pytest.raises(ModelMismatchError, match="plays boxed on 6×6 with 2 players, it was asked"):
        INFO.check_game(Rules.course(), 4)
    INFO.check_game(Rules.boxed(), 2)
