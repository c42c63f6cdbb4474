"""Position: not in the paper, but what `lead` lives on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mls.kernels.base import Scores
from mls.text import Document, Wording


class PositionKernel:
    """How early a sentence stands: 1 for the first, falling with the logarithm of its place."""

    name = "position"
    question = "Does it stand where this kind of text makes its point?"

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        places = np.array([sentence.anchor for sentence in sentences], dtype=np.float64)
        last = np.log2(2.0 + max(1, len(document.sentences)))
        return np.asarray(1.0 - np.log2(2.0 + places) / last + 1.0 / last)
