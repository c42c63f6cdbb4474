"""The proof is a proof: whatever is changed in a trace, `examples/replay.py` finds it out."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from proof import growing
from replay import MismatchError, replay

from benchmark import benchmark
from mls import Summarizer
from mls.baselines.floor import lead

RAIN = "It rained all day. The match was called off. Nobody minded."
FORGERIES = benchmark("forgeries")
ROOT = Path(__file__).parent.parent.parent
POSITIONS = 1  # of each field and mode that are forged here; benchmarks/forgeries.py forges more, or all


@cache
def trace_of(name: str) -> dict[str, Any]:
    return dict(FORGERIES.trace_of(name))


def test_every_mode_is_there() -> None:
    traces = [trace_of(name) for name in FORGERIES.modes()]
    operations = {step["operation"] for trace in traces for step in trace["steps"]}
    assert operations == {"copy", "brief", "expand", "pass", "shorten", "keyphrase", "title", "document"}
    assert {trace["recipe"]["wording"] for trace in traces} == {"forms", "source", "network", "draft"}
    drafts = [trace["prototype"] for trace in traces if trace["prototype"]]
    assert any(draft["again"] for draft in drafts)
    assert any(sentence["replaced"] for draft in drafts for sentence in draft["sentences"])


@pytest.mark.parametrize("name", FORGERIES.modes())
def test_every_field_is_forged_and_found_out(name: str) -> None:
    trace = trace_of(name)
    replay(trace)
    tried = list(FORGERIES.tried(trace, POSITIONS))
    assert len(tried) > 200
    passed = [f"{field} {how}" for field, how, found in tried if not found]
    assert [place for place in passed if not FORGERIES.TRUSTED.search(place)] == []
    assert len([place for place in passed if not place.startswith(("check", "liked"))]) < 0.02 * len(tried)


def test_what_is_trusted_is_a_short_list_in_the_docs() -> None:
    told = (ROOT / "docs" / "proof.md").read_text(encoding="utf-8")
    fields = FORGERIES.BELIEVED
    assert len(fields) <= 18
    for field in fields:
        assert f"`{field}`" in told


def test_a_check_that_does_not_add_up_is_found_out() -> None:
    """Which sentences go and come is believed; that only those can that are there, and those that are not, is not."""
    trace = trace_of("default, checked for its reasons")
    heads, sentences = trace["check"]["heads"], trace["check"]["sentences"]
    assert any(one["lost"] or one["gained"] for one in (*heads, *sentences))
    chosen = [one["sentence"] for one in sentences]
    weightless = next(place for place, one in enumerate(heads) if not trace["weights"][one["head"]])
    for part, place, name, value in (
        ("heads", 0, "gained", [chosen[0]]),
        ("heads", 0, "gained", [999]),
        ("heads", 0, "kept", len(chosen) + 1),
        ("heads", 0, "head", "taste"),
        ("heads", weightless, "gained", [next(i for i in range(len(trace["units"])) if i not in chosen)]),
        ("sentences", 0, "lost", [chosen[0]]),
        ("sentences", 0, "gained", [chosen[-1]]),
        ("sentences", 0, "sentence", 999),
    ):
        forged = json.loads(json.dumps(trace))
        forged["check"][part][place][name] = value
        with pytest.raises(MismatchError):
            replay(forged)


def test_scores_of_heads_without_weight_are_computed_again() -> None:
    """A forger who changes the local attention as well is still found out where scores follow from words."""
    for head in ("keywords", "position", "centrality"):
        trace = json.loads(json.dumps(trace_of("default")))
        scores = [unit["scores"][head] for unit in trace["units"]]
        scores[3] *= 1.5
        for unit, score in zip(trace["units"], scores, strict=True):
            unit["scores"][head], unit["local"][head] = score, score / sum(scores)
        with pytest.raises(MismatchError, match=f"^{head} of unit 3"):
            replay(trace)


def test_a_line_that_breaks_off_goes_on_below() -> None:
    text = (
        "The council of the town bought a ferry for the\nriver on Monday.\n\nThe old boat leaked, and nobody minded.\n"
    )
    for budget in ("12 tokens", "20 tokens"):
        replay(json.loads(Summarizer("light").summarize(text, budget).to_json()))


def test_a_baseline_has_nothing_to_replay() -> None:
    with pytest.raises(MismatchError, match="a baseline's trace"):
        replay(lead().summarize(RAIN, "1/2").to_dict())


def test_what_is_no_trace_is_told_in_one_line() -> None:
    trace = (
        Summarizer("light").summarize("It rained all day. The match was called off. Nobody minded.", "1/2").to_dict()
    )
    for wrong in ({}, trace | {"units": None}, trace | {"schema": 2}, trace | {"steps": [{}]}):
        with pytest.raises(MismatchError) as told:
            replay(wrong)
        assert "\n" not in str(told.value)


def test_what_comes_in_whole_counts_for_its_value_to_the_last_digit() -> None:
    """A last digit decides between two that are wanted alike."""
    whole = {"share": 1.0, "sure": 1.0}
    for worth in (0.1, 0.3, 0.7, 1 / 3, 0.0123, 0.999):
        grown = SimpleNamespace(
            forms={1: whole}, unit="tokens", rules={"first_power": 0.1}, worth=[worth], gain_power=0.0,
            unheard=lambda index: 1, answers_leaning_on=lambda index: [],
        )  # fmt: skip
        for value in (1.970888925329298, 0.1 + 0.2, 2 / 3):
            assert growing.Growing.counts(grown, 0, value, {0: whole}, None, 500) == value
