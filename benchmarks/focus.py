"""Does a focus answer? Questions that people asked of meetings, with their answers and the turns these rest on.

    python benchmarks/focus.py --data DATA/meetings/val.jsonl.xz

Needs rouge-score. Each line of the data has `document` and `queries`, each of them with `query`, `summary` (the
answer) and `spans` of turns, which are lines, from and to. For each length: ROUGE of the focused summary, of the one
without a focus, of BM25 alone, of lead and of A2, against the answer; the recall of the marked turns, once as the
share of them from which something that is said is taken, and once as the share of their words; and the precision, the
share of the words taken that stand in marked turns. Intervals are of 95%, by resampling meetings; differences are
paired.

    python benchmarks/focus.py --data DATA/meetings/val.jsonl.xz --sheets FOLDER --questions 40 --seed 1

writes sheets to be read instead: questions drawn at random, each with its answer and, under letters, summaries with a
focus, without one, and by BM25. Which is which stands in FOLDER.key.json alone. A reader writes a line a sheet,
`01 A=y B=n C=n D=y`: is the answer in it?

    python benchmarks/focus.py --tally FOLDER.key.json first-reader.txt second-reader.txt

counts these.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
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
from mls.blocks import SPEAKER
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
        is_said = [document.sentences[sentence.anchor].kind != SPEAKER for sentence in sentences]
        return np.where(is_said, scores, 0.0)


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
    spans = [
        (sentences[span.sentence], text[span.start : span.end]) for one in summary.sentences for span in one.source
    ]
    said = {sentence.paragraph for sentence, _ in spans if sentence.kind != SPEAKER}
    right = sum(len(taken.split()) for sentence, taken in spans if sentence.paragraph in marked)
    there = sum(len(sentence.words) for sentence in sentences if sentence.paragraph in marked)
    recall = len(marked & said) / max(1, len(marked))
    shares = right / max(1, there), right / max(1, sum(len(taken.split()) for _, taken in spans))
    return [100 * value for value in (*(found[f"rouge{n}"].fmeasure for n in "12L"), recall, *shares)]


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


READ = (("focused", "300 words"), ("focused", "150 words"), ("unfocused", "300 words"), ("BM25", "300 words"))


def write_sheets(data: Path, folder: Path, count: int, seed: int) -> None:
    """Questions drawn at random with their answers and summaries, in which nothing tells which way each was made."""
    folder.mkdir(parents=True, exist_ok=True)
    records = list(read(data, 1))
    generator = random.Random(seed)
    drawn = sorted(
        generator.sample([(m, q) for m, record in enumerate(records) for q in range(len(record["queries"]))], count)
    )
    summarizer, key = Summarizer(), {}
    meetings = {m: ways_of(Document.of(records[m]["document"]), summarizer) for m in sorted({m for m, _ in drawn})}
    for number, (meeting, position) in enumerate(drawn, start=1):
        query = records[meeting]["queries"][position]
        lines = [f"# {query['query']}", f"What people answered: {query['summary']}"]
        for letter, (name, budget) in zip("ABCD", generator.sample(READ, len(READ)), strict=True):
            key[f"{number:02} {letter}"] = f"{name}, {budget}"
            lines += [f"## {letter}", meetings[meeting][name](query["query"], budget).text]
        (folder / f"{number:02}.md").write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    Path(f"{folder}.key.json").write_text(json.dumps(key, indent=1) + "\n", encoding="utf-8")


def tally(key: Path, *answers: Path) -> None:
    """Print in how many texts of each kind every reader found the answer."""
    whose = json.loads(key.read_text(encoding="utf-8"))
    print("| | " + " | ".join(path.stem for path in answers) + " |\n|---" + "|---" * len(answers) + "|")
    found = [Counter(_answered(path, whose)) for path in answers]
    for kind in sorted(set(whose.values())):
        print(f"| {kind} | " + " | ".join(str(counts[kind]) for counts in found) + " |")


def _answered(path: Path, whose: dict[str, str]) -> Iterator[str]:
    """The kind of each text in which a reader found the answer, from lines such as `01 A=y B=n`."""
    for line in path.read_text(encoding="utf-8").splitlines():
        sheet, *given = line.split()
        yield from (
            whose[f"{sheet} {letter}"] for letter, _, answer in (one.partition("=") for one in given) if answer == "y"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--tally", type=Path, nargs="+", metavar="FILE", help="count a reader's answers: key, answers")
    parser.add_argument("--every", type=int, default=1, help="one meeting in so many")
    parser.add_argument("--budgets", nargs="+", default=["150 words", "300 words"])
    parser.add_argument("--sheets", type=Path, metavar="FOLDER", help="write sheets to be read, and no table")
    parser.add_argument("--questions", type=int, default=40, help="how many are drawn for sheets")
    parser.add_argument("--seed", type=int, default=1, help="by which they are drawn")
    options = parser.parse_args()
    if options.tally:
        tally(*options.tally)
        return
    if not options.data:
        parser.error("--data says where the questions are")
    if options.sheets:
        write_sheets(options.data, options.sheets, options.questions, options.seed)
        return
    summarizer = Summarizer()
    results: dict[str, dict[str, list[np.ndarray]]] = {budget: {} for budget in options.budgets}
    for record in read(options.data, options.every):
        ways = ways_of(Document.of(record["document"]), summarizer)
        for budget, by_name in results.items():
            for name, way in ways.items():
                rows = [judged(way(query["query"], budget), query) for query in record["queries"]]
                by_name.setdefault(name, []).append(np.array(rows))
    for budget, by_name in results.items():
        print(table(budget, by_name))


if __name__ == "__main__":
    main()
