"""Blocks of a PDF: its lines put together to paragraphs, headings, captions, notes and so on.

What a line is shows in its type and its place: headings are larger or bold and short, footnotes smaller and at the
foot of a page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from mls.files.pdf_lines import Line

_LARGER, _SMALLER = 1.12, 0.94  # than the type of the text
_SAME_SIZE = 0.06
_USUAL_LEADING = 1.2  # of the size of type, where lines are too few to tell
_NEXT_LINE = 1.35  # of the leading: what is further away is another paragraph
_INDENT = 0.8  # of the size of type
_FULL = 0.8  # of the column: a shorter line that ends a sentence ends its paragraph
_FOOT = 0.5  # of the page: footnotes stand below
_MOST_WORDS_OF_A_HEADING, _MOST_LINES_OF_A_HEADING = 16, 4
_MOST_ABOVE_TITLE = 12  # words
_FEWEST_WORDS_OF_TEXT = 25  # in the first paragraph below a title
_MOST_BYLINES = 12
_MOST_WORDS_OF_A_CELL = 4
_ALIGNED = 1.5  # points
_ALIKE = 0.4  # of the size of type, for gaps
_BETWEEN_CELLS = 0.8  # of the size of type, at least

_ENDED = re.compile(r"[.!?:…][\"'”’)\]]*$")
_LETTER = re.compile(r"[^\W\d_]")
_NUMBER = r"(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-Z])"
_NUMBERED = re.compile(rf"{_NUMBER}[.)]?\s+\S")
_SECTION = re.compile(
    rf"(?:{_NUMBER}[.)]?\s+)?(?:abstract|introduction|background|related work|methods?|methodology|results|discussion|"
    r"results and discussion|conclusions?|summary|acknowledge?ments?|references|bibliography|appendix|contents|"
    r"table of contents)\s*[.:—-]?",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    rf"(?:{_NUMBER}[.)]?\s+)?(?:references|bibliography|works cited|literature cited|literature|references and notes)\W*",
    re.IGNORECASE,
)
_REFERENCE_NUMBER = re.compile(r"\[[\w+.-]{1,12}\]|\(?\d{1,3}[.)]\s")
_CONTENTS = re.compile(r"(?:\s?\.){4,}\s*(?:\d{1,4}|[ivxlc]{1,7})$")
_CAPTION = re.compile(
    r"(?:Fig(?:ure|\.)?|FIG(?:URE|\.)?|Table|TABLE|Tab\.|Algorithm|Listing|Scheme|Chart|Plate|Exhibit)"
    r"\s*(?:[A-Z]?\d{1,3}(?:\.\d{1,2})*[a-z]?|[IVX]{1,5})\s*(?:([.:|–—-])(?:\s|$)|$|(?=\s))"
)
_NOTE = re.compile(r"(?:\d{1,3}|[*†‡§¶∗]{1,3}|\(\d{1,2}\)|\[\d{1,2}\])\s*[^\W\d_]|(?:\d{1,3}|[*†‡∗])\s+[\"“‘'(]")
_BULLET = re.compile(r"[•‣▪▫◦●○■□◆❖➢✓✔∙·\uf0b7\uf0a7\uf0d8]\s*(?=\S)|[–*-]\s+(?=\S)")
_ITEM = re.compile(r"\(?(\d{1,2}|[a-z])[.)]\s+\S")


@dataclass(frozen=True)
class Block:
    """Lines that belong together, with the kind that they have."""

    kind: str | None
    lines: tuple[Line, ...]
    run: int = 0  # the list or table it belongs to

    @property
    def size(self) -> float:
        return self.lines[0].size


@dataclass(frozen=True)
class _Usual:
    """The type most of a document is set in."""

    size: float
    leading: float  # as a multiple of the size
    bold: bool
    mono: bool

    @classmethod
    def of(cls, lines: Sequence[Line]) -> _Usual:
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


def blocks_of(lines: Sequence[Line]) -> list[Block]:
    """The blocks of a document in their order; what interrupts a paragraph stands behind it."""
    if not lines:
        return []
    told = _Telling(lines)
    return _with_lists(_with_title(list(_put_together(told)), told.usual))


class _Telling:
    """Tells of each line what it is, looking at its neighbours."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.usual = _Usual.of(lines)
        self.kinds: list[str | None] = [None] * len(lines)
        self._numbered: set[int] = set()  # references whose list has numbers
        self._tell_footnotes()
        for place in range(len(lines)):
            self.kinds[place] = self.kinds[place] or self._alone(place)
        self._tell_what_goes_on()
        self._tell_references()

    # What a line tells of itself

    def _alone(self, place: int) -> str | None:
        line = self.lines[place]
        if _CONTENTS.search(line.text):
            return "boilerplate"
        if self._begins_caption(place):
            return "caption"
        if self._is_heading(place):
            return "heading"
        if _BULLET.match(line.text) and not self._goes_on_from_above(place):
            return "list-item"
        if line.mono and not self.usual.mono and not self._goes_on_from_above(place):
            return "code"
        return "table-row" if self._is_row(place) else None

    def _begins_caption(self, place: int) -> bool:
        match = _CAPTION.match(self.lines[place].text)
        if match is None or self._goes_on_from_above(place):
            return False
        smaller = self.lines[place].size < _SMALLER * self.usual.size
        return match[1] is not None or smaller or match.end() == len(self.lines[place].text)

    def _is_heading(self, place: int) -> bool:
        line = self.lines[place]
        words = line.text.split()
        if not _LETTER.search(line.text) or len(words) > _MOST_WORDS_OF_A_HEADING:
            return False
        if line.text.endswith((",", ";")) or (line.text.endswith(".") and len(words) > _MOST_WORDS_OF_A_HEADING / 2):
            return False
        if line.size >= _LARGER * self.usual.size:
            return self._length_of_run(place) <= _MOST_LINES_OF_A_HEADING
        if self._goes_on_from_above(place):
            return False
        stands_out = self.gap_above(place) > _NEXT_LINE
        if stands_out and _SECTION.fullmatch(line.text):
            return True
        if line.size < _SMALLER * self.usual.size:
            return False
        if line.bold and not self.usual.bold:
            return len(line.cells) < 3 and self._length_of_run(place) < _MOST_LINES_OF_A_HEADING
        in_capitals = bool(_NUMBERED.match(line.text)) and line.text.isupper() and not line.text.endswith(".")
        return stands_out and in_capitals

    def _length_of_run(self, place: int) -> int:
        """How many lines in the same type stand together with this one."""
        first = last = place
        while first > 0 and place - first <= _MOST_LINES_OF_A_HEADING and self._are_of_one_type(first - 1, first):
            first -= 1
        end = min(len(self.lines), place + _MOST_LINES_OF_A_HEADING + 1)
        while last + 1 < end and self._are_of_one_type(last, last + 1):
            last += 1
        return last - first + 1

    def _are_of_one_type(self, above: int, below: int) -> bool:
        one, other = self.lines[above], self.lines[below]
        alike = one.bold == other.bold and abs(one.size - other.size) <= _SAME_SIZE * one.size
        return alike and self.gap_above(below) <= _NEXT_LINE

    def _is_row(self, place: int) -> bool:
        """Whether a line has cells, and one beside it has some too, below or above these or as far from each other."""
        line = self.lines[place]
        if len(line.pieces) < 2 or _is_stretched(line):
            return False
        for other in (place - 1, place + 1):
            if 0 <= other < len(self.lines) and self.gap_above(max(place, other)) <= 2 * _NEXT_LINE:
                beside = self.lines[other]
                if _is_stretched(beside):
                    continue
                if (len(line.cells) > 1 and len(beside.cells) > 1) or _have_columns(line, beside):
                    return True
        return False

    def gap_above(self, place: int) -> float:
        """How far a line is from the one above, as a multiple of what is usual in its type."""
        if place == 0 or self.lines[place - 1].flow != self.lines[place].flow:
            return float("inf")
        above, line = self.lines[place - 1], self.lines[place]
        return (above.base - line.base) / (self.usual.leading * max(line.size, above.size))

    def _goes_on_from_above(self, place: int) -> bool:
        """Whether a line stands directly below one of the same size that does not end a sentence and fills its column."""
        if self.gap_above(place) > _NEXT_LINE:
            return False
        above, line = self.lines[place - 1], self.lines[place]
        if abs(above.size - line.size) > _SAME_SIZE * line.size or self.kinds[place - 1] == "heading":
            return False
        return _is_full(above) and not _ENDED.search(above.text)

    # What lines are by their place

    def _tell_footnotes(self) -> None:
        for place, line in enumerate(self.lines):
            is_last = place + 1 == len(self.lines) or self.lines[place + 1].flow != line.flow
            if is_last:
                self._tell_footnotes_above(place)

    def _tell_footnotes_above(self, last: int) -> None:
        """Lines in smaller type at the foot of a page, from the first on that begins as a note does."""
        first = last + 1
        while first > 0 and self._could_be_footnote(first - 1, last):
            first -= 1
        while first <= last and not (_NOTE.match(self.lines[first].text) and self._is_set_off(first)):
            first += 1
        for place in range(first, last + 1):
            self.kinds[place] = "footnote"

    def _is_set_off(self, place: int) -> bool:
        """Whether a line is further from the one above than usual, or in another size of type."""
        if self.gap_above(place) > _NEXT_LINE:
            return True
        return abs(self.lines[place - 1].size - self.lines[place].size) > _SAME_SIZE * self.lines[place].size

    def _could_be_footnote(self, place: int, last: int) -> bool:
        line = self.lines[place]
        in_place = line.flow == self.lines[last].flow and line.base < _FOOT * line.height
        return in_place and line.size < _SMALLER * self.usual.size and not _CAPTION.match(line.text)

    def _tell_what_goes_on(self) -> None:
        """Lines that go on with what the line above began: a caption, an item of a list."""
        bullet = self.lines[0]
        for place in range(1, len(self.lines)):
            above, line = self.lines[place - 1], self.lines[place]
            bullet = above if _BULLET.match(above.text) else bullet
            if self.kinds[place] is not None or self.gap_above(place) > _NEXT_LINE:
                continue
            same_size = abs(above.size - line.size) <= _SAME_SIZE * line.size
            hangs = line.left > bullet.left + _INDENT / 2 * line.size
            if self.kinds[place - 1] == "caption" and same_size and not self._begins_paragraph(place):
                self.kinds[place] = "caption"
            elif self.kinds[place - 1] == "list-item" and same_size and hangs:
                self.kinds[place] = "list-item"

    def _tell_references(self) -> None:
        inside: float | None = None  # the size of the heading above the references
        numbered: bool | None = None
        for place, line in enumerate(self.lines):
            if self.kinds[place] == "heading":
                goes_on = inside is not None and line.size < inside * (1 - _SAME_SIZE)
                inside = line.size if _REFERENCES.fullmatch(line.text) else inside if goes_on else None
                numbered = None
            elif inside is not None and self.kinds[place] not in ("footnote", "caption"):
                self.kinds[place] = "reference"
                numbered = bool(_REFERENCE_NUMBER.match(line.text)) if numbered is None else numbered
                self._numbered |= {place} if numbered else set()

    # Where blocks begin

    def begins(self, place: int, before: int) -> bool:
        """Whether a line begins a block although the one before is of the same kind."""
        kind, line, above = self.kinds[place], self.lines[place], self.lines[before]
        if kind in ("boilerplate", "table-row"):
            return True
        if kind == "list-item" and _BULLET.match(line.text):
            return True
        if kind == "footnote":
            return bool(_NOTE.match(line.text)) or (before == place - 1 and self.gap_above(place) > _NEXT_LINE)
        if kind == "reference":
            return self._begins_reference(place, before)
        if kind == "caption":
            return bool(_CAPTION.match(line.text)) or line.flow != above.flow
        if kind == "heading":
            return not self._are_of_one_type(before, place) or bool(_NUMBERED.match(line.text))
        if kind == "code":
            return line.flow != above.flow or self.gap_above(place) > 2 * _NEXT_LINE
        if before == place - 1 and line.flow == above.flow:
            return self.gap_above(place) > _NEXT_LINE or self._begins_paragraph(place)
        return bool(_ENDED.search(above.text)) or not self._could_go_on(above, line)

    def _could_go_on(self, above: Line, line: Line) -> bool:
        """Whether a line in another column, or behind a picture, can be the next of a sentence that was cut."""
        same_size = abs(above.size - line.size) <= _SAME_SIZE * line.size
        return same_size and (line.text[:1].islower() or (_is_full(above) and not self._is_indented(line)))

    def _is_indented(self, line: Line) -> bool:
        return line.left > line.column[0] + _INDENT * line.size

    def _begins_paragraph(self, place: int) -> bool:
        """Whether a line that stands close below another is the first of a paragraph."""
        above, line = self.lines[place - 1], self.lines[place]
        if abs(above.size - line.size) > _SAME_SIZE * line.size:
            return True
        ended = bool(_ENDED.search(above.text))
        if not _is_full(above) and ended:
            return True
        indented = line.left > above.left + _INDENT * line.size
        return (ended or not _is_full(above)) and (indented or bool(_ITEM.match(line.text)))

    def _begins_reference(self, place: int, before: int) -> bool:
        line, above = self.lines[place], self.lines[before]
        if place in self._numbered:
            return bool(_REFERENCE_NUMBER.match(line.text))
        if line.flow == above.flow and self.gap_above(place) > _NEXT_LINE:
            return True
        hanging = any(
            other.left > line.column[0] + _INDENT * other.size
            for other in self.lines[max(0, place - 10) : place + 10]
            if other.flow == line.flow
        )
        if hanging:
            return line.left <= line.column[0] + _INDENT / 2 * line.size
        return line.flow == above.flow and self._begins_paragraph(place)


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


_FLOATS = {"caption", "footnote", "table-row", "boilerplate"}  # what a paragraph goes on behind
_IN_RUNS = {"list-item", "table-row", "boilerplate"}


def _put_together(told: _Telling) -> Iterator[Block]:
    text: list[int] = []  # the paragraph that is being read
    others: list[list[int]] = []  # what interrupts it, or follows
    for place, kind in enumerate(told.kinds):
        if kind is None:
            if not text or told.begins(place, text[-1]):
                yield from _finished(told, text, others)
                text, others = [], []
            text.append(place)
        elif others and told.kinds[others[-1][-1]] == kind and not _is_apart(told, place, others[-1][-1]):
            others[-1].append(place)
        else:
            if kind not in _FLOATS:
                yield from _finished(told, text, others)
                text, others = [], []
            others.append([place])
    yield from _finished(told, text, others)


def _is_apart(told: _Telling, place: int, before: int) -> bool:
    goes_over = told.kinds[place] in ("reference", "list-item")  # from column to column
    return (before != place - 1 and not goes_over) or told.begins(place, before)


def _finished(told: _Telling, text: list[int], others: list[list[int]]) -> Iterator[Block]:
    for places in ([text] if text else []) + others:
        yield Block(told.kinds[places[0]], tuple(told.lines[place] for place in places))


def _with_title(blocks: list[Block], usual: _Usual) -> list[Block]:
    """Blocks in which the title is told from other headings, and the names below it from the text."""
    page = blocks[0].lines[0].page
    headings = [place for place, block in enumerate(blocks) if block.kind == "heading" and block.lines[0].page == page]
    large = [place for place in headings if blocks[place].size >= _LARGER * usual.size and _is_in_upper_half(blocks[place])]
    title = max(large, key=lambda place: blocks[place].size, default=0 if headings[:1] == [0] else None)
    if title is None:
        return blocks
    above = [_if_short(block, "boilerplate") for block in blocks[:title]]
    below = blocks[title + 1 :]
    names = _count_names(below)
    named = [name for block in below[:names] for name in _as_names(block)]
    return [*above, replace(blocks[title], kind="title"), *named, *below[names:]]


def _is_in_upper_half(block: Block) -> bool:
    return block.lines[0].base > (1 - _FOOT) * block.lines[0].height


def _words(block: Block) -> int:
    return sum(len(line.text.split()) for line in block.lines)


def _if_short(block: Block, kind: str) -> Block:
    return replace(block, kind=kind) if block.kind is None and _words(block) <= _MOST_ABOVE_TITLE else block


def _count_names(blocks: Sequence[Block]) -> int:
    """How many of the blocks below a title say who wrote it, and when: those before the text or a section begins."""
    for count, block in enumerate(blocks[: _MOST_BYLINES + 1]):
        text = block.lines[-1].text
        section = block.kind == "heading" and (_SECTION.fullmatch(text) or _NUMBERED.match(text))
        if section or block.kind in ("list-item", "code", "boilerplate", "caption"):
            return count
        ended = bool(_ENDED.search(text)) and len(block.lines[0].text.split()) > 2
        if block.kind is None and (ended or _words(block) >= _FEWEST_WORDS_OF_TEXT):
            above = blocks[count - 1] if count else None
            return count - 1 if above and above.kind == "heading" else count
    return 0


def _as_names(block: Block) -> list[Block]:
    return [block] if block.kind == "footnote" else [Block("byline", (line,)) for line in block.lines]


def _with_lists(blocks: Iterable[Block]) -> list[Block]:
    """Blocks in which paragraphs with numbers that follow upon each other are items, and lists and tables runs."""
    found = list(blocks)
    numbers = [_number(block) for block in found]
    for place, (one, other) in enumerate(pairwise(numbers)):
        if one is not None and other == one + 1:
            found[place] = replace(found[place], kind="list-item")
            found[place + 1] = replace(found[place + 1], kind="list-item")
    run = 1
    for place, block in enumerate(found):
        goes_on = place > 0 and found[place - 1].kind == block.kind
        run += not goes_on
        found[place] = replace(block, run=run if block.kind in _IN_RUNS else 0)
    return found


def _number(block: Block) -> int | None:
    """The number with which a paragraph begins; a letter counts as its place in the alphabet."""
    match = _ITEM.match(block.lines[0].text) if block.kind is None else None
    if match is None:
        return None
    return int(match[1]) if match[1].isdigit() else ord(match[1]) - ord("a") + 1


def text_of(block: Block, known: Collection[str] = ()) -> str:
    """What a block says; `known` are words of the document, by which divided words are made whole."""
    if block.kind == "code":
        return _code(block.lines)
    if block.kind == "table-row":
        return "; ".join(block.lines[0].split(_BETWEEN_CELLS))
    text = joined([line.text for line in block.lines], known)
    return _BULLET.sub("", text, count=1) if block.kind == "list-item" else text


def _code(lines: Sequence[Line]) -> str:
    """Lines of code, as far in as they stand on the page."""
    margin = min(line.left for line in lines)
    width = max((line.right - line.left) / len(line.text) for line in lines) or 1.0
    return "\n".join(" " * min(80, round((line.left - margin) / width)) + line.text for line in lines)


_WORD = re.compile(r"\w+(?:-\w+)*")
_DIVIDED = re.compile(r"(\w+)-$")


def words_of(lines: Iterable[Line]) -> frozenset[str]:
    return frozenset(word for line in lines for word in _WORD.findall(line.text.lower()))


def joined(lines: Iterable[str], known: Collection[str] = ()) -> str:
    """Lines as one, words divided at a line's end made whole.

    A hyphen that belongs to its word stays: before a capital or a number, and where the document writes the word so.

    >>> joined(["It rained on the har-", "bour, a well-", "known place."], {"well-known"})
    'It rained on the harbour, a well-known place.'
    """
    whole = ""
    for line in lines:
        divided = _DIVIDED.search(whole)
        after = _WORD.match(line)
        if divided and after:
            first, second = divided[1].lower(), after[0].lower()
            stays = not line[0].islower() or (f"{first}-{second}" in known and first + second not in known)
            whole = whole + line if stays else whole[:-1] + line
        else:
            whole = f"{whole} {line}".strip()
    return whole
