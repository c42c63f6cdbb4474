"""Manners, and the whole summary that readers are likely to like best."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls import Summarizer
from mls.analysis import Analysis
from mls.budget import Budget, Measure
from mls.magnifier.growth import Growth
from mls.magnifier.manners import ENDING, MANNERS, MOST_SENTENCES, RUNNING_ON, TOLD, Manner, manners_of
from mls.magnifier.wholes import Preferred, features, graded_as, liking
from mls.magnifier.writing import write

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXTS = ("news.txt", "essay.txt", "story.txt", "kinds/encyclopaedia.txt", "kinds/chat.txt", "kinds/contract.txt")
WORDS = Measure("words")


@cache
def read(name: str) -> Analysis:
    return Summarizer().read((EXAMPLES / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "budget"), list(product(TEXTS, ("30 words", "280 chars", "1/8", "1/2"))))
def test_of_the_manners_the_first_that_is_liked_most_is_taken(name: str, budget: str) -> None:
    analysis, wanted = read(name), Budget.parse(budget)
    summary = write(analysis, wanted)
    assert summary.choice
    limit = wanted.limit(analysis.document)
    growths = {manner: Growth(analysis, wanted.measure, limit, manner) for manner in manners_of(analysis)}
    usual = growths[manners_of(analysis)[0]]
    lines = {manner: growth.run()[0] for manner, growth in growths.items()}
    for growth in growths.values():
        if sorted(growth.forms.items()) == sorted(usual.forms.items()):  # the same summary is liked the same
            assert liking(growth, usual) == liking(usual, usual)
    assert summary.choice.liked == {manner.name: liking(growth, usual) for manner, growth in growths.items()}
    best = max(growths, key=lambda manner: liking(growths[manner], usual))
    assert summary.choice.manner == best
    assert {sentence.unit for sentence in summary.sentences} == {line.unit.number for line in lines[best]}


def test_a_length_is_written_the_same_whatever_was_written_before() -> None:
    texts = [write(read("essay.txt"), Budget.parse(one)).text for one in ("1/16", "1/4", "1/8")]
    anew = Summarizer().read((EXAMPLES / "essay.txt").read_text(encoding="utf-8"))
    assert [write(anew, Budget.parse(one)).text for one in ("1/8", "1/16", "1/4")] == [texts[2], texts[0], texts[1]]


def test_there_is_one_manner_where_the_reader_decides_and_where_nobody_has_read_summaries() -> None:
    summarizer, analysis = Summarizer(), read("story.txt")
    assert len(manners_of(analysis)) == len(MANNERS["story"]) > 1
    pinned, asked = summarizer.mark(analysis, pin=[3]), summarizer.refocus(analysis, "the ladder")
    assert len(manners_of(pinned)) == 1
    assert len(manners_of(asked)) == 1
    assert manners_of(asked)[0].floor < manners_of(pinned)[0].floor
    assert len(manners_of(read("kinds/notes.md"))) == 1
    long = Summarizer().read("The tide rose over the old harbour wall. " * (MOST_SENTENCES + 1))
    assert manners_of(long) == (RUNNING_ON,)
    choice = Preferred(long, WORDS, 20)
    choice.run()
    assert choice.choice
    assert choice.choice.liked == {}


def test_every_manner_is_told_and_every_kind_that_has_several_was_graded() -> None:
    shipped = json.loads(resources.files("mls").joinpath("assets", "judge", "wholes.json").read_text(encoding="utf-8"))
    assert {manner.name for manners in MANNERS.values() for manner in manners} <= {*TOLD}
    assert {graded_as(kind) for kind, manners in MANNERS.items() if len(manners) > 1} == {*shipped}
    growth = grown("news.txt", 40)
    seen = features(growth, growth)
    assert all(list(weights) == list(seen) for weights in shipped.values())


def grown(name: str, limit: int, manner: Manner = RUNNING_ON) -> Growth:
    growth = Growth(read(name), WORDS, limit, manner)
    growth.run()
    return growth


@given(st.sampled_from(TEXTS), st.integers(5, 200))
def test_what_is_seen_of_a_summary_is_finite_and_shares_are_shares(name: str, limit: int) -> None:
    growth = grown(name, limit)
    if growth.forms:
        seen = features(growth, growth)
        assert np.isfinite(list(seen.values())).all()
        shares = (
            "rank of its best",
            "centrality",
            "told of the first fifth",
            "new words",
            "paragraphs",
            "least like an opening",
            "least sure",
            "least understood",
            "least gained",
        )
        assert all(0 <= seen[name] <= 1 + 1e-9 for name in shares)
        assert seen["told of the first fifth"] + seen["told up to the middle"] <= 1 + 1e-9


PROSE = [sentence.index for sentence in read("news.txt").document.sentences if sentence.is_prose]


def of_whole(name: str, *indices: int) -> dict[str, float]:
    growth = Growth(read(name), WORDS, 1000)
    growth.forms = {index: growth.ladders.fullest(index) for index in indices}
    return features(growth, growth)


def test_what_is_seen_worked_out_by_hand() -> None:
    growth = Growth(read("news.txt"), WORDS, 1000)
    ranked = sorted(range(len(growth.worth)), key=lambda index: -growth.worth[index])
    best = of_whole("news.txt", *ranked[:2])
    assert (best["share of the best"], best["rank of its best"]) == (pytest.approx(1.0), 1.0)
    third = of_whole("news.txt", ranked[2])
    assert third["rank of its best"] == third["rank of its last"] == pytest.approx(1 / 3)
    assert third["share of the best"] == pytest.approx(growth.worth[ranked[2]] / growth.worth[ranked[0]])
    opening = of_whole("news.txt", *PROSE[:2])
    assert (opening["has the second"], opening["last goes on"]) == (1, 1)
    assert opening["told of the first fifth"] == pytest.approx(1)
    assert opening["leap to the last"] == 1
    apart = of_whole("news.txt", PROSE[0], PROSE[7])
    assert (apart["has the second"], apart["last goes on"], apart["leap to the last"]) == (0, 0, 3)


def test_the_weakest_sentence_of_a_summary_is_seen() -> None:
    growth = grown("news.txt", 60)
    seen, sure = features(growth, growth), [form.sure for form in growth.forms.values()]
    assert seen["least sure"] == min(sure)
    assert seen["least understood"] == min(growth.understood(index) for index in growth.forms)
    index = next(index for index in PROSE if growth.analysis.leans[index] and growth.before[index] in PROSE)
    alone, beside = of_whole("news.txt", index), of_whole("news.txt", *PROSE[: PROSE.index(index) + 1])
    assert alone["least understood"] < beside["least understood"]


def test_a_run_tires() -> None:
    growth = Growth(read("news.txt"), WORDS, 1000, replace(RUNNING_ON, continues=(2.0, 1.5, 0.9)))
    found = []
    for taken in range(4):
        growth.forms = {index: growth.ladders.fullest(index) for index in PROSE[:taken]}
        found.append(growth._continues(PROSE[taken], False))
    assert found == [1.0, 2.0, 1.5, 0.9]
    growth.forms = {index: growth.ladders.fullest(index) for index in PROSE[:7]}
    assert growth._continues(PROSE[7], False) == 0.9
    assert growth._continues(PROSE[9], True) == 2.0  # an answer goes on from nothing


def test_the_end_is_wanted_more_until_something_of_it_is_there() -> None:
    growth = Growth(read("news.txt"), WORDS, 1000, replace(RUNNING_ON, ending=2.0))
    count = len(growth.worth)
    late = int(np.ceil(ENDING * count))
    assert (growth._ends(late - 1), growth._ends(late), growth._ends(count - 1)) == (1.0, 2.0, 2.0)
    before = growth.wanted.copy()
    chosen = next(index for index in range(late, count) if before[index] > 0)
    rungs = growth._usable(chosen)
    growth._record(chosen, {chosen: rungs.fullest}, "copy", "", 1000, {chosen: rungs})
    assert growth._ends(count - 1) == 1.0
    fresh = [growth._wanted(index) for index in range(count) if growth.open[index]]
    assert [growth.wanted[index] for index in range(count) if growth.open[index]] == fresh


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_wanted_is_up_to_date_after_every_step(name: str) -> None:
    """Nothing that a sentence's value depends on has changed without its being looked at again."""
    for manner in manners_of(read(name)):
        growth = grown(name, 80, manner)
        fresh = {index: growth._wanted(index) for index in np.flatnonzero(growth.open)}
        assert {index: growth.wanted[index] for index in fresh} == pytest.approx(fresh)
