"""The draft: its room is what the limit leaves, and it knows what it says."""

from __future__ import annotations

from hypothesis import given as tried_on
from hypothesis import strategies as st

from builders import document, drafted, given, plain_documents
from mls.budget import Measure
from mls.magnifier.draft import Draft, Piece
from mls.magnifier.units import Gram, Unit
from mls.text import Document

LIMIT = 500
measures = st.sampled_from(["tokens", "words", "chars"]).map(Measure)


def draft_of(units: list[Unit], unit: str = "tokens") -> Draft:
    measure = Measure(unit)
    return Draft(measure, LIMIT, [measure.length(one.text) for one in units])


def put(draft: Draft, turn: Unit, *units: Unit) -> set[Gram]:
    """Add units at a turn, in the place of what the turn gave before."""
    before = draft.pieces[turn.number].units if turn.number in draft.pieces else ()
    return draft.put(turn, Piece(0, "copy", units), draft.cost(units, instead_of=before))


turns = st.lists(st.tuples(st.integers(0, 8), st.lists(st.integers(0, 8), min_size=1, max_size=3)), max_size=8)


@tried_on(plain_documents, turns, measures)
def test_the_room_is_what_the_text_leaves_of_the_limit(
    source: Document, turns: list[tuple[int, list[int]]], measure: Measure
) -> None:
    units = given(source)
    draft = draft_of(units, measure.unit)
    for turn, run in turns:
        put(draft, units[turn % len(units)], *(units[number % len(units)] for number in run))
    text = " ".join(unit.text for piece in draft.pieces.values() for unit in piece.units)
    assert LIMIT - draft.room == measure.length(text)


@tried_on(plain_documents, turns)
def test_the_draft_says_what_its_pieces_say(source: Document, turns: list[tuple[int, list[int]]]) -> None:
    units = given(source)
    draft = draft_of(units)
    for turn, run in turns:
        put(draft, units[turn % len(units)], *(units[number % len(units)] for number in run))
    said = {gram for piece in draft.pieces.values() for unit in piece.units for gram in unit.grams}
    for unit in units:
        assert draft.repeats(unit) == len([gram for gram in unit.grams if gram in said])


@tried_on(plain_documents, turns)
def test_the_draft_tells_what_it_came_to_say_or_says_no_more(
    source: Document, turns: list[tuple[int, list[int]]]
) -> None:
    units = given(source)
    draft = draft_of(units)
    for turn, run in turns:
        before = set(draft.said)
        told = put(draft, units[turn % len(units)], *(units[number % len(units)] for number in run))
        assert before ^ set(draft.said) <= told


@tried_on(plain_documents)
def test_what_is_said_already_is_repetitive_and_a_first_word_is_not(source: Document) -> None:
    units = given(source)
    draft = draft_of(units)
    assert not draft.is_repetitive(units)
    put(draft, units[0], units[0])
    assert draft.is_repetitive([units[0]])


@tried_on(plain_documents, plain_documents)
def test_what_is_replaced_does_not_count_as_said(source: Document, other: Document) -> None:
    """The draft holds one piece: whatever takes its place repeats nobody."""
    units = given(source)
    run = given(other, len(units))
    draft = draft_of([*units, *run])
    put(draft, units[0], *units)
    assert not draft.is_repetitive(run, instead_of=units)


def test_a_short_sentence_does_not_repeat_the_one_it_replaces() -> None:
    short, long = drafted("It rained.", 0), drafted("It rained.", 1)
    draft = draft_of([short, long])
    put(draft, short, short)
    assert not draft.is_repetitive([long], instead_of=[short])


def test_what_others_say_counts_although_something_is_replaced() -> None:
    first, second, again = (
        drafted(text, n)
        for n, text in enumerate(["Rain fell on Oslo.", "Rain fell on Oslo.", "Rain fell on Oslo now."])
    )
    draft = draft_of([first, second, again])
    put(draft, first, first)
    put(draft, second, second)
    assert draft.is_repetitive([again], instead_of=[second])


def test_three_trigrams_in_ten_may_be_said_already() -> None:
    words = "heavy rain fell on the harbour while nobody looked at boats that sank".split()
    told = [drafted(" ".join(words[:length]), number) for number, length in enumerate((5, 6, 12))]
    for known, repetitive in ((told[0], False), (told[1], True)):  # 3 and 4 of 10 trigrams
        draft = draft_of(told)
        put(draft, known, known)
        assert draft.is_repetitive([told[2]]) is repetitive


def test_joints_cost_a_character_but_not_before_the_first() -> None:
    units = given(document("It rained.", "Dogs barked.", "So?"))
    draft = draft_of(units, "chars")
    assert draft.cost(units[:1]) == 10
    assert draft.cost(units) == 10 + 1 + 12 + 1 + 3
    put(draft, units[0], units[0])
    assert draft.cost(units[1:2]) == 13
    assert draft.cost(units[1:], instead_of=units[:1]) == 12 + 1 + 3 - 10
    assert draft_of(units, "tokens").cost(units) == 8


def test_a_turn_holds_one_piece() -> None:
    units = given(document("It rained.", "Dogs barked."))
    draft = draft_of(units)
    put(draft, units[0], units[0])
    put(draft, units[0], units[1])
    assert [piece.units for piece in draft.pieces.values()] == [(units[1],)]
    assert draft.repeats(units[0]) == 0
    assert draft.repeats(units[1]) > 0
