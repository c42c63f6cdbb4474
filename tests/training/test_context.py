"""The context of a token: what the parser's states are along their main axes, the same alone and among others."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

if not os.environ.get("CI"):  # there torch must be installed
    pytest.importorskip("torch")

import onnx
import torch
from onnx import numpy_helper

from mls.onnx import open_graph
from mls.parser.network import CONTEXT_UNIT
from mls.training.config import ParserConfig
from mls.training.context import main_axes, tell_context
from mls.training.export import export_onnx
from mls.training.integers import use_whole_products
from mls.training.parser import ParserNetwork

TINY = ParserConfig(
    vocabulary=60, embedding=8, prefixes=16, prefix_width=4, suffixes=32, suffix_width=4, shape_width=4, hidden=8,
    layers=1, arc_width=8, relation_width=8, tags=3, relations=4, entities=3, dropout=0.0, word_dropout=0.0,
)  # fmt: skip


def context_of(graph: object, ranks: NDArray[np.int64]) -> NDArray[np.int8]:
    inputs = {"ranks": ranks, "prefixes": ranks, "suffixes": ranks, "shapes": ranks % 8}
    found: NDArray[np.int8] = graph.run(["context"], inputs)[0]  # type: ignore[attr-defined]
    return found


def test_it_is_the_states_along_their_main_axes(tmp_path: Path) -> None:
    torch.manual_seed(3)
    network = ParserNetwork(TINY).eval()
    export_onnx(network, tmp_path)
    path = tmp_path / "parser.onnx"
    use_whole_products(path)
    tell_context(path)
    constants = {t.name: numpy_helper.to_array(t) for t in onnx.load(path).graph.initializer}
    axes = constants["context.weights"] * constants["context.scale"]
    ranks = np.random.default_rng(1).integers(4, 15, (3, 4))
    told = context_of(open_graph(path), ranks)
    with torch.no_grad():
        numbers = torch.from_numpy(ranks)
        states = network(numbers, numbers, numbers, numbers % 8).states.numpy()
    assert told.dtype == np.int8
    assert np.abs(told * CONTEXT_UNIT - states @ axes).max() < 0.05
    for sentence, own in zip(ranks, told, strict=True):
        assert (context_of(open_graph(path), sentence[None])[0] == own).all()


def test_axes_are_orthogonal_and_have_one_sign_whatever_the_library_says() -> None:
    weights = np.random.default_rng(2).normal(size=(12, 30)).astype(np.float32)
    axes = main_axes(weights, 5)
    assert np.allclose(axes.T @ axes, np.eye(5), atol=1e-5)
    assert (axes[np.abs(axes).argmax(axis=0), range(5)] > 0).all()
    assert np.array_equal(axes, main_axes(weights, 5))
