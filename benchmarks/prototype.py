"""The prototype alone, beside lead-3 and random-3: ROUGE with intervals, what is new in it, what is wrong with it.

    python benchmarks/prototype.py --data DATA/cnndm/test.jsonl.xz --model MODEL --out results/prototype
    python benchmarks/prototype.py --data DATA/cnndm/val.jsonl.xz --limit 300 --shortest 45,55 --exponent 1,1.5

The network reads the first 400 tokens, as See et al. (2017) let theirs do; ROUGE is F1 with stemming.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, pairwise, product
from pathlib import Path
from random import Random

from mls.corpora.records import Record, read_records
from mls.evaluation.bootstrap import compare, estimate
from mls.evaluation.judged import Judged
from mls.evaluation.metrics import METRICS, score
from mls.evaluation.rouge import rouge
from mls.model import load_model, shipped_model
from mls.prototype.pointer_generator import PointerGeneratorPrototype
from mls.text import Document

READ = 400
SHOWN = (
    "rouge1",
    "rouge2",
    "rougelsum",
    "length",
    "novel1",
    "novel2",
    "novel3",
    "novel4",
    "novel_names",
    "novel_numbers",
)
AT_ONCE = 16


def first_tokens(text: str, count: int) -> Document:
    """The document's beginning: whole sentences of at most so many tokens, but at least one."""
    document = Document.parse(text)
    total, end = 0, document.sentences[0].end
    for sentence in document.sentences:
        total += len(sentence.tokens)
        if total > count:
            break
        end = sentence.end
    return Document.parse(document.text[:end])


def judge(record: Record, text: str, generated: float | None = None) -> Judged:
    return Judged(Document.parse(record.document), record.summary, text, 1, 1, generated)


def lead(document: Document) -> str:
    return "\n".join(sentence.text for sentence in document.sentences[:3])


def at_random(document: Document) -> str:
    sentences = document.sentences
    chosen = Random(len(document.text)).sample(range(len(sentences)), min(3, len(sentences)))
    return "\n".join(sentences[index].text for index in sorted(chosen))


def written(generate: PointerGeneratorPrototype, records: list[Record]) -> Iterator[str]:
    """Prototypes, in the order of the records; one sentence a line."""
    for start in range(0, len(records), AT_ONCE):
        documents = [first_tokens(record.document, READ) for record in records[start : start + AT_ONCE]]
        for prototype in generate.of_many(documents):
            yield "\n".join(sentence.text for sentence in prototype.sentences)
        if sys.stderr.isatty():
            print(f"\r{min(start + AT_ONCE, len(records)):,} of {len(records):,}", end="", file=sys.stderr)


def is_flawed(text: str) -> bool:
    """Whether it is empty, says <unk>, a word twice in a row, or a trigram twice."""
    tokens = [token.key for sentence in Document.parse(text).sentences for token in sentence.tokens]
    trigrams = list(zip(tokens, tokens[1:], tokens[2:], strict=False))
    stutters = any(a == b and a[0].isalnum() for a, b in pairwise(tokens))
    return not tokens or "<unk>" in text or stutters or len(set(trigrams)) < len(trigrams)


def table(records: list[Record], methods: dict[str, list[str]]) -> list[str]:
    """A Markdown table: a row a method, the difference to lead-3 below."""
    scores = {
        name: [score(judge(record, text)) for record, text in zip(records, texts, strict=True)]
        for name, texts in methods.items()
    }
    lines = [
        "| | " + " | ".join(METRICS[name].title for name in SHOWN) + " | flawed, % |",
        "|---" * (len(SHOWN) + 2) + "|",
    ]
    for name, rows in scores.items():
        cells = []
        for metric in SHOWN:
            found = estimate([row[metric] for row in rows])
            cells.append(f"{METRICS[metric].shown(found.mean)} ±{METRICS[metric].shown(found.half_width)}")
        flawed = 100 * sum(map(is_flawed, methods[name])) / len(records)
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {flawed:.2f} |")
    ours, *_ = scores
    if "lead-3" in scores and ours != "lead-3":
        lines += ["", f"{ours} minus lead-3, paired by document, with 95% bootstrap intervals:"]
        for metric in SHOWN[:3]:
            found = compare([row[metric] for row in scores[ours]], [row[metric] for row in scores["lead-3"]])
            lines.append(
                f"- {METRICS[metric].title} {100 * found.difference:+.2f} "
                f"({100 * found.low:+.2f} to {100 * found.high:+.2f})"
            )
    return lines


def quick(records: list[Record], texts: list[str]) -> str:
    rows = [rouge(judge(record, text)) for record, text in zip(records, texts, strict=True)]
    found = [estimate([row[name] for row in rows]) for name in ("rouge1", "rouge2", "rougelsum")]
    words = sum(len(text.split()) for text in texts) / len(texts)
    return "  ".join(f"{100 * one.mean:.2f} ±{100 * one.half_width:.2f}" for one in found) + f"  {words:.0f} words"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--model", help="a model folder; the shipped one if not given")
    parser.add_argument("--shortest", help="minimum lengths to compare, by commas")
    parser.add_argument("--exponent", default="1", help="length exponents to compare, by commas")
    parser.add_argument("--floor", default="0.3", help="selection floors to compare, by commas")
    parser.add_argument("--out", help="write the table here too")
    options = parser.parse_args()
    records = list(islice(read_records(options.data, print), options.limit))
    model = load_model(Path(options.model)) if options.model else shipped_model()
    if options.shortest:
        given = (options.shortest, options.exponent, options.floor)
        for shortest, exponent, floor in product(*([float(one) for one in values.split(",")] for values in given)):
            search = replace(
                model.config.search, shortest=int(shortest), length_exponent=exponent, selection_floor=floor
            )
            texts = list(written(replace(model.prototype(), search=search), records))
            print(f"shortest {shortest:g}, exponent {exponent:g}, floor {floor:g}: {quick(records, texts)}", flush=True)
        return
    baselines: dict[str, Callable[[Document], str]] = {"lead-3": lead, "random-3": at_random}
    methods = {"pg-network": list(written(model.prototype(), records))}
    methods |= {name: [make(Document.parse(record.document)) for record in records] for name, make in baselines.items()}
    lines = [f"{len(records)} documents of {Path(options.data).name}", "", *table(records, methods)]
    print("\n".join(lines))
    if options.out:
        command = shlex.join(["python", *sys.argv])
        Path(options.out).parent.mkdir(parents=True, exist_ok=True)
        Path(options.out).write_text(
            "\n".join(["# The prototype alone", "", f"    {command}", "", *lines, ""]), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
