"""Every part of a recipe can be set from everywhere, and means the same everywhere.

Python, the command line, the service, a job over many documents and a model folder: one table, a row for each field.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from mls import Recipe, Summarizer
from mls.cli.main import app, main
from mls.folders import write_config
from mls.model import shipped_model
from mls.recipe import FIELDS
from mls.serve.app import create_app
from mls.serve.limits import Limits

TEXT = (Path(__file__).parent.parent / "examples" / "story.txt").read_text(encoding="utf-8")
BUDGET = "1/5"
MODEL = "a folder that the test makes"
# A value that is not the default for each field, and what else must be so for it to change the summary.
CASES: dict[str, Any] = {
    "weights": {"position": 0.6},
    "prototype": "greedy",
    "wording": "network",
    "sizes": [4, 3, 2],
    "order": "prototype",
    "embedding": "doc2vec",
    "kind": "notes",
    "headings": True,
    "model": MODEL,
    "about": "Who gave Ray the recipe?",
}
_DRAFTED = {"prototype": "pg-network", "wording": "source"}
_UNCHECKED = {"prototype": "pg-network", "wording": "draft", "order": "prototype"}
BESIDE: dict[str, dict[str, Any]] = {
    "sizes": {**_DRAFTED, "order": "prototype"},
    "order": _DRAFTED,
    "model": _UNCHECKED,
    "embedding": {"weights": {"centrality": 0.6}},
}
Changes = dict[str, Any]
Trace = dict[str, Any]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model that drafts less than the shipped one."""
    here = tmp_path_factory.mktemp("models") / "brief"
    return model_folder(here, search={"shortest": 10, "longest": 20}, recipe=_UNCHECKED)


def model_folder(here: Path, **parts: Changes) -> str:
    shutil.copytree(shipped_model().folder, here)
    config = json.loads((here / "config.json").read_text(encoding="utf-8"))
    for name, values in parts.items():
        config[name] |= values
    write_config(here, config)
    return str(here)


@pytest.fixture(scope="module")
def service() -> Iterator[TestClient]:
    with TestClient(create_app(Limits(workers=1))) as client:
        yield client


@pytest.fixture(scope="module")
def service_with_model(model: str) -> Iterator[TestClient]:
    with TestClient(create_app(Limits(workers=1), Recipe.of("default").changed({"model": model}))) as client:
        yield client


def options(changes: Changes) -> list[str]:
    """The same on the command line."""

    def written(value: Any) -> str:
        if isinstance(value, dict):
            return ",".join(f"{name}={number}" for name, number in value.items())
        return ",".join(map(str, value)) if isinstance(value, list) else str(value)

    given = {name: [f"--{name}"] if value is True else [f"--{name}", written(value)] for name, value in changes.items()}
    return [part for parts in given.values() for part in parts]


def mls(*arguments: object) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["mls", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
    assert not stop.value.code


def by_python(changes: Changes) -> Trace:
    return _by_python(json.dumps(changes), TEXT, BUDGET)


@cache
def _by_python(changes: str, text: str, budget: str) -> Trace:
    recipe = Recipe.of("default").changed(json.loads(changes))
    return dict(json.loads(Summarizer(recipe).summarize(text, budget).to_json()))


def by_command(given: list[str], here: Path) -> Trace:
    (here / "story.txt").write_text(TEXT, encoding="utf-8")
    mls("summarize", here / "story.txt", "--budget", BUDGET, "--json", "-o", here / "one.json", *given)
    return dict(json.loads((here / "one.json").read_text(encoding="utf-8")))


def by_service(client: TestClient, changes: Changes) -> Trace:
    return dict(client.post("/api/summarize", json={"text": TEXT, "budget": BUDGET} | changes).json())


def by_batch(given: list[str], here: Path) -> Trace:
    (here / "in.jsonl").write_text(json.dumps({"id": "a", "document": TEXT}), encoding="utf-8")
    out = here / "out.jsonl"
    mls("batch", here / "in.jsonl", "-o", out, "--budget", BUDGET, "--trace", "--workers", 1, *given)
    return dict(json.loads(out.read_text(encoding="utf-8"))["trace"])


def by_model_folder(changes: Changes, here: Path) -> Trace:
    folder = changes.get("model") or model_folder(here / "model", recipe=changes)
    return dict(json.loads(Summarizer.from_pretrained(folder).summarize(TEXT, BUDGET).to_json()))


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_means_the_same_everywhere(
    field: str,
    model: str,
    service: TestClient,
    service_with_model: TestClient,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if field == "headings":  # which the story has not, nor any shorter summary
        monkeypatch.setattr(sys.modules[__name__], "BUDGET", "1/4")
        monkeypatch.setattr(sys.modules[__name__], "TEXT", TEXT.replace("\n", "\n\nThe first dinner\n", 1))
    value = model if CASES[field] is MODEL else CASES[field]
    changes = {**BESIDE.get(field, {}), field: value}
    found = {
        "Python": by_python(changes),
        "the command": by_command(options(changes), tmp_path),
        "the service": by_service(service_with_model if field == "model" else service, changes),
        "a batch": by_batch(options(changes), tmp_path),
        "a model folder": by_model_folder(changes, tmp_path),
    }
    whole = found["Python"]
    assert whole["recipe"][field] == Recipe.of("default").changed(changes).facts()[field]
    named = {"recipe", "recipe_digest"} if field != "model" else set()  # of a folder that brings the changes along
    for way, trace in found.items():
        apart = named if way == "a model folder" else set()
        assert {**trace, **dict.fromkeys(apart)} == {**whole, **dict.fromkeys(apart)}, way
        assert trace["recipe"][field] == whole["recipe"][field], way
    assert by_python(BESIDE.get(field, {}))["text"] != found["Python"]["text"], "the value changes nothing here"


def test_no_case_is_left_over() -> None:
    assert set(CASES) == set(FIELDS)
    assert {field.name for field in fields(Recipe)} - set(FIELDS) == {"kernels"}  # Python objects of one's own


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_a_file_means_the_same_everywhere(suffix: str, tmp_path: Path) -> None:
    recipe = Recipe.of("paper").changed({"weights": {"topics": 0.2}, "sizes": [2]})
    recipe.save(tmp_path / f"mine{suffix}")
    given = ["--recipe", str(tmp_path / f"mine{suffix}")]
    expected = Summarizer(recipe).summarize(TEXT, BUDGET).to_dict()
    for trace in (by_command(given, tmp_path), by_batch(given, tmp_path)):
        assert trace["text"] == expected["text"]
        assert trace["recipe"] == expected["recipe"]
        assert trace["recipe_digest"] == expected["recipe_digest"]


@pytest.mark.parametrize("name", ["default", "light", "paper"])
def test_a_preset_means_the_same_everywhere(name: str, service: TestClient, tmp_path: Path) -> None:
    expected = Summarizer(name).summarize(TEXT, BUDGET).to_dict()
    for trace in (by_command(["--recipe", name], tmp_path), by_service(service, {"recipe": name})):
        assert trace == json.loads(json.dumps(expected))


def test_a_server_with_a_model_of_its_own_serves_recipes_that_use_none(service_with_model: TestClient) -> None:
    expected = Summarizer("light").summarize(TEXT, BUDGET).text
    assert by_service(service_with_model, {"recipe": "light"})["text"] == expected


def test_a_request_reads_no_other_folder_of_the_server(service: TestClient, model: str) -> None:
    answer = by_service(service, {"model": model})
    assert answer["status"] == 422
    assert "this server has no model" in answer["detail"]


@pytest.mark.parametrize(
    "command", ["summarize", "levels", "explain", "batch", "serve", "evaluate", "tune", "study create"]
)
def test_every_command_offers_every_part(command: str) -> None:
    found: Any = app
    for name in command.split():
        found = found.commands[name]
    options = {option for parameter in found.params for option in parameter.opts}
    assert {f"--{name}" for name in ("recipe", *FIELDS)} <= options
