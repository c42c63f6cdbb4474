"""The pieces of text on a page of a PDF: what each says, where it stands, and in which type.

A piece is a run of words on one line. A PDF knows neither lines nor columns; those are told later, from where
the pieces lie.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

_SAME_LINE = 0.6  # of the size of type: so much higher or lower a character may stand, as an exponent does
_GAP = 0.85  # of the size of type: more is no space between words
_RAISED = 0.15  # of the size of type, for a character
_SMALLER = 0.85  # than the type around it
_MOST = 0.8  # of the characters of a piece, to speak of all
_LEVEL = 0.1  # radians
_BOLD_FROM = 600  # of the weights of type
_BOLD = re.compile(r"bold|black|heavy|demi|cmbx|sfbx|ecbx|cmssbx|medi\b|-bd\b|-b\b", re.IGNORECASE)
_MONO = re.compile(r"mono|courier|consol|typewriter|cmtt|sftt|ectt|menlo|nimbusmon|inconsolata|sourcecode", re.IGNORECASE)
_LINE_ENDS = {0x0A, 0x0D}
_SPACES = {0x00, 0x09, 0x20, 0xA0, 0x2000, 0x2002, 0x2003, 0x2009, 0x200A, 0x200B, 0x202F, 0x3000, 0xFEFF}
_HYPHENS = {0x02, 0xAD, 0xFFFE}  # how a hyphen at the end of a line is told
_OPEN, _CLOSE = "\x01", "\x02"  # around raised characters, until it is known what they are
_MARKER = re.compile(r"(?:(?<=[^\W\d_]{3})|(?<=[.,;:!?)”’\"]))\x01[\d,*†‡§¶∗]+\x02")  # of a footnote
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST_NAME = 128  # of a font


@dataclass(frozen=True)
class Piece:
    """Words on one line. Places are in points, from the left and from below; the letters stand on `base`."""

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


_Place = Callable[[float, float], tuple[float, float]]


def read_page(page: Any) -> tuple[list[Piece], int]:
    """The pieces of a page in the order in which it draws them, and how many characters it has."""
    text = page.get_textpage()
    count: int = text.count_chars()
    pieces = list(_Reading(text.raw, page.get_rotation(), page.get_bbox()).pieces(count))
    text.close()
    return pieces, count


class _Reading:
    """Asks the library for one character after another."""

    def __init__(self, text: Any, rotation: int, box: tuple[float, float, float, float]) -> None:
        self._text = text
        self._angle = math.radians(rotation)
        self._place = _place_on(rotation, box)
        self._run: _Run | None = None
        self._box = pdfium.FS_RECTF()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._matrix = pdfium.FS_MATRIX()
        self._name = ctypes.create_string_buffer(_LONGEST_NAME)

    def pieces(self, count: int) -> Iterator[Piece]:
        for index in range(count):
            code = pdfium.FPDFText_GetUnicode(self._text, index)
            if code in _LINE_ENDS:
                yield from self._end()
            elif code in _SPACES:
                if self._run:
                    self._run.space = True
            elif not _is_control(code) and (found := self._box_of(index)) is not None:
                if self._run is None or not self._run.reaches(*found):
                    yield from self._end()
                    self._run = _Run(self._is_level(index))
                if self._run.needs_type(found[2]):
                    self._run.type = self._type_of(index)
                self._run.add("-" if code in _HYPHENS else chr(code), *found)
        yield from self._end()

    def _end(self) -> Iterator[Piece]:
        if self._run and self._run.is_level and (piece := self._run.piece()):
            yield piece
        self._run = None

    def _box_of(self, index: int) -> tuple[float, float, float] | None:
        """From where to where a character goes and on what it stands; None if that is nowhere."""
        if not pdfium.FPDFText_GetLooseCharBox(self._text, index, self._box):
            return None
        pdfium.FPDFText_GetCharOrigin(self._text, index, self._x, self._y)
        corners = (self._box.left, self._box.bottom, self._box.right, self._box.top)
        if not all(map(math.isfinite, (*corners, self._x.value, self._y.value))):
            return None
        one, other = self._place(*corners[:2]), self._place(*corners[2:])
        return min(one[0], other[0]), max(one[0], other[0]), self._place(self._x.value, self._y.value)[1]

    def _is_level(self, index: int) -> bool:
        angle = pdfium.FPDFText_GetCharAngle(self._text, index)
        return abs(math.remainder(angle - self._angle, math.tau)) < _LEVEL

    def _type_of(self, index: int) -> _Type:
        pdfium.FPDFText_GetMatrix(self._text, index, self._matrix)
        size = pdfium.FPDFText_GetFontSize(self._text, index) * math.hypot(self._matrix.c, self._matrix.d)
        length = pdfium.FPDFText_GetFontInfo(self._text, index, self._name, _LONGEST_NAME, None)
        name = self._name.value.decode("utf-8", "replace") if 0 < length <= _LONGEST_NAME else ""
        bold = pdfium.FPDFText_GetFontWeight(self._text, index) >= _BOLD_FROM or bool(_BOLD.search(name))
        return _Type(size if math.isfinite(size) and size > 0 else 1.0, bold, bool(_MONO.search(name)))


def _is_control(code: int) -> bool:
    return (code < 0x20 or 0x7F <= code < 0xA0) and code not in _HYPHENS


def _place_on(rotation: int, box: tuple[float, float, float, float]) -> _Place:
    """How to get from the places of a page to those on it as it is shown."""
    left, bottom, right, top = box
    turned: dict[int, _Place] = {
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
        self._signs: list[str] = []
        self._left, self._right = math.inf, -math.inf
        self._last = (0.0, 0.0, 0.0)
        self._base, self._largest = 0.0, 0.0
        self._types: Counter[_Type] = Counter()

    def reaches(self, left: float, right: float, base: float) -> bool:
        """Whether a character can be the next of these."""
        size = self._largest
        gap = max(left - self._last[1], self._last[0] - right)
        return abs(base - self._base) <= _SAME_LINE * size and gap <= _GAP * size

    def needs_type(self, base: float) -> bool:
        """Whether the type may have changed; within a word that stands on one line it seldom does."""
        return self.space or not self._signs or base != self._last[2]

    def add(self, sign: str, left: float, right: float, base: float) -> None:
        if self.type.size > self._largest:
            self.space |= base < self._base and self.type.size * _SMALLER > self._largest  # a raised number ends here
            self._largest, self._base = self.type.size, base
        if self.space and self._signs:
            self._signs.append(" ")
        raised = base - self._base > _RAISED * self._largest and self.type.size < _SMALLER * self._largest
        self._signs += [_OPEN, sign, _CLOSE] if raised else [sign]
        self._types[self.type] += 1
        self._left, self._right = min(self._left, left), max(self._right, right)
        self._last = (left, right, base)
        self.space = False

    def piece(self) -> Piece | None:
        text = "".join(self._signs).replace(_CLOSE + _OPEN, "")
        text = _MARKER.sub("", text).replace(_OPEN, "").replace(_CLOSE, "").strip()
        if _SURROGATE.search(text):  # the halves of one character, or what is none
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if not text:
            return None
        count = self._types.total()
        bold = sum(number for kind, number in self._types.items() if kind.bold)
        mono = sum(number for kind, number in self._types.items() if kind.mono)
        size = self._types.most_common(1)[0][0].size
        return Piece(
            text, self._left, self._right, self._base, size, bold > _MOST * count, mono > _MOST * count
        )
