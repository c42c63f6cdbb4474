"""What is lost with a part of a sentence, learned from judged parts: nothing (0), or the news itself (1).

What is seen of a part are the numbers by which its cut is judged (`mls.forms.cuts`), and how much its words and those
that stay have to do with the document. `tools/losses.py` trains the judge.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from mls.forms.tree import ParsedSentence
from mls.perceptron import shipped_perceptrons
from mls.stopwords import STOP_WORDS

_BASE, _KEPT, _AGAIN, _SHARE = -1.63, 0.22, 0.56, 4.2  # of the log-odds that a word belongs to the point
_SCALE = 8.0
_FUNCTION = 0.3  # what a function word is worth
MOST = 0.98  # of a sentence, that can be lost with one part


class Often:
    """How much it says for a word that a document says it often."""

    def __init__(self, sentences: Iterable[Sequence[str]]) -> None:
        own = [frozenset(keys) for keys in sentences]
        self.count = Counter(word for keys in own for word in keys)
        self.sentences = max(1, len(own))
        self.known: dict[str, float] = {}

    def __call__(self, word: str) -> float:
        if word not in self.known:
            self.known[word] = self._told(word)
        return self.known[word]

    def _told(self, word: str) -> float:
        count = self.count[word]
        return _AGAIN * math.log2(count) + _SHARE * count / self.sentences if count else 0.0


class Words:
    """What the words of a sentence have to do with its document. `often` knows what that says again."""

    def __init__(self, parsed: ParsedSentence, often: Callable[[str], float]) -> None:
        self.parsed = parsed
        self.told = np.array([often(word) for word in parsed.words])
        self.are_words = np.array(parsed.are_words)
        self.worth = self._worth()

    def _worth(self) -> NDArray[np.float64]:
        """How likely each word belongs to the point of its document, times `_SCALE`.

        A logistic regression on 12,276 words of sentences that were marked as the very point, of which 28 in 100 are
        also in the point as it was told in other words: what people keep, and how often the document says the word.
        """
        keep = np.clip(self.parsed.parse.keep.astype(np.float64), 1e-3, 1 - 1e-3)
        odds = _BASE + _KEPT * np.log(keep / (1 - keep)) + self.told
        content = np.array([word not in STOP_WORDS for word in self.parsed.words])
        return np.where(self.are_words, np.where(content, _SCALE / (1 + np.exp(-odds)), _FUNCTION), 0.0)

    def features(self, inside: frozenset[int], is_first_clause: bool) -> list[float]:
        """What is seen of some tokens beside those that stay."""
        gone = np.zeros(len(self.parsed), dtype=bool)
        gone[list(inside)] = True
        own, stay = gone & self.are_words, ~gone & self.are_words
        index, total = self.parsed.sentence.index, float(self.worth.sum())
        lost = float(self.worth[own].sum())
        return [
            lost / total if total else 0.0, lost, float(self.worth[own].max(initial=0.0)), *self._repeated(own),
            *self._repeated(stay), total - lost, is_first_clause, index == 0, math.log2(1 + index),
        ]  # fmt: skip

    def _repeated(self, some: NDArray[np.bool_]) -> tuple[float, float]:
        told = self.told[some]
        return (float(told.mean()), float(told.max(initial=0.0))) if len(told) else (0.0, 0.0)


def judged(seen: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """What is lost with each part, from 0 to 1."""
    return np.minimum(shipped_perceptrons("forms", "losses").of_rows(seen), MOST)
