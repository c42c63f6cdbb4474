"""Batches: every example once an epoch, alike in length, in an order the seed decides."""

from __future__ import annotations

import os

import pytest

if not os.environ.get("CI"):  # there torch must be installed
    pytest.importorskip("torch")

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mls.training.batches import assemble, epoch_order
from mls.training.cache import Corpus
from mls.vocabulary import PAD, START, STOP

lengths = st.lists(st.tuples(st.integers(1, 300), st.integers(1, 30)), min_size=1, max_size=60)
sizes, seeds = st.integers(1, 9), st.integers(0, 1000)


def corpus_of(lengths: list[tuple[int, int]]) -> Corpus:
    """Examples of these many source and target tokens, all of them different words."""
    sources, targets = np.array(lengths).T
    source = np.arange(10, 10 + sources.sum(), dtype=np.int32)
    target = np.arange(50_000, 50_000 + targets.sum(), dtype=np.int32)
    return Corpus(source, (source % 3 == 0).astype(np.uint8), sources.cumsum(), target, targets.cumsum())


def order(corpus: Corpus, size: int, seed: int, epoch: int = 0) -> list[list[int]]:
    return [batch.tolist() for batch in epoch_order(corpus, size, seed, epoch)]


@given(lengths, sizes, seeds, st.integers(0, 3))
def test_every_example_once(lengths: list[tuple[int, int]], size: int, seed: int, epoch: int) -> None:
    batches = order(corpus_of(lengths), size, seed, epoch)
    assert sorted(example for batch in batches for example in batch) == list(range(len(lengths)))
    assert sorted(map(len, batches))[1:] == [size] * (len(batches) - 1)
    assert max(map(len, batches)) <= size


@given(lengths, sizes, seeds)
def test_the_seed_and_the_epoch_decide(lengths: list[tuple[int, int]], size: int, seed: int) -> None:
    assert order(corpus_of(lengths), size, seed) == order(corpus_of(lengths), size, seed)


def test_another_epoch_or_seed_has_another_order() -> None:
    corpus = corpus_of([(5, 5)] * 40)
    orders = [order(corpus, 4, seed, epoch) for seed in range(3) for epoch in range(3)]
    assert len({str(one) for one in orders}) == 9


def test_batches_are_alike_in_length() -> None:
    random = np.random.default_rng(0)
    lengths = np.stack([random.integers(1, 400, 512), random.integers(1, 100, 512)], 1).tolist()
    batches = order(corpus_of(lengths), 8, seed=1)
    padding = [sum(max(lengths[e][0] for e in batch) - lengths[example][0] for example in batch) for batch in batches]
    assert sum(padding) / sum(source for source, _ in lengths) < 0.2  # by chance it would be more than 0.7


@given(lengths, st.integers(1, 40), st.integers(1, 12))
def test_a_batch_is_its_examples_cut_and_padded(
    lengths: list[tuple[int, int]], source_length: int, target_length: int
) -> None:
    corpus = corpus_of(lengths)
    batch = assemble(corpus, np.arange(len(lengths)), source_length, target_length)
    assert batch.source.shape == batch.selected.shape
    assert batch.inputs.shape == batch.targets.shape
    for row in range(len(lengths)):
        source, selected, target = (part.tolist() for part in corpus.example(row))
        wanted = [*target, STOP][:target_length]
        assert batch.source[row].tolist() == _padded(source[:source_length], batch.source.shape[1])
        assert batch.selected[row].tolist() == _padded(selected[:source_length], batch.source.shape[1])
        assert batch.targets[row].tolist() == _padded(wanted, batch.targets.shape[1])
        assert batch.inputs[row].tolist() == _padded([START, *wanted[:-1]], batch.targets.shape[1])


def _padded(values: list[int], length: int) -> list[int]:
    return values + [PAD] * (length - len(values))


@given(lengths)
def test_examples_are_told_apart(lengths: list[tuple[int, int]]) -> None:
    corpus = corpus_of(lengths)
    assert len(corpus) == len(lengths)
    examples = [corpus.example(index) for index in range(len(lengths))]
    assert [(len(source), len(target)) for source, _, target in examples] == lengths
    assert np.concatenate([source for source, _, _ in examples]).tolist() == corpus.source.tolist()
