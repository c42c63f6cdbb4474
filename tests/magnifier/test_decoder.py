"""The decoder's decisions, each worked out by hand on a few sentences whose attention is given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import document, worded
from mls.analysis import Analysis
from mls.budget import Measure
from mls.magnifier.decoder import (
    FILLS,
    NOTHING_FULLER,
    NOTHING_TO_EXPAND,
    PROTOTYPE_FILLS,
    REPEATS,
    SAYS_LITTLE,
    TOO_LONG,
    WORTH_LESS,
    WORTH_MORE,
    WOULD_CROWD_OUT,
    WOULD_REPEAT,
    Decoder,
    Probabilities,
    Step,
    soft_switch,
)  # fmt: skip
from mls.magnifier.expansion import Candidate, Expansions
from mls.magnifier.multiplex import Head, multiplex
from mls.magnifier.units import units_of
from mls.prototype.base import Prototype, PrototypeSentence
from mls.recipe import Recipe
from mls.text import Document

RAIN = "Heavy rain flooded the harbour."  # 6 tokens
BRIDGES = "Engineers closed two bridges."  # 5
SCHOOLS = "Schools opened again after lunch."  # 6
SOUP = "Volunteers served hot soup."  # 5
AGAIN = "Heavy rain flooded the harbour again."  # 7, three of its four trigrams are those of RAIN
OWN = worded("Rain flooded harbours.")  # 4

Runs = dict[int, tuple[Candidate, ...]]


# ---- the soft switch, Eq. (7) and (8) ----------------------------------------------------------


@pytest.mark.parametrize(
    ("p_copy", "p_expand", "alpha", "p_o"),
    [
        (0.2, 0.5, 0.5, 0.5 * 0.5 + 0.5 * 0.2),
        (0.5, 0.2, 0.5, 0.5 * 0.2 + 0.5 * 0.5),
        (0.3, 0.3, 0.3, 0.3),
        (0.0, 0.4, 0.4, 0.16),
        (0.4, 0.0, 0.4, 0.24),
        (0.0, 1.0, 1.0, 1.0),
        (1.0, 0.0, 1.0, 0.0),  # so sure of copying that it leans to expanding altogether: Eq. (8) to the letter
        (0.0, 0.0, 0.0, 0.0),
    ],
)
def test_the_switch_by_hand(p_copy: float, p_expand: float, alpha: float, p_o: float) -> None:
    found_p_o, found_alpha = soft_switch(np.array([p_copy]), np.array([p_expand]))
    assert (found_alpha[0], found_p_o[0]) == pytest.approx((alpha, p_o))


chances = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=5)


@given(chances)
def test_the_switch_lies_between_its_two_ends(pairs: list[tuple[float, float]]) -> None:
    p_copy, p_expand = (np.array(values) for values in zip(*pairs, strict=True))
    p_o, alpha = soft_switch(p_copy, p_expand)
    assert (alpha == np.maximum(p_copy, p_expand)).all()
    assert (p_o <= alpha + 1e-12).all()
    assert (p_o >= np.minimum(p_copy, p_expand) - 1e-12).all()


# ---- the decoder -------------------------------------------------------------------------------


def decoded(
    source: Document, attention: list[float], limit: int, drafts: list[PrototypeSentence] | None = None,
    runs: list[Runs] | None = None, sizes: tuple[int, ...] = (1,), order: str = "prototype",
) -> tuple[list[tuple[str, ...]], list[Step]]:  # fmt: skip
    """The texts that went in, piece by piece, and the steps. `attention` is of the drafts, then of the source."""
    prototype = Prototype("test", tuple(drafts)) if drafts is not None else None
    units = units_of(source, prototype)
    joined = multiplex([Head.of("given", "?", 1.0, np.array(attention))])
    recipe = Recipe({"position": 1.0}, "greedy", sizes=sizes, order=order)
    expansions = Expansions(tuple(runs or [{}] * len(drafts or ())))
    analysis = Analysis(source, units, joined, 1.0, prototype, expansions, recipe=recipe)
    assert sum(attention) == pytest.approx(1), "then the attention is what is given"
    lines, steps = Decoder(analysis, Measure("tokens"), limit).run()
    pieces: dict[int, tuple[str, ...]] = {}
    for line in lines:
        pieces[line.step] = (*pieces.get(line.step, ()), line.text)
    return list(pieces.values()), steps


def told(step: Step) -> tuple[str, int, str, str]:
    return step.stage, step.unit, step.operation, step.reason


def room(steps: list[Step]) -> list[tuple[int, int, int]]:
    return [(step.needs, step.room_before, step.room_after) for step in steps]


def probabilities_of(step: Step) -> tuple[float | None, ...]:
    found = step.probabilities or pytest.fail("nothing was weighed")
    return found.mass, found.p_copy, found.p_expand, found.alpha, found.p_o


def copied(source: Document, index: int) -> PrototypeSentence:
    return PrototypeSentence.copied(source.sentences[index])


def run(first: int, size: int = 1, similarity: float = 0.9, overlap: float = 1.0) -> Candidate:
    return Candidate(first, size, similarity, overlap)


def test_place_takes_the_highest_first_and_the_rest_is_weighed_anew() -> None:
    source = document(RAIN, BRIDGES, SCHOOLS)
    texts, steps = decoded(source, [0.1, 0.3, 0.1, 0.2, 0.3], 17, [copied(source, 0), copied(source, 2)])
    assert [told(step) for step in steps] == [
        ("place", 1, "copy", NOTHING_TO_EXPAND),
        ("place", 0, "copy", NOTHING_TO_EXPAND),
        ("magnify", 3, "copy", FILLS),
    ]
    # What was taken, and the source sentence it is, count no more: 1.0, then 0.1 + 0.1 + 0.2, then 0.2.
    for step, mass, p_copy in zip(steps, (1.0, 0.4, 0.2), (0.3, 0.25, 1.0), strict=True):
        assert probabilities_of(step) == pytest.approx((mass, p_copy, None, 0.0, p_copy))
    assert room(steps) == [(6, 17, 11), (6, 11, 5), (5, 5, 0)]
    assert [step.sources for step in steps] == [(2,), (0,), (1,)]
    assert texts == [(SCHOOLS,), (RAIN,), (BRIDGES,)]


def test_in_one_queue_a_source_sentence_that_is_attended_to_more_comes_first() -> None:
    source = document(RAIN, BRIDGES, SCHOOLS)
    drafts = [copied(source, 0), copied(source, 2)]
    _, steps = decoded(source, [0.1, 0.2, 0.1, 0.4, 0.2], 17, drafts, order="attention")
    assert [told(step) for step in steps] == [
        ("magnify", 3, "copy", FILLS),
        ("place", 1, "copy", NOTHING_TO_EXPAND),  # as much as the source sentence it is: the prototype's comes first
        ("place", 0, "copy", NOTHING_TO_EXPAND),
    ]
    assert [step.probabilities.p_o if step.probabilities else None for step in steps] == pytest.approx(
        [0.4, 0.2 / 0.6, 0.1 / 0.2]
    )


def test_an_expansion_that_is_attended_to_as_much_is_taken() -> None:
    source = document(RAIN, BRIDGES)
    texts, steps = decoded(source, [0.2, 0.3, 0.5], 11, [OWN], [{1: (run(0),)}])
    assert told(steps[0]) == ("place", 0, "expand", WORTH_MORE)
    assert probabilities_of(steps[0]) == pytest.approx((1.0, 0.2, 0.3, 0.3, 0.3 * 0.3 + 0.7 * 0.2))
    assert (steps[0].sources, room(steps)[0]) == ((0,), (6, 11, 5))
    assert texts == [(RAIN,), (BRIDGES,)]


def test_an_expansion_is_worth_the_mean_of_its_sentences() -> None:
    source = document(RAIN, BRIDGES, SCHOOLS)
    _, steps = decoded(source, [0.2, 0.1, 0.4, 0.3], 20, [OWN], [{2: (run(0, 2),)}], sizes=(2,))
    assert probabilities_of(steps[0])[2] == pytest.approx((0.1 + 0.4) / 2)
    assert (steps[0].operation, steps[0].sources, steps[0].needs) == ("expand", (0, 1), 11)


def test_one_that_is_attended_to_more_than_its_expansion_is_copied_and_expanded_when_room_is_left() -> None:
    source = document(RAIN, BRIDGES)
    texts, steps = decoded(source, [0.3, 0.2, 0.5], 13, [OWN], [{1: (run(0),)}])
    assert [told(step) for step in steps] == [
        ("place", 0, "copy", WORTH_LESS),
        ("magnify", 2, "copy", FILLS),
        ("magnify", 0, "expand", FILLS),
    ]
    assert probabilities_of(steps[0])[:3] == pytest.approx((1.0, 0.3, 0.2))
    # Nothing but the expansion's 0.2 is left, and copying would add nothing: P_e is all, and so is alpha.
    assert probabilities_of(steps[2]) == pytest.approx((0.2, 0.0, 1.0, 1.0, 1.0))
    assert room(steps) == [(4, 13, 9), (5, 9, 4), (6 - 4, 4, 2)]
    assert texts == [(RAIN,), (BRIDGES,)], "the expansion took the place of the copy"


def test_what_was_copied_is_not_expanded_where_too_little_room_is_left() -> None:
    source = document(RAIN, "Engineers soon closed two old bridges near town.")
    texts, steps = decoded(source, [0.3, 0.2, 0.5], 8, [OWN], [{1: (run(0, similarity=0.5),)}])
    assert [told(step) for step in steps] == [
        ("place", 0, "copy", WORTH_LESS),
        ("magnify", 2, "pass", TOO_LONG),
        ("magnify", 0, "expand", FILLS),
    ]
    assert texts == [(RAIN,)]
    _, steps = decoded(source, [0.3, 0.2, 0.5], 5, [OWN], [{1: (run(0),)}])
    assert [told(step) for step in steps] == [("place", 0, "copy", WORTH_LESS)], "one token holds no sentence"


WAITING = [0.2, 0.1, 0.5, 0.2]  # of OWN, the copy of BRIDGES, RAIN and BRIDGES


def test_an_expansion_crowds_nobody_out_where_the_prototype_comes_first() -> None:
    source = document(RAIN, BRIDGES)
    drafts, runs = [OWN, copied(source, 1)], [{1: (run(0),)}, {1: ()}]
    _, steps = decoded(source, WAITING, 10, drafts, runs)
    assert [told(step) for step in steps] == [
        ("place", 0, "copy", WOULD_CROWD_OUT),  # 6 and the 5 of the one that waits are more than 10
        ("place", 1, "copy", NOTHING_TO_EXPAND),
    ]
    _, steps = decoded(source, WAITING, 11, drafts, runs)
    assert [told(step) for step in steps] == [
        ("place", 0, "expand", WORTH_MORE),
        ("place", 1, "copy", NOTHING_TO_EXPAND),
    ]


def test_in_one_queue_no_room_is_kept_for_those_who_wait() -> None:
    source = document(RAIN, BRIDGES)
    drafts, runs = [OWN, copied(source, 1)], [{1: (run(0),)}, {1: ()}]
    _, steps = decoded(source, [0.3, 0.2, 0.3, 0.2], 10, drafts, runs, order="attention")
    assert [told(step) for step in steps] == [
        ("place", 0, "expand", WORTH_MORE),
        ("place", 1, "pass", TOO_LONG),
    ]


def test_where_the_prototype_fills_the_budget_nothing_is_expanded() -> None:
    source = document(RAIN, BRIDGES)
    drafts, runs = [OWN, copied(source, 1)], [{1: (run(0),)}, {1: ()}]
    _, steps = decoded(source, WAITING, 9, drafts, runs)
    assert [told(step) for step in steps] == [
        ("place", 0, "copy", PROTOTYPE_FILLS),
        ("place", 1, "copy", PROTOTYPE_FILLS),
    ]
    assert probabilities_of(steps[0]) == pytest.approx((1.0, 0.2, None, 0.0, 0.2))


def test_what_repeats_is_passed_over() -> None:
    source = document(RAIN, AGAIN)
    texts, steps = decoded(source, [0.4, 0.4, 0.2], 20, [copied(source, 0)])
    assert [told(step) for step in steps] == [
        ("place", 0, "copy", NOTHING_TO_EXPAND),
        ("magnify", 2, "pass", REPEATS),
    ]
    assert room(steps)[1] == (7, 14, 14)
    assert texts == [(RAIN,)]


def test_a_sentence_is_copied_where_its_expansion_would_repeat() -> None:
    source = document(RAIN, AGAIN)
    drafts = [copied(source, 0), worded("Water stands everywhere.", 1)]
    texts, steps = decoded(source, [0.3, 0.1, 0.3, 0.3], 20, drafts, [{1: ()}, {1: (run(1),)}])
    assert [told(step) for step in steps] == [
        ("place", 0, "copy", NOTHING_TO_EXPAND),
        ("place", 1, "copy", WOULD_REPEAT),
        ("magnify", 1, "pass", REPEATS),  # once more, now as what could take its place
        ("magnify", 3, "pass", REPEATS),
    ]
    assert probabilities_of(steps[1])[:3] == pytest.approx((0.4, 0.25, 0.75))
    assert texts == [(RAIN,), ("Water stands everywhere.",)]


@pytest.mark.parametrize(("score", "ranked"), [(0.5, [2, 1]), (0.4, [1])])
def test_of_comparable_runs_the_one_that_repeats_least_is_the_expansion(score: float, ranked: list[int]) -> None:
    """One that scores less than half of the best is not comparable."""
    source = document(RAIN, AGAIN, SOUP)
    drafts = [copied(source, 0), worded("Water stands everywhere.", 1)]
    runs = [{1: ()}, {1: (run(1, similarity=0.9), run(2, similarity=score))}]
    _, steps = decoded(source, [0.3, 0.1, 0.3, 0.1, 0.2], 30, drafts, runs)
    assert [entry.candidate.first for entry in steps[1].candidates] == ranked
    assert steps[1].candidates[-1].repeats == 7, "four word pairs and three triples"
    assert steps[1].operation == ("expand" if ranked[0] == 2 else "copy")


def test_expansions_become_shorter_as_sentences_are_placed() -> None:
    source = document(RAIN, BRIDGES, SCHOOLS, SOUP)
    drafts = [copied(source, 0), copied(source, 2)]
    runs: list[Runs] = [{2: (run(0, 2),), 1: ()}, {2: (run(2, 2),), 1: ()}]
    texts, steps = decoded(source, [0.1, 0.1, 0.1, 0.3, 0.1, 0.3], 22, drafts, runs, sizes=(2, 1))
    assert [told(step) for step in steps] == [
        ("place", 0, "expand", WORTH_MORE),  # of two equals the first
        ("place", 1, "copy", NOTHING_TO_EXPAND),
        ("magnify", 5, "copy", FILLS),
    ]
    assert probabilities_of(steps[0]) == pytest.approx((1.0, 0.1, 0.2, 0.2, 0.2 * 0.2 + 0.8 * 0.1))
    assert probabilities_of(steps[1])[:2] == pytest.approx((0.5, 0.2))
    assert texts == [(RAIN, BRIDGES), (SCHOOLS,), (SOUP,)]


def test_magnify_takes_the_most_attended_that_fits() -> None:
    texts, steps = decoded(document(RAIN, BRIDGES, SOUP), [0.5, 0.2, 0.3], 5)
    assert [told(step) for step in steps] == [
        ("magnify", 0, "pass", TOO_LONG),
        ("magnify", 2, "copy", FILLS),
    ]
    assert room(steps) == [(6, 5, 5), (5, 5, 0)]
    assert probabilities_of(steps[1])[:2] == pytest.approx((0.5, 0.6)), "what was passed over counts no more"
    assert texts == [(SOUP,)]


def test_what_says_little_goes_in_only_where_nothing_else_does() -> None:
    texts, steps = decoded(document("He nodded.", "It was so."), [0.6, 0.4], 4)
    assert [told(step) for step in steps] == [
        ("magnify", 0, "pass", SAYS_LITTLE),
        ("magnify", 1, "pass", SAYS_LITTLE),
        ("magnify", 0, "copy", NOTHING_FULLER),
    ]
    assert texts == [("He nodded.",)]
    texts, _ = decoded(document("He nodded.", BRIDGES), [0.9, 0.1], 8)
    assert texts == [(BRIDGES,)]


def test_where_all_attention_is_spent_what_is_left_is_still_tried() -> None:
    _, steps = decoded(document(RAIN, BRIDGES), [1.0, 0.0], 11)
    assert [step.operation for step in steps] == ["copy", "copy"]
    assert steps[1].probabilities == Probabilities(1.0, 0.0, None, 0.0, 0.0)


def test_what_is_repeated_is_counted_anew_when_only_a_trigram_came_to_be_said() -> None:
    """`cold rain` and `rain fell` were said before, each by itself; then somebody says `cold rain fell`."""
    said = ("They saw cold rain yesterday morning.", "Later rain fell on schools.", "Some cold rain fell on bridges.")
    source = document(*said, "Cold rain fell.")
    _, steps = decoded(source, [0.1, 0.4, 0.25, 0.2, 0.05], 40, [OWN], [{1: (run(3),)}], order="attention")
    assert [step.unit for step in steps][:4] == [1, 2, 3, 0]
    assert [ranked.repeats for ranked in steps[3].candidates] == [3]
