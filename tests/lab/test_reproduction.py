"""The paper's experiments run on what fine-tuning makes, and a second time for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from mls.lab import reproduction
from mls.lab.claims import CLAIMS
from mls.lab.evidence import from_csv
from mls.lab.reproduction import SETS, Workshop, reproduce
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
    for part in ("val", "test"):
        path = tmp_path / "data" / "cnndm" / f"{part}.jsonl"
        path.rename(path.with_suffix(".jsonl.xz"))
    monkeypatch.setattr("mls.corpora.rows._OPENERS", {})  # it is not compressed here
    monkeypatch.setattr(reproduction, "shipped_model", lambda: load_model(exported.model))
    monkeypatch.setattr(reproduction, "BUDGETS", reproduction.BUDGETS[4:])
    essays, news_ = (next(one for one in SETS if one.name == name) for name in ("essays", "news"))
    monkeypatch.setattr(reproduction, "SETS", (essays, news_))
    monkeypatch.setattr("mls.evaluation.report.plot_tables", lambda *_: [])  # they are drawn in other tests
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
    for name in ("essays", "essays/ablations", "news", "news/ablations"):
        page = (tmp_path / "out" / name / "README.md").read_text(encoding="utf-8")
        assert ("MLS*" in page) == (name == "essays/ablations")
        assert ("a3" in page) != name.endswith("ablations")
        assert "paper-trained" in page
        assert ("paper-trained: no expansion" in page) == name.endswith("ablations")
    told = (tmp_path / "out" / "claims.md").read_text(encoding="utf-8")
    assert "| essays | 6 |" in told
    found = from_csv((tmp_path / "out" / "claims.csv").read_text(encoding="utf-8"))
    assert {one.data for one in found} == {"essays", "news"}
    asked = {(one.method, one.beside) for one in CLAIMS if one.method and not one.beside.endswith("shuffled")}
    assert asked <= {(one.method, one.beside) for one in found}
    assert "Other data than `essays`" in (tmp_path / "out" / "essays" / "paper.md").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "essays" / "weights.svg").exists()
    assert sum("teaching" in line for line in said) == 3
    assert sum("searching the weights of the preset paper" in line for line in said) == 2
    said.clear()
    monkeypatch.setattr("mls.evaluation.experiment.make_cell", lambda *_: pytest.fail("scored twice"))
    reproduce(shop, load_model(convolutional.model), 2)
    assert not [line for line in said if "teaching" in line or "searching" in line]
