"""A model folder: it loads and summarizes, and what is wrong with it is said in one sentence."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

if not os.environ.get("CI"):  # there torch must be installed
    pytest.importorskip("torch")

import torch

from mls import MlsError, Summarizer
from mls.assembly import model_of, resolve
from mls.lab.a3 import A3
from mls.model import FILES, load_model, shipped_model, weight_spans
from tiny import Exported, convolutional, exported

__all__ = ["convolutional", "exported"]

NEWS = (Path(__file__).parent.parent / "examples" / "news.txt").read_text(encoding="utf-8")


@pytest.fixture
def folder(exported: Exported, tmp_path: Path) -> Path:
    """A model folder to be spoilt, without the seal that would tell it."""
    return unsealed(exported.model, tmp_path / "model")


def unsealed(model: Path, folder: Path) -> Path:
    shutil.copytree(model, folder)
    change(folder, seal=None)
    return folder


def change(folder: Path, **values: Any) -> None:
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    for name, value in values.items():
        if value is None:
            del config[name]
        else:
            config[name] = value
    path.write_text(json.dumps(config), encoding="utf-8")


def complaint(folder: Path) -> str:
    """What is said when the model is put to use; one sentence."""
    with pytest.raises(MlsError) as caught:
        Summarizer(resolve(None, {"model": str(folder), "prototype": "pg-network"})).summarize(NEWS)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_model_loads_and_summarizes(exported: Exported) -> None:
    model = load_model(exported.model)
    assert (model.config.window, model.config.search.beams) == (40, 4)
    assert model.config.network["hidden"] == 12
    summarizer = Summarizer(resolve(None, {"model": str(exported.model), "prototype": "pg-network"}))
    summary = summarizer.summarize(NEWS, "1/4")
    assert summary.prototype.generator == "pg-network"
    assert summary.prototype.sentences
    assert 0 < summary.length <= summary.limit
    assert summarizer.summarize(NEWS, "1/4").text == summary.text
    assert Summarizer.from_pretrained(str(exported.model)).summarize(NEWS, "1/4").text


def test_a_convolutional_model_is_the_baseline_a3(convolutional: Exported) -> None:
    model = load_model(convolutional.model)
    assert (model.kind, model.config.window, model.config.search.longest) == ("convolutional", 40, 8)
    baseline = A3.of(model)
    for summary in baseline.levels(NEWS, ["1/32", "1/8", "1/2", "40 words"]):
        assert summary.prototype.generator == "a3"
        assert summary.prototype.sentences
        assert 0 < summary.length <= summary.limit
    assert baseline.summarize(NEWS, "1/8").text == A3.of(model).summarize(NEWS, "1/8").text


def test_a_model_of_another_kind_is_refused(exported: Exported, convolutional: Exported) -> None:
    expected = f"the model in {convolutional.model} is a convolutional network, but a pointer-generator is needed here"
    assert complaint(convolutional.model) == expected
    with pytest.raises(MlsError, match="is a pointer-generator network, but a convolutional is needed here"):
        A3.of(load_model(exported.model))


@pytest.fixture
def damaged(convolutional: Exported, tmp_path: Path) -> Path:
    """A folder of a convolutional model, to be spoilt."""
    return unsealed(convolutional.model, tmp_path / "convolutional")


@pytest.mark.parametrize(("name", "value"), [("vocabulary", 0), ("vocabulary", "2100"), ("vocabulary", None)])
def test_a_size_that_means_nothing(damaged: Path, name: str, value: object) -> None:
    network = json.loads((damaged / "config.json").read_text(encoding="utf-8"))["network"]
    change(damaged, network={**network, name: value})
    with pytest.raises(MlsError, match=f"network: {name}: found {value!r}, expected a number of at least 1"):
        A3.of(load_model(damaged))


def test_graphs_of_another_kind_than_the_settings_say(damaged: Path, exported: Exported) -> None:
    for name in ("step.onnx", "encoder.onnx"):
        shutil.copy(exported.model / name, damaged)
        with pytest.raises(MlsError, match=rf"{name} is (of another kind of network|damaged)"):
            A3.of(load_model(damaged)).summarize(NEWS)


def test_a_model_that_names_no_kind_is_a_pointer_generator(folder: Path) -> None:
    """So were all models, before there was another kind."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    network = {name: value for name, value in config["network"].items() if name != "kind"}
    change(folder, network=network)
    assert load_model(folder).kind == "pointer-generator"
    assert Summarizer.from_pretrained(folder).summarize(NEWS, "1/8").length


def test_a_model_brings_its_head_weights(folder: Path) -> None:
    weights = {"topics": 0.7, "keywords": 0.1, "centrality": 0.1, "position": 0.1}
    change(folder, recipe={"weights": weights, "sizes": [2], "order": "prototype"})
    recipe = Summarizer.from_pretrained(folder).recipe
    assert (recipe.weights, recipe.sizes, recipe.order) == (weights, (2,), "prototype")
    assert recipe.model == str(folder)


@pytest.mark.parametrize("version", [2, 3])
def test_a_folder_of_an_older_version_is_read(folder: Path, version: int) -> None:
    """It has weights where now a recipe stands, and the head `centrality` was called `redundancy`."""
    change(folder, version=version, recipe=None, heads={"topics": 0.25, "redundancy": 0.75})
    assert Summarizer.from_pretrained(folder).weights == {"topics": 0.25, "centrality": 0.75}


def test_a_model_is_opened_anew_when_its_files_changed(folder: Path) -> None:
    recipe = Summarizer.from_pretrained(folder).recipe
    before, digest = model_of(recipe), recipe.digest()
    assert model_of(recipe) is before
    change(folder, later_windows=0.123)
    assert model_of(recipe).config.later_windows == 0.123
    assert recipe.digest() != digest


def test_the_folder_holds_what_it_should_and_no_pickle(exported: Exported) -> None:
    assert {path.name for path in exported.model.iterdir()} == {"config.json", *FILES}
    for path in exported.model.iterdir():
        content = path.read_bytes()
        assert not content.startswith((b"PK", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"\x1f\x8b"))
        assert path.suffix in {".json", ".txt", ".onnx", ".safetensors", ".md"}


def test_the_shipped_model_loads() -> None:
    assert shipped_model().config.search.beams >= 1


def test_a_missing_folder(tmp_path: Path) -> None:
    assert complaint(tmp_path / "none").startswith(f"there is no model folder {tmp_path / 'none'}; give a folder")


def test_a_folder_without_config(folder: Path) -> None:
    (folder / "config.json").unlink()
    assert complaint(folder) == f"{folder} is not a model folder: it has no config.json"


@pytest.mark.parametrize("content", [b"", b"{", b'{"format": ', b"\xff\xfe", b"\x00", b"[" * 10**5])
def test_a_broken_config(folder: Path, content: bytes) -> None:
    (folder / "config.json").write_bytes(content)
    assert complaint(folder).startswith(f"{folder / 'config.json'} is damaged: ")


@pytest.mark.parametrize("content", ["[]", "3", "null", "{}", '{"format": "transformers"}', '{"model_type": "bart"}'])
def test_a_model_of_another_kind(folder: Path, content: str) -> None:
    (folder / "config.json").write_text(content, encoding="utf-8")
    assert complaint(folder).startswith(f"{folder} holds a model of another kind")


@pytest.mark.parametrize("version", [5, 99, "4", 3.5])
def test_a_newer_version(folder: Path, version: object) -> None:
    change(folder, version=version)
    expected = f"the model in {folder} is of version {version}, this program reads up to 4: upgrade mls-summarizer"
    assert complaint(folder) == expected


@pytest.mark.parametrize("version", [1, 0, -1])
def test_an_older_version(folder: Path, version: int) -> None:
    change(folder, version=version)
    expected = (
        f"the model in {folder} is of version {version}, the oldest that is read is 2: export its run again with "
    )
    assert complaint(folder) == expected + "mls export, or fine-tune again with mls finetune"


@given(st.data())
@settings(max_examples=30)
def test_any_damage_is_noticed(exported: Exported, data: st.DataObject) -> None:
    """A byte that changed, or an end that is gone, in any file but the card."""
    name = data.draw(st.sampled_from(["config.json", *(name for name in FILES if name != "README.md")]))
    whole = (exported.model / name).read_bytes()
    position = data.draw(st.integers(0, len(whole) - 2))
    changed = (
        whole[:position]
        + bytes([whole[position] ^ data.draw(st.sampled_from([1, 2, 16, 128]))])
        + whole[position + 1 :]
    )
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(shutil.copytree(exported.model, Path(scratch) / "model"))
        (folder / name).write_bytes(data.draw(st.sampled_from([changed, whole[:position]])))
        with pytest.raises(MlsError) as told:
            load_model(folder)
    assert "\n" not in str(told.value)


def test_weights_that_are_no_numbers_are_never_used(folder: Path) -> None:
    weights = folder / "weights.safetensors"
    first = min(first for first, _ in weight_spans(weights).values())
    whole = weights.read_bytes()
    weights.write_bytes(whole[:first] + b"\xff" * (len(whole) - first))
    assert "no number" in complaint(folder)


def test_weights_that_are_no_numbers_are_not_exported(tmp_path: Path) -> None:
    from mls.training.storage import save_weights

    for value in (float("nan"), 1e30):
        with pytest.raises(MlsError, match="the weights w are no finite numbers"):
            save_weights({"w": torch.full((3,), value)}, tmp_path)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert complaint(folder) == f"the model in {folder} is damaged: {name} is missing; export it again"


@pytest.mark.parametrize("kept", [0, 5, 100, 5000, -1])
def test_weights_that_were_cut_off(folder: Path, kept: int) -> None:
    weights = folder / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:kept])
    assert complaint(folder).startswith(f"{weights} is damaged: ")


@pytest.mark.parametrize(
    "content",
    [
        b"not weights at all",
        bytes(8) + b"[]",
        b"\x04" + bytes(7) + b"[{}]",
        b"\xa0\x86\x01" + bytes(5) + b"[" * 100_000,
    ],
)
def test_weights_that_are_none(folder: Path, content: bytes) -> None:
    weights = folder / "weights.safetensors"
    weights.write_bytes(content)
    assert complaint(folder) == f"{weights} is damaged: its head cannot be read; export the model again"


def test_an_unknown_key(folder: Path) -> None:
    change(folder, windows=3)
    assert complaint(folder) == f"{folder / 'config.json'}: unknown key 'windows'; did you mean 'window'? " + (
        "The keys are format, version, network, window, later_windows, search, recipe, training, seal"
    )


def test_an_unknown_key_further_in(folder: Path) -> None:
    change(folder, search={"beam": 4})
    assert complaint(folder) == f"{folder / 'config.json'}: search: unknown key 'beam'; did you mean 'beams'? " + (
        "The keys are beams, shortest, longest, length_exponent, selection_floor"
    )


def test_a_missing_key(folder: Path) -> None:
    change(folder, window=None)
    assert complaint(folder) == f"{folder / 'config.json'}: missing 'window'"


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [("window", "40", "window: found '40', expected int"), ("recipe", [1], r"recipe: found \[1\], expected a table")],
)
def test_a_value_of_a_wrong_type(folder: Path, name: str, value: object, found: str) -> None:
    change(folder, **{name: value})
    with pytest.raises(MlsError, match=found):
        load_model(folder)


SEARCH = {"shortest": 5, "longest": 12, "length_exponent": 1.0, "selection_floor": 0.0}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("window", 0),
        ("search", {"beams": 0, **SEARCH}),
        ("search", {"beams": 4, **SEARCH, "length_exponent": 1e9}),
        ("search", {"beams": 4, **SEARCH, "selection_floor": -1}),
        ("search", {"beams": 4, **SEARCH, "length_exponent": 10**400}),
        ("later_windows", 1e308),
        ("later_windows", float("nan")),
        ("recipe", {"weights": {"topics": "much"}}),
        ("recipe", {"weights": {"topics": 0.5, "smell": 0.5}}),
        ("recipe", {"weights": [1]}),
        ("recipe", {"nose": 1}),
        ("recipe", {"sizes": 3}),
        ("heads", {"topics": 1.0}),
    ],
)
def test_a_value_that_means_nothing(folder: Path, name: str, value: object) -> None:
    change(folder, **{name: value})
    assert complaint(folder)


@pytest.mark.parametrize("name", ["encoder.onnx", "step.onnx"])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_truncated_graph(folder: Path, name: str, share: float) -> None:
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[: int(share * len(content))])
    assert name in complaint(folder)


def test_a_graph_that_is_none(folder: Path) -> None:
    (folder / "step.onnx").write_bytes(b"not a graph")
    assert "step.onnx" in complaint(folder)


def test_a_vocabulary_that_is_no_text(folder: Path) -> None:
    (folder / "vocabulary.txt").write_bytes(b"\xff\xfe\x00")
    assert "vocabulary.txt is not a vocabulary" in complaint(folder)


def test_a_vocabulary_that_lost_its_end(folder: Path) -> None:
    """Words the network writes would have no name, or a wrong one."""
    lines = (folder / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
    (folder / "vocabulary.txt").write_text("\n".join(lines[:50]), encoding="utf-8")
    assert "vocabulary.txt" in complaint(folder)
