"""Documents out of whatever holds them, one after another, always in the same order.

Files of rows, every kind of document that is read at all, and folders of all these. A row that is no document is
kept, with its reason; a file that breaks off is an error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mls.corpora import rows
from mls.corpora.rows import READERS, Names, Row, kind_of, opened, unpacked
from mls.errors import MlsError
from mls.files.guarded import read_guarded
from mls.files.kinds import FORMATTED, KINDS
from mls.files.marked import Mark
from mls.files.plain import decode
from mls.text import Document

ACCEPTED = f".jsonl or .csv, {', '.join(KINDS)} (all also .gz, .xz, .zst), .parquet, or a folder of these"
LONGEST = 1_000_000  # characters of a document


@dataclass(frozen=True)
class Entry:
    """A row of the input: a text, or the problem that stands in its place."""

    number: int  # from 1, over all files
    id: str
    text: str | None
    problem: str | None = None
    marks: tuple[tuple[int, int, str], ...] = ()  # what a file tells of the text
    kind: str | None = None  # of text, where a file tells it
    about: str = ""  # what is asked of this text

    def document(self) -> Document:
        assert self.text is not None
        marks = [Mark(*mark) for mark in self.marks]
        return Document.of(Document.parse(self.text, marks, self.kind) if marks else self.text, self.kind)


@dataclass(frozen=True)
class Columns:
    """The names under which rows keep their id, their text and, if anything, what is asked of it."""

    id: str = "id"
    text: str = "document"
    about: str | None = None

    @property
    def names(self) -> Names:
        asked = {} if self.about is None else {self.about: "--about-field"}
        return Names({self.text: "--text-field", **asked}, (self.id,))


def read_entries(
    sources: Sequence[str | Path], columns: Columns = Columns(), longest: int = LONGEST
) -> Iterator[Entry]:
    """All rows of all sources; a row without an id is called after its file and its position in it.

    A text of more than `longest` characters is let go at once, so that it takes no memory.
    """
    number = 0
    for source in sources:
        for path, name in _files(Path(source)):
            if kind_of(path) in KINDS:
                found = iter([_document(path, Entry(0, name, None), columns)])
            else:
                found = _entries(path, name, columns)
            for entry in _whole(path, found):
                number += 1
                yield _numbered(entry, number, longest)


def _numbered(entry: Entry, number: int, longest: int) -> Entry:
    if entry.text is not None and len(entry.text) > longest:
        problem = f"it has {len(entry.text):,} characters, and --longest allows {longest:,}"
        return Entry(number, entry.id, None, problem)
    return replace(entry, number=number)


def _entries(path: Path, name: str, columns: Columns) -> Iterator[Entry]:
    """The rows of a file that holds many documents."""
    if kind_of(path) not in READERS:
        raise MlsError(f"{path} is of no kind that can be read; give {ACCEPTED}")
    for position, row in enumerate(READERS[kind_of(path)](path, columns.names), start=1):
        given = row.values.get(columns.id)
        yield _entry(f"{name}-{position}" if given is None or given == "" else str(given), row, columns)


def _entry(name: str, row: Row, columns: Columns) -> Entry:
    if row.problem:
        return Entry(0, name, None, row.problem)
    for needed in columns.names.needed:
        if needed not in row.values:
            there = ", ".join(map(repr, list(row.values)[:8])) or "no column"
            return Entry(0, name, None, f"column {needed!r} is missing (there is {there})")
    text, about = row.values[columns.text], row.values[columns.about] if columns.about else None
    if not isinstance(text, str):
        found = "missing" if text is None else f"no text, but a {type(text).__name__}"
        return Entry(0, name, None, f"column {columns.text!r} is {found}")
    if not isinstance(about, str | None):
        return Entry(0, name, None, f"column {columns.about!r} is no text, but a {type(about).__name__}")
    return Entry(0, name, text, about=(about or "").strip())


def _files(source: Path) -> list[tuple[Path, str]]:
    """The files of a source in a fixed order, and what each is called."""
    if not source.exists():
        raise MlsError(f"there is no file or folder {source}; give {ACCEPTED}")
    if not source.is_dir():
        return [(source, source.name)]
    found = [path for path in _inside(source) if _is_read(path)]
    if not found:
        raise MlsError(f"{source} holds no document; it should hold {ACCEPTED}")
    return [(path, path.relative_to(source).as_posix()) for path in found]


def left_out(sources: Iterable[str | Path]) -> list[Path]:
    """What lies in folders among the sources and is not read: files of other kinds, links to folders or to nothing."""
    folders = [Path(source) for source in sources if os.path.isdir(source)]
    return [path for folder in folders for path in _inside(folder) if not _is_read(path)]


def _inside(folder: Path) -> list[Path]:
    """All but folders, in a fixed order; a link to a folder is not followed, for it may lead in a circle."""
    return sorted(path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())


def _is_read(path: Path) -> bool:
    return path.is_file() and (kind_of(path) in READERS or kind_of(path) in KINDS)


def _whole(path: Path, entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries of a file; one that breaks off is an error that says where."""
    read = 0
    try:
        for entry in entries:
            read += 1
            yield entry
    except MlsError:
        raise
    except rows.BROKEN as error:
        reason = getattr(error, "strerror", None) or str(error).strip().split("\n")[0]
        raise MlsError(
            f"{path} can't be read past its row {read:,} ({reason}); repair it, or leave it out of the input"
        ) from error


def _document(path: Path, unread: Entry, columns: Columns) -> Entry:
    """A file that is one document, read as `mls summarize` reads it."""
    if columns.about is not None:
        raise MlsError(f"{path} is one document and has no column {columns.about!r}; ask all documents with --about")
    with opened(path) as stream:
        data = stream.read(rows.LONGEST_LINE + 1)
    if len(data) > rows.LONGEST_LINE:
        return replace(unread, problem=f"the file is longer than {rows.LONGEST_LINE:,} bytes")
    name = unpacked(path.name)
    try:
        if kind_of(path) not in FORMATTED:
            return replace(unread, text=decode(data, name))
        found = read_guarded(name, data, sys.maxsize)
    except MlsError as error:
        return replace(unread, problem=str(error))
    marks = tuple((mark.start, mark.end, mark.kind) for mark in found.marks)
    return replace(unread, text=found.text, marks=marks, kind=found.kind)
