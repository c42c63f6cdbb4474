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


class Chance:
    """Ranks sentences by lot, the same way each time for the same document."""

    name = "random"
    question = "Was it drawn by lot?"

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        number = zlib.crc32(document.text.encode("utf-8", "surrogatepass"))
        lots = np.random.default_rng([self.seed, number]).random(len(document.sentences)) + 1e-9
        return np.array([lots[sentence.anchor] for sentence in sentences])


def lead() -> RankingBaseline:
    return RankingBaseline(Lead())


def chance(seed: int = 1) -> RankingBaseline:
    return RankingBaseline(Chance(seed))
