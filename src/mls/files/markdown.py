"""Markdown: its words without its marks, a paragraph, heading or list item a line. Code blocks are left out."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mls.files.plain import decode

_SPOKEN = {"text", "code_inline", "text_special"}
_BREAKS = {"softbreak", "hardbreak"}


def read(data: bytes, name: str, characters: int) -> str:
    parser = MarkdownIt("commonmark").enable("table")
    blocks = (_words(token.children or []) for token in parser.parse(decode(data, name)) if token.type == "inline")
    return "\n\n".join(block for block in blocks if block)


def _words(tokens: list[Token]) -> str:
    """What a reader sees of a block; HTML in it is not text, the words around its tags are."""
    spoken = (
        token.content if token.type in _SPOKEN else " " if token.type in _BREAKS else _words(token.children or [])
        for token in tokens
    )
    return "".join(spoken).strip()
