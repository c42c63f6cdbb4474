"""Sentences with which a text begins, and others of the same length from its middle: free lessons for the parser.

    PYTHONPATH=src python tools/openings.py --data DATA --out runs/parser/data/openings.jsonl.xz

Each document gives one of both, so what it is about tells nothing. Every third beginning is the first line of the
summary that people wrote for the document instead of its own first sentence.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import random
import re
from collections.abc import Iterator
from pathlib import Path

from mls.atomic import replace_file
from mls.corpora.rows import json_rows
from mls.text import Document, Sentence

DOCUMENTS = {
    "cnndm/train-*.jsonl.xz": 60_000,
    "wiki/articles.jsonl.xz": 8_000,
    "narratives/train.jsonl": 1_000,
    "essays/train.jsonl": 1_000,
}
HELD_OUT = {"cnndm/val.jsonl.xz": 1_000}
FIRST_OF_THE_MIDDLE = 3  # sentences before it are still the beginning
LENGTHS = range(6, 61)
DATELINE = re.compile(r"^[^.a-z]{0,40}\([A-Za-z. ]{2,20}\)\s*(?:--|-|—)\s*")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--held-out", action="store_true", help="news of cnndm/val alone, to measure on")
    args = parser.parse_args()
    chosen = HELD_OUT if args.held_out else DOCUMENTS
    rows = [row for name, most in chosen.items() for row in lessons(args.data, name, most)]
    random.Random(1).shuffle(rows)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    replace_file(args.out, lambda file: file.write(lzma.compress(text.encode())))
    print(f"{len(rows):,} sentences in {args.out}")


def lessons(data: Path, name: str, most: int) -> Iterator[dict[str, object]]:
    order = random.Random(name)
    documents = itertools.chain.from_iterable(map(json_rows, sorted(data.glob(name))))
    for number, row in enumerate(itertools.islice(documents, most)):
        text = DATELINE.sub("", row.get("document") or row["text"])
        sentences = Document.parse(text).sentences
        if len(sentences) <= FIRST_OF_THE_MIDDLE:
            continue
        first = sentences[0]
        if number % 3 == 2 and row.get("summary"):
            first = Document.parse(row["summary"].splitlines()[0]).sentences[0]
        if len(first.tokens) not in LENGTHS:
            continue
        alike = sorted(sentences[FIRST_OF_THE_MIDDLE:], key=lambda other: abs(len(other.tokens) - len(first.tokens)))
        yield lesson(first, 1)
        yield lesson(order.choice(alike[:3]), 0)


def lesson(sentence: Sentence, opening: int) -> dict[str, object]:
    return {"tokens": [token.text for token in sentence.tokens], "opening": opening}


if __name__ == "__main__":
    main()
