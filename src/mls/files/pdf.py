"""PDF: the lines of its pages put together to paragraphs, without what stands on every page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pypdfium2

from mls.errors import MlsError

_FULL = 0.8  # of the usual line length: a shorter line that ends a sentence ends its paragraph
_ON_MOST_PAGES = 0.5
_FEWEST_PAGES = 3  # from which on what repeats is told from what is said twice
_DIVIDED = "\ufffe"  # what pdfium puts where a line's end divides a word
_DIGITS = re.compile(r"\d+")
_SENTENCE_END = (".", "!", "?", ":", "”", '"', "’", ")")


def read(data: bytes, name: str, characters: int) -> str:
    try:
        document = pypdfium2.PdfDocument(data)
        pages = list(_pages(document, characters))
    except pypdfium2.PdfiumError as error:
        reason = "it asks for a password" if "password" in str(error).lower() else str(error).rstrip(".")
        raise MlsError(f"{name} can't be read as PDF ({reason})") from error
    text = "\n\n".join(paragraphs(_without_furniture(pages)))
    if not text.strip():
        raise MlsError(f"{name} holds no text: it may be scanned images, which need a program that reads letters (OCR)")
    return text


def _pages(document: pypdfium2.PdfDocument, characters: int) -> Iterator[list[str]]:
    """Lines, page by page, until there are more characters than are wanted."""
    found = 0
    for page in document:
        text = page.get_textpage().get_text_range()
        found += len(text)
        yield [line.strip() for line in text.replace(_DIVIDED, "-\n").splitlines()]
        page.close()
        if found > 2 * characters:
            return


def _without_furniture(pages: Sequence[list[str]]) -> list[str]:
    """All lines but those that stand at the edge of most pages, where only a page number changes."""
    edges = Counter(
        _shape(line) for page in pages for line in {_shape(edge): edge for edge in (*page[:2], *page[-2:])}.values()
    )
    many = len(pages) >= _FEWEST_PAGES
    furniture = {shape for shape, count in edges.items() if many and count > _ON_MOST_PAGES * len(pages)}
    return [line for page in pages for line in page if not (line and _shape(line) in furniture)]


def _shape(line: str) -> str:
    return _DIGITS.sub("#", line)


def paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Lines joined; words divided at a line's end made whole.

    >>> list(paragraphs(["It rained on the har-", "bour all day long, but", "nobody minded.", "Then it stopped."]))
    ['It rained on the harbour all day long, but nobody minded.', 'Then it stopped.']
    """
    lengths = sorted(len(line) for line in lines if line)
    usual = lengths[len(lengths) * 3 // 4] if lengths else 0
    whole = ""
    for line in lines:
        if not line:
            if whole:
                yield whole
            whole = ""
            continue
        divided = whole.endswith("-") and line[:1].islower()
        whole = whole[:-1] + line if divided else f"{whole} {line}".strip()
        if len(line) < _FULL * usual and line.endswith(_SENTENCE_END):
            yield whole
            whole = ""
    if whole:
        yield whole
