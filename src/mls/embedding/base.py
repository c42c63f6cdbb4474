"""What an embedder is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mls.text import Wording

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns sentences into vectors, one row each; a sentence it knows nothing of is a row of zeros."""

    def embed(self, sentences: Sequence[Wording]) -> Vectors: ...


def unit_rows(vectors: Vectors) -> Vectors:
    """Every row scaled to length one; rows of zeros stay so."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)
