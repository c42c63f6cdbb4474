"""Inputs for jobs with many documents."""

from __future__ import annotations

import json
import random
from pathlib import Path

from mls.batch.shards import SIZE, Shard
from mls.corpora.documents import Entry

_WORDS = "the of and was a rain harbour council bridge engine river teacher winter solar panel people money old".split()


def make_text(seed: int, sentences: int = 6) -> str:
    rng = random.Random(seed)
    return " ".join(" ".join(rng.choices(_WORDS, k=rng.randint(4, 12))).capitalize() + "." for _ in range(sentences))


def write_rows(path: Path, count: int, sentences: int = 6) -> Path:
    """JSON lines, every tenth of them no document."""
    rows = [json.dumps({"id": f"d{n}", "document": make_text(n, sentences)}) for n in range(count)]
    rows[5::10] = ['{"id": "d", "document": 7}'] * len(rows[5::10])
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def shard_of(*texts: str, index: int = 0) -> Shard:
    first = index * SIZE + 1
    return Shard(
        index, tuple(Entry(first + position, f"d{first + position}", text) for position, text in enumerate(texts))
    )
