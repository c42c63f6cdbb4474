"""A1, systematic sampling: every k-th sentence from a random start. Paper: section 3 C."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence

import numpy as np

from mls.baselines.base import RankingBaseline
from mls.kernels.base import Scores
from mls.text import Document, Wording

STEP = 3  # k in the paper


class SystematicSampling:
    """Ranks every k-th sentence in order from a random one of the first k - 1; the others not at all.

    Paper: A1, section 3 C.
    """

    name = "a1"
    question = "Is it the next in a sample of every third sentence?"

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        # The start is random over documents, but the same for the same document.
        number = zlib.crc32(document.text.encode("utf-8", "surrogatepass"))
        start = random.Random(self.seed * 1_000_003 + number).randrange(STEP - 1)
        sampled = range(start, len(document.sentences), STEP)
        ranks = {index: float(len(sampled) - position) for position, index in enumerate(sampled)}
        return np.array([ranks.get(sentence.anchor, 0.0) for sentence in sentences])


def systematic_sampling(seed: int = 1) -> RankingBaseline:
    return RankingBaseline(SystematicSampling(seed))
