"""Check the promises on real documents: the budget, whole sentences, the fill, the replayed trace.

    python benchmarks/promises.py DATA/cnndm/val.jsonl.xz --documents 1000 --replayed 300

Exits with 1 where a promise is broken, and says where.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from itertools import islice
from pathlib import Path

from rich.progress import track

from mls import Summarizer, Summary
from mls.corpora.records import read_records
from mls.explain.as_json import to_json
from mls.text import tidy

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from replay import MismatchError, replay

SHARES = ["1/32", "1/16", "1/8", "1/4", "1/2"]
TOKENS = ["5", "10", "20", "40"]


def broken_promises(summary: Summary) -> list[str]:
    measure = summary.budget.measure
    broken = []
    if measure.length(summary.text) > summary.limit:
        broken.append("the budget is exceeded")
    if not summary.text.strip():
        broken.append("the summary is empty")
    fits = any(measure.length(tidy(sentence.text)) <= summary.limit for sentence in summary.document.sentences)
    whole = all(sentence.operation in ("copy", "expand", "document") for sentence in summary.sentences)
    if fits and not whole:
        broken.append("a sentence fits, but the summary is not of whole sentences")
    return broken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--replayed", type=int, default=300)
    parser.add_argument("--prototype", default="pg-network")
    options = parser.parse_args()
    records = list(islice(read_records(options.data, print), options.documents))
    summarizer = Summarizer({"prototype": options.prototype})
    fill: dict[str, list[float]] = defaultdict(list)
    broken: list[str] = []
    replayed = 0
    for number, record in enumerate(track(records, description="documents")):
        for summary in summarizer.levels(record.document, SHARES + TOKENS):
            fill[str(summary.budget)].append(summary.fill)
            broken += [f"{record.id} at {summary.budget}: {promise}" for promise in broken_promises(summary)]
            if number < options.replayed and str(summary.budget) in SHARES:
                try:
                    replay(json.loads(to_json(summary)))
                    replayed += 1
                except MismatchError as error:
                    broken.append(f"{record.id} at {summary.budget}: {error}")
    print(f"{len(records)} documents, {sum(map(len, fill.values()))} summaries, {replayed} replayed from their JSON")
    print("mean fill: " + ", ".join(f"{budget} {sum(values) / len(values):.3f}" for budget, values in fill.items()))
    print("\n".join(broken) or "no promise broken")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
