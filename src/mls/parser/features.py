"""What the parser sees of a token: the word, its beginning, its end, and how it is capitalised."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

from mls.text import fold
from mls.vocabulary import SPECIAL, UNKNOWN, Vocabulary

HIDDEN = 0  # the shape, prefix or suffix of a token that is not to be seen
PUNCTUATION, NUMBER, LOWER, CAPITALS, TITLE, LETTER, MIXED = range(1, 8)
SHAPES = 8
_DIGIT = re.compile(r"\d")
_AFFIX = 3  # characters


class Word(NamedTuple):
    """A token as numbers."""

    rank: int
    prefix: int
    suffix: int
    shape: int


class Featurizer:
    """Turns the tokens of a sentence into numbers, the same way while training and afterwards."""

    def __init__(self, vocabulary: Vocabulary, prefixes: int, suffixes: int) -> None:
        self.ids = vocabulary.ids
        self.prefixes, self.suffixes = prefixes, suffixes
        self.word = lru_cache(maxsize=100_000)(self._word)

    def __call__(self, tokens: Sequence[str]) -> list[Word]:
        words = [self.word(token) for token in tokens]
        if is_cased(tokens):
            return words
        return [word._replace(shape=HIDDEN) for word in words]

    def _word(self, token: str) -> Word:
        key = word_key(token)
        rank = self.ids.get(key, UNKNOWN)
        if key == SPECIAL[UNKNOWN]:
            return Word(UNKNOWN, HIDDEN, HIDDEN, HIDDEN)
        prefix = 1 + crc32(key[:_AFFIX].encode()) % (self.prefixes - 1)
        suffix = 1 + crc32(key[-_AFFIX:].encode()) % (self.suffixes - 1)
        return Word(rank, prefix, suffix, shape(token))


def word_key(token: str) -> str:
    """The word type of a token: its case and its digits do not count.

    >>> word_key("Route"), word_key("1,500")
    ('route', '#,###')
    """
    return _DIGIT.sub("#", fold(token))


def is_cased(tokens: Sequence[str]) -> bool:
    """Whether capital letters mean anything here: in chats and headlines they do not.

    >>> is_cased(["It", "rained", "."]), is_cased(["it", "rained"]), is_cased(["IT", "RAINED", "ALL", "DAY"])
    (True, False, False)
    """
    text = " ".join(tokens)
    lower = text.lower()
    return text != lower and (text != text.upper() or len(tokens) < 4)


def shape(token: str) -> int:
    """How a token is written.

    >>> [shape(token) for token in ["rain", "Oslo", "NATO", "A", "iPhone", "3,000", "?"]]
    [3, 5, 4, 6, 7, 2, 1]
    """
    if _DIGIT.search(token):
        return NUMBER
    if not any(map(str.isalpha, token)):
        return PUNCTUATION
    if token.islower():
        return LOWER
    if len(token) == 1:
        return LETTER
    if token.isupper():
        return CAPITALS
    return TITLE if token[0].isupper() and not any(map(str.isupper, token[1:])) else MIXED
