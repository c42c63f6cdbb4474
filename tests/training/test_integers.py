"""Products of whole numbers: near those of fractions, and the same whatever stands beside a sentence."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

if not os.environ.get("CI"):  # there torch must be installed
    pytest.importorskip("torch")

import onnx

from mls.onnx import open_graph
from mls.training.storage import LEVELS, in_bytes
from tiny_parser import LAYERS, trained

__all__ = ["trained"]

SENTENCES = st.lists(st.lists(st.integers(4, 15), min_size=4, max_size=4), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def graphs(trained: Path) -> dict[str, Any]:
    """The same network in fractions and in whole numbers."""
    return {
        "fractions": open_graph(trained / "fractions.onnx"),
        "whole": open_graph(trained / "run-model" / "parser.onnx"),
    }


def keep(graph: Any, ranks: list[list[int]]) -> NDArray[np.float32]:
    numbers = np.array(ranks, dtype=np.int64)
    inputs = {"ranks": numbers, "prefixes": numbers, "suffixes": numbers, "shapes": numbers % 8}
    found: NDArray[np.float32] = graph.run(["keep"], inputs)[0]
    return found


@given(SENTENCES)
@settings(max_examples=40, deadline=None)
def test_neighbours_change_nothing_and_rounding_little(graphs: dict[str, Any], ranks: list[list[int]]) -> None:
    together = keep(graphs["whole"], ranks)
    for sentence, said in zip(ranks, together, strict=True):
        assert np.allclose(keep(graphs["whole"], [sentence])[0], said, rtol=0, atol=1e-6)
    assert np.abs(together - keep(graphs["fractions"], ranks)).max() < 0.05


def test_no_recurrence_of_fractions_is_left(trained: Path) -> None:
    graph = onnx.load(trained / "run-model" / "parser.onnx", load_external_data=False).graph
    kinds = Counter(node.op_type for node in graph.node)
    assert kinds["LSTM"] == 0
    assert kinds["Scan"] == 2 * LAYERS
    assert kinds["MatMulIntegerToFloat"] > kinds["MatMul"]


def test_two_products_fit_where_processors_add_them() -> None:
    assert 2 * 255 * LEVELS < 2**15


def test_a_row_is_within_half_a_step_of_what_it_was() -> None:
    values = np.random.default_rng(1).normal(size=(20, 30)).astype(np.float32)
    whole, scale = in_bytes(values, LEVELS)
    assert np.abs(whole).max() <= LEVELS
    assert np.all(np.abs(whole * scale - values) <= scale / 2 * 1.001)


def test_what_is_rounded_already_stays_as_it_is() -> None:
    values = np.random.default_rng(2).normal(size=(5, 40)).astype(np.float32)
    whole, scale = in_bytes(values, LEVELS)
    again, _ = in_bytes((whole * scale).astype(np.float32), LEVELS)
    assert np.array_equal(whole, again)
