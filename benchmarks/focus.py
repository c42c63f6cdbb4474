"""Does a focus answer? Questions that people asked of meetings, with their answers and the turns these rest on.

    python benchmarks/focus.py --data DATA/meetings/val.jsonl.xz

Needs rouge-score. Each line of the data has `document` and `queries`, each of them with `query`, `summary` (the answer)
and `spans` of turns, which are lines, from and to. For each length: ROUGE of the focused summary, of the one without a
focus, of BM25 alone, of lead and of A2, against the answer; the recall of the marked turns, once as the share of them
from which anything is taken, once as the share of their words; and the precision, the share of the words taken that
stand in marked turns. Intervals are of 95%, by resampling meetings; differences are paired. `--show N` prints
N questions with both summaries, to be read.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from mls import Summarizer
from mls.assembly import embedder_of
from mls.baselines.base import RankingBaseline
from mls.baselines.floor import lead
from mls.baselines.graph import graph_ranking
from mls.corpora.rows import json_rows
from mls.evaluation import bootstrap
from mls.evaluation.rouge import scorer
from mls.kernels.base import Scores
from mls.kernels.focus import stem
from mls.stopwords import content_words
from mls.summary import Summary
from mls.text import Document, Wording, fold, tokenize

COLUMNS = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "turns found", "words found", "words right")
_SATURATION, _LENGTH = 1.2, 0.75  # of BM25, as they are usually set


class BM25:
    """BM25 of a question, with stems and without function words."""

    name, question = "bm25", "Does it say the question's words?"

    def __init__(self, about: str) -> None:
        self.terms = {stem(word) for word in content_words(fold(token.text) for token in tokenize(about))}

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        stems = [[stem(word) for word in sentence.words] for sentence in sentences]
        lengths = np.array([len(words) for words in stems], dtype=np.float64)
        norm = _SATURATION * (1 - _LENGTH + _LENGTH * lengths / lengths.mean())
        scores = np.zeros(len(stems))
        for term in self.terms:
            counts = np.array([words.count(term) for words in stems], dtype=np.float64)
            holders = int((counts > 0).sum())
            rarity = np.log(1 + (len(stems) - holders + 0.5) / (holders + 0.5))
            scores += rarity * counts * (_SATURATION + 1) / (counts + norm)
        return scores


Ways = dict[str, Callable[[str, str], Summary]]  # by name: from a question and a budget to a summary


def ways_of(document: Document, summarizer: Summarizer) -> Ways:
    analysis, first, ranked = summarizer.read(document), lead(), graph_ranking(embedder_of("lexical"))
    opening, central = first.read(document), ranked.read(document)
    return {
        "focused": lambda about, budget: summarizer.write(summarizer.refocus(analysis, about), budget),
        "unfocused": lambda about, budget: summarizer.write(analysis, budget),
        "BM25": lambda about, budget: RankingBaseline(BM25(about)).summarize(document, budget),
        "lead": lambda about, budget: first.write(opening, budget),
        "A2": lambda about, budget: ranked.write(central, budget),
    }


def judged(summary: Summary, query: dict[str, Any]) -> list[float]:
    found = scorer().score(query["summary"], summary.text)
    marked = {turn for first, last in query["spans"] for turn in range(int(first), int(last) + 1)}
    sentences, text = summary.document.sentences, summary.document.text
    taken = [(sentences[span.sentence].paragraph, len(text[span.start : span.end].split()))
             for one in summary.sentences for span in one.source]  # fmt: skip
    recall = len(marked & {turn for turn, _ in taken}) / max(1, len(marked))
    right = sum(words for turn, words in taken if turn in marked)
    there = sum(len(sentence.words) for sentence in sentences if sentence.paragraph in marked)
    shares = recall, right / max(1, there), right / max(1, sum(words for _, words in taken))
    return [100 * value for value in (*(found[f"rouge{n}"].fmeasure for n in "12L"), *shares)]


def interval(by_meeting: Sequence[np.ndarray]) -> str:
    """The mean over questions with its interval, meetings resampled."""
    sums = np.array([rows.sum() for rows in by_meeting])
    counts = np.array([len(rows) for rows in by_meeting])
    low, high = bootstrap.interval(sums, counts)
    return f"{sums.sum() / counts.sum():.2f} [{low:.2f}, {high:.2f}]"


def read(path: Path, every: int) -> Iterator[dict[str, Any]]:
    yield from islice(json_rows(path), None, None, every)


def table(budget: str, results: dict[str, list[np.ndarray]]) -> str:
    rows = [f"\n{budget}\n", "| | " + " | ".join(COLUMNS) + " |", "| --- " + "| ---: " * len(COLUMNS) + "|"]
    for name, meetings in results.items():
        cells = [interval([meeting[:, column] for meeting in meetings]) for column in range(len(COLUMNS))]
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    for name in list(results)[1:]:
        both = list(zip(results["focused"], results[name], strict=True))
        cells = [interval([ours[:, c] - theirs[:, c] for ours, theirs in both]) for c in range(len(COLUMNS))]
        rows.append(f"| focused - {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="one meeting in so many")
    parser.add_argument("--budgets", nargs="+", default=["150 words", "300 words"])
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N questions with both summaries instead"
    )
    options = parser.parse_args()
    summarizer = Summarizer()
    results: dict[str, dict[str, list[np.ndarray]]] = {budget: {} for budget in options.budgets}
    shown = 0
    for record in read(options.data, options.every):
        ways = ways_of(Document.of(record["document"]), summarizer)
        for query in record["queries"] if options.show else ():
            if shown < options.show:
                print(f"\n## {query['query']}\n\nanswer: {query['summary']}")
                for name in ("focused", "unfocused"):
                    print(f"\n{name}: {ways[name](query['query'], options.budgets[-1]).text}")
            shown += 1
        for budget, by_name in results.items() if not options.show else ():
            for name, way in ways.items():
                rows = [judged(way(query["query"], budget), query) for query in record["queries"]]
                by_name.setdefault(name, []).append(np.array(rows))
    for budget, by_name in results.items() if not options.show else ():
        print(table(budget, by_name))


if __name__ == "__main__":
    main()
