"""What every kernel has in common."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from mls.errors import MlsError
from mls.text import Document, Wording

Scores = NDArray[np.float64]


@runtime_checkable
class Kernel(Protocol):
    """One property of a good summary, and how far each sentence contributes to it.

    `score` is given the document and the sentences to judge, some of them not the document's own,
    and answers one number per sentence: zero for the worst, higher for more.
    """

    name: str
    question: str

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores: ...


def checked_scores(kernel: Kernel, document: Document, sentences: Sequence[Wording]) -> Scores:
    """A kernel's scores: one finite number a sentence, whoever wrote the kernel."""
    scores = np.asarray(kernel.score(document, sentences), dtype=np.float64)
    if scores.shape != (len(sentences),) or not np.isfinite(scores).all():
        found = f"scores of shape {scores.shape}" if scores.shape != (len(sentences),) else "scores that are not finite"
        raise MlsError(f"the kernel {kernel.name!r} gave {found}; expected {len(sentences)} finite numbers")
    return scores


class MatrixKernel:
    """A head that is a kernel in the paper's sense: a matrix Q of some rows, by which all sentences are measured."""

    is_shuffled = False

    def shuffled(self) -> Self:
        """The same with the rows and the columns of its matrix shuffled: it still is a kernel, and says nothing."""
        other = copy(self)
        other.is_shuffled = True
        return other

    def arranged(self, matrix: Scores) -> Scores:
        """The matrix as this kernel has it."""
        if not self.is_shuffled:
            return matrix
        rng = np.random.default_rng([1, *matrix.shape])
        return np.asarray(matrix[np.ix_(*(rng.permutation(size) for size in matrix.shape))])


def symmetric_divergence(rows: Scores, others: Scores) -> Scores:
    """Symmetric Kullback-Leibler divergence of every row from every other: (N, V), (R, V) -> (N, R).

    Paper: dist_1 and dist_2. KL(p|q) + KL(q|p) = sum of (p - q)(log p - log q) over components.

    >>> symmetric_divergence(np.array([[0.5, 0.5]]), np.array([[0.5, 0.5], [0.25, 0.75]])).round(4).tolist()
    [[0.0, 0.2747]]
    """
    log_rows, log_others = np.log(rows), np.log(others)
    own = (rows * log_rows).sum(1)[:, None] + (others * log_others).sum(1)[None, :]
    return np.asarray(own - rows @ log_others.T - log_rows @ others.T)


def local_attention(embedded: Scores, kernel: Scores) -> Scores:
    """How far each sentence is from a kernel of r rows: the mean over rows, then over components.

    Paper: Eq. (1) and (2), and with the sentences of E(s) Eq. (4) and (5).
    """
    return np.asarray(symmetric_divergence(embedded, kernel).mean(axis=1) / embedded.shape[1])


def closeness(distances: Scores, has_evidence: NDArray[np.bool_]) -> Scores:
    """Turn distances into contributions: the farthest sentence, or one without evidence, gets zero.

    >>> closeness(np.array([0.5, 2.0, 0.1]), np.array([True, True, False])).tolist()
    [1.5, 0.0, 0.0]
    """
    if not has_evidence.any():
        return np.zeros_like(distances)
    return np.asarray(np.where(has_evidence, distances[has_evidence].max() - distances, 0.0))


def distributions(counts: Scores, smoothing: float) -> Scores:
    """Counts (N, V) as smoothed distributions, so that no divergence is infinite."""
    smoothed = counts + smoothing
    return np.asarray(smoothed / smoothed.sum(axis=1, keepdims=True))
