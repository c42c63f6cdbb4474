"""A2, weighted graph ranking: PageRank over the complete graph of sentences. Paper: section 3 C."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mls.baselines.base import RankingBaseline
from mls.embedding.base import Embedder, unit_rows
from mls.kernels.base import Scores
from mls.text import Document, Wording

DAMPING = 0.85
_TOLERANCE = 1e-10
_ROUNDS = 200


class GraphRank:
    """The PageRank of a sentence where edges weigh the cosine similarity of the sentences they join.

    Paper: A2, section 3 C.
    """

    name = "a2"
    question = "Do sentences that matter resemble it?"

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        vectors = unit_rows(self.embedder.embed(document.sentences)).astype(np.float64)
        edges = np.maximum(vectors @ vectors.T, 0.0)
        np.fill_diagonal(edges, 0.0)
        ranks = pagerank(edges)
        return np.array([ranks[sentence.anchor] for sentence in sentences])


def pagerank(edges: Scores) -> Scores:
    """Weighted PageRank by power iteration; a node without edges gives its rank to all.

    >>> pagerank(np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])).round(3).tolist()
    [0.486, 0.257, 0.257]
    """
    count = len(edges)
    totals = edges.sum(axis=1, keepdims=True)
    flow = np.where(totals > 0, edges / np.where(totals > 0, totals, 1.0), 1.0 / count)
    ranks = np.full(count, 1.0 / count)
    for _ in range(_ROUNDS):
        after = (1 - DAMPING) / count + DAMPING * (ranks @ flow)
        if np.abs(after - ranks).sum() < _TOLERANCE:
            return np.asarray(after)
        ranks = after
    return ranks


def graph_ranking(embedder: Embedder) -> RankingBaseline:
    return RankingBaseline(GraphRank(embedder))
