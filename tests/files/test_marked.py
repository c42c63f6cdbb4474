"""Marks: where they lie in a text that is put together, whatever it is put together from."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from file_makers import check
from mls.files.marked import KINDS, Blocks, Mark, MarkedText, merged

TEXTS = st.text(" \n\tab.", max_size=8)


@given(st.lists(st.tuples(TEXTS, st.none() | st.sampled_from(KINDS), st.none() | st.integers(0, 2))))
def test_each_mark_goes_exactly_around_its_block(added: list[tuple[str, str | None, int | None]]) -> None:
    blocks = Blocks()
    for text, kind, run in added:
        blocks.add(text, kind, run)
    found = blocks.whole()
    check(found)
    expected = [
        (kind, text.strip("\n").rstrip() if kind == "code" else text.strip())
        for text, kind, _ in added
        if kind and text.strip()
    ]
    assert [(mark.kind, found.text[mark.start : mark.end]) for mark in found.marks] == expected
    assert bool(blocks) == bool(found.text)


def test_a_run_stands_line_below_line() -> None:
    blocks = Blocks()
    for text, run in (("a", 1), ("b", 1), ("", None), ("c", 2), ("d", None), ("e", None)):
        blocks.add(text, "list-item", run)
    assert blocks.whole().text == "a\nb\n\nc\n\nd\n\ne"


def test_a_part_brings_its_marks() -> None:
    blocks = Blocks()
    blocks.add("First.")
    blocks.include(MarkedText("Ann: It rained.", (Mark(0, 4, "speaker"),)))
    found = blocks.whole("dialogue")
    assert found == MarkedText("First.\n\nAnn: It rained.", (Mark(8, 12, "speaker"),), "dialogue")
    assert MarkedText.from_json(found.as_json()) == found


def marks_from(edges: list[int], kind: str) -> list[Mark]:
    edges = sorted(set(edges))
    return [Mark(start, end, kind) for start, end in zip(edges[::2], edges[1::2], strict=False)]


EDGES = st.lists(st.integers(0, 30), max_size=8)


@given(EDGES, EDGES)
def test_of_two_sets_of_marks_the_first_goes_before(one: list[int], other: list[int]) -> None:
    first, second = marks_from(one, "quoted"), marks_from(other, "heading")
    found = merged(first, second)
    assert [mark for mark in found if mark.kind == "quoted"] == first
    assert all(before.end <= after.start for before, after in pairwise(found))
    beside = [mark for mark in second if all(mark.end <= other.start or other.end <= mark.start for other in first)]
    assert [mark for mark in found if mark.kind == "heading"] == beside
