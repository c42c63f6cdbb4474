"""Cased, well-spaced English out of a lower-cased network.

A copied token takes the form it has in the document, a generated one the form it mostly has.
Tokens copied from adjacent positions keep the document's own spacing between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mls.prototype.beam import WrittenToken
from mls.text import Token, fold
from mls.vocabulary import Vocabulary

_ENDS = frozenset(".!?")
_CLOSES = frozenset([",", ".", ";", ":", "!", "?", ")", "]", "%", "…", "...", "n't"])
_OPENS = frozenset("([$£€#")
_QUOTES = frozenset("'\"")
_CLITIC = re.compile(r"'(?:s|re|ve|ll|d|m)")


@dataclass(frozen=True)
class SourceToken:
    """A token of the document: its position among the tokens that were read, and its sentence."""

    token: Token
    position: int
    sentence: int
    opens_sentence: bool


@dataclass(frozen=True)
class RealizedToken:
    """A token as it is written, where it ends in its sentence's text, and where it comes from."""

    text: str
    p_gen: float
    source: SourceToken | None  # the token it was copied from; None if it was generated
    possessive: bool = False  # the mark of `the ferries' owners`
    start: int = 0

    @property
    def key(self) -> str:
        return fold(self.text)

    @property
    def quotes(self) -> bool:
        """Whether it is a quotation mark."""
        return self.key in _QUOTES and not self.possessive

    def follows(self, other: RealizedToken) -> bool:
        """Whether both were copied, this one from the position right after the other's."""
        return bool(self.source and other.source and self.source.position == other.source.position + 1)


@dataclass(frozen=True)
class RealizedSentence:
    """One sentence of a prototype, put into words; each token knows its `start` in the text."""

    text: str
    tokens: tuple[RealizedToken, ...]


def realize(
    written: Sequence[WrittenToken], source: Sequence[SourceToken], vocabulary: Vocabulary, text: str
) -> list[RealizedSentence]:
    """Sentences out of the tokens that a network wrote about a document's text."""
    tokens = [_realized(token, source, vocabulary) for token in written]
    sentences = []
    for sentence in _sentences(tokens, source):
        whole = _finished(_without_lone_quotes(sentence))
        if any(token.text[0].isalnum() for token in whole):
            first = _first_word(whole)
            cased = [_cased(token, vocabulary, opens=number == first) for number, token in enumerate(whole)]
            sentences.append(_put_together(cased, text))
    return sentences


def _first_word(tokens: list[RealizedToken]) -> int:
    """Where the first word stands: a quotation mark or a bracket may come before it."""
    return next(number for number, token in enumerate(tokens) if any(character.isalnum() for character in token.text))


def _realized(token: WrittenToken, source: Sequence[SourceToken], vocabulary: Vocabulary) -> RealizedToken:
    origin = source[token.position]
    if token.copied or token.id >= len(vocabulary):
        return RealizedToken(origin.token.text, token.p_gen, origin, _is_possessive(origin, source))
    return RealizedToken(vocabulary.surfaces[token.id], token.p_gen, None)


def _is_possessive(mark: SourceToken, source: Sequence[SourceToken]) -> bool:
    """Whether it is the mark of `the ferries' owners`, and closes no quotation of its sentence."""
    if fold(mark.token.text) != "'" or not 0 < mark.position < len(source) - 1:
        return False
    before, after = source[mark.position - 1], source[mark.position + 1]
    touches = before.token.end == mark.token.start and mark.token.end < after.token.start
    open_before = sum(
        fold(other.token.text) == "'" for other in source[: mark.position] if other.sentence == mark.sentence
    )
    return touches and before.token.text[-1] in "sS" and after.token.text[0].isalnum() and open_before % 2 == 0


def _sentences(tokens: Sequence[RealizedToken], source: Sequence[SourceToken]) -> Iterator[list[RealizedToken]]:
    """Cut after full stops, but not inside `Jan. 24`, where the document goes on in the same sentence."""
    sentence: list[RealizedToken] = []
    for number, token in enumerate(tokens):
        sentence.append(token)
        after = tokens[number + 1] if number + 1 < len(tokens) else None
        quoted = token.quotes and len(sentence) > 1 and sentence[-2].text in _ENDS
        if (token.text in _ENDS or quoted) and not (after and _goes_on(sentence, after, source)):
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _goes_on(sentence: list[RealizedToken], after: RealizedToken, source: Sequence[SourceToken]) -> bool:
    token, before = sentence[-1], sentence[-2] if len(sentence) > 1 else None
    if not after.source:
        return False
    if before and before.source and after.source.position == before.source.position + 2:
        between = source[before.source.position + 1]  # `Dr. Green`, wherever the full stop is from
        return between.token.text == token.text and after.source.sentence == before.source.sentence
    if not after.follows(token) or not token.source:
        return False
    return after.source.sentence == token.source.sentence or (
        after.key in _QUOTES and after.text not in "“‘" and [t.key for t in sentence].count(after.key) % 2 == 1
    )


def _without_lone_quotes(tokens: list[RealizedToken]) -> list[RealizedToken]:
    """Where a quotation mark has no partner in its sentence, it is left out."""
    for quote in _QUOTES:
        positions = [number for number, token in enumerate(tokens) if token.quotes and token.key == quote]
        if len(positions) % 2:
            lone = positions[0] if len(positions) == 1 else positions[-1]
            tokens = [token for number, token in enumerate(tokens) if number != lone]
    return tokens


def _finished(tokens: list[RealizedToken]) -> list[RealizedToken]:
    """Every sentence ends with a full stop; a text that was cut off gets one."""
    while tokens and tokens[-1].key in (",", ";", ":", "-"):
        tokens = tokens[:-1]
    last = next((t.text for t in reversed(tokens) if t.key not in _QUOTES), ".")
    if tokens and last not in {*_ENDS, "...", "…"}:
        tokens = [*tokens, RealizedToken(".", 1.0, None)]
    return tokens


def _cased(token: RealizedToken, vocabulary: Vocabulary, opens: bool) -> RealizedToken:
    """A capital where a sentence opens; none where the document had it only for that reason."""
    if opens:
        return replace(token, text=token.text[0].title() + token.text[1:])
    rank = vocabulary.ids.get(token.key)
    if token.source and token.source.opens_sentence and token.text[0].isalpha() and rank is not None:
        return replace(token, text=vocabulary.surfaces[rank])
    return token


def _put_together(tokens: Sequence[RealizedToken], document: str) -> RealizedSentence:
    text = ""
    placed: list[RealizedToken] = []
    inside: set[str] = set()  # quotation marks that are open
    for token in tokens:
        if placed:
            text += _space(placed[-1], token, document, inside)
        placed.append(replace(token, start=len(text)))
        text += token.text
        if token.quotes:
            inside ^= {token.key}
    return RealizedSentence(text, tuple(placed))


def _space(before: RealizedToken, token: RealizedToken, document: str, inside: set[str]) -> str:
    """What stands between two tokens: the document's own white space, or what English wants."""
    if token.follows(before) and before.source and token.source:
        return " " if document[before.source.token.end : token.source.token.start] else ""
    if token.possessive or token.key in _CLOSES or _CLITIC.fullmatch(token.key) or before.key in _OPENS:
        return ""
    if token.quotes and token.key in inside:
        return ""  # it closes
    if before.quotes and before.key in inside:
        return ""  # it has just opened
    return " "
