"""The promises of the whole: the budget is hard, the reasons add up, the same text gives the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from replay import replay

from mls import Budget, MlsError, Recipe, Summarizer, Summary
from mls.explain.as_json import to_dict, to_json
from mls.parser.network import LONGEST, shipped_parser
from mls.prototype.base import Prototype
from mls.prototype.greedy import GreedyPrototype
from mls.recipe import of_kernels
from mls.summary import NOTES
from mls.text import Document, Wording, tidy
from mls.workers import ONE_THREAD

ROOT = Path(__file__).parent.parent
EXAMPLES = {
    name: (ROOT / "examples" / f"{name}.txt").read_text(encoding="utf-8") for name in ("news", "story", "essay")
}
BUDGETS = ["1/32", "1/16", "1/8", "1/4", "1/2", 5, 10, 20, 40, "1 tokens", "30 words", "280 chars", "1 chars", "99%"]

# Texts as people and machines make them: words, names, marks, several scripts, control characters, line ends.
_words = st.sampled_from(
    "the rain fell on a small town and Ms. Ada Byron (aged 36) said: \"No!\" — but why? It's 3,000 km; U.S. don't "
    "e.g. 12.30pm 今日は雨です。 مرحبا كيف ؟ हिन्दी 👩‍👩‍👧 ... http://a.b/c \x07 \ufeff \u202e ,, \r\n \n\n \t".split(
        " "
    )
)
_texts = st.lists(_words, min_size=1, max_size=120).map(" ".join) | st.text(min_size=1, max_size=300)
_budgets = (
    st.integers(1, 60).map(str)
    | st.fractions(min_value="1/64", max_value=1).map(lambda share: f"{share.numerator}/{share.denominator}")
    | st.tuples(st.integers(1, 80), st.sampled_from(["tokens", "words", "chars"])).map(
        lambda pair: f"{pair[0]} {pair[1]}"
    )
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(text=_texts, budget=_budgets, recipe=st.sampled_from(["default", "paper"]))
def test_any_text_any_budget(text: str, budget: str, recipe: str) -> None:
    document = Document.parse(text)
    if not document.sentences:
        with pytest.raises(MlsError, match="empty"):
            Summarizer(recipe).summarize(text, budget)
        return
    summary = Summarizer(recipe).summarize(document, budget)
    assert 0 < summary.length <= summary.limit
    assert summary.length == summary.budget.measure.length(summary.text)
    assert summary.text.strip()
    replay(to_dict(summary))


@pytest.mark.parametrize("recipe", ["default", "paper", "light"])
def test_a_dialogue_can_be_replayed(recipe: str) -> None:
    turns = ["Will the ferry stay open?", "It will stay for the whole winter.", "I heard that the county pays for it.",
             "They pay forty thousand a year.", "That is more than last year. I am glad about it."]  # fmt: skip
    text = "\n".join(f"{name}: {turn}" for name, turn in zip(["Ann", "Bob", "Ann", "Bob", "Bob"], turns, strict=True))
    for summary in Summarizer(recipe).levels(text, ["1/4", "1/2", "20 words", "90 chars", "80%"]):
        assert summary.document.genre == "dialogue"
        replay(to_dict(summary))


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("recipe", ["default", "paper"])
def test_examples_at_every_budget(name: str, recipe: str) -> None:
    for summary in Summarizer(recipe).levels(EXAMPLES[name], BUDGETS):
        assert 0 < summary.length <= summary.limit
        _check_offsets(summary)
        _check_whole_sentences(summary)
        replay(to_dict(summary))


def _check_offsets(summary: Summary) -> None:
    for sentence in summary.sentences:
        for span in sentence.source:
            source = summary.document.sentences[span.sentence]
            assert source.start <= span.start < span.end <= source.end
            if sentence.operation in ("copy", "expand") and not sentence.reworded and not sentence.dropped:
                assert tidy(summary.document.text[span.start : span.end]) == sentence.text


def _check_whole_sentences(summary: Summary) -> None:
    """Sentences, whole or shortened, in source order wherever any sentence fits."""
    measure = summary.budget.measure
    shortest = min(unit.length(measure) for unit in summary.analysis.units if unit.is_prose)
    operations = {sentence.operation for sentence in summary.sentences}
    tiny = measure.unit == "tokens" and summary.limit < 6
    assert operations <= {"copy", "brief", "expand"} or shortest > summary.limit or tiny
    positions = [sentence.source[0].sentence for sentence in summary.sentences]
    assert positions == sorted(positions)
    # The network may make two sentences of one, so its own may stand at the same place.
    given = [sentence.source[0].sentence for sentence in summary.sentences if not sentence.reworded]
    assert len(given) == len(set(given))


def test_fills_the_budget() -> None:
    for text in EXAMPLES.values():
        quarter, half = Summarizer().levels(text, ["1/4", "1/2"])
        assert quarter.fill > 0.9
        assert half.fill > 0.93


def test_why_adds_up() -> None:
    for recipe in ("default", "paper"):
        summary = Summarizer(recipe).summarize(EXAMPLES["essay"], "1/4")
        for index in range(len(summary.sentences)):
            why = summary.why(index)
            blend = sum(share.contribution for share in why.shares) / len(why.shares)
            assert (blend - why.shift) / why.total == pytest.approx(why.attention, abs=1e-12)
            assert why.sentence.text in summary.text
            assert f"rank {why.rank}" in str(why)


def test_ledger_adds_up() -> None:
    for summary in Summarizer().levels(EXAMPLES["news"], ["1/8", "300 chars", "40 words"]):
        spent = [step for step in summary.steps if step.operation != "pass"]
        assert summary.limit - sum(step.needs for step in spent) == summary.steps[-1].room_after
        assert summary.length == sum(step.needs for step in spent)


def test_levels_equal_single_summaries() -> None:
    summarizer = Summarizer()
    together = [summary.text for summary in summarizer.levels(EXAMPLES["story"], BUDGETS)]
    alone = [summarizer.summarize(EXAMPLES["story"], budget).text for budget in BUDGETS]
    assert together == alone


def test_a_budget_for_the_whole_returns_the_document() -> None:
    text = "  One sentence here.\r\n\r\nAnother one there. "
    for budget in ("1.0", "100%", 1000, "1000 words", "1000 chars"):
        summary = Summarizer().summarize(text, budget)
        assert summary.text == text
        assert summary.notes == ("whole-document",)
        assert {sentence.operation for sentence in summary.sentences} == {"document"}


def test_a_keyphrase_is_no_verb_whose_denial_is_left_out() -> None:
    text = (
        "I do not consider ferries dangerous at all and I will never tell anybody on this quay that they are. "
        "The other day a girl was showing a picture of her little boat to everybody who came by on the way home."
    )
    assert Summarizer().summarize(text, 3).text == "little boat"


def test_shortening_and_keyphrase() -> None:
    text = (
        "The town council, which met on Monday evening, agreed to repair the old bridge before the winter floods come."
    )
    shortened = Summarizer().summarize(text, 12)
    assert shortened.sentences[0].operation == "brief"
    assert shortened.text == "The town council agreed to repair the old bridge."
    assert [text[span.start : span.end] for span in shortened.sentences[0].source] == [
        "The town council",
        "agreed to repair the old bridge",
        ".",
    ]
    phrase = Summarizer().summarize(text, 2)
    assert phrase.notes == ("keyphrase",)
    assert phrase.text == "town council"
    letter = Summarizer().summarize(text, "1 chars")
    assert len(letter.text) == 1


def test_a_sentence_all_in_brackets_is_shortened_too() -> None:
    for text in ("(It rained all day in Oslo)", "[(It rained all day)]", "(Rain) (fell) (all) (day)"):
        for budget in (1, 2, 3, 5, "4 chars"):
            summary = Summarizer().summarize(text, budget)
            assert 0 < summary.length <= summary.limit


def test_scripts_the_heads_cannot_judge_are_summarized_with_a_note() -> None:
    text = "今日は雨が降っています。明日は晴れるでしょう。来週は雪になるかもしれません。とても寒いです。"
    summary = Summarizer().summarize(text, "1/2")
    assert 0 < summary.length <= summary.limit
    assert "unjudged" in summary.notes
    assert "unjudged" not in Summarizer().summarize(EXAMPLES["news"], "1/2").notes


def test_every_note_has_a_sentence() -> None:
    assert all(message.strip() for message in NOTES.values())


@pytest.mark.parametrize("blank", ["", " ", "\n\t\r\n", "\x00\x01", "\ufeff"])
def test_blank_documents_are_refused(blank: str) -> None:
    with pytest.raises(MlsError, match="empty"):
        Summarizer().summarize(blank)


def test_unknown_settings_are_refused() -> None:
    with pytest.raises(MlsError, match="did you mean 'paper'"):
        Summarizer("papers")
    with pytest.raises(MlsError, match="Choose brief, pg-network, greedy"):
        Summarizer({"prototype": "magic"})
    with pytest.raises(MlsError, match="expected a recipe"):
        Summarizer(GreedyPrototype())  # type: ignore[arg-type]


class _Kernel:
    name = "own"
    question = "Is it any good?"

    def __init__(self, scores: object) -> None:
        self.scores = scores

    def score(self, document: Document, sentences: object) -> Any:
        return self.scores


@pytest.mark.parametrize("scores", [[1.0], [], [[1.0, 2.0]], [1.0, float("nan")], [1.0, float("inf")]])
def test_a_kernel_that_misbehaves_is_named(scores: object) -> None:
    with pytest.raises(MlsError, match="the kernel 'own' gave"):
        Summarizer(replace(of_kernels([_Kernel(scores)]), prototype=_NoPrototype())).summarize("It rained. It did.", 3)


class _Counting(_Kernel):
    """A head that tells how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def score(self, document: Document, sentences: Sequence[Wording]) -> Any:
        self.asked += 1
        return [float(len(sentence.tokens)) for sentence in sentences]


def test_a_head_that_weighs_nothing_judges_when_somebody_looks() -> None:
    kernel = _Counting()
    summarizer = Summarizer(Recipe.of("light").adding(kernel, 0.0))
    summary = summarizer.summarize("It rained all day in Oslo. The match was called off. Nobody minded.", "1/2")
    assert summary.text
    assert kernel.asked == 0
    summary.to_dict()
    summary.to_json()
    assert kernel.asked == 1


class _NoPrototype:
    name = "none"

    def __call__(self, document: Document) -> Prototype:
        return Prototype("none", ())


@pytest.mark.parametrize("text", [None, b"It rained.", 7, [7], {"It rained."}])
def test_what_is_no_text_is_refused(text: object) -> None:
    with pytest.raises(MlsError, match="expected a text"):
        Summarizer().summarize(text)  # type: ignore[arg-type]


def test_heads_need_names_of_their_own() -> None:
    for kernels in ([], [_Kernel([1.0]), _Kernel([1.0])]):
        with pytest.raises(MlsError, match="each with its own name"):
            of_kernels(kernels)


def test_same_bytes_in_other_processes() -> None:
    """Two processes with different hash seeds and numbers of threads print the same JSON as this one."""
    program = (
        "import sys; from mls import Summarizer; from mls.explain.as_json import to_json\n"
        "sys.stdout.write(to_json(Summarizer().summarize(open(sys.argv[1], encoding='utf-8').read(), '1/4')))"
    )
    here = to_json(Summarizer().summarize(EXAMPLES["essay"], "1/4"))
    for seed, threads in (("1", "1"), ("4242", "3")):
        printed = subprocess.run(
            [sys.executable, "-c", program, str(ROOT / "examples" / "essay.txt")],
            env={
                **os.environ,
                **dict.fromkeys(ONE_THREAD, threads),
                "PYTHONHASHSEED": seed,
                "PYTHONIOENCODING": "utf-8",
            },
            capture_output=True,
            check=True,
        ).stdout.decode("utf-8")
        assert printed == here


def test_the_same_object_gives_the_same_answer_again() -> None:
    summarizer = Summarizer()
    first = to_json(summarizer.summarize(EXAMPLES["story"], "1/8"))
    summarizer.summarize(EXAMPLES["news"], "1/2")
    assert to_json(summarizer.summarize(EXAMPLES["story"], "1/8")) == first


def test_import_is_light() -> None:
    """The core never imports torch, nor anything else that is heavy."""
    heavy = ("torch", "onnxruntime", "gensim", "nltk")
    program = f"import sys, mls, mls.cli.main; print([name for name in {heavy} if name in sys.modules])"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout
    assert printed.strip() == "[]"


def test_budget_objects_and_numbers_are_accepted() -> None:
    text = EXAMPLES["news"]
    quarter = Summarizer().summarize(text, "1/4").text
    assert Summarizer().summarize(text, 0.25).text == Summarizer().summarize(text, Budget.parse("25%")).text == quarter


def test_a_text_without_sentences_takes_no_more_room_than_any_other() -> None:
    """A parse of so long a sentence would take a gigabyte, and of one ten times as long a hundred."""
    text = "It rained all day. " + "word and other things " * 1000 + "."
    parses = shipped_parser().parse([["It", "rained", "."], ["word"] * (LONGEST + 1), []])
    assert [parse is None for parse in parses] == [False, True, True]
    summary = Summarizer().summarize(text, "1/8")
    assert 0 < summary.length <= summary.limit
