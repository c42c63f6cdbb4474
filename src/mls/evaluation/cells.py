"""One cell of an experiment: one method on one document, written at every budget and scored."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path
from typing import Any

from mls.budget import Budget
from mls.corpora.records import Record
from mls.evaluation.judged import Judged
from mls.evaluation.meteor import wordnet_is_here
from mls.evaluation.metrics import score
from mls.evaluation.standing import nested
from mls.fingerprints import fingerprint
from mls.methods import Method, MethodSettings
from mls.summary import Summary


@dataclass(frozen=True)
class Scored:
    """A summary at one budget, and all its scores."""

    text: str
    scores: dict[str, float]


@dataclass(frozen=True)
class Cell:
    """What one method made of one document: one summary a budget."""

    record: str  # the record's id
    summaries: tuple[Scored, ...]


def make_cell(method: Method, record: Record, budgets: Sequence[Budget]) -> Cell:
    """Write and score the summaries of one document."""
    written = [judged(summary, record) for summary in method(record, budgets)]
    longer = {id(one): other for one, other in pairwise(sorted(written, key=lambda one: one.limit))}
    scores = [score(one) | ({"nested": nested(one, longer[id(one)])} if id(one) in longer else {}) for one in written]
    return Cell(record.id, tuple(Scored(one.text, found) for one, found in zip(written, scores, strict=True)))


def judged(summary: Summary, record: Record) -> Judged:
    expanded = sum(step.operation == "expand" for step in summary.steps)
    return Judged(
        summary.document,
        record.summary,
        summary.text,
        summary.length,
        summary.limit,
        generated_share(summary),
        expanded,
    )


def generated_share(summary: Summary) -> float:
    """The share of a summary's tokens that the network generated rather than copied. Paper: Fig. 4."""
    total = sum(len(summary.analysis.units[sentence.unit].sentence.tokens) for sentence in summary.sentences)
    generated = sum(
        origin.source is None
        for sentence in summary.sentences
        if sentence.reworded
        for origin in (summary.prototype.sentences[sentence.unit].origins if summary.prototype else ())
    )
    return generated / total if total else 0.0


class CellStore:
    """Cells that are done, one a line, kept as they come: an experiment can stop and go on at any time."""

    def __init__(self, folder: Path, settings: MethodSettings, budgets: Sequence[Budget]) -> None:
        facts = f"{settings.fingerprint()} {[str(budget) for budget in budgets]} {wordnet_is_here()} {program()}"
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{fingerprint(facts)}.jsonl"

    def read(self) -> dict[str, Cell]:
        """Cells by what their record holds; a line that was cut off by a kill is passed over."""
        if not self.path.exists():
            return {}
        cells = {}
        for line in self.path.read_text(encoding="utf-8").split("\n"):  # a text may hold other ends of lines
            try:
                row = json.loads(line)
            except ValueError:
                continue
            cells[row["key"]] = _cell_of(row)
        return cells

    def add(self, key: str, cell: Cell) -> None:
        rows = [{"text": one.text, "scores": _plain(one.scores)} for one in cell.summaries]
        line = json.dumps({"key": key, "record": cell.record, "summaries": rows}, ensure_ascii=False)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(("" if _ends_with_newline(self.path) else "\n") + line + "\n")


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(0, 2)
        if not file.tell():
            return True
        file.seek(-1, 2)
        return file.read() == b"\n"


def _plain(scores: dict[str, float]) -> dict[str, float | None]:
    return {name: None if math.isnan(value) else value for name, value in scores.items()}


def _cell_of(row: dict[str, Any]) -> Cell:
    return Cell(
        row["record"],
        tuple(
            Scored(one["text"], {name: math.nan if v is None else v for name, v in one["scores"].items()})
            for one in row["summaries"]
        ),
    )


def record_key(record: Record) -> str:
    """Names a record by what it holds."""
    return fingerprint(f"{record.id}\0{record.document}\0{record.summary}")


_NOT_SUMMARIZING = ("cli", "serve", "study", "batch", "training", "explain")


_LIBRARIES = ("nltk", "numpy", "onnxruntime", "rouge-score", "sentencex", "tomotopy", "vaderSentiment")


@cache
def program() -> str:
    """A fingerprint of code, libraries and shipped model: what another program made is not reused."""
    root = Path(str(resources.files("mls")))
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    ours = [path for path in files if path.relative_to(root).parts[0] not in _NOT_SUMMARIZING]
    names = [path.relative_to(root).as_posix() for path in ours]
    return fingerprint(*(_version(name) for name in _LIBRARIES), *names, *ours)


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "none"
