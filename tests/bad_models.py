"""Model files that must be refused, and the good one that they are made from.

`BAD_MODELS` maps a name to a function that makes the bytes of such a file, and to the words that
the refusal has to contain.
"""

import json
from collections.abc import Callable

import numpy as np
import onnx
from onnx import ModelProto, TensorProto, helper, numpy_helper

from agents.model_info import ModelInfo
from tsuro_env import Rules
from tsuro_env.encodings import encoding_of

INFO = ModelInfo.of(Rules.boxed(), 2, encoding_of("options"), {"steps": 0})
INPUTS = INFO.observation_shape[0]
ACTIONS = INFO.rules.num_actions


def good_model(info: ModelInfo = INFO) -> ModelProto:
    """One layer: logits = observations @ weights."""
    weights = np.random.default_rng(0).normal(size=(INPUTS, ACTIONS)).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["observations", "weights"], ["logits"])],
        "net",
        [helper.make_tensor_value_info("observations", TensorProto.FLOAT, ["batch", INPUTS])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", ACTIONS])],
        [numpy_helper.from_array(weights, "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    helper.set_model_props(model, info.to_properties())
    return model


def good_bytes() -> bytes:
    return good_model().SerializeToString()


def changed(change: Callable[[ModelProto], object]) -> Callable[[], bytes]:
    """The good model after a change."""

    def make() -> bytes:
        model = good_model()
        change(model)
        return model.SerializeToString()

    return make


def with_metadata(key: str, value: str) -> Callable[[], bytes]:
    def change(model: ModelProto) -> None:
        properties = {**INFO.to_properties(), key: value}
        helper.set_model_props(model, properties)

    return changed(change)


def weights(model: ModelProto) -> TensorProto:
    return model.graph.initializer[0]


def external(location: str) -> Callable[[], bytes]:
    def change(model: ModelProto) -> None:
        tensor = weights(model)
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value=location)

    return changed(change)


def add_before(*nodes: onnx.NodeProto, **constants: np.ndarray) -> Callable[[], bytes]:
    """Nodes that hand `extra` on to the good one; they may read `observations` and constants."""

    def change(model: ModelProto) -> None:
        model.graph.initializer.extend(
            numpy_helper.from_array(array, name) for name, array in constants.items()
        )
        old = list(model.graph.node)
        old[0].input[0] = "extra"
        del model.graph.node[:]
        model.graph.node.extend([*nodes, *old])

    return changed(change)


def node(kind: str, *inputs: str, output: str = "extra", **attributes: object) -> onnx.NodeProto:
    return helper.make_node(kind, list(inputs), [output], **attributes)


def endless_loop() -> bytes:
    body = helper.make_graph(
        [helper.make_node("Identity", ["going_in"], ["going_out"])],
        "body",
        [
            helper.make_tensor_value_info("turn", TensorProto.INT64, []),
            helper.make_tensor_value_info("going_in", TensorProto.BOOL, []),
        ],
        [helper.make_tensor_value_info("going_out", TensorProto.BOOL, [])],
    )
    loop = helper.make_node("Loop", ["", "true"], [], body=body)
    identity = node("Identity", "observations")
    return add_before(loop, identity, true=np.array(True))()


def branch() -> bytes:
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, None)
    body = helper.make_graph([node("Identity", "observations", output="x")], "body", [], [value])
    choice = node("If", "true", then_branch=body, else_branch=body)
    return add_before(choice, true=np.array(True))()


def graph_in_an_attribute() -> bytes:
    body = helper.make_graph([], "body", [], [])
    return add_before(node("Relu", "observations", body=body))()


def foreign_operator() -> bytes:
    return add_before(helper.make_node("Relu", ["observations"], ["extra"], domain="evil"))()


def functions(model: ModelProto) -> None:
    relu = node("Relu", "x", output="y")
    opset = [helper.make_opsetid("", 20)]
    model.functions.append(helper.make_function("", "Mine", ["x"], ["y"], [relu], opset))


def giant_allocation() -> bytes:
    """A few bytes that ask for 8 GB: a sum over an outer product of outer products."""
    nodes = [
        node("Unsqueeze", "long", "first", output="column"),
        node("Mul", "column", "long", output="square"),
        node("ReduceSum", "square", output="sum", keepdims=0),
        node("Add", "observations", "sum"),
    ]
    long = np.ones(46_000, dtype=np.float32)
    return add_before(*nodes, long=long, first=np.array([1]))()


def giant_fill() -> bytes:
    nodes = [
        node("ConstantOfShape", "shape", output="zeros"),
        node("ReduceSum", "zeros", output="sum", keepdims=0),
        node("Add", "observations", "sum"),
    ]
    return add_before(*nodes, shape=np.array([1 << 31]))()


def endless_work() -> bytes:
    """Small tensors, but more multiplications than anybody waits for."""
    side = 2000
    nodes = [node("MatMul", "observations", "widen", output="x0")]
    nodes += [node("MatMul", f"x{i}", "square", output=f"x{i + 1}") for i in range(400)]
    nodes += [node("MatMul", "x400", "narrow")]
    return add_before(
        *nodes,
        widen=np.zeros((INPUTS, side), dtype=np.float32),
        square=np.zeros((side, side), dtype=np.float32),
        narrow=np.zeros((side, INPUTS), dtype=np.float32),
    )()


def quadratic_in_the_batch() -> bytes:
    """Harmless for one position, 500 MB for a batch: rows times rows times rows."""
    nodes = [
        node("ReduceSum", "observations", "one", output="column", keepdims=1),
        node("Transpose", "column", output="row"),
        node("MatMul", "column", "row", output="square"),
        node("Unsqueeze", "square", "two", output="slab"),
        node("Mul", "slab", "row", output="cube"),
        node("ReduceSum", "cube", output="sum", keepdims=0),
        node("Add", "observations", "sum"),
    ]
    return add_before(*nodes, one=np.array([1]), two=np.array([2]))()


def too_many_parts() -> bytes:
    """Two bytes a node in the file, a hundred in memory."""
    graph = b"\x0a\x00" * 8_000_000
    return b"\x08\x0a" + b"\x3a" + _varint(len(graph)) + graph


def _varint(number: int) -> bytes:
    digits = []
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes([*digits, number])


def too_complicated(model: ModelProto) -> None:
    model.doc_string = "x" * (2 << 20)


def not_a_number(model: ModelProto) -> None:
    array = numpy_helper.to_array(weights(model)).copy()
    array[3, 5] = np.nan
    weights(model).raw_data = array.tobytes()


def wrong_input(model: ModelProto) -> None:
    model.graph.input[0].type.tensor_type.shape.dim[1].dim_value = INPUTS + 1


def wrong_output(model: ModelProto) -> None:
    model.graph.output[0].type.tensor_type.shape.dim[1].dim_value = ACTIONS - 1


def untrue_output(model: ModelProto) -> None:
    """The declared shapes are right, the weights are not."""
    weights(model).CopyFrom(numpy_helper.from_array(np.zeros((INPUTS, 7), np.float32), "weights"))


def fixed_batch(model: ModelProto) -> None:
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 1


def doubles(model: ModelProto) -> None:
    model.graph.input[0].type.tensor_type.elem_type = TensorProto.DOUBLE


def renamed(model: ModelProto) -> None:
    model.graph.node[0].output[0] = model.graph.output[0].name = "answer"


def claim_more_than_there_is(model: ModelProto) -> None:
    weights(model).dims[0] = 1 << 15


def claim_a_giant(model: ModelProto) -> None:
    weights(model).dims[0] = 1 << 40


def text_weights(model: ModelProto) -> None:
    weights(model).data_type = TensorProto.STRING


def sparse(model: ModelProto) -> None:
    model.graph.sparse_initializer.add()


def training_graphs(model: ModelProto) -> None:
    model.training_info.add()


def new_operator_set(model: ModelProto) -> None:
    model.opset_import[0].version = 99


def foreign_operator_set(model: ModelProto) -> None:
    model.opset_import.append(helper.make_opsetid("evil.org", 1))


def no_graph(model: ModelProto) -> None:
    model.ClearField("graph")


def no_metadata(model: ModelProto) -> None:
    del model.metadata_props[:]


BAD_MODELS: dict[str, tuple[Callable[[], bytes], str]] = {
    "not_onnx": (lambda: b"hello, I am a net\n" * 100, "not an ONNX file"),
    "empty": (lambda: b"", "not an ONNX file"),
    "pickle": (lambda: b"\x80\x04\x95\x05\x00", "not an ONNX file"),
    "truncated": (lambda: good_bytes()[:-1000], "cut short or damaged"),
    "truncated_early": (lambda: good_bytes()[:40], "cut short or damaged"),
    "no_graph": (changed(no_graph), "without a graph"),
    "too_large": (lambda: good_bytes() + bytes(33 << 20), "larger than 32 MB"),
    "too_complicated": (changed(too_complicated), "bytes that are not weights"),
    "too_many_parts": (too_many_parts, "a graph of too many parts"),
    "external_data": (external("weights.bin"), "in another file: weights.bin"),
    "path_traversal": (external("../../../etc/passwd"), "in another file: ../../../etc/passwd"),
    "unknown_operator": (add_before(node("Mystery", "observations")), "Mystery is not allowed"),
    "random_operator": (add_before(node("RandomUniformLike", "observations")), "not allowed"),
    "foreign_operator": (foreign_operator, "comes from elsewhere: 'evil'"),
    "foreign_operator_set": (changed(foreign_operator_set), "domain 'evil.org'"),
    "new_operator_set": (changed(new_operator_set), "operator set 99"),
    "functions": (changed(functions), "functions of its own"),
    "training_graphs": (changed(training_graphs), "graphs for training"),
    "endless_loop": (endless_loop, "Loop is not allowed"),
    "branch": (branch, "If is not allowed"),
    "graph_in_an_attribute": (graph_in_an_attribute, "has a graph inside"),
    "giant_fill": (giant_fill, "ConstantOfShape is not allowed"),
    "giant_allocation": (giant_allocation, "would make a tensor of (46000, 46000)"),
    "quadratic_in_the_batch": (quadratic_in_the_batch, "would make a tensor of"),
    "endless_work": (endless_work, "multiplications for one position"),
    "nan_weights": (changed(not_a_number), "infinite or not a number"),
    "text_weights": (changed(text_weights), "numbers of type STRING"),
    "sparse_weights": (changed(sparse), "sparse weights"),
    "short_weights": (changed(claim_more_than_there_is), "does not fit its shape"),
    "giant_weights": (changed(claim_a_giant), "claims the shape"),
    "wrong_input": (changed(wrong_input), "observations has the shape"),
    "wrong_output": (changed(wrong_output), "logits has the shape"),
    "untrue_output": (changed(untrue_output), "logits comes out in the shape"),
    "fixed_batch": (changed(fixed_batch), "observations has the shape (1,"),
    "doubles": (changed(doubles), "not of 32-bit floats"),
    "renamed": (changed(renamed), "its input and outputs are"),
    "no_metadata": (changed(no_metadata), "no tsuro metadata"),
    "wrong_rules": (
        with_metadata("tsuro.rules", '{"name": "house"}'),
        "its metadata is damaged: RulesError",
    ),
    "other_rules": (
        with_metadata("tsuro.rules", json.dumps(Rules.course(6).to_json())),
        "course on 6×6 with 2 players needs",
    ),
    "other_players": (with_metadata("tsuro.num_players", "3"), "with 3 players needs"),
    "no_players": (with_metadata("tsuro.num_players", "none"), "its metadata is damaged"),
    "other_observation": (with_metadata("tsuro.observation", "smells"), "observation 'smells'"),
    "old_observation": (
        with_metadata("tsuro.observation_version", "0"),
        "version 0 of the observation 'options'",
    ),
    "old_actions": (with_metadata("tsuro.actions_version", "0"), "version 0 of the actions"),
    "new_metadata": (with_metadata("tsuro.format", "2"), "version 2 of the metadata"),
    "deep_metadata": (with_metadata("tsuro.training", "[" * 100_000), "its metadata is damaged"),
}  # fmt: skip
