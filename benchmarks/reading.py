"""The reading bench: blind sheets for people who read, and what their scores say.

    python benchmarks/reading.py draw --data DATA --out sheets --seed 1
    python benchmarks/reading.py tally sheets first-reader.txt second-reader.txt

`draw` picks documents by seed, writes a summary of each with every method at every length, and one sheet a document:
the source, then the summaries under letters, in an order that the seed decides. Summaries that are the same share a
letter; with `--beside NAME=FOLDER` those are among them that another version of the program wrote by the same
command. `sheets/key.json` tells who wrote what: keep it from the readers, and the program too.

A reader gives every letter four digits from 0 to 3: does it say the most important thing, does it stand alone, is it
good English and form, is it true. One line a document and length, with tabs between: `essay-004`, `1/8`,
`A=3323 B=2133`. A summary is acceptable if no digit is below 2, and untrue or misleading if the last one is. `tally`
prints the share of acceptable summaries with a 95% interval over documents, the four means, and how often each method
beats another, by length and by kind.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mls.budget import Budget
from mls.corpora.records import Record, read_records
from mls.evaluation.bootstrap import estimate
from mls.methods import method_settings

SETS = {
    "news": "cnndm/{}.jsonl.xz",
    "narratives": "narratives/{}.jsonl",
    "essays": "essays/{}.jsonl",
    "dialogues": "dialogues/val.jsonl.xz",
    "meetings": "meetings/val.jsonl.xz",
}
BUDGETS = "15 words;280 chars;1/32;1/16;1/8;1/4"
ASKED = ("says the point", "stands alone", "good form", "true")


class Mark(NamedTuple):
    """One reader's four digits for one method's summary."""

    kind: str
    document: str
    budget: str
    method: str
    digits: tuple[int, ...]

    @property
    def is_acceptable(self) -> bool:
        return min(self.digits) >= 2


def draw(given: argparse.Namespace) -> None:
    """Write the sheets, the summaries and the key."""
    chosen = random.Random(given.seed)
    budgets = given.budgets.split(";")
    methods = {name: method_settings(name).build() for name in given.methods.split(",")}
    beside = dict(_of_another(one) for one in given.beside or ())
    out = Path(given.out)
    (out / "sheets").mkdir(parents=True, exist_ok=True)
    key: dict[str, list[str]] = {}
    with (out / "summaries.jsonl").open("w", encoding="utf-8") as kept:
        for kind, record in list(_documents(given, chosen)):  # all are drawn before any letter is
            texts = {name: method(record, [Budget.parse(one) for one in budgets]) for name, method in methods.items()}
            sheet = [f"##### {record.id}", record.document.strip(), ""]
            for position, budget in enumerate(budgets):
                written = {name: summaries[position].text for name, summaries in texts.items()}
                written |= {name: others[record.id, budget] for name, others in beside.items()}
                sheet += [f"=== {budget}", *_lettered(chosen, kind, record.id, budget, written, key)]
                for name, text in written.items():
                    line = {"kind": kind, "id": record.id, "budget": budget, "method": name, "text": text}
                    kept.write(json.dumps(line, ensure_ascii=False) + "\n")
            (out / "sheets" / f"{record.id}.txt").write_text("\n".join(sheet) + "\n", encoding="utf-8")
    (out / "key.json").write_text(json.dumps(key, indent=1), encoding="utf-8")
    print(f"{len(key)} summaries on {len(list((out / 'sheets').iterdir()))} sheets in {out}")


def _of_another(given: str) -> tuple[str, dict[tuple[str, str], str]]:
    """What another version of the program wrote by the same command: NAME=FOLDER."""
    name, _, folder = given.partition("=")
    rows = map(json.loads, (Path(folder) / "summaries.jsonl").read_text(encoding="utf-8").splitlines())
    return name, {(row["id"], row["budget"]): row["text"] for row in rows if row["method"] == "mls"}


def _documents(given: argparse.Namespace, chosen: random.Random) -> Iterator[tuple[str, Record]]:
    known = {name.split("\t")[1] for path in given.known or () for name in json.loads(Path(path).read_text("utf-8"))}
    for part in given.documents.split(","):
        kind, _, count = part.partition("=")
        found = read_records(Path(given.data) / SETS[kind].format(given.part), print)
        records = [record for record in found if given.shortest <= len(record.document.split()) <= given.longest]
        records = [record for record in records if record.id not in known]
        yield from ((kind, record) for record in chosen.sample(records, int(count)))
    for path in sorted(Path(given.own).iterdir()) if given.own else ():
        if path.suffix in (".txt", ".md"):
            yield "own", Record(path.stem, path.read_text(encoding="utf-8"), "")


def _lettered(
    chosen: random.Random, kind: str, document: str, budget: str, written: dict[str, str], key: dict[str, list[str]]
) -> Iterator[str]:
    """The summaries under letters, the same ones under one."""
    texts = sorted(set(written.values()))
    chosen.shuffle(texts)
    for letter, text in zip("ABCDEFGH", texts, strict=False):
        key["\t".join((kind, document, budget, letter))] = [name for name, own in written.items() if own == text]
        yield f"[{letter}] {text}"


def tally(given: argparse.Namespace) -> None:
    """Print what the readers' scores say."""
    key = json.loads((Path(given.out) / "key.json").read_text(encoding="utf-8"))
    readers = [list(_marks(Path(path), key)) for path in given.scores]
    marks = [mark for reader in readers for mark in reader]
    methods = sorted({mark.method for mark in marks}, key=lambda name: (name != given.ours, name))
    print(f"{len(marks)} marks by {len(readers)} readers, {len({mark.document for mark in marks})} documents\n")
    print(f"| | acceptable | untrue | {' | '.join(ASKED)} |\n|---|---|---|{'---|' * len(ASKED)}")
    for name in methods:
        print(_row(name, [mark for mark in marks if mark.method == name]))
    for title, part in (("length", "budget"), ("kind", "kind")):
        groups = dict.fromkeys(getattr(mark, part) for mark in marks)
        print(
            f"\n| {title} | {' | '.join(f'{name} acceptable' for name in methods)} | {_rivals(given.ours, methods)} |"
        )
        print("|---" * (1 + len(methods) + len(methods) - 1) + "|")
        for group in groups:
            print(_group(group, [mark for mark in marks if getattr(mark, part) == group], given.ours, methods))
    if len(readers) == 2:
        print(f"\nThe readers agree on whether a summary is acceptable in {_agreement(*readers):.2f} of them.")


def _marks(path: Path, key: dict[str, list[str]]) -> Iterator[Mark]:
    by_position = {tuple(name.split("\t")[1:]): (name.split("\t")[0], methods) for name, methods in key.items()}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            document, budget, given = line.split("\t")
            for one in given.split():
                letter, digits = one.split("=")
                kind, methods = by_position[document, budget, letter]
                for method in methods:
                    yield Mark(kind, document, budget, method, tuple(map(int, digits)))


def _row(name: str, marks: Sequence[Mark]) -> str:
    by_document: dict[str, list[bool]] = defaultdict(list)
    for mark in marks:
        by_document[mark.document].append(mark.is_acceptable)
    found = estimate([sum(values) / len(values) for values in by_document.values()])
    means = " | ".join(
        f"{sum(mark.digits[position] for mark in marks) / len(marks):.2f}" for position in range(len(ASKED))
    )
    untrue = sum(mark.digits[-1] < 2 for mark in marks) / len(marks)
    return f"| {name} | {found.mean:.2f} ({found.low:.2f} to {found.high:.2f}) | {untrue:.3f} | {means} |"


def _rivals(ours: str, methods: Iterable[str]) -> str:
    return " | ".join(f"{ours} against {name}: won, lost, level" for name in methods if name != ours)


def _group(title: str, marks: Sequence[Mark], ours: str, methods: Sequence[str]) -> str:
    shares = []
    for name in methods:
        own = [mark.is_acceptable for mark in marks if mark.method == name]
        shares.append(f"{sum(own) / len(own):.2f}" if own else "-")
    return f"| {title} | {' | '.join([*shares, *(_duel(marks, ours, name) for name in methods if name != ours)])} |"


def _duel(marks: Sequence[Mark], ours: str, other: str) -> str:
    """Wins, losses and ties by the sum of all readers' digits."""
    sums: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for mark in marks:
        sums[mark.document, mark.budget][mark.method] += sum(mark.digits)
    both = [found for found in sums.values() if ours in found and other in found]
    won = sum(found[ours] > found[other] for found in both)
    lost = sum(found[ours] < found[other] for found in both)
    return f"{won}, {lost}, {len(both) - won - lost}"


def _agreement(one: Iterable[Mark], other: Iterable[Mark]) -> float:
    known = {mark[1:4]: mark.is_acceptable for mark in one}
    same = [known[mark[1:4]] == mark.is_acceptable for mark in other if mark[1:4] in known]
    return sum(same) / max(1, len(same))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    drawn = commands.add_parser("draw", help="write blind sheets")
    drawn.add_argument("--data", required=True, help="the folder with the data sets")
    drawn.add_argument("--out", required=True)
    drawn.add_argument("--seed", type=int, default=1)
    drawn.add_argument("--documents", default="news=12,narratives=8,essays=8,dialogues=8,meetings=4")
    drawn.add_argument("--part", default="test", help="of the sets that have one")
    drawn.add_argument("--own", help="a folder of documents of one's own")
    drawn.add_argument("--shortest", type=int, default=256, help="words of a document: 256 leave room for 8 at 1/32")
    drawn.add_argument("--longest", type=int, default=12_000, help="words of a document")
    drawn.add_argument(
        "--known", action="append", help="the key.json of an earlier reading: none of its documents is drawn"
    )
    drawn.add_argument("--budgets", default=BUDGETS, help="with ; between them")
    drawn.add_argument("--methods", default="mls,lead,a2", help="as `mls evaluate --methods` names them")
    drawn.add_argument(
        "--beside", action="append", metavar="NAME=FOLDER", help="what another version wrote of the same documents"
    )
    drawn.set_defaults(run=draw)
    counted = commands.add_parser("tally", help="count readers' scores")
    counted.add_argument("out", help="the folder that draw wrote")
    counted.add_argument("scores", nargs="+", help="a file of scores a reader")
    counted.add_argument("--ours", default="mls")
    counted.set_defaults(run=tally)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
