"""Topics: what the document is about counts, what it mentions in passing does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings

from builders import document, plain_documents, sentence
from mls.kernels.topics import COLUMNS, ROWS, TopicKernel, count_matrix, topic_vectors, topic_vocabulary
from mls.stopwords import content_words
from mls.text import Document

SONG = [
    "The whale swam past the harbour.",
    "Every whale in the harbour sang.",
    "A whale sang to the other whale.",
    "The harbour heard the whale sing its song.",
]
WHALES = document("My aunt bought a green umbrella.", *SONG * 5)


@given(plain_documents)
def test_the_vocabulary_is_the_most_frequent_content_words(document: Document) -> None:
    said = content_words(word for one in document.sentences for word in one.words)
    vocabulary = topic_vocabulary(document)
    assert sorted(vocabulary) == sorted(set(said))
    assert [said.count(word) for word in vocabulary] == sorted((said.count(word) for word in vocabulary), reverse=True)


def test_the_vocabulary_has_the_papers_width_at_most() -> None:
    words = [f"{first}{second}word" for first in "abcdefghijklmnopqrstuvwxyz" for second in "abcdefghijklmnop"]
    frequent = words[-40:]
    vocabulary = topic_vocabulary(document(" ".join(words), " ".join(frequent)))
    assert len(words) > COLUMNS == 300 == len(vocabulary)
    assert vocabulary[:40] == sorted(frequent)


@settings(max_examples=40)
@given(plain_documents)
def test_topics_are_distributions_over_the_vocabulary(document: Document) -> None:
    vocabulary = topic_vocabulary(document)
    assume(vocabulary)
    topics = topic_vectors(document, vocabulary)
    assert 1 <= len(topics) <= ROWS
    assert topics.shape[1] == len(vocabulary)
    assert (topics > 0).all()
    assert topics.sum(axis=1) == pytest.approx(np.ones(len(topics)))


def test_the_three_topics_kept_are_the_dominant_ones() -> None:
    vocabulary = topic_vocabulary(WHALES)
    topics = topic_vectors(WHALES, vocabulary)
    assert topics.shape == (3, len(vocabulary))
    weight = dict(zip(vocabulary, topics.sum(axis=0), strict=True))
    assert min(weight["whale"], weight["harbour"], weight["sang"]) > 10 * weight["umbrella"]


def test_words_are_counted_by_sentence_and_column() -> None:
    sentences = [sentence("A whale, a Whale!"), sentence("The song of the harbour."), sentence("No.")]
    assert count_matrix(sentences, ["whale", "song", "harbour"]).tolist() == [[2, 0, 0], [0, 1, 1], [0, 0, 0]]


def test_a_sentence_on_the_topic_scores_above_one_beside_it() -> None:
    scores = TopicKernel().score(WHALES, WHALES.sentences)
    assert scores[0] == 0 < scores[1:].min()


def test_a_document_without_content_words_gives_everyone_the_worst_score() -> None:
    empty = document("It is what it is.", "1984!")
    assert TopicKernel().score(empty, [*empty.sentences, sentence("A whale.")]).tolist() == [0, 0, 0]


def test_a_long_document_is_read_in_samples_and_still_judged_whole() -> None:
    long = document(*[f"The whale number {'abcdefghij'[n % 10]}{n} swam." for n in range(900)], "A rare umbrella.")
    scores = TopicKernel().score(long, long.sentences)
    assert scores.shape == (901,)
    assert np.isfinite(scores).all()
