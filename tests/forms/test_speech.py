"""What of a spoken sentence goes: some of its tokens, never what the truth hangs on, and the same every time."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mls import Summarizer
from mls.forms.speech import PROPER, heard, is_aloud
from mls.forms.tree import ParsedSentence
from mls.forms.words import CONDITION, NEGATION
from mls.parser.network import shipped_parser
from mls.text import Sentence, tokenize

SAID = st.lists(
    st.sampled_from(
        "um uh , the the you know I mean well so we we 've have do n't not no never if maybe might should two twelve "
        "Ann ferry stays van th it 's costs and or but That Then a our . ?".split()
    ),
    min_size=1,
    max_size=24,
)


@cache
def parsed(said: str) -> ParsedSentence:
    tokens = tokenize(said)
    (parse,) = shipped_parser().parse([[token.text for token in tokens]])
    assert parse
    return ParsedSentence(Sentence(0, said, tokens, 0, 0, len(said)), parse)


def quoted(said: str, aloud: bool = True) -> str:
    gone = heard(parsed(said), aloud).gone
    left = [token.text for position, token in enumerate(tokenize(said)) if position not in gone]
    return " ".join(left)


@given(SAID, st.booleans())
def test_what_goes_was_said_and_something_stays(words: list[str], aloud: bool) -> None:
    sentence = parsed(" ".join(words))
    found = heard(sentence, aloud)
    assert found.gone <= set(range(len(sentence)))
    assert 0 <= found.proper <= 1
    if any(sentence.are_words):
        assert any(sentence.is_word(token) for token in range(len(sentence)) if token not in found.gone)
    assert found == heard(sentence, aloud)


@given(SAID, st.booleans())
def test_what_the_truth_hangs_on_stays_or_is_said_again(words: list[str], aloud: bool) -> None:
    sentence = parsed(" ".join(words))
    gone = heard(sentence, aloud).gone
    for token in gone:
        is_modal = sentence.parse.tags[token] in ("MD", "CD")
        if is_modal or sentence.words[token] in NEGATION | CONDITION:
            later = range(token + 1, len(sentence))
            assert any(sentence.words[at] == sentence.words[token] for at in later if at not in gone)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Well, um, the the ferry stays till, uh, Friday.", "the ferry stays till Friday ."),
        ("So I I think, you know, we should buy a van.", "I think we should buy a van ."),
        ("We have to, uh, we have to pay twelve uh twelve pounds.", "we have to pay twelve pounds ."),
        ("This is the our new van.", "This is our new van ."),
        ("We'll draw the prot prototype of the van now.", "We 'll draw the prototype of the van now ."),
        ("It's a van and, uh, three of them were sold and", "It 's a van and three of them were sold"),
        ("It's That's about the price of a new van.", "That 's about the price of a new van ."),
        ("We're not we're not required to buy a van.", "we 're not required to buy a van ."),
        ("One of th one of the vans is very old.", "one of the vans is very old ."),
    ],
)
def test_what_is_said_while_thinking_goes(said: str, meant: str) -> None:
    assert quoted(said) == meant


def test_no_mark_is_left_before_the_first_word() -> None:
    assert quoted("Well . . . that's a van to me.", aloud=False) == "that 's a van to me ."


@pytest.mark.parametrize(
    "said",
    ["We do what we do best.", "We keep plan B for now.", "They were there when they were young.",
     "Do you know about it?", "I run it with three, two, two and five.", "We leave at 6 p.m. on Friday.",
     "That ' s a long ferry, Ann.", "Press the Next button to go on.", "It scored one point eight eight.",
     "It costs seven seventy a day.", "I don t go there.", "We won't go, and they won't come.",
     "Every time I complain about the chores with you, you just don't listen."],
)  # fmt: skip
@pytest.mark.parametrize("aloud", [True, False])
def test_what_is_meant_twice_is_said_twice(said: str, aloud: bool) -> None:
    assert quoted(said, aloud) == " ".join(tokenize(said).texts)


@pytest.mark.parametrize(
    "said", ["And that's one of the.", "so we I control p", "Can we buy you the", "If they can go to the"]
)
def test_what_breaks_off_is_no_sentence(said: str) -> None:
    assert heard(parsed(said)).proper < PROPER


@pytest.mark.parametrize("said", ["We go with Avonmouth.", "Um, which van do we take?", "I don't think it's too big."])
def test_what_is_whole_is_one(said: str) -> None:
    assert heard(parsed(said)).proper >= PROPER


def test_what_was_heard_is_told_from_what_was_written() -> None:
    written = [["we", "go"]] * 20
    assert not is_aloud(written)
    assert not is_aloud([*written, ["um"]])
    assert is_aloud([*written, *[["uh", "we", "go"]] * 3])


def test_a_talk_is_summarized_without_what_was_said_while_thinking() -> None:
    talk = "\n".join(
        f"{who}: Um, so the the {what} costs, uh, {price} pounds a year, you know."
        for who, what, price in (("Ann", "ferry", 400), ("Bob", "depot", 300), ("Ann", "van", 200), ("Bob", "ship", 90))
    )
    text = Summarizer().summarize(talk, "20 words").text.lower()
    assert not {"um", "uh", "um,", "uh,"} & set(text.split())
    assert "the the" not in text
