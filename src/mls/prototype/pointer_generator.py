"""The paper's prototype: a pointer-generator network writes it.

A document is read whole, however many windows that takes; the prototype is what the windows say, one
after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from mls.prototype.base import Prototype
from mls.prototype.beam import SearchSettings, StepNetwork
from mls.prototype.windows import Window, read_in_windows, sentences_of, write_about
from mls.text import Document
from mls.vocabulary import Vocabulary


@dataclass(frozen=True)
class PointerGeneratorPrototype:
    """Writes prototypes with an exported network. Paper: section 2.1."""

    network: StepNetwork
    vocabulary: Vocabulary
    search: SearchSettings
    window: int = 400  # tokens the encoder reads at once
    name: str = "pg-network"

    def __call__(self, document: Document) -> Prototype:
        return self.of_many([document])[0]

    def of_many(self, documents: Sequence[Document]) -> list[Prototype]:
        """The prototypes of many documents, each the same as if it were the only one."""
        windows = [read_in_windows(document, self.window) for document in documents]
        every = [window for each in windows for window in each]
        search = [self._search(window) for window in every]
        written = iter(write_about(every, search, self.network, self.vocabulary))
        return [
            Prototype(self.name, sentences_of(document, each, islice(written, len(each)), self.vocabulary))
            for document, each in zip(documents, windows, strict=True)
        ]

    def _search(self, window: Window) -> SearchSettings:
        """A short window has less to say than the search is set to write."""
        return replace(
            self.search,
            shortest=min(self.search.shortest, len(window) // 3),
            longest=max(1, min(self.search.longest, len(window))),
        )
