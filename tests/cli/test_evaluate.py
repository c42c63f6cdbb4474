"""`mls evaluate` and `mls tune` as a user meets them."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from evaluation.pairs import write_pairs
from mls import Recipe
from mls.cli.main import main

pytest.importorskip("rouge_score")
COMMON = ("--methods", "mls-greedy,lead", "--budgets", "1/8,1/4", "--workers", "1")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("MLS_WORK", str(tmp_path / "work"))

    def call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mls", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        captured = capsys.readouterr()
        return int(stop.value.code or 0), captured.out, captured.err

    return call


def test_a_table_json_and_a_report(tmp_path: Path, run) -> None:  # type: ignore[no-untyped-def]
    data = write_pairs(tmp_path / "towns.jsonl", 4)
    code, out, _ = run(
        "evaluate", "--data", data, *COMMON, "--report", tmp_path / "report", "--json", tmp_path / "all.json"
    )
    assert code == 0
    assert "towns.jsonl: 4 documents" in out
    assert "ROUGE-1, in percent (more is better)" in out
    assert "mls-greedy - best rival" in out
    found = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    assert found["documents"] == 4
    assert len(found["summaries"]) == 4 * 2 * 2
    assert (tmp_path / "report" / "README.md").exists()
    code, out, _ = run("evaluate", "--data", data, *COMMON, "--json", "-")
    assert json.loads(out)["figures"] == found["figures"]


BAD = ("not json", '{"id": "x", "document": "It rained."}', '{"id": "y", "document": "It rained.", "summary": " "}')
TWICE = '{"id": "r0", "document": "It rained.", "summary": "Rain."}'


def test_bad_records_are_named_and_skipped(tmp_path: Path, run) -> None:  # type: ignore[no-untyped-def]
    data = write_pairs(tmp_path / "towns.jsonl", 2, *BAD, TWICE)
    code, out, err = run("evaluate", "--data", data, *COMMON)
    assert code == 0
    assert "2 documents" in out
    for line in (3, 4, 5, 6):
        assert f"skipped {data}:{line}: " in err
    assert "4 records skipped in all" in err


@pytest.mark.parametrize("line", [*BAD, TWICE])
def test_strict_refuses_them(tmp_path: Path, run, line: str) -> None:  # type: ignore[no-untyped-def]
    data = write_pairs(tmp_path / "towns.jsonl", 2, line)
    code, _, err = run("evaluate", "--data", data, *COMMON, "--strict")
    assert code == 2
    assert f"{data}:3: " in err
    assert "--strict" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--methods", "magic"), "there is no method 'magic'"),
        (("--metrics", "beauty"), "there is no metric 'beauty'"),
        (("--budgets", ","), "names no budget"),
        (("--methods", "a3"), "mls train --network convolutional"),
        (("--limit", "0"), "0 is not in the range"),
    ],
)
def test_mistakes_are_one_sentence(tmp_path: Path, run, arguments: tuple[str, str], said: str) -> None:  # type: ignore[no-untyped-def]
    code, _, err = run("evaluate", "--data", write_pairs(tmp_path / "towns.jsonl", 1), *arguments)
    assert code == 2
    assert said in err


def test_tuning_writes_a_model_folder(tmp_path: Path, run) -> None:  # type: ignore[no-untyped-def]
    data = write_pairs(tmp_path / "towns.jsonl", 2)
    out = tmp_path / "tuned"
    code, told, err = run(
        "tune", data, "--prototype", "greedy", "--budgets", "1/4", "--out", out, "--plot", tmp_path / "w.png"
    )
    assert code == 0, err
    weights = json.loads((out / "config.json").read_text(encoding="utf-8"))["recipe"]["weights"]
    for name, expected in (("before", Recipe.of("default").weights), ("chosen", weights)):
        written = ", ".join(f"{head} {weight:.2f}" for head, weight in expected.items())
        assert re.search(rf"^  {name} +[\d.]+  {re.escape(written)}$", told, re.MULTILINE)
    assert re.search(r"^  best of \d+ +[\d.]+  importance ", told, re.MULTILINE)
    assert sum(weights.values()) == pytest.approx(1)
    code, _, err = run("tune", data, "--prototype", "greedy", "--budgets", "1/4", "--out", out)
    assert code == 2
    assert "is there already" in err
    code, _, _ = run("summarize", Path("examples/news.txt"), "--model", out, "--budget", "1/8")
    assert code == 0
