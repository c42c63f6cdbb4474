"""Growth: a summary stands by itself, within its limit, and says at length what it said in brief."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls import Summarizer
from mls.budget import Measure
from mls.leaning import CONTRAST, PRONOUN
from mls.magnifier.growth import HEADLINE, SAME, Growth

EXAMPLES = Path(__file__).parents[2] / "examples"
SUMMARIZER = Summarizer()
READ = {name: SUMMARIZER.read((EXAMPLES / name).read_text(encoding="utf-8")) for name in
        ("news.txt", "essay.txt", "story.txt")}  # fmt: skip
LIMITS = ("1/32", "1/16", "1/8", "1/4", "1/2", "15 words", "280 chars")


def chosen(name: str, budget: str) -> set[int]:
    return {span.sentence for sentence in SUMMARIZER.write(READ[name], budget).sentences for span in sentence.source}


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("budget", LIMITS)
def test_no_pronoun_and_no_contrast_without_its_sentence(name: str, budget: str) -> None:
    taken = chosen(name, budget)
    for index in taken:
        for lean in READ[name].leans[index]:
            if lean.reason in (PRONOUN, CONTRAST) and not lean.droppable and len(taken) > 1:
                assert taken & {lean.on, *lean.also}


def test_a_longer_summary_says_nearly_all_that_a_shorter_one_said() -> None:
    pairs = [
        (chosen(name, shorter), chosen(name, longer))
        for name in READ
        for shorter, longer in (("1/8", "1/4"), ("1/4", "1/2"))
    ]
    assert sum(len(short & long) for short, long in pairs) >= 0.9 * sum(len(short) for short, _ in pairs)


@given(st.sampled_from(sorted(READ)), st.integers(6, 400))
def test_no_length_is_exceeded_and_none_is_padded_with_scraps(name: str, limit: int) -> None:
    summary = SUMMARIZER.write(READ[name], f"{limit} tokens")
    assert summary.length <= limit
    asked_for = [sentence for sentence in summary.sentences if summary.steps[sentence.step].unit == sentence.unit]
    assert len(summary.sentences) == 1 or all(len(sentence.text.split()) >= 4 for sentence in asked_for)


def test_what_is_left_out_is_named() -> None:
    summary = SUMMARIZER.write(READ["news.txt"], "1/8")
    text = READ["news.txt"].document.text
    for sentence in summary.sentences:
        assert (sentence.operation == "brief") <= bool(sentence.dropped)
        for part in sentence.dropped:
            assert part.role
            assert text[part.start : part.end].strip()


def test_a_line_set_apart_is_the_summary_where_it_says_more_than_what_fits() -> None:
    text = (
        "The long-awaited report on the ferry that sank in the harbour of Oslo in the early hours of Sunday, which the "
        "council had asked for in May and which was to be read by every member of it, was published by the council.\n"
        "Council published its report on the sunken ferry of Oslo harbour after months of waiting for the members\n"
        "Nobody spoke there. The members of the council read the report on the ferry in the harbour for hours.\n"
    )
    summary = SUMMARIZER.summarize(text, "20 tokens")
    assert summary.steps[-1].reason == HEADLINE or summary.length <= 20


def test_a_quotation_that_goes_on_is_closed() -> None:
    text = (
        'Anna Berg said: "The old ferry is safe for all of us here. We sail in all weathers." The town agreed with her.'
    )
    summary = SUMMARIZER.summarize(text, "15 tokens")
    assert summary.text.count('"') % 2 == 0


@pytest.mark.parametrize("name", READ)
def test_who_says_the_same_is_found_without_asking_everybody(name: str) -> None:
    growth = Growth(READ[name], Measure("tokens"), 200)
    growth.run()
    assert growth.forms
    sentences = [growth.content(index) for index in range(len(READ[name].document.sentences))]
    parts = [frozenset(sorted(words)[::2]) for words in sentences]
    for words in (*sentences, *parts, frozenset(["nothing", "like", "it"]), frozenset[str]()):
        others = [growth.content(other) for other in growth.forms]
        alike = any(2 * len(words & other) > SAME * (len(words) + len(other)) for other in others)
        assert growth._is_said_alike(words) == alike
