"""Names in the place of pronouns: whom they mean, which words stand there, and where none does."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mls import Summarizer
from mls.forms.ladder import whole_form, with_names
from mls.forms.names import Name
from mls.forms.tree import ParsedSentence
from mls.naming.meant import Scene
from mls.naming.mentions import MAN, SEVERAL, THING, UNKNOWN, WOMAN, entities_of, mentions_of, unnamed_in
from mls.naming.names import LIKELY, RIVAL, Naming
from mls.needs import needs
from mls.parser.network import shipped_parser
from mls.text import Document

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "examples"))
import replay as proof  # noqa: E402

PILOT = (
    "Ada Brennan joined the harbour office in 1961 after leaving school. The town had hardly any ships in those days, "
    "and the harbour was full of mud and old ropes that nobody wanted. She steered the first steam ferry across the "
    "bay in 1987. Nobody wrote a word about that for many years."
)


def parsed(text: str) -> ParsedSentence:
    sentence = Document.parse(text).sentences[0]
    (parse,) = shipped_parser().parse([sentence.tokens.texts])
    assert parse
    return ParsedSentence(sentence, parse)


def naming(text: str) -> tuple[Document, Naming]:
    document = Document.parse(text)
    parses = shipped_parser().parse([sentence.tokens.texts for sentence in document.sentences])
    return document, Naming(document, parses, needs(document, parses), wanted=True)


def mentioned(text: str) -> list[str]:
    return [mention.text for mention in mentions_of(parsed(text))]


def test_a_mention_tells_by_itself_whom_it_names() -> None:
    assert mentioned("The keeper of the old light gave Ada Hale her keys.") == [
        "The keeper of the old light",
        "the old light",
        "Ada Hale",
    ]
    assert mentioned("One of them left this box here last Sunday.") == []  # nobody knows of whom or which
    assert mentioned("My mother and my aunt waited.") == ["My mother", "My mother and my aunt", "my aunt"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The widow waved.", WOMAN),
        ("Hannah Berg waved.", WOMAN),
        ("Mr. Stone waved.", MAN),
        ("The twins waved.", SEVERAL),
        ("The wallet fell.", THING),
        ("The neighbour waved.", UNKNOWN),
    ],
)
def test_a_mention_tells_which_pronouns_can_mean_it(text: str, kind: int) -> None:
    assert [mention.kind for mention in mentions_of(parsed(text))] == [kind]


def test_one_who_is_called_by_a_full_name_and_by_its_parts_is_one() -> None:
    document = Document.parse("Ada Brennan came. Brennan sat down. Ada laughed. A keeper nodded. The keeper left.")
    parses = shipped_parser().parse([sentence.tokens.texts for sentence in document.sentences])
    sentences = [ParsedSentence(s, p) for s, p in zip(document.sentences, parses, strict=True) if p]
    assert [entity.places for entity in entities_of(sentences)] == [[0, 1, 2], [3, 4]]


@pytest.mark.parametrize(
    "text",
    [
        "When Anna came, she waved.",  # the sentence tells
        "During her career, Anna Berg wrote nine books.",
        'The sign said "They are closed".',  # what is quoted stays as it is
    ],
)
def test_no_name_is_wanted_where_nobody_would_ask(text: str) -> None:
    assert list(unnamed_in(parsed(text))) == []


def test_probabilities_leave_some_to_nobody() -> None:
    document = Document.parse(PILOT)
    parses = shipped_parser().parse([sentence.tokens.texts for sentence in document.sentences])
    scene = Scene(document, parses)
    (one,) = unnamed_in(scene.parsed[2])
    possible = scene.possible(one)
    likely = scene.likely(one, possible)
    assert (likely >= 0).all()
    assert likely.sum() <= 1 + 1e-6
    best = likely.argmax()
    assert possible[best][1].text == "Ada Brennan"
    assert likely[best] >= LIKELY
    assert sorted(likely)[-2] <= RIVAL


def test_a_name_stands_in_the_document_word_for_word() -> None:
    for file in ("news.txt", "story.txt", "essay.txt"):
        document, found = naming((ROOT / "examples" / file).read_text(encoding="utf-8"))
        for index, names in found.names.items():
            for number, name in enumerate(names):
                text = document.text[name.start : name.end]
                assert name.number == number
                assert name.text in (text, text[:1].lower() + text[1:])
                assert 0 < name.sure <= 1
                assert name.end <= document.sentences[index].start or name.start >= document.sentences[index].end


def test_a_half_name_is_made_whole() -> None:
    document, found = naming(
        "Dr. Ada Brennan joined the harbour office in 1961. The town had few ships. Brennan steered the first steam "
        "ferry across the bay in 1987. Mrs. Brennan retired in May."
    )
    assert [name.text for name in found.names[2]] == ["Ada Brennan"]
    forms = with_names(document.sentences[2], whole_form(document.sentences[2]), found.names[2])
    assert forms.text == "Ada Brennan steered the first steam ferry across the bay in 1987."


def test_the_first_that_is_kept_gives_way() -> None:
    sentence = Document.parse("Because he was late, his brother left the players' old bus to him.").sentences[0]
    whole = whole_form(sentence)
    he, his, him = 1, 5, 14
    assert [sentence.tokens.texts[place] for place in (he, his, him)] == ["he", "his", "him"]
    name = Name(0, (he, his, him), frozenset((his,)), "the guard", 0, 9, 1.0)
    assert with_names(sentence, whole, [name]).text.startswith("Because the guard was late, his brother")
    rest = [token for token in whole.kept if token > 4]
    without = type(whole)(whole.text, tuple(rest), whole.dropped, 1.0, whole.spans)
    assert with_names(sentence, without, [name]).text.startswith("The guard's brother left")
    none = type(whole)(whole.text, (6, 7), whole.dropped, 1.0, whole.spans)
    assert with_names(sentence, none, [name]) == none  # none of them is left


@pytest.mark.parametrize(
    "text",
    [
        "My boss is kind. He'd have stayed for the whole night if anybody had asked him.",  # `my boss'd`
        "The ferry was late. It rained for the whole of the long grey day in the harbour.",
        "I told Tom and Jim about it. He laughed for the rest of the day about my new hat.",  # who?
    ],
)
def test_what_does_not_fit_or_is_not_sure_is_not_named(text: str) -> None:
    _, found = naming(text)
    assert found.names == {}


def test_my_boss_is_no_name_for_another_speaker() -> None:
    text = (
        "Ann: My sister called from Leeds again.\nBen: What is new up there?\nBen: I hope she has found a flat by now."
    )
    _, found = naming(text)
    assert all("my" not in name.text.lower().split() for names in found.names.values() for name in names)


def test_a_name_comes_in_where_one_sentence_is_all_that_fits_and_replays() -> None:
    summarizer = Summarizer()
    summary = summarizer.summarize(PILOT, "14 words", ban=[0])
    assert summary.text == "Ada Brennan steered the first steam ferry across the bay in 1987."
    (named,) = summary.sentences[0].named
    assert (PILOT[named.start : named.end], PILOT[named.by_start : named.by_end]) == ("She", "Ada Brennan")
    assert "'Ada Brennan' in the place of 'She'" in summary.explain()
    trace = json.loads(summary.to_json())
    proof.replay(trace)
    trace["sentences"][0]["named"][0]["text"] = "Ada Brenner"
    with pytest.raises(proof.MismatchError):
        proof.replay(trace)


def test_where_there_is_room_for_more_or_whole_sentences_are_asked_for_nobody_is_named() -> None:
    longer = Summarizer().summarize(PILOT, "40 words", ban=[0])
    assert not any(sentence.named for sentence in longer.sentences)
    whole = Summarizer({"wording": "source"}).summarize(PILOT, "14 words", ban=[0])
    assert not any(sentence.named for sentence in whole.sentences)


def test_lengths_do_not_depend_on_which_were_asked_before() -> None:
    text = (ROOT / "examples" / "story.txt").read_text(encoding="utf-8")
    budgets = ["15 words", "20 tokens", "150 chars", "1/8", "1/4"]
    together = [summary.to_json() for summary in Summarizer().levels(text, budgets)]
    assert together == [Summarizer().summarize(text, budget).to_json() for budget in budgets]
