"""What data are by what they hold, where no name tells it."""

from __future__ import annotations

import codecs
import re

HEAD = 65_536  # bytes: whatever tells a kind stands there
_HTML = re.compile(
    rb"(?:<\?xml[^>]{0,200}>\s*)?(?:<!--(?:(?!-->).){0,2000}+-->\s*+)*+<(?:!doctype\s+html|html)\b", re.I | re.S
)
_EMPTY_LINE = re.compile(rb"\r?\n[ \t]*\r?\n")
_HEADER = re.compile(rb"([A-Za-z][A-Za-z0-9-]{0,60}):(?:[ \t]|$)")
_OF_MAILS = {b"date", b"to", b"subject", b"message-id", b"received", b"mime-version"}

_MARKDOWN_HEADING = re.compile(rb"^#{1,6} +\S", re.M)
_MARKDOWN_MARK = re.compile(rb"\[[^\[\]\n]++\]\((?:https?://|#|\.?/)[^()\s]{1,2000}\)|^```[\w-]*[ \t]*\r?$", re.M)
_RST_HEADING = re.compile(rb"^\S.*\r?\n(=+|-+|~+|\^+)[ \t]*\r?$", re.M)
_RST_MARK = re.compile(rb"^\.\. [\w-]+::|`[^`<\n]+<https?://[^>\s]+>`__?|^\.\. _[^:\n]+: ", re.M)

_NO_TEXT = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"RIFF", "an image, a sound or a film (RIFF)"),
    (b"OggS", "a sound or a film (Ogg)"),
    (b"\x1f\x8b", "gzip-compressed data"),
    (b"BZh91AY&SY", "bzip2-compressed data"),
    (b"\xfd7zXZ\x00", "xz-compressed data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard-compressed data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x7fELF", "a program"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Word, Excel or PowerPoint file"),
    (b"{\\rtf", "an RTF document"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"PAR1", "a Parquet file"),
)
_ARCHIVES = (
    (b"word/document.xml", "a Word document"),
    (b"xl/workbook.xml", "an Excel workbook"),
    (b"ppt/presentation.xml", "a PowerPoint presentation"),
    (b"mimetypeapplication/epub", "an EPUB book"),
    (b"mimetypeapplication/vnd.oasis", "an OpenDocument file"),
    (b"", "a ZIP archive"),
)


def kind_of_content(data: bytes) -> str | None:
    """The ending that files with such data have, or None if the data don't tell.

    >>> kind_of_content(b"%PDF-1.7 ..."), kind_of_content(b"It rained.")
    ('.pdf', None)
    """
    head = data[:HEAD].removeprefix(codecs.BOM_UTF8).lstrip()
    if head.startswith(b"%PDF-"):
        return ".pdf"
    if data.startswith(b"PK\x03\x04") and b"word/document.xml" in data:
        return ".docx"
    if re.match(rb"WEBVTT(?:\s|$)", head):
        return ".vtt"
    if _HTML.match(head):
        return ".html"
    if _is_mail(head):
        return ".eml"
    if is_markdown(head):
        return ".md"
    return ".rst" if is_rst(head) else None


def is_markdown(data: bytes) -> bool:
    """Whether data are clearly Markdown: they have headings with `#`, and links or blocks of code.

    >>> is_markdown(b"# Ferry\\n\\nSee [the times](https://ferry.example)."), is_markdown(b"# Ferry\\n\\nIt stays.")
    (True, False)
    """
    head = data[:HEAD]
    return bool(_MARKDOWN_HEADING.search(head) and _MARKDOWN_MARK.search(head))


def is_rst(head: bytes) -> bool:
    """Whether data are clearly reStructuredText: they have underlined headings, and its directives or links."""
    return bool(_RST_HEADING.search(head) and _RST_MARK.search(head))


def no_text_found(data: bytes) -> str | None:
    """What data are that hold no text to be read as it stands, in words; None where nothing speaks against it."""
    if data.startswith(b"PK\x03\x04"):
        return next(what for mark, what in _ARCHIVES if mark in data)
    return next((what for mark, what in _NO_TEXT if data.startswith(mark)), None)


def _is_mail(head: bytes) -> bool:
    """Whether data begin with the headers of a mail as servers send it, and not with those a program shows (Sent:)."""
    top = _EMPTY_LINE.split(head, maxsplit=1)[0]
    lines = [line for line in top.splitlines() if line[:1] not in (b" ", b"\t")]
    if lines and lines[0].startswith(b"From "):  # the line between the mails of a mailbox
        del lines[0]
    found = [_HEADER.match(line) for line in lines]
    names = {match[1].lower() for match in found if match}
    return all(found) and b"from" in names and b"sent" not in names and bool(names & _OF_MAILS)
