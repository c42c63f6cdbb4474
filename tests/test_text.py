"""Offsets that are right for any text, and tokens that are right for the texts people write."""

from __future__ import annotations

import textwrap
import unicodedata
from itertools import accumulate

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from builders import texts
from mls.files.marked import Mark
from mls.text import Document, Token, count_tokens, count_words, fold, tidy, tokenize


def words(text: str) -> list[str]:
    return [token.text for token in tokenize(text)]


def split(text: str) -> list[str]:
    return [sentence.text for sentence in Document.parse(text).sentences]


def is_visible(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character) not in ("Cc", "Cf")


# --- tokens -------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(texts)
def test_tokens_stand_where_they_say_in_order_and_apart(text: str) -> None:
    end = 0
    for token in tokenize(text):
        assert token.text
        assert text[token.start : token.end] == token.text
        assert token.start >= end
        end = token.end


@settings(max_examples=200)
@given(texts)
def test_nothing_visible_is_left_out(text: str) -> None:
    covered = {position for token in tokenize(text) for position in range(token.start, token.end)}
    assert not [
        text[position] for position in range(len(text)) if position not in covered and is_visible(text[position])
    ]


@given(texts)
@example("http://a\x07b")
@example("👩\u200d\x00")
def test_tokens_hold_no_white_space_and_no_control_character(text: str) -> None:
    for token in tokenize(text):
        assert not [c for c in token.text if c.isspace() or unicodedata.category(c) == "Cc" or c == "\ufeff"]


@given(texts, st.integers(0, 1000))
def test_an_offset_moves_every_token(text: str, offset: int) -> None:
    assert list(tokenize(text, offset)) == [Token(t.text, t.start + offset, t.end + offset) for t in tokenize(text)]


@settings(max_examples=200)
@given(texts)
@example("He didn't. N't n’t can't! 今日は雨")
def test_tokens_are_counted_as_they_are_made(text: str) -> None:
    assert count_tokens(text) == len(tokenize(text))


@settings(max_examples=200)
@given(texts, texts, st.sampled_from(" \n"))
@example("It rained", "今日は雨", " ")
@example("John", "'s", " ")
def test_texts_put_together_keep_their_tokens(text: str, other: str, joint: str) -> None:
    assert [*tokenize(text + joint + other)] == [*tokenize(text), *tokenize(other, len(text) + 1)]


@given(texts, st.sampled_from(" \n"))
def test_sentences_put_together_keep_their_tokens(text: str, joint: str) -> None:
    sentences = Document.parse(text).sentences
    joined = tokenize(joint.join(sentence.text for sentence in sentences))
    assert [token.text for token in joined] == [token.text for sentence in sentences for token in sentence.tokens]


@given(texts)
@example("http://a\x07b")
def test_tidying_changes_no_token(text: str) -> None:
    assert words(tidy(text)) == words(text)


@given(texts)
def test_keys_are_folded_once_and_for_all(text: str) -> None:
    for token in tokenize(text):
        assert token.key == fold(token.text) == fold(token.key)


@pytest.mark.parametrize("script", ["", "今"])  # the second calls for the full pattern
@pytest.mark.parametrize(
    "piece",
    [".a", "a-", "'s", "a@", "(", "a", "a'", "1.", "1,", "1-", "a.", "a_@", "a@a.", "http://", "http://.", "n't ",
     "\u0301", "a\u0301", "👩\u200d", "\u200d", "-", ".", " ", "今", "ท\u0e35", '"'],
)  # fmt: skip
def test_repetitive_text_is_tokenized_to_its_end(piece: str, script: str) -> None:
    text = script + piece * (100_000 // len(piece))
    assert all(text[token.start : token.end] == token.text for token in tokenize(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She didn’t pay £3,000.", ["She", "did", "n’t", "pay", "£", "3,000", "."]),
        ("Can't. WON'T, an't", ["Ca", "n't", ".", "WO", "N'T", ",", "a", "n't"]),
        ("John's, it’s, we're", ["John", "'s", ",", "it", "’s", ",", "we", "'re"]),
        ("O'Brien's mother-in-law", ["O'Brien", "'s", "mother-in-law"]),
        ("the 54-year-old at 12.30pm", ["the", "54-year-old", "at", "12.30pm"]),
        ("The U.S. Army, e.g. here", ["The", "U.S.", "Army", ",", "e.g.", "here"]),
        ("See https://a.b/c?d=1. Or", ["See", "https://a.b/c?d=1", ".", "Or"]),
        ("“See https://a.b/c.” Or", ["“", "See", "https://a.b/c", ".", "”", "Or"]),
        ("mail me.too@home.example!", ["mail", "me.too@home.example", "!"]),
        ("wait... what -- yes", ["wait", "...", "what", "--", "yes"]),
        ("'Go,' he said", ["'", "Go", ",", "'", "he", "said"]),
        ("今日は雨。", ["今", "日", "は", "雨", "。"]),
        ("iPhoneを買う", ["iPhone", "を", "買", "う"]),
        ("ที่", ["ที่"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("שָׁלוֹם עוֹלָם", ["שָׁלוֹם", "עוֹלָם"]),
        ("cafe\u0301s", ["cafe\u0301s"]),
        ("👩\u200d👩\u200d👧👍🏽", ["👩\u200d👩\u200d👧", "👍🏽"]),
        ("\ufeffIt rained\x00.", ["It", "rained", "."]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_words_are_told_from_signs() -> None:
    told = {token.text: token.is_word for token in tokenize("John's 3 dogs didn't - bark... 今！")}
    assert {text for text, is_word in told.items() if is_word} == {
        "John",
        "'s",
        "3",
        "dogs",
        "did",
        "n't",
        "bark",
        "今",
    }


# --- counting and tidying -----------------------------------------------------------------------

_spaced = st.text(st.characters(max_codepoint=0xDFF))  # no script here is written without spaces


@given(_spaced)
def test_words_are_counted_as_split_counts_them(text: str) -> None:
    assert count_words(text) == len(text.split())


@given(texts, texts, st.sampled_from(" \n"))
def test_word_counts_add_up(text: str, other: str, joint: str) -> None:
    assert count_words(text + joint + other) == count_words(text) + count_words(other)


def test_each_character_of_an_unspaced_script_is_a_word() -> None:
    assert count_words("今日は雨") == 4
    assert count_words("買iPhoneを today") == 4


def test_a_mark_is_no_word_of_its_own() -> None:
    assert count_words("ที่") == len(tokenize("ที่")) == 1


@given(texts)
def test_tidy_text_has_single_blanks_and_no_control_character(text: str) -> None:
    tidied = tidy(text)
    assert tidied == " ".join(tidied.split()) == tidy(tidied)
    assert not [c for c in tidied if unicodedata.category(c) == "Cc" or c == "\ufeff"]


@given(texts)
def test_tidying_drops_nothing_visible(text: str) -> None:
    def visible(some: str) -> list[str]:
        return [character for character in some if is_visible(character)]

    assert visible(tidy(text)) == visible(text)


# --- documents ----------------------------------------------------------------------------------


@settings(max_examples=200)
@given(texts)
def test_sentences_stand_where_they_say_in_order_and_apart(text: str) -> None:
    end = paragraph = 0
    for index, sentence in enumerate(Document.parse(text).sentences):
        assert sentence.index == index
        assert sentence.text == text[sentence.start : sentence.end] == sentence.text.strip() != ""
        assert sentence.start >= end
        assert sentence.paragraph >= paragraph
        end, paragraph = sentence.end, sentence.paragraph


@given(texts)
def test_tokens_of_a_sentence_point_into_the_document(text: str) -> None:
    for sentence in Document.parse(text).sentences:
        assert sentence.tokens
        assert len(sentence.keys) == len(sentence.tokens)
        assert sentence.words
        assert sentence.tokens == tokenize(sentence.text, sentence.start)
        assert all(text[token.start : token.end] == token.text for token in sentence.tokens)


@settings(max_examples=200)
@given(texts)
def test_every_visible_character_is_in_a_sentence(text: str) -> None:
    covered = {position for s in Document.parse(text).sentences for position in range(s.start, s.end)}
    assert not [
        text[position] for position in range(len(text)) if position not in covered and is_visible(text[position])
    ]


@pytest.mark.parametrize("text", ["Plan B\xa0. It rained.", "Plan B\u3000. It rained.", "\tA\u2003. It rained."])
def test_a_wide_blank_before_a_full_stop_is_survived(text: str) -> None:
    assert split(text)[-1].endswith("It rained.")


@pytest.mark.parametrize("text", ["It rained \ud83d. It did.", "\udc00It rained. It did."])
def test_half_a_character_is_survived(text: str) -> None:
    """JSON can hold one half of a surrogate pair."""
    sentences = Document.parse(text).sentences
    assert [text[s.start : s.end] for s in sentences] == [s.text for s in sentences]
    assert len(sentences) == 2


@pytest.mark.parametrize("piece", ["今。", "“", "‘", "'", "It rained. ", "(a. ", "a\n"])
def test_repetitive_text_is_split_to_its_end(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    assert Document.parse(text).text == text


@pytest.mark.parametrize("text", ["", " \n\t ", "\ufeff", "\x00\x07", "\u200d\u200b"])
def test_a_text_without_anything_visible_has_no_sentence(text: str) -> None:
    assert Document.parse(text).sentences == ()
    assert Document.parse(text).token_count == 0


def test_sentences_of_everyday_text() -> None:
    assert split("It rained. Dr. Li stayed in. Did the U.S. team? Yes!") == [
        "It rained.", "Dr. Li stayed in.", "Did the U.S. team?", "Yes!",
    ]  # fmt: skip


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\x85", "\u2028", "\u2029"])
def test_a_line_is_a_paragraph(line_end: str) -> None:
    sentences = Document.parse(f"A headline{line_end}It rained. It did.{line_end}").sentences
    assert [(s.paragraph, s.text) for s in sentences] == [(0, "A headline"), (1, "It rained."), (1, "It did.")]


@pytest.mark.parametrize(
    ("line", "kind"),
    [("$ ferry --go", "code"), ("pip install ferry", "code"), (":target: x", "code"),
     (".. image:: ferry.png", "code"), ("|build| |cover|", "code"), ('<img alt="ferry" src="x" />', "code"),
     ("Git is a ferry for code.", "prose"), ("- pay the ferry.", "prose"), ("n The ferry stays.", "list-item"),
     ("Ferry stays.\n------------", "heading"), ("It stays (source: the county).", "caption"),
     ("Options go into ~/.config/ferry.toml.", "boilerplate"), ("For more details, see the manual.", "boilerplate"),
     ("See the file NEWS for a list of changes.", "boilerplate"),
     ("It is distributed in the hope that it helps, but WITHOUT ANY WARRANTY.", "boilerplate"),
     ("Anna Lund, left, shown at a fair in May, says she had to wait.", "caption"),
     ("It uses and/or breaks the rules of https://a.example/ here.", "prose")],
)  # fmt: skip
def test_lines_that_are_no_prose(line: str, kind: str) -> None:
    said = "The ferry will stay for good, as all had hoped."
    sentences = Document.parse(f"{said}\n\n{line}\n\n{said}").sentences
    found = {s.kind for s in sentences if s.text in line and s.text.strip("-n ")}
    assert found == {kind}


WRAPPED = """\
The harbour had been closed since the morning because the wind
would not drop, and the boats lay side by side along the wall
with nobody on them. A man in a yellow coat walked up and down
the pier and counted them again and again.

Nobody asked him why he did. It was what he had always done in
a storm, and the storms had always passed."""


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_lines_wrapped_by_hand_are_one_paragraph(line_end: str) -> None:
    sentences = Document.parse(WRAPPED.replace("\n", line_end)).sentences
    assert [sentence.paragraph for sentence in sentences] == [0, 0, 1, 1]
    assert sentences[1].text.startswith("A man")
    assert sentences[1].text.endswith("again.")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The ferry carries lorries, cars", "and people on foot."),
        ("- it can be booked for the", "[island](x) too."),
        ("- `ferry` carries lorries (and cars", "of all sorts)."),
    ],
)
def test_a_line_that_breaks_off_goes_on_below(first: str, second: str) -> None:
    (sentence,) = (s for s in Document.parse(f"{first}\n{second}").sentences if s.kind != "number")
    assert sentence.text.endswith(second)


@pytest.mark.parametrize("second", ["And people on foot.", "- and people", "ann: and people", "\nand people on foot."])
def test_a_line_that_begins_anew_does_not_go_on(second: str) -> None:
    assert Document.parse(f"The ferry carries lorries, cars\n{second}").sentences[-1].paragraph == 1


def test_parts_that_a_file_tells_are_never_joined() -> None:
    items = ["The ferry carries lorries and cars of all sorts", "and people on foot who have a ticket for the day"] * 4
    starts = list(accumulate((len(item) + 1 for item in items), initial=0))
    marks = [Mark(start, start + len(item), "list-item") for start, item in zip(starts, items, strict=False)]
    assert [s.text for s in Document.parse("\n".join(items), marks).sentences] == items


def test_a_full_stop_within_the_name_of_a_program_ends_nothing() -> None:
    assert split("Classes can set on=ferry.setters.NO_OP here. Use typing.Annotated too.The rest stays.") == [
        "Classes can set on=ferry.setters.NO_OP here.",
        "Use typing.Annotated too.",
        "The rest stays.",
    ]


def test_lines_that_end_as_sentences_do_are_not_wrapped() -> None:
    lines = [
        "The harbour had been closed since the early morning.",
        "Nobody could tell the reporters when it would open.",
    ]
    assert split("\n".join(lines * 3)) == lines * 3


LETTER = "The ferry\n\nIt will stay. It must not close.\n\nItem; cost\n\nNobody minded the rain.\n\nAnna Berg"


def _no_prose(text: str) -> dict[int, str]:
    return {s.index: s.kind for s in Document.parse(text).sentences if not s.is_prose}


def test_titles_and_signatures_are_no_prose() -> None:
    assert _no_prose(LETTER) == {0: "title", 3: "table-row", 5: "heading"}


def test_a_row_of_a_table_is_one_however_long_it_is() -> None:
    row = "1/4, 0.25, 25%; a share of the document's tokens, rounded down to the next whole number"
    said = "It will stay for good, as all had hoped. It must not close, the county said to all who asked in time."
    assert _no_prose(f"{row}\n\n{said}") == {0: "table-row"}


def test_a_list_without_full_stops_has_no_headings() -> None:
    assert not _no_prose("Milk and eggs\nBread\nTwo onions\nThat is all.")


def test_a_long_line_without_an_end_is_a_caption() -> None:
    caption = "The captain of the ferry waves to the children who saved it on Monday"
    said = "It will stay. It must not close, the county said to all who asked."
    assert _no_prose(f"{said}\n\n{caption}\n\n{said}") == {2: "caption"}
    assert _no_prose(f"{caption}\n\n{said}") == {}  # a text may open so


def test_a_dateline_is_peeled_off() -> None:
    first, second = Document.parse("LONDON, England (CNN) -- It rained all day.").sentences
    assert (first.kind, first.text) == ("dateline", "LONDON, England (CNN) --")
    assert (second.kind, second.text) == ("prose", "It rained all day.")


def test_the_words_of_a_sentence_are_folded_and_without_signs() -> None:
    (sentence,) = Document.parse("It’s “Bob”!").sentences
    assert sentence.keys == ("it", "'s", '"', "bob", '"', "!")
    assert sentence.words == ("it", "'s", "bob")


def test_a_sentence_of_signs_speaks_in_signs() -> None:
    (sentence,) = Document.parse("😀 !").sentences
    assert sentence.words == ("😀", "!")


def test_ms_does_not_end_a_sentence() -> None:
    assert len(Document.parse("The court heard Ms. Lund for an hour. It rained.").sentences) == 2


@pytest.mark.parametrize("blank", ["\xa0", " \xa0 ", "  \xa0", " \u3000 "])
def test_a_line_of_unbroken_blanks_among_wrapped_lines_is_read(blank: str) -> None:
    said = (
        "The ferry that has crossed the river for thirty years will not close this month and the town pays for it. " * 6
    )
    lines = textwrap.wrap(said, 70)
    document = Document.parse("\n".join([*lines[:3], blank, *lines[3:]]))
    assert document.sentences[0].text.startswith("The ferry that has crossed the river")


def test_a_number_goes_on_after_no() -> None:
    assert len(Document.parse("Then-No. 11 Leeds lost to No. 3 Hull. It rained.").sentences) == 2
    quoted = "'It was like mine,' she said. 'People from all over the world were sharing stories.'"
    assert [s.text for s in Document.parse(quoted).sentences] == [quoted[:29], quoted[30:]]
    assert len(Document.parse("Eq. 6 decides it, Fig. 2 shows it, and pp. 3 to 9 tell why. It rained.").sentences) == 2


def test_a_hard_wrapped_line_may_begin_with_a_hash() -> None:
    lines = (
        "For all other systems, copy the file called config.hin to config.h and change the lines with",
        "#undef in them to lines with #define as it is best for your own system, and then copy the other",
        "file, which is called Makefile.in, to Makefile and set the variables in it that stand between",
        "signs, as it seems best to you.",
    )
    assert len(Document.parse("\n".join(lines)).sentences) == 1


@pytest.mark.parametrize("turn", ["[09:0{}] {}: ", "09:0{} <{}> ", "<{1}> "])
def test_a_turn_without_a_full_stop_is_not_taken_for_a_wrapped_line(turn: str) -> None:
    said = (
        "morning",
        "did anyone see why the checkout of the shop is throwing errors since last night",
        "yeah looking, it is the new tax service, and its certificate expired at midnight",
        "can we point it back to the old service until somebody has renewed the thing",
        "only Dmitri can do that and he is on vacation until the end of next week",
        "then I will do it if somebody gives me the role for the vault this morning",
    )
    text = "\n".join(turn.format(number, "ann" if number % 2 else "raj") + one for number, one in enumerate(said))
    document = Document.parse(text)
    assert document.genre == "dialogue"
    assert [s.speaker for s in document.sentences if s.text in said] == ["raj", "ann"] * 3


@pytest.mark.parametrize("word", ["on. ", "day. ", "the one: "])
def test_a_wrapped_line_may_begin_with_the_end_of_a_sentence(word: str) -> None:
    wrapped = f"{WRAPPED}\n\nIts script asks the patient to restart the phone and to wait for the one or\n{word}"
    assert (
        len(Document.parse(f"{wrapped}It was written in 2017.").sentences) <= len(Document.parse(WRAPPED).sentences) + 2
    )


def test_of_a_line_that_ends_in_an_address_what_it_says_before_stays() -> None:
    said = "This is a port of the ferry. For more details see: https://ferry.example/docs."
    assert [s.kind for s in Document.parse(said).sentences] == ["prose", "boilerplate"]
    line = "The ferry stays for good.\n\nDetails: https://ferry.example\n\nNobody minds that at all."
    assert [s.kind for s in Document.parse(line).sentences] == ["prose", "boilerplate", "prose"]
    whole = "The ferry will stay until the end of 2027. See https://ferry.example"
    assert [s.kind for s in Document.parse(whole).sentences] == ["prose", "boilerplate"]
    source = (
        "The council voted on Monday to keep the ferry running until spring, say the minutes at https://a.example/b."
    )
    assert [s.kind for s in Document.parse(f"It rained. {source}").sentences] == ["prose", "prose"]
    cited = "He took part in it [https://ferry.example/1]. It rained."
    assert [s.kind for s in Document.parse(cited).sentences] == ["prose", "prose"]


def test_lines_of_contact_are_signatures() -> None:
    line = "Anna Berg Legal Telephone: (713) 853-7906 Facsimile: (713) 646-2600 e-mail address: anna@ferry.example"
    kinds = [s.kind for s in Document.parse(f"The ferry stays for good. {line} Are you free on Monday?").sentences]
    assert kinds == ["prose", "signature"]
    assert Document.parse("The new telephone: a toy for all. It rained.").sentences[0].kind == "prose"


def test_nothing_ends_within_code_or_a_date() -> None:
    assert len(Document.parse("Use pip install '.[serve,files]' here. It rained.").sentences) == 2
    assert len(Document.parse("They meet on the 4. April in Bonn. It rained.").sentences) == 2


def test_the_first_line_of_a_wrapped_text_may_be_underlined() -> None:
    title = "The ferry and all that belongs to it, in short"
    assert Document.parse(f"{title}\n{'-' * len(title)}\n\n{WRAPPED}").sentences[0].text == title


def test_a_rule_of_dashes_ends_what_stands_before_it() -> None:
    sentences = Document.parse("A ferry is a bridge that moves - Ann Lund ------ My boat has a hole in it.").sentences
    assert [sentence.text for sentence in sentences] == [
        "A ferry is a bridge that moves - Ann Lund", "------", "My boat has a hole in it.",
    ]  # fmt: skip
    assert not sentences[1].is_prose


def test_what_looks_like_an_abbreviation_may_end_a_sentence() -> None:
    text = "That was it for me. I became afraid. He said no. Tom left. See No. 5, etc. Then go."
    assert split(text) == [
        "That was it for me.", "I became afraid.", "He said no.", "Tom left.", "See No. 5, etc.", "Then go.",
    ]  # fmt: skip


def test_no_sentence_ends_in_a_path_or_after_a_title() -> None:
    text = "Build it with the usual ./configure and make. It was named after Smt. Devi by her son."
    assert [sentence.text for sentence in Document.parse(text).sentences] == [
        "Build it with the usual ./configure and make.",
        "It was named after Smt. Devi by her son.",
    ]


@pytest.mark.parametrize(
    "line", ["See " + "a@" * 20_000, "1" * 20_000, "a@b." * 10_000, " " * 20_000 + "x", "so " * 5_000]
)
@pytest.mark.parametrize("genre", ["article", "dialogue", "mail", "instructions"])
def test_no_line_takes_for_ever_to_be_read(line: str, genre: str) -> None:
    text = f"The ferry stays.\n\n{line}\n\nNobody minds."
    assert Document.parse(text, genre=genre).text == text
