"""Growth's decisions, each worked out by hand on a few sentences whose attention, forms and leanings are given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from builders import document
from mls.analysis import Analysis
from mls.budget import Measure
from mls.errors import MlsError
from mls.forms.ladder import Form, whole_form
from mls.forms.ladders import Ladders
from mls.forms.parts import Part
from mls.leaning import PRONOUN, Lean
from mls.magnifier import growth
from mls.magnifier.decoder import PINNED, REPEATS, TOO_LONG, Step
from mls.magnifier.growth import (
    FAR_BELOW,
    FULLER,
    GAINED,
    LEANS,
    NOTHING_BETTER,
    STANDS,
    WITH_OTHERS,
    Growth,
    Plan,
    Weighed,
    settings,
    worth_of,
)  # fmt: skip
from mls.magnifier.manners import RUNNING_ON
from mls.magnifier.multiplex import Head, multiplex
from mls.magnifier.units import units_of
from mls.text import Document, Sentence

RAIN = "Heavy rain flooded the old harbour."  # 7 tokens
BRIDGES = "Engineers closed two narrow bridges yesterday."  # 7
SCHOOLS = "Most schools opened again after lunch."  # 7
SOUP = "Volunteers served everybody some hot soup."  # 7
AGAIN = "Heavy rain flooded the old harbour again."  # 8, and nearly the same words as RAIN
TOKENS = Measure("tokens")


@pytest.fixture(autouse=True)
def every_move_gains_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is gained is told elsewhere: here, attention and forms decide."""
    monkeypatch.setattr(growth, "judged", lambda rows: np.ones(len(rows)))


def briefer(sentence: Sentence, kept: int, share: float) -> Form:
    """A sentence cut off after so many of its tokens."""
    gone = frozenset(range(kept, len(sentence.tokens)))
    end = sentence.tokens[kept - 1].end
    text = sentence.text[: end - sentence.start]
    return Form(text, tuple(range(kept)), (Part(kept, gone, "detail"),), share, ((sentence.start, end),))


def analysed(
    source: Document, attention: list[float], leans: dict[int, Lean] | None = None,
    brief: dict[int, tuple[int, float]] | None = None, pins: tuple[int, ...] = (), bans: tuple[int, ...] = (),
) -> Analysis:  # fmt: skip
    """`brief` gives a sentence a second form: how many tokens it keeps, and what share of its worth."""
    ladders = Ladders(source, [None] * len(source.sentences))
    forms = {s.index: (whole_form(s),) for s in source.sentences}
    for index, (kept, share) in (brief or {}).items():
        forms[index] = (briefer(source.sentences[index], kept, share), *forms[index])
    ladders.forms = lambda index, without_opener=False, named=(): forms[index]  # type: ignore[assignment]
    ladders.fullest = lambda index, without_opener=False, named=(): forms[index][-1]  # type: ignore[assignment]
    joined = multiplex([Head.of("given", "?", 1.0, np.array(attention))])
    given = tuple((leans[s.index],) if leans and s.index in leans else () for s in source.sentences)
    units = units_of(source, None)
    return Analysis(source, units, joined, 1.0, ladders=ladders, leans=given, pins=pins, bans=bans)


def grown(analysis: Analysis, limit: int, measure: Measure = TOKENS) -> tuple[list[str], list[Step]]:
    lines, steps = Growth(analysis, measure, limit).run()
    return [line.text for line in lines], steps


def put(growth: Growth, index: int, limit: int) -> None:
    """Put a sentence in as if no other were wanted more."""
    weighed = growth._weigh(index, limit)
    assert isinstance(weighed, Weighed)
    growth._put(index, {index: weighed}, limit)


def told(step: Step) -> tuple[int, str, str]:
    return step.unit, step.operation, step.reason


def room(step: Step) -> tuple[int, int, int]:
    return step.needs, step.room_before, step.room_after


def test_the_most_wanted_comes_first_and_what_does_not_fit_is_passed_over() -> None:
    texts, steps = grown(analysed(document(RAIN, BRIDGES, SCHOOLS), [0.38, 0.435, 0.185]), 15)
    assert texts == [RAIN, BRIDGES]
    # Of 0.435, then 0.185 * 2 = 0.37 for what goes on from the bridges and 0.38 for the rain, the rain is second.
    assert [told(step) for step in steps] == [(1, "copy", GAINED), (0, "copy", STANDS), (2, "pass", TOO_LONG)]
    assert [room(step) for step in steps] == [(7, 15, 8), (7, 8, 1), (7, 1, 1)]


def test_what_goes_on_from_a_sentence_is_wanted_more() -> None:
    # 0.25 * 1.35 = 0.3375 is more than 0.3, though 0.25 is less.
    _, steps = grown(analysed(document(RAIN, BRIDGES, SCHOOLS), [0.3, 0.45, 0.25]), 15)
    assert [step.unit for step in steps if step.operation == "copy"] == [1, 2]


def test_joints_count_in_characters() -> None:
    assert (len(RAIN), len(BRIDGES)) == (35, 46)
    for limit, expected in ((82, [RAIN, BRIDGES]), (81, [BRIDGES])):
        texts, steps = grown(analysed(document(RAIN, BRIDGES), [0.4, 0.6]), limit, Measure("chars"))
        assert texts == expected
    assert [told(step) for step in steps] == [(1, "copy", GAINED), (0, "pass", TOO_LONG)]


def test_a_brief_form_is_taken_where_the_whole_does_not_fit() -> None:
    analysis = analysed(document(RAIN, BRIDGES), [0.6, 0.4], brief={0: (5, 0.7)})
    texts, steps = grown(analysis, 6)
    assert texts == ["Heavy rain flooded the old"]
    assert told(steps[0]) == (0, "brief", GAINED)
    assert room(steps[0]) == (5, 6, 1)


def test_a_form_that_says_too_little_is_none() -> None:
    analysis = analysed(document(RAIN, BRIDGES), [0.6, 0.4], brief={0: (5, 0.09)})  # below the share of 0.1
    texts, steps = grown(analysis, 6)
    assert [told(step) for step in steps[:2]] == [(0, "pass", TOO_LONG), (1, "pass", TOO_LONG)]
    assert told(steps[2]) == (0, "brief", NOTHING_BETTER), "but better than nothing at all"
    assert texts == ["Heavy rain flooded the old"]


def test_a_form_that_says_little_may_come_first_and_nowhere_else() -> None:
    for share, expected in ((0.59, [RAIN]), (0.61, [RAIN, "Engineers closed two narrow bridges"])):
        texts, _ = grown(analysed(document(RAIN, BRIDGES), [0.6, 0.4], brief={1: (5, share)}), 12)
        assert texts == expected
    texts, _ = grown(analysed(document(RAIN, BRIDGES), [0.6, 0.4], brief={0: (5, 0.11)}), 6)
    assert texts == ["Heavy rain flooded the old"]


def test_what_was_brief_at_one_length_is_fuller_at_the_next() -> None:
    """The first length is 16 tokens: two sentences of 7 leave 2, so the third waits, and the brief form climbs."""
    source = document(RAIN, BRIDGES, SCHOOLS)
    analysis = analysed(source, [0.4, 0.3, 0.3], brief={1: (5, 0.7), 2: (6, 0.9)})
    texts, steps = grown(analysis, 12)
    assert texts == [RAIN, "Engineers closed two narrow bridges"]
    texts, steps = grown(analysis, 14)
    assert texts == [RAIN, BRIDGES]
    assert FULLER not in [step.reason for step in steps]
    fuller = analysed(document(RAIN, BRIDGES), [0.6, 0.4], brief={1: (5, 0.7)})
    held = Growth(fuller, TOKENS, 14)
    put(held, 0, 12)
    put(held, 1, 12)
    assert held.used == 12
    held._grow(14, final=True)
    assert [told(step) for step in held.steps] == [(0, "copy", GAINED), (1, "brief", STANDS), (1, "expand", FULLER)]
    assert room(held.steps[-1]) == (2, 2, 0)


def test_a_sentence_comes_with_what_it_leans_on() -> None:
    leaning = {1: Lean(PRONOUN, 0, "they")}
    texts, steps = grown(analysed(document(RAIN, BRIDGES), [0.1, 0.9], leaning), 14)
    assert texts == [RAIN, BRIDGES]
    assert [told(step) for step in steps] == [(1, "expand", WITH_OTHERS)]
    assert steps[0].sources == (0, 1)
    assert room(steps[0]) == (14, 14, 0)


def test_what_is_leaned_on_is_made_brief_last() -> None:
    leaning = {1: Lean(PRONOUN, 0, "they")}
    analysis = analysed(document(RAIN, BRIDGES), [0.1, 0.9], leaning, {0: (5, 0.7), 1: (5, 0.7)})
    assert grown(analysis, 12)[0] == [RAIN, "Engineers closed two narrow bridges"]
    assert grown(analysis, 11)[0] == ["Heavy rain flooded the old", "Engineers closed two narrow bridges"]


def test_a_sentence_that_leans_on_nothing_known_stays_out() -> None:
    leaning = {0: Lean(PRONOUN, None, "they")}
    texts, steps = grown(analysed(document(RAIN, BRIDGES), [0.9, 0.1], leaning), 14)
    assert [told(step) for step in steps] == [(1, "copy", GAINED), (0, "pass", LEANS)]
    assert texts == [BRIDGES]
    banned = analysed(document(RAIN, BRIDGES), [0.1, 0.9], {1: Lean(PRONOUN, 0, "they")}, bans=(0,))
    assert told(grown(banned, 20)[1][0]) == (1, "pass", LEANS), "what is banned can't come along"


def test_another_sentence_that_names_the_same_will_do() -> None:
    leaning = {2: Lean(PRONOUN, 0, "they", also=(1,))}
    analysis = analysed(document(RAIN, BRIDGES, SCHOOLS), [0.05, 0.55, 0.4], leaning)
    texts, steps = grown(analysis, 14)
    assert texts == [BRIDGES, SCHOOLS]
    assert [told(step) for step in steps[:2]] == [(1, "copy", GAINED), (2, "copy", STANDS)]


def test_the_same_in_nearly_the_same_words_is_said_once() -> None:
    texts, steps = grown(analysed(document(RAIN, AGAIN, SOUP), [0.5, 0.4, 0.1]), 30)
    assert (1, "pass", REPEATS) in [told(step) for step in steps]
    assert AGAIN not in texts


def test_what_is_worth_far_less_is_no_filler() -> None:
    """Below 0.45 of the mean worth of what is there: 0.22 of 0.5 is 0.44, and 0.23 of 0.5 is 0.46."""
    for attention, taken in (([0.5, 0.28, 0.22], False), ([0.5, 0.27, 0.23], True)):
        analysis = analysed(document(RAIN, BRIDGES, SOUP), attention)
        growth = Growth(analysis, TOKENS, 40)
        put(growth, 0, 40)
        assert (growth._weigh(2, 40) == FAR_BELOW) is not taken


def test_pins_come_first_each_as_long_as_leaves_room_for_the_others() -> None:
    analysis = analysed(document(RAIN, BRIDGES, SCHOOLS), [0.1, 0.1, 0.8], brief={0: (5, 0.7)}, pins=(0, 1))
    texts, steps = grown(analysis, 12)
    assert texts == ["Heavy rain flooded the old", BRIDGES]
    assert [told(step) for step in steps[:2]] == [(0, "brief", PINNED), (1, "copy", PINNED)]
    with pytest.raises(MlsError, match="the 2 sentences that are pinned need 12 tokens, and the budget holds 11"):
        grown(analysis, 11)


def test_what_is_banned_never_comes_in() -> None:
    texts, steps = grown(analysed(document(RAIN, BRIDGES), [0.9, 0.1], bans=(0,)), 40)
    assert texts == [BRIDGES]
    assert 0 not in {step.unit for step in steps}


def test_what_its_writer_calls_a_summary_is_worth_twice_as_much() -> None:
    source = document(RAIN, BRIDGES)
    summing_up = replace(source, sentences=(source.sentences[0], replace(source.sentences[1], sums_up=True)))
    assert worth_of(analysed(source, [0.6, 0.4]), RUNNING_ON).tolist() == pytest.approx([1.0, 0.4 / 0.6])
    assert worth_of(analysed(summing_up, [0.6, 0.4]), RUNNING_ON).tolist() == pytest.approx([0.6 / 0.8, 1.0])


def test_the_numbers_of_these_examples_are_those_it_goes_by() -> None:
    found = settings(analysed(document(RAIN), [1.0]))
    expected = {"least_understood": 0.7, "brief_share": 0.6, "first_share": 0.1}
    assert {name: found[name] for name in expected} == expected
    assert (RUNNING_ON.continues, RUNNING_ON.floor) == ((2.0,), 0.45)


def test_what_may_be_missed_costs_its_probability() -> None:
    """0.5 of what is missed with a probability of 0.2 is worth 0.32, less than 0.35; missed with 0.4, it stays out."""
    for sure, expected in ((0.2, [(1, "copy", GAINED), (0, "copy", STANDS)]), (0.4, [(1, "copy", GAINED)])):
        leaning = {0: Lean(PRONOUN, None, "they", sure=sure)}
        _, steps = grown(analysed(document(RAIN, BRIDGES, SOUP), [0.5, 0.35, 0.15], leaning), 14)
        assert [told(step) for step in steps if step.operation == "copy"][:2][: len(expected)] == expected


def test_a_sentence_counts_in_the_form_in_which_it_fits() -> None:
    """Cut to half of what it says, the rain is worth 0.55 * 0.5 = 0.275, less than 0.45 for the bridges, whole."""
    analysis = analysed(document(RAIN, BRIDGES), [0.55, 0.45], brief={0: (5, 0.5)})
    assert grown(analysis, 7)[0] == [RAIN]
    longer = "Heavy rain flooded the old harbour and the market."
    analysis = analysed(document(longer, BRIDGES), [0.55, 0.45], brief={0: (6, 0.5)})
    assert grown(analysis, 7)[0] == [BRIDGES]


def test_what_comes_along_counts_for_what_its_form_says() -> None:
    source = document(RAIN, BRIDGES)
    growth = Growth(analysed(source, [0.5, 0.5], {1: Lean(PRONOUN, 0)}, brief={0: (4, 0.5)}), TOKENS, 40)
    half, whole = briefer(source.sentences[0], 4, 0.5), whole_form(source.sentences[0])
    other = whole_form(source.sentences[1])
    assert growth._counts(1, Plan(0.5, [0], ()), {0: half, 1: other}, 40) == (0.5 * 0.75, None)
    assert growth._counts(1, Plan(0.5, [0], ()), {0: whole, 1: other}, 40) == (0.5, None)


def test_worth_is_told_to_the_last_digit_as_the_proof_tells_it() -> None:
    analysis = analysed(document(RAIN, BRIDGES, AGAIN), [0.38, 0.435, 0.185])
    manner = replace(RUNNING_ON, brevity=0.3)
    lengths = [len(sentence.words) for sentence in analysis.document.sentences]
    worth = [attention / words**0.3 for attention, words in zip(analysis.attention.tolist(), lengths, strict=True)]
    assert worth_of(analysis, manner).tolist() == [value / max(worth) for value in worth]
