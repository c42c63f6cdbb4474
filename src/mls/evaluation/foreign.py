"""Summaries that somebody else made, scored as ours are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mls.budget import Budget
from mls.corpora.records import Record
from mls.errors import MlsError
from mls.evaluation.cells import Cell, Scored
from mls.evaluation.experiment import CEILING, Experiment
from mls.evaluation.judged import Judged
from mls.evaluation.metrics import score
from mls.text import Document


def with_foreign(experiment: Experiment, path: Path, records: Sequence[Record]) -> Experiment:
    """The experiment with one more method, named after the file."""
    label = path.name.split(".")[0]
    if label in (*experiment.cells, CEILING):
        raise MlsError(f"{path} would be called {label}, as a method is already; rename the file")
    given = _read(path)
    cells = tuple(_cell(record, experiment.budgets, given, path) for record in records)
    return replace(experiment, cells={**experiment.cells, label: cells})


def _read(path: Path) -> dict[tuple[str, str], str]:
    """Summaries by record and budget; a row without a budget counts for every budget."""
    given: dict[tuple[str, str], str] = {}
    try:
        lines = path.read_text(encoding="utf-8").split("\n")  # a summary may hold other ends of lines
    except (OSError, UnicodeDecodeError) as error:
        raise MlsError(f"{path} can't be read ({error}); give JSON lines with id and summary") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            budget = str(Budget.parse(row["budget"])) if "budget" in row else ""
            key, text = (str(row["id"]), budget), row["summary"]
        except MlsError as error:
            raise MlsError(f"{path}:{number}: {error}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise MlsError(f"{path}:{number}: expected an object with id and summary, found {line[:60]!r}") from error
        if not isinstance(text, str):
            raise MlsError(f"{path}:{number}: summary is a {type(text).__name__}, expected a text")
        if key in given:
            raise MlsError(f"{path}:{number}: a second summary of {key[0]!r} {('at ' + budget) if budget else ''}")
        given[key] = text
    return given


def _cell(record: Record, budgets: Sequence[Budget], given: dict[tuple[str, str], str], path: Path) -> Cell:
    document = Document.parse(record.document)
    scored = []
    for budget in budgets:
        text = given.get((record.id, str(budget)), given.get((record.id, "")))
        if text is None:
            raise MlsError(f"{path} has no summary of {record.id!r} for the budget {budget}")
        length, limit = budget.measure.length(text), budget.limit(document)
        scored.append(Scored(text, score(Judged(document, record.summary, text, length, limit))))
    return Cell(record.id, tuple(scored))
