"""Cues: rules with names and learned worths, by which a sentence's words alone tell how much it is wanted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from mls.kernels.base import Scores
from mls.stopwords import content_words
from mls.text import Document, Wording


class CueKernel:
    """A head that goes by cues. `worth` has a number for each of them, in log odds, then for words and their square."""

    name: str
    question: str
    cues: ClassVar[Mapping[str, re.Pattern[str]]]
    worth: ClassVar[Mapping[str, float]]

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        """The odds of each sentence, from what it says alone."""
        worth = np.array(list(self.worth.values()))
        return np.asarray(np.exp(np.clip(features(self.cues, sentences) @ worth, -8.0, 8.0)))


def features(cues: Mapping[str, re.Pattern[str]], sentences: Sequence[Wording]) -> Scores:
    """(sentences, cues) Which cues each sentence has, and how much it says."""
    rows = np.zeros((len(sentences), len(cues) + 2))
    for row, sentence in zip(rows, sentences, strict=True):
        row[: len(cues)] = [bool(cue.search(sentence.text)) for cue in cues.values()]
        size = np.log2(1 + len(content_words(sentence.words)))
        row[len(cues) :] = size, size * size / 4
    return rows
