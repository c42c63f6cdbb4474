"""A3, a length-controlled convolutional network, after Liu, Luo and Zhu (2018).

The desired length is the budget in tokens. What the network writes is kept in whole sentences, in
the order in which it wrote them, as far as they fit: the budget is as hard for A3 as for all
others, however well the network keeps to a length. An unfinished last sentence is kept only if
there is room for the full stop that it lacks. Where not even one sentence fits, it is shortened as
one of MLS would be.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mls.analysis import Analysis
from mls.baselines.base import InOrder
from mls.budget import Budget
from mls.lab.length_controlled import LengthControlledDraft
from mls.magnifier.multiplex import Head, multiplex
from mls.magnifier.units import units_of
from mls.magnifier.writing import desired_tokens, write
from mls.model import Model
from mls.stopwords import english_share
from mls.summary import Summary
from mls.text import Document

QUESTION = "Did the network write it, and how early?"


class A3:
    """Summaries in the words of a convolutional network that is told how long to be. Paper: section 3 C."""

    name = "a3"

    def __init__(self, draft: LengthControlledDraft) -> None:
        self.draft = draft

    @classmethod
    def of(cls, model: Model) -> A3:
        """With the network of a model folder."""
        return cls(LengthControlledDraft.of(model))

    def summarize(self, text: str | Document, budget: Budget | str | int | float = "1/4") -> Summary:
        return self.levels(text, [budget])[0]

    def levels(self, text: str | Document, budgets: Iterable[Budget | str | int | float]) -> list[Summary]:
        """Each length is written anew: the network plans for it from its first word on."""
        wanted = [Budget.parse(budget) for budget in budgets]
        document = Document.of(text)
        return [write(self.read(document, budget), budget, InOrder) for budget in wanted]

    def read(self, document: Document, budget: Budget) -> Analysis:
        """Let the network write; its sentences rank in their order, the document's own not at all."""
        draft = self.draft(document, desired_tokens(document, budget))
        units = units_of(document, draft)
        drafted = len(draft.sentences)
        joined = multiplex([Head.of(self.name, QUESTION, 1.0, np.maximum(0.0, drafted - np.arange(float(len(units)))))])
        return Analysis(document, units, joined, english_share(document.words), draft)
