"""Kinds of text, and what each line of them is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls import Recipe, Summarizer
from mls.blocks import SPEAKING
from mls.genres import GENRES, recognised
from mls.kernels.position import PositionKernel
from mls.kernels.settles import SettlesKernel
from mls.reading import kinds_of_lines
from mls.talk import is_small_talk
from mls.text import Document

TALK = """Weekly, 6 May
Attendees: Ann, Bob
Ann: Hi all, can everyone hear me?
Bob: Yeah.
Ann: Um, do we go with Avonmouth?
Bob: Yes.
[laughter]
Ann: Is it far?
Ann: We pay £40 on Friday.
Cat: Mm-hmm."""
MAILS = """From: Ann Lee <ann@example.org>
Date: Mon, 3 Feb 2025 09:00:00 +0000
Subject: The oven

Hi Bob,

The oven broke on Saturday. A new one is 900 euros.

Best,
Ann

From: Bob <bob@example.org>
Date: Tue, 4 Feb 2025 09:00:00 +0000
Subject: Re: The oven

Please buy it by Friday.

On Mon, 3 Feb 2025 at 09:00, Ann Lee <ann@example.org> wrote:
> The oven broke on Saturday. A new one is 900 euros.
"""
words = st.lists(st.sampled_from("Ann: - 1. the ferry > stays . ? um 10:02 References \n TL;DR: [x] (CNN)".split(" ")))


@given(words.map(" ".join), st.sampled_from(GENRES))
def test_whatever_kind_it_is_said_to_be_nothing_is_lost(text: str, genre: str) -> None:
    sentences = Document.parse(text, genre=genre).sentences
    assert [s.start for s in sentences] == sorted(s.start for s in sentences)
    covered = {position for s in sentences for position in range(s.start, s.end)}
    assert all(position in covered for position, character in enumerate(text) if not character.isspace())


@pytest.mark.parametrize(
    ("genre", "lines"),
    [
        ("dialogue", ["Ann: We go.", "Bob: When?", "Ann: At six, from the pier."]),
        (
            "dialogue",
            ["Ann 10:02 AM", "we go at six", "Bob 10:03 AM", "ok", "Ann 10:04 AM", "fine", "Bob 10:05 AM", "ok"],
        ),
        ("mail", MAILS.split("\n")),
        ("paper", ["On rain", "Abstract", "It rains.", "1 Introduction", "It rains.", "References", "[1] Li."]),
        ("article", ["Rain: a story", "It rained all day.", "Nobody minded: they slept.", "Then it ended."]),
    ],
)
def test_kinds_are_recognised(genre: str, lines: list[str]) -> None:
    assert recognised(lines) == genre


def test_a_talk_is_read_turn_by_turn() -> None:
    found = [(s.kind, s.speaker, s.text) for s in Document.parse(TALK).sentences if s.kind != "speaker"]
    assert found == [
        ("title", None, "Weekly, 6 May"),
        ("byline", None, "Attendees: Ann, Bob"),
        ("small-talk", "Ann", "Hi all, can everyone hear me?"),
        ("small-talk", "Bob", "Yeah."),
        ("prose", "Ann", "Um, do we go with Avonmouth?"),
        ("prose", "Bob", "Yes."),
        ("boilerplate", None, "[laughter]"),
        ("prose", "Ann", "Is it far?"),
        ("prose", "Ann", "We pay £40 on Friday."),
        ("small-talk", "Cat", "Mm-hmm."),
    ]


def test_who_speaks_may_be_told_with_a_role() -> None:
    talk = (
        "The Chair: We will now go to Mrs. Lee.\nMrs. Anna Lee (Lakeland, NDP): The ferry has no money left.\n"
        "The Acting Chair (Mr. Bo Stone): Mr. Reed has the floor.\nMrs. Anna Lee: I asked about the ferry.\n"
        "The Chair: It was asked before.\nMrs. Anna Lee (Lakeland, NDP): Nobody has answered yet.\n"
    )
    document = Document.parse(talk)
    assert document.genre == "dialogue"
    said = {s.text: s.speaker for s in document.sentences if s.kind in SPEAKING}
    assert said["The ferry has no money left."] == said["I asked about the ferry."] == "Mrs. Anna Lee"
    assert said["Mr. Reed has the floor."] == "The Acting Chair"


def test_a_photograph_with_which_an_article_opens_is_no_title() -> None:
    text = (
        "Unhappy: School headteacher Dan Philpotts has criticised the sweet shop for opening at 7.30am\n\n"
        "A headmaster criticised a sweet shop today. It leaves his pupils wide awake. Parents were asked to help.\n"
    )
    assert Document.parse(text).sentences[0].kind == "caption"


def test_where_a_page_stands_is_no_sentence() -> None:
    page = "Home › Water › Private wells › Frequently asked questions\n\nWells must be tested once a year by law."
    assert [s.kind for s in Document.parse(page).sentences] == ["boilerplate", "prose"]


def test_a_question_comes_with_its_answer_or_not_at_all() -> None:
    text = Summarizer().summarize(TALK.replace("Bob: Yeah.", "Bob: The lease of the depot ends in May."), "3/4").text
    assert "Ann: Do we go with Avonmouth?\nBob: Yes." in text
    assert "Is it far" not in text


def test_of_mails_the_senders_speak_and_quotations_count_once() -> None:
    document = Document.parse(MAILS)
    assert [(s.speaker, s.text) for s in document.sentences if s.kind in SPEAKING] == [
        ("Ann Lee", "The oven broke on Saturday."),
        ("Ann Lee", "A new one is 900 euros."),
        ("Bob", "Please buy it by Friday."),
    ]
    scores = PositionKernel().score(document, document.sentences)
    newest = next(s.index for s in document.sentences if s.text.startswith("Please"))
    assert scores[newest] > max(
        score for s, score in zip(document.sentences, scores, strict=True) if s.speaker == "Ann Lee"
    )


def test_what_is_quoted_and_stands_nowhere_else_speaks() -> None:
    reply = MAILS[MAILS.index("From: Bob") :]
    assert [(s.speaker, s.text) for s in Document.parse(reply, genre="mail").sentences if s.kind in SPEAKING] == [
        ("Bob", "Please buy it by Friday."),
        ("Ann Lee", "The oven broke on Saturday."),
        ("Ann Lee", "A new one is 900 euros."),
    ]


def test_clauses_keep_their_numbers() -> None:
    contract = "SALE\n\n1. PRICE\n\n1.1 The buyer shall pay the seller 900 euros within ten days of this agreement.\n\n"
    contract += (
        "1.2 The seller shall deliver the oven to the buyer, and is liable to that party for its loss till then.\n"
    )
    document = Document.parse(contract, genre="legal")
    assert [s.number for s in document.sentences if s.is_prose] == ["1.1", "1.2"]
    assert [s.text for s in document.sentences if s.kind == "heading"][-1] == "1. PRICE"
    assert Summarizer().summarize(document, "1/2").text.startswith("1.1 The buyer shall pay")


def test_a_summary_of_the_writers_own_is_wanted_most() -> None:
    text = "I planted a tree. It was small and it grew. The wind came in May. It bent.\n\nTL;DR: the tree fell on me."
    summary = Summarizer().summarize(text, "9 tokens")
    assert summary.text == "The tree fell on me."


def test_the_line_above_a_story_sums_it_up_and_that_above_an_article_is_its_title() -> None:
    line = "My boat sank in the harbour in May and nobody has ever told me why"
    story = Document.parse(f"{line}\n\nI have a boat. I had it from my father. I sail to the island on my own.")
    assert (story.genre, story.sentences[0].kind, story.sentences[0].sums_up) == ("story", "prose", True)
    assert not any(sentence.sums_up for sentence in story.sentences[1:])
    article = Document.parse(f"{line}\nBy Ann Lee\n\nA boat sank in the harbour. It had stood there for years.")
    assert [(s.kind, s.sums_up) for s in article.sentences[:2]] == [("title", False), ("byline", False)]


@pytest.mark.parametrize("sentence", ["Yeah.", "'Kay.", "Perfect.", "Mm-hmm.", "Thanks, Ann!", "Hi all, good morning."])
def test_small_talk(sentence: str) -> None:
    assert is_small_talk(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["That sounds like a sensible plan.", "How can I help you?", "Don't mention it.", "I'm sorry to hear that.",
     "Oh, that’s great news!", "Let me think about it for a minute.", "Nice to meet you, Mr Hall.",
     "Certainly, I'll be very happy to help you.", "That's good thinking.", "Wish you a good trip home."],
)  # fmt: skip
def test_what_is_only_kind_is_small_talk(sentence: str) -> None:
    assert is_small_talk(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["Okay, let's move on.", "Next slide, please.", "Can everybody see that?", "Thank you for that presentation.",
     "Let's move on to the next item.", "Are there any other comments?", "That's all from me.", "Are we all ready?",
     "Welcome to the Children, Young People and Education Committee.", "We'll move on to questions from Ann Lee."],
)  # fmt: skip
def test_what_only_keeps_a_meeting_going_is_small_talk(sentence: str) -> None:
    assert is_small_talk(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["Let's go with Avonmouth.", "Let's move on to Bristol.", "Let's go ahead.", "We'll go ahead.", "We can start.",
     "Can everybody see the van on Friday?", "Are there any vans left?", "That's all we can pay.",
     "Welcome to Bristol.", "Thank you for the 400 pounds, we bought a van.", "I'd be happy to pay.",
     "Any questions go to Ann."],
)  # fmt: skip
def test_what_decides_something_is_no_small_talk(sentence: str) -> None:
    assert not is_small_talk(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["", "Avonmouth.", "Yes, on Friday.", "No deal with Ann.", "Right turn only.", "I'm sorry, we're full.",
     "I see that it's broken.", "It's a good ferry.", "That's a great deal of money."],
)  # fmt: skip
def test_no_small_talk(sentence: str) -> None:
    assert not is_small_talk(sentence)


def test_who_only_calls_out_need_not_be_heard() -> None:
    talk = "Ann: The cat is in the office again.\nTom: Meow.\nAnn: It must go home today.\nBob: I shall take it there."
    document = Document.parse(talk, genre="dialogue")
    voices = {s.speaker: voice for s, voice in zip(document.sentences, document.voices, strict=True)}
    assert (voices["Ann"], voices["Tom"]) == ("Ann", None)


def test_what_settles_something_is_told_from_what_does_not() -> None:
    document = Document.parse(
        "We decided to pay £400 for the depot on Friday. I guess the thing was kind of whatever it was."
    )
    settled, vague = SettlesKernel().score(document, document.sentences)
    assert settled > 2 * vague


def test_weights_that_are_given_hold_for_every_kind() -> None:
    recipe = Recipe.of("default")
    assert recipe.for_genre("article") == recipe
    assert recipe.for_genre("dialogue").weights["settles"] > 0
    told = recipe.weighing({"position": 0.4})
    assert told.for_genre("dialogue") == told


def test_who_talks_and_of_what_where_no_sentence_fits() -> None:
    assert Summarizer().summarize(TALK, "7 tokens").text.startswith("Ann, Bob: ")


def test_labels_that_are_no_names_make_no_dialogue() -> None:
    lines = [f"{label}: {said}" for label in ("Who", "Big idea", "Why it matters") for said in ("A baker.", "Bread.")]
    assert Document.parse("\n".join(lines)).genre != "dialogue"
    assert (
        Document.parse("\n".join(line.replace("Who", "Ann").replace("Big idea", "Bob") for line in lines)).genre
        == "dialogue"
    )


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Anna Berg sprays water on her family's home Thursday near Conway.", "caption"),
        ("Anna Berg sprays water on her family's home, which stands near Conway.", "prose"),
        ("args {Array} An array of strings that the program will see.", "table-row"),
        ("Use {name} in the text where the name should be.", "prose"),
    ],
)
def test_scenes_are_captions_and_parameters_are_rows(line: str, kind: str) -> None:
    said = "The ferry will stay for good, as all had hoped."
    assert kinds_of_lines([said, line, said])[1] == kind


def test_what_only_looks_set_apart_is_prose() -> None:
    said = "The ferry will stay for good, as all had hoped."
    for line in (
        "South Africa holds its first vote in five years on Wednesday, and the party may lose.",
        "For the first time since 1966, visitors will see the section of the fresco that was hidden.",
        "To survive the winter, they had to consult a guide who knew the mountains.",
        "Ministers must follow the Ministerial Code of Conduct, the minister said.",
    ):
        assert kinds_of_lines([said, line, said])[1] == "prose", line
        assert Document.parse(f"{said} {line} {said}").sentences[1].kind == "prose", line


def test_a_clause_called_changes_is_no_history_of_releases() -> None:
    clauses = ["The owner hires out the boat.", "It is paid in May.", "It is used with care."]
    lines = [
        *clauses,
        "4. Changes",
        "No change holds that is not written.",
        "5. Termination",
        "Each may end it in May.",
    ]
    assert "reference" not in kinds_of_lines(lines)
    page = [*clauses, "Changelog", "Install", "It is put on the water.", "Changelog", "1.2.0", "Mended a leak."]
    assert kinds_of_lines(page)[-3:] == ["heading", "heading", "reference"]
    assert kinds_of_lines(page)[5] == "prose"


def test_a_history_of_releases_may_name_its_program() -> None:
    lines = [
        "It reads pages.",
        "It is quick.",
        "It is free.",
        "Changelog for ferry",
        "1.2 (2011-08-08)",
        "Mended a leak.",
    ]
    assert kinds_of_lines(lines)[3:] == ["heading", "heading", "reference"]


def test_headings_of_wikis_are_headings() -> None:
    lines = ["The ferry stayed. It was old.", "== Early years ==", "It sank in May.", "=== In Oslo ==="]
    assert kinds_of_lines(lines) == ["prose", "heading", "prose", "heading"]


def test_sentences_above_what_the_last_of_them_announces_are_no_caption() -> None:
    lines = [
        "It reads addresses. It can be started as follows, if nothing else is to be had:",
        "The rest is easy. So it is.",
    ]
    assert kinds_of_lines(lines) == ["prose", "prose"]


def test_a_long_story_that_begins_with_a_disclaimer_is_no_boilerplate() -> None:
    story = "Disclaimer: this is a story of a ferry. " + "The ferry left the quay at noon with nine goats. " * 20
    assert sum(sentence.is_prose for sentence in Document.parse(story).sentences) == 21


def test_the_history_of_releases_is_set_apart_unless_it_is_the_text() -> None:
    lines = ["Rain is a library.", "It counts drops, and it is fast.", "It runs anywhere.", "Changelog"]
    lines += ["1.2 (2026-01-02)", "- Counts hail as well", "A release of small things."]
    lines += ["Authors", "Ann Lee wrote all of it in May."]
    kinds = kinds_of_lines(lines)
    assert kinds[3:5] == ["heading", "heading"]
    assert kinds[5:7] == ["reference", "reference"]
    assert kinds[8] == "prose"
    alone = ["Changelog", "1.2 (2026-01-02)", "It counts hail as well as rain now.", "1.1", "It is fast."]
    assert kinds_of_lines(alone)[2] == "prose"
