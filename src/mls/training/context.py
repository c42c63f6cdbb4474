"""What an exported parser tells of a word in its sentence, beside labels: its context, a few bytes.

They are the states of the encoder, seen along the directions that the parser's own labels depend on most: the main axes
of all matrices that the states are multiplied with. No text is needed to find them, and the same weights give the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from mls.parser.network import CONTEXT_UNIT, CONTEXT_WIDTH
from mls.training.integers import rounded

_PRODUCT = "MatMulIntegerToFloat"


def tell_context(path: Path) -> None:
    """Let a graph of whole products answer the context of every token as well."""
    model = onnx.load(path)
    add_context(model.graph, {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer})
    onnx.save(model, path)


def add_context(graph: onnx.GraphProto, constants: dict[str, NDArray[np.generic]]) -> None:
    """Add the product with the main axes, in bytes, to a graph with such constants."""
    products = _of_the_states(graph)
    weights = [
        np.asarray(constants[node.input[1]], np.float32) * np.asarray(constants[node.input[3]]) for node in products
    ]
    axes = main_axes(np.concatenate(weights, axis=1), CONTEXT_WIDTH)
    whole, scale = rounded(axes)
    added: dict[str, NDArray[Any]] = {
        "context.weights": whole, "context.scale": scale, "context.unit": np.array(CONTEXT_UNIT, np.float32),
        "context.zero": np.array(0, np.int8),
    }  # fmt: skip
    graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in added.items())
    states, unit, zero = (products[0].input[number] for number in (0, 2, 4))
    inputs = [states, "context.weights", unit, "context.scale", zero]
    graph.node.extend([
        helper.make_node(_PRODUCT, inputs, ["context.exact"], domain=products[0].domain),
        helper.make_node("QuantizeLinear", ["context.exact", "context.unit", "context.zero"], ["context"]),
    ])  # fmt: skip
    shape: list[str | int | None] = ["documents", "tokens", axes.shape[1]]
    graph.output.append(helper.make_tensor_value_info("context", TensorProto.INT8, shape))


def _of_the_states(graph: onnx.GraphProto) -> list[onnx.NodeProto]:
    """The products of what is multiplied most often: the states that all labels are told from."""
    products: dict[str, list[onnx.NodeProto]] = {}
    for node in graph.node:
        if node.op_type == _PRODUCT:
            products.setdefault(node.input[0], []).append(node)
    return max(products.values(), key=len)


def main_axes(weights: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """(states, columns) -> (states, count): orthogonal axes, each with its largest number above 0."""
    axes = np.linalg.svd(weights.astype(np.float64), full_matrices=False)[0][:, :count]
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=0, keepdims=True), axis=0)
    return (axes * np.sign(largest)).astype(np.float32)
