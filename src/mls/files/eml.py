"""Mails (.eml): headers, the subject as title, and the body, in which what is quoted and signed is marked."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterable, Iterator
from email.message import EmailMessage
from importlib.util import find_spec
from typing import Any

from mls.errors import MissingExtraError, MlsError
from mls.files.mail import marks_of_mail
from mls.files.marked import Blocks, Mark, MarkedText, merged

_SHOWN = ("From", "To", "Cc", "Date", "Subject")
_REPLY = re.compile(r"\A(?:\s*(?:re|aw|fwd?|wg|tr|sv|antw)\s*(?:\[\d+\])?:)+\s*", re.IGNORECASE)
_TRANSPORT = ("Received", "Message-ID", "MIME-Version", "Return-Path")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_BEGINS = re.compile(r"[ \t]*(?:[-*•–]|\(?\d{1,2}[.)])[ \t]")
_WIDTHS = range(50, 121)  # of lines that a program has wrapped
_FULL = 0.7  # of the longest line: what is shorter was ended by hand


def read(data: bytes, name: str, characters: int) -> MarkedText:
    message = email.message_from_bytes(data.lstrip(), _class=EmailMessage, policy=email.policy.default)
    headers = {key: _header(message, key) for key in _SHOWN}
    if not any(headers.values()):
        raise MlsError(f"{name} is no mail: it does not begin with headers such as From: and Subject:")
    blocks = Blocks()
    for key, value in headers.items():
        blocks.add(f"{key}: {value}" if value else "", "mail-header", "headers")
    blocks.add(_REPLY.sub("", headers["Subject"]), "title")
    _add_body(blocks, message)
    return blocks.whole("mail")


def _header(message: EmailMessage, key: str) -> str:
    """A header on one line; one that the library can't make out as it was sent."""
    try:
        value = str(message[key] or "")
    except Exception:  # it has errors of many kinds for addresses and dates that are none
        value = next((str(raw) for name, raw in message.raw_items() if name.lower() == key.lower()), "")
    return " ".join(value.split())


def _add_body(blocks: Blocks, message: EmailMessage) -> None:
    part = _body(message)
    if part is None:
        return
    text = _content(part)
    was_sent = any(key in message for key in _TRANSPORT)
    if part.get_content_type() == "text/html":
        found = _from_html(text)
        blocks.include(MarkedText(found.text, merged(_marks(found.text, was_sent), found.marks)))
        return
    width = _width(text)
    for piece, kind in _pieces(text, _marks(text, was_sent)):
        if kind is None:
            for paragraph in _PARAGRAPH.split(piece):
                blocks.add(_unwrapped(paragraph, width))
        else:
            blocks.add(piece, kind, "headers" if kind == "mail-header" else None)


def _body(message: EmailMessage) -> Any:
    """The part with the text, as plain text where it is sent as that too; attachments are no text."""
    try:
        return message.get_body(("plain", "html"))
    except (AttributeError, KeyError, TypeError, ValueError):  # parts that are not what they are said to be
        return None


def _content(part: Any) -> str:
    try:
        text = str(part.get_content())
    except (LookupError, ValueError, TypeError, AttributeError):  # a character set nobody knows
        found = part.get_payload(decode=True)
        text = found.decode("utf-8", "replace") if isinstance(found, bytes) else ""
    return text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").decode("utf-8")


def _from_html(text: str) -> MarkedText:
    if find_spec("trafilatura") is None:
        raise MissingExtraError("reading a mail that is a web page", "trafilatura", "files")
    from mls.files.html import read_all

    return read_all(text.encode("utf-8"))


def _marks(text: str, was_sent: bool) -> tuple[Mark, ...]:
    """The marks of a body; what was never sent may be several mails that somebody put one below the other."""
    of_thread = () if was_sent else marks_of_mail(text, is_thread=True)
    is_thread = any(mark.kind == "mail-header" for mark in of_thread)
    return of_thread if is_thread else marks_of_mail(text, is_body=True)


def _pieces(text: str, marks: Iterable[Mark]) -> Iterator[tuple[str, str | None]]:
    """The text cut at its marks."""
    position = 0
    for mark in marks:
        yield text[position : mark.start], None
        yield text[mark.start : mark.end], mark.kind
        position = mark.end
    yield text[position:], None


def _width(text: str) -> int:
    """How wide the lines are that a program has wrapped; 0 if it has wrapped none."""
    longest = max((len(line) for line in text.split("\n") if "://" not in line), default=0)
    return longest if longest in _WIDTHS else 0


def _unwrapped(paragraph: str, width: int) -> str:
    """A paragraph with only the line ends that its writer made."""
    joined = ""
    before = ""
    for line in paragraph.strip("\n").split("\n"):
        wrapped = bool(before) and len(before) >= _FULL * width > 0 and not _BEGINS.match(line)
        joined += (" " if wrapped else "\n") + line.strip()
        before = line.rstrip()
    return joined.strip()
