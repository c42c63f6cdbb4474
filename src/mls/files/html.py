"""Web pages: the main text, without menus and advertisements. Nothing a page refers to is ever fetched."""

from __future__ import annotations

import logging

import trafilatura


def read(data: bytes, name: str, characters: int) -> str:
    """The main content; of a page that has none that can be told apart, all the text there is."""
    logging.disable(logging.CRITICAL)  # what it can't parse is told by what it finds
    found = trafilatura.extract(data, include_comments=False, include_tables=True, favor_recall=True)
    return found or trafilatura.html2txt(data)
