"""The focus: what is asked, and which sentences speak of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls import Recipe, Summarizer
from mls.errors import MlsError
from mls.kernels.focus import FocusKernel, question_of, stem
from mls.recipe import FOCUS_WEIGHT, PRESETS
from mls.text import Document

NEWS = (Path(__file__).parent.parent.parent / "examples" / "news.txt").read_text(encoding="utf-8")
MEETING = """Ann: We should paint the harbour wall before the winter comes.
Bob: I would rather spend the money on a new crane for the boats.
Ann: The crane can wait for another year, as I see it.
Bob: Then let us speak of the annual dinner and who is to cook.
Ann: The dinner was very good last year, and Carla cooked it.
Bob: So Carla should cook the dinner again, if she has the time."""


def scores(about: str, text: str = NEWS) -> np.ndarray:
    document = Document.of(text)
    return FocusKernel(about).score(document, document.sentences)


def best(about: str, text: str = NEWS) -> str:
    return Document.of(text).sentences[int(np.argmax(scores(about, text)))].text


@pytest.mark.parametrize(
    ("about", "answer"),
    [
        ("Who voted against the contract?", "cast the only vote against"),
        ("When will the Marigold be out of service?", "April 21 to May 9"),
        ("How much did the insurance rise?", "$31,500"),
        ("the drain behind the cannery", "cracked drain"),
        ("Lindqvale", "Lindqvale"),
        ("grade", "decent grade"),
        ("volunteers", "volunteer"),  # another form of the word
    ],
)
def test_questions_phrases_and_names(about: str, answer: str) -> None:
    assert answer in best(about)


def test_what_stands_around_a_match_counts() -> None:
    found = scores("dog leash")
    sentences = Document.of(NEWS).sentences
    positions = [s.index for s in sentences if "leash" in s.text]
    far = [s.index for s in sentences if all(abs(s.index - position) > 12 for position in positions)]
    assert found[positions[0] - 1] > max(found[far])


def test_whose_words_are_asked_for() -> None:
    document = Document.of(MEETING)
    found = FocusKernel("What did Bob say about the crane?").score(document, document.sentences)
    said = {sentence.speaker: found[sentence.index] for sentence in document.sentences if "crane" in sentence.text}
    assert said["Bob"] > 3 * said["Ann"]


def test_several_questions_count_alike() -> None:
    both = scores("the cannery; the insurance")
    for one in (scores("the cannery"), scores("the insurance")):
        assert both[int(np.argmax(one))] >= 0.9


@pytest.mark.parametrize("about", ["zebras in Botswana", "qxzv", "?", "summarize the discussion", "the", "12345"])
def test_what_the_text_does_not_speak_of_leaves_the_summary_as_it_was(about: str) -> None:
    general, asked = Summarizer().summarize(NEWS, "1/8"), Summarizer().summarize(NEWS, "1/8", about=about)
    assert asked.text == general.text
    assert asked.notes == (*general.notes, "not-spoken-of")
    assert asked.recipe is not None
    assert asked.recipe.about == about
    assert asked.weights == asked.recipe.weights == pytest.approx(general.weights | {"focus": 0.0})


@given(st.text(max_size=60))
def test_any_question_has_finite_scores(about: str) -> None:
    found = scores(about, MEETING)
    assert np.isfinite(found).all()
    assert (found >= 0).all()


def test_a_focus_has_its_share_in_every_reason() -> None:
    summary = Summarizer().summarize(NEWS, "1/8", about="Why did the ferry nearly close?")
    why = summary.why(0)
    (share,) = [share for share in why.shares if share.name == "focus"]
    assert share.question == "Does it speak of what you asked?"
    assert share.weight == FOCUS_WEIGHT
    others = {name: weight for name, weight in summary.weights.items() if name != "focus"}
    assert others == pytest.approx({n: (1 - FOCUS_WEIGHT) * w for n, w in PRESETS["default"].weights.items()})


def test_only_the_focus_judges_again(monkeypatch: pytest.MonkeyPatch) -> None:
    summarizer = Summarizer()
    analysis = summarizer.read(NEWS)
    for kernel in summarizer.kernels:
        monkeypatch.setattr(type(kernel), "score", lambda *_: pytest.fail("a head judged again"))
    refocused = summarizer.refocus(summarizer.refocus(analysis, "insurance"), "cannery")
    summary = summarizer.write(refocused, "40 words")
    assert "cannery" in summary.text
    assert summarizer.refocus(refocused, "").multiplex.attention.tolist() == analysis.attention.tolist()
    assert summarizer.reweigh(refocused, {"focus": 0.9}).multiplex.heads[-1].weight == 0.9


def test_a_recipe_with_and_without_a_focus() -> None:
    asked = Recipe.of("default").changed({"about": " ferry ", "weights": {"position": 0.2}})
    assert (asked.about, asked.weights["position"]) == ("ferry", 0.2)
    assert sum(asked.weights.values()) == pytest.approx(1)
    assert Recipe.from_dict(asked.to_dict()) == asked
    assert asked.without("focus").about == ""
    assert Recipe.of("default").changed({"about": "x"}).changed({"about": ""}).weights == pytest.approx(
        PRESETS["default"].weights
    )
    with pytest.raises(MlsError, match="nothing is; say what the summary is to be about"):
        Recipe({"focus": 1.0})
    with pytest.raises(MlsError, match="about: found 3"):
        Recipe.of("default").changed({"about": 3})


def test_the_kind_of_thing_that_answers() -> None:
    kinds = {"Who paid?": "name", "When is it?": "time", "Where is it?": "place", "Why close?": "reason"}
    assert {about: question_of(about).kind for about in kinds} == kinds
    assert [question_of(about).kind for about in ("How many boats?", "boats")] == ["amount", None]


@given(st.text(min_size=1, max_size=12))
def test_a_stem_is_never_nothing(word: str) -> None:
    assert stem(word) or word == "'s"
