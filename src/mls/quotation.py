"""Quotation marks: which of them a sentence opens and does not close, and how it reads by itself."""

from __future__ import annotations

import re

# By where they stand: before a word that nothing precedes, or after the end of something.
# The mark comes first in each pattern and then what is before it: marks are found fast.
_OPENING = re.compile(r"[\"“‘'](?:(?<=^.)|(?<=[\s(\[-].))(?:(?<!')|(?=[A-Z]|\w[^']*\w[.,!?]?'(?:\W|$)))(?=\S)")
_CLOSING = re.compile(
    r"[\"”'’](?:(?<=\S[\"”])(?=\W|$)|(?<=[.,!?]['’])(?=\s|$)|(?<=[a-rt-z]['’])(?<!'n['’])(?=\s|[.,;:!?]|$))"
)
_PERHAPS = re.compile(r"(?<=s)['’](?=\s|[.,;:!?]|$)")  # it closes `'associates'`, and is part of `players' union`
_ANY = re.compile("[\"“”‘’']")
_PAIRS = {"“": "”", "‘": "’", "”": "“", "’": "‘"}


def balance(text: str) -> int:
    """How many quotations a sentence opens and does not close, or closes and did not open.

    >>> balance("'It was late,' she said."), balance('He said: "It was late.'), balance('It was late."')
    (0, 1, -1)
    >>> balance("They were 'associates' of his.")
    0
    """
    if not _ANY.search(text):  # as of most sentences
        return 0
    openings = list(_OPENING.finditer(text))
    found = len(openings) - len(_CLOSING.findall(text))
    if found > 0 and openings[-1].group() in "'‘":
        found -= min(found, len(_PERHAPS.findall(text, openings[-1].end())))
    return found


def balanced(text: str) -> str:
    """A sentence of a longer quotation as it stands by itself: quoted from its first word to its last.

    >>> balanced('He said: "It was late.'), balanced("It was late.'")
    ('He said: "It was late."', "'It was late.'")
    """
    open_marks = balance(text)
    if open_marks == 1:
        mark: str = _OPENING.findall(text)[-1]
        return text + _PAIRS.get(mark, mark)
    if open_marks == -1:
        mark = str(_CLOSING.findall(text)[0])
        return _PAIRS.get(mark, mark) + text
    return text
