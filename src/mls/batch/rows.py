"""Rows of the output: one for each document and budget, or one that says why there is none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from mls.corpora.documents import Entry
from mls.errors import MlsError
from mls.explain.as_json import to_dict
from mls.summary import Summary

Row = dict[str, Any]
COLUMNS = (
    "id", "number", "error", "about", "budget", "unit", "limit", "length", "document_length", "summary", "notes",
    "operations", "sources", "reworded",
)  # fmt: skip
TRACE = "trace"


def row_of(entry: Entry, summary: Summary, trace: bool) -> Row:
    """A summary; `operations`, `sources` and `reworded` speak of each of its sentences in turn."""
    row = {
        "id": entry.id,
        "number": entry.number,
        "error": None,
        "about": (summary.analysis.recipe.about if summary.analysis.recipe else "") or None,
        "budget": str(summary.budget),
        "unit": summary.unit,
        "limit": summary.limit,
        "length": summary.length,
        "document_length": summary.document_length,
        "summary": summary.text,
        "notes": list(summary.notes),
        "operations": [sentence.operation for sentence in summary.sentences],
        "sources": [[asdict(span) for span in sentence.source] for sentence in summary.sentences],
        "reworded": [sentence.reworded for sentence in summary.sentences],
    }
    return row | {TRACE: to_dict(summary)} if trace else row


def error_row(entry: Entry, reason: str, trace: bool) -> Row:
    """A document that could not be summarized, and why: one row, whatever the budgets."""
    names = (*COLUMNS, TRACE) if trace else COLUMNS
    return dict.fromkeys(names) | {"id": entry.id, "number": entry.number, "error": reason}


def encode(row: Row, names: Mapping[str, str]) -> bytes:
    """A row as a line; `names` says what columns are called that are not to keep their name."""
    named = {names.get(name, name): value for name, value in row.items()}
    return json.dumps(named, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def check_names(names: Mapping[str, str]) -> None:
    """New names must be for columns that exist, and leave no two columns with the same name."""
    known = (*COLUMNS, TRACE)
    for name in names:
        if name not in known:
            raise MlsError(f"--columns: there is no column {name!r}; there are {', '.join(known)}")
    called = [names.get(name, name) for name in known]
    twice = sorted({name for name in called if called.count(name) > 1})
    if twice or not all(called):
        raise MlsError(f"--columns: {', '.join(twice) or 'an empty name'} can't be the name of a column, or of two")
