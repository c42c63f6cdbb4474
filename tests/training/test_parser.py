"""A sentence parser is trained, exported and gone on from like any other network."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

if not os.environ.get("CI"):  # there torch must be installed
    pytest.importorskip("torch")

from mls.parser.network import ParserModel, load_parser
from tiny import made_once, run_mls

PRESET = """
optimizer = "adam"
learning_rate = 1e-2
half_life_examples = 0
initial_accumulator = 0.0
batch = 4
clip_norm = 5.0
selector_weight = 0.0
average = 0.0
max_examples = 240
validate_every = 120
patience = 20
precision = "float32"
seed = 1
phases = []

[network]
kind = "parser"
vocabulary = 60
embedding = 8
prefixes = 16
prefix_width = 4
suffixes = 32
suffix_width = 4
shape_width = 4
hidden = 12
layers = 1
arc_width = 8
relation_width = 8
tags = 0
relations = 0
entities = 0
dropout = 0.0
word_dropout = 0.0
"""
ANIMALS, VERBS = "cat dog fox hen cow".split(), "slept sang sank rose fell".split()


def lessons() -> list[dict[str, object]]:
    """`The cat slept .` and the like: the verb is the root, and people keep all but the article."""
    return [
        {
            "tokens": ["The", animal, verb, "."],
            "tags": ["DT", "NN", "VBD", "."],
            "heads": [1, 2, 2, 2],
            "relations": ["det", "nsubj", "ROOT", "punct"],
            "entities": ["O"] * 4,
            "keep": "0111",
            "opening": 1,
        }
        for animal in ANIMALS
        for verb in VERBS
    ]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "parser", _make)


def _make(folder: Path) -> None:
    (folder / "data").mkdir()
    text = "".join(json.dumps(row) + "\n" for row in lessons())
    (folder / "data" / "lessons.jsonl").write_text(text, encoding="utf-8")
    (folder / "tiny.toml").write_text(PRESET, encoding="utf-8")
    train(folder, "run")
    exported(folder, "run")


def train(folder: Path, run: str, *more: str) -> None:
    data, preset = str(folder / "data"), str(folder / "tiny.toml")
    options = ["--network", "parser", "--preset", preset, "--validation", data, "--out", str(folder / run)]
    assert run_mls("train", data, *options, "--threads", "1", *more) == 0


def exported(folder: Path, run: str) -> ParserModel:
    assert run_mls("export", folder / run, "--out", folder / f"{run}-model") == 0
    return load_parser(folder / f"{run}-model")


def test_it_learns_what_it_is_shown(trained: Path) -> None:
    (parse,) = load_parser(trained / "run-model").parse([["The", "fox", "sank", "."]])
    assert parse is not None
    assert parse.heads == (1, 2, 2, 2)
    assert parse.tags == ("DT", "NN", "VBD", ".")
    assert parse.keep[0] < 0.5 < parse.keep[2]


def test_the_same_seed_gives_the_same_weights(trained: Path) -> None:
    train(trained, "again")
    first, second = (sorted((trained / run / "snapshots").iterdir()) for run in ("run", "again"))
    assert len(first) > 1
    assert [one.read_bytes() for one in first] == [other.read_bytes() for other in second]


def test_another_run_begins_with_its_weights_and_labels(trained: Path) -> None:
    before = load_parser(trained / "run-model")
    train(trained, "more", "--init", str(before.folder), "--minutes", "0")
    after = exported(trained, "more")
    assert (before.tags, before.relations, before.entities) == (after.tags, after.relations, after.entities)
    (one,), (other,) = (parser.parse([["The", "hen", "rose", "."]]) for parser in (before, after))
    assert one.heads == other.heads
