"""Experiments: nothing is scored twice, nothing scored is lost, and the tables say what was scored."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.pairs import record
from mls.budget import Budget
from mls.errors import MlsError
from mls.evaluation import experiment as experiments
from mls.evaluation.cells import CellStore
from mls.evaluation.experiment import Experiment, run_experiment
from mls.evaluation.foreign import with_foreign
from mls.evaluation.report import write_report
from mls.evaluation.tables import as_csv, as_latex, as_markdown, tables_of
from mls.methods import NAMES, MethodSettings, method_settings
from mls.model import shipped_model
from mls.recipe import Recipe

pytest.importorskip("rouge_score")
BUDGETS = [Budget.parse(share) for share in ("1/8", "1/2")]
RECORDS = [record(number) for number in range(5)]
CHEAP = [method_settings(name) for name in ("mls-greedy", "lead", "random", "a1", "a2", "oracle")]


def run(folder: Path, methods: list[MethodSettings] = CHEAP, workers: int = 1) -> Experiment:
    return run_experiment(methods, RECORDS, BUDGETS, folder, workers)


def same(one: Experiment, other: Experiment) -> bool:
    return repr(one) == repr(other)  # for what is no number is not equal to itself


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    return run(tmp_path_factory.mktemp("cells"))


def test_no_method_exceeds_a_budget_and_the_oracle_is_the_ceiling(whole: Experiment) -> None:
    for column in range(len(BUDGETS)):
        for method in whole.methods:
            assert max(whole.values(method, column, "violation")) == 0
        ceiling = whole.estimate("oracle", column, "rouge1").mean
        assert all(whole.estimate(method, column, "rouge1").mean <= ceiling for method in whole.methods)
        assert whole.best(column, "rouge1", whole.methods) != "oracle"


def test_a_variant_of_the_first_method_is_its_rival_only_where_there_is_no_other(
    tmp_path: Path, whole: Experiment
) -> None:
    twin = replace(CHEAP[0], label="twin")
    beside = run(tmp_path, [*CHEAP, twin])
    alone = run(tmp_path, [CHEAP[0], twin])
    for column in range(len(BUDGETS)):
        assert beside.against_best_rival("mls-greedy", column, "rouge1") == whole.against_best_rival(
            "mls-greedy", column, "rouge1"
        )
        rival, comparison = alone.against_best_rival("mls-greedy", column, "rouge1") or pytest.fail("no rival")
        assert (rival, comparison.difference) == ("twin", 0.0)


def test_what_is_scored_is_not_scored_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(tmp_path)
    monkeypatch.setattr(experiments, "make_cell", lambda *_: pytest.fail("scored twice"))
    assert same(run(tmp_path), first)


def test_a_kill_in_the_middle_loses_nothing(tmp_path: Path, whole: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    made = experiments.make_cell
    left = [7]

    def dying(*arguments: object) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return made(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(experiments, "make_cell", dying)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path)
    kept = sum(len(CellStore(tmp_path, settings, BUDGETS).read()) for settings in CHEAP)
    assert kept == 7
    torn = next(path for path in tmp_path.iterdir() if path.stat().st_size)
    with torn.open("a", encoding="utf-8") as file:
        file.write('{"key": "half a li')
    monkeypatch.setattr(experiments, "make_cell", made)
    assert same(run(tmp_path), whole)
    assert same(run(tmp_path), whole)


def test_two_processes_make_the_same(tmp_path: Path, whole: Experiment) -> None:
    two = run(tmp_path, CHEAP[:2], workers=2)
    assert same(two, replace(whole, cells={name: whole.cells[name] for name in two.methods}))


def test_other_settings_are_other_cells(tmp_path: Path) -> None:
    plain = method_settings("mls-greedy")
    weighed = MethodSettings("mls-greedy", "mls", Recipe.of("light"))
    assert CellStore(tmp_path, plain, BUDGETS).path != CellStore(tmp_path, weighed, BUDGETS).path
    assert CellStore(tmp_path, plain, BUDGETS).path != CellStore(tmp_path, plain, BUDGETS[:1]).path


def test_tables_agree_with_the_experiment(whole: Experiment, tmp_path: Path) -> None:
    tables = tables_of(whole)
    (rouge1,) = (table for table in tables if table.metric.name == "rouge1")
    assert list(rouge1.rows) == whole.methods
    assert [entry.is_best for entries in rouge1.rows.values() for entry in entries].count(True) == len(BUDGETS)
    mean = whole.estimate("lead", 0, "rouge1").mean
    assert f"rouge1,lead,1/8,{mean:.6f}," in as_csv(tables)
    for text in (as_markdown(tables), as_latex(tables)):
        assert f"{100 * mean:.1f}" in text
    assert as_markdown(tables).count("**ROUGE-1, in percent") == 1
    write_report(whole, tmp_path, "Towns", "mls evaluate ...", "towns")
    assert {"README.md", "tables.csv", "tables.tex", "rouge1.svg"} <= {path.name for path in tmp_path.iterdir()}
    assert "5 documents" in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_somebody_elses_summaries_are_scored_alike(whole: Experiment, tmp_path: Path) -> None:
    path = tmp_path / "theirs.jsonl"
    rows = [
        {"id": cell.record, "budget": str(budget), "summary": one.text}
        for cell in whole.cells["lead"]
        for budget, one in zip(BUDGETS, cell.summaries, strict=True)
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    both = with_foreign(whole, path, RECORDS)
    for column in range(len(BUDGETS)):
        for metric in ("rouge1", "topics", "fill", "violation"):
            assert repr(both.values("theirs", column, metric)) == repr(both.values("lead", column, metric))
    path.write_text(json.dumps(rows[0]), encoding="utf-8")
    with pytest.raises(MlsError, match="has no summary of 'r0' for the budget 1/2"):
        with_foreign(whole, path, RECORDS)


def test_a_summary_that_breaks_its_budget_is_marked_and_beats_nobody(whole: Experiment, tmp_path: Path) -> None:
    path = tmp_path / "theirs.jsonl"
    rows = [{"id": one.id, "summary": one.summary + " And so on." * 200} for one in RECORDS[:1]]
    rows += [{"id": one.id, "summary": one.summary} for one in RECORDS[1:]]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    unfair = with_foreign(whole, path, RECORDS)
    (table,) = tables_of(unfair, ["rouge1"])
    for column, entry in enumerate(table.rows["theirs"]):
        assert unfair.over_budget("theirs", column) == entry.over_budget >= 1
        assert unfair.estimate("theirs", column, "rouge1").mean > unfair.estimate("lead", column, "rouge1").mean
        assert not entry.is_best
        assert entry.shown(table.metric).endswith("(over)")
        assert "theirs" not in table.against[column]
    assert as_markdown([table]).startswith("(over): some of these summaries")
    assert not any(entry.over_budget for entry in table.rows["lead"])
    assert "(over)" not in as_markdown(tables_of(whole))
    assert "(over)" in as_latex([table])
    assert as_csv([table]).splitlines()[-1].endswith(f",0,{table.rows['theirs'][-1].over_budget}")


@pytest.mark.parametrize("name", ["lead", "oracle"])
def test_foreign_summaries_take_no_method_s_place(whole: Experiment, tmp_path: Path, name: str) -> None:
    with pytest.raises(MlsError, match=f"would be called {name}, as a method is already"):
        with_foreign(whole, tmp_path / f"{name}.jsonl", RECORDS)


def test_a_summary_may_hold_any_end_of_line(whole: Experiment, tmp_path: Path) -> None:
    rows = [{"id": one.id, "summary": "One line.\u2028Another.\x85A third."} for one in RECORDS]
    path = tmp_path / "theirs.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    cells = with_foreign(whole, path, RECORDS).cells["theirs"]
    assert cells[0].summaries[0].text == rows[0]["summary"]
    store = CellStore(tmp_path / "cells", method_settings("lead"), BUDGETS)
    store.add("a", cells[0])
    assert store.read()["a"].summaries[0].text == rows[0]["summary"]


@pytest.mark.parametrize("line", ["not json", '{"id": 1}', "[]", '{"id": "r0", "summary": 3}'])
def test_bad_foreign_summaries_are_refused_with_their_line(whole: Experiment, tmp_path: Path, line: str) -> None:
    path = tmp_path / "theirs.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(MlsError, match=r"theirs\.jsonl:1"):
        with_foreign(whole, path, RECORDS)


def test_unknown_methods_are_refused_with_the_known_ones() -> None:
    with pytest.raises(MlsError, match="there is no method 'magic'; choose among: mls "):
        method_settings("magic")
    with pytest.raises(MlsError, match="mls train --network convolutional"):
        method_settings("a3")
    folder = str(shipped_model().folder)
    assert {method_settings(name, folder).label for name in NAMES} == set(NAMES)
    with pytest.raises(MlsError, match="there is no model folder somewhere"):
        method_settings("mls", "somewhere")


def test_a_recipe_is_that_of_mls_and_of_nobody_else() -> None:
    mine = Recipe.of("light").changed({"weights": {"position": 0.7}})
    assert method_settings("mls", recipe=mine).recipe == mine
    assert method_settings("mls-greedy", recipe=mine).recipe == mine
    assert method_settings("mls-network", recipe=Recipe.of("default")).recipe == Recipe.of({"wording": "network"})
    assert method_settings("paper", recipe=mine).recipe == Recipe.of("paper")
    assert method_settings("lead", recipe=mine) == method_settings("lead")
