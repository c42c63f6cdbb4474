"""Selected tokens are what the summary takes up, at the place where it first stands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mls.training.selection import selected_positions

RARE = 200


def selected(document: list[int], summary: list[int]) -> set[int]:
    return selected_positions(document, summary, lambda number: number < RARE)


ids = st.lists(st.integers(RARE, RARE + 6), max_size=12)


@given(ids, ids)
def test_selected_words_are_said_in_the_summary(document: list[int], summary: list[int]) -> None:
    chosen = set(selected(document, summary))
    assert all(0 <= position < len(document) for position in chosen)
    assert {document[position] for position in chosen} == set(document) & set(summary)


@given(ids)
def test_a_summary_that_is_the_document_selects_all(document: list[int]) -> None:
    assert sorted(selected(document, document)) == list(range(len(document)))


@given(ids, st.integers(0, 12), st.integers(0, 12))
def test_a_run_of_the_document_is_selected_where_it_first_stands(document: list[int], first: int, length: int) -> None:
    run = document[first : first + length]
    chosen = sorted(selected(document, run))
    starts = [position for position in range(len(document)) if document[position : position + len(run)] == run]
    assert chosen == (list(range(starts[0], starts[0] + len(run))) if run else [])


@given(ids, ids)
def test_nothing_is_selected_where_nothing_is_shared(document: list[int], summary: list[int]) -> None:
    assert not set(selected(document, [word + 100 for word in summary]))


def test_a_frequent_word_counts_only_in_company() -> None:
    the, dog, sea = 5, RARE, RARE + 1
    assert sorted(selected([the, dog, the, sea], [the, sea])) == [2, 3]
    assert sorted(selected([the, dog, the, sea], [the])) == []
    assert sorted(selected([the, dog, the, sea], [dog])) == [1]
