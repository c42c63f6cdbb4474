"""Train the judge of losses from judged parts, and say how well it judges others.

    python tools/losses.py --data DATA --out src/mls/assets/forms/losses.npz

`tools/losses.jsonl.xz` holds 5,851 parts of sentences that tell the point of their document, or belong into a summary
of it, and of openings of news. A language model that knew the point said of each what a reader loses without it:
0 nothing, 1 a detail, 2 something important, 3 the news itself. Said twice, of 121 parts, it is the same in 93 of 100.
What is printed is by cross-validation: every part is judged by networks that have not seen its document.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from cuts import judged, texts_of
from mls.corpora.rows import json_rows
from mls.forms import cuts
from mls.forms.losses import Often, Words
from mls.forms.parts import FIRST, candidates
from mls.forms.tree import ParsedSentence
from mls.parser.network import shipped_parser
from mls.perceptron import CLIP
from mls.text import Document
from perceptrons import arguments, arrays_of, save, train

LOSSES = Path(__file__).parent / "losses.jsonl.xz"
LOST = np.array([0.0, 0.15, 0.55, 0.9])  # of what a sentence tells, with a part of each grade
WIDTH, DROPOUT, DECAY, EPOCHS, BATCH, FOLDS = 48, 0.5, 1e-2, 12, 128, 5


def main() -> None:
    args = arguments(__doc__)
    rows, seen = zip(*read_losses(args.data), strict=True)
    seen = np.array(seen, dtype=np.float64)
    grades = np.array([row["lost"] for row in rows])
    mean, scale = seen.mean(axis=0).astype(np.float32), (seen.std(axis=0) + 1e-6).astype(np.float32)
    given = torch.from_numpy(np.clip((seen - mean) / scale, -CLIP, CLIP)).float()
    fold = np.array([zlib.crc32(row["id"].encode()) % FOLDS for row in rows])
    found = np.zeros(len(rows))
    for number in range(FOLDS):
        taught = taught_by(given[fold != number], LOST[grades[fold != number]])
        found[fold == number] = judged(taught, given[fold == number])
    report({"the judge": found, "the words of the part": seen[:, 0], "their number": seen[:, 1]}, grades)
    save(args.out, {"mean": mean, "scale": scale} | arrays_of(taught_by(given, LOST[grades])))


def read_losses(data: Path) -> Iterator[tuple[dict, NDArray[np.float64]]]:
    """Each judged part that is still thought of, with what is seen of it."""
    rows = list(json_rows(LOSSES))
    texts = texts_of(data, rows)
    of_document: dict[tuple[str, str], list[dict]] = {}
    for row in rows:
        of_document.setdefault((row["set"], row["id"]), []).append(row)
    for name, own in of_document.items():
        yield from _of_document(Document.parse(texts[name]), own)


def _of_document(document: Document, rows: Sequence[dict]) -> Iterator[tuple[dict, NDArray[np.float64]]]:
    often = Often(sentence.keys for sentence in document.sentences if sentence.is_prose)
    wanted = {tuple(row["span"]) for row in rows}
    sentences = [one for one in document.sentences if (one.start, one.end) in wanted]
    parses = shipped_parser().parse([[token.text for token in sentence.tokens] for sentence in sentences])
    for sentence, parse in zip(sentences, parses, strict=True):
        parsed = ParsedSentence(sentence, parse)
        words, tokens = Words(parsed, often), sentence.tokens
        thought_of = {
            (tokens[min(part.tokens)].start, tokens[max(part.tokens)].end): (part, rules)
            for part, rules in candidates(parsed)
        }
        for row in rows:
            found = thought_of.get(tuple(row["cut"]))
            if found and tuple(row["span"]) == (sentence.start, sentence.end):
                part, rules = found
                own = words.features(part.tokens, part.role == FIRST)
                yield row, np.concatenate([own, cuts.features(parsed, part.head, part.tokens, rules)])


def taught_by(given: Tensor, lost: NDArray[np.float64]) -> list[nn.Sequential]:
    wanted = torch.from_numpy(lost).float()

    def loss(net: nn.Module, numbers: NDArray[np.int64]) -> Tensor:
        return F.binary_cross_entropy_with_logits(net(given[numbers])[:, 0], wanted[numbers])

    return train(len(given), loss, given.size(1), WIDTH, DROPOUT, DECAY, EPOCHS, BATCH)


def report(told: dict[str, NDArray[np.float64]], grades: NDArray[np.int64]) -> None:
    """How what is said of parts goes with how they were graded; AUC is that of telling grades from lower ones."""
    print(f"{len(grades)} parts, of grades 0 to 3: {', '.join(str((grades == grade).sum()) for grade in range(4))}\n")
    print("| told by | correlation | AUC from 1 | from 2 | 3 |\n|---|---|---|---|---|")
    for name, found in told.items():
        areas = " | ".join(f"{area(found, grades >= grade):.3f}" for grade in (1, 2, 3))
        print(f"| {name} | {np.corrcoef(found, LOST[grades])[0, 1]:.3f} | {areas} |")


def area(found: NDArray[np.float64], wanted: NDArray[np.bool_]) -> float:
    """The probability that one that is wanted is put above one that is not."""
    _, rank, count = np.unique(found, return_inverse=True, return_counts=True)
    middle = np.cumsum(count) - (count - 1) / 2
    above = middle[rank][wanted].sum() - wanted.sum() * (wanted.sum() + 1) / 2
    return float(above / (wanted.sum() * (~wanted).sum()))


if __name__ == "__main__":
    main()
