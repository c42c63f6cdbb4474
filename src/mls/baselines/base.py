"""Summaries by ranking alone: the form all extractive baselines share."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mls.analysis import Analysis
from mls.blocks import SPEAKER
from mls.budget import Budget, Measure
from mls.kernels.base import Kernel
from mls.magnifier.decoder import TOO_LONG, Step
from mls.magnifier.draft import Draft, Line, Piece
from mls.magnifier.multiplex import Head, multiplex
from mls.magnifier.speakers import Speakers
from mls.magnifier.units import Unit, units_of
from mls.magnifier.writing import MakeDecoding, write
from mls.stopwords import english_share
from mls.summary import Summary
from mls.text import Document

RANKED = "the highest ranked of those left that fits"


class InOrder:
    """A decoder that copies sentences from the highest ranked down, passing over what does not fit.

    Ranks are attention; a sentence with none is never taken. Nothing is passed over for what it says.
    """

    choice = None

    def __init__(self, analysis: Analysis, measure: Measure, limit: int) -> None:
        self.analysis = analysis
        self.draft = draft_of(analysis, measure, limit)

    def run(self) -> tuple[list[Line], list[Step]]:
        steps: list[Step] = []
        attention = self.analysis.attention
        for number in np.argsort(-attention, kind="stable").tolist():
            if attention[number] > 0:
                steps.append(self._step(len(steps), number))
        return self.draft.lines(self.analysis.document), steps

    def _step(self, position: int, number: int) -> Step:
        unit = self.analysis.units[number]
        room, needs = self.draft.room, self.draft.cost([unit])
        if needs > room:
            return Step(position, "place", number, "pass", TOO_LONG, None, needs, room, room, (), ())
        return copy_into(self.draft, position, unit, RANKED)


def draft_of(analysis: Analysis, measure: Measure, limit: int) -> Draft:
    """An empty summary, in which sentences stand whole, and who speaks is named as everywhere."""
    lengths = [unit.length(measure) for unit in analysis.units]
    return Draft(measure, limit, lengths, Speakers.of(analysis.document, measure))


def copy_into(draft: Draft, position: int, unit: Unit, reason: str) -> Step:
    """Copy a unit that fits, and say so."""
    room, needs = draft.room, draft.cost([unit])
    draft.put(unit, Piece(position, "copy", (unit,)), needs)
    return Step(position, "place", unit.number, "copy", reason, None, needs, room, draft.room, (unit.anchor,), ())


class RankingBaseline:
    """Copies what one kernel ranks highest, unless another way of decoding is given."""

    def __init__(self, kernel: Kernel, decoding: MakeDecoding = InOrder) -> None:
        self.kernel = kernel
        self.name = kernel.name
        self.decoding = decoding

    def summarize(self, text: str | Document, budget: Budget | str | int | float = "1/4") -> Summary:
        return self.levels(text, [budget])[0]

    def levels(self, text: str | Document, budgets: Iterable[Budget | str | int | float]) -> list[Summary]:
        wanted = [Budget.parse(budget) for budget in budgets]
        analysis = self.read(Document.of(text))
        return [self.write(analysis, budget) for budget in wanted]

    def read(self, document: Document) -> Analysis:
        units = units_of(document, None)
        scores = np.array(self.kernel.score(document, document.sentences), dtype=np.float64)
        scores[[sentence.index for sentence in document.sentences if sentence.kind == SPEAKER]] = 0.0
        joined = multiplex([Head.of(self.kernel.name, self.kernel.question, 1.0, scores)])
        return Analysis(document, units, joined, english_share(document.words))

    def write(self, analysis: Analysis, budget: Budget | str | int | float) -> Summary:
        return write(analysis, Budget.parse(budget), self.decoding)
