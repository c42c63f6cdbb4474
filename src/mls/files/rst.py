"""reStructuredText: its words without its markup, each block with its kind."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from docutils import nodes
from docutils.core import publish_doctree

from mls.files.marked import Blocks, MarkedText
from mls.files.plain import decode

_SETTINGS = {
    "_disable_config": True,  # nothing of the machine's own
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 5,
    "warning_stream": False,
    "smart_quotes": False,
    "doctitle_xform": False,  # a lone section stays one: its heading is the title
}
_LONGEST_LINE, _DEEPEST = 5_000, 100  # characters, and of them those it is indented by
_CLOCK = re.compile(r"^([ \t]*\.\. \|[^|\n]+\|[ \t]+)date::", re.M | re.I)  # the time of reading is not the text's
_SURROGATES = re.compile("[\ud800-\udfff]")  # `unicode::` can make them
_ROLE = re.compile(r"\A:[\w.:+-]+:`([^`<]+?)(?:\s*<[^>]*>)?`\Z")  # one of a program that docutils does not know
_UNSEEN = (
    nodes.Invisible,
    nodes.image,
    nodes.figure,
    nodes.raw,
    nodes.label,
    nodes.footnote_reference,
    nodes.substitution_reference,
)
_OF_A_LIST = nodes.bullet_list, nodes.enumerated_list, nodes.definition_list, nodes.field_list, nodes.option_list
_DESCRIBING = {"description", "abstract", "summary"}
_ASIDE = {nodes.footnote: "footnote", nodes.citation: "reference", nodes.caption: "caption"}


def read(data: bytes, name: str, characters: int) -> MarkedText:
    return marked(decode(data, name))


def marked(text: str) -> MarkedText:
    page = _Page()
    text = _CLOCK.sub(r"\1unread-date::", text)
    page.take(publish_doctree("\n".join(map(_broken, text.split("\n"))), settings_overrides=_SETTINGS))
    return page.blocks.whole()


def _broken(line: str) -> str:
    """A line in pieces that docutils reads: it reads nothing of a text with a line of over 10,000 characters."""
    if len(line) <= _LONGEST_LINE:
        return line
    indent = line[: len(line) - len(line.lstrip())][:_DEEPEST]
    words = textwrap.wrap(line.strip(), _LONGEST_LINE - _DEEPEST, break_on_hyphens=False)
    return "\n".join(indent + piece for piece in words)


class _Page:
    """Walks over the tree of a page; what a list or a table holds stands line below line."""

    def __init__(self) -> None:
        self.blocks = Blocks()
        self._run = 0  # the list or table that is being read

    def take(self, node: nodes.Node, kind: str | None = None, run: object = None) -> None:
        if isinstance(node, _UNSEEN):
            return
        if isinstance(node, nodes.system_message):
            self._take_unknown(node)
        elif isinstance(node, nodes.literal_block | nodes.doctest_block | nodes.math_block):
            self.blocks.add(node.astext(), "code")
        elif isinstance(node, nodes.title | nodes.subtitle | nodes.rubric):
            self.blocks.add(_words(node), "heading" if self.blocks else "title")
        elif isinstance(node, nodes.docinfo):
            for fact in node.children:
                self._take_fact(fact)
        elif isinstance(node, nodes.row):
            self.blocks.add("; ".join(filter(None, map(_words, node.children))), "table-row", run)
        elif isinstance(node, nodes.TextElement):
            self.blocks.add(_words(node), kind, run)
        else:
            self._take_within(node, kind, run)

    def _take_within(self, node: nodes.Node, kind: str | None, run: object) -> None:
        if isinstance(node, _OF_A_LIST) and kind != "list-item":
            self._run += 1
            kind, run = "list-item", self._run
        elif isinstance(node, nodes.table):
            self._run += 1
            run = self._run
        for found, of_it in _ASIDE.items():
            kind = of_it if isinstance(node, found) else kind
        if isinstance(node, nodes.topic) and "contents" in node["classes"]:
            kind = "boilerplate"
        for child in node.children:
            self.take(child, kind, run)

    def _take_fact(self, fact: nodes.Node) -> None:
        """Of the facts above a page, its title and what describes it are read; the others are of its file."""
        if not isinstance(fact, nodes.field):
            self.blocks.add(_words(fact), "byline" if isinstance(fact, nodes.author) else "boilerplate")
            return
        name, value = map(_words, fact.children)
        if name.lower() in _DESCRIBING:
            self.blocks.add(value)
        elif name.lower() == "title" and not self.blocks:
            self.blocks.add(value, "title")
        else:
            self.blocks.add(f"{name}: {value}", "boilerplate")

    def _take_unknown(self, message: nodes.system_message) -> None:
        """A directive of a program that docutils does not know stands as it was written."""
        for block in message.findall(nodes.literal_block):
            self.blocks.add(block.astext(), "code")


def _words(node: nodes.Node) -> str:
    """What a reader sees of a block, in one line."""
    return " ".join(_SURROGATES.sub("", "".join(_spoken(node))).split())


def _spoken(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Text):
        yield node.astext()  # which leaves the marks of escapes out
    elif isinstance(node, nodes.problematic):
        yield _ROLE.sub(r"\1", node.astext()).strip("`|_*")
    elif not isinstance(node, (*_UNSEEN, nodes.system_message)):
        for child in node.children:
            yield from _spoken(child)
