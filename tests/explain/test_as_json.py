"""JSON says what the object says, also where most of it was put into words before."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from builders import plain_documents
from mls import Budget, Summarizer
from mls.explain.as_json import to_dict, to_json
from mls.explain.check import check_reasons
from mls.text import Document

SUMMARIZER = Summarizer({"prototype": "greedy"})


@given(
    plain_documents, st.lists(st.sampled_from(["1/4", "1/2", "8 words", "30 chars", "100%"]), min_size=1, max_size=4)
)
def test_known_analyses_are_told_as_new_ones(document: Document, budgets: list[str]) -> None:
    analysis = SUMMARIZER.read(document)
    for budget in budgets:
        summary = SUMMARIZER.write(analysis, Budget.parse(budget))
        assert to_json(summary) == json.dumps(to_dict(summary), ensure_ascii=False)


def test_other_weights_are_another_analysis() -> None:
    analysis = SUMMARIZER.read("The ferry stays. The county pays for it. Nobody expected that.")
    names = list(SUMMARIZER.weights)
    for chosen in names:
        weights = {name: float(name == chosen) for name in names}
        summary = SUMMARIZER.write(SUMMARIZER.reweigh(analysis, weights), Budget.parse("1/2"))
        assert json.loads(to_json(summary))["weights"] == weights


def test_the_check_names_what_comes_in_even_if_it_is_less_than_a_sentence() -> None:
    text = (
        "Snow fell. The great county council discussed the harbour ferry for a very long and very cold winter evening."
    )
    summary = SUMMARIZER.summarize(text, 4)
    (without,) = check_reasons(SUMMARIZER, summary).sentences
    assert (without.sentence, without.gained) == (0, (1,))


def test_the_check_comes_last() -> None:
    summary = SUMMARIZER.summarize("The ferry stays. The county pays for it. Nobody expected that.", "1/2")
    check = check_reasons(SUMMARIZER, summary)
    assert to_json(summary, check) == json.dumps(to_dict(summary, check), ensure_ascii=False)
