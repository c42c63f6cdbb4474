"""Pins and bans: what the reader decides comes before what the heads think, within the budget."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from replay import replay

from mls import Summarizer, Summary
from mls.analysis import Analysis
from mls.errors import MlsError
from mls.explain.as_json import to_dict
from mls.magnifier.decoder import PINNED

ROOT = Path(__file__).parent.parent.parent
NEWS = (ROOT / "examples" / "news.txt").read_text(encoding="utf-8")
RECIPES = ("default", "light", "paper")


@cache
def summarizer(recipe: str) -> Summarizer:
    return Summarizer(recipe)


@cache
def read(recipe: str) -> Analysis:
    return summarizer(recipe).read(NEWS)


def write(recipe: str, budget: str, pin: set[int], ban: set[int]) -> Summary:
    made = summarizer(recipe)
    return made.write(made.mark(read(recipe), sorted(pin), sorted(ban)), budget)


def taken(summary: Summary) -> set[int]:
    return {span.sentence for sentence in summary.sentences for span in sentence.source}


@settings(deadline=None, max_examples=30)
@given(
    st.sampled_from(RECIPES),
    st.sampled_from(["5 tokens", "40 words", "1/4", "600 chars", "100%"]),
    st.sets(st.integers(0, 38), max_size=4),
    st.sets(st.integers(0, 38), max_size=8),
)
def test_what_is_pinned_is_in_and_what_is_banned_is_out(recipe: str, budget: str, pin: set[int], ban: set[int]) -> None:
    pin -= ban
    try:
        summary = write(recipe, budget, pin, ban)
    except MlsError:
        assert pin  # they don't fit, and nothing else can go wrong
        return
    assert summary.length <= summary.limit
    assert pin <= taken(summary)
    assert not ban & taken(summary)
    if summary.notes != ("whole-document",):
        assert [summary.analysis.units[step.unit].anchor for step in summary.steps if step.reason == PINNED] == sorted(
            pin
        )
    replay(to_dict(summary))


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_pin_that_does_not_fit_says_what_it_needs(recipe: str) -> None:
    with pytest.raises(
        MlsError, match=r"the sentence that is pinned needs (\d+) tokens, and the budget holds 9;"
    ) as told:
        write(recipe, "9 tokens", {1}, set())
    needs = str(told.value).split()[6]
    assert 1 in taken(write(recipe, f"{needs} tokens", {1}, set()))


@pytest.mark.parametrize("recipe", RECIPES)
def test_without_marks_nothing_changes(recipe: str) -> None:
    assert write(recipe, "1/4", set(), set()).text == summarizer(recipe).summarize(NEWS, "1/4").text


def test_marks_that_make_no_sense_are_refused() -> None:
    count = len(read("default").document.sentences)
    with pytest.raises(MlsError, match=f"there is no sentence {count + 1}; the text has {count}"):
        write("default", "1/4", {count}, set())
    with pytest.raises(MlsError, match="sentence 3 is both pinned and banned"):
        write("default", "1/4", {2}, {2})
    with pytest.raises(MlsError, match="every sentence is banned"):
        write("default", "1/4", set(), set(range(count)))
    with pytest.raises(MlsError, match="in one text"):
        summarizer("default").summarize([NEWS], pin=[1])


def test_a_title_takes_the_place_of_nothing_that_is_pinned_and_is_not_said_where_it_is_banned() -> None:
    made = summarizer("default")
    text = (ROOT / "examples" / "kinds" / "paper.txt").read_text(encoding="utf-8")
    analysis = made.read(text)
    assert made.write(analysis, "20 tokens").notes == ("title",)
    title = made.write(analysis, "20 tokens").sentences[0].source[0].sentence
    short = next(s.index for s in analysis.document.sentences if s.is_prose and 5 < len(s.tokens) < 20)
    for pin, ban in (((short,), ()), ((), (title,))):
        summary = made.write(made.mark(analysis, pin, ban), "20 tokens")
        assert "title" not in summary.notes
        assert taken(summary).issuperset(pin)
        assert taken(summary).isdisjoint(ban)
        replay(to_dict(summary))
