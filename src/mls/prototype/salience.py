"""What the encoder alone can tell: which sentences people would take up, before a word is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mls.prototype.beam import StepNetwork, padded
from mls.prototype.windows import Window, read_in_windows
from mls.text import Document, fold
from mls.vocabulary import Vocabulary

_AT_ONCE = 16  # windows


@dataclass(frozen=True)
class NetworkSalience:
    """The mean chance that a sentence's tokens are taken up, from the network's selector."""

    network: StepNetwork
    vocabulary: Vocabulary
    window: int
    later: float  # the network takes every window for a beginning: what it says of later ones is scaled by this

    def __call__(self, document: Document) -> NDArray[np.float64]:
        windows = read_in_windows(document, self.window)
        totals = np.zeros(len(document.sentences))
        for place, (window, selected) in enumerate(zip(windows, self.chances(windows), strict=True)):
            sentences = [entry.sentence for entry in window]
            weights = selected * (self.later if place else 1.0)
            totals += np.bincount(sentences, weights=weights, minlength=len(totals))
        return totals / [max(1, len(sentence.tokens)) for sentence in document.sentences]

    def chances(self, windows: Sequence[Window]) -> Iterator[NDArray[np.float32]]:
        """For each window, how likely each of its tokens is taken up."""
        for start in range(0, len(windows), _AT_ONCE):
            batch = windows[start : start + _AT_ONCE]
            ids = padded([self.vocabulary.encode([fold(entry.token.text) for entry in window]) for window in batch])
            memory, _ = self.network.encode(ids, np.zeros(len(ids), dtype=np.int64))
            for window, selected in zip(batch, memory.selected, strict=True):
                yield selected[: len(window)]
