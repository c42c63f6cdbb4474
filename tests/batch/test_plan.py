"""What decides the output is noted, so that a change of it can be told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mls import Summarizer
from mls.batch.inputs import Columns
from mls.batch.parts import Manifest
from mls.batch.plan import Plan, settings_of


def manifest(plan: Plan, model: Path, columns: Columns = Columns(), **weights: float) -> Manifest:
    summarizer = Summarizer("greedy", heads="paper", weights=weights or None)
    return Manifest(settings_of(plan, columns, summarizer, model), 1, ("a",))


def test_every_change_of_settings_is_told(tmp_path: Path) -> None:
    for name in ("config.json", "vocabulary.txt", "encoder.onnx", "step.onnx", "weights.safetensors"):
        (tmp_path / name).write_text(name)
    before = manifest(Plan(), tmp_path)
    assert before.changes(manifest(Plan(), tmp_path)) == []
    changes = {"budgets": ("1/8",), "trace": True, "longest": 5, "seconds": 1.0, "names": {"id": "key"}}
    for name, value in changes.items():
        (told,) = before.changes(manifest(replace(Plan(), **{name: value}), tmp_path))
        assert " was " in told
    assert before.changes(manifest(Plan(), tmp_path, Columns("key", "body"))) == [
        "--text-field was document and is body",
        "--id-field was id and is key",
    ]
    (told,) = before.changes(manifest(Plan(), tmp_path, topics=0.5, keywords=0.5, redundancy=0.0))
    assert told.startswith("--weights was topics=0.6")
    (tmp_path / "step.onnx").write_text("trained further")
    assert before.changes(manifest(Plan(), tmp_path)) == ["the model's step.onnx changed"]
    after = manifest(Plan(), tmp_path)
    (tmp_path / "weights.safetensors").write_text("trained further")
    assert after.changes(manifest(Plan(), tmp_path)) == ["the model's weights.safetensors changed"]
