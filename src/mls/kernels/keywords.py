"""Keyword coverage: the paper's second property. RAKE after Rose et al. (2010)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mls.kernels.base import MatrixKernel, Scores, closeness, distributions, local_attention
from mls.stopwords import STOP_WORDS
from mls.text import Document, Sentence, Wording

KEYWORDS = 50  # the length of Q2 in the paper
_LONGEST = 4  # words; a longer run between two stop words is hardly a keyword
_SMOOTHING = 0.01

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Keyword:
    """A phrase RAKE found, how often it occurs and how RAKE ranks it."""

    phrase: Phrase
    count: int
    rank: float


class KeywordKernel(MatrixKernel):
    """The relative frequencies of the document's fifty most frequent RAKE keywords."""

    name = "keywords"
    question = "Does it use the document's key terms?"

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        """Closeness of each sentence's keywords to the document's. Paper: Eq. (1)-(2) with Q2."""
        keywords = most_frequent(rake(document.sentences))
        if not keywords:
            return np.zeros(len(sentences))
        frequencies = np.array([[float(keyword.count) for keyword in keywords]])  # (1, 50)
        counts = _count(sentences, [keyword.phrase for keyword in keywords])  # (N, 50)
        kernel = self.arranged(distributions(frequencies, _SMOOTHING))
        distances = local_attention(distributions(counts, _SMOOTHING), kernel)
        return closeness(distances, np.asarray(counts.any(axis=1)))


def rake(sentences: Iterable[Sentence]) -> list[Keyword]:
    """All candidate phrases. A phrase ranks as the sum of degree / frequency of its words."""
    phrases = Counter(phrase for sentence in sentences for phrase in candidate_phrases(sentence))
    frequency: Counter[str] = Counter()
    degree: dict[str, int] = defaultdict(int)
    for phrase, count in phrases.items():
        for word in phrase:
            frequency[word] += count
            degree[word] += count * len(phrase)
    return [
        Keyword(phrase, count, sum(degree[word] / frequency[word] for word in phrase))
        for phrase, count in phrases.items()
    ]


def most_frequent(keywords: Iterable[Keyword]) -> list[Keyword]:
    """The fifty that occur most often; RAKE's rank decides between equals."""
    short = (keyword for keyword in keywords if len(keyword.phrase) <= _LONGEST)
    return sorted(short, key=lambda keyword: (-keyword.count, -keyword.rank, keyword.phrase))[:KEYWORDS]


def candidate_phrases(sentence: Sentence) -> Iterator[Phrase]:
    """Runs of words between function words and punctuation."""
    run: list[str] = []
    for key, is_word in zip(sentence.keys, sentence.tokens.are_words, strict=True):
        if is_word and key not in STOP_WORDS:
            run.append(key)
        elif run:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)


def _count(sentences: Sequence[Wording], phrases: Sequence[Phrase]) -> Scores:
    """How often each sentence says each phrase, also inside a longer one."""
    columns = {phrase: number for number, phrase in enumerate(phrases)}
    lengths = sorted({len(phrase) for phrase in phrases})
    counts = np.zeros((len(sentences), len(phrases)))
    for row, sentence in enumerate(sentences):
        keys = sentence.keys  # with the punctuation, which no phrase goes across
        for length in lengths:
            for start in range(len(keys) - length + 1):
                column = columns.get(keys[start : start + length])
                if column is not None:
                    counts[row, column] += 1
    return counts
