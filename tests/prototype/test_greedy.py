"""The greedy prototype: salient sentences of the document, in order, none said twice."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given

from builders import document, plain_documents, texts
from mls.prototype.greedy import GreedyPrototype
from mls.stopwords import content_words
from mls.text import Document, Sentence


def taken(document: Document) -> list[Sentence]:
    return [document.sentences[one.anchor] for one in GreedyPrototype()(document).sentences]


@given(texts)
def test_a_prototype_is_sentences_of_the_document_in_order(text: str) -> None:
    document = Document.parse(text)
    prototype = GreedyPrototype()(document)
    anchors = [one.anchor for one in prototype.sentences]
    assert prototype.generator == "greedy"
    assert anchors == sorted(set(anchors))
    assert all(one.verbatim for one in prototype.sentences)
    assert [one.tokens for one in prototype.sentences] == [document.sentences[anchor].tokens for anchor in anchors]
    assert bool(anchors) == bool(document.sentences)
    assert prototype.text == " ".join(document.sentences[anchor].text for anchor in anchors)
    assert GreedyPrototype()(document) == prototype


@given(plain_documents)
def test_no_two_of_its_sentences_share_more_than_half_their_words(document: Document) -> None:
    sets = [set(content_words(one.words)) for one in taken(document)]
    assert not [pair for pair in combinations(sets, 2) if len(pair[0] & pair[1]) > max(1, min(map(len, pair))) / 2]


@given(plain_documents)
def test_more_than_three_sentences_only_within_its_share(document: Document) -> None:
    sentences = taken(document)
    if len(sentences) > 3:
        assert sum(len(one.tokens) for one in sentences) <= 0.15 * document.token_count


LONG = document(
    *[f"{first}{second} went ashore." for first in "ABCDEFGHIJ" for second in ("bel", "cob", "dun", "far")],
    "Zed went ashore.",
)


def test_a_long_document_gives_about_its_share() -> None:
    said = sum(len(one.tokens) for one in taken(LONG))
    assert 0.1 * LONG.token_count < said <= 0.15 * LONG.token_count


def test_a_short_document_gives_three() -> None:
    short = document("Rain fell.", "Dogs barked.", "Children sang.", "Bells rang.", "Boats sank.")
    assert [one.index for one in taken(short)] == [0, 1, 2]


def test_standing_first_makes_up_for_a_word_less() -> None:
    short = document("Rain fell.", "Dogs barked loudly.", "Children sang hymns.", "Bells rang twice.")
    assert [one.index for one in taken(short)] == [0, 1, 2]


def test_of_two_that_say_the_same_the_earlier_is_taken() -> None:
    said_twice = document("Heavy rain fell on Oslo.", "Heavy rain fell on Oslo again.", "Dogs barked.")
    assert [one.index for one in taken(said_twice)] == [0, 2]


def test_a_sentence_with_content_is_taken_before_one_without() -> None:
    late = document("It was so.", "He did it.", "She had been.", "They are there.", "Whale song filled the harbour.")
    assert [one.index for one in taken(late)] == [0, 1, 4]


def test_what_the_document_speaks_of_is_taken_before_what_it_mentions() -> None:
    whales = document(
        "Parking inspectors retired early.",
        "Umbrella thieves vanished yesterday.",
        "Tourists photographed empty streets.",
        "Bakers raised bread prices.",
        "Whale song filled harbour nights.",
        *["Whale song, harbour."] * 6,
    )
    assert 5 in [one.index for one in taken(whales)]
