"""Which kinds of files can be read, and by what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePath

from mls.errors import MissingExtraError, MlsError

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

    def reader(self) -> Callable[[bytes, str, int], str]:
        read: Callable[[bytes, str, int], str] = import_module(f"mls.files.{self.module}").read
        return read


_HTML = Kind("html", "trafilatura")
_MARKDOWN = Kind("markdown")
KINDS: Mapping[str, Kind] = {
    ".txt": Kind("plain"),
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".html": _HTML,
    ".htm": _HTML,
    ".pdf": Kind("pdf", "pypdfium2"),
    ".docx": Kind("docx", "docx"),
}

FORMATTED = tuple(end for end, kind in KINDS.items() if kind.module != "plain")  # what is more than characters


def kind_of(name: str) -> Kind:
    """The kind of a file, by the end of its name; one that can't be read here is an error that says why."""
    end = PurePath(name).suffix.lower()
    if end not in KINDS:
        found = f"{name!r} ends in {end!r}" if end else f"{name!r} has no ending that tells its kind"
        raise UnknownKindError(f"{found}; files that can be read are {', '.join(KINDS)}")
    kind = KINDS[end]
    if not kind.is_readable:
        assert kind.needs
        raise MissingExtraError(f"reading {end} files", kind.needs, EXTRA)
    return kind


def readable_kinds() -> list[str]:
    return [end for end, kind in KINDS.items() if kind.is_readable]


def read(name: str, data: bytes, characters: int) -> str:
    """The main text of a file, of at most so many characters."""
    text = kind_of(name).reader()(data, name, characters)
    if not text.strip():
        raise MlsError(f"no text was found in {name}")
    if len(text) > characters:
        raise TooLongError(f"{name} holds more than {characters:,} characters of text, the most that is taken")
    return text
