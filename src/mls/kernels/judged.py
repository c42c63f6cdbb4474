"""Heads that ask a network about the whole document: what people take up, and what a careful reader would mark."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mls.kernels.base import Scores
from mls.text import Document, Wording


class JudgedKernel:
    """`judge` answers one number per sentence of a document.

    A sentence in the prototype's own words counts as the source sentence it stands for.
    """

    name: str
    question: str

    def __init__(self, judge: Callable[[Document], Scores]) -> None:
        self.judge = judge

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        judged = self.judge(document)
        return np.array([judged[sentence.anchor] for sentence in sentences])


class SalienceKernel(JudgedKernel):
    """How likely people take a sentence's words up, as the pointer-generator has learned from their summaries.

    Not in the paper, but what its network knows and the other heads do not.
    """

    name = "salience"
    question = "Would people who summarize such texts take it up?"


class ImportanceKernel(JudgedKernel):
    """How much a sentence is worth in a summary, learned from marked sentences of many texts. Not in the paper."""

    name = "importance"
    question = "Would a careful reader mark it?"
