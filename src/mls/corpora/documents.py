"""Documents out of whatever holds them, one after another, always in the same order.

JSON lines and CSV (plain, `.gz`, `.xz` or `.zst`), Parquet, every kind of document that is read at all, and
folders of all these. A row that is no document is kept, with its reason; a file that breaks off is an error.
"""

from __future__ import annotations

import csv
import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, AnyStr, BinaryIO

from mls.corpora.arrow import pyarrow
from mls.corpora.records import json_object
from mls.errors import MlsError
from mls.files.guarded import read_guarded
from mls.files.kinds import FORMATTED, KINDS
from mls.files.marked import Mark
from mls.files.plain import decode
from mls.text import Document

ACCEPTED = f".jsonl or .csv, {', '.join(KINDS)} (all also .gz, .xz, .zst), .parquet, or a folder of these"
LONGEST_LINE = 64 * 1024 * 1024  # bytes; a file without line ends must not fill the memory
LONGEST = 1_000_000  # characters of a document
_PARQUET_ROWS = 64  # read at once
_MOST_BLANK = 16 * 1024 * 1024  # characters of blank lines on end; a small archive may hold them without end


@dataclass(frozen=True)
class Entry:
    """A row of the input: a text, or the problem that stands in its place."""

    number: int  # from 1, over all files
    id: str
    text: str | None
    problem: str | None = None
    marks: tuple[tuple[int, int, str], ...] = ()  # what a file tells of the text
    kind: str | None = None  # of text, where a file tells it

    def document(self) -> Document:
        assert self.text is not None
        return Document.of(Document.parse(self.text, [Mark(*mark) for mark in self.marks], self.kind))


@dataclass(frozen=True)
class Columns:
    """The names under which rows keep their id and their text."""

    id: str = "id"
    text: str = "document"


@dataclass(frozen=True)
class _Row:
    """What one row of a file says; the id may be missing."""

    id: object
    text: object
    problem: str | None = None
    marks: tuple[tuple[int, int, str], ...] = ()
    kind: str | None = None


def read_entries(
    sources: Sequence[str | Path], columns: Columns = Columns(), longest: int = LONGEST
) -> Iterator[Entry]:
    """All rows of all sources; a row without an id is called after its file and place.

    A text of more than `longest` characters is let go at once, so that it takes no memory.
    """
    number = 0
    for source in sources:
        for path, name in _files(Path(source)):
            for place, row in enumerate(_whole(path, _reader(path)(path, columns)), start=1):
                number += 1
                own_name = name if _kind(path) in KINDS else f"{name}-{place}"
                yield _entry(number, own_name, row, columns, longest)


def _entry(number: int, own_name: str, row: _Row, columns: Columns, longest: int) -> Entry:
    name = own_name if row.id is None or row.id == "" else str(row.id)
    if row.problem:
        return Entry(number, name, None, row.problem)
    if not isinstance(row.text, str):
        found = "missing" if row.text is None else f"no text, but a {type(row.text).__name__}"
        return Entry(number, name, None, f"column {columns.text!r} is {found}")
    if len(row.text) > longest:
        return Entry(number, name, None, f"it has {len(row.text):,} characters, and --longest allows {longest:,}")
    return Entry(number, name, row.text, None, row.marks, row.kind)


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
    return path.is_file() and _kind(path) in _READERS


def _kind(path: Path) -> str:
    """The suffix that tells how a file is read, whatever it is compressed with."""
    return Path(_unpacked(path.name)).suffix.lower()


def _unpacked(name: str) -> str:
    return name[: -len(Path(name).suffix)] if Path(name).suffix.lower() in _OPENERS else name


def _reader(path: Path) -> Callable[[Path, Columns], Iterator[_Row]]:
    if _kind(path) not in _READERS:
        raise MlsError(f"{path} is of no kind that can be read; give {ACCEPTED}")
    return _READERS[_kind(path)]


def _whole(path: Path, rows: Iterable[_Row]) -> Iterator[_Row]:
    """The rows of a file; one that breaks off is an error that says where."""
    read = 0
    try:
        for row in rows:
            read += 1
            yield row
    except MlsError:
        raise
    except (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error).strip().split("\n")[0]
        raise MlsError(
            f"{path} can't be read past its row {read:,} ({reason}); repair it, or leave it out of the input"
        ) from error


def _json_lines(path: Path, columns: Columns) -> Iterator[_Row]:
    with _opened(path) as stream:
        for line in _without_end_of_blanks(iter(partial(stream.readline, LONGEST_LINE), b"")):
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                _skip_line(stream)
                yield _Row(None, None, f"the line is longer than {LONGEST_LINE:,} bytes")
            elif line.strip():
                row = json_object(line, repr(columns.text))
                yield _Row(None, None, row) if isinstance(row, str) else _from_object(row, columns)


def _without_end_of_blanks(lines: Iterator[AnyStr]) -> Iterator[AnyStr]:
    """The same lines; too many blank ones on end are an error."""
    blank = 0
    for line in lines:
        blank = 0 if line.strip() else blank + len(line)
        if blank > _MOST_BLANK:
            raise ValueError(f"there are more than {_MOST_BLANK:,} characters of blank lines on end")
        yield line


def _skip_line(stream: BinaryIO) -> None:
    while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
        pass


def _from_object(row: dict[str, object], columns: Columns) -> _Row:
    if columns.text not in row:
        names = ", ".join(map(repr, list(row)[:8])) or "no column"
        return _Row(row.get(columns.id), None, f"column {columns.text!r} is missing (there is {names})")
    return _Row(row.get(columns.id), row[columns.text])


def _csv(path: Path, columns: Columns) -> Iterator[_Row]:
    """A first line with column names is expected. What is not UTF-8 spoils its row, not the file.

    Quotes are taken strictly: one that is never closed would swallow all rows after it.
    """
    before = csv.field_size_limit(LONGEST_LINE)
    try:
        with _opened(path) as stream:
            text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")
            rows = csv.DictReader(_without_end_of_blanks(_bounded(text)), strict=True)
            if columns.text not in (rows.fieldnames or ()):
                names = ", ".join(map(repr, rows.fieldnames or ())) or "nothing"
                raise MlsError(f"{path} has no column {columns.text!r}, its first line names {names}: see --text-field")
            for row in rows:
                yield _csv_row(row, columns)
    except csv.Error as error:
        raise ValueError(f"{error}; is every quote in it closed, and every quote in a field doubled?") from error
    finally:
        csv.field_size_limit(before)


def _bounded(text: io.TextIOWrapper) -> Iterator[str]:
    """The lines of a text; one without end is an error."""
    for line in iter(partial(text.readline, LONGEST_LINE + 1), ""):
        if len(line) > LONGEST_LINE:
            raise ValueError(f"a line is longer than {LONGEST_LINE:,} characters")
        yield line


def _csv_row(row: dict[str | Any, Any], columns: Columns) -> _Row:
    name = row.get(columns.id)
    if None in row:
        return _Row(name, None, "the row has more fields than the first line names")
    value = row[columns.text]
    if value is not None and any("\udc80" <= sign <= "\udcff" for sign in value):
        return _Row(name, None, f"column {columns.text!r} is not UTF-8")
    return _Row(name, value)


def _parquet(path: Path, columns: Columns) -> Iterator[_Row]:
    with pyarrow(f"reading {path}").parquet.ParquetFile(path) as file:
        names = file.schema_arrow.names
        if columns.text not in names:
            there = ", ".join(map(repr, names))
            raise MlsError(f"{path} has no column {columns.text!r}, only {there}: see --text-field")
        wanted = [name for name in (columns.id, columns.text) if name in names]
        for batch in file.iter_batches(batch_size=_PARQUET_ROWS, columns=wanted):
            for row in batch.to_pylist():
                yield _Row(row.get(columns.id), row[columns.text])


def _document(path: Path, columns: Columns) -> Iterator[_Row]:
    """A file that is one document, read as `mls summarize` reads it."""
    with _opened(path) as stream:
        data = stream.read(LONGEST_LINE + 1)
    if len(data) > LONGEST_LINE:
        yield _Row(None, None, f"the file is longer than {LONGEST_LINE:,} bytes")
        return
    name = _unpacked(path.name)
    try:
        if _kind(path) not in FORMATTED:
            yield _Row(None, decode(data, name))
            return
        found = read_guarded(name, data, sys.maxsize)
    except MlsError as error:
        yield _Row(None, None, str(error))
        return
    yield _Row(None, found.text, None, tuple((mark.start, mark.end, mark.kind) for mark in found.marks), found.kind)


_READERS: dict[str, Callable[[Path, Columns], Iterator[_Row]]] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".csv": _csv,
    ".parquet": _parquet,
    **dict.fromkeys(KINDS, _document),
}


def _opened(path: Path) -> Any:
    return _OPENERS.get(path.suffix.lower(), open)(path, "rb")


def _zstandard(path: Path, mode: str) -> Any:
    return io.BufferedReader(pyarrow(f"reading {path}").input_stream(str(path), compression="zstd"))


_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open, ".zst": _zstandard}
