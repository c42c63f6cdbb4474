"""Expansion sets: which run of source sentences a prototype sentence can be replaced with.

Paper: E(s), section 2.2 C, "The Expand Operation".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mls.embedding.base import Vectors
from mls.magnifier.units import Unit

BEAM = 8  # runs kept per prototype sentence
RERANKED = 4  # of those still free, how many are re-ranked by what they repeat,
COMPARABLE = 0.5  # if they score at least so much of what the best one does


@dataclass(frozen=True)
class Candidate:
    """A run of `size` source sentences from `first` on, and how well it stands for a sentence."""

    first: int
    size: int
    similarity: float
    overlap: float

    @property
    def sentences(self) -> range:
        return range(self.first, self.first + self.size)

    @property
    def score(self) -> float:
        """Paper: score(E) = sim(s, E) x overlap(s, E)."""
        return self.similarity * self.overlap


@dataclass(frozen=True)
class Expansions:
    """For each prototype sentence, and each size of run, its candidates from the best down."""

    candidates: tuple[dict[int, tuple[Candidate, ...]], ...] = ()


def find_expansions(units: Sequence[Unit], drafted: int, vectors: Vectors, sizes: Sequence[int]) -> Expansions:
    """Search all runs of the document for those that can stand for each of the drafted sentences.

    The beam: only runs through one of the BEAM most similar source sentences are scored in full.
    `vectors` holds a row of length one for each unit. Paper: the beam search for E(s), section 2.2 C.
    """
    source = vectors[drafted:]
    words = [frozenset(unit.sentence.words) for unit in units[drafted:]]
    found = []
    for unit, nearest in zip(units[:drafted], _nearest(units, drafted, vectors), strict=True):
        by_size = {}
        for size in sizes:
            runs = _runs_through(nearest, size, len(words)) if unit.source is None or size > 1 else []
            by_size[size] = _best(unit, runs, vectors[unit.number], source, words)
        found.append(by_size)
    return Expansions(tuple(found))


def _nearest(units: Sequence[Unit], drafted: int, vectors: Vectors) -> Iterator[list[int]]:
    """The source sentences an expansion must go through: the most similar ones.

    A sentence that stands in the document word for word can only be widened: it goes through itself.
    """
    worded = [unit.number for unit in units[:drafted] if unit.source is None]
    similar = dict(zip(worded, vectors[worded] @ vectors[drafted:].T, strict=True))
    for unit in units[:drafted]:
        if unit.source is not None:
            yield [unit.source]
        else:
            yield np.argsort(-similar[unit.number], kind="stable")[:BEAM].tolist()


def _runs_through(sentences: Sequence[int], size: int, count: int) -> list[range]:
    starts = {start for index in sentences for start in range(index - size + 1, index + 1)}
    return [range(start, start + size) for start in sorted(starts) if start >= 0 and start + size <= count]


def _best(
    unit: Unit, runs: Sequence[range], vector: NDArray[np.float32], source: Vectors, words: Sequence[frozenset[str]]
) -> tuple[Candidate, ...]:
    said = frozenset(unit.sentence.words)
    candidates = []
    for run in runs:
        similarity = np.maximum(source[run.start : run.stop] @ vector, 0.0).mean()
        shared = said & frozenset().union(*(words[index] for index in run))
        candidates.append(Candidate(run.start, len(run), float(similarity), len(shared) / max(1, len(said))))
    return tuple(sorted(candidates, key=lambda run: (-run.score, run.first))[:BEAM])
