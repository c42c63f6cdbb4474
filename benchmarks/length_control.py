"""How well does the convolutional network A3 keep to a length, and what are its summaries worth?

    python benchmarks/length_control.py --model FOLDER --data DATA/cnndm/val.jsonl.xz --documents 100

Needs rouge-score. For each budget: the tokens that were asked for, those the network wrote, those that
were kept in whole sentences, how full the budget is, how often nothing whole was left, and ROUGE-1 F1
beside that of lead. `--usual` and `--fullness` try other settings of the draft.
"""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

import numpy as np
from rouge_score import rouge_scorer

from mls import Summary
from mls.baselines.floor import lead
from mls.corpora.records import Record, read_records
from mls.lab import length_controlled
from mls.lab.a3 import A3
from mls.magnifier.writing import desired_tokens
from mls.model import load_model
from mls.text import Document

BUDGETS = ("1/32", "1/16", "1/8", "1/4", "1/2")


def row(record: Record, summary: Summary, scorer: rouge_scorer.RougeScorer, rival: Summary) -> list[float]:
    document = summary.document
    shortened = any(sentence.operation in ("shorten", "keyphrase") for sentence in summary.sentences)
    return [
        desired_tokens(document, summary.budget),
        sum(len(one.tokens) for one in summary.prototype.sentences),
        summary.length,
        summary.fill,
        100 * shortened,
        *(100 * scorer.score(record.summary, one.text)["rouge1"].fmeasure for one in (summary, rival)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--usual", type=int, default=length_controlled.USUAL)
    parser.add_argument("--fullness", type=float, default=length_controlled.FULLNESS)
    options = parser.parse_args()
    length_controlled.USUAL, length_controlled.FULLNESS = options.usual, options.fullness
    baseline, first = A3.of(load_model(options.model)), lead()
    scorer = rouge_scorer.RougeScorer(["rouge1"], use_stemmer=True)
    rows: dict[str, list[list[float]]] = {budget: [] for budget in BUDGETS}
    for record in islice(read_records(options.data, print), options.documents):
        document = Document.of(record.document)
        both = zip(baseline.levels(document, BUDGETS), first.levels(document, BUDGETS), strict=True)
        for budget, (summary, rival) in zip(BUDGETS, both, strict=True):
            rows[budget].append(row(record, summary, scorer, rival))
    print("| budget | asked for | written | kept | fill | shortened, % | A3, ROUGE-1 | lead, ROUGE-1 |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for budget, found in rows.items():
        asked, written, kept, fill, shortened, mine, theirs = np.mean(found, axis=0)
        lengths = f"{asked:.1f} | {written:.1f} | {kept:.1f} | {fill:.2f} | {shortened:.0f}"
        print(f"| {budget} | {lengths} | {mine:.2f} | {theirs:.2f} |")


if __name__ == "__main__":
    main()
