"""From a shard to rows: the same as one document at a time, and whatever fails says why."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batch_builders import make_text, shard_of
from builders import texts
from fragile import GREEDY, fragile
from mls import Summarizer
from mls.batch.plan import Plan
from mls.batch.rows import COLUMNS, check_names
from mls.batch.shards import Shard
from mls.batch.time_limit import TooSlowError, time_limit
from mls.batch.writer import ShardWriter
from mls.corpora.documents import Entry
from mls.errors import MlsError
from mls.explain.as_json import to_dict

PLAN = Plan(budgets=("1/4", "12 words"))


def rows_of(writer: ShardWriter, shard: Shard) -> list[dict[str, Any]]:
    return [json.loads(line) for line in writer.part(shard).splitlines()]


def texts_of(rows: Sequence[dict[str, Any]]) -> list[object]:
    return [row["error"] or row["summary"] for row in rows]


SUMMARIZER = Summarizer(GREEDY)


@given(st.lists(st.one_of(texts, st.integers(0, 999).map(make_text)), min_size=1, max_size=4))
def test_rows_are_what_the_summarizer_says_of_each_document(documents: list[str]) -> None:
    expected = []
    for text in documents:
        try:
            expected += [summary.text for summary in SUMMARIZER.levels(text, PLAN.budgets)]
        except MlsError as error:
            expected.append(str(error))
    said = texts_of(rows_of(ShardWriter(SUMMARIZER, PLAN), shard_of(*documents)))
    assert said == [text.encode("utf-8", "replace").decode() for text in expected]


def test_a_row_tells_lengths_operations_and_sources() -> None:
    text = make_text(3)
    summary = SUMMARIZER.summarize(text, "1/2")
    (row,) = rows_of(ShardWriter(SUMMARIZER, Plan(("1/2",))), shard_of(text))
    assert tuple(row) == COLUMNS
    assert (row["id"], row["number"], row["error"], row["budget"]) == ("d1", 1, None, "1/2")
    assert (row["length"], row["limit"], row["unit"]) == (summary.length, summary.limit, "tokens")
    assert row["operations"] == [sentence.operation for sentence in summary.sentences]
    for sentence, spans in zip(summary.sentences, row["sources"], strict=True):
        assert " ".join(text[span["start"] : span["end"]] for span in spans) == sentence.text


def test_what_a_row_asks_is_asked_of_it() -> None:
    text = make_text(3, 12)
    entries = [replace(entry, about=about)
               for entry, about in zip(shard_of(text, text).entries, ("bridge", ""), strict=True)]  # fmt: skip
    rows = rows_of(ShardWriter(SUMMARIZER, Plan(("1/4",))), Shard(0, tuple(entries)))
    assert [row["about"] for row in rows] == ["bridge", None]
    assert [row["summary"] for row in rows] == [
        SUMMARIZER.summarize(text, "1/4", about=about).text for about in ("bridge", None)
    ]
    assert rows[0]["summary"] != rows[1]["summary"]


def test_the_trace_is_that_of_the_command() -> None:
    text = make_text(4)
    (row,) = rows_of(ShardWriter(SUMMARIZER, Plan(("1/4",), trace=True)), shard_of(text))
    assert row["trace"] == json.loads(json.dumps(to_dict(SUMMARIZER.summarize(text, "1/4"))))


def test_columns_can_be_called_otherwise() -> None:
    plan = replace(PLAN, names={"summary": "abstract", "id": "key"})
    row = rows_of(ShardWriter(SUMMARIZER, plan), shard_of(make_text(1)))[0]
    assert next(iter(row)) == "key"
    assert "abstract" in row
    for bad in ({"nose": "x"}, {"summary": "id"}, {"summary": ""}):
        with pytest.raises(MlsError, match="--columns"):
            check_names(bad)


HARD = [make_text(1), "", "RAISE it.", "LOOP it.", make_text(2)]


@pytest.mark.parametrize("careful", [False, True])
def test_what_fails_becomes_one_error_row_and_the_others_do_not_suffer(careful: bool) -> None:
    writer = ShardWriter(Summarizer(fragile()), replace(PLAN, seconds=0.2))
    shard = shard_of(*HARD)
    shard = replace(shard, entries=(*shard.entries, Entry(6, "bad", None, "not JSON")))
    announced: list[int | None] = []
    writer.watch = lambda document, seconds: announced.append(document)
    part = writer.part_one_by_one(shard, {5: "given up"}) if careful else writer.part(shard)
    said = texts_of([json.loads(line) for line in part.splitlines()])
    fine = [[summary.text for summary in SUMMARIZER.levels(text, PLAN.budgets)] for text in (HARD[0], HARD[-1])]
    assert said == [
        *fine[0],
        "the document is empty: it holds no word or punctuation mark to summarize",
        "ZeroDivisionError: division by zero",
        "it took longer than the 0.2 s of --seconds",
        *(["given up"] if careful else fine[1]),
        "not JSON",
    ]
    assert set(announced) == ({1, 2, 3, 4} if careful else {1, 2, 3, 4, 5, None})


def test_a_time_limit_does_not_strike_afterwards() -> None:
    for _ in range(200):
        try:
            with time_limit(0.001):
                sum(range(20_000))
        except TooSlowError:
            pass
    sum(range(1_000_000))


def test_the_shipped_network_writes_the_same_rows_as_one_document_at_a_time() -> None:
    summarizer = Summarizer()
    documents = [make_text(seed, 3 + seed) for seed in range(4)]
    said = texts_of(rows_of(ShardWriter(summarizer, Plan(("1/3",))), shard_of(*documents)))
    assert said == [summarizer.summarize(text, "1/3").text for text in documents]
