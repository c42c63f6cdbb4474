"""How well and how fast the sentence parser reads.

    python benchmarks/parser.py --data DATA --held-out runs/parser/heldout [--parser FOLDER]

Agreement with the teaching parser on held-out news (tools/silver_trees.py --held-out), words kept as people keep them
on compression/test-cased, and sentences a second on one core.
"""

from __future__ import annotations

import argparse
import difflib
import time
from collections import Counter
from pathlib import Path

import numpy as np

from mls.baselines.oracle import f1
from mls.corpora.rows import json_rows
from mls.parser.network import ParserModel, load_parser, shipped_parser
from mls.text import fold, tokenize

KEPT = 0.4  # probability from which on a word is kept: the best F1 on compression/val


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
    started = time.perf_counter()
    parses = model.parse([row["tokens"] for row in rows])
    seconds = time.perf_counter() - started
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
    print(f"  {len(rows) / seconds:.0f} sentences a second, {tokens:.1f} tokens each")


def kept(model: ParserModel, path: Path, most: int) -> None:
    """F1 of the words kept, a mean over sentences; and of all words together."""
    rows = list(json_rows(path))[:most]
    sentences = [[token.text for token in tokenize(row["sentence"])] for row in rows]
    parses = model.parse(sentences)
    scores, hits, said, wanted, exact = [], 0, 0, 0, 0
    for row, tokens, parse in zip(rows, sentences, parses, strict=True):
        gold = gold_positions([fold(t) for t in tokens], [fold(t.text) for t in tokenize(row["compressed"])])
        words = {n for n, token in enumerate(tokens) if token[0].isalnum()}
        gold &= words
        ours = {n for n in words if parse.keep[n] >= KEPT}
        both = len(gold & ours)
        scores.append(f1(Counter(ours), Counter(gold)))
        hits, said, wanted = hits + both, said + len(ours), wanted + len(gold)
        exact += gold == ours
    print(
        f"compression/test-cased, {len(rows):,} sentences: kept-word F1 {np.mean(scores):.4f} (mean of sentences), "
        f"{2 * hits / (said + wanted):.4f} (all words); exact {exact / len(rows):.3f}; "
        f"rate {said / wanted:.2f} of people's"
    )


def gold_positions(tokens: list[str], kept_tokens: list[str]) -> set[int]:
    matcher = difflib.SequenceMatcher(None, tokens, kept_tokens, autojunk=False)
    return {n for block in matcher.get_matching_blocks() for n in range(block.a, block.a + block.size)}


if __name__ == "__main__":
    main()
