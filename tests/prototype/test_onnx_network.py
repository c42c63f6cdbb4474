"""The shipped network reads a window once, whoever asks, and says the same of it in any company."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from mls import Summarizer
from mls.assembly import model_of, recipe_of_model
from mls.model import shipped_model
from mls.prototype import onnx_network
from mls.prototype.beam import padded
from mls.prototype.onnx_network import OnnxPointerGenerator

RANDOM = np.random.default_rng(7)
WINDOWS = [RANDOM.integers(4, 31_000, size=length).tolist() for length in (60, 1, 57, 23, 60)]


class Counting:
    """An encoder that counts the windows it reads."""

    def __init__(self, encoder) -> None:  # type: ignore[no-untyped-def]
        self.encoder = encoder
        self.read = 0

    def run(self, outputs, inputs):  # type: ignore[no-untyped-def]
        self.read += len(inputs["source"])
        return self.encoder.run(outputs, inputs)


@pytest.fixture
def network() -> OnnxPointerGenerator:
    network = OnnxPointerGenerator(shipped_model().folder, beams=2)
    network.encoder = Counting(network.encoder)
    return network


def read(network: OnnxPointerGenerator, windows: list[list[int]]) -> None:
    network.encode(padded(windows), np.zeros(len(windows), dtype=np.int64))


def test_a_window_is_judged_the_same_alone_and_among_others(network: OnnxPointerGenerator) -> None:
    """To the bit, or the output of a batch would depend on how it was cut."""
    alone = [network.select([window])[0] for window in WINDOWS]
    network.selections.clear()
    together = network.select(WINDOWS)
    network.selections.clear()
    read(network, WINDOWS)
    for window, expected, other in zip(WINDOWS, alone, together, strict=True):
        assert network.select([window])[0].tobytes() == expected.tobytes() == other.tobytes()
        assert len(expected) == len(window)
    assert network.encoder.read == 3 * len(WINDOWS)


def test_only_the_windows_read_last_are_remembered(
    network: OnnxPointerGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx_network, "_REMEMBERED", 3)
    read(network, WINDOWS)
    assert len(network.selections) == 3
    for window in WINDOWS[2:]:
        network.select([window])
    assert network.encoder.read == len(WINDOWS)
    network.select(WINDOWS[:1])
    assert network.encoder.read == len(WINDOWS) + 1
    assert len(network.selections) == 3


def test_a_document_is_encoded_once(tmp_path: Path) -> None:
    folder = shutil.copytree(shipped_model().folder, tmp_path / "model")
    summarizer = Summarizer(recipe_of_model(folder).weighing({"salience": 0.3}))
    network = model_of(summarizer.recipe).pointer_generator
    counting = network.encoder = Counting(network.encoder)
    summarizer.summarize("It rained all day, and the match was called off. Nobody minded much.", "1/2")
    assert counting.read == 1
