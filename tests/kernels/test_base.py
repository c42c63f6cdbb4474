"""The arithmetic that all kernels share."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from builders import BagOfWords, document, plain_documents, sentence, texts
from mls.kernels.base import Kernel, closeness, distributions, local_attention, symmetric_divergence
from mls.kernels.centrality import CentralityKernel
from mls.kernels.keywords import KeywordKernel
from mls.kernels.position import PositionKernel
from mls.kernels.topics import TopicKernel
from mls.text import Document

KERNELS: list[Kernel] = [TopicKernel(), KeywordKernel(), CentralityKernel(BagOfWords()), PositionKernel()]
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)


def rows(count: int, width: int) -> st.SearchStrategy[np.ndarray]:
    """Distributions that are either equal or clearly different."""
    row = st.lists(st.integers(1, 20), min_size=width, max_size=width)
    counts = st.lists(row, min_size=count, max_size=count)
    return counts.map(lambda values: np.array([[part / sum(one) for part in one] for one in values]))


pairs = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 6)).flatmap(
    lambda shape: st.tuples(rows(shape[0], shape[2]), rows(shape[1], shape[2]))
)


def divergence_by_hand(p: list[float], q: list[float]) -> float:
    """KL(p|q) + KL(q|p), as in a textbook."""
    there = sum(a * log(a / b) for a, b in zip(p, q, strict=True))
    return there + sum(b * log(b / a) for a, b in zip(p, q, strict=True))


@given(pairs)
def test_the_divergence_agrees_with_a_plain_loop(pair: tuple[np.ndarray, np.ndarray]) -> None:
    some, others = pair
    expected = [[divergence_by_hand(p, q) for q in others.tolist()] for p in some.tolist()]
    assert symmetric_divergence(some, others) == pytest.approx(np.array(expected), abs=1e-12)


@given(pairs)
def test_the_divergence_is_symmetric_and_zero_only_between_equals(pair: tuple[np.ndarray, np.ndarray]) -> None:
    some, others = pair
    found = symmetric_divergence(some, others)
    assert found == pytest.approx(symmetric_divergence(others, some).T, abs=1e-12)
    assert (found > -1e-12).all()
    equal = (np.abs(some[:, None, :] - others[None, :, :]) < 1e-12).all(axis=2)
    assert (equal == (found < 1e-10)).all()


@given(pairs)
def test_local_attention_is_the_mean_over_rows_and_components(pair: tuple[np.ndarray, np.ndarray]) -> None:
    embedded, kernel = pair
    terms = (embedded[:, None] - kernel[None]) * (np.log(embedded)[:, None] - np.log(kernel)[None])  # (N, r, n)
    assert local_attention(embedded, kernel) == pytest.approx(terms.mean(axis=1).mean(axis=1), abs=1e-12)


distances = st.lists(st.tuples(st.floats(0, 100), st.booleans()), min_size=1, max_size=8)


@given(distances)
def test_the_nearer_the_better_and_nothing_is_worse_than_no_evidence(told: list[tuple[float, bool]]) -> None:
    far, known = np.array([distance for distance, _ in told]), np.array([evidence for _, evidence in told])
    close = closeness(far, known)
    assert (close >= 0).all()
    assert (close[~known] == 0).all()
    if known.any():
        assert (close[known] == far[known].max() - far[known]).all()


@given(st.lists(st.lists(st.integers(0, 50), min_size=3, max_size=3), min_size=1, max_size=5), st.floats(0.001, 10))
def test_counts_become_distributions_without_a_zero(counts: list[list[int]], smoothing: float) -> None:
    smoothed = distributions(np.array(counts, dtype=np.float64), smoothing)
    assert (smoothed > 0).all()
    assert smoothed.sum(axis=1) == pytest.approx(np.ones(len(counts)))
    assert smoothed * (np.array(counts).sum(axis=1) + 3 * smoothing)[:, None] == pytest.approx(
        np.array(counts) + smoothing
    )


# --- what holds for every kernel ----------------------------------------------------------------


@every_kernel
@settings(max_examples=60)
@given(text=texts)
def test_every_sentence_of_any_text_gets_a_finite_score_and_always_the_same(kernel: Kernel, text: str) -> None:
    document = Document.parse(text)
    assume(document.sentences)
    judged = [*document.sentences, sentence("Strangers came."), sentence("?!")]
    scores = kernel.score(document, judged)
    assert scores.shape == (len(judged),)
    assert np.isfinite(scores).all()
    assert (scores >= 0).all()
    assert np.array_equal(scores, kernel.score(Document.parse(text), judged))


@every_kernel
@settings(max_examples=40)
@given(document=plain_documents)
def test_scores_do_not_depend_on_the_order_of_asking(kernel: Kernel, document: Document) -> None:
    scores = kernel.score(document, document.sentences)
    backwards = kernel.score(document, document.sentences[::-1])[::-1]
    assert backwards == pytest.approx(scores)


@pytest.mark.parametrize("kernel", KERNELS[:3], ids=lambda kernel: kernel.name)
@settings(max_examples=60)
@given(document=plain_documents)
def test_a_sentence_without_evidence_never_beats_one_with_it(kernel: Kernel, document: Document) -> None:
    stranger = sentence("Zyzzyva qwertz xylophone?")
    scores = kernel.score(document, [*document.sentences, stranger])
    assert scores[-1] <= scores[:-1].min()


def test_kernels_ask_their_question() -> None:
    for kernel in KERNELS:
        assert isinstance(kernel, Kernel)
        assert kernel.question.endswith("?")
    assert len({kernel.name for kernel in KERNELS}) == len(KERNELS)


@given(st.integers(1, 4), st.integers(1, 12))
def test_a_shuffled_matrix_is_the_same_in_another_order(rows: int, columns: int) -> None:
    matrix = np.arange(rows * columns, dtype=np.float64).reshape(rows, columns)
    kernel = KeywordKernel()
    assert kernel.arranged(matrix) is matrix
    mixed = kernel.shuffled().arranged(matrix)
    assert sorted(map(sorted, mixed.tolist())) == sorted(map(sorted, matrix.tolist()))
    assert sorted(map(sorted, mixed.T.tolist())) == sorted(map(sorted, matrix.T.tolist()))
    assert not kernel.is_shuffled


@pytest.mark.parametrize("kernel", [TopicKernel(), KeywordKernel(), CentralityKernel(BagOfWords())])
def test_a_shuffled_kernel_judges_otherwise(kernel: TopicKernel | KeywordKernel | CentralityKernel) -> None:
    source = document(
        "The council closed the old bridge.", "The bridge carried the market road.", "Rain fell on the council.",
        "Nobody spoke of the winter.", "The old bridge and the market road are the council's.",
    )  # fmt: skip
    honest, mixed = (one.score(source, source.sentences) for one in (kernel, kernel.shuffled()))
    assert not np.allclose(honest, mixed)
    assert np.isfinite(mixed).all()
