"""Which sentence embeddings serve the centrality head best? ROUGE-1 F1 on validation documents.

    python benchmarks/embedders.py --data DATA

Needs rouge-score and wordllama. DATA holds the folders cnndm, narratives and essays; narratives and
essays are read from their train and val files, cnndm from the first 200 documents of val: never test.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
from rouge_score import rouge_scorer

from mls import Budget, Summarizer
from mls.corpora.records import Record, read_records
from mls.embedding.base import Embedder
from mls.embedding.lexical import LexicalEmbedder
from mls.embedding.word_vectors import WordVectors
from mls.embedding.wordllama import WordLlamaEmbedder
from mls.kernels.centrality import CentralityKernel
from mls.kernels.position import PositionKernel
from mls.prototype.base import Prototype
from mls.recipe import of_kernels
from mls.text import Document

BUDGETS = [Budget.parse(text) for text in ("1/32", "1/16", "1/8", "1/4", "1/2")]
SETS = {
    "narratives": (["narratives/train.jsonl", "narratives/val.jsonl"], None),
    "essays": (["essays/train.jsonl", "essays/val.jsonl"], None),
    "cnndm": (["cnndm/val.jsonl.xz"], 200),
}


class NoPrototype:
    """The heads alone decide."""

    name = "none"

    def __call__(self, document: Document) -> Prototype:
        return Prototype(self.name, ())


def mean_rouge(summarizer: Summarizer, records: list[Record]) -> float:
    scorer = rouge_scorer.RougeScorer(["rouge1"], use_stemmer=True)
    scores = [
        scorer.score(record.summary, summary.text)["rouge1"].fmeasure
        for record in records
        for summary in summarizer.levels(record.document, BUDGETS)
    ]
    return 100 * float(np.mean(scores))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    embedders: dict[str, Embedder] = {
        "bag of content words": LexicalEmbedder(),
        "Doc2Vec, 300-d": WordVectors(),
        "wordllama, 256-d": WordLlamaEmbedder(),
    }
    print("| data | embeddings | centrality alone | with position |")
    print("| --- | --- | --- | --- |")
    for name, (files, limit) in SETS.items():
        records = list(islice((record for file in files for record in read_records(data / file, print)), limit))
        for title, embedder in embedders.items():
            heads = of_kernels([CentralityKernel(embedder), PositionKernel()])
            recipe = replace(heads, prototype=NoPrototype())
            scores = [mean_rouge(Summarizer(recipe.weighing({"centrality": share})), records) for share in (1.0, 0.6)]
            print(f"| {name}, {len(records)} documents | {title} | {scores[0]:.2f} | {scores[1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
