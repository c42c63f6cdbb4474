"""A name in the place of a pronoun, or of half a name: words of the text, moved and never made up."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class Name:
    """Words of a document that tell whom some tokens of a sentence mean: they stand in the place of the first."""

    number: int  # of those that a sentence may have
    tokens: tuple[int, ...]  # of those that a form keeps, the first gives way
    owners: frozenset[int]  # those that say whose something is: `his`
    text: str
    start: int  # where the words stand in the document
    end: int
    sure: float  # the probability that it is this one, of all that may be meant

    def place(self, kept: Collection[int]) -> int | None:
        """The token of a form that gives way."""
        return next((token for token in self.tokens if token in kept), None)

    def instead_of(self, token: int) -> str:
        """What stands there: `Anna Berg`, or `Anna Berg's`.

        >>> Name(0, (0,), frozenset((0,)), "the players", 0, 11, 1.0).instead_of(0)
        "the players'"
        >>> Name(0, (0,), frozenset((0,)), "my boss", 0, 7, 1.0).instead_of(0)
        "my boss's"
        """
        if token not in self.owners:
            return self.text
        plural = self.text.endswith("s") and not self.text.endswith("ss") and self.text[:1].islower()
        return self.text + ("'" if plural else "'s")
