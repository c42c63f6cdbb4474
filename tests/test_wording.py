"""The network's own words: as few as the budget wants, never more than it allows, and marked as what they are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from replay import replay

from benchmark import benchmark
from builders import document, plain_documents, texts
from fake_network import FakeNetwork
from mls import MlsError, Summarizer
from mls.explain.as_json import to_dict
from mls.explain.check import check_reasons
from mls.prototype.base import Prototype, PrototypeOfLength
from mls.prototype.beam import SearchSettings
from mls.prototype.pointer_generator import PointerGeneratorPrototype
from mls.recipe import Recipe
from mls.text import Document, fold
from mls.vocabulary import Vocabulary
from test_summarizer import EXAMPLES

VOCABULARY = Vocabulary.of(
    (fold(surface), surface) for surface in "the rain fell . of and was it , council harbour a London solar".split()
)
documents = st.one_of(plain_documents, texts.map(Document.parse)).filter(lambda document: bool(document.sentences))
RAIN = document("The rain fell on the harbour. The council of London was solar and it fell.", "A council was of rain.")


def generator(seed: int = 0, longest: int = 30) -> PointerGeneratorPrototype:
    return PointerGeneratorPrototype(
        FakeNetwork(2, len(VOCABULARY), seed), VOCABULARY, SearchSettings(2, longest // 2, longest), 40
    )


def own_words(seed: int, preset: str = "light") -> Recipe:
    return replace(Recipe.of(preset), prototype=generator(seed), wording="network")


@given(documents, st.integers(0, 1000), st.integers(2, 40))
def test_a_draft_is_as_brief_as_it_is_told(document: Document, seed: int, desired: int) -> None:
    written = [token for one in generator(seed).of_length(document, desired).sentences for token in one.origins]
    assert len(written) <= max(2, desired)


def test_a_sentence_without_an_end_is_left_out() -> None:
    rain_and_council = tuple(VOCABULARY.ids[word] for word in ("the", "rain", "of", "council"))
    endless = FakeNetwork(2, len(VOCABULARY), p_gen=1.0, words=rain_and_council)
    draft = PointerGeneratorPrototype(endless, VOCABULARY, SearchSettings(2, 4, 8), 40).of_length(RAIN, 20)
    assert draft.sentences == ()


@settings(max_examples=100)
@given(text=documents, seed=st.integers(0, 1000), budget=st.sampled_from([1, 3, 8, 20, "1/4", "9 words", "40 chars"]))
def test_any_text_any_budget(text: Document, seed: int, budget: str | int) -> None:
    summary = Summarizer(own_words(seed)).summarize(text, budget)
    assert 0 < summary.length <= summary.limit
    replay(to_dict(summary))


@settings(max_examples=200)
@given(
    text=documents, seed=st.integers(0, 1000), preset=st.sampled_from(["paper", "light"]),
    wording=st.sampled_from(["network", "draft", "source"]),
    budget=st.sampled_from([8, 15, 25, "1/2", "3/4", "80 chars"]),
)  # fmt: skip
def test_no_sentence_would_have_fitted_in_the_end(
    text: Document, seed: int, preset: str, wording: str, budget: str | int
) -> None:
    """C3: also where a drafted sentence gave way to a shorter one, or to one that others no longer repeat."""
    summary = Summarizer(replace(own_words(seed, preset), wording=wording)).summarize(text, budget)
    assert benchmark("promises").fits_still(summary) == []


def test_a_tight_budget_is_filled_in_words_of_its_own() -> None:
    summarizer = Summarizer(own_words(seed=3))
    whole = summarizer.read(RAIN).prototype
    summary = summarizer.summarize(RAIN, 12)
    assert summary.prototype.length < whole.length
    assert any(sentence.reworded for sentence in summary.sentences)
    assert "reworded" in summary.notes


def test_the_weights_of_an_analysis_count_for_its_brief_draft() -> None:
    summarizer = Summarizer(own_words(seed=3))
    weights = {"topics": 0.0, "keywords": 0.0, "centrality": 0.0, "position": 1.0}
    analysis = summarizer.reweigh(summarizer.read(RAIN), weights)
    (budget,) = (summary.budget for summary in summarizer.levels(RAIN, [12]))
    assert summarizer.write(analysis, budget).weights == weights


def test_the_shipped_network_in_its_own_words() -> None:
    summarizer = Summarizer({"wording": "network"})
    assert isinstance(summarizer.generate, PrototypeOfLength)
    for summary in summarizer.levels(EXAMPLES["news"], [12, "1/16", "100 chars", "1/2"]):
        assert 0 < summary.length <= summary.limit
        replay(to_dict(summary))
    check_reasons(summarizer, summarizer.summarize(EXAMPLES["news"], "1/16"))


def test_the_paper_s_heads_take_a_draft_at_its_word_unless_told_otherwise() -> None:
    checked, *others = (
        Summarizer(replace(own_words(seed=3, preset=preset), wording=wording)).read(RAIN).units
        for preset, wording in (("light", "source"), ("paper", "source"), ("paper", "draft"))
    )
    assert [units == checked for units in others] == [True, False]
    assert Recipe.of("paper").wording == "draft"


def test_words_that_nobody_has() -> None:
    with pytest.raises(MlsError, match="greedy prototype has no words of its own"):
        Summarizer({"prototype": "greedy", "wording": "network"})
    with pytest.raises(MlsError, match="the silent prototype has no words of its own"):
        Summarizer({"prototype": Silent(), "wording": "network"})
    with pytest.raises(MlsError, match="Choose forms, source, network, draft"):
        Summarizer({"wording": "mine"})


class Silent:
    name = "silent"

    def __call__(self, document: Document) -> Prototype:
        return Prototype(self.name, ())
