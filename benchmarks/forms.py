"""Are the shorter forms of sentences good English, and true? Blind sheets for a reader, and what the marks say.

    python benchmarks/forms.py draw --data DATA --out sheet --seed 1
    python benchmarks/forms.py tally sheet marks.txt

`draw` takes 40 sentences of each of three kinds of text that have forms, and of each a form of a random length from
eight tokens up; as many news sentences in a doubtful form, which may only be the first thing that a summary says; and
as a control published compressions of news sentences. `sheet/sheet.txt` shows each sentence and what was made of it, in
an order that the seed decides; `sheet/key.json` tells what is whose.

A reader answers with one line a pair, `17 y y`: is the second text good English, and is all of it said by the first
(nothing added, nothing turned round, nothing made more general or more certain)?
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

from mls import Summarizer
from mls.corpora.records import read_records
from mls.corpora.rows import json_rows

SETS = {"news": "cnndm/{}.jsonl.xz", "narratives": "narratives/{}.jsonl", "essays": "essays/{}.jsonl"}
CONTROL = "compression/test-cased.jsonl.xz"
FEWEST = 8  # tokens of a form


def draw(given: argparse.Namespace) -> None:
    chosen = random.Random(given.seed)
    paths = {kind: Path(given.data) / path.format(given.part) for kind, path in SETS.items()}
    pairs = [(kind, *pair) for kind, path in paths.items() for pair in _forms(path, chosen, given.each)]
    pairs += [("doubtful", *pair) for pair in _forms(paths["news"], chosen, given.each, doubtful=True)]
    rows = list(json_rows(Path(given.data) / CONTROL))
    pairs += [("control", row["sentence"], row["compressed"]) for row in chosen.sample(rows, given.each)]
    chosen.shuffle(pairs)
    out = Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    shown = [f"{number}\n  {whole}\n  -> {form}\n" for number, (_, whole, form) in enumerate(pairs, 1)]
    (out / "sheet.txt").write_text("\n".join(shown), encoding="utf-8")
    key = {number: kind for number, (kind, _, _) in enumerate(pairs, 1)}
    (out / "key.json").write_text(json.dumps(key), encoding="utf-8")
    print(f"{len(pairs)} pairs in {out}")


def _forms(path: Path, chosen: random.Random, count: int, doubtful: bool = False) -> Iterator[tuple[str, str]]:
    """Sentences and a form of each, of documents in an order that the seed decides."""
    summarizer = Summarizer()
    records = list(read_records(path, print))
    while count:
        analysis = summarizer.read(chosen.choice(records).document)
        ladders = analysis.ladders
        assert ladders is not None
        index = chosen.randrange(len(analysis.document.sentences))
        forms = [form for form in ladders.forms(index) if len(form.kept) >= FEWEST and not form.is_whole]
        forms = [form for form in forms if form.is_doubtful == doubtful]
        if analysis.document.sentences[index].is_prose and forms:
            yield " ".join(analysis.document.sentences[index].text.split()), chosen.choice(forms).text
            count -= 1


def tally(given: argparse.Namespace) -> None:
    key = json.loads((Path(given.out) / "key.json").read_text(encoding="utf-8"))
    counts: dict[str, list[int]] = {}
    for line in Path(given.marks).read_text(encoding="utf-8").splitlines():
        if line.strip():
            number, *answers = line.split()
            found = counts.setdefault(key[number], [0, 0, 0])
            for position, good in enumerate((True, answers[0] == "y", answers[1] == "y")):
                found[position] += good
    ours = [sum(column) for column in zip(*(found for kind, found in counts.items() if kind in SETS), strict=True)]
    print("| | forms | good English | true to the sentence |\n|---|---|---|---|")
    for kind, (total, good, true) in [*sorted(counts.items()), ("all three kinds", ours)]:
        print(f"| {kind} | {total} | {good} | {true} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    drawn = commands.add_parser("draw", help="write a blind sheet")
    drawn.add_argument("--data", required=True, help="the folder with the data sets")
    drawn.add_argument("--out", required=True)
    drawn.add_argument("--seed", type=int, default=1)
    drawn.add_argument("--part", default="test", help="of the data sets")
    drawn.add_argument("--each", type=int, default=40, help="forms of each kind")
    drawn.set_defaults(run=draw)
    counted = commands.add_parser("tally", help="count a reader's marks")
    counted.add_argument("out", help="the folder that draw wrote")
    counted.add_argument("marks")
    counted.set_defaults(run=tally)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
