"""The rows of one file, whatever it is: JSON lines, CSV (plain, `.gz`, `.xz` or `.zst`) or Parquet.

All that reads many documents reads them here. A row that is spoilt is given with its reason; a file that breaks off
raises one of `BROKEN`. Nothing without end fills the memory: neither a line nor a run of empty ones.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, AnyStr, BinaryIO

from mls.corpora.arrow import pyarrow
from mls.errors import MlsError

LONGEST_LINE = 64 * 1024 * 1024  # bytes; a file without line ends must not fill the memory
BROKEN = (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error, csv.Error)
_MOST_WHITESPACE = 16 * 1024 * 1024  # characters of empty lines on end; a small archive may hold them without end
_PARQUET_ROWS = 64  # read at once


@dataclass(frozen=True)
class Row:
    """A row by the names of its columns, and what is wrong with it, if anything is."""

    number: int  # of its line where lines are rows, else of the row; from 1
    values: Mapping[str, object] = field(default_factory=dict)
    problem: str | None = None


@dataclass(frozen=True)
class Names:
    """Which columns are read: those that a file must have, each with the option that names it, and others."""

    needed: Mapping[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()

    def check(self, path: Path, found: Sequence[str]) -> None:
        """An error for a file without a column that is needed."""
        for name, option in self.needed.items():
            if name not in found:
                there = ", ".join(map(repr, found)) or "nothing"
                raise MlsError(f"{path} has no column {name!r}, only {there}: see {option}")


Reader = Callable[[Path, Names], Iterator[Row]]


def kind_of(path: Path) -> str:
    """The suffix that tells how a file is read, whatever it is compressed with."""
    return Path(unpacked(path.name)).suffix.lower()


def unpacked(name: str) -> str:
    return name[: -len(Path(name).suffix)] if Path(name).suffix.lower() in _OPENERS else name


def opened(path: Path) -> Any:
    """The bytes of a file, unpacked."""
    return _OPENERS.get(path.suffix.lower(), open)(path, "rb")


def _zstandard(path: Path, mode: str) -> Any:
    return io.BufferedReader(pyarrow(f"reading {path}").input_stream(str(path), compression="zstd"))


_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open, ".zst": _zstandard}


def rows_to_the_end(path: Path, names: Names = Names()) -> Iterator[Row]:
    """All rows of a file; where it breaks off, a last one says so. What is no CSV and no Parquet is JSON lines."""
    number = 0
    try:
        for row in READERS.get(kind_of(path), json_lines)(path, names):
            number = row.number
            yield row
    except MlsError:
        raise
    except BROKEN as error:
        yield Row(number + 1, problem=f"the rest of the file can't be read ({error})")


def json_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines that should hold nothing else."""
    for row in rows_to_the_end(path):
        if row.problem:
            raise MlsError(f"{path}:{row.number}: {row.problem}")
        yield dict(row.values)


def json_lines(path: Path, names: Names = Names()) -> Iterator[Row]:
    with opened(path) as stream:
        lines = _without_endless_whitespace(iter(partial(stream.readline, LONGEST_LINE), b""))
        for number, line in enumerate(lines, start=1):
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                _skip_line(stream)
                yield Row(number, problem=f"the line is longer than {LONGEST_LINE:,} bytes")
            elif line.strip():
                found = _json_object(line, " and ".join(map(repr, names.needed)) or "named fields")
                yield Row(number, problem=found) if isinstance(found, str) else Row(number, found)


def _json_object(line: bytes, expected: str) -> dict[str, object] | str:
    """The object on a line of JSON lines, or the reason why there is none."""
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return f"not UTF-8 ({error.reason} at byte {error.start})"
    except (ValueError, RecursionError) as error:
        return f"not JSON ({error})"
    return row if isinstance(row, dict) else f"found a {type(row).__name__}, expected an object with {expected}"


def _without_endless_whitespace(lines: Iterator[AnyStr]) -> Iterator[AnyStr]:
    """The same lines; too many empty ones on end are an error."""
    whitespace = 0
    for line in lines:
        whitespace = 0 if line.strip() else whitespace + len(line)
        if whitespace > _MOST_WHITESPACE:
            raise ValueError(f"there are more than {_MOST_WHITESPACE:,} characters of empty lines on end")
        yield line


def _skip_line(stream: BinaryIO) -> None:
    while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
        pass


def _csv(path: Path, names: Names) -> Iterator[Row]:
    """A first line with column names is expected. What is not UTF-8 spoils its row, not the file.

    Quotes are taken strictly: one that is never closed would swallow all rows after it.
    """
    before = csv.field_size_limit(LONGEST_LINE)
    try:
        with opened(path) as stream:
            text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")
            rows = csv.DictReader(_without_endless_whitespace(_bounded(text)), strict=True)
            names.check(path, rows.fieldnames or ())
            for number, row in enumerate(rows, start=1):
                yield Row(number, row, _spoilt(row, names))
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


def _spoilt(row: dict[str | Any, Any], names: Names) -> str | None:
    if None in row:
        return "the row has more fields than the first line names"
    for name in names.needed:
        if any("\udc80" <= character <= "\udcff" for character in row[name] or ""):
            return f"column {name!r} is not UTF-8"
    return None


def _parquet(path: Path, names: Names) -> Iterator[Row]:
    with pyarrow(f"reading {path}").parquet.ParquetFile(path) as file:
        found = file.schema_arrow.names
        names.check(path, found)
        wanted = [name for name in (*names.others, *names.needed) if name in found]
        batches = file.iter_batches(batch_size=_PARQUET_ROWS, columns=wanted)
        for number, values in enumerate((values for batch in batches for values in batch.to_pylist()), start=1):
            yield Row(number, values)


READERS: dict[str, Reader] = {".jsonl": json_lines, ".ndjson": json_lines, ".csv": _csv, ".parquet": _parquet}
