"""What is judged: a summary beside the document it shortens and the reference a person wrote."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mls.text import Document


@dataclass(frozen=True, eq=False)
class Judged:
    """A summary, whoever made it, as every metric sees it."""

    document: Document
    reference: str  # one sentence a line
    text: str
    length: int
    limit: int
    generated: float | None = None  # the share of tokens a network generated; None where nobody knows,
    expanded: int | None = None  # and how often a sentence was expanded

    @cached_property
    def summary(self) -> Document:
        """The summary's own sentences and tokens, found in the same way for every method."""
        return Document.parse(self.text)
