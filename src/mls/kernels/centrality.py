"""Centrality: likeness to the whole document. With a negative weight it is the paper's third property, redundancy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from mls.embedding.base import Embedder, Vectors, unit_rows
from mls.kernels.base import MatrixKernel, Scores
from mls.text import Document, Wording

_AT_ONCE = 2048  # sentences


class CentralityKernel(MatrixKernel):
    """The mean cosine similarity of a sentence to all sentences of the document."""

    question = "Does it say what much of the document says as well?"

    def __init__(self, embedder: Embedder, name: str = "centrality") -> None:
        self.embedder = embedder
        self.name = name

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        """Paper: Eq. (1)-(2) with Q3. Linear: the mean of cosines is one product with the mean.

        Few vectors are held at a time: those of a long document take far more room than its words.
        """
        distinct = {id(sentence): sentence for sentence in (*document.sentences, *sentences)}
        waiting, p = list(distinct.values()), len(document.sentences)
        starts = range(0, len(waiting), _AT_ONCE)

        @lru_cache(maxsize=1)
        def vectors(start: int) -> Vectors:
            return unit_rows(self.embedder.embed(waiting[start : start + _AT_ONCE]))

        mean = sum(vectors(start)[: max(0, p - start)].sum(axis=0) for start in starts) / np.float32(p)
        kernel = self.arranged(mean[None].astype(np.float64))[0]  # of shuffled rows the mean is the same
        similarity = np.concatenate([vectors(start) @ kernel for start in starts])
        found = dict(zip(distinct, np.maximum(similarity, 0.0), strict=True))
        return np.array([found[id(sentence)] for sentence in sentences])
