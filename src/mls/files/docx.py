"""Word documents (.docx): paragraphs, lists and tables in their order, each with its kind; notes at the end.

The library opens the package and knows the styles. The words are taken from the XML, for it leaves out what was
inserted under review, what stands in forms and text boxes, and all the notes.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

import docx
import lxml.etree
from docx.document import Document
from docx.oxml.ns import qn

from mls.errors import MlsError
from mls.files.marked import Blocks, MarkedText, could_be_heading

_MOST_UNPACKED = 200 * 2**20
_MOST_EXPANDED = 10**7  # characters that entities may stand for
_MOST_STEPS = 20  # from a style to the one it is made after
_STYLES = (  # with what the names of styles begin, which Word keeps in English, and what they tell
    ("title", "title"),
    ("heading", "heading"),
    ("subtitle", "heading"),
    ("toc", "boilerplate"),
    ("table of figures", "boilerplate"),
    ("list paragraph", None),  # whether it is one of a list its numbering tells
    ("list", "list-item"),
    ("caption", "caption"),
    ("bibliography", "reference"),
    ("author", "byline"),
    ("footnote text", "footnote"),
    ("endnote text", "footnote"),
    ("html preformatted", "code"),
    ("source code", "code"),
    ("code", "code"),
    ("macro", "code"),
)
_NOTES = {"/footnotes": qn("w:footnote"), "/endnotes": qn("w:endnote")}
_P, _TABLE, _ROW, _CELL = qn("w:p"), qn("w:tbl"), qn("w:tr"), qn("w:tc")
_PROPERTIES, _VALUE, _TEXT_BOX = qn("w:pPr"), qn("w:val"), qn("w:txbxContent")
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"  # says the same for old programs
_TEXTS = {qn("w:t"), qn("m:t")}
_SPOKEN = {qn("w:tab"): " ", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-", qn("w:ptab"): " "}
_UNSPOKEN = {qn("w:del"), qn("w:moveFrom"), _PROPERTIES, qn("w:rPr"), _TEXT_BOX, qn("w:instrText"), _FALLBACK}
_WRAPPERS = {qn("w:sdt"), qn("w:sdtContent"), qn("w:ins"), qn("w:moveTo"), qn("w:customXml"), qn("w:smartTag")}


# The libraries have errors of many kinds for archives and XML that are not what they should be.
_DAMAGES = (
    ValueError,
    LookupError,
    AttributeError,
    TypeError,
    SyntaxError,
    RuntimeError,
    OSError,
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
)


def read(data: bytes, name: str, characters: int) -> MarkedText:
    _check_size(data, name)
    try:
        document = docx.Document(io.BytesIO(data))
        _write_out_entities(document.element, name)
        return _Reading(document).whole(name)
    except _DAMAGES as error:
        raise MlsError(f"{name} is no Word document, or a damaged one ({_one_line(error)})") from error


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _check_size(data: bytes, name: str) -> None:
    """A small archive may unpack to more than any memory holds. It is taken at its word: no more is read."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except _DAMAGES as error:
        raise MlsError(f"{name} is no Word document, or a damaged one ({_one_line(error)})") from error
    if unpacked > _MOST_UNPACKED:
        raise MlsError(f"{name} would unpack to {unpacked:,} bytes, which no honest document does")


def _write_out_entities(root: Any, name: str) -> None:
    """Put in place of each entity the plain text that the document itself declares for it.

    The parser leaves entities as nodes of their own, for they can be made to grow without end; a text that is
    asked for stops at such a node. Entities that hold others, or come from elsewhere, are an error.
    """
    found = list(root.iter(lxml.etree.Entity))
    if not found:
        return
    declared = {entity.name: entity.content for entity in root.getroottree().docinfo.internalDTD.iterentities()}
    length = 0
    for entity in found:
        meant = declared.get(entity.name)
        length += len(meant or "")
        if meant is None or "&" in meant or "<" in meant or length > _MOST_EXPANDED:
            raise MlsError(
                f"{name} holds the XML entity {entity.name!r}, which is no plain text; save it again in Word"
            )
        _replace(entity, meant + (entity.tail or ""))


def _replace(node: Any, text: str) -> None:
    before, parent = node.getprevious(), node.getparent()
    node.tail = None
    parent.remove(node)
    if before is None:
        parent.text = (parent.text or "") + text
    else:
        before.tail = (before.tail or "") + text


class _Reading:
    """Goes over the body of a document, then over its notes."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._blocks = Blocks()
        self._tables = 0
        self._styles = {style.style_id: _style_kind(style) for style in document.styles}
        used = {_style_of(paragraph) for paragraph in document.element.iter(_P)}
        self._awaits_title = not any(self._styles.get(style) == "title" for style in used)

    def whole(self, name: str) -> MarkedText:
        self._take(self._document.element.body)
        for note in _notes(self._document, name):
            self._blocks.add(_all_words(note), "footnote")
        return self._blocks.whole()

    def _take(self, parent: Any) -> None:
        for child in parent:
            if child.tag == _P:
                self._take_paragraph(child)
            elif child.tag == _TABLE:
                self._take_table(child)
            elif child.tag in _WRAPPERS:
                self._take(child)

    def _take_paragraph(self, paragraph: Any) -> None:
        text = _words(paragraph)
        kind = self._kind(paragraph, text)
        self._blocks.add(text, kind, "list" if kind == "list-item" else None)
        for box in paragraph.iter(_TEXT_BOX):
            if next(box.iterancestors(_FALLBACK), None) is None:
                self._take(box)

    def _kind(self, paragraph: Any, text: str) -> str | None:
        properties = paragraph.find(_PROPERTIES)
        kind = self._styles.get(_style_of(paragraph)) or _told_by(properties)
        if kind is None and could_be_heading(text) and _is_bold_throughout(paragraph):
            kind = "heading"
        if kind == "heading" and self._awaits_title and not self._blocks:
            return "title"
        return kind

    def _take_table(self, table: Any) -> None:
        """The rows of a table; one of a single column is a frame around what it holds."""
        rows = [_cells(row) for row in _unwrapped(table, _ROW)]
        if max(map(len, rows), default=0) < 2:
            for cells in rows:
                for cell in cells:
                    self._take(cell)
            return
        self._tables += 1
        for cells in rows:
            self._blocks.add("; ".join(filter(None, map(_all_words, cells))), "table-row", self._tables)


def _style_of(paragraph: Any) -> str | None:
    style = paragraph.find(f"{_PROPERTIES}/{qn('w:pStyle')}")
    return None if style is None else style.get(_VALUE)


def _style_kind(style: Any) -> str | None:
    """What a style, or one that it is made after, tells of its paragraphs."""
    for _ in range(_MOST_STEPS):
        name = (style.name or "").lower()
        for known, kind in _STYLES:
            if name == known or name.startswith(f"{known} "):
                return kind
        if told := _told_by(style.element.find(_PROPERTIES)):
            return told
        style = getattr(style, "base_style", None)
        if style is None:
            break
    return None


def _told_by(properties: Any) -> str | None:
    """What the properties of a paragraph or style tell: that it is numbered, or that outlines show it."""
    if properties is None:
        return None
    level = properties.find(qn("w:outlineLvl"))
    if level is not None and level.get(_VALUE) != "9":  # that of body text
        return "heading"
    number = properties.find(f"{qn('w:numPr')}/{qn('w:numId')}")
    return None if number is None or number.get(_VALUE) == "0" else "list-item"


def _is_bold_throughout(paragraph: Any) -> bool:
    runs = [run for run in paragraph.iter(qn("w:r")) if _words(run).strip()]
    bold = (run.find(f"{qn('w:rPr')}/{qn('w:b')}") for run in runs)
    return bool(runs) and all(mark is not None and mark.get(_VALUE, "1") not in ("0", "false") for mark in bold)


def _words(element: Any) -> str:
    return "".join(_pieces(element)).strip()


def _pieces(element: Any) -> Iterator[str]:
    for child in element:
        if child.tag in _TEXTS:
            yield child.text or ""
        elif child.tag == qn("w:br") and child.get(qn("w:type")):  # of a page or a column
            yield " "
        elif child.tag in _SPOKEN:
            yield _SPOKEN[child.tag]
        elif child.tag not in _UNSPOKEN:
            yield from _pieces(child)


def _all_words(element: Any) -> str:
    """The words of all paragraphs in an element, on one line."""
    paragraphs = (part for part in element.iter(_P) if next(part.iterancestors(_FALLBACK), None) is None)
    return " ".join(" ".join(_words(paragraph) for paragraph in paragraphs).split())


def _cells(row: Any) -> list[Any]:
    """The cells of a row; one that only goes on from the row above is not told again."""
    return [cell for cell in _unwrapped(row, _CELL) if not _goes_on(cell)]


def _goes_on(cell: Any) -> bool:
    merged = cell.find(f"{qn('w:tcPr')}/{qn('w:vMerge')}")
    return merged is not None and merged.get(_VALUE, "continue") == "continue"


def _unwrapped(parent: Any, tag: str) -> Iterator[Any]:
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS:
            yield from _unwrapped(child, tag)


def _notes(document: Document, name: str) -> Iterator[Any]:
    """Footnotes, then endnotes, of which the library knows nothing but the bytes."""
    parser = lxml.etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    for kind, tag in _NOTES.items():
        for relation in document.part.rels.values():
            if relation.reltype.endswith(kind) and not relation.is_external:
                root = lxml.etree.fromstring(relation.target_part.blob, parser)
                _write_out_entities(root, name)
                yield from (note for note in root.iter(tag) if note.get(qn("w:type"), "normal") == "normal")
