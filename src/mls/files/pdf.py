"""PDF: its text in the order in which it is read, each block with its kind, without what stands on every page."""

from __future__ import annotations

from collections.abc import Iterator

import pypdfium2

from mls.errors import MlsError
from mls.files.marked import Blocks, MarkedText
from mls.files.pdf_blocks import blocks_of, text_of, words_of
from mls.files.pdf_lines import PageText, lines_of
from mls.files.pdf_page import read_page


def read(data: bytes, name: str, characters: int) -> MarkedText:
    try:
        document = pypdfium2.PdfDocument(data)
        pages = list(_pages(document, characters))
    except pypdfium2.PdfiumError as error:
        reason = "it asks for a password" if "password" in str(error).lower() else str(error).rstrip(".")
        raise MlsError(f"{name} can't be read as PDF ({reason})") from error
    lines = lines_of(pages)
    known = words_of(lines)
    found = Blocks()
    for block in blocks_of(lines):
        found.add(text_of(block, known), block.kind, block.run or None)
    if not found:
        raise MlsError(f"{name} holds no text: it may be scanned images, which need a program that reads letters (OCR)")
    return found.whole()


def _pages(document: pypdfium2.PdfDocument, characters: int) -> Iterator[PageText]:
    """Page after page, until there are more characters than are wanted."""
    found = 0
    for page in document:
        pieces, count = read_page(page)
        yield PageText(page.get_height(), tuple(pieces))
        page.close()
        found += count
        if found > 2 * characters:
            return
