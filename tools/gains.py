"""Train the judge of gains from graded moves, and say how well it judges others.

    python tools/gains.py --data DATA --out src/mls/assets/judge/gains.npz

`tools/gains.jsonl.xz` holds, for 1,284 texts, single lines that were read as all that somebody sees of the text, and
lines that might be added to what a summary of it says: forms of its sentences. Language models that knew nothing of
how they were made graded each from 0 to 3. Of a line alone: does it say the most important thing, does it stand alone,
is it good English, is it true? Of one that is added: how much does it add, and how well does it stand there?
What is printed is by cross-validation: every move is judged by networks that have not seen its document; and where the
judge of sentences has learned from a document, its worth is told by one that has not.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from cuts import judged, texts_of
from judge import is_taught, prepared, read_marked, save_judge, taught_by
from mls.analysis import Analysis
from mls.budget import Measure
from mls.corpora.rows import json_rows
from mls.evaluation.bootstrap import estimate
from mls.forms.ladder import Form
from mls.judge.network import Judge, shipped_judge
from mls.kernels.base import Scores
from mls.magnifier.growth import Growth
from mls.parser.network import document_parser
from mls.perceptron import CLIP
from mls.summarizer import Summarizer
from mls.text import Document
from perceptrons import arguments, arrays_of, save, train

GRADED = Path(__file__).parent / "gains.jsonl.xz"
WIDTH, DROPOUT, DECAY, EPOCHS, BATCH, FOLDS = 48, 0.5, 1e-2, 15, 128, 6
JUDGES = 5  # each has not seen a part of the marked texts
MISLEADS = 0.3  # what is taken off for a line that does


@dataclass(frozen=True)
class Move:
    """A graded move, what is seen of it, and what it was worth before there was a judge."""

    text: str  # whose it is
    alone: bool
    grades: tuple[int, ...]
    seen: list[float]
    before: float

    @property
    def is_acceptable(self) -> bool:
        return min(self.grades) >= 2

    @property
    def misleads(self) -> bool:
        return self.grades[-1] < (2 if self.alone else 1)

    @property
    def gain(self) -> float:
        """Half for being acceptable, half for the sum of its grades."""
        mean = sum(self.grades) / (3 * len(self.grades))
        return max(0.0, 0.5 * self.is_acceptable + 0.5 * mean - MISLEADS * self.misleads)


def main() -> None:
    args = arguments(__doc__)
    moves = list(read_moves(args.data))
    seen = np.array([move.seen for move in moves], dtype=np.float64)
    gains = np.array([move.gain for move in moves])
    mean, scale = seen.mean(axis=0).astype(np.float32), (seen.std(axis=0) + 1e-6).astype(np.float32)
    given = torch.from_numpy(np.clip((seen - mean) / scale, -CLIP, CLIP)).float()
    fold = np.array([zlib.crc32(move.text.encode()) % FOLDS for move in moves])
    found = np.zeros(len(moves))
    for number in range(FOLDS):
        found[fold == number] = judged(taught(given[fold != number], gains[fold != number]), given[fold == number])
    report(moves, found)
    save(args.out, {"mean": mean, "scale": scale} | arrays_of(taught(given, gains)))


def read_moves(data: Path) -> Iterator[Move]:
    """Each graded move that is still thought of, with what is seen of it."""
    for row, analysis in read_graded(data, GRADED, some_turns):
        yield from moves_of(f"{row['id']} {row.get('turns', (None,))[0]}", row, analysis)


def some_turns(row: dict, text: str) -> str:
    first, last = row.get("turns", (None, None))
    return "\n".join(text.split("\n")[first:last]) if "turns" in row else text


def read_graded(
    data: Path, graded: Path, text_of: Callable[[dict, str], str | Document]
) -> Iterator[tuple[dict, Analysis]]:
    """Each graded text, read; where the judge of sentences has learned from it, by one that has not."""
    rows = list(json_rows(graded))
    texts = texts_of(data, rows)
    summarizer = Summarizer()
    importance = next(kernel for kernel in summarizer.kernels if kernel.name == "importance")
    with TemporaryDirectory() as folder:
        judges = held_out_judges(data, Path(folder))
        for row in rows:
            judge = judges[fold_of(row["marked"])] if "marked" in row else shipped_judge()
            importance.judge = partial(asked, judge)
            yield row, summarizer.read(text_of(row, texts[row["set"], row["id"]]))


def fold_of(name: str) -> int:
    return zlib.crc32(name.encode()) % JUDGES


def asked(judge: Judge, document: Document) -> Scores:
    return judge(document, document_parser()(document))


def held_out_judges(data: Path, folder: Path) -> list[Judge]:
    """Judges of sentences, each of which has not seen some of the marked texts."""
    marked = [one for one in read_marked(data) if is_taught(one)]
    for number in range(JUDGES):
        own = [one for one in marked if fold_of(one.name) != number]
        weights = prepared(own)
        save_judge(folder / f"{number}.npz", weights, taught_by(own, weights))
    return [Judge(folder / f"{number}.npz", shipped_judge().listed) for number in range(JUDGES)]


def moves_of(text: str, row: dict, analysis: Analysis) -> Iterator[Move]:
    places = {(sentence.start, sentence.end): sentence.index for sentence in analysis.document.sentences}
    there = [places.get(tuple(span)) for span in row.get("there", ())]
    for alone, beside, graded in ((True, [], row["alone"]), (False, there, row.get("added", ()))):
        if None in beside:
            continue
        growth = Growth(analysis, Measure("words"), sum(map(len, places)))
        growth.forms = {index: growth.ladders.fullest(index) for index in beside}
        for index in beside:
            growth._hear(index)
        for span, runs, grades in graded:
            index = places.get(tuple(span))
            form = None if index is None else form_of(analysis, index, runs)
            if form:
                power = 0.1 if alone else 1.0
                before = growth._wanted(index) * growth.unheard[index] * form.share**power * form.sure
                yield Move(text, alone, tuple(map(int, grades)), growth.seen(index, {index: form}), before)


def form_of(analysis: Analysis, index: int, runs: list[int]) -> Form | None:
    """The form of a sentence that keeps some tokens, if it still has one."""
    kept = tuple(token for first, last in zip(runs[::2], runs[1::2], strict=True) for token in range(first, last))
    forms = (form for opener in (False, True) for form in analysis.ladders.forms(index, opener))
    return next((form for form in forms if form.kept == kept), None)


def taught(given: Tensor, gains: NDArray[np.float64]) -> list[nn.Sequential]:
    wanted = torch.from_numpy(gains).float()

    def loss(net: nn.Module, numbers: NDArray[np.int64]) -> Tensor:
        return F.binary_cross_entropy_with_logits(net(given[numbers])[:, 0], wanted[numbers])

    return train(len(given), loss, given.size(1), WIDTH, DROPOUT, DECAY, EPOCHS, BATCH)


def report(moves: list[Move], found: NDArray[np.float64]) -> None:
    """Means with 95% intervals over documents, of the move of each that is put first."""
    rivals = {
        "the judge": found,
        "worth and share": np.array([move.before for move in moves]),
        "chance": np.random.default_rng(0).random(len(moves)),
        "the best there is": np.array([move.gain for move in moves]),
    }
    print("| moves | put first by | acceptable | mean grade | misleading |\n|---|---|---|---|---|")
    for alone, name in ((True, "a line alone"), (False, "a line that is added")):
        for ranked_by, scores in rivals.items():
            first = chosen(moves, scores, alone)
            columns = zip(*((move.is_acceptable, np.mean(move.grades), move.misleads) for move in first), strict=True)
            cells = (estimate([float(value) for value in column]) for column in columns)
            shown = " | ".join(f"{cell.mean:.3f} ({cell.low:.3f} to {cell.high:.3f})" for cell in cells)
            print(f"| {name}, {len(first)} | {ranked_by} | {shown} |")


def chosen(moves: list[Move], scores: NDArray[np.float64], alone: bool) -> list[Move]:
    """Of each text the move with the highest score."""
    found: dict[str, tuple[float, Move]] = {}
    for move, score in zip(moves, scores, strict=True):
        if move.alone == alone and (move.text not in found or score > found[move.text][0]):
            found[move.text] = score, move
    return [move for _, move in found.values()]


if __name__ == "__main__":
    main()
