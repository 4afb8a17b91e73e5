"""Reading model files that strangers made: `read_model`.

Nothing of a file is run before all of it has been judged: its size, that it is whole, that its
operators are on a short list without loops, branches or code from elsewhere, that all data is in
the file and finite, that its input and output fit the game that it names, and how much memory and
work every operator can ask for. Whatever is wrong has its own sentence.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto

from agents.model_info import ModelError, ModelInfo

INPUT = "observations"
LOGITS = "logits"
VALUE = "value"
"""The second output, which a model may have: what it expects to be paid at the end."""

LARGEST_BATCH = 1024
"""No model is ever asked about more positions at a time."""
MAX_BYTES = 32 << 20
MAX_STRUCTURE = 1 << 20
"""Bytes of the file that are not weights."""
MAX_NODES = 1000
MAX_ELEMENTS = 32 << 20
"""Numbers in any tensor at the largest batch."""
MAX_WORK = 1 << 29
"""Multiplications for one position."""
OPSETS = range(13, 27)

OPERATORS = frozenset(
    [
        *("Add", "Sub", "Mul", "Div", "Max", "Min", "Exp", "Sqrt", "Clip", "Abs"),
        *("Gemm", "MatMul", "Conv", "BatchNormalization", "LayerNormalization"),
        *("Relu", "LeakyRelu", "Elu", "Gelu", "Tanh", "Sigmoid", "Softmax", "LogSoftmax"),
        *("ReduceSum", "ReduceMean", "ReduceMax"),
        *("Concat", "Slice", "Split", "Gather", "Transpose", "Cast", "Identity", "Constant"),
        *("Reshape", "Flatten", "Squeeze", "Unsqueeze"),
    ]
)
"""What a net needs. Nothing that loops, branches, draws numbers, or makes a tensor of a size that
is computed (Expand, Tile, Range, ConstantOfShape)."""

DTYPES = frozenset(
    (
        TensorProto.FLOAT,
        TensorProto.INT64,
        TensorProto.INT32,
        TensorProto.INT8,
        TensorProto.UINT8,
        TensorProto.BOOL,
    )
)
SUBGRAPHS = (AttributeProto.GRAPH, AttributeProto.GRAPHS)
PLAIN_ATTRIBUTES = (
    AttributeProto.FLOAT,
    AttributeProto.FLOATS,
    AttributeProto.INT,
    AttributeProto.INTS,
    AttributeProto.STRING,
    AttributeProto.STRINGS,
    AttributeProto.TENSOR,
)


class UnsafeModelError(ModelError):
    """A file that might harm whoever runs it, or that is no model at all."""


def read_model(path: str | Path) -> tuple[bytes, ModelInfo]:
    """The bytes of a model file that is safe to run, and what it says about itself."""
    try:
        content = _read(Path(path))
        return content, check_model(content)
    except ModelError as error:
        raise type(error)(f"{path}: {error}") from error


def check_model(content: bytes) -> ModelInfo:
    """Raise a `ModelError` unless these bytes are a model that is safe to run."""
    model = _parse(content)
    _check_frame(model)
    for tensor in _tensors(model.graph):
        _check_tensor(tensor)
    info = ModelInfo.from_properties({p.key: p.value for p in model.metadata_props})
    _check_interface(model.graph, info)
    _check_cost(model, info)
    return info


def has_value(content: bytes) -> bool:
    """Whether a checked model has the second output."""
    return any(output.name == VALUE for output in onnx.load_model_from_string(content).graph.output)


# ------------------------------------------------------------------------------ bytes to message


def _read(path: Path) -> bytes:
    if not path.is_file():
        raise UnsafeModelError("there is no such file")
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise UnsafeModelError(f"larger than {MAX_BYTES >> 20} MB")
    return content


def _parse(content: bytes) -> ModelProto:
    if not content.startswith(b"\x08"):  # the field that every ONNX file begins with
        raise UnsafeModelError("not an ONNX file")
    try:
        structure = len(content) - _bytes_of_weights(content)
        if structure > MAX_STRUCTURE:
            raise UnsafeModelError(f"{structure} bytes that are not weights: too complicated")
        model = onnx.load_model_from_string(content)
    except (DecodeError, IndexError) as error:
        raise UnsafeModelError("cut short or damaged: not a whole ONNX file") from error
    if not model.graph.node:
        raise UnsafeModelError("an ONNX file without a graph")
    return model


def _bytes_of_weights(content: bytes) -> int:
    """How much of the file is raw data of initialisers.

    Looked up without parsing the rest: a message of millions of tiny parts takes fifty times its
    bytes in memory.
    """
    graph, initializer, raw_data = 7, 5, 9
    total = 0
    for field, start, end in _fields(content, 0, len(content)):
        if field == graph:
            for part, first, last in _fields(content, start, end):
                if part == initializer:
                    tensor = _fields(content, first, last)
                    total += sum(stop - begin for f, begin, stop in tensor if f == raw_data)
    return total


def _fields(content: bytes, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The fields of a protobuf message that have a length: number, first byte, end."""
    count = 0
    while at < end:
        count += 1
        if count > 20 * MAX_NODES:
            raise UnsafeModelError("a graph of too many parts")
        tag, at = _varint(content, at)
        kind = tag & 7
        if kind == 0:
            _, at = _varint(content, at)
        elif kind == 2:
            length, at = _varint(content, at)
            yield tag >> 3, at, at + length
            at += length
        elif kind in (1, 5):
            at += 8 if kind == 1 else 4
        else:
            raise IndexError("no such kind of field")
    if at > end:
        raise IndexError("a field goes on past its message")


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = content[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise IndexError("a number without an end")


# ----------------------------------------------------------------------------------- what it does


def _check_frame(model: ModelProto) -> None:
    """The operators, and where they come from."""
    for opset in model.opset_import:
        if opset.domain not in ("", "ai.onnx"):
            raise UnsafeModelError(f"it uses operators from elsewhere: domain {opset.domain!r}")
        if opset.version not in OPSETS:
            raise UnsafeModelError(
                f"operator set {opset.version}; known are {OPSETS.start} to {OPSETS.stop - 1}"
            )
    if model.functions:
        raise UnsafeModelError("it defines functions of its own")
    if model.training_info:
        raise UnsafeModelError("it brings graphs for training")
    graph = model.graph
    if graph.sparse_initializer:
        raise UnsafeModelError("it has sparse weights")
    if len(graph.node) > MAX_NODES:
        raise UnsafeModelError(f"{len(graph.node)} operators; at most {MAX_NODES} are allowed")
    for node in graph.node:
        _check_node(node)


def _check_node(node: NodeProto) -> None:
    if node.domain not in ("", "ai.onnx"):
        raise UnsafeModelError(f"operator {node.op_type} comes from elsewhere: {node.domain!r}")
    if node.op_type not in OPERATORS:
        raise UnsafeModelError(f"operator {node.op_type} is not allowed")
    for attribute in node.attribute:
        if attribute.type in SUBGRAPHS:
            raise UnsafeModelError(f"operator {node.op_type} has a graph inside")
        if attribute.type not in PLAIN_ATTRIBUTES or attribute.ref_attr_name:
            raise UnsafeModelError(f"operator {node.op_type} has an odd {attribute.name!r}")


def _tensors(graph: GraphProto) -> Iterator[TensorProto]:
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == AttributeProto.TENSOR:
                yield attribute.t


def _check_tensor(tensor: TensorProto) -> None:
    """Its data is here, as much as it says, and finite."""
    name = tensor.name or "a constant"
    if tensor.external_data or tensor.data_location == TensorProto.EXTERNAL:
        places = [entry.value for entry in tensor.external_data if entry.key == "location"]
        raise UnsafeModelError(f"the data of {name} is in another file: {', '.join(places)}")
    if tensor.data_type not in DTYPES:
        kinds = {number: kind for kind, number in TensorProto.DataType.items()}
        kind = kinds.get(tensor.data_type, "unknown")
        raise UnsafeModelError(f"{name} has numbers of type {kind}")
    if any(size < 0 for size in tensor.dims) or math.prod(tensor.dims) > MAX_BYTES:
        raise UnsafeModelError(f"{name} claims the shape {list(tensor.dims)}")
    try:
        array = onnx.numpy_helper.to_array(tensor)
    except Exception as error:  # whatever a damaged tensor makes the library raise
        raise UnsafeModelError(f"{name} is damaged: its data does not fit its shape") from error
    if not np.isfinite(array).all():
        raise UnsafeModelError(f"{name} has weights that are infinite or not a number")


# -------------------------------------------------------------------------------- what it costs


def _check_interface(graph: GraphProto, info: ModelInfo) -> None:
    """One input and one or two outputs, of the right names, types and shapes."""
    weights = {tensor.name for tensor in graph.initializer}
    inputs = [value for value in graph.input if value.name not in weights]
    expected = {INPUT: info.observation_shape, LOGITS: (info.rules.num_actions,), VALUE: ()}
    names = [value.name for value in (*inputs, *graph.output)]
    if names not in ([INPUT, LOGITS], [INPUT, LOGITS, VALUE]):
        raise UnsafeModelError(f"its input and outputs are {names}, not {[INPUT, LOGITS]}")
    for value in (*inputs, *graph.output):
        kind = value.type.tensor_type
        if kind.elem_type != TensorProto.FLOAT:
            raise UnsafeModelError(f"{value.name} is not of 32-bit floats")
        found = tuple(dim.dim_value if dim.HasField("dim_value") else -1 for dim in kind.shape.dim)
        if found[:1] != (-1,) or found[1:] != expected[value.name]:
            wanted = ("batch", *expected[value.name])
            shape = tuple("?" if size < 0 else size for size in found)
            raise UnsafeModelError(
                f"{value.name} has the shape {shape}; {info.game} needs {wanted}"
            )


def _check_cost(model: ModelProto, info: ModelInfo) -> None:
    """The size of every tensor, and the work of every operator, at the largest batch."""
    shapes = _shapes(model, info)
    work = 0
    for node in model.graph.node:
        for output in node.output:
            if output and output not in shapes:
                raise UnsafeModelError(f"operator {node.op_type}: the size of {output} is unknown")
            if math.prod(shapes.get(output, ())) > MAX_ELEMENTS:
                raise UnsafeModelError(
                    f"operator {node.op_type} would make a tensor of {shapes[output]}"
                )
        work += _work(node, shapes)
    if work > MAX_WORK * LARGEST_BATCH:
        raise UnsafeModelError(f"{work // LARGEST_BATCH} multiplications for one position")


def _shapes(model: ModelProto, info: ModelInfo) -> dict[str, tuple[int, ...]]:
    """The shapes of all tensors for a batch of the largest size, as the operators make them."""
    fixed = ModelProto()
    fixed.CopyFrom(model)
    graph = fixed.graph
    del graph.value_info[:]
    for value in graph.output:
        value.type.tensor_type.ClearField("shape")
    for value in graph.input:
        if value.name == INPUT:
            value.type.tensor_type.shape.dim[0].dim_value = LARGEST_BATCH
    try:
        onnx.checker.check_model(model)
        inferred = onnx.shape_inference.infer_shapes(
            fixed, check_type=True, strict_mode=True, data_prop=True
        ).graph
    except Exception as error:  # the library's errors have no common base
        reason = str(error).strip().splitlines()[0]
        raise UnsafeModelError(f"its operators do not fit together: {reason}") from error
    shapes = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
    for value in (*inferred.input, *inferred.value_info, *inferred.output):
        known = _known_shape(value)
        if known is not None:
            shapes[value.name] = known
    for name, shape in ((LOGITS, (info.rules.num_actions,)), (VALUE, ())):
        if shapes.get(name, (LARGEST_BATCH, *shape)) != (LARGEST_BATCH, *shape):
            raise UnsafeModelError(f"{name} comes out in the shape {shapes[name]}")
    return shapes


def _known_shape(value: ValueInfoProto) -> tuple[int, ...] | None:
    kind = value.type.tensor_type
    if not kind.HasField("shape") or not all(d.HasField("dim_value") for d in kind.shape.dim):
        return None
    return tuple(dim.dim_value for dim in kind.shape.dim)


def _work(node: NodeProto, shapes: dict[str, tuple[int, ...]]) -> int:
    """Multiplications of one operator."""
    size = math.prod(shapes.get(node.output[0], ()))
    if node.op_type in ("MatMul", "Gemm"):
        first, second = shapes.get(node.input[0], ()), shapes.get(node.input[1], ())
        return size * max(*first, *second, 1)  # at least as much as the side that is summed over
    if node.op_type == "Conv":
        return size * math.prod(shapes.get(node.input[1], ())[1:])
    return size
