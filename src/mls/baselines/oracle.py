"""The ceiling of extraction: sentences chosen with the reference in sight. For evaluation only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from mls.analysis import Analysis
from mls.baselines.base import RankingBaseline, copy_into, draft_of
from mls.budget import Measure
from mls.kernels.base import Scores
from mls.magnifier.decoder import Step
from mls.magnifier.draft import Line
from mls.magnifier.units import Gram
from mls.text import Document, Wording

BEST_GAIN = "of all sentences that fit, it brings the summary nearest to the reference"


class Reference:
    """What a person wrote, and how near a selection of sentences comes to it."""

    name = "oracle"
    question = "Is it near to what the reference says?"

    def __init__(self, reference: str) -> None:
        self.wanted = _grams(Document.parse(reference).sentences)

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        return np.array([self.nearness(_grams([sentence])) for sentence in sentences])

    def nearness(self, said: tuple[Counter[Gram], ...]) -> float:
        """ROUGE-1 + ROUGE-2, as F1 without stemming."""
        return sum(f1(ours, theirs) for ours, theirs in zip(said, self.wanted, strict=True))


class TowardsReference:
    """Copies, again and again, the sentence that raises ROUGE most; stops when none does."""

    choice = None

    def __init__(self, reference: Reference, analysis: Analysis, measure: Measure, limit: int) -> None:
        self.reference = reference
        self.analysis = analysis
        self.units = [unit for unit in analysis.units if analysis.attention[unit.number] > 0]
        self.draft = draft_of(analysis, measure, limit)

    def run(self) -> tuple[list[Line], list[Step]]:
        steps: list[Step] = []
        said = _grams([])
        best = 0.0
        while self.units:
            with_each = [_sums(said, _grams([unit.sentence])) for unit in self.units]
            fits = [self.draft.cost([unit]) <= self.draft.room for unit in self.units]
            gains = [self.reference.nearness(sums) if fit else 0.0 for sums, fit in zip(with_each, fits, strict=True)]
            chosen = int(np.argmax(gains))
            if gains[chosen] <= best:
                break
            best, said, unit = gains[chosen], with_each[chosen], self.units.pop(chosen)
            steps.append(copy_into(self.draft, len(steps), unit, BEST_GAIN))
        return self.draft.lines(self.analysis.document), steps


def _grams(sentences: Sequence[Wording]) -> tuple[Counter[Gram], ...]:
    """Counts of words and of word bigrams."""
    return tuple(
        Counter(s.words[start : start + n] for s in sentences for start in range(len(s.words) - n + 1)) for n in (1, 2)
    )


def _sums(first: tuple[Counter[Gram], ...], second: tuple[Counter[Gram], ...]) -> tuple[Counter[Gram], ...]:
    return tuple(a + b for a, b in zip(first, second, strict=True))


def f1(said: Counter[Any], wanted: Counter[Any]) -> float:
    """How much two collections share, between 0 and 1.

    >>> f1(Counter("abc"), Counter("abd")) == 2 / 3
    True
    """
    total = said.total() + wanted.total()
    return 2 * (said & wanted).total() / total if total else 0.0


def oracle(reference: str) -> RankingBaseline:
    seen = Reference(reference)
    return RankingBaseline(seen, partial(TowardsReference, seen))
