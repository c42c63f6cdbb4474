"""Tokens put into words: cased, spaced, ended, and true to the places they were copied from."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from builders import document
from mls.prototype.beam import WrittenToken
from mls.prototype.realize import RealizedSentence, realize
from mls.prototype.windows import read_in_windows
from mls.text import Document, fold
from mls.vocabulary import Vocabulary

VOCABULARY = Vocabulary.of(
    (fold(surface), surface)
    for surface in "the rain fell on London in a harbour , . ; : ' \" ( ) $ % 's n't we did not it Jan said ! ?".split()
)


def write(source: Document, *tokens: int | str) -> list[RealizedSentence]:
    """Realize tokens copied from a place in the document (numbers) or generated (words)."""
    window = read_in_windows(source, 400)[0]
    ids = VOCABULARY.encode([entry.token.key for entry in window])
    written = [
        WrittenToken(ids[token], 0.1, token, copied=True)
        if isinstance(token, int)
        else WrittenToken(VOCABULARY.ids[token], 0.9, 0, copied=False)
        for token in tokens
    ]
    return realize(written, window, VOCABULARY, source.text)


def text(source: Document, *tokens: int | str) -> str:
    return " | ".join(sentence.text for sentence in write(source, *tokens))


def generated(line: str) -> str:
    return text(document("It did."), *line.split(" "))


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("the rain fell on london .", "The rain fell on London."),
        ("we did n't .", "We didn't."),
        ("london 's rain , it said : not", "London's rain, it said: not."),
        ("it fell ( on london ) $ rain %", "It fell (on London) $rain%."),
        ('it said " the rain " .', 'It said "the rain".'),
        ("it fell . it did !", "It fell. | It did!"),
        ("it fell ,", "It fell."),
        ("it fell ; , :", "It fell."),
        ("rain", "Rain."),
        (". , .", ""),
    ],
)
def test_what_is_generated_is_spaced_and_cased(tokens: str, expected: str) -> None:
    assert generated(tokens) == expected


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ('it said " the rain .', "It said the rain."),
        ("it ' fell .", "It fell."),
        ('the " rain " fell " .', 'The "rain" fell.'),
    ],
)
def test_a_quotation_mark_without_a_partner_is_left_out(tokens: str, expected: str) -> None:
    assert generated(tokens) == expected


def test_the_first_word_has_a_capital_although_a_quotation_mark_opens_the_sentence() -> None:
    assert generated('" the rain " fell .') == '"The rain" fell.'
    assert text(document('He called it "the rain" today.'), *range(3, 9)) == '"The rain" today.'


def test_a_sentence_that_ends_in_a_quotation_has_a_full_stop() -> None:
    assert generated('it said " the rain "') in ('It said "the rain".', 'It said "the rain."')


def test_a_quoted_sentence_ends_where_its_quotation_ends() -> None:
    source = document('He said: "I left."', "She wept.")
    assert text(source, *range(source.token_count)) == 'He said: "I left." | She wept.'


@pytest.mark.parametrize("quotes", ['""', "“”"])
def test_a_quotation_mark_that_opens_a_sentence_stays_with_it(quotes: str) -> None:
    opening, closing = quotes
    source = document("He left.", f"{opening}Why?{closing}", "She wept.")
    assert text(source, *range(source.token_count)) == f"He left. | {opening}Why?{closing} | She wept."


def test_dots_at_the_end_need_no_full_stop() -> None:
    assert text(document("It rained and rained..."), 0, 1, 2, 3, 4) == "It rained and rained..."


def test_an_abbreviated_month_ends_no_sentence() -> None:
    source = document("It rained on Jan. 24 in Oslo.", "It fell.")
    assert text(source, *range(source.token_count)) == "It rained on Jan. 24 in Oslo. | It fell."
    assert text(source, 0, 1, 2, 3, 4, "london", ".") == "It rained on Jan. | London."


def test_a_title_ends_no_sentence_although_its_full_stop_was_generated() -> None:
    source = document("He asked Dr. Green about it.")
    assert [token.text for token in source.sentences[0].tokens[2:5]] == ["Dr", ".", "Green"]
    assert text(source, 2, ".", 4, "said", ".") == "Dr. Green said."
    assert text(source, 4, "said", ".", "it", "fell", ".") == "Green said. | It fell."


def test_a_full_stop_in_a_word_s_place_ends_the_sentence() -> None:
    source = document("He left but the others stayed.")
    assert text(source, 0, 1, ".", 3, 4, 5, 6) == "He left. | The others stayed."


def test_a_possessive_mark_is_no_quotation_mark() -> None:
    source = document("The ferries' owners said 'we wait' today.")
    ferries, mark, owners, said, quote = 1, 2, 3, 4, 5
    assert text(source, "the", "rain", mark, owners, said, quote, 6, 7) == "The rain' owners said we wait."
    assert text(source, *range(source.token_count)) == source.text
    assert text(source, "the", ferries, mark, "harbour", said, quote, 6, 8) == "The ferries' harbour said 'we'."


def test_a_mark_that_closes_a_quotation_is_not_possessive() -> None:
    source = document("He said 'we miss the ferries' at noon.")
    assert text(source, 0, 1, "'", 3, 6, 7, "harbour", ".") == "He said 'we ferries' harbour."


def test_a_sentence_copied_whole_is_the_documents() -> None:
    whole = "Mr. O'Brien’s dog—a “good” one (aged 3) — didn't bite; 3,000 people/day paid £5.50!"
    assert text(document(whole), *range(len(document(whole).sentences[0].tokens))) == whole


def test_adjacent_tokens_keep_the_documents_spacing_and_others_get_english() -> None:
    source = document("Call the toll-free/24-hour number +1 (now).")
    tokens = [token.text for token in source.sentences[0].tokens]
    assert tokens == ["Call", "the", "toll-free", "/", "24-hour", "number", "+", "1", "(", "now", ")", "."]
    assert text(source, 2, 3, 4, 11) == "Toll-free/24-hour."
    assert text(source, 2, 4, 3) == "Toll-free 24-hour /."
    assert text(source, 6, 7, 11) == "+1."


def test_white_space_of_any_width_becomes_one_blank() -> None:
    assert text(Document.parse("Rain \n\t  fell\x07on Oslo."), 0, 1, 2, 3, 4) == "Rain fell on Oslo."


def test_an_opener_keeps_its_capital_only_if_it_has_one_inside_sentences() -> None:
    source = document("The rain fell.", "London slept.", "Zork slept.")
    assert text(source, 1, "on", 0, 4, "in", 7, "!") == "Rain on the London in Zork!"


def test_a_typographic_quotation_mark_stays_one() -> None:
    source = document("It fell.", "“Why?” she asked.")
    assert text(source, 0, 1, *range(3, 7), 7, 8, 9) == "It fell “Why?” she asked."


def test_a_ligature_gets_one_capital() -> None:
    assert text(document("It ﬁnally rained."), 1, 2, 3) == "Finally rained."


def test_a_capital_is_kept_in_the_middle_and_given_at_the_start() -> None:
    source = document("We saw NASA and iPhones there.")
    assert text(source, 2, 3, 4, "fell", ".", 4, "fell") == "NASA and iPhones fell. | IPhones fell."


PIECES = [
    "The rain fell.", "London slept.", "It rained on Jan. 24.", 'He said: "I left."', '"Why?" he asked.', "So?", "'",
    "“No,” she said.", "We didn't pay £3,000 (or $5).", "John's dog—a big one—barked...", "the toll-free/24-hour line",
]  # fmt: skip
sources = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map(lambda texts: document(*texts))
runs = st.lists(
    st.one_of(
        st.tuples(st.integers(0, 60), st.integers(1, 9)), st.sampled_from([*VOCABULARY.types[4:], ".", ",", '"', "'"])
    ),
    min_size=1,
    max_size=9,
)


def realized(source: Document, wishes: list[tuple[int, int] | str]) -> list[RealizedSentence]:
    """Runs copied from somewhere, and words."""
    tokens: list[int | str] = []
    for wish in wishes:
        if isinstance(wish, str):
            tokens.append(wish)
        else:
            first = wish[0] % source.token_count
            tokens += range(first, min(first + wish[1], source.token_count))
    return write(source, *tokens)


@given(sources, runs)
def test_tokens_stand_where_they_say(source: Document, wishes: list[tuple[int, int] | str]) -> None:
    for sentence in realized(source, wishes):
        rest = list(sentence.text)
        for token in sentence.tokens:
            assert sentence.text[token.start : token.start + len(token.text)] == token.text
            rest[token.start : token.start + len(token.text)] = " " * len(token.text)
        assert not "".join(rest).strip()
        assert "  " not in sentence.text


@given(sources, runs)
def test_copied_tokens_are_written_as_in_the_document(source: Document, wishes: list[tuple[int, int] | str]) -> None:
    for sentence in realized(source, wishes):
        first_word = next(n for n, token in enumerate(sentence.tokens) if re.search(r"\w", token.text))
        for number, token in enumerate(sentence.tokens):
            if token.source is None:
                continue
            origin = token.source.token
            there = source.text[origin.start : origin.end]
            allowed = [there]
            if number == first_word:
                allowed.append(there[0].upper() + there[1:])
            if token.source.opens_sentence and fold(there) in VOCABULARY.ids:
                allowed.append(VOCABULARY.surfaces[VOCABULARY.ids[fold(there)]])
            assert token.text in allowed


@given(sources, runs)
def test_adjacency_keeps_the_documents_spacing(source: Document, wishes: list[tuple[int, int] | str]) -> None:
    for sentence in realized(source, wishes):
        for before, token in zip(sentence.tokens, sentence.tokens[1:], strict=False):
            if before.source and token.source and token.source.position == before.source.position + 1:
                here = sentence.text[before.start + len(before.text) : token.start]
                there = source.text[before.source.token.end : token.source.token.start]
                assert here == (" " if there else "")


@given(sources, runs)
def test_sentences_have_a_word_an_end_and_quotation_marks_in_pairs(
    source: Document, wishes: list[tuple[int, int] | str]
) -> None:
    for sentence in realized(source, wishes):
        assert re.search(r"\w", sentence.text)
        assert re.search(r"[.!?…]\s?[\"'”’]*$", sentence.text)
        assert not any([token.key for token in sentence.tokens].count(quote) % 2 for quote in "\"'")
        first = next(token.text for token in sentence.tokens if re.search(r"\w", token.text))
        assert not first[0].islower()


@given(sources, runs)
def test_nothing_but_marks_is_lost(source: Document, wishes: list[tuple[int, int] | str]) -> None:
    """Every word that was written is in some sentence, in order."""
    assume(realized(source, wishes))
    words = []
    for wish in wishes:
        if isinstance(wish, str):
            words.append(wish)
        else:
            first = wish[0] % source.token_count
            every = [token.key for one in source.sentences for token in one.tokens]
            words += every[first : first + wish[1]]
    said = [token.key for sentence in realized(source, wishes) for token in sentence.tokens]
    assert [key for key in said if key[0].isalnum()] == [key for key in words if key[0].isalnum()]
