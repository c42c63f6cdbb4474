"""The head weights that serve a kind of text best: a grid search for ROUGE-1. Paper: section 2.2 A.

Documents are read once; a point of the grid costs only decoding. With up to three heads every point
of the grid is tried. With more there are too many: each head alone and all heads alike come first,
and from the best two of these, weight is moved from one head to another, by ever smaller amounts,
for as long as that helps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np

from mls.analysis import Analysis
from mls.baselines.oracle import f1
from mls.budget import Budget
from mls.corpora.records import Record
from mls.evaluation.rouge import tokenizer
from mls.summarizer import Summarizer

STEPS = 10  # a tenth is one step
FULL_GRID = 3  # heads
Weights = tuple[int, ...]  # in steps, one for each head, summing to STEPS
Show = Callable[[int, int], None]


@dataclass(frozen=True)
class Point:
    """One setting of the weights and the ROUGE-1 it gives each document, on average over the budgets."""

    weights: dict[str, float]
    scores: tuple[float, ...]

    @property
    def rouge1(self) -> float:
        return float(np.mean(self.scores))

    def is_as_good_as(self, better: Point) -> bool:
        """Whether it is behind by no more than one standard error of the difference, document by document."""
        behind = np.subtract(better.scores, self.scores)
        return bool(behind.mean() <= behind.std() / len(behind) ** 0.5)

    def distance(self, other: Point) -> float:
        """How much weight would have to move to come from one to the other."""
        return sum(abs(weight - other.weights[name]) for name, weight in self.weights.items()) / 2


@dataclass(frozen=True)
class Tuned:
    """All points that were tried, the best of them, and the one to use."""

    points: tuple[Point, ...]
    at_start: Point

    @property
    def best(self) -> Point:
        return max(self.points, key=lambda point: point.rouge1)

    @property
    def chosen(self) -> Point:
        """The nearest to where the search began that is as good as the best, up to a difference that may be random.

        The best of hundreds of points on a few dozen documents is partly the luckiest. Breiman's rule
        of one standard error keeps what was known before unless these documents speak against it.
        """
        good = [point for point in (self.at_start, *self.points) if point.is_as_good_as(self.best)]
        return min(good, key=lambda point: (round(point.distance(self.at_start), 6), -point.rouge1))


class Objective:
    """Mean ROUGE-1 over documents and budgets, as a function of the weights."""

    def __init__(
        self, summarizer: Summarizer, records: Sequence[Record], budgets: Sequence[Budget], show: Show
    ) -> None:
        self.summarizer = summarizer
        self.budgets = budgets
        self.analyses: list[tuple[Analysis, Counter[str]]] = []
        for done, record in enumerate(records):
            self.analyses.append((summarizer.read(record.document), stems(record.summary)))
            show(done + 1, len(records))
        self.names = [kernel.name for kernel in summarizer.kernels]
        self.known: dict[Weights, Point] = {}

    def __call__(self, weights: Weights) -> float:
        if weights not in self.known:
            self.known[weights] = self.at(self.named(weights))
        return self.known[weights].rouge1

    def at(self, weights: dict[str, float]) -> Point:
        return Point(weights, tuple(self._score(*read, weights) for read in self.analyses))

    def _score(self, analysis: Analysis, reference: Counter[str], weights: dict[str, float]) -> float:
        reweighed = self.summarizer.reweigh(analysis, weights)
        written = (self.summarizer.write(reweighed, budget).text for budget in self.budgets)
        return float(np.mean([f1(stems(text), reference) for text in written]))

    def named(self, weights: Weights) -> dict[str, float]:
        return {name: weight / STEPS for name, weight in zip(self.names, weights, strict=True)}


def tune(
    summarizer: Summarizer, records: Sequence[Record], budgets: Sequence[Budget], reading: Show, trying: Show
) -> Tuned:
    """Search the weights; `reading` and `trying` are told of the progress, the latter of an open end as 0.

    Paper: section 2.3.
    """
    objective = Objective(summarizer, records, budgets, reading)
    start = objective.at(summarizer.weights)
    if len(objective.names) <= FULL_GRID:
        grid = list(all_weights(len(objective.names)))
        for done, weights in enumerate(grid):
            objective(weights)
            trying(done + 1, len(grid))
    else:
        begins = sorted(starts(len(objective.names)), key=objective, reverse=True)
        for begin in begins[:2]:
            climb(objective, begin, lambda: trying(len(objective.known), 0))
    return Tuned(tuple(point for _, point in sorted(objective.known.items())), start)


def all_weights(heads: int) -> Iterator[Weights]:
    """Every setting within [-1, 1] that sums to 1.

    >>> len(list(all_weights(2))), len(list(all_weights(3)))
    (11, 231)
    """
    if heads == 1:
        yield (STEPS,)
        return

    def extend(chosen: Weights) -> Iterator[Weights]:
        if len(chosen) == heads - 1:
            last = STEPS - sum(chosen)
            if -STEPS <= last <= STEPS:
                yield (*chosen, last)
            return
        for weight in range(-STEPS, STEPS + 1):
            yield from extend((*chosen, weight))

    yield from extend(())


def starts(heads: int) -> list[Weights]:
    """Each head alone, and all as alike as the grid allows."""
    alone = [tuple(STEPS if other == head else 0 for other in range(heads)) for head in range(heads)]
    alike = [STEPS // heads] * heads
    for head in range(STEPS % heads):
        alike[head] += 1
    return [*alone, tuple(alike)]


def climb(objective: Callable[[Weights], float], begin: Weights, tell: Callable[[], None]) -> Weights:
    """Move weight between heads, by ever smaller amounts, for as long as ROUGE-1 rises."""
    best = begin
    amount = 4
    while amount:
        neighbours = [moved for moved in _moves(best, amount) if min(moved) >= -STEPS and max(moved) <= STEPS]
        highest = max(neighbours, key=objective, default=best)
        tell()
        if objective(highest) > objective(best):
            best = highest
        else:
            amount //= 2
    return best


def _moves(weights: Weights, amount: int) -> Iterator[Weights]:
    for giver, taker in permutations(range(len(weights)), 2):
        moved = list(weights)
        moved[giver] -= amount
        moved[taker] += amount
        yield tuple(moved)


def stems(text: str) -> Counter[str]:
    """A text's words as rouge-score counts them."""
    return Counter(token for word in text.split() for token in _tokens(word))


@cache
def _tokens(word: str) -> tuple[str, ...]:
    return tuple(tokenizer().tokenize(word))
