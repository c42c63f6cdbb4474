"""Train the judge of whom a pronoun means from answered pronouns, and say how well it judges others.

    python tools/naming.py --data DATA --out src/mls/assets/judge/naming.npz

`tools/naming.jsonl.xz` holds 10,278 pronouns of 1,804 texts that do not say in their own sentence whom they mean, and
the words of the text that a language model put in their place so that a stranger understands the sentence; none where
nothing would do, or where the sentence itself tells (`told`). Those of GAP (development) that are of that sort are
learned from as well. Texts whose name has `val` in it are never learned from: what is printed is of them, and of GAP's
validation set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from judge import MARKS, document_of, texts_of
from mls.corpora.rows import json_rows
from mls.naming.meant import Possible, Scene
from mls.naming.mentions import Unnamed, unnamed_in
from mls.naming.names import LIKELY, RIVAL
from mls.parser.network import shipped_parser
from mls.perceptron import CLIP
from mls.text import Document
from perceptrons import arguments, arrays_of, save, train

NAMED = Path(__file__).parent / "naming.jsonl.xz"
WIDTH, DROPOUT, DECAY, EPOCHS, BATCH = 64, 0.3, 1e-2, 12, 64
KINDS = ("she", "he", "they", "it")
Judge = Callable[["Lesson"], NDArray[np.float64]]


@dataclass(frozen=True)
class Lesson:
    """A pronoun, what is seen of each that it may mean, and which of them are right."""

    name: str
    kind: int
    seen: NDArray[np.float32]
    right: NDArray[np.bool_]
    called: tuple[frozenset[str], ...]  # the words by which each is called, anywhere in the text


def main() -> None:
    args = arguments(__doc__)
    lessons = [one for one in read_lessons(args.data) if len(one.right)]
    gap = {name: list(read_gap(args.data / "gap" / f"{name}.jsonl.xz")) for name in ("development", "validation")}
    taught = [one for one in lessons if "-val" not in one.name]
    taught += [one for one, _ in gap["development"] if one.right.any()]
    seen = np.concatenate([one.seen for one in taught]).astype(np.float64)
    mean, scale = seen.mean(axis=0), seen.std(axis=0) + 1e-6
    networks = taught_by(taught, mean, scale)
    save(args.out, {"mean": mean, "scale": scale} | arrays_of(networks))
    report([one for one in lessons if "-val" in one.name], lambda one: judged(networks, one, mean, scale))
    report_gap(gap["validation"], lambda one: judged(networks, one, mean, scale))


def read_lessons(data: Path) -> Iterator[Lesson]:
    of: dict[str, list[dict]] = {}
    for row in json_rows(NAMED):
        of.setdefault(row["name"], []).append(row)
    marks = {row["name"]: row for row in json_rows(MARKS) if row["name"] in of}
    texts = dict(texts_of(data, [*marks.values()]))
    for name, rows in of.items():
        document = document_of(marks[name], texts)
        answered = {row["at"][0]: row for row in rows if "told" not in row}
        for scene, one in unnamed_of(document):
            row = answered.get(one.parsed.sentence.tokens[one.tokens[0]].start)
            if row is not None:
                answers = [document.text[start:end] for start, end in row["answers"]]
                yield lesson(scene, one, name, [plain(answer) for answer in answers])


def unnamed_of(document: Document) -> Iterator[tuple[Scene, Unnamed]]:
    parses = shipped_parser().parse([sentence.tokens.texts for sentence in document.sentences])
    scene = Scene(document, parses)
    for parsed in scene.parsed.values():
        yield from ((scene, one) for one in unnamed_in(parsed) if parsed.sentence.is_prose)


def lesson(scene: Scene, one: Unnamed, name: str, answers: Sequence[str]) -> Lesson:
    some = scene.possible(one)
    called = tuple(map(names_of, some))
    right = np.array(
        [any(are_same(own, answer) for own in names for answer in answers) for names in called], dtype=bool
    )
    seen = scene.pairs(one, some).astype(np.float32) if some else np.zeros((0, 0), dtype=np.float32)
    return Lesson(name, one.kind, seen, right, called)


def names_of(somebody: Possible) -> frozenset[str]:
    return frozenset(plain(mention.text) for mention in somebody[0].mentions)


def plain(text: str) -> str:
    letters = "".join(letter if letter.isalnum() or letter in "'-" else " " for letter in text.lower())
    return " ".join(letters.replace("\u2019", "'").split())


def are_same(one: str, other: str) -> bool:
    """Whether two phrases have the same main word, and one has all the words of the other."""
    words, others = bare(one), bare(other)
    same = bool(words) and bool(others) and main_word(words) == main_word(others)
    return same and (set(words) <= set(others) or set(others) <= set(words))


def bare(phrase: str) -> list[str]:
    words = phrase.split()
    return words[1:] if words[:1] and words[0] in ("the", "a", "an") else words


def main_word(words: Sequence[str]) -> str:
    return words[words.index("of") - 1] if "of" in words[1:] else words[-1]


def read_gap(path: Path) -> Iterator[tuple[Lesson, list[tuple[str, bool]]]]:
    """The pronouns of GAP that their own sentence does not explain, and two names of which each may be meant."""
    for row in json_rows(path):
        offset = int(row["Pronoun-offset"])
        for scene, one in unnamed_of(Document.parse(row["Text"])):
            tokens = one.parsed.sentence.tokens
            if offset in [tokens[token].start for token in one.tokens]:
                names = [(plain(row[name]), row[f"{name}-coref"] == "TRUE") for name in "AB"]
                own = lesson(scene, one, path.name, [name for name, true in names if true])
                if len(own.right):
                    yield own, names


def scaled(seen: NDArray, mean: NDArray, scale: NDArray) -> Tensor:
    return torch.from_numpy(np.clip((seen - mean) / scale, -CLIP, CLIP)).float()


def taught_by(lessons: Sequence[Lesson], mean: NDArray, scale: NDArray) -> list[nn.Sequential]:
    """Networks that give the right ones the most of what is shared among all, and none of them."""
    given = [scaled(one.seen, mean, scale) for one in lessons]
    rights = [torch.from_numpy(one.right) for one in lessons]

    def loss(net: nn.Module, numbers: NDArray[np.int64]) -> Tensor:
        sizes = [len(given[number]) for number in numbers]
        odds = net(torch.cat([given[number] for number in numbers]))[:, 0]
        total = torch.zeros(())
        for own, number in zip(odds.split(sizes), numbers, strict=True):
            right = rights[number]
            wanted = torch.logsumexp(own[right], 0) if right.any() else 0.0
            total = total + torch.logsumexp(torch.cat([own, own.new_zeros(1)]), 0) - wanted
        return total / len(numbers)

    return train(len(given), loss, given[0].size(1), WIDTH, DROPOUT, DECAY, EPOCHS, BATCH)


def judged(networks: Sequence[nn.Sequential], one: Lesson, mean: NDArray, scale: NDArray) -> NDArray[np.float64]:
    """The probability of each; what is left is that of none."""
    with torch.no_grad():
        given = scaled(one.seen, mean, scale)
        odds = torch.stack([net(given)[:, 0] for net in networks]).mean(0).double()
        return torch.softmax(torch.cat([odds, odds.new_zeros(1)]), 0)[:-1].numpy()


def report(held: Sequence[Lesson], judge: Judge) -> None:
    found = [(one, np.sort(told := judge(one))[::-1], bool(one.right[told.argmax()])) for one in held]
    print("| pronouns | how many | with an answer | likeliest is right | named | rightly |\n|---|---|---|---|---|---|")
    sets = dict.fromkeys(one.name.split("-")[0] for one, *_ in found)
    groups = {"all": found}
    groups |= {kind: [one for one in found if one[0].kind == number] for number, kind in enumerate(KINDS)}
    groups |= {name: [one for one in found if one[0].name.startswith(f"{name}-")] for name in sets}
    for name, own in groups.items():
        answered = [right for one, _, right in own if one.right.any()]
        named = [right for _, told, right in own if told[0] >= LIKELY and (len(told) < 2 or told[1] <= RIVAL)]
        shares = f"{len(answered) / len(own):.2f} | {np.mean(answered):.2f} | {len(named) / len(own):.2f}"
        print(f"| {name} | {len(own)} | {shares} | {np.mean(named) if named else 0:.3f} |")


def report_gap(lessons: Sequence[tuple[Lesson, list[tuple[str, bool]]]], judge: Judge) -> None:
    """Of names that are put in the place of pronouns of GAP, those that are one of the two, and right."""
    told = []
    for one, names in lessons:
        likely = judge(one)
        order = likely.argsort()[::-1]
        if likely[order[0]] >= LIKELY and (len(order) < 2 or likely[order[1]] <= RIVAL):
            called = one.called[order[0]]
            told += [true for name, true in names if any(are_same(own, name) for own in called)]
    print(f"\nGAP, {len(lessons)} pronouns: {len(told)} named as one of the two, {np.mean(told):.3f} of them rightly")


if __name__ == "__main__":
    main()
