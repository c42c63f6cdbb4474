"""The pieces of text on a page of a PDF: what each says, where it stands, and in which type.

A piece is a run of words on one line. A PDF knows neither lines nor columns; those are told later, from where
the pieces lie.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

_SAME_LINE = 0.6  # of the size of type: so much higher or lower a character may stand, as an exponent does
_SPACE = 0.12  # of the size of type, at least
_GAP = 0.85  # of the size of type: more is no space between words
_RAISED = 0.15  # of the size of type, for a character
_SMALLER = 0.85  # than the type around it
_MOST = 0.8  # of the characters of a piece, to speak of all
_LEVEL = 0.1  # radians
_BOLD_FROM = 600  # of the weights of type
_BOLD = re.compile(r"bold|black|heavy|demi|cmbx|sfbx|ecbx|cmssbx|medi\b|-bd\b|-b\b", re.IGNORECASE)
_MONO = re.compile(
    r"mono|courier|consol|typewriter|cmtt|sftt|ectt|menlo|nimbusmon|inconsolata|sourcecode", re.IGNORECASE
)
_WIDEST = 3.0  # times the wider of its first and last letters, a letter of a word
_LINE_END = 0x0A
_HYPHENS = {0x02, 0xAD, 0xFFFE}  # how a hyphen at the end of a line is told
_SPACES = {0xA0, 0x1680, *range(0x2000, 0x200C), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF}
_BETWEEN = ({*range(0x21), *range(0x7F, 0xA0)} | _SPACES) - _HYPHENS  # words: all that can't be seen
_OPEN, _CLOSE = "\x01", "\x02"  # around raised characters, until it is known what they are
_MARKER = re.compile(r"(?:(?<=[^\W\d_]{3})|(?<=[.,;:!?)”’\"]))\x01[\d,*†‡§¶∗]+\x02")  # of a footnote
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST_NAME = 128  # of a font


@dataclass(frozen=True)
class Piece:
    """Words on one line. Positions are in points, from the left and from below; the letters stand on `base`."""

    text: str
    left: float
    right: float
    base: float
    size: float
    bold: bool = False
    mono: bool = False


@dataclass(frozen=True)
class _Type:
    size: float
    bold: bool
    mono: bool


class _Found(NamedTuple):
    """From where to where something goes, and on what it stands."""

    left: float
    right: float
    base: float


_Position = Callable[[float, float], tuple[float, float]]


def read_page(page: Any) -> tuple[list[Piece], int]:
    """The pieces of a page in the order in which it draws them, and how many characters it has."""
    text = page.get_textpage()
    count: int = text.count_chars()
    pieces = list(_Reading(text.raw, page.get_rotation(), page.get_bbox()).pieces(count))
    text.close()
    return pieces, count


class _Reading:
    """Asks the library for one word after another.

    A word is taken as a whole where its first and its last character stand on one line: to ask for each character
    takes several times as long.
    """

    def __init__(self, text: Any, rotation: int, box: tuple[float, float, float, float]) -> None:
        self._text = text
        self._angle = math.radians(rotation)
        self._position = _position_on(rotation, box)
        self._run: _Run | None = None
        self._box = pdfium.FS_RECTF()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._matrix = pdfium.FS_MATRIX()
        self._name = ctypes.create_string_buffer(_LONGEST_NAME)

    def pieces(self, count: int) -> Iterator[Piece]:
        codes = [pdfium.FPDFText_GetUnicode(self._text, index) for index in range(count)]
        for first, end, begins_line in _words(codes):
            if begins_line:
                yield from self._end()
            if self._run:
                self._run.space = True
            if whole := self._whole(first, end - 1):
                yield from self._take(first, "".join(map(_character, codes[first:end])), whole)
            else:
                for index in range(first, end):
                    if found := self._position_of(index):
                        yield from self._take(index, _character(codes[index]), found)
        yield from self._end()

    def _take(self, index: int, text: str, found: _Found) -> Iterator[Piece]:
        if self._run is None or not self._run.reaches(found):
            yield from self._end()
            self._run = _Run(self._is_level(index))
        if self._run.needs_type(found):
            self._run.type = self._type_of(index)
        self._run.add(text, found)

    def _end(self) -> Iterator[Piece]:
        if self._run and self._run.is_level and (piece := self._run.piece()):
            yield piece
        self._run = None

    def _whole(self, first: int, last: int) -> _Found | None:
        """The position of a word, if it stands on one line and is no longer than its letters can be."""
        one = self._position_of(first)
        other = self._position_of(last) if last > first else one
        if one is None or other is None or one.base != other.base:
            return None
        left, right = min(one.left, other.left), max(one.right, other.right)
        letter = max(one.right - one.left, other.right - other.left)
        return _Found(left, right, one.base) if right - left <= _WIDEST * letter * (last - first + 1) else None

    def _position_of(self, index: int) -> _Found | None:
        """From where to where a character goes and on what it stands; None if that is nowhere."""
        if not pdfium.FPDFText_GetLooseCharBox(self._text, index, self._box):
            return None
        pdfium.FPDFText_GetCharOrigin(self._text, index, self._x, self._y)
        box, position = self._box, self._position
        one, other = position(box.left, box.bottom)[0], position(box.right, box.top)[0]
        base = position(self._x.value, self._y.value)[1]
        return _Found(min(one, other), max(one, other), base) if math.isfinite(one + other + base) else None

    def _is_level(self, index: int) -> bool:
        angle = pdfium.FPDFText_GetCharAngle(self._text, index)
        return abs(math.remainder(angle + self._angle, math.tau)) < _LEVEL

    def _type_of(self, index: int) -> _Type:
        pdfium.FPDFText_GetMatrix(self._text, index, self._matrix)
        size = pdfium.FPDFText_GetFontSize(self._text, index) * math.hypot(self._matrix.c, self._matrix.d)
        length = pdfium.FPDFText_GetFontInfo(self._text, index, self._name, _LONGEST_NAME, None)
        name = self._name.value.decode("utf-8", "replace") if 0 < length <= _LONGEST_NAME else ""
        bold = pdfium.FPDFText_GetFontWeight(self._text, index) >= _BOLD_FROM or bool(_BOLD.search(name))
        return _Type(size if math.isfinite(size) and size > 0 else 1.0, bold, bool(_MONO.search(name)))


def _words(codes: Sequence[int]) -> Iterator[tuple[int, int, bool]]:
    """Where words begin and end, and whether a new line begins with them."""
    first: int | None = None
    begins_line = False
    for index, code in enumerate([*codes, _LINE_END]):
        if code not in _BETWEEN:
            first = index if first is None else first
            continue
        if first is not None:
            yield first, index, begins_line
            first, begins_line = None, False
        begins_line |= code == _LINE_END


def _character(code: int) -> str:
    return "-" if code in _HYPHENS else chr(code)


def _position_on(rotation: int, box: tuple[float, float, float, float]) -> _Position:
    """How to get from the positions of a page to those on it as it is shown."""
    left, bottom, right, top = box
    turned: dict[int, _Position] = {
        90: lambda x, y: (y - bottom, right - x),
        180: lambda x, y: (right - x, top - y),
        270: lambda x, y: (top - y, x - left),
    }
    return turned.get(rotation, lambda x, y: (x - left, y - bottom))


class _Run:
    """The characters of a piece so far."""

    def __init__(self, is_level: bool) -> None:
        self.is_level = is_level
        self.space = False  # whether one stands behind the last character
        self.type = _Type(0.0, False, False)
        self._characters: list[str] = []
        self._left, self._right = math.inf, -math.inf
        self._last = _Found(0.0, 0.0, 0.0)
        self._base, self._largest = 0.0, 0.0
        self._types: Counter[_Type] = Counter()

    def reaches(self, found: _Found) -> bool:
        """Whether something can be the next of these."""
        gap = max(found.left - self._last.right, self._last.left - found.right)
        return abs(found.base - self._base) <= _SAME_LINE * self._largest and gap <= _GAP * self._largest

    def needs_type(self, found: _Found) -> bool:
        """Whether the type may have changed; within a word that stands on one line it seldom does."""
        return self.space or not self._characters or found.base != self._last.base

    def add(self, text: str, found: _Found) -> None:
        if self._characters and found.base != self._last.base:  # the library sees a space beside whatever is raised
            self.space = found.left - self._last.right > _SPACE * self._largest
        if self.type.size > self._largest:
            self.space |= (
                found.base < self._base and self.type.size * _SMALLER > self._largest
            )  # behind a raised number
            self._largest, self._base = self.type.size, found.base
        if self.space and self._characters:
            self._characters.append(" ")
        raised = found.base - self._base > _RAISED * self._largest and self.type.size < _SMALLER * self._largest
        self._characters += [_OPEN, text, _CLOSE] if raised else [text]
        self._types[self.type] += len(text)
        self._left, self._right = min(self._left, found.left), max(self._right, found.right)
        self._last = found
        self.space = False

    def piece(self) -> Piece | None:
        text = "".join(self._characters).replace(_CLOSE + _OPEN, "")
        text = _MARKER.sub("", text).replace(_OPEN, "").replace(_CLOSE, "").strip()
        if _SURROGATE.search(text):  # the halves of one character, or what is none
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if not text:
            return None
        count = self._types.total()
        bold = sum(number for kind, number in self._types.items() if kind.bold)
        mono = sum(number for kind, number in self._types.items() if kind.mono)
        size = self._types.most_common(1)[0][0].size
        return Piece(text, self._left, self._right, self._base, size, bold > _MOST * count, mono > _MOST * count)
