"""Fine-tuning: the best weights are kept, and a stop loses nothing."""

from __future__ import annotations

import math
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from mls import MlsError, Summarizer
from mls.model import load_model
from mls.training import finetune as module
from mls.training.finetune import finetune, settings_for
from mls.training.loop import Trainer
from mls.training.run import TrainingData, open_data
from tiny import Exported, convolutional, exported, exported_before, nothing, run_mls, write_pairs

__all__ = ["convolutional", "exported", "exported_before"]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """So small a network would go on getting better for long."""
    monkeypatch.setattr(module, "MOST_STEPS", 5)


@pytest.fixture
def data(tmp_path: Path, exported: Exported) -> TrainingData:
    model = load_model(exported.model)
    train, val = write_pairs(tmp_path / "train.jsonl", 24, seed=3), write_pairs(tmp_path / "val.jsonl", 8, seed=4)
    return open_data(str(train), str(val), settings_for(model, 1), tmp_path / "cache", model.vocabulary, print)


@pytest.mark.usefixtures("exported_before")
def test_it_learns_and_keeps_the_best(tmp_path: Path, exported: Exported, data: TrainingData) -> None:
    model = load_model(exported.model)
    result = finetune(model, data, tmp_path / "mine", tmp_path / "run", math.inf, nothing)
    assert result.best_loss < result.loss_before
    assert result.examples > 0
    mine = load_model(tmp_path / "mine")
    assert mine.config.training["finetuned"]["pairs"] == 24
    assert mine.config.window == module.SOURCE_TOKENS
    assert not (tmp_path / "run").exists()
    assert Summarizer.from_pretrained(mine.folder).summarize("Rain fell on London. The harbour flooded.", "1/2").text


def test_the_last_validation_is_within_the_minutes(
    tmp_path: Path, exported: Exported, data: TrainingData, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes as long as the first, which is counted too."""
    clock, until = [1000.0], []
    monkeypatch.setattr(module.time, "monotonic", lambda: clock[0])

    def validate(trainer: Trainer) -> float:
        clock[0] += 100.0
        return 1.0

    def train(trainer: Trainer, workers: object, deadline: float, show: object) -> None:
        until.append(deadline)
        raise KeyboardInterrupt

    monkeypatch.setattr(Trainer, "validate", validate)
    monkeypatch.setattr(Trainer, "run", train)
    with pytest.raises(KeyboardInterrupt):
        finetune(load_model(exported.model), data, tmp_path / "mine", tmp_path / "run", 1300.0, nothing)
    assert until == [1200.0]


@pytest.mark.usefixtures("exported_before")
def test_what_is_no_better_is_not_kept(
    tmp_path: Path, exported: Exported, data: TrainingData, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mls.training.loop.Trainer.validate", lambda trainer: 1.0)
    result = finetune(load_model(exported.model), data, tmp_path / "mine", tmp_path / "run", math.inf, nothing)
    assert (result.examples, result.best_loss) == (0, 1.0)
    before, after = (folder / "weights.safetensors" for folder in (exported.model, tmp_path / "mine"))
    assert before.read_bytes() == after.read_bytes()


@pytest.mark.usefixtures("exported_before")
def test_a_stop_is_gone_on_from(tmp_path: Path, exported: Exported, data: TrainingData) -> None:
    model = load_model(exported.model)
    whole = finetune(model, data, tmp_path / "whole", tmp_path / "run", math.inf, nothing)

    class StopError(Exception):
        pass

    def stop(report: object) -> None:
        if report.examples >= 32:  # type: ignore[attr-defined]
            raise StopError

    with pytest.raises(StopError):
        finetune(model, data, tmp_path / "parts", tmp_path / "parts.run", math.inf, stop)
    assert finetune(model, data, tmp_path / "parts", tmp_path / "parts.run", math.inf, nothing) == whole


@pytest.mark.usefixtures("exported_before")
def test_ctrl_c_is_no_end(tmp_path: Path, exported: Exported, data: TrainingData) -> None:
    """The work is kept and gone on with; no half-taught model takes the place of the whole one."""
    model = load_model(exported.model)
    whole = finetune(model, data, tmp_path / "whole", tmp_path / "run", math.inf, nothing)
    with pytest.raises(KeyboardInterrupt):
        finetune(
            model,
            data,
            tmp_path / "parts",
            tmp_path / "parts.run",
            math.inf,
            lambda _: os.kill(os.getpid(), signal.SIGINT),
        )
    assert not (tmp_path / "parts").exists()
    other = replace(data, training=data.validation)
    with pytest.raises(MlsError, match=r"parts\.run holds unfinished work with another model or other pairs"):
        finetune(model, other, tmp_path / "parts", tmp_path / "parts.run", math.inf, nothing)
    assert finetune(model, data, tmp_path / "parts", tmp_path / "parts.run", math.inf, nothing) == whole


@pytest.mark.usefixtures("exported_before")
def test_what_was_learned_before_the_first_validation_counts(
    tmp_path: Path, exported: Exported, data: TrainingData
) -> None:
    result = finetune(load_model(exported.model), data, tmp_path / "mine", tmp_path / "run", time.monotonic(), nothing)
    assert 0 < result.examples < len(data.training)
    assert result.best_loss < result.loss_before


@pytest.mark.usefixtures("exported_before")
def test_the_command(tmp_path: Path, exported: Exported, capsys: pytest.CaptureFixture[str]) -> None:
    train = write_pairs(tmp_path / "train.jsonl", 16)
    given = ("finetune", train, "--model", exported.model, "--threads", 1, "--out", tmp_path / "mine")
    assert run_mls(*given, "--minutes", 0.02) == 0
    assert "validation loss" in capsys.readouterr().err
    assert run_mls(*given) == 2
    assert "is there already" in capsys.readouterr().err
