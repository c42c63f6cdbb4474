"""Sentences with the words people kept, written as people write: lessons for the parser.

    PYTHONPATH=src python tools/kept_words.py --data DATA --out runs/parser/data/kept.jsonl.xz

The published sentences are in lower case, every number is `##`, and double quotes are two backticks or apostrophes.
Names get their capital letter back by the tags that come with them, numbers get digits, quotes are quotes, and tokens
are divided as ours are ("corp." has a full stop of its own); every fifth sentence stays in lower case, as chats are.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
from collections.abc import Iterator
from pathlib import Path

from mls.atomic import replace_file
from mls.corpora.rows import json_rows
from mls.text import tokenize

LOWER = 0.2  # share of the sentences that stay in lower case
NAMES = ("NNP", "NNPS")
QUOTES = ("``", "''")
NUMBERS = ("3", "12", "27", "40", "150", "2012", "6.5")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--held-out", action="store_true", help="of compression/val, to measure on")
    args = parser.parse_args()
    source = args.data / "compression" / ("val.jsonl.xz" if args.held_out else "train.jsonl.xz")
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in lessons(source))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    replace_file(args.out, lambda file: file.write(lzma.compress(text.encode())))
    print(f"{text.count(chr(10)):,} sentences in {args.out}")


def lessons(source: Path) -> Iterator[dict[str, object]]:
    order = random.Random(1)
    for row in json_rows(source):
        tokens = [order.choice(NUMBERS) if token == "##" else token for token in row["tokens"].split()]
        if order.random() >= LOWER:
            tokens = capitalised(tokens, row["pos"].split())
        divided = [(piece, mark) for token, mark in zip(tokens, row["keep"], strict=True) for piece in pieces(token)]
        yield {"tokens": [piece for piece, _ in divided], "keep": "".join(mark for _, mark in divided)}


def pieces(token: str) -> list[str]:
    """The tokens that we make of one.

    >>> pieces("corp."), pieces("``"), pieces("'s"), pieces("<unk>")
    (['corp', '.'], ['"'], ["'s"], ['<unk>'])
    """
    if token in QUOTES:
        return ['"']
    if token.startswith("'") or token == "<unk>":  # "'s" is one only behind a word
        return [token]
    return [piece.text for piece in tokenize(token)]


def capitalised(tokens: list[str], tags: list[str]) -> list[str]:
    first = next((number for number, token in enumerate(tokens) if token[0].isalpha()), 0)
    return [
        token[0].upper() + token[1:] if number == first or tag in NAMES or token == "i" else token
        for number, (token, tag) in enumerate(zip(tokens, tags, strict=True))
    ]


if __name__ == "__main__":
    main()
