"""The sentences that may go into a summary: the prototype's and the document's, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mls.budget import Measure
from mls.magnifier.support import bears_out
from mls.prototype.base import Prototype
from mls.text import Document, Wording, tidy

Gram = tuple[str, ...]
_FEWEST_CONTENT_WORDS = 2


@dataclass(frozen=True)
class Unit:
    """One candidate sentence. `source` is the source sentence it is word for word, if it is one."""

    number: int
    origin: str  # "prototype" or "source"
    sentence: Wording
    source: int | None
    is_prose: bool = True

    @property
    def anchor(self) -> int:
        """The source sentence at whose position it stands in the summary."""
        return self.sentence.anchor

    @cached_property
    def text(self) -> str:
        return tidy(self.sentence.text)

    def length(self, measure: Measure) -> int:
        """Its length in the budget's unit; the tokens are counted already."""
        return len(self.sentence.tokens) if measure.unit == "tokens" else measure.length(self.text)

    @cached_property
    def says_little(self) -> bool:
        """Whether it is too slight to stand alone: few words that carry meaning, a heading, a salutation, a pointer."""
        if not self.is_prose or self.text.endswith((":", ",", "e.g.", "i.e.")):
            return True
        return len(self.sentence.content) < _FEWEST_CONTENT_WORDS

    @cached_property
    def grams(self) -> frozenset[Gram]:
        """Its word bigrams and trigrams: what it would repeat or be repeated by."""
        return self.bigrams | self.trigrams

    @cached_property
    def bigrams(self) -> frozenset[Gram]:
        return grams(self.sentence.words, 2)

    @cached_property
    def trigrams(self) -> frozenset[Gram]:
        return grams(self.sentence.words, 3)


def grams(words: tuple[str, ...], n: int) -> frozenset[Gram]:
    """Runs of n words; a shorter sentence is one run of all its words.

    >>> sorted(grams(("it", "rained"), 3)), len(grams(("so", "it", "rained", "on"), 3))
    ([('it', 'rained')], 2)
    """
    return frozenset(words[start : start + n] for start in range(max(1, len(words) - n + 1)))


def units_of(document: Document, prototype: Prototype | None, check: bool = False) -> tuple[Unit, ...]:
    """Prototype sentences first, then all sentences of the document, each in order.

    With `check`, a sentence that the source does not bear out gives way to the source sentence it stands for.
    """
    drafted = []
    for number, drafted_sentence in enumerate(prototype.sentences if prototype else ()):
        source = document.sentences[drafted_sentence.anchor]
        if drafted_sentence.verbatim or (check and not bears_out(source, drafted_sentence)):
            drafted.append(Unit(number, "prototype", source, source.index, source.is_prose))
        else:
            drafted.append(Unit(number, "prototype", drafted_sentence, None))
    given = [Unit(len(drafted) + s.index, "source", s, s.index, s.is_prose) for s in document.sentences]
    return (*drafted, *given)
