"""What could be said next: the chances add up, and none of the likeliest is missed."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mls.prototype.probabilities import Floats, Ids, SourceWords, WordProbabilities
from mls.vocabulary import PAD, STOP


def softmax(random: np.random.Generator, *shape: int, sharpness: float) -> Floats:
    weights = np.exp(random.normal(size=shape) * sharpness)
    return (weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32)


class Case:
    """Two documents with three beams each, and what a network might want of them."""

    def __init__(self, seed: int, vocabulary: int, floor: float, sharpness: float) -> None:
        random = np.random.default_rng(seed)
        self.source: Ids = random.integers(4, vocabulary + 8, size=(2, 9))
        self.source[1, 6:] = PAD
        self.vocabulary = softmax(random, 2, 3, vocabulary, sharpness=sharpness)
        self.p_gen = random.uniform(size=(2, 3)).astype(np.float32)
        self.attention = softmax(random, 2, 3, 9, sharpness=sharpness)
        self.attention[1, :, 6:] = 0.0
        self.attention /= self.attention.sum(axis=2, keepdims=True)
        self.selected = random.uniform(size=(2, 9)).astype(np.float32)
        self.words = SourceWords.of(self.source, self.selected, floor)

    def probabilities(self) -> WordProbabilities:
        return WordProbabilities(self.words, self.vocabulary.copy(), self.p_gen, self.attention)

    def expected(self, document: int, beam: int) -> dict[int, float]:
        """PG (9), word by word."""
        weights = np.ones(9) if self.words.weights is None else self.words.weights[document]
        attention = self.attention[document, beam] * weights
        attention = attention / max(attention.sum(), 1e-9)
        p_gen = float(self.p_gen[document, beam])
        total: dict[int, float] = defaultdict(float)
        for word, probability in enumerate(self.vocabulary[document, beam].tolist()):
            total[word] += p_gen * probability
        for word, share in zip(self.source[document].tolist(), attention.tolist(), strict=True):
            total[word] += (1 - p_gen) * share
        return {word: probability for word, probability in total.items() if word >= STOP}


cases = st.builds(
    Case,
    seed=st.integers(0, 10_000),
    vocabulary=st.sampled_from([20, 260, 1013]),
    floor=st.sampled_from([0.0, 0.5]),
    sharpness=st.sampled_from([0.3, 3.0]),
)


@given(cases, st.integers(1, 6))
def test_the_likeliest_are_found_with_their_chances(case: Case, count: int) -> None:
    found = case.probabilities().likeliest(count)
    for document, beam in np.ndindex(2, 3):
        here = (found.documents == document) & (found.beams == beam)
        probabilities = dict(zip(found.tokens[here].tolist(), found.probabilities[here].tolist(), strict=True))
        expected = case.expected(document, beam)
        best = sorted(expected, key=lambda word: -expected[word])[:count]
        least = min(expected[word] for word in best)
        assert {word for word in best if expected[word] > least * (1 + 1e-5)} <= set(probabilities)
        assert all(np.isclose(probability, expected[word], rtol=1e-5) for word, probability in probabilities.items())


@given(cases, st.integers(0, 8), st.integers(0, 2))
def test_what_is_barred_is_not_said_by_that_beam(case: Case, position: int, beam: int) -> None:
    probabilities = case.probabilities()
    word = case.source[0, position]
    probabilities.bar(np.array([0]), np.array([beam]), np.array([word]), np.array([position]))
    probabilities.bar_stop(np.array([True, False]))
    found = probabilities.likeliest(400)
    said = set(zip(found.documents.tolist(), found.beams.tolist(), found.tokens.tolist(), strict=True))
    assert (0, beam, word) not in said
    assert not {(0, beam, STOP) for beam in range(3)} & said
    assert (1, 0, STOP) in said


@given(cases)
def test_rows_that_stay_are_as_they_were(case: Case) -> None:
    both = case.probabilities()
    staying = np.array([1])
    alone = WordProbabilities(
        case.words.rows(staying), case.vocabulary[staying].copy(), case.p_gen[staying], case.attention[staying]
    )
    assert np.array_equal(alone.total[0], both.total[1])
    assert np.array_equal(alone.copied[0], both.copied[1])


@given(cases, st.integers(0, 5))
def test_a_word_comes_from_where_the_beam_looks_most(case: Case, position: int) -> None:
    probabilities = case.probabilities()
    word = case.source[1, position]
    parents, tokens = np.zeros((2, 3), dtype=np.int64), np.full((2, 3), word)
    positions, copied = probabilities.origins(parents, tokens)
    assert case.source[1, positions[1, 0]] == word
    found = np.flatnonzero(case.source[1] == word)
    assert positions[1, 0] == found[np.argmax(probabilities.attention[1, 0, found])]
    if word >= case.vocabulary.shape[2]:
        assert copied[1, 0]
