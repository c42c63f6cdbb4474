"""Plain text, as UTF-8; or Markdown or reStructuredText by another name."""

from __future__ import annotations

from importlib.util import find_spec

from mls.errors import MlsError
from mls.files.content import HEAD, is_markdown, is_rst, no_text_found
from mls.files.marked import MarkedText


def decode(data: bytes, name: str) -> str:
    if found := no_text_found(data):
        raise MlsError(f"{name} is {found}, which holds no text that can be read here; give a text or a document")
    if b"\x00" in data[:8192]:
        raise MlsError(
            f"{name} is no UTF-8 text: it holds NUL bytes (a binary file, or UTF-16: try iconv -f utf-16 -t utf-8)"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = f"byte 0x{data[error.start]:02x} at offset {error.start}"
        raise MlsError(
            f"{name} is not UTF-8 text ({found}); convert it first, for example with iconv -f latin1 -t utf-8"
        ) from error
    if not text.strip():
        raise MlsError(f"{name} is empty; give a file with some text in it")
    return text


def read(data: bytes, name: str, characters: int) -> MarkedText:
    return as_written(decode(data, name))


def as_written(text: str) -> MarkedText:
    """A text as it is; one that is clearly Markdown or reStructuredText is read as that, if it can be."""
    head = text[:HEAD].encode("utf-8", "ignore")
    try:
        if is_markdown(head):
            from mls.files import markdown

            found = markdown.marked(text)
        elif is_rst(head) and find_spec("docutils"):
            from mls.files import rst

            found = rst.marked(text)
        else:
            return MarkedText(text)
    except Exception:
        # The libraries have errors of many kinds for what only looks like their markup; it is still a text.
        return MarkedText(text)
    return found if found.text.strip() else MarkedText(text)
