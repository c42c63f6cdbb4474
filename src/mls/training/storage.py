"""How a model folder keeps its weights small: embeddings in bytes, the rest in half precision, each of them once.

`weights.safetensors` holds them all. The graphs point into that file wherever they need the same numbers, by ONNX's
external data; they themselves hold only what export has computed from several weights.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from mls.errors import MlsError
from mls.model import weight_spans

WEIGHTS = "weights.safetensors"
LEVELS = 63  # of the numbers that are multiplied as whole ones: seven bits
_SCALE = ".scale"
_SMALLEST_TABLE = 2048  # rows; a matrix with fewer is no table of embeddings
_WORTH_SHRINKING = 1024  # numbers


class Offsets:
    """Where in `weights.safetensors` given bytes stand."""

    def __init__(self, folder: Path) -> None:
        whole = (folder / WEIGHTS).read_bytes()
        spans = weight_spans(folder / WEIGHTS).values()
        self._spans = {whole[first:last]: (first, last - first) for first, last in spans}

    def point(self, tensor: onnx.TensorProto) -> None:
        """Let a tensor of a graph point at its numbers, if they are in the file, instead of holding them."""
        span = self._spans.get(tensor.raw_data)
        if span is None:
            return
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (("location", WEIGHTS), ("offset", str(span[0])), ("length", str(span[1]))):
            tensor.external_data.add(key=key, value=value)


def save_weights(weights: Mapping[str, Tensor], folder: Path, coarse: bool = False) -> Offsets:
    """Write `weights.safetensors`; where products are of whole numbers (`coarse`), their matrices as well are bytes."""
    stored: dict[str, Tensor] = {}
    for name, value in weights.items():
        with np.errstate(over="ignore", invalid="ignore"):  # told below
            small, scale = _shrunk(value.detach().numpy(), coarse)
        if not np.isfinite(small).all() or (scale is not None and not np.isfinite(scale).all()):
            raise MlsError(f"the weights {name} are no finite numbers, so training went astray; export a snapshot")
        stored[name] = torch.from_numpy(small)
        if scale is not None:
            stored[name + _SCALE] = torch.from_numpy(scale)
    save_file(stored, folder / WEIGHTS)
    (folder / WEIGHTS).chmod(0o644)  # it is written for its owner alone, unlike all else in the folder
    return Offsets(folder)


def read_weights(folder: Path) -> dict[str, Tensor]:
    """The weights of a model folder, in single precision."""
    try:
        stored = load_file(folder / WEIGHTS)
    except (OSError, SafetensorError) as error:
        raise MlsError(f"the weights in {folder} are damaged: {error}") from error
    scales = {name.removesuffix(_SCALE): stored.pop(name) for name in list(stored) if name.endswith(_SCALE)}
    return {name: value.float() * scales[name] if name in scales else value.float() for name, value in stored.items()}


def shrink_onnx(path: Path, offsets: Offsets, coarse: bool = False) -> None:
    """Store the weights of a graph as small as `save_weights` does, and of those that it has written only the offsets.

    The nodes that turn them back are folded away when onnxruntime loads the graph. Also forget the
    shapes of outputs, some of which the exporter takes for fixed, and from which lines of which files a node came.
    """
    model = onnx.load(path)
    graph = model.graph
    restoring: list[onnx.NodeProto] = []
    scales: list[onnx.TensorProto] = []
    for tensor in graph.initializer:
        if tensor.data_type != onnx.TensorProto.FLOAT or math.prod(tensor.dims) <= _WORTH_SHRINKING:
            continue
        name = tensor.name
        small, scale = _shrunk(onnx.numpy_helper.to_array(tensor), coarse)
        whole = name if scale is None else f"{name}.whole"
        restoring.append(onnx.helper.make_node("Cast", [f"{name}.small"], [whole], to=onnx.TensorProto.FLOAT))
        if scale is not None:
            scales.append(onnx.numpy_helper.from_array(scale, name + _SCALE))
            restoring.append(onnx.helper.make_node("Mul", [whole, name + _SCALE], [name]))
        tensor.CopyFrom(onnx.numpy_helper.from_array(small, f"{name}.small"))
    graph.initializer.extend(scales)
    for tensor in graph.initializer:
        offsets.point(tensor)
    for node in reversed(restoring):
        graph.node.insert(0, node)
    for output in graph.output:
        output.type.tensor_type.ClearField("shape")
    del graph.value_info[:], graph.metadata_props[:]
    for node in graph.node:
        del node.metadata_props[:]
    onnx.save(model, path)


def _shrunk(values: NDArray[np.float32], coarse: bool = False) -> tuple[NDArray[Any], NDArray[np.float32] | None]:
    """Bytes and the scale of each row for a table of embeddings, half precision for all else."""
    if values.ndim == 2 and len(values) > _SMALLEST_TABLE:
        return in_bytes(values, 127)
    if coarse and values.ndim == 2 and values.size > _WORTH_SHRINKING:
        return in_bytes(values, LEVELS)
    return values.astype(np.float16), None


def in_bytes(values: NDArray[np.float32], levels: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A matrix in whole numbers up to so many, and the scale of each of its rows."""
    scale = np.maximum(np.abs(values).max(axis=1, keepdims=True) / levels, 1e-12).astype(np.float32)
    return np.round(values / scale).astype(np.int8), scale
