"""Train the judge of sentences from marked ones, and say how well it judges others.

    python tools/judge.py --data DATA --out src/mls/assets/judge/judge.npz

`tools/marks.jsonl.xz` holds, for 2,077 texts, a grade of every sentence: 3 for the very point, 2 for what belongs into
a short summary, 1 for a detail of a long one, 0 for the rest. They were given by a language model that read each text
from beginning to end; given twice, for 31 stories, they correlate at 0.93. 1,300 of the texts are documents of DATA,
of which only the numbers are kept here; the others were written for this purpose. Texts whose name has `val` in it
are never trained on: what is printed is of them alone. Where OUT is a judge already, words mean what they mean to it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from mls.corpora.rows import json_rows, opened
from mls.embedding.word_vectors import WordVectors
from mls.evaluation.bootstrap import estimate
from mls.files.marked import Mark
from mls.genres import STORY
from mls.judge.features import features
from mls.judge.network import inputs
from mls.parser.network import shipped_parser
from mls.perceptron import CLIP
from mls.text import Document
from perceptrons import arguments, arrays_of, save, train

MARKS = Path(__file__).parent / "marks.jsonl.xz"
GAIN = np.array([0.0, 1.0, 3.0, 7.0])  # what a sentence of each grade is worth
WIDTH, MEANING = 48, 32
EPOCHS, BATCH, DROPOUT, DECAY, POINTWISE = 25, 16, 0.35, 3e-3, 2.0
FEWEST = 4  # sentences of a text that is learned from


@dataclass(frozen=True)
class Marked:
    """A text with the grade of each sentence, and what is seen of them."""

    name: str
    document: Document
    grades: NDArray[np.int64]
    seen: NDArray[np.float64]
    vectors: NDArray[np.float32]

    @property
    def prose(self) -> NDArray[np.bool_]:
        return np.array([sentence.is_prose for sentence in self.document.sentences])


def main() -> None:
    args = arguments(__doc__)
    marked = [one for one in read_marked(args.data) if one.prose.sum() >= FEWEST and one.grades[one.prose].any()]
    held_out = [one for one in marked if "-val" in one.name]
    taught = [one for one in marked if "-val" not in one.name]
    weights = prepared(taught) | (kept_words(args.out) if args.out.exists() else {})
    networks = taught_by(taught, weights)
    save_judge(args.out, weights, networks)
    report(held_out, lambda one: judged(networks, one, weights))


def kept_words(path: Path) -> dict[str, NDArray]:
    """What words mean to the judge that there is: others (of cuts, losses, speech) have learned with it."""
    with np.load(path) as known:
        found = {name: known[name] for name in ("words", "word_scale", "word_shift")}
    meanings = found["words"] * found["word_scale"]
    project, *_ = np.linalg.lstsq(WordVectors().vectors, meanings, rcond=None)
    return found | {"project": project.astype(np.float32)}


def save_judge(path: Path, weights: dict[str, NDArray], networks: list[nn.Sequential]) -> None:
    kept = {name: value for name, value in weights.items() if name != "project"}
    save(path, kept | arrays_of(networks) | {"words": weights["words"].astype(np.int8)})


def is_taught(one: Marked) -> bool:
    """Whether a text is learned from: it has sentences enough, one of them is marked, and it is not held out."""
    return bool(one.prose.sum() >= FEWEST and one.grades[one.prose].any() and "-val" not in one.name)


def read_marked(data: Path) -> Iterator[Marked]:
    rows = list(json_rows(MARKS))
    texts = dict(texts_of(data, rows))
    reader, vectors = shipped_parser(), WordVectors()
    for row in rows:
        document = document_of(row, texts)
        parses = reader.parse([[token.text for token in sentence.tokens] for sentence in document.sentences])
        grades = grades_of(document, row)
        meanings = vectors.embed(document.sentences).astype(np.float32)
        yield Marked(row["name"], document, grades, features(document, parses), meanings)


def document_of(row: dict, texts: dict[str, str]) -> Document:
    """A marked text, with what its file told of its lines, if it was one with markup."""
    return Document.parse(texts[row["name"]], [Mark(*mark) for mark in row.get("marks", ())])


def texts_of(data: Path, rows: list[dict]) -> Iterator[tuple[str, str]]:
    """The text of every marked document."""
    for row in rows:
        if row["set"] == "own":
            yield row["name"], row["text"]
    for name in dict.fromkeys(row["set"] for row in rows if row["set"] != "own"):
        wanted = {row["id"]: row for row in rows if row["set"] == name}
        for identity, text in documents(data / name):
            if row := wanted.get(identity):
                first, last = row.get("turns", (None, None))
                yield row["name"], "\n".join(text.split("\n")[first:last]) if "turns" in row else text


def documents(path: Path) -> Iterator[tuple[str, str]]:
    if ".conllu" not in path.name:
        for row in json_rows(path):
            yield row.get("id") or row["title"], row.get("document") or row["text"]
        return
    found: dict[str, list[str]] = {}
    with io.TextIOWrapper(opened(path), encoding="utf-8") as file:
        for line in file:
            if line.startswith("# sent_id = "):
                identity = line.split("=")[1].strip().rsplit("-", 1)[0]
            elif line.startswith("# text = "):
                found.setdefault(identity, []).append(line.removeprefix("# text = ").strip())
    yield from ((identity, " ".join(texts)) for identity, texts in found.items())


def grades_of(document: Document, row: dict) -> NDArray[np.int64]:
    """The grade of each sentence: the highest of the marked stretches that are mostly in it."""
    spans = list(zip(row["spans"][::2], row["spans"][1::2], map(int, row["grades"]), strict=True))
    grades = np.zeros(len(document.sentences), dtype=np.int64)
    for sentence in document.sentences:
        for start, end, grade in spans:
            shared = min(end, sentence.end) - max(start, sentence.start)
            if shared > 0.5 * min(end - start, sentence.end - sentence.start):
                grades[sentence.index] = max(grades[sentence.index], grade)
    return grades


def prepared(taught: list[Marked]) -> dict[str, NDArray]:
    """How what is seen is scaled, and what each word means: the main components of the sentence vectors."""
    seen = np.concatenate([one.seen for one in taught])
    vectors = np.concatenate([one.vectors for one in taught])
    mean = vectors.mean(axis=0)
    _, sizes, axes = np.linalg.svd((vectors - mean)[::4], full_matrices=False)
    project = 2 * axes[:MEANING].T / (sizes[0] / np.sqrt(len(vectors) / 4))
    words = WordVectors().vectors @ project
    scale = np.abs(words).max(axis=0) / 127
    return {
        "mean": seen.mean(axis=0).astype(np.float32),
        "scale": (seen.std(axis=0) + 1e-6).astype(np.float32),
        "words": np.round(words / scale),
        "word_scale": scale.astype(np.float32),
        "word_shift": (mean @ project).astype(np.float32),
        "project": project.astype(np.float32),
    }


def given(one: Marked, weights: dict[str, NDArray]) -> Tensor:
    meanings = (one.vectors @ weights["project"] - weights["word_shift"]).astype(np.float32)
    own = np.clip((one.seen - weights["mean"]) / weights["scale"], -CLIP, CLIP)
    return torch.from_numpy(inputs(own, meanings, one.document.genre))


def taught_by(taught: list[Marked], weights: dict[str, NDArray]) -> list[nn.Sequential]:
    """Networks that rank the sentences of a text as they were marked, and say how much each is worth.

    Stories are few beside all that is told from its beginning, so each is a lesson twice.
    """
    twice = [*taught, *(one for one in taught if one.document.genre == STORY)]
    lessons = [
        (given(one, weights), torch.from_numpy(one.prose), torch.from_numpy(GAIN[one.grades]).float()) for one in twice
    ]

    def loss(net: nn.Module, numbers: NDArray[np.int64]) -> Tensor:
        texts = (lessons[number] for number in numbers)
        return torch.stack([of_text(net(seen)[:, 0][prose], gains[prose]) for seen, prose, gains in texts]).mean()

    return train(len(lessons), loss, lessons[0][0].size(1), WIDTH, DROPOUT, DECAY, EPOCHS, BATCH)


def of_text(scores: Tensor, gains: Tensor) -> Tensor:
    listwise = -(gains / gains.sum() * torch.log_softmax(scores, 0)).sum()
    return listwise + POINTWISE * F.binary_cross_entropy_with_logits(scores, gains / GAIN[-1])


def judged(networks: list[nn.Sequential], one: Marked, weights: dict[str, NDArray]) -> NDArray[np.float64]:
    with torch.no_grad():
        seen = given(one, weights)
        return torch.stack([net(seen)[:, 0] for net in networks]).mean(0).double().numpy()


def report(held_out: list[Marked], judge: Callable[[Marked], NDArray[np.float64]]) -> None:
    """Means with 95% intervals over documents: what is ranked first, NDCG at 5, how soon the point comes."""
    rivals = {
        "judge": judge,
        "length": lambda one: np.array([len(sentence.tokens) for sentence in one.document.sentences], dtype=np.float64),
        "position": lambda one: -np.arange(len(one.document.sentences), dtype=np.float64),
        "random": lambda one: np.random.default_rng(len(one.document.text)).random(len(one.document.sentences)),
    }
    print("| texts | ranked by | grade of the first | NDCG at 5 | reciprocal rank of the point |")
    print("|---|---|---|---|---|")
    for kind in dict.fromkeys(one.name.split("-")[0] for one in held_out):
        own = [one for one in held_out if one.name.startswith(kind)]
        for name, score in rivals.items():
            figures = [estimate(column) for column in zip(*(measured(one, score(one)) for one in own), strict=True)]
            cells = " | ".join(f"{f.mean:.2f} ({f.low:.2f} to {f.high:.2f})" for f in figures)
            print(f"| {kind}, {len(own)} | {name} | {cells} |")


def measured(one: Marked, scores: NDArray[np.float64]) -> tuple[float, float, float]:
    grades = one.grades[one.prose]
    ranked = grades[np.argsort(-scores[one.prose], kind="stable")]
    discount = 1 / np.log2(2 + np.arange(min(5, len(ranked))))
    best = (np.sort(GAIN[grades])[::-1][: len(discount)] * discount).sum()
    found = np.flatnonzero(ranked == ranked.max())[0]
    return float(ranked[0]), float((GAIN[ranked][: len(discount)] * discount).sum() / best), 1 / (1 + float(found))


if __name__ == "__main__":
    main()
