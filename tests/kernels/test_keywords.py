"""Keywords: RAKE as its authors and rake-nltk have it, and sentences judged by it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rake_nltk import Rake

from builders import document, plain_documents, sentence, texts
from mls.kernels.keywords import KEYWORDS, Keyword, KeywordKernel, candidate_phrases, most_frequent, rake
from mls.stopwords import STOP_WORDS
from mls.text import Document, tokenize

COMPATIBILITY = Document.parse(
    "Compatibility of systems of linear constraints over the set of natural numbers. Criteria of compatibility of a "
    "system of linear Diophantine equations, strict inequations, and nonstrict inequations are considered."
)


def rake_nltk_ranks(document: Document) -> Counter[tuple[str, float]]:
    """Every phrase with its score, as often as it occurs, from rake-nltk with our splitting."""
    punctuation = {token.key for s in document.sentences for token in s.tokens if not token.is_word}
    peer = Rake(
        stopwords=set(STOP_WORDS),
        punctuations=punctuation or {"."},
        sentence_tokenizer=lambda text: [s.text for s in Document.parse(text).sentences],
        word_tokenizer=lambda text: [token.key for token in tokenize(text)],
    )
    peer.extract_keywords_from_sentences([s.text for s in document.sentences])
    return Counter((phrase, round(score, 9)) for score, phrase in peer.get_ranked_phrases_with_scores())


def our_ranks(document: Document) -> Counter[tuple[str, float]]:
    return Counter({(" ".join(one.phrase), round(one.rank, 9)): one.count for one in rake(document.sentences)})


@given(st.one_of(plain_documents, texts.map(Document.parse)))
@example(COMPATIBILITY)
@example(document("Rain rain rain fell.", "Solar panels, rain and solar rain panels."))
def test_phrases_counts_and_ranks_agree_with_rake_nltk(document: Document) -> None:
    assert our_ranks(document) == rake_nltk_ranks(document)


def test_the_example_of_the_authors() -> None:
    ranks = {" ".join(one.phrase): one.rank for one in rake(COMPATIBILITY.sentences)}
    assert ranks["linear diophantine equations"] == 8.5
    assert ranks["linear constraints"] == 4.5
    assert ranks["natural numbers"] == 4.0
    assert ranks["criteria"] == 1.0


def test_phrases_end_at_function_words_signs_and_sentences() -> None:
    phrases = list(candidate_phrases(sentence("The Solar panels’ cheap frame, made in New York - and glass")))
    assert phrases == [("solar", "panels"), ("cheap", "frame"), ("new", "york"), ("glass",)]


def keyword(phrase: str, count: int, rank: float = 1.0) -> Keyword:
    return Keyword(tuple(phrase.split()), count, rank)


def test_the_most_frequent_come_first_and_rank_decides_between_equals() -> None:
    some = [
        keyword("once", 1),
        keyword("low", 2, 1.0),
        keyword("high rank", 2, 4.0),
        keyword("often", 3),
        keyword("also", 3),
    ]
    assert [" ".join(one.phrase) for one in most_frequent(some)] == ["also", "often", "high rank", "low", "once"]


def test_at_most_fifty_are_kept_and_none_of_more_than_four_words() -> None:
    many = [keyword(f"w{number}", 1 + number % 7) for number in range(80)]
    kept = most_frequent([keyword("one two three four five", 99), keyword("one two three four", 98), *many])
    assert len(kept) == KEYWORDS == 50
    assert kept[0].count == 98


RAIN = document(
    "Heavy rain fell on solar panels.",
    "The solar panels broke under heavy rain.",
    "Heavy rain hit the solar panels again.",
    "A dog barked.",
    "It was what it was.",
)


def test_a_sentence_with_the_key_terms_scores_above_one_with_a_rare_term_above_one_with_none() -> None:
    scores = KeywordKernel().score(RAIN, [*RAIN.sentences, sentence("Solar panels!")])
    assert min(scores[0], scores[1], scores[2], scores[5]) > scores[3] >= scores[4] == 0


def test_a_key_term_counts_inside_a_longer_phrase_too() -> None:
    scores = KeywordKernel().score(RAIN, [sentence("Cheap solar panels"), sentence("A dog barked.")])
    assert scores[0] > scores[1]


def test_words_on_both_sides_of_a_sign_are_no_key_term() -> None:
    panels = document("Solar panels.", "Solar panels.", "Dogs bark.", "Solar.", "Panels.")
    asked = [sentence("Solar! Panels."), sentence("Solar panels."), sentence("Dogs bark.")]
    apart, together, _ = KeywordKernel().score(panels, asked)
    assert apart < together


def test_a_document_without_keywords_gives_everyone_the_worst_score() -> None:
    empty = document("It is what it is.", "?!")
    assert np.array_equal(KeywordKernel().score(empty, [*empty.sentences, sentence("Rain.")]), np.zeros(3))


def test_text_of_signs_has_no_phrase() -> None:
    assert rake(document("... !", "-- ?").sentences) == []


@pytest.mark.parametrize("text", ["", "Dr."])
def test_little_text_is_no_trouble(text: str) -> None:
    assert len(rake(Document.parse(text).sentences)) == len(text.split())
