"""The paper's prototype: a pointer-generator network writes it.

A document is read whole, however many windows that takes; the prototype is what the windows say, one
after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from mls.prototype.base import BRIEFEST, Prototype
from mls.prototype.beam import SearchSettings, StepNetwork
from mls.prototype.windows import FULLNESS, Window, Written, read_in_windows, sentences_of, write_about
from mls.text import Document
from mls.vocabulary import Vocabulary


@dataclass(frozen=True)
class PointerGeneratorPrototype:
    """Writes prototypes with an exported network. Paper: section 2.1."""

    network: StepNetwork
    vocabulary: Vocabulary
    search: SearchSettings
    window: int = 400  # tokens the encoder reads at once
    later: float = 1.0  # how much a later window may say, beside the first
    name: str = "pg-network"

    def __call__(self, document: Document) -> Prototype:
        return self.of_many([document])[0]

    def ending_by_itself(self) -> PointerGeneratorPrototype:
        """The same, but a draft ends where the network would end it: no length is set. Paper: section 2.1."""
        return replace(self, search=replace(self.search, shortest=0))

    def of_many(self, documents: Sequence[Document]) -> list[Prototype]:
        """The prototypes of many documents, each the same as if it were the only one."""
        windows = [self._heard(read_in_windows(document, self.window)) for document in documents]
        every = [window for each in windows for window in each]
        search = [self._search(window, position) for each in windows for position, window in enumerate(each)]
        written = iter(write_about(every, search, self.network, self.vocabulary))
        return [
            Prototype(self.name, sentences_of(document, each, islice(written, len(each)), self.vocabulary))
            for document, each in zip(documents, windows, strict=True)
        ]

    def of_length(self, document: Document, desired: int) -> Prototype:
        """A prototype of at most so many tokens, fewer than it has by itself; it speaks of the beginning alone.

        The network never learned to be so brief, so it may end with any sentence, not only where it would.
        """
        first = read_in_windows(document, self.window)[:1]
        longest = max(1, desired - 1)  # one to spare, for what putting it into words may add
        search = replace(self.search, shortest=int(FULLNESS * longest), longest=longest)
        full_stop = self.vocabulary.ids.get(".")
        written = write_about(first, [search], self.network, self.vocabulary, full_stop)
        written = [_whole_sentences(tokens, full_stop) for tokens in written]
        return Prototype(self.name, sentences_of(document, first, written, self.vocabulary))

    def _heard(self, windows: list[Window]) -> list[Window]:
        """The first window, and the later ones if they may say a sentence."""
        may_speak = self.later * self.search.longest >= min(BRIEFEST, self.search.longest)
        return windows if may_speak else windows[:1]

    def _search(self, window: Window, position: int) -> SearchSettings:
        """A short window has less to say than the search is set to write, and so has a later one."""
        share = self.later if position else 1.0
        return replace(
            self.search,
            shortest=min(int(share * self.search.shortest), len(window) // 3),
            longest=max(1, min(int(share * self.search.longest), len(window))),
        )


def _whole_sentences(tokens: Written, full_stop: int | None) -> Written:
    """A text without the sentence that it did not come to the end of."""
    last = max((position for position, token in enumerate(tokens) if token.id == full_stop), default=-1)
    return tokens[: last + 1]
