"""Lead and random: what every summarizer must beat."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from mls.baselines.base import RankingBaseline
from mls.kernels.base import Scores
from mls.text import Document, Wording


class Lead:
    """Ranks sentences as they come."""

    name = "lead"
    question = "Does it come early?"

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        return np.array([float(len(document.sentences) - sentence.anchor) for sentence in sentences])


class RandomOrder:
    """Ranks sentences at random, the same way each time for the same document."""

    name = "random"
    question = "Was it drawn at random?"

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        number = zlib.crc32(document.text.encode("utf-8", "surrogatepass"))
        drawn = np.random.default_rng([self.seed, number]).random(len(document.sentences)) + 1e-9
        return np.array([drawn[sentence.anchor] for sentence in sentences])


def lead() -> RankingBaseline:
    return RankingBaseline(Lead())


def at_random(seed: int = 1) -> RankingBaseline:
    return RankingBaseline(RandomOrder(seed))
