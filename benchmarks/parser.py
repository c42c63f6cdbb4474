"""How well and how fast the sentence parser reads.

    python benchmarks/parser.py --data DATA --held-out runs/parser/heldout [--parser FOLDER]

Agreement with the teaching parser on held-out news (tools/silver_trees.py --held-out), words kept as people keep them
on compression/test-cased, and sentences a second of CPU.

F1 of what is kept is that of the tokens kept in a sentence, punctuation marks among them, and its mean over all
sentences; beside it, the same of words alone, without the marks. Which tokens are kept is
decided by no threshold: those are kept that make F1 highest if each token is as probable as the parser says.
"""

from __future__ import annotations

import argparse
import difflib
import time
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mls.baselines.oracle import f1
from mls.corpora.rows import json_rows
from mls.parser.network import ParserModel, load_parser, shipped_parser
from mls.text import fold, tokenize


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--held-out", type=Path)
    parser.add_argument("--parser", type=Path)
    parser.add_argument("--most", type=int, default=5000)
    args = parser.parse_args()
    model = load_parser(args.parser) if args.parser else shipped_parser()
    if args.held_out:
        agreement(model, args.held_out, args.most)
    kept(model, args.data / "compression" / "test-cased.jsonl.xz", args.most)


def agreement(model: ParserModel, folder: Path, most: int) -> None:
    rows = [row for path in sorted(folder.glob("*.jsonl.xz")) for row in json_rows(path) if "tags" in row][:most]
    model.parse([row["tokens"] for row in rows[:64]])
    started = time.process_time()
    parses = model.parse([row["tokens"] for row in rows])
    seconds = time.process_time() - started
    counts = dict.fromkeys(("tokens", "tags", "heads", "both", "entities"), 0)
    for row, parse in zip(rows, parses, strict=True):
        for number, tag in enumerate(row["tags"]):
            if tag in (",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP"):
                continue
            head = parse.heads[number] == row["heads"][number]
            counts["tokens"] += 1
            counts["tags"] += parse.tags[number] == tag
            counts["heads"] += head
            counts["both"] += head and parse.relations[number] == row["relations"][number]
            counts["entities"] += parse.entities[number] == row["entities"][number]
    n = counts.pop("tokens")
    print(f"held-out news, {len(rows):,} sentences, {n:,} words without punctuation, agreement with the teacher:")
    print("  " + ", ".join(f"{name} {100 * count / n:.2f}" for name, count in counts.items()))
    tokens = sum(len(row["tokens"]) for row in rows) / len(rows)
    print(f"  {len(rows) / seconds:.0f} sentences a second of CPU, {tokens:.1f} tokens each")


def kept(model: ParserModel, path: Path, most: int) -> None:
    rows = list(json_rows(path))[:most]
    sentences, shortened = ([written(row[name]) for row in rows] for name in ("sentence", "compressed"))
    parses = model.parse(sentences)
    gold = [gold_positions(*pair) for pair in zip(sentences, shortened, strict=True)]
    print(f"compression/test-cased, {len(rows):,} sentences, F1 of what is kept:")
    for name, counts in (("tokens", lambda token: True), ("words", lambda token: token[0].isalnum())):
        scores, said, wanted, exact = [], 0, 0, 0
        for tokens, parse, right in zip(sentences, parses, gold, strict=True):
            counted = [number for number, token in enumerate(tokens) if counts(token)]
            ours, theirs = likely_best(parse.keep, counted), right.intersection(counted)
            scores.append(f1(Counter(ours), Counter(theirs)))
            said, wanted, exact = said + len(ours), wanted + len(theirs), exact + (ours == theirs)
        interval = 1.96 * np.std(scores) / len(scores) ** 0.5
        print(
            f"  {name}: {np.mean(scores):.4f} (± {interval:.4f}); of the first 1,000 {np.mean(scores[:1000]):.4f}; "
            f"exact {exact / len(rows):.3f}; rate {said / wanted:.2f} of people's"
        )


def written(text: str) -> list[str]:
    """The tokens of a sentence; quotes, which the data write as `` and '', are as in any text."""
    return [token.text for token in tokenize(text.replace("``", '"').replace("''", '"'))]


def likely_best(keep: NDArray[np.float32], counted: list[int]) -> set[int]:
    """The likeliest so many of these tokens, so many as promise the highest F1."""
    order = sorted(counted, key=lambda number: -keep[number])
    hits = np.cumsum(keep[order])
    promised = 2 * hits / (np.arange(1, len(order) + 1) + hits[-1])
    return set(order[: int(promised.argmax()) + 1])


def gold_positions(tokens: list[str], shortened: list[str]) -> set[int]:
    """Where a sentence says what is left of it; the mark at its end is the one at the end."""
    tokens, shortened = [fold(token) for token in tokens], [fold(token) for token in shortened]
    found = set()
    if tokens[-1] == shortened[-1]:
        found = {len(tokens) - 1}
        tokens, shortened = tokens[:-1], shortened[:-1]
    matcher = difflib.SequenceMatcher(None, tokens, shortened, autojunk=False)
    return found.union(n for block in matcher.get_matching_blocks() for n in range(block.a, block.a + block.size))


if __name__ == "__main__":
    main()
