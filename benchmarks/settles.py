"""What the cues of the head `settles` are worth: learned from meetings, and how well it tells what people take up.

    python benchmarks/settles.py --data DATA/meetings

Of each question about a meeting and the turns that answer it, the sentences that together cover the written answer
best are taken up, the others are not. A logistic regression learns from the training meetings; its figure is the area
under the curve on the validation meetings: how often a sentence that is taken up is ranked before one that is not.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mls.kernels.settles import WORTH, SettlesKernel, features
from mls.stopwords import content_words
from mls.text import Document, Sentence

_RIDGE = 1.0
_ROUNDS = 30
_ROOM = 2.0  # words that may be taken up for each word of the answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder with train.jsonl.xz and val.jsonl.xz")
    data = parser.parse_args().data
    train, validation = (list(examples(data / f"{name}.jsonl.xz")) for name in ("train", "val"))
    rows = np.concatenate([features(sentences) for sentences, _ in train])
    wanted = np.concatenate([taken for _, taken in train])
    worth, base = fitted(rows, wanted)
    for name, value in zip(WORTH, worth, strict=True):
        print(f'    "{name}": {value:.2f},')
    print(f"train: {len(wanted)} sentences, {wanted.mean():.3f} of them taken up, bias {base:.2f}")
    fresh = _area(validation, lambda s: features(s) @ worth)
    print(f"area under the curve on validation, fitted now: {fresh:.3f}")
    kernel = SettlesKernel()
    shipped = _area(validation, lambda s: kernel.score(Document("", tuple(s)), s))
    alone = _area(validation, lambda s: features(s)[:, -2])
    print(f"as shipped: {shipped:.3f}; by the number of words alone: {alone:.3f}")


def examples(path: Path) -> Iterator[tuple[list[Sentence], NDArray[np.float64]]]:
    """For each question about each meeting: the sentences that may answer it, and which are taken up."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for meeting in map(json.loads, lines):
            turns = meeting["document"].split("\n")
            for query in meeting["queries"]:
                text = "\n".join(turn for first, last in _spans(query) for turn in turns[first : last + 1])
                sentences = [s for s in Document.parse(text, genre="dialogue").sentences if s.is_prose]
                if len(sentences) >= 5:
                    yield sentences, taken_up(sentences, query["summary"])


def _spans(query: dict[str, Any]) -> list[tuple[int, int]]:
    return [(int(first), int(last)) for first, last in query["spans"]]


def taken_up(sentences: list[Sentence], answer: str) -> NDArray[np.float64]:
    """Greedily what covers the answer's words best for its length."""
    reference = [word for s in Document.parse(answer).sentences for word in s.words]
    missing = set(content_words(reference))
    contents = [set(content_words(sentence.words)) for sentence in sentences]
    taken = np.zeros(len(sentences))
    room = _ROOM * len(reference)
    while missing and room > 0:
        gains = [len(words & missing) / (8 + len(s.words)) for words, s in zip(contents, sentences, strict=True)]
        best = int(np.argmax(np.where(taken > 0, -1.0, gains)))
        if gains[best] <= 0 or taken[best]:
            break
        taken[best] = 1.0
        missing -= contents[best]
        room -= len(sentences[best].words)
    return taken


def fitted(rows: NDArray[np.float64], wanted: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Logistic regression by Newton's method."""
    given = np.hstack([rows, np.ones((len(rows), 1))])
    worth = np.zeros(given.shape[1])
    ridge = _RIDGE * np.eye(len(worth))
    ridge[-1, -1] = 0.0
    for _ in range(_ROUNDS):
        probability = 1 / (1 + np.exp(-given @ worth))
        slope = given.T @ (wanted - probability) - ridge @ worth
        curve = given.T @ (given * (probability * (1 - probability))[:, None]) + ridge
        worth = worth + np.linalg.solve(curve, slope)
    return worth[:-1], float(worth[-1])


def _area(found: list[tuple[list[Sentence], NDArray[np.float64]]], score: Any) -> float:
    """The mean over questions of the share of pairs in the right order."""
    areas = []
    for sentences, taken in found:
        scores = np.asarray(score(sentences))
        inside, outside = scores[taken > 0], scores[taken == 0]
        if len(inside) and len(outside):
            higher = (inside[:, None] > outside[None, :]).mean() + 0.5 * (inside[:, None] == outside[None, :]).mean()
            areas.append(higher)
    return float(np.mean(areas))


if __name__ == "__main__":
    main()
