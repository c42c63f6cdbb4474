"""Train the judge of cuts from judged ones, and say how well it judges others.

    python tools/cuts.py --data DATA --out src/mls/assets/forms/cuts.npz

`tools/cuts.jsonl.xz` holds 37,650 cuts, each a sentence without one of its parts, judged by a language model: is
what is left good English, and is it true? Judged twice, 240 of them, the answers agree in 98 of 100. What is printed
is by cross-validation: every cut is judged by networks that have not seen its document.
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

from judge import MARKS, documents
from mls.corpora.rows import json_rows
from mls.forms import cuts
from mls.forms.parts import candidates
from mls.forms.tree import ParsedSentence
from mls.parser.network import shipped_parser
from mls.perceptron import CLIP
from mls.text import Sentence, tokenize
from perceptrons import arguments, arrays_of, save, train

CUTS = Path(__file__).parent / "cuts.jsonl.xz"
WIDTH, DROPOUT, DECAY, EPOCHS, BATCH, FOLDS = 96, 0.5, 1e-2, 15, 256, 6


def main() -> None:
    args = arguments(__doc__)
    rows, seen = zip(*read_cuts(args.data), strict=True)
    seen = np.array(seen, dtype=np.float64)
    good = np.array([row["english"] and row["true"] for row in rows], dtype=np.float64)
    mean, scale = seen.mean(axis=0).astype(np.float32), (seen.std(axis=0) + 1e-6).astype(np.float32)
    given = torch.from_numpy(np.clip((seen - mean) / scale, -CLIP, CLIP)).float()
    fold = np.array([zlib.crc32(row["id"].encode()) % FOLDS for row in rows])
    found = np.zeros(len(rows))
    for number in range(FOLDS):
        found[fold == number] = judged(taught(given[fold != number], good[fold != number]), given[fold == number])
    report(rows, found, good, seen[:, 0] > 0)
    save(args.out, {"mean": mean, "scale": scale} | arrays_of(taught(given, good)))


def read_cuts(data: Path) -> Iterator[tuple[dict, NDArray[np.float64]]]:
    """Each judged cut that is still thought of, with what is seen of it."""
    rows = list(json_rows(CUTS))
    texts = texts_of(data, rows)
    of_sentence: dict[tuple[str, str, int, int], list[dict]] = {}
    for row in rows:
        of_sentence.setdefault((row["set"], row["id"], *row["span"]), []).append(row)
    sentences = [sentence_of(texts[name, identity][start:end]) for name, identity, start, end in of_sentence]
    parses = shipped_parser().parse([[token.text for token in sentence.tokens] for sentence in sentences])
    for judged_cuts, sentence, parse in zip(of_sentence.values(), sentences, parses, strict=True):
        parsed = ParsedSentence(sentence, parse)
        thought_of = {
            (sentence.tokens[min(part.tokens)].start, sentence.tokens[max(part.tokens)].end): (part, rules)
            for part, rules in candidates(parsed)
        }
        for row in judged_cuts:
            if found := thought_of.get(tuple(row["cut"])):
                part, rules = found
                yield row, cuts.features(parsed, part.head, part.tokens, rules)


def texts_of(data: Path, rows: Sequence[dict]) -> dict[tuple[str, str], str]:
    found = {("own", row["name"]): row["text"] for row in json_rows(MARKS) if row["set"] == "own"}
    for name in dict.fromkeys(row["set"] for row in rows if row["set"] != "own"):
        wanted = {row["id"] for row in rows if row["set"] == name}
        found |= {(name, identity): text for identity, text in documents(data / name) if identity in wanted}
    return found


def sentence_of(text: str) -> Sentence:
    return Sentence(0, text, tokenize(text), 0, 0, len(text))


def taught(given: Tensor, good: NDArray[np.float64]) -> list[nn.Sequential]:
    wanted = torch.from_numpy(good).float()

    def loss(net: nn.Module, numbers: NDArray[np.int64]) -> Tensor:
        return F.binary_cross_entropy_with_logits(net(given[numbers])[:, 0], wanted[numbers])

    return train(len(given), loss, given.size(1), WIDTH, DROPOUT, DECAY, EPOCHS, BATCH)


def judged(networks: Sequence[nn.Sequential], given: Tensor) -> NDArray[np.float64]:
    with torch.no_grad():
        return torch.sigmoid(torch.stack([net(given)[:, 0] for net in networks]).mean(0)).double().numpy()


def report(rows: Sequence[dict], found: NDArray, good: NDArray, allowed: NDArray) -> None:
    true = np.array([row["true"] for row in rows], dtype=np.float64)
    print(f"{len(rows)} cuts, {good.mean():.3f} of them good English and true\n")
    print("| cuts that are made | how many | good and true | true | allowed by the rules |\n|---|---|---|---|---|")
    print(line("by the rules alone", allowed, good, true, allowed))
    for least in (0.5, 0.7, 0.8, 0.85, 0.9, 0.95):
        print(line(f"probability {least:.2f} and more", found >= least, good, true, allowed))


def line(name: str, made: NDArray, good: NDArray, true: NDArray, allowed: NDArray) -> str:
    shares = " | ".join(f"{part[made].mean():.3f}" for part in (good, true, allowed))
    return f"| {name} | {made.sum()} | {shares} |"


if __name__ == "__main__":
    main()
