"""How far a summary drifts from its document: in topics, in sentiment, in coherence. Paper: section 3 B."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from mls.embedding.base import Embedder, unit_rows
from mls.embedding.word_vectors import WordVectors
from mls.errors import MissingExtraError
from mls.evaluation.judged import Judged
from mls.kernels.base import Scores
from mls.kernels.topics import ALPHA, learned_topics, topic_vocabulary
from mls.stopwords import content_words
from mls.text import Document

_SMOOTHING = 0.01
_ITERATIONS = 50  # shares have settled long before


def topic_divergence(judged: Judged) -> float:
    """The KL divergence of what the summary speaks of from what the document does.

    One LDA is fitted, over the document's sentences, on its 300 most frequent content words; both texts are told in its
    topics, and what is not among those words is one topic more. Not a number where either has no content words.

    Paper: section 3 B.
    """
    vocabulary = topic_vocabulary(judged.document)
    said = [content_words(text.words) for text in (judged.summary, judged.document)]
    if not all(said):
        return float("nan")
    topics = learned_topics(judged.document, vocabulary)
    ours, theirs = (_smoothed(_spoken_of(words, topics, vocabulary)) for words in said)
    return divergence(ours, theirs)


def _spoken_of(words: Sequence[str], topics: Scores, vocabulary: Sequence[str]) -> Scores:
    """The share of each topic in some words, by expectation maximisation, and the share of words that are in none."""
    said = Counter(words)
    counts = np.array([said[word] for word in vocabulary], dtype=np.float64)
    shares = np.full(len(topics), 1.0 / len(topics))
    for _ in range(_ITERATIONS):
        joint = shares[:, None] * topics
        expected = (joint / joint.sum(axis=0) * counts).sum(axis=1) + ALPHA
        shares = expected / expected.sum()
    known = counts.sum() / len(words)
    return np.append(known * shares, 1.0 - known)


def divergence(first: Scores, second: Scores) -> float:
    """Kullback-Leibler: how badly the second distribution stands in for the first, in nats.

    >>> round(divergence(np.array([0.5, 0.5]), np.array([0.25, 0.75])), 4)
    0.1438
    """
    return float((first * np.log(first / second)).sum())


def _smoothed(distributions: Scores) -> Scores:
    even = 1.0 / distributions.shape[-1]
    return np.asarray((1 - _SMOOTHING) * distributions + _SMOOTHING * even)


def sentiment_divergence(judged: Judged) -> float:
    """The KL divergence of the summary's sentiment from the document's.

    A text's sentiment is the mean of VADER's negative, neutral and positive shares over its sentences.

    Paper: section 3 B.
    """
    return divergence(_smoothed(sentiment(judged.summary)), _smoothed(sentiment(judged.document)))


def sentiment(document: Document) -> Scores:
    """The mean negative, neutral and positive share of a document's sentences; they sum to one."""
    rows = [_polarity(sentence.text) for sentence in document.sentences]
    shares = np.mean(rows, axis=0) if rows else np.zeros(3)
    return np.asarray(shares / shares.sum()) if shares.sum() > 0 else np.full(3, 1 / 3)


@lru_cache(maxsize=10_000)  # a document's sentences are asked for at every budget of every method
def _polarity(sentence: str) -> tuple[float, float, float]:
    found = _vader().polarity_scores(sentence)
    return found["neg"], found["neu"], found["pos"]


@cache
def _vader() -> Any:
    try:
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer
    except ImportError as error:
        raise MissingExtraError("sentiment divergence", "vaderSentiment", "eval") from error
    return SentimentIntensityAnalyzer()


def coherence_difference(judged: Judged) -> float:
    """How much the summary hangs together more or less than its document does.

    Not a number where either has fewer than two sentences: one sentence has no neighbour.

    Paper: Delta Coherence, section 3 B.
    """
    return abs(coherence(judged.summary) - coherence(judged.document))


def coherence(document: Document) -> float:
    """The mean cosine similarity of consecutive sentences, under the shipped Doc2Vec vectors."""
    if len(document.sentences) < 2:
        return float("nan")
    vectors = unit_rows(_embedder().embed(document.sentences)).astype(np.float64)
    return float(np.mean([first @ second for first, second in pairwise(vectors)]))


@cache
def _embedder() -> Embedder:
    return WordVectors()
