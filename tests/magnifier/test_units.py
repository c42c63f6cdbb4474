"""Units: the prototype's sentences, then the document's, each knowing where it stands."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from builders import document, texts, worded
from mls.budget import Measure
from mls.magnifier.units import grams, units_of
from mls.prototype.base import Prototype, PrototypeSentence
from mls.prototype.greedy import GreedyPrototype
from mls.text import Document, tidy

RAIN = document("It rained all day.", "The match was off.", "Nobody minded.")


@given(texts)
def test_units_are_numbered_through_prototype_first(text: str) -> None:
    document = Document.parse(text)
    prototype = GreedyPrototype()(document)
    units = units_of(document, prototype)
    drafted = len(prototype.sentences)
    assert [unit.number for unit in units] == list(range(drafted + len(document.sentences)))
    assert [unit.sentence for unit in units[:drafted]] == [
        document.sentences[one.anchor] for one in prototype.sentences
    ]
    assert [unit.sentence for unit in units[drafted:]] == list(document.sentences)
    assert [unit.source for unit in units[drafted:]] == list(range(len(document.sentences)))
    assert (
        {unit.origin for unit in units[:drafted]}
        <= {"prototype"}
        >= {unit.origin for unit in units[drafted:]} - {"source"}
    )
    assert all(unit.text == tidy(unit.sentence.text) != "" for unit in units)


@given(texts, st.sampled_from(["tokens", "words", "chars"]).map(Measure))
@example("It rained at http://a\x07b today.", Measure("tokens"))
def test_a_units_length_is_that_of_the_text_it_puts_into_the_summary(text: str, measure: Measure) -> None:
    for unit in units_of(Document.parse(text), None):
        assert unit.length(measure) == measure.length(unit.text)


def test_a_sentence_in_the_prototypes_own_words_has_an_anchor_but_no_source() -> None:
    own, taken = worded("Rain all day."), PrototypeSentence.copied(RAIN.sentences[2])
    units = units_of(RAIN, Prototype("test", (own, taken)))
    assert [(unit.origin, unit.anchor, unit.source) for unit in units] == [
        ("prototype", 0, None), ("prototype", 2, 2), ("source", 0, 0), ("source", 1, 1), ("source", 2, 2),
    ]  # fmt: skip


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=8).map(tuple), st.integers(1, 4))
def test_grams_are_all_runs_of_n_words(words: tuple[str, ...], n: int) -> None:
    found = grams(words, n)
    if len(words) < n:
        assert found == {words}
    else:
        assert found == set(zip(*(words[shift:] for shift in range(n)), strict=False))


def test_a_unit_knows_its_bigrams_and_trigrams() -> None:
    unit = units_of(document("It rained, all day."), None)[0]
    assert unit.bigrams == {("it", "rained"), ("rained", "all"), ("all", "day")}
    assert unit.trigrams == {("it", "rained", "all"), ("rained", "all", "day")}
    assert set(unit.grams) == unit.bigrams | unit.trigrams
    assert len(unit.grams) == 5


def test_a_heading_says_little() -> None:
    letter = Document.parse(
        "The old ferry\n\nIt will stay for good, the county said. The boats must not leave.\n\nAnna Berg"
    )
    assert [unit.says_little for unit in units_of(letter, None)] == [True, False, False, True]
