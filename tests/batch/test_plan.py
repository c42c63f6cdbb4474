"""What decides the output is noted, so that a change of it can be told."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

from mls.batch.parts import Manifest
from mls.batch.plan import Plan, settings_of
from mls.corpora.documents import Columns
from mls.folders import write_config
from mls.model import shipped_model
from mls.recipe import FIELDS, Recipe


def manifest(plan: Plan, recipe: Recipe, columns: Columns = Columns()) -> Manifest:
    return Manifest(settings_of(plan, columns, recipe), 1, ("a",))


CHANGES = {
    "weights": {"topics": 0.5},
    "prototype": "greedy",
    "wording": "draft",
    "sizes": [2],
    "order": "prototype",
    "embedding": "doc2vec",
    "kind": "notes",
    "headings": True,
    "about": "the ferry",  # which brings a head along, so that the weights change too
}


def test_every_change_of_settings_is_told() -> None:
    recipe = Recipe.of("default")
    before = manifest(Plan(), recipe)
    assert before.changes(manifest(Plan(), recipe)) == []
    changes = {"budgets": ("1/8",), "trace": True, "longest": 5, "seconds": 1.0, "names": {"id": "key"}}
    for name, value in changes.items():
        (told,) = before.changes(manifest(replace(Plan(), **{name: value}), recipe))
        assert " was " in told
    assert before.changes(manifest(Plan(), recipe, Columns("key", "body"))) == [
        "--text-field was document and is body",
        "--id-field was id and is key",
    ]


def test_every_change_of_the_recipe_is_told() -> None:
    recipe = Recipe.of("default")
    assert set(CHANGES) == set(FIELDS) - {"model"}
    for name, value in CHANGES.items():
        told = manifest(Plan(), recipe).changes(manifest(Plan(), recipe.changed({name: value})))
        assert [line.split(" was ")[0] for line in told] == [*(["--weights"] if name == "about" else []), f"--{name}"]


def test_a_model_that_was_trained_further_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(shipped_model().folder, folder)
    recipe = replace(Recipe.of("default"), model=str(folder))
    before = manifest(Plan(), recipe)
    assert before.changes(manifest(Plan(), Recipe.of("default"))) == []  # the same model, lying elsewhere
    with (folder / "vocabulary.txt").open("a") as file:
        file.write("more\n")
    write_config(folder, json.loads((folder / "config.json").read_text(encoding="utf-8")))
    os.utime(folder / "README.md")
    assert before.changes(manifest(Plan(), recipe)) == ["the model's files changed"]
