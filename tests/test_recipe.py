"""A recipe: right or none at all, the same after it was written down, and clear about what was meant."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls import MlsError, Recipe, Summarizer
from mls.assembly import kernels_of
from mls.kernels.base import Kernel, Scores
from mls.prototype.greedy import GreedyPrototype
from mls.recipe import CHOICES, FIELDS, FOCUS_WEIGHT, HEADS, PRESETS, check_weights, of_kernels
from mls.text import Document

DEFAULT = Recipe.of("default")
TEXT = (Path(__file__).parent.parent / "examples" / "news.txt").read_text(encoding="utf-8")


class Figures:
    name = "figures"
    question = "Does it give figures?"

    def score(self, document: Document, sentences: Any) -> Scores:
        return np.array([float(any(word[0].isdigit() for word in one.words)) for one in sentences])


@st.composite
def recipes(draw: st.DrawFn) -> Recipe:
    """Any recipe that can be written down."""
    heads = draw(
        st.permutations(HEADS)
        .map(lambda names: names[: draw(st.integers(1, len(HEADS)))])
        .filter(lambda names: names != ["focus"])
    )
    raw = draw(st.lists(st.floats(0.01, 1), min_size=len(heads), max_size=len(heads)))
    weights = {name: part / sum(raw) for name, part in zip(heads, raw, strict=True)}
    prototype = draw(st.sampled_from(CHOICES["prototype"]))
    wording = draw(st.sampled_from(CHOICES["wording"] if prototype == "pg-network" else ("source", "draft")))
    uses_model = prototype == "pg-network" or "salience" in heads
    folder = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
    return Recipe(
        weights,
        prototype,
        wording,
        tuple(draw(st.lists(st.integers(1, 10), min_size=1, max_size=4))),
        draw(st.sampled_from(CHOICES["order"])),
        draw(st.sampled_from(CHOICES["embedding"])),
        draw(st.sampled_from(CHOICES["kind"])),
        draw(st.booleans()),
        draw(st.none() | folder) if uses_model else None,
        draw(folder.filter(str.strip)) if "focus" in heads else "",
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recipes")


@given(recipe=recipes())
def test_what_was_written_down_comes_back_the_same(folder: Path, recipe: Recipe) -> None:
    for name in ("recipe.toml", "recipe.json"):
        recipe.save(folder / name)
        again = Recipe.load(folder / name)
        assert again == recipe
        assert list(again.weights) == list(recipe.weights)
        assert Recipe.of(folder / name) == Recipe.of(str(folder / name)) == recipe
    assert Recipe.from_dict(json.loads(recipe.to_json())) == recipe
    assert pickle.loads(pickle.dumps(recipe)) == recipe
    assert hash(Recipe.from_dict(recipe.to_dict())) == hash(recipe)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_come_back_the_same(folder: Path, name: str) -> None:
    PRESETS[name].save(folder / "preset.toml")
    assert Recipe.load(folder / "preset.toml") == PRESETS[name]
    assert [kernel.name for kernel in kernels_of(PRESETS[name])] == list(PRESETS[name].weights)


def test_a_file_changes_the_preset_it_names(folder: Path) -> None:
    (folder / "mine.toml").write_text('preset = "paper"\nsizes = [2]\n\n[weights]\ntopics = 0.2\n', encoding="utf-8")
    recipe = Recipe.load(folder / "mine.toml")
    assert (recipe.sizes, recipe.wording, recipe.weights["topics"]) == ((2,), "draft", 0.2)
    assert recipe == Recipe.of("paper").changed({"sizes": [2], "weights": {"topics": 0.2}})


def test_weights_in_a_file_that_come_to_one_are_all_the_heads() -> None:
    assert Recipe.of({"weights": {"topics": 0.25, "redundancy": 0.75}}).weights == {"topics": 0.25, "redundancy": 0.75}
    assert list(Recipe.of({"weights": {"topics": 0.25}}).weights) == list(DEFAULT.weights)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"weights": 3}', '{"weights": {"topics": "much"}}', '{"nose": 1}'])
def test_a_file_that_is_no_recipe_is_named(folder: Path, content: str) -> None:
    (folder / "bad.json").write_text(content, encoding="utf-8")
    with pytest.raises(MlsError, match=r"bad\.json"):
        Recipe.load(folder / "bad.json")
    with pytest.raises(MlsError, match=r"none\.toml is no recipe that can be read"):
        Recipe.of("none.toml")


def test_what_only_python_knows_is_not_written_down() -> None:
    for recipe in (DEFAULT.adding(Figures(), 0.4), replace(DEFAULT, prototype=GreedyPrototype())):
        with pytest.raises(MlsError, match="only Python knows"):
            recipe.to_toml()
        assert set(recipe.facts()) == set(FIELDS)
        assert json.loads(json.dumps(recipe.facts())) == recipe.facts()


# ---- weights -----------------------------------------------------------------------------------


@given(recipes(), st.data())
def test_heads_that_are_not_named_share_what_is_left(recipe: Recipe, data: st.DataObject) -> None:
    named = data.draw(st.lists(st.sampled_from(list(recipe.weights)), unique=True, max_size=len(recipe.weights) - 1))
    given = {name: data.draw(st.floats(0, 1 / len(named))) for name in named}
    weighed = recipe.weighing(given).weights
    assert list(weighed) == list(recipe.weights)
    assert sum(weighed.values()) == pytest.approx(1)
    assert {name: weighed[name] for name in named} == given
    others = [name for name in recipe.weights if name not in named]
    ratios = {round(weighed[name] / recipe.weights[name], 6) for name in others}
    assert len(ratios) == 1, "they keep their proportions"


def test_what_is_computed_is_a_round_figure() -> None:
    light = Recipe.of("light")  # topics 0.1, keywords 0.1, centrality 0.4, position 0.4
    assert (0.1 * 0.9 / 0.6, 0.1 * 0.7) != (0.15, 0.07), "what floating point makes of it"
    assert light.weighing({"position": 0.1}).weights["topics"] == 0.15
    assert light.adding(Figures(), 0.3).weights["keywords"] == 0.07
    assert "\ntopics = 0.15\n" in light.weighing({"position": 0.1}).to_toml()


def test_a_reader_asks_something() -> None:
    asked = DEFAULT.reading_for(" who pays? ")
    assert asked == DEFAULT.changed({"about": "who pays?"})
    assert asked.weights["focus"] == FOCUS_WEIGHT
    assert asked.reading_for("") == asked.without("focus") == DEFAULT
    with pytest.raises(MlsError, match="about: found 3"):
        DEFAULT.reading_for(3)  # type: ignore[arg-type]


def test_one_head_alone() -> None:
    weights = DEFAULT.weighing({"centrality": 1}).weights
    assert weights == dict.fromkeys(weights, 0.0) | {"centrality": 1.0}


def test_where_the_others_weigh_nothing_they_share_alike() -> None:
    weights = DEFAULT.weighing({"importance": 0.2, "centrality": 0.3, "position": 0.1, "salience": 0.1}).weights
    assert [weights[name] for name in ("topics", "keywords", "settles")] == pytest.approx([0.1] * 3)


def test_weights_below_zero() -> None:
    weights = Recipe.of("paper").weighing({"redundancy": -0.6}).weights
    assert sum(weights.values()) == pytest.approx(1)
    assert weights["topics"] / weights["keywords"] == pytest.approx(0.6 / 0.8)


def test_where_one_of_the_others_would_pass_one_they_share_alike() -> None:
    assert Recipe.of("paper").weighing({"redundancy": -0.8}).weights == pytest.approx(
        {"topics": 0.9, "keywords": 0.9, "redundancy": -0.8}
    )


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"topics": 1.5}, "the weight of topics is 1.5; a weight lies between -1 and 1"),
        ({"importance": nan}, "the weight of importance is nan"),
        ({"topics": "0.5"}, "the weight of topics is '0.5'; expected a number from -1 to 1"),
        ({"topics": True}, "the weight of topics is True; expected a number"),
        ({"topcis": 0.5}, "there is no head called 'topcis'; did you mean 'topics'?"),
        (dict.fromkeys(DEFAULT.weights, 0.1), "the weights sum to 0.7; they must sum to 1"),
    ],
)
def test_weights_that_can_not_be(weights: Any, message: str) -> None:
    for weigh in (DEFAULT.weighing, lambda given: DEFAULT.changed({"weights": given})):
        with pytest.raises(MlsError) as raised:
            weigh(weights)
        assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({}, "there are no heads; give at least one, with weight 1"),
        ({"a": 1.5, "b": -0.5}, "the weight of a is 1.5; a weight lies between -1 and 1"),
        ({"a": 1.0, "b": nan}, "the weight of b is nan"),
        ({"a": 0.5, "b": 0.4}, "the weights sum to 0.9; they must sum to 1"),
    ],
)
def test_bad_weights_are_named(weights: dict[str, float], message: str) -> None:
    with pytest.raises(MlsError) as raised:
        check_weights(weights)
    assert str(raised.value).startswith(message)


def test_weights_with_the_noise_of_floating_point_are_fine() -> None:
    check_weights({"a": 0.1 + 0.2, "b": 0.7})


# ---- heads of one's own ------------------------------------------------------------------------


def test_a_head_is_added_and_taken_away() -> None:
    assert isinstance(Figures(), Kernel)
    added = DEFAULT.adding(Figures(), weight=0.4)
    assert added.weights["figures"] == 0.4
    assert added.weights["centrality"] == pytest.approx(0.6 * 0.25)
    assert kernels_of(added)[-1] is added.kernels[0]
    back = added.without("figures")
    assert (back.kernels, list(back.weights)) == ((), list(DEFAULT.weights))
    assert back.weights == pytest.approx(DEFAULT.weights)
    less = DEFAULT.without("centrality").weights
    assert "centrality" not in less
    assert less["importance"] / less["position"] == pytest.approx(6.5)
    summary = Summarizer(added).summarize(TEXT, "1/8")
    assert summary.why(0).shares[-1].name == "figures"


def test_heads_that_can_not_be_added_or_taken_away() -> None:
    with pytest.raises(MlsError, match="expected a kernel"):
        DEFAULT.adding(object(), 0.4)  # type: ignore[arg-type]
    with pytest.raises(MlsError, match="expected a kernel"):
        DEFAULT.adding(Figures, 0.4)  # type: ignore[arg-type]
    with pytest.raises(MlsError, match="a head called 'figures' already"):
        DEFAULT.adding(Figures(), 0.4).adding(Figures(), 0.1)
    with pytest.raises(MlsError, match="the weight of figures is 'much'"):
        DEFAULT.adding(Figures(), "much")  # type: ignore[arg-type]
    with pytest.raises(MlsError, match="did you mean 'centrality'"):
        DEFAULT.without("centralty")
    with pytest.raises(
        MlsError, match=r"no head called 'figures'\. The heads are importance, centrality"
    ):  # none is near
        DEFAULT.without("figures")
    with pytest.raises(MlsError, match="figures is the only head"):
        of_kernels([Figures()]).without("figures")


# ---- what is unknown ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"wieghts": {}}, "a recipe has no 'wieghts'; did you mean 'weights'?"),
        ({"prototype": "gredy"}, "prototype: there is no 'gredy'; did you mean 'greedy'?"),
        ({"wording": "networks"}, "wording: there is no 'networks'; did you mean 'network'?"),
        ({"order": 3}, r"order: there is no 3\. Choose attention, prototype"),
        ({"sizes": 3}, "sizes: found 3, expected a list of numbers"),
        ({"sizes": []}, r"sizes: found none, expected numbers of sentences from 1 to 10"),
        ({"sizes": [True]}, "sizes: found"),
        ({"sizes": [11]}, "sizes: found"),
        ({"model": 3}, "model: found 3, expected a folder"),
        ({"weights": [1]}, "weights: found"),
        ({"prototype": "greedy", "wording": "network"}, "the greedy prototype has no words of its own"),
    ],
)
def test_what_is_wrong_is_named(changes: Any, message: str) -> None:
    with pytest.raises(MlsError, match=message):
        DEFAULT.changed(changes)
    with pytest.raises(MlsError, match=message):
        Recipe.of(changes)


@pytest.mark.parametrize("given", [None, 3, b"default", GreedyPrototype(), ["default"]])
def test_what_is_no_recipe(given: Any) -> None:
    with pytest.raises(MlsError, match="expected a recipe"):
        Recipe.of(given)


def test_a_model_that_nobody_asks() -> None:
    with pytest.raises(MlsError, match="neither the greedy prototype nor these heads use it"):
        Recipe.of("light").changed({"model": "somewhere"})


# ---- the digest --------------------------------------------------------------------------------


@given(recipes(), recipes())
def test_other_recipes_have_other_digests(one: Recipe, other: Recipe) -> None:
    one, other = replace(one, model=None), replace(other, model=None)
    assert (one.digest() == other.digest()) == (one == other)


def test_the_digest_is_the_same_in_other_processes() -> None:
    program = "from mls import Recipe; print(Recipe.of('paper').weighing({'topics': 0.25}).digest())"
    here = Recipe.of("paper").weighing({"topics": 0.25}).digest()
    for seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
        assert run.stdout.decode().strip() == here


def test_the_digest_follows_the_files_of_a_model_but_not_its_place_or_card(tmp_path: Path) -> None:
    digests = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        for file in ("config.json", "README.md"):
            (tmp_path / name / file).write_text("{}" if file == "config.json" else name, encoding="utf-8")
        digests.append(replace(DEFAULT, model=tmp_path / name).digest())
    assert digests[0] == digests[1] != DEFAULT.digest()
    (tmp_path / "one" / "config.json").write_text("{} ", encoding="utf-8")
    assert replace(DEFAULT, model=str(tmp_path / "one")).digest() != digests[0]
    with pytest.raises(MlsError, match="can't be read"):
        replace(DEFAULT, model=str(tmp_path / "none")).digest()
