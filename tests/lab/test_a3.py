"""A3 keeps the budget in the network's own words, asks for the right length, and needs the right model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from builders import document, plain_documents, texts
from fake_network import FakeNetwork
from mls import MlsError
from mls.baselines.base import RANKED
from mls.budget import Budget
from mls.explain.as_json import to_dict
from mls.lab.a3 import A3, QUESTION
from mls.lab.length_controlled import USUAL, LengthControlledDraft
from mls.magnifier.decoder import TOO_LONG
from mls.magnifier.writing import desired_tokens
from mls.prototype.beam import Ids, Memory, SearchSettings, State
from mls.text import Document, fold
from mls.vocabulary import STOP, Vocabulary

VOCABULARY = Vocabulary.of(
    (fold(surface), surface) for surface in "the rain fell . of and was it , council harbour a London solar".split()
)


@dataclass(frozen=True)
class Listening(FakeNetwork):
    """Remembers which lengths it was asked for, and about how many tokens."""

    asked: list[tuple[int, int]] = field(default_factory=list)

    def encode(self, source: Ids, longest: Ids) -> tuple[Memory, State]:
        self.asked.extend(zip((source != 0).sum(1).tolist(), longest.tolist(), strict=True))
        return super().encode(source, longest)


def a3(seed: int = 0, window: int = 20, longest: int = 12, words: Sequence[int] | None = None) -> A3:
    network = Listening(2, len(VOCABULARY), seed, words=tuple(words) if words else None)
    return A3(LengthControlledDraft(network, VOCABULARY, SearchSettings(network.beams, longest=longest), window))


budgets = st.sampled_from(["1/32", "1/8", "1/2", "90%", "5", "1", "12 words", "60 chars", "2 chars", "100%"])
documents = st.one_of(plain_documents, texts.map(Document.parse)).filter(lambda document: bool(document.sentences))


@given(documents, budgets, st.integers(0, 500), st.integers(3, 30))
def test_any_text_any_budget(document: Document, budget: str, seed: int, window: int) -> None:
    summary = a3(seed, window).summarize(document, budget)
    assert 0 < summary.length <= summary.limit
    assert summary.text == a3(seed, window).summarize(document.text, budget).text
    assert summary.steps
    assert {step.reason for step in summary.steps} <= {RANKED, TOO_LONG, ""}
    assert to_dict(summary)["heads"] == [{"name": "a3", "question": QUESTION, "weight": 1.0}]


@given(plain_documents, budgets, st.integers(0, 500))
def test_sentences_are_the_networks(document: Document, budget: str, seed: int) -> None:
    """Whole ones, and none of the document's unless it wrote nothing or the budget holds everything."""
    summary = a3(seed).summarize(document, budget)
    written = [one.text for one in summary.prototype.sentences]
    assume(written and "whole-document" not in summary.notes)
    for sentence in summary.sentences:
        if sentence.operation == "copy":
            assert sentence.text in written
            assert sentence.unit < len(written)
    taken = [step.unit for step in summary.steps if step.stage == "place"]
    assert taken == list(range(len(written)))


LONG = document(*(f"Rain fell on town {number} and the council met there at noon." for number in range(30)))


def asked_of(baseline: A3) -> list[tuple[int, int]]:
    network = baseline.draft.network
    assert isinstance(network, Listening)
    return network.asked


def test_a_usual_length_is_asked_of_the_first_window_alone() -> None:
    baseline = a3(window=100, longest=90)
    baseline.summarize(LONG, USUAL)
    assert [length for _, length in asked_of(baseline)] == [USUAL]


def test_a_greater_length_is_shared_among_windows() -> None:
    baseline = a3(window=100, longest=90)
    baseline.summarize(LONG, 2 * USUAL + 1)
    assert sorted(length for _, length in asked_of(baseline)) == [USUAL, USUAL + 1]


def test_no_window_is_asked_for_more_than_the_network_can_write() -> None:
    baseline = a3(window=100, longest=60)
    baseline.summarize(LONG, "95%")
    tokens, lengths = zip(*asked_of(baseline), strict=True)
    assert sum(tokens) == LONG.token_count
    assert set(lengths) == {60}


def test_every_level_is_written_anew() -> None:
    baseline = a3(window=100, longest=90)
    short, long = baseline.levels(LONG, [10, 40])
    assert [length for _, length in asked_of(baseline)] == [10, 40]
    assert (short.limit, long.limit) == (10, 40)
    assert short.text == a3(window=100, longest=90).summarize(LONG, 10).text


@pytest.mark.parametrize(("budget", "tokens"), [("1/4", 8), (7, 7), ("12 words", 14), ("60 chars", 17), ("1 chars", 1)])
def test_the_desired_length_is_the_budget_in_tokens(budget: str | int, tokens: int) -> None:
    """Words and characters count as they do in this document."""
    source = document(*["Rain fell on Oslo, and it did so all day long in May."] * 2 + ["So it was."])
    assert source.token_count == 34
    assert desired_tokens(source, Budget.parse(budget)) == tokens


def test_an_unfinished_sentence_has_no_room_for_its_full_stop() -> None:
    """A network that never ends a sentence is cut off at the budget; what then fits is shorter."""
    endless = a3(words=[id for id in range(5, len(VOCABULARY)) if VOCABULARY.types[id] not in ".,"])
    summary = endless.summarize(LONG, 9)
    assert [step.reason for step in summary.steps][:1] == [TOO_LONG]
    assert summary.notes[0] in ("shortened", "keyphrase")
    assert summary.length <= 9


def test_a_network_that_says_nothing_is_no_error() -> None:
    silent = a3(words=[STOP, VOCABULARY.ids["."], VOCABULARY.ids[","]])
    silent = A3(replace(silent.draft, network=replace(silent.draft.network, p_gen=1.0)))  # type: ignore[type-var]
    summary = silent.summarize(LONG, 30)
    assert summary.prototype.sentences == ()
    assert 0 < summary.length <= 30


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(MlsError, match="empty"):
        a3().summarize("", 5)
    with pytest.raises(MlsError, match="expected a text"):
        a3().summarize(3, 5)  # type: ignore[arg-type]
