"""How sure a mean is: 95% intervals by resampling documents, or whatever else values come in groups of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
RESAMPLES = 2_000
_LOW, _HIGH = 2.5, 97.5


@dataclass(frozen=True)
class Estimate:
    """A mean over documents and its 95% interval; `count` documents had a value."""

    mean: float
    low: float
    high: float
    count: int

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Comparison:
    """The mean difference on the documents both methods have, with its interval."""

    difference: float
    low: float
    high: float
    count: int

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low > 0 or self.high < 0


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of what is a number, with its interval.

    >>> estimate([0.5] * 10)
    Estimate(mean=0.5, low=0.5, high=0.5, count=10)
    """
    known = np.array([value for value in values if value == value], dtype=np.float64)
    if not len(known):
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    low, high = interval(known, np.ones(len(known)))
    return Estimate(float(known.mean()), low, high, len(known))


def compare(ours: Sequence[float], theirs: Sequence[float]) -> Comparison:
    """Ours minus theirs, paired by document.

    >>> compare([0.6, 0.7, 0.8], [0.5, 0.6, 0.7]).is_clear
    True
    """
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    found = estimate(differences)
    return Comparison(found.mean, found.low, found.high, found.count)


def interval(sums: Numbers, counts: Numbers, resamples: int = RESAMPLES, seed: int = 1) -> tuple[float, float]:
    """The 95% interval of a mean of values that come in groups, each with its sum and its number: groups are resampled.

    >>> interval(np.array([2.0, 4.0]), np.array([2.0, 4.0]))
    (1.0, 1.0)
    """
    rng = np.random.default_rng(seed)
    rows = max(1, 2_000_000 // len(sums))  # so many at a time, whatever the number of groups
    means: list[Numbers] = []
    for first in range(0, resamples, rows):
        drawn = rng.integers(0, len(sums), (min(rows, resamples - first), len(sums)))
        means.append(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1))
    low, high = np.percentile(np.concatenate(means), [_LOW, _HIGH])
    return float(low), float(high)
