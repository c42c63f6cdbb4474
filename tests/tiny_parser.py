"""A sentence parser so small that tests can train it. Needs torch."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mls.training import export
from tiny import made_once, run_mls

LAYERS = 2
PRESET = f"""
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
layers = {LAYERS}
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


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run, the model of it, and its graph before its products were of whole numbers."""
    return made_once(tmp_path_factory, "parser", _make)


def _make(folder: Path) -> None:
    (folder / "data").mkdir()
    text = "".join(json.dumps(row) + "\n" for row in lessons())
    (folder / "data" / "lessons.jsonl").write_text(text, encoding="utf-8")
    (folder / "tiny.toml").write_text(PRESET, encoding="utf-8")
    train(folder, "run")
    whole = export.use_whole_products
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            export, "use_whole_products", lambda path: (shutil.copy(path, folder / "fractions.onnx"), whole(path))
        )
        assert run_mls("export", folder / "run", "--out", folder / "run-model") == 0


def train(folder: Path, run: str, *more: str) -> None:
    data, preset = str(folder / "data"), str(folder / "tiny.toml")
    options = ["--network", "parser", "--preset", preset, "--validation", data, "--out", str(folder / run)]
    assert run_mls("train", data, *options, "--threads", "1", *more) == 0
