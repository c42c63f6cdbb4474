"""The JSON Schema of a trace, and real traces of every kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

import reference
from mls import Recipe, Summarizer, Summary
from mls.explain.as_json import SCHEMA, to_json
from mls.explain.check import check_reasons
from mls.methods import BASELINES

EXAMPLES = Path(__file__).parents[2] / "examples"
TRACE: dict[str, Any] = json.loads(reference.SCHEMA.read_text(encoding="utf-8"))


PILOT = (  # who `she` is, a name tells
    "Ada Brennan joined the harbour office in 1961 after leaving school. The town had hardly any ships in those days, "
    "and the harbour was full of mud. She steered the first steam ferry across the bay in 1987."
)


def text_of(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")


def summaries() -> Iterator[Summary]:
    """Of every decoder, every kind of ending and every option that leaves a mark in the trace."""
    news, meeting = text_of("news.txt"), text_of("kinds/meeting.txt")
    default = Summarizer()
    for text in (news, meeting):
        yield from default.levels(text, ["1/8", "60 chars", 3, "100%"])
    yield default.summarize(news, "1/8", about="the insurance", pin=[6], ban=[2])
    yield default.summarize(PILOT, "14 words", ban=[0])
    yield Summarizer({"headings": True}).summarize(text_of("kinds/readme.md"), "1/2")
    yield Summarizer("light").summarize(news, "1/8")
    yield from Summarizer("paper").levels(news, ["1/8", "1/4"])
    yield Summarizer(Recipe.of("paper").changed({"wording": "network"})).summarize(news, "1/16")
    yield from (make().summarize(news, "1/8") for make in BASELINES.values())


@cache
def traces() -> list[dict[str, Any]]:
    written = [summary.to_json() for summary in summaries()]
    summarizer = Summarizer("light")
    text = "It rained for three days. The match was called off. Nobody minded the rain."
    summary = summarizer.summarize(text, "1/2")
    return [json.loads(trace) for trace in (*written, to_json(summary, check_reasons(summarizer, summary)))]


def test_the_schema_is_one_and_of_this_version() -> None:
    jsonschema_rs.meta.validate(TRACE)
    assert TRACE["properties"]["schema"]["const"] == SCHEMA


def test_real_traces_are_as_the_schema_says() -> None:
    validator = jsonschema_rs.validator_for(TRACE)
    for trace in traces():
        errors = [f"{error.instance_path}: {error.message[:200]}" for error in validator.iter_errors(trace)]
        assert not errors


@pytest.mark.parametrize("change", [{"text": 3}, {"schema": 1}, {"surprise": 1}, {"length": None}])
def test_what_is_no_trace_is_found_out(change: dict[str, Any]) -> None:
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validate(TRACE, traces()[0] | change)


def test_every_field_is_described_once_and_seen() -> None:
    """No field is in the schema alone: each is in at least one trace."""
    seen = {name for trace in traces() for name in _names(trace)}
    for name, found in {"trace": TRACE, **TRACE["$defs"]}.items():
        assert found["description"].endswith(".")
        for field, said in found["properties"].items():
            assert said["description"].endswith("."), f"{name}.{field}"
            assert field in seen, f"no trace has {name}.{field}"
    page = reference.trace()
    assert all(f"\n## {name}\n" in page for name in TRACE["$defs"])


def _names(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _names(part)
