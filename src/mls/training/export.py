"""From a trained network to a model folder that runs without torch.

Two graphs: the encoder reads a batch of documents once, the step advances K beams of each document
by one token. Beams share their document's memory, so nothing is copied K times.
"""

from __future__ import annotations

import json
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
from torch import Tensor, nn

from mls.errors import MlsError
from mls.model import ModelConfig
from mls.training.network import Memory, PointerGenerator
from mls.vocabulary import Vocabulary

OPSET = 18


class EncoderGraph(nn.Module):
    """(D, S) ids -> the memory, how likely each token is taken up, and the first decoder state."""

    def __init__(self, network: PointerGenerator) -> None:
        super().__init__()
        self.network = network

    def forward(self, source: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        memory, state = self.network.encode(source)
        selected = (
            torch.sigmoid(self.network.select(memory))
            if self.network.selector is not None
            else torch.ones_like(memory.mask, dtype=memory.states.dtype)
        )
        return memory.states, memory.keys, selected, state.hidden, state.cell


class StepGraph(nn.Module):
    """One step of K beams for each of D documents."""

    def __init__(self, network: PointerGenerator) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, token: Tensor, hidden: Tensor, cell: Tensor, context: Tensor, coverage: Tensor,
        states: Tensor, keys: Tensor, mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
        """(D, K) tokens -> P_vocab (D, K, V), p_gen (D, K), attention (D, K, S), and the next state."""
        network = self.network
        D, K = token.size()
        memory = Memory(states, keys, mask)
        embedded = network.embed(token)  # (D, K, E)
        if network.feed_context is not None:
            embedded = network.feed_context(torch.cat([embedded, context], dim=2))
        H = hidden.size(2)
        row = embedded.reshape(1, D * K, -1).transpose(0, 1)  # (D K, 1, E)
        start = (hidden.reshape(1, D * K, H), cell.reshape(1, D * K, H))
        _, (after, after_cell) = network.decoder_lstm(row, start)
        after, after_cell = after.reshape(D, K, H), after_cell.reshape(D, K, H)
        attention = network.attention.at_once(after, memory, coverage)  # (D, K, S)
        seen = attention @ states  # (D, K, 2H)
        p_gen = torch.sigmoid(network.generate_or_copy(torch.cat([seen, after, embedded], 2)).squeeze(2))
        readout = torch.tanh(network.readout(torch.cat([after, seen], 2)))
        return torch.softmax(network.project(readout), dim=2), p_gen, attention, after, after_cell, seen


def export_onnx(network: PointerGenerator, folder: Path) -> None:
    """Write `encoder.onnx` and `step.onnx`."""
    # torch 2.13 caches how it decomposes an LSTM, and a second export would fix the length.
    torch.ops.aten.lstm.input._dispatch_cache.clear()
    network = network.eval()
    config = network.config
    D, K, S = 2, 3, 7
    source = torch.randint(4, config.output_vocabulary, (D, S))
    encoder, step = EncoderGraph(network), StepGraph(network)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        states, keys, _, hidden, cell = encoder(source)
        beams = (t.unsqueeze(1).expand(D, K, -1).contiguous() for t in (hidden, cell))
        inputs = (
            torch.full((D, K), 2), *beams, torch.zeros(D, K, states.size(2)), torch.zeros(D, K, S),
            states, keys, source != 0,
        )  # fmt: skip
        documents, tokens, width = (torch.export.Dim(name) for name in ("documents", "tokens", "beams"))
        torch.onnx.export(
            encoder, (source,), folder / "encoder.onnx", dynamo=True, opset_version=OPSET, external_data=False,
            input_names=["source"], output_names=["states", "keys", "selected", "hidden", "cell"],
            dynamic_shapes=({0: documents, 1: tokens},), verbose=False,
        )  # fmt: skip
        per_beam, per_document = {0: documents, 1: width}, {0: documents, 1: tokens}
        torch.onnx.export(
            step, inputs, folder / "step.onnx", dynamo=True, opset_version=OPSET, external_data=False,
            input_names=["token", "hidden", "cell", "context", "coverage", "states", "keys", "mask"],
            output_names=["vocabulary", "p_gen", "attention", "next_hidden", "next_cell", "next_context"],
            dynamic_shapes=(
                per_beam, per_beam, per_beam, per_beam, {0: documents, 1: width, 2: tokens},
                per_document, per_document, per_document,
            ), verbose=False,
        )  # fmt: skip


def export_model(
    network: PointerGenerator, vocabulary: Vocabulary, config: ModelConfig, card: str, folder: Path
) -> None:
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


def start(network: PointerGenerator, weights: dict[str, Tensor]) -> None:
    """Start a network from given weights."""
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        raise MlsError(f"these weights do not fit the preset: {str(error).splitlines()[-1]}") from error
