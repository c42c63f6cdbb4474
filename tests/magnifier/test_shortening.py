"""Shortening: shorter forms are made of the sentence's own parts, and something always fits."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from builders import document, sentence, texts
from mls.budget import Measure
from mls.magnifier.shortening import Shortened, keyphrase, shorten
from mls.text import Document, Sentence, tidy, tokenize

_PARTS = [
    "the mayor of Oslo", "who left", "(aged 50)", "[sic]", "It rained", "didn't", "3.5 km", "fell", "école", "ß",
    "and", "but", "which", "because", ",", ",", ",", ";", ":", "–", '"', "(", ")",
]  # fmt: skip
sentences = st.lists(st.sampled_from(_PARTS), min_size=1, max_size=14).map(
    lambda parts: sentence(re.sub(r" (?=[,;:])", "", " ".join(parts)) + ".", start=40)
)
measures = st.sampled_from(["tokens", "words", "chars"]).map(Measure)


def within(limit: int, measure: Measure = Measure("tokens")) -> Callable[[str], bool]:
    return lambda text: measure.length(text) <= limit


def always(_text: str) -> bool:
    return True


def shortened(text: str, limit: int) -> str | None:
    form = shorten(sentence(text), within(limit))
    return form.text if form else None


def assert_made_of_its_spans(form: Shortened, source: Sentence) -> None:
    """Whole tokens in order; beyond them only a capital first letter and the sentence's closing sign."""
    starts, ends = {token.start for token in source.tokens}, {token.end for token in source.tokens}
    assert all(start in starts and end in ends and start < end for start, end in form.spans)
    assert all(end <= start for (_, end), (start, _) in zip(form.spans, form.spans[1:], strict=False))
    parts = "".join(source.text[start - source.start : end - source.start] for start, end in form.spans)
    body, said = "".join(parts.split()), "".join(form.text.split())
    capital = body[0].upper()
    assert said.startswith(capital)
    assert said[len(capital) :] in (body[1:], body[1:] + source.tokens[-1].text)


@given(sentences, st.integers(1, 60), measures)
def test_a_form_fits_and_is_made_of_the_spans_it_names(source: Sentence, limit: int, measure: Measure) -> None:
    form = shorten(source, within(limit, measure))
    if form:
        assert measure.length(form.text) <= limit
        assert form.text == tidy(form.text)
        assert_made_of_its_spans(form, source)


@given(sentences)
@example(sentence("The mayor of Oslo resigned (aged 50)."))
@example(sentence("The old man (a cook), who left Paris, opened a bar."))
def test_no_blank_is_put_before_a_sign(source: Sentence) -> None:
    assume(not re.search(r"\s[,;:.]", source.text))
    for limit in range(4, len(source.tokens) + 1, 3):
        form = shorten(source, within(limit))
        assert form is None or not re.search(r"\s[,;:.]", form.text)


@given(sentences)
def test_more_room_never_gives_less(source: Sentence) -> None:
    forms = [shorten(source, within(limit, Measure("chars"))) for limit in range(1, len(source.text) + 9, 7)]
    lengths = [len(form.text) if form else 0 for form in forms]
    assert lengths == sorted(lengths)


@given(sentences)
def test_a_form_has_words_enough_and_ends_well(source: Sentence) -> None:
    for limit in range(4, len(source.tokens) + 1, 3):
        form = shorten(source, within(limit))
        if form:
            tokens = tokenize(form.text)
            assert sum(token.is_word for token in tokens) >= 3
            assert tokens[0].text not in (",", ";", ":", "–")
            assert tokens[-1].text not in (",", ";", ":", "–")
            assert form.text.count('"') % 2 == 0


@given(sentences)
def test_nothing_fits_nothing(source: Sentence) -> None:
    assert shorten(source, lambda text: False) is None


FLOOD = "Rain fell on Oslo (the capital), the harbour flooded and many boats sank."


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (13, "Rain fell on Oslo, the harbour flooded and many boats sank."),
        (12, "Rain fell on Oslo, the harbour flooded."),
        (9, "Rain fell on Oslo, the harbour flooded."),
        (8, "Rain fell on Oslo."),
        (5, "Rain fell on Oslo."),
        (4, None),
        (3, None),
    ],
)
def test_a_sentence_loses_its_clauses(limit: int, expected: str | None) -> None:
    assert shortened(FLOOD, limit) == expected


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("The mayor of Oslo (aged 50) resigned.", 7, "The mayor of Oslo resigned."),
        ("The mayor, who was 50, resigned.", 6, "The mayor resigned."),
        ("Rain fell on Oslo and dogs barked!", 5, "Rain fell on Oslo!"),
        ("Rain fell on Oslo and dogs barked", 5, "Rain fell on Oslo"),
        ("And rain fell on Oslo.", 5, "Rain fell on Oslo."),
        ('He said "rain fell, dogs barked".', 6, None),
        ("It was, as it is.", 4, None),
        ("It was what it was, the rain fell.", 6, None),
        ("iOS 6 was released on Friday, Apple fans were glad.", 8, "iOS 6 was released on Friday."),
    ],
)
def test_shorter_forms(text: str, limit: int, expected: str | None) -> None:
    assert shortened(text, limit) == expected


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Banks fail unless the whole state pays its debt.", "The whole state pays its debt."),
        ("If the court agrees with the man, he goes free.", "The court agrees with the man."),
        ("They left before the angry crowd reached the palace.", "The angry crowd reached the palace."),
        ("The whole town drowns if the dam breaks.", "The whole town drowns."),
        ("Nobody may enter without a visa from the embassy.", "Nobody may enter."),
        ("There is no evidence that aliens exist or the moon landing was faked.", "The moon landing was faked."),
        ("The doctor never said the drug was bad or the hospital hid the results.", "The hospital hid the results."),
        ("Do not open the valve before the pump has stopped or the tank will explode.", "The tank will explode."),
        ("Only a fool would say the earth is flat, and the moon is made of cheese.", "The moon is made of cheese."),
        ("He said, falsely, that they had paid their taxes.", "He said that they had paid their taxes."),
        ("The plan would fail, said critics, but it worked.", "The plan would fail."),
        ("If the very old dam breaks now, the town drowns.", "The very old dam breaks now, the town drowns."),
    ],
)
def test_a_condition_is_not_told_as_a_fact(text: str, claim: str) -> None:
    """To drop `unless` and keep what follows it is to say what the document does not."""
    assert claim not in [shortened(text, limit) for limit in range(3, 14)]


def test_brackets_that_are_not_closed_are_words_like_others() -> None:
    form = shorten(sentence("Rain (heavy [rain] fell on Oslo, and dogs barked."), always)
    assert form
    assert "Rain (heavy [rain] fell on Oslo" in form.text


def test_a_sentence_without_end_is_shortened_too() -> None:
    source = sentence(", ".join(f"the dog number {number} barked loudly" for number in range(3000)) + ".")
    form = shorten(source, within(40, Measure("chars")))
    assert form is not None
    assert form.text == "The dog number 0 barked loudly."


# --- keyphrases ---------------------------------------------------------------------------------


@given(texts, st.integers(1, 12), measures)
@example("http://a\x07b", 12, Measure("chars"))
def test_a_keyphrase_always_fits_or_is_one_character(text: str, limit: int, measure: Measure) -> None:
    read = Document.parse(text)
    assume(read.sentences)
    form = keyphrase(read, within(limit, measure))
    assert measure.length(form.text) <= limit or len(form.text) == 1
    ((start, end),) = form.spans
    assert form.text == tidy(text[start:end]) != ""


@given(texts)
def test_where_nothing_fits_the_answer_is_one_character_of_the_document(text: str) -> None:
    read = Document.parse(text)
    assume(read.sentences)
    form = keyphrase(read, lambda _text: False)
    ((start, end),) = form.spans
    assert end - start == 1
    assert form.text == text[start]


RAIN = document("Heavy rain fell on the Solar Panels.", "The solar\npanels are broken.", "The solar panels are dear.")


@pytest.mark.parametrize(
    ("limit", "expected"),
    [(99, "Solar Panels"), (12, "Solar Panels"), (11, "broken"), (5, "dear"), (3, "the"), (2, "on")],
)
def test_the_best_phrase_that_fits_is_said_as_the_document_writes_it(limit: int, expected: str) -> None:
    form = keyphrase(RAIN, within(limit, Measure("chars")))
    ((start, end),) = form.spans
    assert form.text == expected == RAIN.text[start:end]


def test_a_document_with_words_is_not_answered_with_a_sign() -> None:
    assert keyphrase(RAIN, within(1, Measure("chars"))).text.isalnum()


def test_a_document_of_function_words_gives_its_longest_word() -> None:
    form = keyphrase(document("It is what there was."), within(1))
    assert form == Shortened("there", ((11, 16),))


def test_a_word_too_long_is_cut() -> None:
    form = keyphrase(document("Donaudampfschiff"), within(5, Measure("chars")))
    assert form == Shortened("Donau", ((0, 5),))
