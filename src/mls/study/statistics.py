"""The figures of a study: pure functions that know people, values and nothing else.

Answers of one person are alike, so a person, not an answer, is what is drawn at random: intervals resample
people, and the test of a difference counts people.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mls.evaluation.bootstrap import Numbers, interval

RESAMPLES = 10_000
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval, and how many values of how many people it was made from."""

    mean: float
    low: float
    high: float
    values: int
    people: int


def estimate(people: Sequence[int], values: Sequence[float], seed: int = 1) -> Estimate | None:
    """The mean of all values, with a 95% percentile bootstrap over people; None without values."""
    if not values:
        return None
    _, which = np.unique(np.asarray(people), return_inverse=True)
    sums = np.bincount(which, weights=np.asarray(values, dtype=np.float64)).astype(np.float64)
    counts = np.bincount(which).astype(np.float64)
    low, high = interval(sums, counts, RESAMPLES, seed)
    mean = float(np.mean(values))
    # A mean lies in its own interval, whatever the last bit of a float says.
    return Estimate(mean, min(mean, low), max(mean, high), len(values), len(sums))


@dataclass(frozen=True)
class Difference:
    """How much the mean of one method is above that of another, and how surprising that is."""

    mean: float
    low: float
    high: float
    p_value: float


def difference(first: Numbers, first_counts: Numbers, second: Numbers, second_counts: Numbers) -> Difference | None:
    """The difference of two means, given each person's sum and number of values under both methods.

    The variance is that of people (the linearized, cluster-robust one), whether they met one of the
    methods or both, referred to a t distribution with people - 2 degrees of freedom. None where it
    can't be told: nobody met one of them, fewer than three people, or no spread at all.
    """
    if not first_counts.any() or not second_counts.any():
        return None
    mean, error, freedom = standard_errors(first[None], first_counts[None], second[None], second_counts[None])
    if freedom < 1 or not error[0] > 0:
        return None
    reach = t_quantile((1 + CONFIDENCE) / 2, freedom) * error[0]
    p_value = 2 * (1 - t_probability(abs(mean[0]) / error[0], freedom))
    return Difference(float(mean[0]), float(mean[0] - reach), float(mean[0] + reach), max(0.0, p_value))


def standard_errors(
    first: Numbers, first_counts: Numbers, second: Numbers, second_counts: Numbers
) -> tuple[Numbers, Numbers, int]:
    """Differences, their standard errors and the degrees of freedom, for many trials (T, P) at once."""
    totals_first = first_counts.sum(axis=1, keepdims=True)  # (T, 1)
    totals_second = second_counts.sum(axis=1, keepdims=True)
    mean_first = first.sum(axis=1, keepdims=True) / totals_first
    mean_second = second.sum(axis=1, keepdims=True) / totals_second
    pull_first = (first - mean_first * first_counts) / totals_first  # (T, P): how far a person moves the mean
    pull_second = (second - mean_second * second_counts) / totals_second
    people = int(((first_counts[0] + second_counts[0]) > 0).sum())
    scale = people / max(1, people - 1)
    errors = np.sqrt(scale * ((pull_first - pull_second) ** 2).sum(axis=1))
    return (mean_first - mean_second)[:, 0], errors, people - 2


def t_probability(value: float, freedom: int) -> float:
    """The distribution function of Student's t, for value >= 0, by its finite sums.

    >>> round(t_probability(2.228, 10), 4), round(t_probability(12.706, 1), 4), t_probability(0.0, 7)
    (0.975, 0.975, 0.5)
    """
    angle = math.atan(value / math.sqrt(freedom))
    cosine = math.cos(angle) ** 2
    term, total = 1.0, 0.0
    odd = freedom % 2
    for step in range(freedom // 2):
        total += term
        term *= cosine * (2 * step + 1 + odd) / (2 * step + 2 + odd)
    if odd:
        return 0.5 + (angle + math.sin(angle) * math.cos(angle) * total) / math.pi
    return 0.5 + math.sin(angle) * total / 2


def t_quantile(probability: float, freedom: int) -> float:
    """The value that Student's t stays below with a probability of at least 0.5.

    >>> round(t_quantile(0.975, 10), 3)
    2.228
    """
    low, high = 0.0, 1.0
    while t_probability(high, freedom) < probability:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_probability(middle, freedom) < probability else (low, middle)
    return (low + high) / 2


def krippendorff_alpha(units: Iterable[Sequence[str]]) -> float | None:
    """Krippendorff's alpha for names: 1 is full agreement, 0 what random answers would give; None if it can't be told.

    Each unit holds the answers that different people gave to the same thing.

    >>> krippendorff_alpha([["yes", "yes"], ["no", "no"]]), krippendorff_alpha([["yes", "yes"], ["yes", "yes"]])
    (1.0, None)
    """
    pairs: dict[tuple[str, str], float] = {}
    for unit in units:
        if len(unit) < 2:
            continue
        counts = Counter(unit)
        for one, number in counts.items():
            for other, others in counts.items():
                met = number * (others - (one == other)) / (len(unit) - 1)
                pairs[one, other] = pairs.get((one, other), 0.0) + met
    marginal: dict[str, float] = {}
    for (one, _), met in pairs.items():
        marginal[one] = marginal.get(one, 0.0) + met
    total = sum(marginal.values())
    observed = sum(met for (one, other), met in pairs.items() if one != other)
    expected = total**2 - sum(count**2 for count in marginal.values())
    return 1 - (total - 1) * observed / expected if expected > 0 else None
