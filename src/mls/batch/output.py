"""The finished output: all parts in order, as JSON lines or as Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from mls.batch.parts import Parts
from mls.batch.rows import COLUMNS, TRACE
from mls.corpora.arrow import pyarrow
from mls.errors import MlsError

_PARTS_AT_ONCE = 128  # in one row group of a Parquet file


def check_output(path: Path) -> None:
    """An error before the work for what could not be written after it."""
    if path.suffix not in (".jsonl", ".ndjson", ".parquet"):
        raise MlsError(f"--output {path} should end in .jsonl or .parquet")
    if path.suffix == ".parquet":
        pyarrow("Parquet")
    if path.is_dir():
        raise MlsError(f"--output {path} is a folder; give a file")


@dataclass
class Failures:
    """How many documents failed, and why the first did."""

    count: int = 0
    first: str = ""

    def see(self, reason: str | None) -> None:
        if reason is not None:
            self.first = self.first or reason
            self.count += 1


def join(parts: Parts, count: int, names: Mapping[str, str], trace: bool) -> Failures:
    """Write the rows of `count` shards in order."""
    error = names.get("error", "error")
    failures = Failures()

    def rows() -> Iterator[list[bytes]]:
        for lines in parts.lines(count):
            for line in lines:
                failures.see(json.loads(line)[error])
            yield lines

    def write(file: BinaryIO) -> None:
        if parts.output.suffix == ".parquet":
            _write_parquet(file, rows(), names, trace)
        else:
            for lines in rows():
                file.writelines(lines)

    parts.join(write)
    return failures


def _write_parquet(file: BinaryIO, rows: Iterator[list[bytes]], names: Mapping[str, str], trace: bool) -> None:
    arrow = pyarrow("Parquet")
    schema = _schema(names, trace)
    traced = names.get(TRACE, TRACE)
    with arrow.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while some := list(islice(rows, _PARTS_AT_ONCE)):
            values = [_row(line, traced) for lines in some for line in lines]
            writer.write_table(arrow.Table.from_pylist(values, schema))


def _row(line: bytes, traced: str) -> dict[str, Any]:
    """A row whose trace is a text again at once: as objects it takes fifty times the memory."""
    row: dict[str, Any] = json.loads(line)
    if row.get(traced) is not None:
        row[traced] = json.dumps(row[traced], ensure_ascii=False)
    return row


def _schema(names: Mapping[str, str], trace: bool) -> Any:
    arrow = pyarrow("Parquet")
    text, whole = arrow.string(), arrow.int64()
    span = arrow.struct([("sentence", whole), ("start", whole), ("end", whole)])
    kinds = dict.fromkeys((*COLUMNS, TRACE), text) | {
        "number": whole,
        "limit": whole,
        "length": whole,
        "document_length": whole,
        "notes": arrow.list_(text),
        "operations": arrow.list_(text),
        "sources": arrow.list_(arrow.list_(span)),
        "reworded": arrow.list_(arrow.bool_()),
    }
    wanted = (*COLUMNS, TRACE) if trace else COLUMNS
    return arrow.schema([(names.get(name, name), kinds[name]) for name in wanted])
