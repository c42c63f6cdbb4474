"""The shipped embedder: a sentence is the set of its content words.

No model, nothing to load, the same answer everywhere. On validation documents this serves the
redundancy head better than Doc2Vec and wordllama do; the figures are in docs/paper.md.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from mls.embedding.base import Vectors
from mls.text import Wording

_DIMENSIONS = 1024


class LexicalEmbedder:
    """One dimension a word, by its checksum: 1 where the sentence says it."""

    def embed(self, sentences: Sequence[Wording]) -> Vectors:
        """Zeros for a sentence without content words.

        >>> from mls.text import Document, Wording
        >>> LexicalEmbedder().embed(Document.parse("It rained in Oslo. And so on.").sentences).sum(axis=1).tolist()
        [2.0, 0.0]
        """
        columns: dict[str, int] = {}
        vectors = np.zeros((len(sentences), _DIMENSIONS), dtype=np.float32)
        for row, sentence in zip(vectors, sentences, strict=True):
            for word in sentence.content:
                if word not in columns:
                    columns[word] = zlib.crc32(word.encode("utf-8", "surrogatepass")) % _DIMENSIONS
                row[columns[word]] = 1.0
        return vectors
