"""The paper's experiments run on what fine-tuning makes, and a second time for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from mls.lab import reproduction
from mls.lab.reproduction import Workshop, reproduce
from mls.model import load_model
from tiny import Exported, convolutional, exported, exported_before, nothing, write_pairs

pytest.importorskip("rouge_score")

__all__ = ["convolutional", "exported", "exported_before"]


@pytest.mark.usefixtures("exported_before")
def test_the_papers_experiments_run_and_run_again_for_nothing(
    tmp_path: Path, exported: Exported, convolutional: Exported, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mls.training.finetune.MOST_STEPS", 5)
    for name in ("essays", "cnndm"):
        (tmp_path / "data" / name).mkdir(parents=True)
        for part, seed in (("train", 1), ("val", 2), ("test", 3)):
            write_pairs(tmp_path / "data" / name / f"{part}.jsonl", 2, seed)
    news = tmp_path / "data" / "cnndm"
    (news / "test.jsonl").rename(news / "test.jsonl.xz")
    monkeypatch.setattr("mls.corpora.rows._OPENERS", {})  # it is not compressed here
    monkeypatch.setattr(reproduction, "shipped_model", lambda: load_model(exported.model))
    monkeypatch.setattr(reproduction, "BUDGETS", reproduction.BUDGETS[4:])
    monkeypatch.setattr(reproduction, "DOMAINS", {"essays": "D2"})
    monkeypatch.setattr("mls.evaluation.report.plot_tables", lambda *_: [])  # they are drawn in other tests
    monkeypatch.setattr(
        "mls.evaluation.tuning.climb", lambda objective, begin, tell: begin
    )  # the first points are enough
    said: list[str] = []
    shop = Workshop(
        tmp_path / "data",
        tmp_path / "out",
        tmp_path / "work",
        1,
        "mls reproduce",
        said.append,
        lambda *_: None,
        nothing,
    )
    reproduce(shop, load_model(convolutional.model), 2)
    for name in ("essays", "essays/ablations", "cnndm"):
        page = (tmp_path / "out" / name / "README.md").read_text(encoding="utf-8")
        assert ("MLS*" in page) == name.endswith("ablations")
        assert ("a3" in page) != name.endswith("ablations")
        assert ("paper-trained" in page) == name.startswith("essays")
        assert ("paper-trained: keywords shuffled" in page) <= name.endswith("ablations")
    assert "Other data than `essays`" in (tmp_path / "out" / "essays" / "paper.md").read_text(encoding="utf-8")
    for shown in ("weights.png", "weights-paper.png"):
        assert (tmp_path / "out" / "essays" / shown).exists()
    assert sum("teaching" in line for line in said) == 3
    assert sum("searching head weights of paper" in line for line in said) == 1
    said.clear()
    monkeypatch.setattr("mls.evaluation.experiment.make_cell", lambda *_: pytest.fail("scored twice"))
    reproduce(shop, load_model(convolutional.model), 2)
    assert not [line for line in said if "teaching" in line or "searching" in line]
