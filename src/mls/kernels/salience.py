"""Salience: not in the paper, but what its network knows and the other heads do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mls.kernels.base import Scores
from mls.text import Document, Wording


class SalienceKernel:
    """How likely people take a sentence's words up, as a network has learned from their summaries.

    `judge` answers one number per sentence of a document. A sentence in the prototype's own words
    counts as the source sentence it stands for.
    """

    name = "salience"
    question = "Would people who summarize such texts take it up?"

    def __init__(self, judge: Callable[[Document], Scores]) -> None:
        self.judge = judge

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        judged = self.judge(document)
        return np.array([judged[sentence.anchor] for sentence in sentences])
