"""Sentence embeddings: Doc2Vec (Le and Mikolov, 2014), in a form that is small, fast and exact.

The vectors are the output layer of a 300-dimensional PV-DBOW model of English Wikipedia. Inferring
the vector of a sentence normally means gradient steps from a random start. Its first step from zero
points along the mean of the sentence's word vectors minus that of the noise words, and this
direction is what is used here: no randomness, no iterations, the same answer for the same text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mls.errors import MlsError
from mls.text import Wording


class WordVectors:
    """Word vectors and weights, loaded from `words.txt` and `vectors.npy` in a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(str(resources.files("mls"))) / "assets" / "embedding"

    @cached_property
    def rows(self) -> dict[str, int]:
        try:
            words = (self.folder / "words.txt").read_text(encoding="utf-8").split("\n")
        except OSError as error:
            raise MlsError(f"the sentence embeddings are not in {self.folder}: reinstall the package") from error
        return {word: row for row, word in enumerate(words) if word}

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """(words, 300), each row already weighed; stored as bytes with one scale for all."""
        stored = np.load(self.folder / "vectors.npz", allow_pickle=False)
        return np.asarray(stored["vectors"] * stored["scales"][:, None], dtype=np.float32)

    def embed(self, sentences: Sequence[Wording]) -> NDArray[np.float32]:
        """One row a sentence: the weighted mean of its words' vectors, zeros where none is known."""
        rows, vectors = self.rows, self.vectors
        embedded = np.zeros((len(sentences), vectors.shape[1]), dtype=np.float32)
        for number, sentence in enumerate(sentences):
            known = [row for word in sentence.words if (row := rows.get(word)) is not None]
            if known:
                embedded[number] = vectors[known].mean(axis=0)
        return embedded
