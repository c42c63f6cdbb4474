"""The paper's claims: what is found is told, with its interval, and what is not there leaves a gap and no number."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import claims as tool
from mls.budget import Budget
from mls.corpora.records import Record
from mls.evaluation.cells import Cell, Scored
from mls.evaluation.experiment import Experiment
from mls.evaluation.metrics import METRICS
from mls.lab.claims import CLAIMS, TABLE_1, page, signs, table
from mls.lab.evidence import ABLATED, BASELINES, OURS, TRAINED, Evidence, Finding, as_csv, findings, from_csv

BUDGETS = tuple(Budget.parse(share) for share in ("1/32", "1/16", "1/8", "1/4", "1/2"))
METHODS = (OURS, TRAINED, "a1", "a2", "a3", "lead")
PARTS = ("MLS*: not pretrained", "not fine-tuned", "MLS+: a greedy draft", "no expansion", "runs of one sentence",
         "topics shuffled", "keywords shuffled", "redundancy shuffled")  # fmt: skip
WEIGHTS = {"topics": 0.5, "keywords": 0.7, "redundancy": -0.2}
Scores = dict[str, list[list[float]]]  # by method: of each document, a figure a budget


def experiment(scores: Scores, metrics: tuple[str, ...] = tuple(METRICS)) -> Experiment:
    """All metrics of a summary are the same figure, turned round where less is better; none is over budget."""

    def scored(figure: float) -> Scored:
        fair = {name: figure if METRICS[name].better >= 0 else 1 - figure for name in metrics}
        return Scored("", fair | {"violation": 0.0})

    cells = {
        method: tuple(Cell(str(number), tuple(map(scored, one))) for number, one in enumerate(documents))
        for method, documents in scores.items()
    }
    number = max(map(len, scores.values()), default=0)
    return Experiment(BUDGETS, tuple(map(str, range(number))), cells, frozenset({OURS}))


def evidence(main: Scores, parts: Scores, weights: dict[str, float] = WEIGHTS) -> Evidence:
    records = [Record("1", "It rained. Nobody minded.", "Rain.")]
    return Evidence("essays", "D2", records, experiment(main), experiment(parts, ABLATED), weights)


def flat(figure: float) -> list[list[float]]:
    return [[figure + 0.001 * number] * len(BUDGETS) for number in range(4)]


BEST = evidence(
    {name: flat(0.6 if name in (OURS, TRAINED) else {"a3": 0.3, "a2": 0.2}.get(name, 0.1)) for name in METHODS},
    {TRAINED: flat(0.6)} | {f"{TRAINED}: {part}": flat(0.5) for part in PARTS},
)


def test_every_claim_is_asked_and_so_where_it_is_so() -> None:
    rows = {line.split(" | ")[0][2:]: line.split(" | ")[1:] for line in table(list(findings(BEST))).splitlines()}
    assert len({claim.says for claim in CLAIMS}) == len(CLAIMS) == len(rows) - 2
    not_so = ["more is", "at larger budgets", "at small lengths", "coherence is further off", "people"]
    for claim in CLAIMS:
        verdict, cell = rows[claim.says][:2]
        assert verdict != "not measured", claim
        assert cell or not claim.method, claim
        assert verdict.startswith("**so**") != any(part in claim.says for part in not_so), (claim.says, verdict)


def test_who_is_behind_is_told_so() -> None:
    worse = {name: flat(0.2 if name in (OURS, TRAINED) else 0.6) for name in METHODS}
    told = table(list(findings(evidence(worse, {}, {}))))
    assert (
        "| Table 2: ahead of the best of A1-A3, ROUGE-1 | **not so**: ahead at 0 of 5, behind at 5 | - - - - - |"
        in told
    )
    assert (
        "| section 3 D: above 1/32 level with A3 or ahead, ROUGE-1 | **not so**: behind at 4 of 4 | - - - - |" in told
    )
    assert "| Fig. 5: pretraining is worth something (MLS*), ROUGE-1 | not measured |  |" in told


_FIGURES = st.one_of(st.floats(0.01, 1), st.just(math.nan))


@given(st.data())
@settings(max_examples=25)  # each has eighty figures, and takes a tenth of a second
def test_what_has_no_value_leaves_a_gap_and_no_number(data: st.DataObject) -> None:
    drawn = st.lists(st.lists(_FIGURES, min_size=5, max_size=5), min_size=2, max_size=2)
    main = {name: data.draw(drawn) for name in METHODS}
    parts = {name: data.draw(drawn) for name in (TRAINED, f"{TRAINED}: no expansion")}
    one = evidence(main, parts)
    found = list(findings(one))
    assert from_csv(as_csv(found)) == [_rounded(each) for each in found]
    for text in (page([one], found, "mls reproduce", ""), as_csv(found)):
        assert "nan" not in text.lower().replace("finance", "")
    for each in found:
        if each.difference is not None and each.low is not None and each.high is not None:
            assert each.low - 1e-9 <= each.difference <= each.high + 1e-9
            assert each.sign == ("+" if each.low > 0 else "-" if each.high < 0 else "=")
            better = METRICS[each.metric].better
            assert each.theirs is not None
            assert each.difference == pytest.approx(better * (each.ours - each.theirs))


def _rounded(one: Finding) -> Finding:
    return from_csv(as_csv([one]))[0]


def test_a_budget_without_a_value_keeps_its_place() -> None:
    main = {name: [[0.5, 0.5, math.nan, 0.5, 0.5]] * 2 for name in METHODS}
    found = [one for one in findings(evidence(main, {}, {})) if (one.method, one.beside) == (OURS, BASELINES)]
    there = {one.budget: one for one in found if one.metric == "rouge1"}
    assert signs([there.get(str(budget)) for budget in BUDGETS]) == "= = · = ="


def test_no_verdict_from_some_of_the_signs() -> None:
    found = [replace(one, sign="") if one.budget == "1/8" else one for one in findings(BEST)]
    rows = [line for line in table(found).splitlines() if "Table 2: ahead" in line]
    assert len(rows) == 4
    assert all("| not measured | + + · + + |" in row for row in rows)


def test_the_page_has_the_papers_table_1_and_a_section_a_set() -> None:
    told = page([BEST], list(findings(BEST)), "mls reproduce --data DATA", "All had 7 examples.")
    assert f"| the paper's D2 | {' | '.join(map(str, TABLE_1['D2']))} |" in told
    assert "## Essays: 4 documents, 4 for what a part is worth" in told
    assert "| `a3` beside the best of A1 and A2: METEOR | + + + + + |" in told
    assert "| `paper-trained` beside keywords shuffled: difference in coherence | + + + + + |" in told


@pytest.mark.parametrize("shown", tool.PAGES, ids=lambda one: one.relative_to(tool.ROOT).as_posix())
def test_pages_show_the_claims_as_they_are(shown: Path) -> None:
    """`python tools/claims.py --write` renews them."""
    text = shown.read_text(encoding="utf-8")
    assert tool.BEGIN in text
    assert tool.renewed(shown) == text
