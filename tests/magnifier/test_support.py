"""A sentence is borne out only by one that says it all, in order, and was cut where sentences can be cut."""

from __future__ import annotations

import pytest
from hypothesis import given

from builders import document, plain_sentences, sentence, worded
from mls.magnifier.support import bears_out
from mls.magnifier.units import units_of
from mls.prototype.base import Prototype
from mls.stopwords import content_words

SOURCE = "Two of the sentences are about the new pool, and none is about the sale of the land behind the school."


@pytest.mark.parametrize(
    ("source", "worded", "is_borne_out"),
    [
        ("The ferry, which is old, will close on Monday.", "The ferry will close on Monday.", True),
        ("The ferry will close on Monday.", "Monday will close the ferry.", False),
        ("The ferry will close on Monday.", "The ferry will close on Tuesday.", False),
        ("It pays $64,000 a year to collect samples.", "It pays $31,500 a year.", False),
        (SOURCE, "Two of the sentences are about the sale of the land behind the school.", False),
        ("Police said that he stole the car.", "He stole the car.", False),
        ("The ferry might close on Monday.", "The ferry closes on Monday.", False),
        ("He sold Tom's car, because it was old", "He sold Tom's car.", True),
        ("He sold Tom's car, because it was old", "He sold Toms car.", False),
        ("The boy was hurt in the crash on Monday.", "The boy was hurt in the.", False),
        ("But the ferry will close on Monday, because it is old.", "The ferry will close on Monday.", True),
        ("The defeat for Taylor sees the club finish fifth.", "Taylor sees the club finish fifth.", False),
        (
            "He scored against Almeria, and with Bartra heading in, they won.",
            "He scored against Almeria and Bartra.",
            False,
        ),
        ("At least 16 men are shot while 12 others are forced to walk.", "At least 16 men are forced to walk.", False),
    ],
)
def test_by_hand(source: str, worded: str, is_borne_out: bool) -> None:
    assert bears_out(sentence(source), sentence(worded)) is is_borne_out


@given(plain_sentences, plain_sentences)
def test_nothing_new_is_borne_out(source: str, worded: str) -> None:
    if bears_out(sentence(source), sentence(worded)):
        assert set(content_words(sentence(worded).words)) <= set(content_words(sentence(source).words))


def test_what_is_not_borne_out_gives_way_to_its_source() -> None:
    source = document("The ferry, which is old, will close on Monday.", "It rained.")
    true, false = worded("The ferry will close on Monday."), worded("The ferry will close on Tuesday.")
    prototype = Prototype("test", (true, false))
    trusting, checking = units_of(source, prototype), units_of(source, prototype, check=True)
    assert [unit.source for unit in trusting] == [None, None, 0, 1]
    assert [unit.source for unit in checking] == [None, 0, 0, 1]
    assert checking[1].text == source.sentences[0].text
