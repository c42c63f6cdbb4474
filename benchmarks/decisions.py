"""What each decision that departs from the paper is worth, on validation documents: mean ROUGE-1 at five budgets.

    python benchmarks/decisions.py --data DATA/cnndm/val.jsonl.xz --limit 200

Every row changes one thing of the shipped default. Differences are paired by document, over all budgets,
with 95% bootstrap intervals. A + or - at a figure: ahead of the first row, or behind it, at that budget by an interval
that leaves out zero.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any

import numpy as np

from mls.baselines.floor import lead
from mls.baselines.oracle import f1
from mls.budget import Budget
from mls.corpora.records import Record, read_records
from mls.evaluation.bootstrap import compare
from mls.evaluation.tuning import stems
from mls.methods import Levels
from mls.model import Model, shipped_model
from mls.prototype.base import Prototype, PrototypeGenerator
from mls.recipe import PRESETS
from mls.summarizer import Summarizer
from mls.text import Document

BUDGETS = [Budget.parse(share) for share in ("1/32", "1/16", "1/8", "1/4", "1/2")]


class Remembered:
    """The shipped network's prototypes, each made once for all rows."""

    name = "pg-network"

    def __init__(self) -> None:
        self.generate = shipped_model().prototype()
        self.known: dict[str, Prototype] = {}

    def __call__(self, document: Document) -> Prototype:
        if document.text not in self.known:
            self.known[document.text] = self.generate(document)
        return self.known[document.text]


class NoPrototype:
    name = "none"

    def __call__(self, document: Document) -> Prototype:
        return Prototype(self.name, ())


@dataclass(frozen=True)
class Text:
    text: str


class DraftOfThatLength:
    """What the network writes when it must fill the budget by itself, unchecked; no summary of MLS."""

    def __init__(self, model: Model) -> None:
        self.generate = replace(model.prototype(), later=0.0)

    def levels(self, text: str, budgets: Iterable[Budget]) -> list[Text]:
        document = Document.of(text)
        return [Text(self._draft(document, budget.limit(document))) for budget in budgets]

    def _draft(self, document: Document, limit: int) -> str:
        search = replace(self.generate.search, shortest=int(0.8 * limit), longest=limit)
        return replace(self.generate, search=search)(document).text


def summarizer(prototype: PrototypeGenerator, preset: str = "default", **changes: Any) -> Summarizer:
    return Summarizer(replace(PRESETS[preset], prototype=prototype, **changes))


def rows() -> dict[str, Callable[[], Levels]]:
    remembered = cache(Remembered)
    return {
        "the shipped default": Summarizer,
        "whole sentences only": lambda: Summarizer({"wording": "source"}),
        "topics and keywords weigh 0.1 each": lambda: Summarizer(
            PRESETS["default"].weighing({"topics": 0.1, "keywords": 0.1})
        ),
        "no prototype at all": lambda: summarizer(NoPrototype()),
        "a greedy prototype": lambda: Summarizer({"prototype": "greedy"}),
        "a prototype by the network, checked": lambda: summarizer(remembered()),
        "the same, the prototype first, as in the paper": lambda: summarizer(remembered(), order="prototype"),
        "the network taken at its word": lambda: summarizer(remembered(), wording="draft"),
        "the same, the prototype first: all as in the paper but the heads": lambda: summarizer(
            remembered(), order="prototype", wording="draft"
        ),
        "the network's own words, as few as the budget wants": lambda: Summarizer(
            {"wording": "network", "prototype": "pg-network"}
        ),
        "the network alone at that length, unchecked": lambda: DraftOfThatLength(shipped_model()),
        "lead": lead,
    }


def scores(method: Levels, records: list[Record]) -> np.ndarray:
    """(documents, budgets) ROUGE-1."""
    found = []
    for record in records:
        reference = stems(record.summary)
        summaries = method.levels(record.document, BUDGETS)
        found.append([f1(stems(summary.text), reference) for summary in summaries])
    return np.array(found)


def report(methods: dict[str, Callable[[], Levels]], records: list[Record]) -> None:
    """A Markdown table: a row a method, beside the first of them."""
    print(f"{len(records)} documents\n")
    print("| | " + " | ".join(map(str, BUDGETS)) + " | mean | beside the first row |")
    print("|---" * (len(BUDGETS) + 3) + "|")
    first = None
    for name, build in methods.items():
        found = scores(build(), records)
        first = found if first is None else first
        beside = compare(found.mean(axis=1).tolist(), first.mean(axis=1).tolist())
        cells = [f"{100 * ours.mean():.1f}{sign(ours, theirs)}" for ours, theirs in zip(found.T, first.T, strict=True)]
        interval = f"{100 * beside.difference:+.2f} ({100 * beside.low:+.2f} to {100 * beside.high:+.2f})"
        print(f"| {name} | " + " | ".join(cells) + f" | {100 * found.mean():.2f} | {interval} |", flush=True)


def sign(ours: np.ndarray, theirs: np.ndarray) -> str:
    beside = compare(ours.tolist(), theirs.tolist())
    return " +" if beside.low > 0 else " -" if beside.high < 0 else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--only", default="", help="rows with these words in their names, beside the first")
    options = parser.parse_args()
    chosen = {name: row for number, (name, row) in enumerate(rows().items()) if not number or options.only in name}
    report(chosen, list(islice(read_records(options.data, print), options.limit)))


if __name__ == "__main__":
    main()
