"""What the encoder alone can tell: which sentences people would take up, before a word is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mls.prototype.probabilities import Floats
from mls.prototype.windows import Window, each_window
from mls.text import Document, fold
from mls.vocabulary import Vocabulary


class Selector(Protocol):
    """A network that can tell what of a window summaries take up."""

    def select(self, window: Sequence[int]) -> Floats: ...


@dataclass(frozen=True)
class NetworkSalience:
    """The mean probability that a sentence's tokens are taken up, from the network's selector."""

    network: Selector
    vocabulary: Vocabulary
    window: int
    later: float  # the network takes every window for a beginning: what it says of later ones is scaled by this

    def __call__(self, document: Document) -> NDArray[np.float64]:
        totals = np.zeros(len(document.sentences))
        for position, window in enumerate(each_window(document, self.window)):
            sentences = [entry.sentence for entry in window]
            weights = self.probabilities(window) * (self.later if position else 1.0)
            totals += np.bincount(sentences, weights=weights, minlength=len(totals))
        return totals / [max(1, len(sentence.tokens)) for sentence in document.sentences]

    def probabilities(self, window: Window) -> Floats:
        """How likely each token of a window is taken up."""
        return self.network.select(self.vocabulary.encode([fold(entry.token.text) for entry in window]))
