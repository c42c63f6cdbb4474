"""What a prototype summary is, and what makes one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mls.text import Document, Sentence, Wording

BRIEFEST = 12  # tokens that can hold a sentence


@dataclass(frozen=True)
class Origin:
    """Where a token of the prototype comes from: copied from the document, or generated."""

    text: str
    start: int  # in the sentence's text
    p_gen: float  # how much the network wanted to generate rather than to copy
    source: tuple[int, int] | None  # characters of the document it was copied from


@dataclass(frozen=True)
class PrototypeSentence(Wording):
    """A sentence of the prototype; its anchor is the source sentence that says the same.

    `verbatim` tells that it is that source sentence, word for word. A network also tells the origin of every token.
    """

    verbatim: bool
    origins: tuple[Origin, ...] = ()

    @classmethod
    def copied(cls, source: Sentence, origins: tuple[Origin, ...] = ()) -> PrototypeSentence:
        """A source sentence, word for word."""
        return cls(source.index, source.text, source.tokens, True, origins)


@dataclass(frozen=True)
class Again:
    """Why a network drafted once more: its first draft was longer than what was desired."""

    desired: int  # tokens
    before: int  # tokens of the first draft


@dataclass(frozen=True)
class Prototype:
    """The paper's s_p: a short text that covers the major concepts, of no set length."""

    generator: str
    sentences: tuple[PrototypeSentence, ...]
    again: Again | None = None  # None where it is the first draft

    @property
    def length(self) -> int:
        """In tokens."""
        return sum(len(sentence.tokens) for sentence in self.sentences)

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)


class PrototypeGenerator(Protocol):
    """Makes the prototype of a document. Paper: section 2.1."""

    @property
    def name(self) -> str: ...

    def __call__(self, document: Document) -> Prototype: ...


@runtime_checkable
class ManyPrototypes(Protocol):
    """A generator that is faster with many documents at once; each prototype is the same as alone."""

    def of_many(self, documents: Sequence[Document]) -> list[Prototype]: ...


@runtime_checkable
class PrototypeOfLength(Protocol):
    """A generator with words of its own that can be told to be brief."""

    def of_length(self, document: Document, desired: int) -> Prototype: ...


def prototypes(generate: PrototypeGenerator, documents: Sequence[Document]) -> list[Prototype]:
    """The prototypes of many documents, together where the generator knows how."""
    if isinstance(generate, ManyPrototypes):
        return generate.of_many(documents)
    return [generate(document) for document in documents]
