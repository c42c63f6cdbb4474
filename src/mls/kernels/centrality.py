"""Centrality: likeness to the whole document. With a negative weight it is the paper's third property, redundancy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mls.embedding.base import Embedder, unit_rows
from mls.kernels.base import Scores
from mls.text import Document, Wording


class CentralityKernel:
    """The mean cosine similarity of a sentence to all sentences of the document."""

    question = "Does it say what much of the document says as well?"

    def __init__(self, embedder: Embedder, name: str = "centrality") -> None:
        self.embedder = embedder
        self.name = name

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        """Paper: Eq. (1)-(2) with Q3. Linear: the mean of cosines is one product with the mean."""
        distinct = {id(sentence): sentence for sentence in (*document.sentences, *sentences)}
        rows = {key: row for row, key in enumerate(distinct)}
        vectors = unit_rows(self.embedder.embed(list(distinct.values())))
        source = vectors[: len(document.sentences)]  # (p, 300)
        judged = vectors[[rows[id(sentence)] for sentence in sentences]]  # (N, 300)
        similarity = judged @ source.mean(axis=0).astype(np.float64)
        return np.asarray(np.maximum(similarity, 0.0))
