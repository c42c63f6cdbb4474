"""Lines of a PDF in the order in which they are read: column by column, without running heads and page numbers."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from mls.files.pdf_page import Piece

_SAME_ROW = 0.4  # of the size of type
_APART = 1.9  # of the size of type: from one row to the next if something stands by itself
_CELL = 1.8  # of the size of type: more between words divides the cells of a table
_SPACE = 0.12  # of the size of type
_LARGE = 1.2  # times the type of the page
_EDGE_ROWS = 2  # where running heads can stand, above and below
_FEWEST_PAGES = 3  # from which on what repeats is told from what is said twice
_SAME_HEIGHT = 4.0  # points
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?i:\W*(?:(?:page|p\.|seite)\s*)?\d{1,4}(?:\s*(?:/|of|von)\s*\d{1,4})?\W*)|\W*[ivxlc]{1,7}\W*"
)
_NUMBER_AT_EDGE = re.compile(r"\d{1,4}\b|.*\b\d{1,4}$")

_FEWEST_ROWS = 3  # of a column
_FEWEST_WORDS, _FEWEST_LETTERS = 3, 12  # of the usual line of a column; what is shorter are cells
_FILLED = 0.6  # of its column, by the usual line
_PAGES_TO_RELY_ON = 0.4  # of all, before a gutter is expected on the others
_MOST_DIVIDED = 0.3  # of the lines of a column
_BAND_GAP = 2.5  # of the size of type: white space through all columns
_OVERHANG = 0.12  # of the length of a line: as much of it may stand in the next column
_GUTTER = 0.6  # of the size of type, at least
_SAME_GUTTER = 12.0  # points
_MOST_CUTS = 2  # one after the other: up to four columns

Row = list[Piece]


@dataclass(frozen=True)
class PageText:
    height: float
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Line:
    """A line of one column; `flow` tells the stretch of a page in which lines follow upon each other."""

    pieces: tuple[Piece, ...]
    page: int
    flow: tuple[int, int]
    column: tuple[float, float]  # from where to where the column goes
    height: float  # of the page

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """The texts that wide gaps divide."""
        return tuple(self.split(_CELL))

    def split(self, width: float) -> list[str]:
        """The texts that gaps divide which are wider than so many times the size of type."""
        found = [self.pieces[0].text]
        for before, piece in pairwise(self.pieces):
            gap = piece.left - before.right
            if gap > width * self.size:
                found.append(piece.text)
            else:
                found[-1] += (" " if gap > _SPACE * self.size else "") + piece.text
        return found

    @cached_property
    def text(self) -> str:
        return " ".join(self.cells)

    @cached_property
    def _main(self) -> Piece:
        return max(self.pieces, key=lambda piece: len(piece.text))

    @cached_property
    def left(self) -> float:
        return min(piece.left for piece in self.pieces)

    @cached_property
    def right(self) -> float:
        return max(piece.right for piece in self.pieces)

    @property
    def base(self) -> float:
        return self._main.base

    @property
    def size(self) -> float:
        return self._main.size

    @cached_property
    def bold(self) -> bool:
        return all(piece.bold for piece in self.pieces)

    @cached_property
    def mono(self) -> bool:
        return all(piece.mono for piece in self.pieces)


def lines_of(pages: Sequence[PageText]) -> list[Line]:
    """All lines of a document but those that stand at the edge of its pages for orientation."""
    bodies = _without_furniture(pages)
    gutters = _reliable_gutters(bodies)
    found: list[Line] = []
    for number, (page, body) in enumerate(zip(pages, bodies, strict=True)):
        for flow, rows in enumerate(_flows(body, gutters, _MOST_CUTS)):
            column = _extent(piece for row in rows for piece in row)
            found += [Line(tuple(row), number, (number, flow), column, page.height) for row in rows]
    return found


def rows_of(pieces: Iterable[Piece]) -> list[Row]:
    """Pieces that stand on one line, from left to right; lines from above to below."""
    rows: list[Row] = []
    for piece in sorted(pieces, key=lambda piece: -piece.base):
        first = rows[-1][0] if rows else None
        if first and first.base - piece.base <= _SAME_ROW * max(first.size, piece.size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def _extent(pieces: Iterable[Piece]) -> tuple[float, float]:
    edges = [(piece.left, piece.right) for piece in pieces]
    return min(left for left, _ in edges), max(right for _, right in edges)


# Running heads and page numbers


@dataclass(frozen=True)
class _Edge:
    """A row at the upper or lower edge of a page."""

    page: int
    row: int
    outermost: bool
    above: bool
    base: float
    text: str
    apart: bool  # from the rows further in
    large: bool  # as headings are, and running heads are not


def _without_furniture(pages: Sequence[PageText]) -> list[list[Piece]]:
    rows = [rows_of(page.pieces) for page in pages]
    edges = [edge for number, page in enumerate(rows) for edge in _edges(number, page)]
    left_out = {(edge.page, edge.row) for edge in _furniture(edges, len(pages))}
    return [
        [piece for position, row in enumerate(page) if (number, position) not in left_out for piece in row]
        for number, page in enumerate(rows)
    ]


def _edges(number: int, rows: Sequence[Row]) -> Iterator[_Edge]:
    last = len(rows) - 1
    for position in range(min(_EDGE_ROWS, len(rows))):
        yield _edge(number, rows, position, position == 0, True)
    for position in range(max(_EDGE_ROWS, len(rows) - _EDGE_ROWS), len(rows)):
        yield _edge(number, rows, position, position == last, False)


def _edge(number: int, rows: Sequence[Row], position: int, outermost: bool, above: bool) -> _Edge:
    row, inner = rows[position], position + 1 if above else position - 1
    text = " ".join(piece.text for piece in row)
    gap = abs(row[0].base - rows[inner][0].base) if 0 <= inner < len(rows) else 0.0
    size = max(piece.size for piece in row)
    large = size > _LARGE * median(piece.size for other in rows for piece in other)
    return _Edge(number, position, outermost, above, row[0].base, text, gap > _APART * size, large)


def _furniture(edges: Sequence[_Edge], pages: int) -> Iterator[_Edge]:
    alike = defaultdict(list)
    for edge in (edge for edge in edges if not edge.large):
        alike[edge.above, _DIGITS.sub("#", edge.text)].append(edge)
    for group in alike.values():
        height = median(edge.base for edge in group)
        same = [edge for edge in group if abs(edge.base - height) <= _SAME_HEIGHT]
        on_pages = len({edge.page for edge in same})
        if on_pages >= _FEWEST_PAGES or (on_pages > 1 and (pages == _FEWEST_PAGES or all(edge.apart for edge in same))):
            yield from same
    for above in (True, False):
        outer = [edge for edge in edges if edge.outermost and edge.above == above]
        numbers = [edge for edge in outer if _PAGE_NUMBER.fullmatch(edge.text)]
        yield from (edge for edge in numbers if edge.apart or len(numbers) > 1)
        yield from _changing_heads(
            [edge for edge in outer if edge.apart and not edge.large and _NUMBER_AT_EDGE.match(edge.text)]
        )


def _changing_heads(edges: Sequence[_Edge]) -> Iterator[_Edge]:
    """Rows with a page number that stand at one height on several pages, whatever else they say."""
    heights = sorted(edge.base for edge in edges)
    for edge in edges:
        near = bisect_right(heights, edge.base + _SAME_HEIGHT) - bisect_left(heights, edge.base - _SAME_HEIGHT)
        if near >= _FEWEST_PAGES:
            yield edge


# Columns


def _gutter(pieces: Sequence[Piece]) -> float | None:
    """The middle of the upright stretch of white space with the most on both its sides; None if there is none."""
    if len(pieces) < 2 * _FEWEST_ROWS:
        return None
    lefts, rights = sorted(piece.left for piece in pieces), sorted(piece.right for piece in pieces)
    width = _GUTTER * median(piece.size for piece in pieces)

    def on_both_sides(edge: float) -> tuple[int, int]:
        before, behind = bisect_right(rights, edge), len(lefts) - bisect_left(lefts, edge + width)
        return min(before, behind), before

    edge = max(dict.fromkeys(rights), key=on_both_sides)
    if on_both_sides(edge)[0] < _FEWEST_ROWS:
        return None
    return (edge + lefts[bisect_left(lefts, edge + width)]) / 2


def _reliable_gutters(bodies: Sequence[Sequence[Piece]]) -> list[float]:
    """The gutters of a document that has columns on so many pages that they can be expected on the others."""
    found = [
        gutter
        for body in bodies
        if (gutter := _gutter(body)) is not None and _rows_divided(body, gutter, _MOST_CUTS - 1) > 0
    ]
    middle = median(found) if found else 0.0
    near = [gutter for gutter in found if abs(gutter - middle) <= _SAME_GUTTER]
    return near if len(near) >= _PAGES_TO_RELY_ON * sum(map(bool, bodies)) else []


def _rows_divided(pieces: Sequence[Piece], gutter: float, cuts: int) -> int:
    """How many rows of text a gutter has on both its sides."""
    return sum(
        min(len(rows_of(side)) for side in _sides(band, gutter))
        for band, across in _bands(pieces, gutter)
        if not across and _is_in_columns(band, gutter, (), cuts)
    )


def _flows(pieces: Sequence[Piece], gutters: Sequence[float], cuts: int) -> Iterator[list[Row]]:
    """The rows of a page in the order in which they are read, in stretches."""
    if not pieces:
        return
    gutter = _gutter(pieces) if cuts else None
    if cuts == _MOST_CUTS and gutters and (gutter is None or not _rows_divided(pieces, gutter, cuts - 1)):
        gutter = median(gutters)  # that of other pages
    if gutter is None:
        yield rows_of(pieces)
        return
    plain: list[Piece] = []
    for band in _joined(pieces, gutter, gutters, cuts - 1):
        if band.in_columns:
            if plain:
                yield rows_of(plain)
            plain = []
            for side in _sides(band.pieces, gutter):
                yield from _flows(side, gutters, cuts - 1)
        else:
            plain += band.pieces
    if plain:
        yield rows_of(plain)


@dataclass(frozen=True)
class _Band:
    pieces: list[Piece]
    in_columns: bool


def _joined(pieces: Sequence[Piece], gutter: float, gutters: Sequence[float], cuts: int) -> list[_Band]:
    """The bands of a page; those in columns that follow upon each other are one, however wide the gaps in it."""
    found: list[_Band] = []
    for band, across in _bands(pieces, gutter):
        if across or all(_sides(band, gutter)):
            in_columns = not across and _is_in_columns(band, gutter, gutters, cuts)
        else:  # a column alone: it belongs to those above
            in_columns = bool(found) and found[-1].in_columns
        if found and found[-1].in_columns == in_columns:
            found[-1] = _Band(found[-1].pieces + band, in_columns)
        else:
            found.append(_Band(band, in_columns))
    return found


def _bands(pieces: Sequence[Piece], gutter: float) -> Iterator[tuple[list[Piece], bool]]:
    """Stretches of a page from above to below, and whether something in them goes across the gutter."""
    band: list[Piece] = []
    across = False
    base = None
    for row in rows_of(pieces):
        crosses = any(_crosses(piece, gutter) for piece in row)
        gap = base is not None and base - row[0].base > _BAND_GAP * max(piece.size for piece in row)
        if band and (crosses != across or gap):
            yield band, across
            band = []
        across, base = crosses, row[0].base
        band += row
    if band:
        yield band, across


def _crosses(piece: Piece, gutter: float) -> bool:
    overhang = _OVERHANG * (piece.right - piece.left)
    return gutter - piece.left > overhang and piece.right - gutter > overhang


def _sides(pieces: Iterable[Piece], gutter: float) -> tuple[list[Piece], list[Piece]]:
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    for piece in pieces:
        sides[(piece.left + piece.right) / 2 > gutter].append(piece)
    return sides


def _is_in_columns(pieces: Sequence[Piece], gutter: float, gutters: Sequence[float], cuts: int) -> bool:
    """Whether text, and no table, stands on both sides.

    Where other pages have the same gutter, less is asked for: one of the columns may be all table, or a line long.
    """
    sides = _sides(pieces, gutter)
    if not all(sides):
        return False
    rows = [len(rows_of(side)) for side in sides]
    is_text = [_is_text(side, cuts) for side in sides]
    if any(abs(gutter - other) <= _SAME_GUTTER for other in gutters):
        return any(told and count >= _FEWEST_ROWS for told, count in zip(is_text, rows, strict=True))
    return all(is_text) and min(rows) >= _FEWEST_ROWS


def _is_text(pieces: Sequence[Piece], cuts: int) -> bool:
    """Whether rows have words enough, fill their column, and are not divided, except in columns again."""
    rows = rows_of(pieces)
    texts = [" ".join(piece.text for piece in row) for row in rows]
    words = median(len(text.split()) for text in texts)
    letters = median(sum(map(str.isalpha, text)) for text in texts)
    left, right = _extent(pieces)
    filled = median(row[-1].right - left for row in rows) >= _FILLED * (right - left)
    if words < _FEWEST_WORDS or letters < _FEWEST_LETTERS or not filled:
        return False
    divided = sum(any(_has_gap(before, piece) for before, piece in pairwise(row)) for row in rows)
    if divided <= _MOST_DIVIDED * len(rows):
        return True
    gutter = _gutter(pieces) if cuts else None
    return gutter is not None and _rows_divided(pieces, gutter, cuts - 1) > 0


def _has_gap(before: Piece, piece: Piece) -> bool:
    return piece.left - before.right > _CELL * piece.size
