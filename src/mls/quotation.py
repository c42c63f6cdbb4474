"""Quotation marks: which of them a sentence opens and does not close, and how it reads by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

# By where they stand: before a word that nothing precedes, or after the end of something.
# The mark comes first in each pattern and then what is before it: marks are found fast.
_OPENING = re.compile(
    r"[\"“‘'](?:(?<=^.)|(?<=[\s(\[-].))(?:(?<!')|(?=[A-Z]|\w[^']*\w[.,!?]?'(?:\W|$)))(?=\S)(?![\"”](?:\W|$))"
)
_CLOSING = re.compile(
    r"[\"”'’](?:(?<=[^\s€\"][\"”])(?=\W|$)|(?<=[.,!?]['’])(?=\s|$)|(?<=[a-rt-z]['’])(?<!'n['’])(?=\s|[.,;:!?)\]]|$))"
)
_PERHAPS = re.compile(r"(?<=s)['’](?=\s|[.,;:!?]|$)")  # it closes `'associates'`, and is part of `players' union`
_PERHAPS_OPENING = re.compile(r"(?<![^\s(\[-])'(?=[a-z]++(?!\w*')\W|[a-z]+'[a-z])")  # `'it's late'`, and not `'em'`
_ANY = re.compile("[\"“”‘’']")
_CODE = re.compile(
    r"\w\([^()\s]{0,80}\)|(?<!\w)'[^'\s]{0,40}[\[\]{}=/\\_@][^'\s]{0,40}'(?!\w)"
)  # whose marks quote nothing: `save('user')`, `'.[files]'`
_PAIRS = {"“": "”", "‘": "’", "”": "“", "’": "‘"}


def balance(text: str) -> int:
    """How many quotations a sentence opens and does not close, or closes and did not open.

    >>> balance("'It was late,' she said."), balance('He said: "It was late.'), balance('It was late."')
    (0, 1, -1)
    >>> balance("They were 'associates' of his."), balance("The 'leaders' who 'chose to fight' left.")
    (0, 0)
    >>> balance('A duck, ""pato"" in Spanish.'), balance("a dash â€” in the wrong encoding".replace("—", "”"))
    (0, 0)
    >>> balance("They 'don't dare' to ask."), balance("He said 'of course we don't mind'.")
    (0, 0)
    >>> balance('The film "" and "Suicide".'), balance("Call save('a.','b') or pip install '.[files]'.")
    (0, 0)
    """
    if not _ANY.search(text):  # as of most sentences
        return 0
    text = _without_code(text)
    openings = list(_OPENING.finditer(text))
    closings = list(_CLOSING.finditer(text))
    found = len(openings) - len(closings)
    if found < 0 and closings[0].group() in "'’":
        return min(0, found + len(_PERHAPS_OPENING.findall(text, 0, closings[-1].start())))
    return found - min(found, _perhaps_closed(text, openings)) if found > 0 else found


def _without_code(text: str) -> str:
    return _CODE.sub(lambda code: "x" * len(code.group()), text)


def _perhaps_closed(text: str, openings: Sequence[re.Match[str]]) -> int:
    """How many quotations that nothing else closes may end after an s: before the next one opens, or the text ends."""
    ends = [*(opening.start() for opening in openings[1:]), len(text)]
    return sum(
        opening.group() in "'‘" and not _CLOSING.search(text, opening.end(), end)
        and bool(_PERHAPS.search(text, opening.end(), end))
        for opening, end in zip(openings, ends, strict=True)
    )  # fmt: skip


def _unclosed(opened: Sequence[str], closed: Sequence[str]) -> str:
    """The last mark of the kind, double or single, of which more are opened than closed."""
    double = [mark for mark in opened if mark in '"“']
    more = len(double) > sum(mark in '"”' for mark in closed)
    return double[-1] if more else opened[-1]


def balanced(text: str) -> str:
    """A sentence of a longer quotation as it stands by itself: quoted from its first word to its last.

    >>> balanced('He said: "It was late.'), balanced("It was late.'")
    ('He said: "It was late."', "'It was late.'")
    >>> print(balanced('"It was a ‘late’ ferry.'))
    "It was a ‘late’ ferry."
    """
    open_marks = balance(text)
    if open_marks == 1:
        prose = _without_code(text)
        mark = _unclosed(_OPENING.findall(prose), _CLOSING.findall(prose))
        return text + _PAIRS.get(mark, mark)
    if open_marks == -1:
        mark = str(_CLOSING.findall(_without_code(text))[0])
        return _PAIRS.get(mark, mark) + text
    return text
