"""A text together with what its file tells of it: which stretches are headings, rows, code, and so on.

What is not marked is prose. A summarizer that knows the rest need not guess it from the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

KINDS = (
    "title",
    "heading",
    "list-item",
    "table-row",
    "code",
    "caption",
    "byline",
    "mail-header",
    "quoted",
    "signature",
    "speaker",
    "time-stamp",
    "reference",
    "footnote",
    "boilerplate",
)


@dataclass(frozen=True)
class Mark:
    """A stretch of a text whose kind, one of `KINDS`, the file tells."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class MarkedText:
    """A text and its marks, which are in order and never overlap; `kind` is that of the whole where it is told."""

    text: str
    marks: tuple[Mark, ...] = ()
    kind: str | None = None

    def as_json(self) -> dict[str, Any]:
        marks = [[mark.start, mark.end, mark.kind] for mark in self.marks]
        return {"text": self.text, "marks": marks, "kind": self.kind}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> MarkedText:
        return cls(found["text"], tuple(Mark(*mark) for mark in found["marks"]), found["kind"])


_MOST_WORDS_OF_A_HEADING = 12
_ENDED = re.compile(r"[.!?:;,][\"'”’)]*\Z")


def could_be_heading(text: str) -> bool:
    """Whether a line that stands out, as by its type, is short enough for a heading and no sentence."""
    return 0 < len(text.split()) <= _MOST_WORDS_OF_A_HEADING and not _ENDED.search(text)


class Blocks:
    """Puts a text together, block after block, and keeps where each of another kind than prose lies.

    >>> blocks = Blocks()
    >>> for text, kind in (("Ferry", "title"), ("It stays.", None)):
    ...     blocks.add(text, kind)
    >>> blocks.whole()
    MarkedText(text='Ferry\\n\\nIt stays.', marks=(Mark(start=0, end=5, kind='title'),), kind=None)
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._marks: list[Mark] = []
        self._length = 0
        self._run: object = None

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def add(self, text: str, kind: str | None = None, run: object = None) -> None:
        """A block, unless it is empty; blocks of one `run`, such as the items of a list, stand line below line."""
        text = text.strip("\r\n").rstrip() if kind == "code" else text.strip()
        self.include(MarkedText(text, (Mark(0, len(text), kind),) if kind else ()), run)

    def include(self, part: MarkedText, run: object = None) -> None:
        """A block that has marks of its own."""
        if not part.text or part.text.isspace():
            return
        if self._pieces:
            self._append("\n" if run is not None and run == self._run else "\n\n")
        self._marks += shifted(part.marks, self._length)
        self._append(part.text)
        self._run = run

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def whole(self, kind: str | None = None) -> MarkedText:
        return MarkedText("".join(self._pieces), tuple(self._marks), kind)


def shifted(marks: Iterable[Mark], offset: int) -> list[Mark]:
    return [Mark(mark.start + offset, mark.end + offset, mark.kind) for mark in marks]


def merged(first: Iterable[Mark], second: Iterable[Mark]) -> tuple[Mark, ...]:
    """All the first, and of the second those that lie beside them.

    >>> merged([Mark(2, 5, "quoted")], [Mark(0, 2, "title"), Mark(4, 6, "heading")])
    (Mark(start=0, end=2, kind='title'), Mark(start=2, end=5, kind='quoted'))
    """
    kept: list[Mark] = []
    ranked = [(0, mark) for mark in first] + [(1, mark) for mark in second]
    for rank, mark in sorted(ranked, key=lambda entry: (entry[1].start, entry[0])):
        while rank == 0 and kept and kept[-1].end > mark.start:
            kept.pop()
        if not kept or kept[-1].end <= mark.start:
            kept.append(mark)
    return tuple(kept)
