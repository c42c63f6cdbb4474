"""Who says each sentence of a dialogue, and the room that saying so takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from mls.budget import Measure
from mls.text import Document


@dataclass(frozen=True)
class Speakers:
    """The names that stand before sentences: once for each time that somebody begins to speak."""

    names: tuple[str | None, ...]  # of whoever says each sentence
    lengths: tuple[int, ...]  # of `NAME: `

    @classmethod
    def of(cls, document: Document, measure: Measure) -> Speakers:
        known = {speaker: measure.length(f"{speaker}: ") for speaker in document.speakers}
        names = tuple(sentence.speaker for sentence in document.sentences)
        return cls(names, tuple(known.get(name or "", 0) for name in names))

    @cached_property
    def are_named(self) -> bool:
        return any(self.lengths)

    def named(self, index: int, text: str) -> str:
        """A sentence with the name of whoever says it."""
        return f"{self.names[index]}: {text}" if self.lengths[index] else text

    def room_of(self, indices: Iterable[int]) -> int:
        """The room that the names before these sentences take."""
        indices = list(indices)
        return sum(self.lengths[index] for index in indices) - self.unsaid(indices)

    def unsaid(self, indices: Iterable[int]) -> int:
        """The room of the names that are not said again where the same person goes on speaking."""
        if not self.are_named:
            return 0
        both = pairwise(sorted(indices))
        return sum(self.lengths[after] for before, after in both if self.names[before] == self.names[after])
