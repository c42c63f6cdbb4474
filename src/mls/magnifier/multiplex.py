"""The multiplex layer: what the heads say, weighed together. Paper: section 2.2 A and B."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mls.kernels.base import Scores


@dataclass(frozen=True, eq=False)
class Head:
    """One kernel's view of all sentences: its raw scores, and the distribution they make.

    What it thinks is asked for when it counts, or when somebody looks: a head without weight costs nothing.
    """

    name: str
    question: str
    weight: float
    count: int  # sentences it judges, N
    judge: Callable[[], Scores]

    @classmethod
    def of(cls, name: str, question: str, weight: float, scores: Scores) -> Head:
        """A head whose scores are known."""
        return cls(name, question, weight, len(scores), lambda: scores)

    @cached_property
    def raw(self) -> Scores:
        """(N,) contributions, as the kernel gave them."""
        return self.judge()

    @cached_property
    def attention(self) -> Scores:
        """The local attention distribution C_i over the sentences. Paper: below Eq. (2)."""
        return norm(self.raw)


@dataclass(frozen=True, eq=False)
class Multiplex:
    """The heads joined: A = (sum of w_i C_i / m - shift) / total. Paper: Eq. (3)."""

    heads: tuple[Head, ...]
    attention: Scores  # (N,) sums to one, in whole grains
    shift: float
    total: float


def norm(values: Scores) -> Scores:
    """A distribution: shifted up by its minimum where one is negative, then divided by the sum.

    >>> norm(np.array([1.0, 3.0])).tolist(), norm(np.array([-1.0, 1.0, 0.0])).round(3).tolist()
    ([0.25, 0.75], [0.0, 0.667, 0.333])
    """
    largest = np.abs(values).max(initial=0.0)
    scaled = values / largest if largest > 0 else values  # so that no sum overflows
    shifted = scaled - _shift(scaled)
    total = shifted.sum()
    return np.asarray(shifted / total if total > 0 else np.full(len(values), 1.0 / max(1, len(values))))


def _shift(values: Scores) -> float:
    return min(0.0, float(values.min())) if len(values) else 0.0


_GRAIN = 2.0**-40


def _grained(values: Scores) -> Scores:
    """The same in whole grains: whoever adds them up, in whatever order, gets the same sum to the last bit.

    So nothing that is decided by them, and no tie among them, depends on rounding.
    """
    return np.asarray(np.round(values / _GRAIN) * _GRAIN)


def multiplex(heads: Sequence[Head]) -> Multiplex:
    """Weigh the heads' distributions together. Paper: Eq. (3), and Eq. (6) for source sentences."""
    weighed = (head.weight * head.attention for head in heads if head.weight)
    blend = sum(weighed, np.zeros(heads[0].count)) / len(heads)
    shift = _shift(blend)
    return Multiplex(tuple(heads), _grained(norm(blend)), shift, float((blend - shift).sum()))
