"""From a trained network to a model folder that runs without torch.

Two graphs: the encoder reads a batch of documents once, the step advances K beams of each document
by one token. Beams share their document's memory, so nothing is copied K times.
"""

from __future__ import annotations

import json
import logging
import math
import os
import shutil
import tempfile
import warnings
from dataclasses import asdict
from pathlib import Path

import numpy as np
import onnx
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from mls.errors import MlsError
from mls.model import ModelConfig
from mls.training.base import SummaryNetwork
from mls.vocabulary import Vocabulary

OPSET = 18
_OF_OUTPUT = ("output_bias", "output.weight")  # a row for each word type that can be written


def export_onnx(network: SummaryNetwork, folder: Path) -> None:
    """Write `encoder.onnx` and `step.onnx`."""
    # It warns of every operation of torchvision that it can't export; none of ours is among them.
    logging.getLogger("torch.onnx._internal.exporter._registration").setLevel(logging.ERROR)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sizes = {name: torch.export.Dim(name) for name in ("documents", "beams", "tokens")}
        for name, graph in network.eval().graphs().items():
            torch.onnx.export(
                graph.module, tuple(part.example for part in graph.inputs), folder / f"{name}.onnx",
                dynamo=True, opset_version=OPSET, external_data=False, verbose=False,
                input_names=[part.name for part in graph.inputs], output_names=list(graph.outputs),
                dynamic_shapes=tuple(
                    {place: sizes[axis] for place, axis in enumerate(part.axes)} for part in graph.inputs
                ),
            )  # fmt: skip


def export_model(network: SummaryNetwork, vocabulary: Vocabulary, config: ModelConfig, card: str, folder: Path) -> None:
    """Write a whole model folder, or none: it is built beside its place and moved there."""
    if folder.exists() and not (folder / "config.json").is_file():
        raise MlsError(f"{folder} is there already and is no model; choose another place")
    unfinished = Path(tempfile.mkdtemp(dir=_existing(folder.parent), prefix=f".{folder.name}-"))
    try:
        export_onnx(network, unfinished)
        for name in ("encoder.onnx", "step.onnx"):
            shrink_onnx(unfinished / name)
        half = {name: value.to(torch.float16).contiguous() for name, value in network.state_dict().items()}
        save_file(half, unfinished / "weights.safetensors")
        vocabulary.save(unfinished / "vocabulary.txt")
        (unfinished / "config.json").write_text(json.dumps(asdict(config), indent=2) + "\n", encoding="utf-8")
        (unfinished / "README.md").write_text(card, encoding="utf-8")
        unfinished.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        os.replace(unfinished, folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def _existing(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def shrink_onnx(path: Path) -> None:
    """Store embeddings in bytes and other large weights in half precision.

    The nodes that turn them back are folded away when onnxruntime loads the graph. Also forget the
    shapes of outputs, some of which the exporter takes for fixed.
    """
    model = onnx.load(path)
    graph = model.graph
    restoring: list[onnx.NodeProto] = []
    scales: list[onnx.TensorProto] = []
    for tensor in graph.initializer:
        if tensor.data_type != onnx.TensorProto.FLOAT or math.prod(tensor.dims) <= 1024:
            continue
        name, values = tensor.name, onnx.numpy_helper.to_array(tensor)
        is_table = values.ndim == 2 and len(values) > 2048
        whole = f"{name}.whole" if is_table else name
        restoring.append(onnx.helper.make_node("Cast", [f"{name}.small"], [whole], to=onnx.TensorProto.FLOAT))
        if is_table:
            scale = np.maximum(np.abs(values).max(axis=1, keepdims=True) / 127, 1e-12).astype(np.float32)
            scales.append(onnx.numpy_helper.from_array(scale, f"{name}.scale"))
            restoring.append(onnx.helper.make_node("Mul", [whole, f"{name}.scale"], [name]))
            small = np.round(values / scale).astype(np.int8)
        else:
            small = values.astype(np.float16)
        tensor.CopyFrom(onnx.numpy_helper.from_array(small, f"{name}.small"))
    graph.initializer.extend(scales)
    for node in reversed(restoring):
        graph.node.insert(0, node)
    for output in graph.output:
        output.type.tensor_type.ClearField("shape")
    del graph.value_info[:]
    onnx.save(model, path)


def read_weights(folder: Path) -> dict[str, Tensor]:
    """The weights of a model folder."""
    try:
        return {name: value.float() for name, value in load_file(folder / "weights.safetensors").items()}
    except (OSError, SafetensorError) as error:
        raise MlsError(f"the weights in {folder} are damaged: {error}") from error


def start(network: SummaryNetwork, weights: dict[str, Tensor]) -> None:
    """Start a network from given weights. If they can write more word types than it can, it takes the frequent ones."""
    own = network.state_dict()
    said = {name: weights[name][: len(own[name])] for name in _OF_OUTPUT if name in weights and name in own}
    try:
        network.load_state_dict(weights | said)
    except RuntimeError as error:
        raise MlsError(f"these weights do not fit the preset: {str(error).splitlines()[-1]}") from error
