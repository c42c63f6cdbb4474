"""Heads that were tried beside the shipped ones, on validation documents: mean ROUGE-1 at five budgets.

    python benchmarks/remedies.py --data DATA/essays/train.jsonl --data DATA/essays/val.jsonl --base centrality=1

Every row gives one more head a share of the weight, or turns it round. The prototype is greedy, so that no network
has seen the documents. Differences are paired by document, over all budgets, with 95% bootstrap intervals.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np
from decisions import report

from mls.baselines.floor import lead
from mls.baselines.graph import GraphRank, graph_ranking
from mls.corpora.records import read_records
from mls.embedding.base import unit_rows
from mls.embedding.lexical import LexicalEmbedder
from mls.kernels.base import Scores
from mls.methods import Levels
from mls.recipe import Recipe
from mls.stopwords import content_words
from mls.summarizer import Summarizer
from mls.text import Document, Wording

SHARES = (0.15, 0.3, -0.15)  # a negative one turns the head round
Scorer = Callable[[Document, Sequence[Wording]], Any]


class Tried:
    """A head made of a function."""

    question = "Is it worth a head?"

    def __init__(self, scorer: Scorer, is_turned: bool) -> None:
        self.name = scorer.__name__
        self.scorer = scorer
        self.is_turned = is_turned

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        found = np.asarray(self.scorer(document, sentences), dtype=np.float64)
        return found.max() - found if self.is_turned else found


def graph_rank(document: Document, sentences: Sequence[Wording]) -> Scores:
    """PageRank, as the baseline A2 ranks sentences."""
    return GraphRank(LexicalEmbedder()).score(document, sentences)


def frequency(document: Document, sentences: Sequence[Wording]) -> list[float]:
    """How frequent its words are in the document, on average (SumBasic)."""
    counts = Counter(chain.from_iterable(content_words(sentence.words) for sentence in document.sentences))
    return [
        sum(counts[word] for word in words) / max(1, len(words))
        for words in (content_words(sentence.words) for sentence in sentences)
    ]


def novelty(document: Document, sentences: Sequence[Wording]) -> list[float]:
    """How unlike it is to all that stands before it."""
    vectors = unit_rows(LexicalEmbedder().embed(document.sentences))
    alike = np.tril(vectors @ vectors.T, -1)
    new = 1 - alike.max(axis=1)
    return [float(new[sentence.anchor]) for sentence in sentences]


def lateness(document: Document, sentences: Sequence[Wording]) -> list[float]:
    return [float(sentence.anchor + 1) for sentence in sentences]


def length(document: Document, sentences: Sequence[Wording]) -> list[float]:
    return [float(len(sentence.words)) for sentence in sentences]


def density(document: Document, sentences: Sequence[Wording]) -> list[float]:
    """Which share of its words carries meaning."""
    return [len(content_words(sentence.words)) / max(1, len(sentence.words)) for sentence in sentences]


HEADS: tuple[Scorer, ...] = (graph_rank, frequency, novelty, lateness, length, density)


def rows(base: dict[str, float]) -> dict[str, Callable[[], Levels]]:
    def with_head(scorer: Scorer, share: float) -> Summarizer:
        return Summarizer(recipe.adding(Tried(scorer, share < 0), abs(share)))

    recipe = Recipe.from_dict({"weights": base, "prototype": "greedy"})
    found: dict[str, Callable[[], Levels]] = {"as it is": lambda: Summarizer(recipe)}
    for scorer in HEADS:
        for share in SHARES:
            found[f"{scorer.__name__} {share:+g}"] = lambda scorer=scorer, share=share: with_head(scorer, share)
    return found | {"a2": lambda: graph_ranking(LexicalEmbedder()), "lead": lead}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, action="append", help="can be given several times")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--base", default="centrality=0.6,position=0.4", help="the weights to begin with")
    options = parser.parse_args()
    pairs = chain.from_iterable(read_records(path, print) for path in options.data)
    base = {name: float(weight) for name, weight in (part.split("=") for part in options.base.split(","))}
    report(rows(base), list(islice(pairs, options.limit)))


if __name__ == "__main__":
    main()
