"""What the encoder alone can tell: which sentences people would take up, before a word is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mls.prototype.probabilities import Floats
from mls.prototype.windows import Window, each_window
from mls.text import Document, fold
from mls.vocabulary import Vocabulary

_TOGETHER = 4  # windows: more are no faster, and take more room


class Selector(Protocol):
    """A network that can tell what of each window summaries take up."""

    def select(self, windows: Sequence[Sequence[int]]) -> list[Floats]: ...


@dataclass(frozen=True)
class NetworkSalience:
    """The mean probability that a sentence's tokens are taken up, from the network's selector."""

    network: Selector
    vocabulary: Vocabulary
    window: int
    later: float  # the network takes every window for a beginning: what it says of later ones is scaled by this

    def __call__(self, document: Document) -> NDArray[np.float64]:
        totals = np.zeros(len(document.sentences))
        windows = each_window(document, self.window)
        scale = 1.0
        while together := list(islice(windows, _TOGETHER)):
            for window, probabilities in zip(together, self.probabilities(together), strict=True):
                sentences = [entry.sentence for entry in window]
                totals += np.bincount(sentences, weights=probabilities * scale, minlength=len(totals))
                scale = self.later
        return totals / [max(1, len(sentence.tokens)) for sentence in document.sentences]

    def probabilities(self, windows: Sequence[Window]) -> list[Floats]:
        """How likely each token of each window is taken up."""
        return self.network.select([self.vocabulary.encode([fold(e.token.text) for e in w]) for w in windows])
