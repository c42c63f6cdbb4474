"""What a reader likes to read of, and what a reader knows already: two heads that a profile brings along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mls.kernels.base import Scores
from mls.kernels.focus import stem
from mls.stopwords import content_words
from mls.text import Document, Wording


@dataclass
class ReaderKernel:
    """How much of what a sentence says stands in what a reader marked before, by the stems of its words."""

    name: str
    question: str
    stems: Mapping[str, float]  # and how much each counts

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        return np.array([self._score(sentence.words) for sentence in sentences])

    def _score(self, words: Sequence[str]) -> float:
        said = stems_of(words)
        return sum(self.stems.get(one, 0.0) for one in sorted(said)) / float(np.sqrt(max(1, len(said))))


def stems_of(words: Sequence[str]) -> set[str]:
    """The stems of the words that carry meaning."""
    return {stem(word) for word in content_words(words)}
