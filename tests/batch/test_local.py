"""Worker processes: those that die are replaced, and a document that kills them is given up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from batch_builders import make_text, shard_of
from fragile import broken, fragile, stillborn
from mls.batch import local
from mls.batch.engine import Part
from mls.batch.local import LocalEngine
from mls.batch.plan import Plan
from mls.batch.shards import Shard
from mls.batch.writer import ShardWriter
from mls.errors import MlsError
from mls.recipe import Recipe
from mls.summarizer import Summarizer

PLAN = Plan(("1/2",), seconds=1.0)


def parts(recipe: Recipe, *shards: Shard, workers: int = 1, plan: Plan = PLAN) -> dict[int, list[dict[str, Any]]]:
    found: list[Part] = list(LocalEngine(workers).parts(recipe, plan, iter(shards)))
    assert len(found) == len(shards)
    return {part.index: [json.loads(line) for line in part.rows.splitlines()] for part in found}


def test_workers_give_what_a_writer_here_gives() -> None:
    shards = [shard_of(*(make_text(10 * index + n) for n in range(3)), index=index) for index in range(5)]
    here = ShardWriter(Summarizer(fragile()), PLAN)
    expected = {shard.index: [json.loads(line) for line in here.part(shard).splitlines()] for shard in shards}
    assert parts(fragile(), *shards, workers=2) == expected


def test_a_document_that_kills_its_workers_is_given_up() -> None:
    good, bad = make_text(1), "DIE here."
    rows = parts(fragile(), shard_of(good, bad, good), shard_of(good, index=1))
    assert [row["error"] for row in rows[0]] == [None, "its worker died 3 times (exit code -9)", None]
    assert [row["error"] for row in rows[1]] == [None]


def test_a_document_that_hangs_where_nothing_can_interrupt_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_GRACE", 0.2)
    rows = parts(fragile(), shard_of(make_text(1), "HANG on."), plan=replace(PLAN, seconds=0.5))
    assert [row["error"] and row["error"][:22] for row in rows[0]] == [None, "it took much longer th"]


def test_a_model_that_can_not_be_loaded_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MlsError, match="there is no model folder"):
        parts(broken(tmp_path), shard_of(make_text(1)))


def test_workers_that_never_start_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_FAILED_STARTS", 2)
    with pytest.raises(MlsError, match=r"workers die as they start \(exit code -9\)"):
        parts(stillborn(), shard_of(make_text(1)))
