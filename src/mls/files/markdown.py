"""Markdown: its words without its markup, each block with its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mls.files.marked import Blocks, MarkedText, could_be_heading
from mls.files.plain import decode

_LONGEST_LINK = 6  # words that only lead on
_SPOKEN = {"text", "code_inline", "text_special"}
_BREAKS = {"softbreak", "hardbreak"}
_LISTS = {"bullet_list_open", "ordered_list_open"}
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?\r?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"[\w-]+:")
_TITLE = re.compile(r"^title:[ \t]*(['\"]?)(.+?)\1[ \t]*\r?$", re.MULTILINE)
_HTML_HEADING = re.compile(r"<h([1-6])\b[^>]*>(.*?)</h\1>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_NOTE = re.compile(r"\[\^[^\]\s]+\](:[ \t]*)?")
_ALERT = re.compile(r"\A\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*")
_CHECK_BOX = re.compile(r"\A\[[ xX]\][ \t]+")


def read(data: bytes, name: str, characters: int) -> MarkedText:
    return marked(decode(data, name))


def marked(text: str) -> MarkedText:
    front = _FRONT_MATTER.match(text)
    if front and not _FIELD.match(front[1]):
        front = None
    tokens = MarkdownIt("commonmark").enable("table").parse(text[front.end() :] if front else text)
    blocks = Blocks()
    title = _TITLE.search(front[1]) if front else None
    if title and not any(token.tag == "h1" for token in tokens):
        blocks.add(title[2], "title")
    _Page(blocks).take(tokens)
    return blocks.whole()


class _Page:
    """Walks over the tokens of a page; what a list or a table holds stands line below line."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._depth = 0  # of lists
        self._run = 0  # the list or table that is being read
        self._heading: str | None = None
        self._row: list[str] | None = None
        self._announced = False  # whether the last line of text ends with a colon

    def take(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            self._take(token)

    def _take(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open" | "ordered_list_open" | "table_open":
                self._run += self._depth == 0
                self._depth += token.type in _LISTS
            case "bullet_list_close" | "ordered_list_close":
                self._depth -= 1
            case "heading_open":
                self._heading = self._heading_kind(token.tag)
            case "heading_close":
                self._heading = None
            case "tr_open":
                self._row = []
            case "tr_close":
                self._blocks.add("; ".join(filter(None, self._row or ())), "table-row", ("table", self._run))
                self._row = None
            case "fence" | "code_block":
                self._blocks.add(token.content, "code")
            case "html_block":
                for level, words in _HTML_HEADING.findall(token.content):
                    self._blocks.add(" ".join(_TAG.sub(" ", words).split()), self._heading_kind(f"h{level}"))
            case "inline":
                self._add_words(token.children or [])

    def _heading_kind(self, tag: str) -> str:
        """A heading of the first rank with which the page begins is its title."""
        return "title" if tag == "h1" and not self._blocks else "heading"

    def _add_words(self, tokens: list[Token]) -> None:
        words = _words(tokens)
        if self._row is not None:
            self._row.append(words)
        elif self._heading:
            self._announced = False
            self._blocks.add(words, self._heading)
        elif _is_pictures(tokens):
            return
        elif self._depth:
            kind = "boilerplate" if _only_leads_on(tokens, self._announced) else "list-item"
            self._blocks.add(_CHECK_BOX.sub("", words), kind, ("list", self._run))
        elif length := _bold_line(tokens):
            self._blocks.add(_words(tokens[:length]), "heading")
            self._add_words(tokens[length + 1 :])
        else:
            self._announced = words.endswith(":")
            self._blocks.add(_ALERT.sub("", words), "footnote" if _begins_a_note(tokens) else None)


def _words(tokens: list[Token]) -> str:
    """What a reader sees of a block; HTML in it is not text, the words around its tags are."""
    return "".join(_spoken(tokens)).strip()


def _spoken(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "text":
            yield _NOTE.sub("", token.content)
        elif token.type in _SPOKEN:
            yield token.content
        elif token.type in _BREAKS:
            yield " "
        else:
            yield from _spoken(token.children or [])


def _bold_line(tokens: list[Token]) -> int:
    """How many tokens make a first line that is all bold and no sentence, as headings are written at times; else 0."""
    length = next((number for number, token in enumerate(tokens) if token.type in _BREAKS), len(tokens))
    types = [token.type for token in tokens[:length] if token.type != "text" or token.content]
    if types[:1] != ["strong_open"] or "strong_close" in types[:-1] or types[-1] != "strong_close":
        return 0
    return length if could_be_heading(_words(tokens[:length]).rstrip(":")) else 0


def _begins_a_note(tokens: list[Token]) -> bool:
    note = _NOTE.match(tokens[0].content) if tokens else None
    return note is not None and note[1] is not None


def _is_pictures(tokens: list[Token]) -> bool:
    """Whether a block is nothing but pictures, as badges are, which say nothing to a reader of text."""
    pictures = [token for token in tokens if token.type == "image"]
    return bool(pictures) and not _words([token for token in tokens if token.type != "image"])


def _only_leads_on(tokens: list[Token], announced: bool) -> bool:
    """Whether an item is only links: to parts of the same page, as in a table of contents, or in a few words.

    What is announced is no table of contents.
    """
    links = [str(token.attrGet("href")) for token in tokens if token.type == "link_open"]
    outside: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.type == "link_open") - (token.type == "link_close")
        outside += [token] if depth == 0 else []
    within = all(link.startswith("#") for link in links)
    few = not announced and len(_words(tokens).split()) <= _LONGEST_LINK and not _words(tokens).endswith(".")
    return bool(links) and not _words(outside) and (within or few)
