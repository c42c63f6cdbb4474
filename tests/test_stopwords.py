"""Function words are told from words that carry meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import texts
from mls.stopwords import STOP_WORDS, content_words, english_share
from mls.text import tokenize


def test_content_words_carry_meaning() -> None:
    assert content_words(["the", "harbour", "x", "1984", "3rd", "n't", "rained", "'s", "今"]) == ["harbour", "rained"]


@given(texts)
def test_content_words_are_those_of_the_text_in_order(text: str) -> None:
    keys = [token.key for token in tokenize(text)]
    kept = content_words(keys)
    assert [key for key in keys if key in set(kept)] == kept
    assert not STOP_WORDS & set(kept)


@pytest.mark.parametrize("text", ["didn't", "it's", "we'll", "they've", "I'm", "he'd", "you're", "can't", "won’t"])
def test_the_pieces_of_a_contraction_are_function_words(text: str) -> None:
    assert not content_words(token.key for token in tokenize(text))


def test_english_is_told_by_its_function_words() -> None:
    assert english_share("it was the best of times".split()) == pytest.approx(4 / 6)
    assert english_share("det var den beste av tider".split()) == 0
    assert english_share([]) == 0


@given(st.lists(st.sampled_from(["the", "harbour", "of", "rain"])))
def test_a_share_lies_between_nothing_and_all(words: list[str]) -> None:
    assert 0 <= english_share(words) <= 1
