"""How well the attention of some weights ranks sentences that were marked by a careful reader: NDCG at 5.

    python benchmarks/marked.py --data DATA

The texts are those of `tools/marks.jsonl.xz` that no judge has learned from. Weights by kind of text hold for the first
row alone, as they do where nobody gives others.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from mls import Summarizer
from mls.corpora.rows import json_rows
from mls.recipe import Recipe

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import judge

DEFAULT = Recipe.of("default")
RIVALS = {
    "the default": DEFAULT,
    "the same for all kinds, salience 0.05": DEFAULT.weighing({"importance": 0.6, "salience": 0.05}),
    "the same for all kinds, salience 0.3": DEFAULT.weighing({"salience": 0.3}),
    "the same for all kinds, topics and keywords 0.1 each": DEFAULT.weighing({"topics": 0.1, "keywords": 0.1}),
    "importance alone": DEFAULT.weighing({"importance": 1.0}),
    "centrality alone": DEFAULT.weighing({"centrality": 1.0}),
    "salience alone": DEFAULT.weighing({"salience": 1.0}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    rows = [row for row in json_rows(judge.MARKS) if "-val" in row["name"]]
    texts = dict(judge.texts_of(parser.parse_args().data, rows))
    found: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in RIVALS}
    reader, none = Summarizer(), np.zeros((0, 0))
    for row in rows:
        document = judge.document_of(row, texts)
        one = judge.Marked(row["name"], document, judge.grades_of(document, row), none, none.astype(np.float32))
        if one.prose.sum() >= judge.FEWEST and one.grades[one.prose].any():
            analysis = reader.read(document)
            for name, recipe in RIVALS.items():
                _, ndcg, _ = judge.measured(one, Summarizer(recipe).adopt(analysis).attention)
                found[name][row["name"].split("-")[0]].append(ndcg)
    kinds = list(found["the default"])
    print(f"| | {' | '.join(kinds)} | mean |\n| --- {'| ---: ' * (len(kinds) + 1)}|")
    for name, own in found.items():
        means = [float(np.mean(own[kind])) for kind in kinds]
        print(f"| {name} | {' | '.join(f'{mean:.3f}' for mean in [*means, float(np.mean(means))])} |")


if __name__ == "__main__":
    main()
