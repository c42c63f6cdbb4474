"""Redundancy: the paper's third property."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mls.embedding.base import Embedder, unit_rows
from mls.kernels.base import Scores
from mls.text import Document, Sentence


class RedundancyKernel:
    """The mean cosine similarity of a sentence to all sentences of the document."""

    name = "redundancy"
    question = "Does it say what much of the document says as well?"

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    def score(self, document: Document, sentences: Sequence[Sentence]) -> Scores:
        """Paper: Eq. (1)-(2) with Q3. Linear: the mean of cosines is one product with the mean."""
        distinct = {id(sentence): sentence for sentence in (*document.sentences, *sentences)}
        rows = {key: row for row, key in enumerate(distinct)}
        vectors = unit_rows(self.embedder.embed(list(distinct.values())))
        source = vectors[: len(document.sentences)]  # (p, 300)
        judged = vectors[[rows[id(sentence)] for sentence in sentences]]  # (N, 300)
        similarity = judged @ source.mean(axis=0).astype(np.float64)
        return np.asarray(np.maximum(similarity, 0.0))
