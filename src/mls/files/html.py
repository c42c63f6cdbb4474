"""Web pages: the main text, without menus and advertisements. Nothing a page refers to is ever fetched."""

from __future__ import annotations

import codecs
import logging

import lxml.etree
import lxml.html
import trafilatura

from mls.errors import MlsError


def read(data: bytes, name: str, characters: int) -> str:
    """The main content; of a page that has none that can be told apart, all the text there is."""
    if b"\x00" in data and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise MlsError(f"{name} is no web page: it holds NUL bytes, as programs and images do")
    logging.disable(logging.CRITICAL)  # what it can't parse is told by what it finds
    found = trafilatura.extract(data, include_comments=False, include_tables=True, favor_recall=True)
    return found or _all_text(data)


def _all_text(data: bytes) -> str:
    try:
        page = lxml.html.document_fromstring(data)
    except lxml.etree.ParserError:  # there is nothing in it
        return ""
    for unseen in page.xpath("//script | //style | //template | //head | //comment()"):
        unseen.drop_tree()
    return "\n\n".join(line for text in page.itertext() if (line := " ".join(text.split())))
