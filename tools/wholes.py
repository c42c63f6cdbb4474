"""Fit the weights by which whole summaries are liked to graded ones, and say how well they choose.

    python tools/wholes.py --data DATA --out src/mls/assets/judge/wholes.json

`tools/wholes.jsonl.xz` holds summaries of the same text and length, written in several manners: which sentences each
has, in which forms, and how readers graded it. They were language models that knew nothing of how the summaries were
made. Each gave four digits from 0 to 3 (says the most important thing, stands alone, good English and form, true) and
how gladly one would send it, from 0 to 9; what counts is that and half of the digits' sum. A weight is fitted by ridge
regression to how far a summary is above the mean of those beside it. What is printed is by cross-validation over
documents: of the manners in which a text may be written, the one that is chosen, beside the others. Where the judge of
sentences has learned from a document, its worth is told by one that has not.
"""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gains import form_of, read_graded
from judge import MARKS
from mls.analysis import Analysis
from mls.atomic import replace_file
from mls.budget import Measure
from mls.corpora.rows import json_rows
from mls.evaluation.bootstrap import estimate
from mls.files.marked import Mark
from mls.magnifier.growth import Growth
from mls.magnifier.manners import MANNERS
from mls.magnifier.wholes import features, graded_as
from mls.text import Document
from perceptrons import arguments

GRADED = Path(__file__).parent / "wholes.jsonl.xz"
RIDGE, FOLDS = 300.0, 10


@dataclass(frozen=True)
class Graded:
    """A graded summary, and what is seen of it."""

    kind: str
    document: str
    group: str  # of the same text and length
    by: tuple[str, ...]  # the manners in which it was written so
    seen: dict[str, float]
    liked: float
    acceptable: float
    untrue: float


def main() -> None:
    args = arguments(__doc__)
    graded = [one for row, read in read_graded(args.data, GRADED, as_written) for one in summaries_of(row, read)]
    kinds = sorted({one.kind for one in graded})
    found = {}
    for kind in kinds:
        own = Sample([one for one in graded if one.kind == kind])
        report(kind, own)
        found[kind] = own.weights(range(len(own.graded)))
    replace_file(args.out, lambda file: file.write(json.dumps(found, indent=1).encode() + b"\n"))


class Sample:
    """Graded summaries of one kind of text, each beside the others of its group."""

    def __init__(self, graded: Sequence[Graded]) -> None:
        groups = defaultdict(list)
        for one in graded:
            groups[one.group].append(one)
        beside = [group for group in groups.values() if len(group) > 1]
        self.graded = [one for group in beside for one in group]
        ends = np.cumsum([0, *map(len, beside)])
        self.groups = [np.arange(first, last) for first, last in pairwise(ends.tolist())]
        self.names = list(self.graded[0].seen)
        self.liked = np.array([one.liked for one in self.graded])
        self.seen = np.array([[one.seen[name] for name in self.names] for one in self.graded])
        self.scale = self.seen.std(axis=0) + 1e-6
        self.above = self._above(self.seen / self.scale)
        self.liked_above = self._above(self.liked)

    def _above(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far each is above the mean of its group."""
        above = values.copy()
        for group in self.groups:
            above[group] -= values[group].mean(axis=0)
        return above

    def weights(self, rows: Sequence[int]) -> dict[str, float]:
        """The weights that some summaries teach."""
        above, liked = self.above[rows], self.liked_above[rows]
        fitted = np.linalg.solve(above.T @ above + RIDGE * np.eye(above.shape[1]), above.T @ liked) / self.scale
        return {name: float(f"{weight:.4g}") for name, weight in zip(self.names, fitted, strict=True)}

    def by_others(self) -> NDArray[np.float64]:
        """How well each summary is liked, told by weights that have not seen its document."""
        folds = np.array([zlib.crc32(one.document.encode()) % FOLDS for one in self.graded])
        found = np.zeros(len(self.graded))
        for fold in range(FOLDS):
            weights = self.weights(np.flatnonzero(folds != fold))
            found[folds == fold] = self.seen[folds == fold] @ list(weights.values())
        return found


def as_written(row: dict, text: str) -> Document:
    """A graded text: below its title, or with what its file told of its lines."""
    text = f"{row['id']}\n\n{text}" if row.get("titled") else text
    return Document.parse(text, [Mark(*mark) for mark in marks_of_files().get(row["id"], ())])


@cache
def marks_of_files() -> dict[str, list]:
    return {row["name"]: row["marks"] for row in json_rows(MARKS) if "marks" in row}


def summaries_of(row: dict, analysis: Analysis) -> Iterator[Graded]:
    places = {(sentence.start, sentence.end): sentence.index for sentence in analysis.document.sentences}
    for length, summaries in row["lengths"].items():
        for one in summaries:
            growth = Growth(analysis, Measure("words"), sum(map(len, places)))
            for span, runs in one["forms"]:
                index = places.get(tuple(span))
                form = None if index is None else form_of(analysis, index, runs)
                if form is None:
                    break
                growth.forms[index] = form
            else:
                digits = [list(map(int, grades[:4])) for grades in one["grades"]]
                liked = [int(grades[5:]) + sum(four) / 2 for grades, four in zip(one["grades"], digits, strict=True)]
                kind, group = graded_as(analysis.document.genre), f"{row['set']} {row['id']} {length}"
                yield Graded(
                    kind, row["id"], group, tuple(one["by"]),
                    features(growth, growth), float(np.mean(liked)),
                    float(np.mean([min(four) >= 2 for four in digits])),
                    float(np.mean([four[3] < 2 for four in digits])),
                )  # fmt: skip


def report(kind: str, sample: Sample) -> None:
    """Means with 95% intervals over documents, of the summaries that are chosen of those in the manners of a kind."""
    names = [manner.name for manner in MANNERS[kind]]
    told = sample.by_others()
    written = [{name: at for at in group for name in sample.graded[at].by if name in names} for group in sample.groups]
    written = [by_name for by_name in written if len(by_name) == len(names)]
    chosen = {f"always {name}": [by_name[name] for by_name in written] for name in names}
    chosen["by the weights"] = [max(by_name.values(), key=told.__getitem__) for by_name in written]
    chosen["the best of them"] = [max(by_name.values(), key=sample.liked.__getitem__) for by_name in written]
    documents = {sample.graded[at].document for at in chosen["by the weights"]}
    print(f"\n{kind}: {len(sample.graded)} summaries; {len(written)} times all manners, {len(documents)} documents\n")
    print("| written | liked (0 to 15) | acceptable | untrue |\n|---|---|---|---|")
    for name, rows in chosen.items():
        print(f"| {name} | {' | '.join(_cell(sample, rows, field) for field in ('liked', 'acceptable', 'untrue'))} |")


def _cell(sample: Sample, rows: Sequence[int], field: str) -> str:
    by_document = defaultdict(list)
    for at in rows:
        by_document[sample.graded[at].document].append(getattr(sample.graded[at], field))
    found = estimate([float(np.mean(values)) for values in by_document.values()])
    return f"{found.mean:.3f} ({found.low:.3f} to {found.high:.3f})"


if __name__ == "__main__":
    main()
