"""Pairs of document and summary, read from whatever holds them.

A file of rows, a folder of JSON lines, the `.story` files of CNN/DailyMail, or a
Hugging Face data set named `hf:NAME[:SPLIT]`. A record that can't be used is handed to `report`
with its location and its reason, and passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from mls.corpora.rows import Names, rows_to_the_end
from mls.errors import MissingExtraError, MlsError


@dataclass(frozen=True)
class Record:
    """A document and, one sentence a line, the summary a person wrote for it."""

    id: str
    document: str
    summary: str
    location: str = field(default="", compare=False)  # where it was read, as file:line


@dataclass(frozen=True)
class Fields:
    """The names under which records keep their parts."""

    id: str = "id"
    document: str = "document"
    summary: str = "summary"

    @property
    def names(self) -> Names:
        return Names({self.document: "--document-field", self.summary: "--summary-field"}, (self.id,))


@dataclass(frozen=True)
class Problem:
    """A record that could not be used."""

    location: str
    reason: str

    def __str__(self) -> str:
        return f"{self.location}: {self.reason}"


ReportProblem = Callable[[Problem], None]
_JSON_LINES = ("*.jsonl", "*.jsonl.gz", "*.jsonl.xz", "*.jsonl.zst")


def read_records(source: str | Path, report: ReportProblem, fields: Fields = Fields()) -> Iterator[Record]:
    """All usable records of a file, a folder or a Hugging Face data set, in a fixed order."""
    if str(source).startswith("hf:"):
        yield from _read_hugging_face(str(source)[3:], report, fields)
        return
    for path in record_files(Path(source)):
        if path.suffix == ".story":
            yield from _read_story(path, report)
        else:
            yield from _read_rows(path, report, fields)


def record_files(source: Path) -> list[Path]:
    """The files a source consists of; a folder with `train` files means those."""
    if source.is_file():
        return [source]
    if not source.exists():
        raise MlsError(f"there is no file or folder {source}; give JSON lines, a folder of them, or hf:NAME")
    found = sorted({path for pattern in (*_JSON_LINES, "*.story") for path in source.glob(pattern)})
    training = [path for path in found if path.name.startswith("train")]
    if not found:
        raise MlsError(f"{source} holds no .jsonl (also .gz, .xz, .zst) or .story file")
    return training or [path for path in found if not path.name.startswith(("val", "test"))] or found


def _read_rows(path: Path, report: ReportProblem, fields: Fields) -> Iterator[Record]:
    for row in rows_to_the_end(path, fields.names):
        record = row.problem or _record_of(row.values, f"{path.name}-{row.number}", fields)
        if isinstance(record, Record):
            yield replace(record, location=f"{path}:{row.number}")
        else:
            report(Problem(f"{path}:{row.number}", record))


_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _record_of(row: Mapping[str, object], default_id: str, fields: Fields) -> Record | str:
    for name in (fields.document, fields.summary):
        value = row.get(name)
        if not isinstance(value, str):
            return f"field {name!r} is missing or not a text (it has {', '.join(map(repr, row)) or 'no field'})"
        if not value.strip():
            return f"field {name!r} is empty"
        if _LONE_SURROGATE.search(value):
            return f"field {name!r} holds half a character (a lone surrogate)"
    given = row.get(fields.id)
    name = default_id if given is None or given == "" else str(given)
    return Record(name, str(row[fields.document]), str(row[fields.summary]))


_HIGHLIGHT = re.compile(r"^@highlight\s*$", re.MULTILINE)


def _read_story(path: Path, report: ReportProblem) -> Iterator[Record]:
    """The CNN/DailyMail layout: the article, then an `@highlight` line before each summary sentence."""
    try:
        article, *highlights = _HIGHLIGHT.split(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        report(Problem(str(path), f"can't be read ({error})"))
        return
    summary = "\n".join(line.strip() for line in highlights if line.strip())
    document = "\n".join(line.strip() for line in article.splitlines() if line.strip())
    if document and summary:
        yield Record(path.stem, document, summary, str(path))
    else:
        report(Problem(str(path), "an article and at least one @highlight were expected"))


def _read_hugging_face(name: str, report: ReportProblem, fields: Fields) -> Iterator[Record]:
    try:
        from datasets import load_dataset
    except ImportError as error:
        raise MissingExtraError(f"reading hf:{name}", "datasets", "hf") from error
    name, _, split = name.partition(":")
    for number, row in enumerate(load_dataset(name, split=split or "train")):
        record = _record_of(row, f"{name}-{number}", fields)
        if isinstance(record, Record):
            yield record
        else:
            report(Problem(f"hf:{name}:{number}", record))


def without_duplicates(records: Iterable[Record], report: ReportProblem) -> Iterator[Record]:
    """Pass over a record whose id was seen before."""
    seen: set[str] = set()
    for record in records:
        if record.id in seen:
            report(Problem(record.location or record.id, f"an earlier record has the same id, {record.id!r}"))
        else:
            seen.add(record.id)
            yield record
