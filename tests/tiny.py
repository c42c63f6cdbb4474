"""Networks, corpora and runs so small that tests can train them. Needs torch."""

from __future__ import annotations

import fcntl
import json
import os
import random
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

if not os.environ.get("CI"):  # there torch must be installed
    pytest.importorskip("torch")

import torch

from mls.cli.main import main
from mls.lab.convolutional import ConvolutionalNetwork
from mls.training import export
from mls.training.base import SummaryNetwork
from mls.training.config import ConvolutionalConfig, Phase, PointerGeneratorConfig, TrainingConfig
from mls.training.loop import Report, Trainer, Workers
from mls.training.networks import build
from mls.training.pointer_generator import PointerGenerator
from mls.training.run import TrainingData, open_data, train

torch.set_num_threads(1)

WORDS = (
    "rain fell on London and the harbour flooded while boats sank near a bridge that engineers built for trade "
    "when winter storms closed every road"
).split()


def network_config(**changes: Any) -> PointerGeneratorConfig:
    plain = PointerGeneratorConfig(
        vocabulary=30, output_vocabulary=20, embedding=8, hidden=12, attention="multiplicative", attention_width=10,
        input_feeding=True, tied=True, selector=True, dropout=0.0,
    )  # fmt: skip
    return replace(plain, **changes)


SHAPES = [
    pytest.param({"attention": attention, "input_feeding": feeding}, id=f"{attention}-{'fed' if feeding else 'unfed'}")
    for attention in ("multiplicative", "additive")
    for feeding in (True, False)
]


def network_of(seed: int = 1, **changes: Any) -> PointerGenerator:
    torch.manual_seed(seed)
    return PointerGenerator(network_config(**changes)).eval()


def convolutional_config(**changes: Any) -> ConvolutionalConfig:
    plain = ConvolutionalConfig(
        vocabulary=30, output_vocabulary=20, embedding=8, hidden=12, encoder_layers=2, decoder_layers=3, kernel=3,
        source_positions=20, target_positions=8, dropout=0.0,
    )  # fmt: skip
    return replace(plain, **changes)


def convolutional_of(seed: int = 1, **changes: Any) -> ConvolutionalNetwork:
    torch.manual_seed(seed)
    return ConvolutionalNetwork(convolutional_config(**changes)).eval()


def training_config(network: dict[str, Any] | None = None, **changes: Any) -> TrainingConfig:
    plain = TrainingConfig(
        network=network_config(vocabulary=60, output_vocabulary=40, **{"dropout": 0.2, **(network or {})}),
        phases=(Phase(64, 12, 5, 0.0), Phase(1_000_000, 20, 8, 0.25)), optimizer="adam", learning_rate=5e-3,
        half_life_examples=1000, initial_accumulator=0.1, batch=8, clip_norm=2.0, selector_weight=0.5, average=0.8,
        max_examples=240, validate_every=40, patience=100, seed=7,
    )  # fmt: skip
    return replace(plain, **changes)


MANY_TYPES = training_config(max_examples=8, phases=(Phase(1_000_000, 40, 8, 0.25),))
MANY_TYPES = replace(MANY_TYPES, network=replace(MANY_TYPES.network, vocabulary=2100, output_vocabulary=2060))
CONVOLUTIONAL = replace(
    MANY_TYPES, network=convolutional_config(vocabulary=2100, output_vocabulary=2060, source_positions=40)
)


def write_config(path: Path, config: TrainingConfig) -> Path:
    """The settings as a TOML file, as a user writes one."""

    def lines(values: dict[str, Any]) -> str:
        return "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())

    values = asdict(config)
    network, phases = values.pop("network"), values.pop("phases")
    parts = [lines(values), "[network]\n" + lines(network), *("[[phases]]\n" + lines(phase) for phase in phases)]
    path.write_text("\n".join(parts), encoding="utf-8")
    return path


def write_pairs(path: Path, count: int = 60, seed: int = 1) -> Path:
    """A task to learn: a summary says its document's first words again."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        words = rng.choices(WORDS, k=rng.randint(6, 18))
        first = words[: rng.randint(2, 5)]
        rows.append({"document": " ".join(words).capitalize() + ".", "summary": " ".join(first)})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def toy_data(folder: Path, config: TrainingConfig, count: int = 60) -> TrainingData:
    path = folder / "pairs.jsonl"
    if not path.exists():
        write_pairs(path, count)
    return open_data(str(path), None, config, folder / "cache", None, lambda problem: None)


def nothing(report: Report) -> None:
    """Shows nothing."""


def train_here(
    config: TrainingConfig, data: TrainingData, folder: Path, resume: bool = False, minutes: float | None = None,
    show: Callable[[Report], None] = nothing,
) -> Trainer:  # fmt: skip
    return train(config, data, folder, Workers(), minutes, resume, None, show)


def same_weights(one: Trainer, other: Trainer) -> bool:
    """Bit by bit, those in training as well as the averaged ones."""
    pairs = [(one.network.state_dict(), other.network.state_dict()), (one.average, other.average)]
    return all(torch.equal(mine[name], yours[name]) for mine, yours in pairs for name in mine)


def run_mls(*arguments: object) -> int:
    """The exit code of `mls` with these arguments."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["mls", *map(str, arguments)])
        try:
            main()
        except SystemExit as stop:
            return int(stop.code or 0)
    return 0


@dataclass(frozen=True)
class Exported:
    """A training run, its network, its graphs before they were shrunk, and its model folder."""

    run: Path
    network: SummaryNetwork
    graphs: Path
    model: Path


def made_once(tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the processes of a run of the tests have in common. Graphs take seconds to make."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / name
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            make(folder)
            (folder / "made").touch()
    return folder


def _exported(tmp_path_factory: pytest.TempPathFactory, config: TrainingConfig) -> Exported:
    """What `mls train` and `mls export` make."""
    home = made_once(tmp_path_factory, f"exported-{config.network.kind}", partial(_export, config=config))
    network = build(config.network)
    network.load_state_dict(torch.load(home / "run" / "checkpoint.pt", weights_only=True)["average"])
    return Exported(home / "run", network.eval(), home / "graphs", home / "model")


def _export(home: Path, config: TrainingConfig) -> None:
    graphs = home / "graphs"
    graphs.mkdir()
    pairs = write_pairs(home / "pairs.jsonl")
    many = " ".join(f"w{number}" for number in range(2100))  # so many types that they are stored in bytes
    with pairs.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"document": many, "summary": "w1 w2"}) + "\n")
    preset = write_config(home / "many.toml", config)
    assert run_mls("train", pairs, "--out", home / "run", "--preset", preset, "--threads", 1) == 0
    shrink = export.shrink_onnx
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            export, "shrink_onnx", lambda path, *rest: (shutil.copy(path, graphs / path.name), shrink(path, *rest))
        )
        assert run_mls("export", home / "run", "--out", home / "model") == 0


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    return _exported(tmp_path_factory, MANY_TYPES)


@pytest.fixture(scope="session")
def convolutional(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    return _exported(tmp_path_factory, CONVOLUTIONAL)


@pytest.fixture
def exported_before(exported: Exported, convolutional: Exported, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the graphs that were made once, of other weights: for tests that ask nothing of graphs but to run."""

    def reuse(network: SummaryNetwork, folder: Path) -> None:
        made = exported if isinstance(network, PointerGenerator) else convolutional
        for name in ("encoder.onnx", "step.onnx"):
            shutil.copy(made.model / name, folder / name)

    monkeypatch.setattr("mls.training.export.export_onnx", reuse)
