"""The forms of all sentences of a document: what is known of them before they are made is so."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mls import Summarizer, read_document
from mls.budget import Budget, Measure
from mls.forms.ladders import Ladders, Rungs
from mls.forms.names import Name
from mls.magnifier.growth import BRIEF_SHARE, Growth
from mls.magnifier.writing import write

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = ("news.txt", "story.txt", "kinds/chat.txt", "kinds/thread.txt", "kinds/contract.txt")


def all_rungs(name: str) -> Iterator[Rungs]:
    ladders = Summarizer().read(read_document(str(EXAMPLES / name))).ladders
    assert ladders
    for sentence in ladders.document.sentences:
        for without_opener in (False, True):
            yield Rungs(ladders, sentence.index, without_opener, BRIEF_SHARE)


@pytest.mark.parametrize("name", FILES)
def test_the_fullest_form_is_the_last_one(name: str) -> None:
    for rungs in all_rungs(name):
        assert rungs.fullest == rungs.forms[-1]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("unit", ["tokens", "words", "chars"])
def test_no_form_is_briefer_than_the_least_length(name: str, unit: str) -> None:
    measure = Measure(unit)
    for rungs in all_rungs(name):
        assert rungs.least_length(measure) <= min(measure.length(form.text) for form in rungs.forms)


def test_brief_forms_are_made_only_of_sentences_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    made: set[int] = set()
    make = Ladders._forms

    def counted(self: Ladders, index: int, without_opener: bool, named: tuple[Name, ...]) -> object:
        made.add(index)
        return make(self, index, without_opener, named)

    monkeypatch.setattr(Ladders, "_forms", counted)
    analysis = Summarizer().read((EXAMPLES / "news.txt").read_text(encoding="utf-8"))
    summary = write(analysis, Budget.parse("1/2"), Growth)
    weighed = {index for step in summary.steps for index, _ in step.weighed}
    assert len(made) < len(weighed) / 2
    assert all(step.forms for step in summary.steps if step.weighed)  # whoever looks sees them all
    assert made >= weighed


def test_what_is_said_in_a_talk_begins_like_a_sentence() -> None:
    lines = [
        "Ann: did you hear it?",
        "Bob: in short, the ferry stays.",
        "Ann: is it so?",
        "Bob: 'we go by boat,' he said.",
    ]
    ladders = Summarizer().read("\n".join(lines)).ladders
    assert ladders
    prose = [sentence.index for sentence in ladders.document.sentences if sentence.is_prose]
    said = [ladders.fullest(index).text for index in prose]
    assert said == [
        "Ann: Did you hear it?",
        "Bob: The ferry stays.",
        "Ann: Is it so?",
        "Bob: 'We go by boat,' he said.",
    ]


def test_brackets_that_hold_nothing_go() -> None:
    ladders = (
        Summarizer().read("Chen Zhili (; born in 1942) leads the council. The relations () and (, ) are known.").ladders
    )
    assert ladders
    assert [ladders.fullest(index).text for index in (0, 1)] == [
        "Chen Zhili (born in 1942) leads the council.", "The relations and are known.",
    ]  # fmt: skip
    code = Summarizer().read("The call of wasi.start() ends the whole program at once.").ladders
    assert code
    assert code.fullest(0).text == "The call of wasi.start() ends the whole program at once."
    assert all(form.text.count("(") == form.text.count(")") for form in ladders.forms(0))
