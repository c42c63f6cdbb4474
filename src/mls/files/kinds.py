"""Which kinds of files can be read, and by what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePath

from mls.errors import MissingExtraError, MlsError
from mls.files.content import kind_of_content, no_text_found
from mls.files.marked import MarkedText

EXTRA = "files"


class UnknownKindError(MlsError):
    """A file of a kind that can't be read here."""


class TooLongError(MlsError):
    """A file with more text than was asked for at most."""


@dataclass(frozen=True)
class Kind:
    """A kind of file: the module that reads it, and the library that one needs."""

    module: str
    needs: str | None = None

    @property
    def is_readable(self) -> bool:
        return self.needs is None or find_spec(self.needs) is not None

    def reader(self) -> Callable[[bytes, str, int], MarkedText]:
        read: Callable[[bytes, str, int], MarkedText] = import_module(f"mls.files.{self.module}").read
        return read


_HTML = Kind("html", "trafilatura")
_MARKDOWN = Kind("markdown")
_SUBTITLES = Kind("subtitles")
KINDS: Mapping[str, Kind] = {
    ".txt": Kind("plain"),
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".rst": Kind("rst", "docutils"),
    ".html": _HTML,
    ".htm": _HTML,
    ".pdf": Kind("pdf", "pypdfium2"),
    ".docx": Kind("docx", "docx"),
    ".eml": Kind("eml"),
    ".srt": _SUBTITLES,
    ".vtt": _SUBTITLES,
}

FORMATTED = tuple(end for end, kind in KINDS.items() if kind.module != "plain")  # what is more than characters


def kind_of(name: str, data: bytes = b"") -> Kind:
    """The kind of a file, by the end of its name or, where that tells nothing, by what it holds.

    One that can't be read here is an error that says why.
    """
    end = PurePath(name).suffix.lower()
    if end not in KINDS:
        end = kind_of_content(data) or end
    if end not in KINDS:
        raise UnknownKindError(f"{_what_was_found(name, end, data)}; files that can be read are {', '.join(KINDS)}")
    kind = KINDS[end]
    if not kind.is_readable:
        assert kind.needs
        raise MissingExtraError(f"reading {end} files", kind.needs, EXTRA)
    return kind


def _what_was_found(name: str, end: str, data: bytes) -> str:
    if found := no_text_found(data):
        return f"{name!r} is {found}"
    return f"{name!r} ends in {end!r}" if end else f"{name!r} has no ending that tells its kind"


def readable_kinds() -> list[str]:
    return [end for end, kind in KINDS.items() if kind.is_readable]


def read(name: str, data: bytes, characters: int) -> MarkedText:
    """The main text of a file, of at most so many characters, with what the file tells of its parts."""
    found = kind_of(name, data).reader()(data, name, characters)
    if not found.text.strip():
        raise MlsError(f"no text was found in {name}")
    if len(found.text) > characters:
        raise TooLongError(f"{name} holds more than {characters:,} characters of text, the most that is taken")
    return found
