"""What a reader gains by a move: what is seen of it, and that the highest counts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mls import Summarizer
from mls.analysis import Analysis
from mls.budget import Measure
from mls.magnifier.gains import NAMES, judged
from mls.magnifier.growth import AT_ONCE, GAINED, Growth
from mls.perceptron import shipped_perceptrons

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXTS = ("story.txt", "kinds/interview.txt", "kinds/meeting.txt")


@cache
def read(name: str) -> Analysis:
    return Summarizer().read((EXAMPLES / name).read_text(encoding="utf-8"))


def growth_of(name: str, limit: int = 60) -> Growth:
    return Growth(read(name), Measure("words"), limit)


@given(st.sampled_from(TEXTS), st.data())
def test_every_move_is_seen_by_all_names_and_gains_something_between_none_and_all(
    name: str, data: st.DataObject
) -> None:
    growth = growth_of(name)
    sentences = range(len(growth.worth))
    there = data.draw(st.sets(st.sampled_from(sentences), max_size=4))
    index = data.draw(st.sampled_from([i for i in sentences if i not in there]))
    growth.forms = {other: growth.ladders.fullest(other) for other in there}
    rows = [growth.seen(index, {index: form}) for form in growth.ladders.forms(index, False)]
    assert all(len(row) == len(NAMES) == len(shipped_perceptrons("judge", "gains").mean) for row in rows)
    assert np.isfinite(rows).all()
    gains = judged(rows)
    assert ((gains >= 0) & (gains <= 1)).all()
    assert gains.tolist() == [judged([row])[0] for row in rows], "alone as among others"


def test_what_is_there_changes_what_is_gained() -> None:
    growth = growth_of("story.txt")
    form = growth.ladders.fullest(3)
    alone = growth.seen(3, {3: form})
    growth.forms = {2: growth.ladders.fullest(2)}
    beside = growth.seen(3, {3: form})
    assert alone[NAMES.index("nothing there")] == 1
    assert beside[NAMES.index("nothing there")] == 0
    assert beside[NAMES.index("goes on")] == 1
    assert alone[len(NAMES) // 2 :] == beside[len(NAMES) // 2 :], "the sentence and its form are what they were"


def test_of_what_is_weighed_together_the_one_that_counts_most_comes_in() -> None:
    for name in TEXTS:
        growth = growth_of(name, 90)
        _, steps = growth.run()
        taken = [step for step in steps if step.reason == GAINED]
        assert taken
        for step in taken:
            gains = dict(step.gains)
            assert 1 <= len(gains) <= AT_ONCE
            assert step.unit - growth.analysis.drafted in gains


def test_gains_are_not_asked_of_answers_and_pins() -> None:
    story = (EXAMPLES / "story.txt").read_text(encoding="utf-8")
    asked = Summarizer().summarize(story, "1/4", about="the dinner")
    assert asked.steps
    assert not any(step.gains for step in asked.steps)
    pinned = Summarizer().summarize(story, "30 words", pin=[6])
    assert not pinned.steps[0].gains
