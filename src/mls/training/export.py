"""From a trained network to a model folder that runs without torch.

Two graphs: the encoder reads a batch of documents once, the step advances K beams of each document
by one token. Beams share their document's memory, so nothing is copied K times.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from mls.errors import MlsError
from mls.folders import write_config
from mls.model import is_model
from mls.training.base import Network
from mls.training.context import tell_context
from mls.training.integers import use_whole_products
from mls.training.storage import save_weights, shrink_onnx
from mls.vocabulary import Vocabulary

OPSET = 18
_OF_OUTPUT = ("output_bias", "output.weight")  # a row for each word type that can be written


def export_onnx(network: Network, folder: Path) -> None:
    """Write each graph of a network into a file of its own."""
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
                    {position: sizes[axis] for position, axis in enumerate(part.axes)} for part in graph.inputs
                ),
            )  # fmt: skip


def export_model(network: Network, vocabulary: Vocabulary, config: Mapping[str, Any], card: str, folder: Path) -> None:
    """Write a whole model folder, or none: it is built beside its path and moved there."""
    if folder.exists() and not is_model(folder):
        raise MlsError(f"{folder} is there already and is no model; choose another folder")
    unfinished = Path(tempfile.mkdtemp(dir=_existing(folder.parent), prefix=f".{folder.name}-"))
    try:
        export_onnx(network, unfinished)
        offsets = save_weights(network.state_dict(), unfinished, network.coarse)
        for graph in sorted(unfinished.glob("*.onnx")):
            if network.coarse:
                use_whole_products(graph)
                tell_context(graph)
            shrink_onnx(graph, offsets, network.coarse)
        vocabulary.save(unfinished / "vocabulary.txt")
        write_config(unfinished, config)
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


def start(network: Network, weights: dict[str, Tensor]) -> None:
    """Start a network from given weights. If they can write more word types than it can, it takes the frequent ones."""
    own = network.state_dict()
    said = {name: weights[name][: len(own[name])] for name in _OF_OUTPUT if name in weights and name in own}
    try:
        network.load_state_dict(weights | said)
    except RuntimeError as error:
        raise MlsError(f"these weights do not fit the preset: {str(error).splitlines()[-1]}") from error
