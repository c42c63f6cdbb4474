"""Markdown: its words without its marks, a paragraph, heading, list item or row of a table a line.

Code blocks are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mls.files.plain import decode

_SPOKEN = {"text", "code_inline", "text_special"}
_BREAKS = {"softbreak", "hardbreak"}


def read(data: bytes, name: str, characters: int) -> str:
    tokens = MarkdownIt("commonmark").enable("table").parse(decode(data, name))
    return "\n\n".join(block for block in _blocks(tokens) if block)


def _blocks(tokens: list[Token]) -> Iterator[str]:
    row: list[str] | None = None  # the cells of a table's row so far
    for token in tokens:
        if token.type == "tr_open":
            row = []
        elif token.type == "tr_close":
            yield "; ".join(cell for cell in row or () if cell)
            row = None
        elif token.type == "inline" and row is not None:
            row.append(_words(token.children or []))
        elif token.type == "inline":
            yield _words(token.children or [])


def _words(tokens: list[Token]) -> str:
    """What a reader sees of a block; HTML in it is not text, the words around its tags are."""
    spoken = (
        token.content if token.type in _SPOKEN else " " if token.type in _BREAKS else _words(token.children or [])
        for token in tokens
    )
    return "".join(spoken).strip()
