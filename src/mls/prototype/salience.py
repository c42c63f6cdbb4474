"""What the encoder alone can tell: which sentences people would take up, before a word is written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mls.prototype.beam import StepNetwork, padded
from mls.prototype.pointer_generator import read_in_windows
from mls.text import Document, fold
from mls.vocabulary import Vocabulary

_AT_ONCE = 16  # windows


@dataclass(frozen=True)
class NetworkSalience:
    """The mean chance that a sentence's tokens are taken up, from the network's selector."""

    network: StepNetwork
    vocabulary: Vocabulary
    window: int

    def __call__(self, document: Document) -> NDArray[np.float64]:
        chances = np.zeros(len(document.sentences))
        windows = read_in_windows(document, self.window)
        for start in range(0, len(windows), _AT_ONCE):
            batch = windows[start : start + _AT_ONCE]
            ids = [self.vocabulary.encode([fold(entry.token.text) for entry in window]) for window in batch]
            memory, _ = self.network.encode(padded(ids))
            for window, selected in zip(batch, memory.selected, strict=True):
                places = [entry.sentence for entry in window]
                chances += np.bincount(places, weights=selected[: len(window)], minlength=len(chances))
        return chances / [max(1, len(sentence.tokens)) for sentence in document.sentences]
