"""Check the promises on real documents: the budget, whole sentences, no room left (C3), the replayed trace.

    python benchmarks/promises.py DATA/cnndm/val.jsonl.xz --documents 100 --replayed 30

Every mode is tried: the paper's, the network's own words, its draft, whole sentences, a greedy draft, the default.

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
from mls.corpora.records import Record, read_records
from mls.explain.as_json import to_json
from mls.magnifier.draft import REPETITIVE
from mls.quotation import balanced
from mls.text import tidy

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from replay import MismatchError, replay

SHARES = ["1/32", "1/16", "1/8", "1/4", "1/2"]
A_SENTENCE = 6  # tokens; with less room the default says a phrase
TOKENS = ["5", "10", "20", "40"]


MODES = {
    "paper": {"preset": "paper"},
    "network": {"wording": "network", "prototype": "pg-network"},
    "draft": {"wording": "draft", "prototype": "pg-network"},
    "drafted and checked": {"prototype": "pg-network"},
    "light": {"preset": "light"},
    "source": {"wording": "source"},
    "default": {},
}


def fits_still(summary: Summary) -> list[int]:
    """C3: the source sentences that would have fitted into the room left, say something, and repeat nothing.

    The default takes no sentence without what it leans on and none to fill a line, so this is asked of the others.
    """
    analysis, measure = summary.analysis, summary.budget.measure
    if analysis.ladders or any(one.operation not in ("copy", "expand") for one in summary.sentences):
        return []
    units = [analysis.units[sentence.unit] for sentence in summary.sentences]
    room = summary.limit - measure.total([unit.length(measure) for unit in units])
    said = {gram for unit in units for gram in unit.grams}
    taken = {unit.source for unit in units}
    return [
        unit.anchor
        for unit in analysis.units[analysis.drafted :]
        if unit.source not in taken
        and not unit.says_little
        and unit.length(measure) + measure.joint <= room
        and len(unit.trigrams & said) <= REPETITIVE * len(unit.trigrams)
    ]


def broken_promises(summary: Summary) -> list[str]:
    measure = summary.budget.measure
    broken = []
    if measure.length(summary.text) > summary.limit:
        broken.append("the budget is exceeded")
    if not summary.text.strip():
        broken.append("the summary is empty")
    # as it would be written: the mark that closes a longer quotation takes room too
    prose = [balanced(tidy(sentence.text)) for sentence in summary.document.sentences if sentence.is_prose]
    fits = summary.limit >= A_SENTENCE and any(measure.length(text) <= summary.limit for text in prose)
    ways = ("copy", "expand", "brief", "title", "document")
    whole = all(sentence.operation in ways for sentence in summary.sentences)
    if fits and not whole:
        broken.append("a sentence fits, but the summary is not of whole sentences")
    broken += [f"sentence {index + 1} would have fitted" for index in fits_still(summary)]
    return broken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--replayed", type=int, default=30)
    options = parser.parse_args()
    records = list(islice(read_records(options.data, print), options.documents))
    broken = [f"{mode}: {line}" for mode, recipe in MODES.items() for line in check(mode, recipe, records, options)]
    print("\n".join(broken) or "no promise broken")
    sys.exit(bool(broken))


def check(mode: str, recipe: dict[str, str], records: list[Record], options: argparse.Namespace) -> list[str]:
    """What one mode breaks."""
    summarizer = Summarizer(recipe)
    fill: dict[str, list[float]] = defaultdict(list)
    broken: list[str] = []
    replayed = 0
    for number, record in enumerate(track(records, description=mode)):
        for summary in summarizer.levels(record.document, SHARES + TOKENS):
            fill[str(summary.budget)].append(summary.fill)
            broken += [f"{record.id} at {summary.budget}: {promise}" for promise in broken_promises(summary)]
            if number < options.replayed and str(summary.budget) in SHARES:
                try:
                    replay(json.loads(to_json(summary)))
                    replayed += 1
                except MismatchError as error:
                    broken.append(f"{record.id} at {summary.budget}: {error}")
    count = sum(map(len, fill.values()))
    print(f"{mode}: {len(records)} documents, {count} summaries, {replayed} replayed from their JSON")
    print("mean fill: " + ", ".join(f"{budget} {sum(values) / len(values):.3f}" for budget, values in fill.items()))
    return broken


if __name__ == "__main__":
    main()
