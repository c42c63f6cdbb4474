"""Batches of similar length, in an order that depends on the seed alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mls.training.cache import Corpus
from mls.training.config import Phase
from mls.vocabulary import PAD, START, STOP

_POOL = 64  # batches that are sorted together: enough to be alike, few enough to stay mixed


@dataclass(frozen=True)
class Batch:
    """Padded ids; B examples, S source tokens, T target tokens."""

    source: Tensor  # (B, S)
    selected: Tensor  # (B, S), 1.0 where the summary takes the token up
    inputs: Tensor  # (B, T), what the decoder reads
    targets: Tensor  # (B, T), what it should say
    lengths: Tensor  # (B,), tokens of the whole summary, also where the targets are cut

    def rows(self, share: slice) -> Batch:
        """Some of the examples."""
        return Batch(*(getattr(self, part.name)[share] for part in fields(self)))


@dataclass(frozen=True)
class Pairs:
    """Documents and their summaries, as a network that writes summaries is trained on them."""

    corpus: Corpus

    def __len__(self) -> int:
        return len(self.corpus)

    def order(self, batch_size: int, seed: int, epoch: int) -> list[NDArray[np.int64]]:
        return epoch_order(self.corpus, batch_size, seed, epoch)

    def batch(self, examples: NDArray[np.int64], phase: Phase | None, _random: np.random.Generator | None) -> Batch:
        if phase is None:
            raise ValueError("a network that writes summaries is trained in phases")
        return assemble(self.corpus, examples, phase.source_tokens, phase.target_tokens)


def epoch_order(corpus: Corpus, batch_size: int, seed: int, epoch: int) -> list[NDArray[np.int64]]:
    """The examples of every batch of one epoch."""
    random = np.random.default_rng([seed, epoch])
    shuffled = random.permutation(len(corpus))
    lengths = np.diff(corpus.target_ends, prepend=0) + np.diff(corpus.source_ends, prepend=0) // 64 * 10_000
    return alike_in_length(shuffled, lengths, batch_size, random)


def alike_in_length(
    shuffled: NDArray[np.int64], lengths: NDArray[np.int64], batch_size: int, random: np.random.Generator
) -> list[NDArray[np.int64]]:
    """Batches of examples of similar length, which waste little on padding, in a new order."""
    batches = []
    for start in range(0, len(shuffled), _POOL * batch_size):
        pool = shuffled[start : start + _POOL * batch_size]
        alike = pool[np.argsort(lengths[pool], kind="stable")]
        batches += [alike[first : first + batch_size] for first in range(0, len(alike), batch_size)]
    return [batches[number] for number in random.permutation(len(batches))]


def assemble(corpus: Corpus, examples: NDArray[np.int64], source_length: int, target_length: int) -> Batch:
    """Cut the examples to length and pad them. A summary that is cut gets no stop token."""
    sources, marks, inputs, targets, lengths = [], [], [], [], []
    for index in examples.tolist():
        source, selected, target = corpus.example(index)
        lengths.append(len(target))
        target = np.append(target, STOP)[:target_length]
        sources.append(source[:source_length])
        marks.append(selected[:source_length])
        inputs.append(np.concatenate([[START], target[:-1]]))
        targets.append(target)
    return Batch(_pad(sources), _pad(marks).float(), _pad(inputs), _pad(targets), torch.tensor(lengths))


def _pad(rows: Sequence[NDArray[Any]]) -> Tensor:
    padded = np.full((len(rows), max(map(len, rows))), PAD, dtype=np.int64)
    for row, values in zip(padded, rows, strict=True):
        row[: len(values)] = values
    return torch.from_numpy(padded)
