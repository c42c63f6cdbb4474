"""Web pages: the main text, without menus and advertisements. Nothing a page refers to is ever fetched."""

from __future__ import annotations

import codecs
import logging
import re
from collections.abc import Collection
from typing import Any

import lxml.etree
import lxml.html
import trafilatura

from mls.errors import MlsError
from mls.files.marked import Blocks, MarkedText

_UNSEEN = set(
    "script style template head title noscript svg iframe object select button textarea input audio video"
    " canvas".split()
)
_BESIDE = {"nav", "footer", "aside", "header"}  # what stands beside the text of a page
_BESIDE_ROLES = {"navigation", "banner", "contentinfo", "complementary", "search"}
_INLINE = set(
    "a abbr acronym b bdi bdo big cite code data del dfn em font hi i img ins kbd label mark q ref rp rt ruby s samp"
    " small span strike strong sub sup time tt u var wbr".split()
)
_KINDS = {"li": "list-item", "dt": "list-item", "dd": "list-item", "figcaption": "caption", "caption": "caption"} | {
    f"h{level}": "heading" for level in range(1, 7)
}
_LISTS = {"ul", "ol", "dl"}
_OWN_NAMES = {"list": "ul", "item": "li", "row": "tr", "cell": "td", "quote": "blockquote", "lb": "br"}  # trafilatura's
_CITING = re.compile(r"\b(?:gmail_quote|moz-cite-prefix|yahoo_quoted|protonmail_quote)\b")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_BETWEEN_NAMES = re.compile(r"\s+[|–—·»-]\s+|\s*[|»]\s*")  # of a page and its site
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # what XML can't hold
_WHITE_SPACE = re.compile(r"\s+")
_AROUND_BREAKS = re.compile(r" ?\n ?")


def read(data: bytes, name: str, characters: int) -> MarkedText:
    """The main content; of a page that has none that can be told apart, all the text there is."""
    if b"\x00" in data and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise MlsError(f"{name} is no web page: it holds NUL bytes, as programs and images do")
    page = _parsed(data)
    if page is None:
        return MarkedText("")
    title = _title(page)
    captions = frozenset(_flat(caption) for caption in page.iter("figcaption"))
    main = _main_content(page)
    page = _parsed(data)  # trafilatura changes what it reads
    if main is not None and not _has_lost_its_blocks(main, page):
        return _in_blocks(main, title, captions=captions)
    return next(filter(_has_text, (_in_blocks(page, title), _in_blocks(page, title, beside=True))), MarkedText(""))


def _has_lost_its_blocks(main: Any, page: Any) -> bool:
    """Whether trafilatura made one paragraph of several blocks, as it does with small pages."""
    if len(main) != 1:
        return False
    whole = _in_blocks(page, "", beside=True).text
    return _flat(main) not in (" ".join(block.split()) for block in whole.split("\n\n"))


def read_all(data: bytes) -> MarkedText:
    """All the text of a page that is no web page, such as a mail; what it cites is marked as quoted."""
    page = _parsed(data)
    return MarkedText("") if page is None else _in_blocks(page, "", beside=True, cites=True)


def _has_text(found: MarkedText) -> bool:
    """Whether there is more than a title."""
    return bool(found.text) and not (len(found.marks) == 1 and found.marks[0].end == len(found.text))


def _parsed(data: bytes) -> Any:
    """The tree of a page, or None if there is nothing in it. What can be UTF-8 is, whatever the page says."""
    source: str | bytes
    try:
        source = _DECLARATION.sub("", data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        source = data
    try:
        return lxml.html.document_fromstring(
            source, parser=lxml.html.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=True)
        )
    except lxml.etree.LxmlError:
        return None


def _main_content(page: Any) -> Any:
    """What trafilatura takes for the text of the page, under the names that HTML has for its parts."""
    listings = set()
    for pre in list(page.iter("pre")):  # it would take it for a quotation
        code = lxml.html.Element("code")
        code.text = _CONTROLS.sub("", pre.text_content())
        listings.add(" ".join(code.text.split()))
        pre[:] = [code]
        pre.text = None
    for caption in list(page.iter("figcaption")):  # it would leave it out with its picture
        paragraph = lxml.html.Element("p")
        paragraph.text = _CONTROLS.sub("", _flat(caption))
        caption.getparent().addnext(paragraph)
        caption.drop_tree()
    found = _extracted(page)
    if not found:
        return None
    parser = lxml.etree.XMLParser(resolve_entities=False, recover=True, huge_tree=True)
    main = lxml.etree.fromstring(found.encode("utf-8", "replace"), parser).find("main")
    for element in () if main is None else main.iter("head", "code", *_OWN_NAMES):
        element.tag = _name(element, listings)
    return main


def _extracted(page: Any) -> str | None:
    logging.disable(logging.CRITICAL)  # what it can't parse is told by what it finds
    try:
        return trafilatura.extract(
            page, output_format="xml", include_comments=False, include_tables=True, favor_recall=True
        )
    except (ValueError, SyntaxError, lxml.etree.LxmlError):
        return None


def _name(element: Any, listings: Collection[str]) -> str:
    if element.tag == "head":
        return str(element.get("rend") or "h2")
    if element.tag == "code":  # some was a listing of its own, some stood within a sentence
        ends = not (element.tail or "").strip()
        return "pre" if ends and " ".join("".join(element.itertext()).split()) in listings else "code"
    return _OWN_NAMES[element.tag]


def _title(page: Any) -> str:
    """The heading of the first rank that names the page; the page's own name where it has none."""
    named = _flat(page.find(".//title"))
    headings = [heading for heading in page.iter("h1") if _flat(heading)]
    in_text = [heading for heading in headings if not _stands_beside(heading)]
    in_article = [heading for heading in in_text if next(heading.iterancestors("article", "main"), None) is not None]
    in_name = [heading for heading in headings if _flat(heading).casefold() in named.casefold()]
    for heading in (*in_article, *in_name, *in_text, *headings):
        return _flat(heading)
    return max(_BETWEEN_NAMES.split(named), key=len)


def _stands_beside(element: Any) -> bool:
    return next(element.iterancestors(*_BESIDE), None) is not None


def _flat(element: Any) -> str:
    """All the words of an element on one line."""
    if element is None:
        return ""
    blocks = Blocks()
    _Walk(blocks, beside=True).take(element)
    return " ".join(blocks.whole().text.split())


def _in_blocks(
    tree: Any, title: str, beside: bool = False, cites: bool = False, captions: frozenset[str] = frozenset()
) -> MarkedText:
    blocks = Blocks()
    blocks.add(title, "title")
    _Walk(blocks, beside, cites, title, captions).take(tree)
    return blocks.whole()


class _Walk:
    """Goes over a tree and hands its blocks on, each with its kind."""

    def __init__(
        self,
        blocks: Blocks,
        beside: bool,
        cites: bool = False,
        title: str = "",
        captions: frozenset[str] = frozenset(),  # texts that are captions wherever they stand
    ) -> None:
        self._blocks = blocks
        self._beside = beside  # whether what stands beside the text is taken too
        self._cites = cites
        self._title = title.casefold()
        self._captions = captions
        self._words: list[str] = []
        self._run = 0  # the list or table that is being read
        self._depth = 0  # of lists

    def take(self, element: Any, kind: str | None = None) -> None:
        self._take_inside(element, kind)
        self._end_block(kind)

    def _take_inside(self, element: Any, kind: str | None) -> None:
        self._add(element.text)
        for child in element:
            if isinstance(child.tag, str) and not self._is_left_out(child):
                self._take_child(child, kind)
            self._add(child.tail)

    def _take_child(self, child: Any, kind: str | None) -> None:
        if child.tag == "br":
            self._words.append("\n")
        elif child.tag in _INLINE:
            self._take_inside(child, kind)
        else:
            self._end_block(kind)
            self._take_block(child, kind)

    def _take_block(self, block: Any, kind: str | None) -> None:
        if block.tag == "pre":
            self._blocks.add("".join(block.itertext()), "code")
        elif block.tag == "table" and not _is_for_layout(block):
            self._take_rows(block)
        elif kind == "quoted" or (self._cites and _is_cited(block)):
            self.take(block, "quoted")
        else:
            is_list = block.tag in _LISTS
            self._run += is_list and self._depth == 0
            self._depth += is_list
            self.take(block, _KINDS.get(block.tag, kind))
            self._depth -= is_list

    def _take_rows(self, table: Any) -> None:
        self._run += 1
        for caption in table.iter("caption"):
            self._blocks.add(_flat(caption), "caption")
        for row in table.iter("tr"):
            cells = (_flat(cell) for cell in row if cell.tag in ("td", "th"))
            self._blocks.add("; ".join(filter(None, cells)), "table-row", self._run)

    def _add(self, text: str | None) -> None:
        if text:
            self._words.append(_WHITE_SPACE.sub(" ", text))

    def _end_block(self, kind: str | None) -> None:
        text = _AROUND_BREAKS.sub("\n", re.sub(" +", " ", "".join(self._words))).strip()
        self._words.clear()
        if text in self._captions:
            kind = "caption"
        if kind == "heading" and text.casefold() == self._title:
            self._title = ""  # it has been told
        else:
            self._blocks.add(text, kind, self._run if kind == "list-item" else None)

    def _is_left_out(self, element: Any) -> bool:
        if element.tag in _UNSEEN or _HIDDEN.search(element.get("style") or ""):
            return True
        if self._beside:
            return False
        if element.tag == "header":  # that of an article belongs to it
            return next(element.iterancestors("article", "main"), None) is None
        return element.tag in _BESIDE or element.get("role") in _BESIDE_ROLES


def _is_cited(block: Any) -> bool:
    return block.tag == "blockquote" or bool(_CITING.search(block.get("class") or ""))


def _is_for_layout(table: Any) -> bool:
    """Whether a table only puts things beside one another, as those of mails do."""
    if (
        table.get("role") in ("presentation", "none")
        or next(table.iterdescendants("table", "h1", "h2"), None) is not None
    ):
        return True
    cells = [sum(cell.tag in ("td", "th") for cell in row) for row in table.iter("tr")]
    return max(cells, default=0) < 2
