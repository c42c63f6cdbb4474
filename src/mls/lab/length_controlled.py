"""A draft of a desired length, which a length-controlled network writes.

The network was trained on the beginnings of documents and on summaries of some lengths, so as many
windows are read, from the first on, as the desired length is worth at the length of a usual
summary; each is given its share of it. A tight draft is then written about the beginning alone, as
the original does, and a long one is not asked of a single window.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mls.lab.onnx_convolutional import OnnxConvolutional
from mls.model import CONVOLUTIONAL, Model
from mls.prototype.base import Prototype
from mls.prototype.beam import SearchSettings, StepNetwork
from mls.prototype.windows import FULLNESS, read_in_windows, sentences_of, write_about
from mls.text import Document
from mls.vocabulary import Vocabulary

USUAL = 50  # tokens of a summary it was trained on: the median of CNN/DailyMail


@dataclass(frozen=True)
class LengthControlledDraft:
    """Writes drafts with an exported network that is told how long they should be."""

    network: StepNetwork
    vocabulary: Vocabulary
    search: SearchSettings  # of which the longest is what the network can write about one window
    window: int  # tokens the encoder reads at once
    name: str = "a3"

    @classmethod
    def of(cls, model: Model) -> LengthControlledDraft:
        """What drafts with the network of a model folder."""
        model.expect(CONVOLUTIONAL)
        config = model.config
        network = OnnxConvolutional(model.folder, config.search.beams)
        return cls(network, model.vocabulary, config.search, config.window)

    def __call__(self, document: Document, desired: int) -> Prototype:
        """A draft of at most about `desired` tokens."""
        windows = read_in_windows(document, self.window)
        windows = windows[: max(1, round(desired / USUAL))]
        lengths = [
            desired * (position + 1) // len(windows) - desired * position // len(windows)
            for position in range(len(windows))
        ]
        written = write_about(windows, [self._search(length) for length in lengths], self.network, self.vocabulary)
        return Prototype(self.name, sentences_of(document, windows, written, self.vocabulary))

    def _search(self, desired: int) -> SearchSettings:
        longest = max(1, min(desired, self.search.longest))
        return replace(self.search, shortest=int(FULLNESS * longest), longest=longest)
