"""What each line of a PDF is: text, a heading, a caption, a footnote and so on.

Its type and its position show it: headings are larger or bold and short, footnotes smaller and at the foot of a page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from mls.files.pdf_lines import Line

LARGER, _SMALLER = 1.12, 0.94  # than the type of the text
_SAME_SIZE = 0.06
_USUAL_LEADING = 1.2  # of the size of type, where lines are too few to tell
_NEXT_LINE = 1.35  # of the leading: what is further away is another paragraph
_INDENT = 0.8  # of the size of type
_FULL = 0.8  # of the column: a shorter line that ends a sentence ends its paragraph
FOOT = 0.5  # of the page: footnotes stand below
_MOST_WORDS_OF_A_HEADING, _MOST_LINES_OF_A_HEADING = 16, 4
_MOST_WORDS_OF_A_CELL = 4
_ALIGNED = 1.5  # points
_ALIKE = 0.4  # of the size of type, for gaps

ENDED = re.compile(r"[.!?:…][\"'”’)\]]*$")
_LETTER = re.compile(r"[^\W\d_]")
_NUMBER = r"(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-Z])"
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}[.)]?|(?:[IVX]{1,5}|[A-Z])[.)])\s+\S")
SECTION = re.compile(
    rf"(?:{_NUMBER}[.)]?\s+)?(?:abstract|introduction|background|related work|methods?|methodology|results|discussion|"
    r"results and discussion|conclusions?|summary|acknowledge?ments?|references|bibliography|appendix|contents|"
    r"table of contents)\s*[.:—-]?",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    rf"(?:{_NUMBER}[.)]?\s+)?(?:references(?: and notes)?|bibliography|works cited|literature(?: cited)?)\W*",
    re.IGNORECASE,
)
_REFERENCE_NUMBER = re.compile(r"\[[\w+.-]{1,12}\]|\(?\d{1,3}[.)]\s")
_CONTENTS = re.compile(r"(?:\s?\.){4,}\s*(?:\d{1,4}|[ivxlc]{1,7})$")
_CAPTION = re.compile(
    r"(?:Fig(?:ure|\.)?|FIG(?:URE|\.)?|Table|TABLE|Tab\.|Algorithm|Listing|Scheme|Chart|Plate|Exhibit)"
    r"\s*(?:[A-Z]?\d{1,3}(?:\.\d{1,2})*[a-z]?|[IVX]{1,5})\s*(?:([.:|–—-])(?:\s|$)|$|(?=\s))"
)
_NOTE = re.compile(r"(?:\d{1,3}|[*†‡§¶∗]{1,3}|\(\d{1,2}\)|\[\d{1,2}\])\s*[^\W\d_]|(?:\d{1,3}|[*†‡∗])\s+[\"“‘'(]")
BULLET = re.compile(r"[•‣▪▫◦●○■□◆❖➢✓✔∙·\uf0b7\uf0a7\uf0d8]\s*(?=\S)|[–*-]\s+(?=\S)")
ITEM = re.compile(r"\(?(\d{1,2}|[a-z])[.)]\s+\S")


@dataclass(frozen=True)
class Usual:
    """The type most of a document is set in."""

    size: float
    leading: float  # as a multiple of the size
    bold: bool
    mono: bool

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Usual:
        sizes: Counter[float] = Counter()
        for line in lines:
            sizes[round(line.size * 2) / 2] += len(line.text)
        size = sizes.most_common(1)[0][0] or 1.0
        body = [line for line in lines if abs(line.size - size) <= _SAME_SIZE * size]
        steps = [above.base - line.base for above, line in pairwise(body) if above.flow == line.flow]
        near = [step / size for step in steps if 0.8 * size < step < 2.5 * size]
        count = sum(len(line.text) for line in body)
        bold = sum(len(line.text) for line in body if line.bold)
        mono = sum(len(line.text) for line in body if line.mono)
        return cls(size, median(near) if near else _USUAL_LEADING, 2 * bold > count, 2 * mono > count)


class Telling:
    """Tells of each line what it is, looking at its neighbours."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.usual = Usual.of(lines)
        self.kinds: list[str | None] = [None] * len(lines)
        self._numbered: set[int] = set()  # references whose list has numbers
        self._tell_footnotes()
        for position in range(len(lines)):
            self.kinds[position] = self.kinds[position] or self._alone(position)
        self._tell_what_goes_on()
        self._tell_references()

    # What a line tells of itself

    def _alone(self, position: int) -> str | None:
        line = self.lines[position]
        if _CONTENTS.search(line.text):
            return "boilerplate"
        if self._begins_caption(position):
            return "caption"
        if self._is_heading(position):
            return "heading"
        if BULLET.match(line.text) and not self._goes_on_from_above(position):
            return "list-item"
        goes_on = self._goes_on_from_above(position) and self.kinds[position - 1] != "code"
        if line.mono and not self.usual.mono and not goes_on:
            return "code"
        return "table-row" if self._is_row(position) else None

    def _begins_caption(self, position: int) -> bool:
        match = _CAPTION.match(self.lines[position].text)
        if match is None or self._goes_on_from_above(position):
            return False
        smaller = self.lines[position].size < _SMALLER * self.usual.size
        return match[1] is not None or smaller or match.end() == len(self.lines[position].text)

    def _is_heading(self, position: int) -> bool:
        line = self.lines[position]
        words = line.text.split()
        if not _LETTER.search(line.text) or len(words) > _MOST_WORDS_OF_A_HEADING:
            return False
        if line.text.endswith((",", ";")) or (line.text.endswith(".") and len(words) > _MOST_WORDS_OF_A_HEADING / 2):
            return False
        if line.size >= LARGER * self.usual.size:
            return self._length_of_run(position) <= _MOST_LINES_OF_A_HEADING
        if self._goes_on_from_above(position):
            return False
        stands_out = self.gap_above(position) > _NEXT_LINE
        if stands_out and SECTION.fullmatch(line.text):
            return True
        if line.size < _SMALLER * self.usual.size:
            return False
        if line.bold and not self.usual.bold:
            return len(line.cells) < 3 and self._length_of_run(position) < _MOST_LINES_OF_A_HEADING
        in_capitals = bool(_NUMBERED.match(line.text)) and line.text.isupper() and not line.text.endswith(".")
        return stands_out and in_capitals

    def _length_of_run(self, position: int) -> int:
        """How many lines in the same type stand together with this one."""
        first = last = position
        while first > 0 and position - first <= _MOST_LINES_OF_A_HEADING and self._are_of_one_type(first - 1, first):
            first -= 1
        end = min(len(self.lines), position + _MOST_LINES_OF_A_HEADING + 1)
        while last + 1 < end and self._are_of_one_type(last, last + 1):
            last += 1
        return last - first + 1

    def _are_of_one_type(self, above: int, below: int) -> bool:
        one, other = self.lines[above], self.lines[below]
        alike = one.bold == other.bold and abs(one.size - other.size) <= _SAME_SIZE * one.size
        return alike and self.gap_above(below) <= _NEXT_LINE

    def _is_row(self, position: int) -> bool:
        """Whether a line has cells, and one beside it has some too, below or above these or as far from each other."""
        line = self.lines[position]
        if len(line.pieces) < 2 or _is_stretched(line):
            return False
        for other in (position - 1, position + 1):
            if 0 <= other < len(self.lines) and self.gap_above(max(position, other)) <= 2 * _NEXT_LINE:
                beside = self.lines[other]
                if _is_stretched(beside):
                    continue
                if (len(line.cells) > 1 and len(beside.cells) > 1) or _have_columns(line, beside):
                    return True
        return False

    def gap_above(self, position: int) -> float:
        """How far a line is from the one above, as a multiple of what is usual in its type."""
        if position == 0 or self.lines[position - 1].flow != self.lines[position].flow:
            return float("inf")
        above, line = self.lines[position - 1], self.lines[position]
        return (above.base - line.base) / (self.usual.leading * max(line.size, above.size))

    def _goes_on_from_above(self, position: int) -> bool:
        """Whether a line stands directly below one of the same size that fills its column and ends no sentence."""
        if self.gap_above(position) > _NEXT_LINE:
            return False
        above, line = self.lines[position - 1], self.lines[position]
        if abs(above.size - line.size) > _SAME_SIZE * line.size or self.kinds[position - 1] == "heading":
            return False
        return _is_full(above) and not ENDED.search(above.text)

    # What lines are by their position

    def _tell_footnotes(self) -> None:
        for position, line in enumerate(self.lines):
            is_last = position + 1 == len(self.lines) or self.lines[position + 1].flow != line.flow
            if is_last:
                self._tell_footnotes_above(position)

    def _tell_footnotes_above(self, last: int) -> None:
        """Lines in smaller type at the foot of a page, from the first on that begins as a note does."""
        first = last + 1
        while first > 0 and self._could_be_footnote(first - 1, last):
            first -= 1
        while first <= last and not (_NOTE.match(self.lines[first].text) and self._is_set_off(first)):
            first += 1
        for position in range(first, last + 1):
            self.kinds[position] = "footnote"

    def _is_set_off(self, position: int) -> bool:
        """Whether a line is further from the one above than usual, or in another size of type."""
        if self.gap_above(position) > _NEXT_LINE:
            return True
        return abs(self.lines[position - 1].size - self.lines[position].size) > _SAME_SIZE * self.lines[position].size

    def _could_be_footnote(self, position: int, last: int) -> bool:
        line = self.lines[position]
        in_place = line.flow == self.lines[last].flow and line.base < FOOT * line.height
        return in_place and line.size < _SMALLER * self.usual.size and not _CAPTION.match(line.text)

    def _tell_what_goes_on(self) -> None:
        """Lines that go on with what the line above began: a caption, an item of a list."""
        bullet = self.lines[0]
        for position in range(1, len(self.lines)):
            above, line = self.lines[position - 1], self.lines[position]
            bullet = above if BULLET.match(above.text) else bullet
            if self.kinds[position] is not None or self.gap_above(position) > _NEXT_LINE:
                continue
            same_size = abs(above.size - line.size) <= _SAME_SIZE * line.size
            hangs = line.left > bullet.left + _INDENT / 2 * line.size
            if self.kinds[position - 1] == "caption" and same_size and not self._begins_paragraph(position):
                self.kinds[position] = "caption"
            elif self.kinds[position - 1] == "list-item" and same_size and hangs:
                self.kinds[position] = "list-item"

    def _tell_references(self) -> None:
        inside: float | None = None  # the size of the heading above the references
        numbered: bool | None = None
        for position, line in enumerate(self.lines):
            if self.kinds[position] == "heading":
                goes_on = inside is not None and line.size < inside * (1 - _SAME_SIZE)
                inside = line.size if _REFERENCES.fullmatch(line.text) else inside if goes_on else None
                numbered = None
            elif inside is not None and self.kinds[position] not in ("footnote", "caption"):
                self.kinds[position] = "reference"
                numbered = bool(_REFERENCE_NUMBER.match(line.text)) if numbered is None else numbered
                self._numbered |= {position} if numbered else set()

    # Where blocks begin

    def begins(self, position: int, before: int) -> bool:
        """Whether a line begins a block although the one before is of the same kind."""
        kind, line, above = self.kinds[position], self.lines[position], self.lines[before]
        if kind in ("boilerplate", "table-row"):
            return True
        if kind == "list-item" and BULLET.match(line.text):
            return True
        if kind == "footnote":
            return bool(_NOTE.match(line.text)) or (before == position - 1 and self.gap_above(position) > _NEXT_LINE)
        if kind == "reference":
            return self._begins_reference(position, before)
        if kind == "caption":
            return bool(_CAPTION.match(line.text)) or line.flow != above.flow
        if kind == "heading":
            return not self._are_of_one_type(before, position) or bool(_NUMBERED.match(line.text))
        if kind == "code":
            return line.flow != above.flow or self.gap_above(position) > 2 * _NEXT_LINE
        if before == position - 1 and line.flow == above.flow:
            return self.gap_above(position) > _NEXT_LINE or self._begins_paragraph(position)
        return bool(ENDED.search(above.text)) or not self._could_go_on(above, line)

    def _could_go_on(self, above: Line, line: Line) -> bool:
        """Whether a line in another column, or behind a picture, can be the next of a sentence that was cut."""
        same_size = abs(above.size - line.size) <= _SAME_SIZE * line.size
        return same_size and (line.text[:1].islower() or (_is_full(above) and not self._is_indented(line)))

    def _is_indented(self, line: Line) -> bool:
        return line.left > line.column[0] + _INDENT * line.size

    def _begins_paragraph(self, position: int) -> bool:
        """Whether a line that stands close below another is the first of a paragraph."""
        above, line = self.lines[position - 1], self.lines[position]
        if abs(above.size - line.size) > _SAME_SIZE * line.size:
            return True
        ended = bool(ENDED.search(above.text))
        if not _is_full(above) and ended:
            return True
        indented = line.left > above.left + _INDENT * line.size
        return (ended or not _is_full(above)) and (indented or bool(ITEM.match(line.text)))

    def _begins_reference(self, position: int, before: int) -> bool:
        line, above = self.lines[position], self.lines[before]
        if position in self._numbered:
            return bool(_REFERENCE_NUMBER.match(line.text))
        if line.flow == above.flow and self.gap_above(position) > _NEXT_LINE:
            return True
        hanging = any(
            other.left > line.column[0] + _INDENT * other.size
            for other in self.lines[max(0, position - 10) : position + 10]
            if other.flow == line.flow
        )
        if hanging:
            return line.left <= line.column[0] + _INDENT / 2 * line.size
        return line.flow == above.flow and self._begins_paragraph(position)


def _have_columns(line: Line, other: Line) -> bool:
    """Whether the texts that gaps divide in two lines are short and stand one above the other."""
    cells, others = line.pieces[1:], other.pieces[1:]
    words = len(line.text.split()) + len(other.text.split())
    if not others or words > _MOST_WORDS_OF_A_CELL * (len(line.pieces) + len(other.pieces)):
        return False
    margin = not (_is_full(line) and _is_full(other))  # where lines are flush, they all end alike
    return any(
        abs(one.left - two.left) <= _ALIGNED
        or abs(one.left + one.right - two.left - two.right) <= 2 * _ALIGNED
        or (abs(one.right - two.right) <= _ALIGNED and (margin or one is not cells[-1]))
        for one in cells
        for two in others
    )


def _is_stretched(line: Line) -> bool:
    """Whether a line has wide spaces only because it was made as long as its column: they are all alike."""
    gaps = [piece.left - before.right for before, piece in pairwise(line.pieces)]
    return _is_full(line) and len(gaps) > 2 and max(gaps) - min(gaps) <= _ALIKE * line.size


def _is_full(line: Line) -> bool:
    left, right = line.column
    return line.right - left >= _FULL * (right - left)
