"""Expansion sets: the runs of source sentences that come nearest to a drafted sentence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given as tried_on
from hypothesis import strategies as st

from builders import BagOfWords, document, drafted, given, plain_documents, plain_sentences
from mls.embedding.base import unit_rows
from mls.magnifier.expansion import BEAM, Candidate, find_expansions
from mls.magnifier.units import Unit
from mls.text import Document

SIZES = (3, 2, 1)


def expansions(
    drafts: list[Unit], source: Document, sizes: tuple[int, ...] = SIZES
) -> list[dict[int, tuple[Candidate, ...]]]:
    units = [*drafts, *given(source, len(drafts))]
    vectors = unit_rows(BagOfWords().embed([unit.sentence for unit in units]))
    return list(find_expansions(units, len(drafts), vectors, sizes).candidates)


def verbatim(source: Document, index: int) -> Unit:
    return Unit(0, "prototype", source.sentences[index], index)


def by_hand(text: str, source: Document, size: int) -> dict[int, float]:
    """The score of every run of this size: mean cosine x share of the sentence's words."""
    said = set(drafted(text).sentence.words)
    vectors = BagOfWords().embed([drafted(text).sentence, *source.sentences])
    cosines = [float(vectors[0] @ one / np.linalg.norm(vectors[0]) / np.linalg.norm(one)) for one in vectors[1:]]
    scores = {}
    for first in range(len(source.sentences) - size + 1):
        words = {word for one in source.sentences[first : first + size] for word in one.words}
        scores[first] = float(np.mean(cosines[first : first + size])) * len(said & words) / len(said)
    return scores


@tried_on(plain_sentences, plain_documents)
def test_candidates_are_the_best_runs_of_a_short_document(text: str, source: Document) -> None:
    """With no more sentences than the beam holds, the beam misses nothing."""
    source = document(*[one.text for one in source.sentences[:BEAM]])
    (found,) = expansions([drafted(text)], source)
    assert set(found) == set(SIZES)
    for size, candidates in found.items():
        scores = by_hand(text, source, size)
        assert [one.score for one in candidates] == pytest.approx(
            sorted(scores.values(), reverse=True)[:BEAM], abs=1e-5
        )
        assert [one.score for one in candidates] == pytest.approx([scores[one.first] for one in candidates], abs=1e-5)
        assert len({one.first for one in candidates}) == len(candidates)


@tried_on(plain_sentences, plain_documents, st.integers(0, 8))
def test_candidates_are_runs_within_the_document(text: str, source: Document, index: int) -> None:
    own, taken = expansions([drafted(text), verbatim(source, index % len(source.sentences))], source)
    for found in (own, taken):
        for size, candidates in found.items():
            assert len(candidates) <= BEAM
            for one in candidates:
                assert one.size == size == len(one.sentences)
                assert one.sentences[0] >= 0
                assert one.sentences[-1] < len(source.sentences)
                assert 0 <= one.similarity <= 1 + 1e-6
                assert 0 <= one.overlap <= 1
                assert one.score == one.similarity * one.overlap


@tried_on(plain_documents, st.integers(0, 8))
def test_a_verbatim_sentence_is_widened_never_replaced_by_itself_or_others(source: Document, index: int) -> None:
    index %= len(source.sentences)
    (found,) = expansions([verbatim(source, index)], source)
    assert found[1] == ()
    for size in (2, 3):
        firsts = {first for first in range(index - size + 1, index + 1) if 0 <= first <= len(source.sentences) - size}
        assert {one.first for one in found[size]} == firsts
        assert all(one.overlap == 1 for one in found[size])


def test_the_beam_holds_a_few_of_a_long_document() -> None:
    source = document(
        *[f"Rain fell on {'street ' * (n % 5)}number{n}." for n in range(60)], "Heavy rain fell on Oslo harbour."
    )
    (found,) = expansions([drafted("Heavy rain on Oslo harbour.")], source)
    assert [len(found[size]) for size in SIZES] == [BEAM] * 3
    assert [found[size][0].sentences[-1] for size in SIZES] == [60, 60, 60]


def test_the_nearest_sentence_is_the_best_expansion_of_one() -> None:
    source = document("Dogs barked all night.", "Heavy rain fell on Oslo.", "Nobody slept.")
    (found,) = expansions([drafted("Rain fell on Oslo.")], source)
    best = found[1][0]
    assert best.first == 1
    assert best.overlap == 1.0
    assert best.similarity == pytest.approx(4 / (2 * 5**0.5))


def test_a_sentence_like_nothing_in_the_document_has_candidates_worth_nothing() -> None:
    (found,) = expansions([drafted("Zyzzyva qwertz.")], document("Rain fell.", "Dogs barked."))
    assert [one.score for one in found[1]] == [0.0, 0.0]
    assert [one.first for one in found[1]] == [0, 1]


def test_no_draft_no_expansions() -> None:
    assert expansions([], document("Rain fell.")) == []
