"""Is the summarizer ahead of lead, of A2 and of summaries that were kept, document by document?

    python benchmarks/ahead.py --data DATA/dialogues/val.jsonl.xz --kept before.jsonl

Needs rouge-score. `--kept` are JSON lines with id, budget and summary, such as an older version of this program wrote.
For each length and ROUGE: the mean of every method, and how far `mls` is ahead of each other one, as the mean of the
differences over documents with its 95% bootstrap interval; * marks an interval that leaves out zero. A text is scored
as it is, the names of speakers included.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

from mls.budget import Budget
from mls.corpora.records import read_records
from mls.evaluation.bootstrap import compare, estimate
from mls.evaluation.rouge import scorer
from mls.methods import method_settings

METRICS = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
METHODS = ("mls", "lead", "a2")
Scores = dict[tuple[str, str, str], dict[str, float]]  # by method, length and metric: of each document


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--budgets", default="1/16,1/8,1/4")
    given = parser.parse_args()
    scores, references = _scored(given.data, given.budgets.split(","))
    if given.kept:
        with given.kept.open(encoding="utf-8") as lines:
            for one in map(json.loads, lines):
                _add(scores, "kept", one["budget"], one["id"], one["summary"], references[one["id"]])
    _print(scores, given.budgets.split(","), len(references))


def _scored(data: str, budgets: list[str]) -> tuple[Scores, dict[str, str]]:
    methods = {name: method_settings(name).build() for name in METHODS}
    scores: Scores = defaultdict(dict)
    references = {}
    for record in read_records(data, print):
        references[record.id] = record.summary
        for name, method in methods.items():
            summaries = method(record, [Budget.parse(budget) for budget in budgets])
            for budget, summary in zip(budgets, summaries, strict=True):
                _add(scores, name, budget, record.id, summary.text, record.summary)
    return scores, references


def _add(scores: Scores, method: str, budget: str, document: str, summary: str, reference: str) -> None:
    found = scorer().score(reference, summary)
    for metric in METRICS:
        scores[method, budget, metric][document] = 100 * found[metric].fmeasure


def _print(scores: Scores, budgets: list[str], count: int) -> None:
    others = [name for name in ("lead", "a2", "kept") if (name, budgets[0], "rouge1") in scores]
    print(f"{count} documents\n\n| length | | mls | {' | '.join(others)} | mls ahead of {' | of '.join(others)} |")
    print(f"|---|---|{'---:|' * (1 + 2 * len(others))}")
    for budget in budgets:
        for metric, name in METRICS.items():
            ours = scores["mls", budget, metric]
            theirs = [[scores[other, budget, metric][document] for document in ours] for other in others]
            means = [f"{estimate(values).mean:.1f}" for values in ([*ours.values()], *theirs)]
            ahead = [_ahead([*ours.values()], values) for values in theirs]
            print(f"| {budget} | {name} | {' | '.join((*means, *ahead))} |")


def _ahead(ours: list[float], theirs: list[float]) -> str:
    found = compare(ours, theirs)
    return f"{found.difference:+.1f} ({found.low:+.1f} to {found.high:+.1f}){'*' if found.is_clear else ''}"


if __name__ == "__main__":
    main()
