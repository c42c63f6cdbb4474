"""Importance: not in the paper. What a careful reader would mark, learned from marked sentences of many texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mls.kernels.base import Scores
from mls.text import Document, Wording


class ImportanceKernel:
    """How much each sentence is worth in a summary.

    `judge` answers one number per sentence of a document. A sentence in the prototype's own words
    counts as the source sentence it stands for.
    """

    name = "importance"
    question = "Would a careful reader mark it?"

    def __init__(self, judge: Callable[[Document], Scores]) -> None:
        self.judge = judge

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        judged = self.judge(document)
        return np.array([judged[sentence.anchor] for sentence in sentences])
