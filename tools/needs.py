"""Train the judge of needs from marked texts, and say how well it judges others.

    python tools/needs.py --data DATA --out src/mls/assets/judge/needs.npz

`tools/marks.jsonl.xz` says of every sentence of 1,933 texts which others a reader must have read to understand it, as
the language model said that graded them. Texts whose name has `val` in it are never trained on: what is printed is of
them alone, with the rules of `mls.leaning` beside the judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from judge import MARKS, document_of, texts_of
from mls.corpora.rows import json_rows
from mls.judge.network import shipped_judge
from mls.leaning import leanings
from mls.needs import Pairs, inputs
from mls.parser.network import shipped_parser
from mls.perceptron import CLIP
from mls.text import Document
from perceptrons import arguments, arrays_of, save, train

WIDTH, DROPOUT, DECAY, EPOCHS, BATCH = 48, 0.3, 1e-2, 5, 512
FEWEST = 4  # sentences of a text that is learned from
Edges = dict[int, set[int]]


@dataclass(frozen=True)
class Lessons:
    """A text: the pairs of its sentences, what is seen of them, and which are needed, as marked and by the rules."""

    name: str
    prose: list[int]
    pairs: list[tuple[int, int]]
    seen: NDArray[np.float32]
    marked: Edges
    ruled: Edges

    @property
    def needed(self) -> NDArray[np.float32]:
        return np.array([other in self.marked.get(one, ()) for one, other in self.pairs], dtype=np.float32)


def main() -> None:
    args = arguments(__doc__)
    lessons = list(read_lessons(args.data))
    taught = [one for one in lessons if "-val" not in one.name]
    seen = np.concatenate([one.seen for one in taught])
    mean, scale = seen.mean(axis=0), seen.std(axis=0) + 1e-6
    networks = taught_by(scaled(seen, mean, scale), np.concatenate([one.needed for one in taught]))
    save(args.out, {"mean": mean, "scale": scale} | arrays_of(networks))
    report([one for one in lessons if "-val" in one.name], lambda one: judged(networks, one, mean, scale))


def read_lessons(data: Path) -> Iterator[Lessons]:
    rows = list(json_rows(MARKS))
    texts = dict(texts_of(data, rows))
    for row in (row for row in rows if "needs" in row):
        document = document_of(row, texts)
        if len(document.sentences) < FEWEST:
            continue
        parses = shipped_parser().parse([[token.text for token in sentence.tokens] for sentence in document.sentences])
        rules, own = leanings(document, parses), shipped_judge().seen(document, parses)
        pairs = Pairs(document, parses, rules, shipped_judge()(document, parses))
        if not len(pairs.one):
            continue
        prose = np.array(pairs.prose)
        ones, others = prose[pairs.one], prose[pairs.other]
        told = inputs(pairs.seen(), own[ones], own[others]).astype(np.float32)
        ruled = {i: {n.on for n in leans if n.on is not None and not n.droppable} for i, leans in enumerate(rules)}
        both = list(zip(ones.tolist(), others.tolist(), strict=True))
        yield Lessons(row["name"], pairs.prose, both, told, needs_of(document, row), ruled)


def needs_of(document: Document, row: dict) -> Edges:
    """The sentences that each needs, by the marked stretches that are mostly in them."""
    spans = list(zip(row["spans"][::2], row["spans"][1::2], strict=True))
    within: list[list[int]] = [[] for _ in spans]
    for sentence in document.sentences:
        for number, (start, end) in enumerate(spans):
            shared = min(end, sentence.end) - max(start, sentence.start)
            if shared > 0.5 * min(end - start, sentence.end - sentence.start):
                within[number].append(sentence.index)
    found: Edges = {}
    for number, needs in enumerate(row["needs"]):
        named = {int(other) for other in needs.split(",") if other.strip().isdigit()} & {*range(len(spans))}
        for index in within[number]:
            others = {other for name in named if index not in within[name] for other in within[name]}
            found.setdefault(index, set()).update(others)
    return found


def scaled(seen: NDArray[np.float32], mean: NDArray, scale: NDArray) -> Tensor:
    return torch.from_numpy(np.clip((seen - mean) / scale, -CLIP, CLIP))


def taught_by(given: Tensor, needed: NDArray[np.float32]) -> list[nn.Sequential]:
    wanted = torch.from_numpy(needed)

    def loss(net: nn.Module, numbers: NDArray[np.int64]) -> Tensor:
        return F.binary_cross_entropy_with_logits(net(given[numbers])[:, 0], wanted[numbers])

    return train(len(given), loss, given.size(1), WIDTH, DROPOUT, DECAY, EPOCHS, BATCH)


def judged(networks: list[nn.Sequential], one: Lessons, mean: NDArray, scale: NDArray) -> NDArray[np.float64]:
    with torch.no_grad():
        given = scaled(one.seen, mean, scale)
        return torch.sigmoid(torch.stack([net(given)[:, 0] for net in networks]).mean(0)).double().numpy()


def report(held_out: list[Lessons], judge: Callable[[Lessons], NDArray[np.float64]]) -> None:
    """Of pairs precision and recall; of sentences that need another, how often one and how often the right one."""
    heads = "told by | pairs: precision | recall | needs any: precision | recall | a right one"
    print(f"| {heads} |\n|{'---|' * 6}")
    print(line("the rules", [(one, one.ruled) for one in held_out]))
    probabilities = [judge(one) for one in held_out]
    for least in (0.15, 0.2, 0.3, 0.4, 0.5):
        found = []
        for one, likely in zip(held_out, probabilities, strict=True):
            edges: Edges = {}
            for (first, other), probability in zip(one.pairs, likely, strict=True):
                if probability >= least:
                    edges.setdefault(first, set()).add(other)
            found.append((one, edges))
        print(line(f"the judge, from {least:.2f}", found))


def line(name: str, told: list[tuple[Lessons, Edges]]) -> str:
    sentences = [(one.marked.get(i, set()), edges.get(i, set())) for one, edges in told for i in one.prose]
    right = sum(len(marked & found) for marked, found in sentences)
    needing = [(marked, found) for marked, found in sentences if marked]
    any_of_them = sum(bool(found) for _, found in needing)
    shares = (
        right / max(1, sum(len(found) for _, found in sentences)), right / sum(len(marked) for marked, _ in sentences),
        any_of_them / max(1, sum(bool(found) for _, found in sentences)), any_of_them / len(needing),
        sum(bool(marked & found) for marked, found in needing) / len(needing),
    )  # fmt: skip
    return f"| {name} | {' | '.join(f'{share:.2f}' for share in shares)} |"


if __name__ == "__main__":
    main()
