"""Leaning: what can't stand alone, and on what it leans."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mls import Summarizer
from mls.files.markdown import marked
from mls.leaning import DENIED, POINTER, PRONOUN, Lean, leanings
from mls.parser.network import shipped_parser
from mls.text import Document


def leans_of(text: str) -> tuple[tuple[Lean, ...], ...]:
    document = Document.parse(text)
    parses = shipped_parser().parse([[token.text for token in sentence.tokens] for sentence in document.sentences])
    return leanings(document, parses)


def test_what_stands_below_a_denial_is_not_said_without_it() -> None:
    text = "# Plans\n\nPlans are made for a night.\n\n## When not to use it\n\nYou have no river in your town.\n"
    found = marked(text)
    leans = Summarizer().read(Document.parse(found.text, found.marks)).leans
    assert [lean.reason for lean in leans[-1]][:1] == [DENIED]
    assert all(lean.reason != DENIED for lean in leans[1])


def test_an_opening_that_points_ahead_leans_on_what_follows() -> None:
    leans = leans_of("Few days on the river begin like this. A swan sat in the ferry. It would not go.")
    assert [(lean.reason, lean.on) for lean in leans[0]] == [(POINTER, 1)]


def test_a_picture_above_a_fireplace_is_no_pointer() -> None:
    for said in ("He hung the old picture above the fireplace.", "The paintings were shown here in 2015."):
        assert not [lean for lean in leans_of(f"Ann left the town. {said} It rained.")[1] if lean.on is None]


@pytest.mark.parametrize(
    ("text", "index", "on", "why"),
    [
        ("Maria Lund runs the ferry. She was born in Oslo.", 1, 0, "'she' would be nobody"),
        ("The ferry sank. This worried the council.", 1, 0, "'this' would point at nothing"),
        ("Rain fell.\n\n$ pip install ferry\n\nThis will install the ferry.", 2, None, "'this' would point at nothing"),
        ("Rain fell.\n\nTo install the ferry, run the following command:\n\n$ pip install ferry", 1, None,
         "'the following' would point at nothing"),
        ("Rain fell.\n\nThe branch is ready to be used, e.g.\n\n$ pip install ferry", 1, None,
         "'e.g' would point at nothing"),
        ("Rain fell.\n\n$ pip install ferry\n\nWhich now allows us to use the ferry.", 2, None,
         "'which' would point at nothing"),
        ("Rain fell.\n\nOr, using the command-line client.\n\n$ pip install ferry", 1, None,
         "'or' would point at nothing"),
        ("Rain fell. The chart below shows the fares of the ferry.", 1, None, "'below' would point at nothing"),
        ("The ferry sank. None of this worried the council.", 1, 0, "'this' would point at nothing"),
        ("The ferry may close. But the council voted to keep it.", 1, 0, "'but' speaks against the sentence before it"),
        ("The ferry may close. And yet the town kept it.", 1, 0, "'and yet' speaks against the sentence before it"),
        ("The ferry sank. As a result, the council met.", 1, 0, "'as a result' goes on from the sentence before it"),
        ("Maria Lund came home. Nobody knew. Yesterday Lund said that the house was safe.", 2, 0,
         "'Lund' is introduced earlier"),
        ("The ferry carries three pumps. One keeps the cabin dry.", 1, 0, "'one' would be nobody"),
        ("A boat and a barge met. In the narrow lock, both can turn with ease.", 1, 0,
         "'both' is compared with something said before"),
        ("The dam broke. The resulting flood reached the mill.", 1, 0,
         "'resulting' is compared with something said before"),
        ("The river rose. Who would pay? The council would.", 2, 1, "it answers a question"),
        ("Anna left. The council paid. Other towns did not pay at all.", 2, 1,
         "'other' is compared with something said before"),
        ("Peter Hall cooks at home. The 25-year-old Leeds lad was taught by his mother.", 1, 0,
         "'the lad' is introduced earlier"),
        ("Hugo Lane wore a scarf. The crowd cheered. A woman in the crowd had thrown the scarf onto the steps.", 2, 0,
         "'the scarf' is introduced earlier"),
        ("Hugo Lane led his team. Rain fell. Members of the crowd had thrown scarves at him.", 2, 0,
         "'him' would be nobody"),
        ("Rain fell. Here's a brief lesson for you. The ferry sank in 1911.", 1, 2, "'here' would point at nothing"),
        ("Rain fell. Fast forward to last week. The ferry sank.", 1, 2, "'fast forward' would point at nothing"),
        ("Rain fell. The ferry stops at the following piers:\n\nThey are old.", 1, 2,
         "'the following' would point at nothing"),
        ("Rain fell.\n\nskipScripts Boolean\n\nDo not run the scripts of the ferry.", 2, None,
         "the subject of 'do' stands before it"),
        ("Anna Lund bought four chairs. The rest are in the old warehouse.", 1, 0, "'the rest' is introduced earlier"),
        ("Rain fell. Fares rose. Put another way, the ferry pays for itself.", 2, 1,
         "'put another way' goes on from the sentence before it"),
        ("It rained. You would have thought the case was simple. It took nine years.", 1, 2,
         "what speaks against it follows"),
        ("Ideas come from a leap. Rain fell. Anna Lund made a career of taking those leaps.", 2, 0,
         "'those' would point at nothing"),
        ("Rain fell. The mayor called for help. On Sunday, the council did the same.", 2, 1,
         "'did the same' repeats what was said before"),
    ],
)  # fmt: skip
def test_a_sentence_leans_on_what_it_needs(text: str, index: int, on: int, why: str) -> None:
    assert (on, why) in [(lean.on, lean.why) for lean in leans_of(text)[index]]


def test_nothing_goes_of_what_its_opener_turns_round() -> None:
    (turned,), (plain,) = (
        leans_of(f"The ferry sank. {text}")[1] for text in ("Then came Anna Lund.", "Then Anna Lund came home.")
    )
    assert (turned.droppable, plain.droppable) == (False, True)


def test_of_many_who_are_called_john_the_one_is_meant_whose_name_it_is() -> None:
    text = "John Hall won the vote. Rain fell. John Kemp came by train. Yesterday he gave no answer."
    (lean,) = leans_of(text)[3]
    assert (lean.on, lean.also) == (2, ())


@pytest.mark.parametrize(
    "text",
    [
        "The ferry sank. Maria Lund, who runs it, was on board.",
        "The ferry sank. More than forty people were on board.",
        "The ferry sank. Both Maria Lund and Peter Hall were on board.",
        "The ferry sank. It is clear that nobody was hurt.",
        "The ferry sank. Former minister Anna Berg was on board.",
    ],
)
def test_a_sentence_that_stands_alone_leans_on_nothing(text: str) -> None:
    assert leans_of(text)[1] == ()


def test_what_is_spoken_against_needs_what_speaks_against_it() -> None:
    leans = leans_of("Towns grow. Some say the ferry is safe. But it sank twice in May. Nobody was hurt there.")
    assert [lean.on for lean in leans[1]] == [2]


def test_a_closing_question_stands_and_one_before_its_answer_does_not() -> None:
    text = "We moved here. Who pays? The town pays. It rained. Anna left us. What should we do with the old house now?"
    leans = leans_of(text)
    assert leans[1][0].on == 2
    assert not leans[5]


def test_the_opening_of_a_text_leans_on_nothing_but_whom_it_names_later() -> None:
    assert leans_of("But the ferry was late. She came home.")[0] == ()
    assert leans_of("She came home. He did not.")[0] == ()
    (lean,) = leans_of("She came home at noon. The ferry was late. Anna Lund had waited for it all night.")[0]
    assert (lean.on, lean.cue) == (2, "she")


@given(st.text(max_size=300))
@settings(max_examples=40, deadline=None)
def test_every_lean_is_on_a_sentence_of_the_text(text: str) -> None:
    leans = leans_of(text)
    for index, found in enumerate(leans):
        for lean in found:
            assert lean.on is None or (0 <= lean.on < len(leans) and lean.on != index)
            assert lean.why


def test_of_so_much_so_nothing_goes() -> None:
    leans = leans_of("Gorillas are clever. So much so that one learned to sign. So they built a school for it.")
    assert [lean.droppable for lean in leans[1]] == [False]
    assert leans[2][0].droppable


def test_a_quotation_that_the_next_paragraph_goes_on_with_reaches_to_the_end_of_its_own() -> None:
    text = """The council met at noon.

Anna Lund said: “The bridge is old. I have never seen a worse one.

“It has to be closed today.”

The town has two other bridges."""
    reasons = [[lean.why for lean in leans] for leans in leans_of(text)]
    assert "it is part of a longer quotation" in reasons[2]
    assert "it is part of a longer quotation" not in reasons[4]


def test_whom_somebody_is_like_is_somebody_else() -> None:
    leans = leans_of("Larry Page runs the firm. Its rival was led by Bill Gates. Like Gates, he is hugely ambitious.")
    assert [lean.cue for lean in leans[2] if lean.reason == PRONOUN] == ["he"]


def test_a_bare_number_leans() -> None:
    leans = leans_of("My neighbours keep bees. I have two, yes two. I have two hives.")
    assert [lean.cue for lean in leans[1] if lean.reason == PRONOUN] == ["two"]
    assert not [lean for lean in leans[2] if lean.reason == PRONOUN]


def test_a_sentence_in_brackets_goes_on_from_the_one_before_it() -> None:
    leans = leans_of("The mayor opened the bridge. (The bridge is owned by the port.) The port paid for it.")
    assert [lean.on for lean in leans[1]] == [0]


def test_in_a_talk_what_is_only_named_leans_on_what_was_asked() -> None:
    talk = (
        "Ann: We saw the sea near the harbour.\nBob: What kind of newspapers buy your long stories today?\n"
        "Ann: The papers that carry a lot of foreign news.\nBob: The big ones in the old town?\nAnn: Yes, they do.\n"
    )
    document = Document.parse(talk)
    found = {document.sentences[index].text: leans for index, leans in enumerate(leans_of(talk))}
    assert [lean.why for lean in found["The papers that carry a lot of foreign news."]] == ["it answers a question"]
    assert "it answers a question" in [lean.why for lean in found["The big ones in the old town?"]]


def test_so_far_tells_a_time_and_keeps_its_so() -> None:
    text = "The scheme began in May. So far, streams have been cleaned in three towns. So many came that it ran twice."
    leans = leans_of(text)
    assert not [lean for lean in leans[1] if lean.droppable or lean.cue == "so"]
    assert not [lean for lean in leans[2] if lean.droppable]
