"""The prototype a network writes: it reads everything, and stands where its words come from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from replay import replay

from builders import document, plain_documents, texts, worded
from fake_network import FakeNetwork
from mls import Summarizer
from mls.explain.as_json import to_dict
from mls.model import shipped_model
from mls.prototype.base import Prototype, prototypes
from mls.prototype.beam import Ids, Memory, Output, SearchSettings, State
from mls.prototype.pointer_generator import PointerGeneratorPrototype
from mls.prototype.realize import SourceToken
from mls.prototype.windows import read_in_windows
from mls.recipe import Recipe
from mls.text import Document, fold, tidy
from mls.vocabulary import SPECIAL, STOP, Vocabulary

VOCABULARY = Vocabulary.of(
    (fold(surface), surface) for surface in "the rain fell . of and was it , council harbour a London solar".split()
)
documents = st.one_of(plain_documents, texts.map(Document.parse)).filter(lambda document: bool(document.sentences))
windows = st.integers(1, 30)


def generator(
    seed: int = 0, window: int = 20, beams: int = 2, shortest: int = 4, longest: int = 12, **moods: float
) -> PointerGeneratorPrototype:
    network = FakeNetwork(beams, len(VOCABULARY), seed, **moods)
    return PointerGeneratorPrototype(network, VOCABULARY, SearchSettings(beams, shortest, longest), window)


generators = st.builds(
    generator,
    seed=st.integers(0, 1000),
    window=st.integers(3, 30),
    beams=st.integers(1, 3),
    longest=st.integers(4, 15),
    sharpness=st.sampled_from([1.0, 4.0]),
)


@given(documents, windows)
def test_windows_hold_every_token_once(document: Document, window: int) -> None:
    read = [entry for part in read_in_windows(document, window) for entry in part]
    assert [entry.token for entry in read] == [token for one in document.sentences for token in one.tokens]
    for entry in read:
        sentence = document.sentences[entry.sentence]
        assert entry.token in sentence.tokens
        assert entry.opens_sentence == (entry.token == sentence.tokens[0])


@given(documents, windows)
def test_no_window_is_empty_or_longer_than_the_encoder(document: Document, window: int) -> None:
    for part in read_in_windows(document, window):
        assert 1 <= len(part) <= window
        assert [entry.position for entry in part] == list(range(len(part)))


def ends_sentence(document: Document, entry: SourceToken) -> bool:
    return entry.token == document.sentences[entry.sentence].tokens[-1]


@given(documents, windows)
def test_windows_end_where_sentences_end(document: Document, window: int) -> None:
    for part in read_in_windows(document, window):
        last = part[-1]
        assert ends_sentence(document, last) or len(document.sentences[last.sentence].tokens) > window


@given(documents)
def test_what_fits_is_read_at_once(document: Document) -> None:
    assert len(read_in_windows(document, document.token_count)) == 1


@given(documents, generators)
def test_sentences_stand_in_the_document(document: Document, generate: PointerGeneratorPrototype) -> None:
    prototype = generate(document)
    assert prototype.generator == "pg-network"
    for one in prototype.sentences:
        assert 0 <= one.anchor < len(document.sentences)
        assert one.tokens
        source = document.sentences[one.anchor]
        if one.verbatim:
            assert (one.text, one.tokens) == (source.text, source.tokens)
        else:
            assert one.text != tidy(source.text)


@given(documents, generators)
def test_every_token_knows_its_origin(document: Document, generate: PointerGeneratorPrototype) -> None:
    for one in generate(document).sentences:
        text = tidy(one.text)
        assert "".join(origin.text for origin in one.origins) == text.replace(" ", "")
        for origin in one.origins:
            assert text[origin.start :].startswith(origin.text)
            assert 0.0 <= origin.p_gen <= 1.0
            if origin.source:
                start, end = origin.source
                assert fold(document.text[start:end]).casefold() == fold(origin.text).casefold()


@given(documents, generators)
def test_the_same_document_gives_the_same_prototype(document: Document, generate: PointerGeneratorPrototype) -> None:
    assert generate(document) == generate(document)


@given(plain_documents, generators)
def test_a_document_of_words_gives_a_prototype(document: Document, generate: PointerGeneratorPrototype) -> None:
    """Whatever is long enough to say something about is not passed over in silence."""
    if document.token_count >= 3 and len(read_in_windows(document, generate.window)) == 1:
        assert generate(document).sentences


class Copyist(FakeNetwork):
    """Copies the document from its first token to its last."""

    def step(self, tokens: Ids, state: State, memory: Memory) -> Output:
        output = super().step(tokens, state, memory)
        output.attention[:], output.p_gen[:], output.vocabulary[:] = 0.0, 0.0, 0.0
        for d, k in np.ndindex(*tokens.shape):
            position = round(float(state[1][d, k].sum()))
            if position < memory.source.shape[1]:
                output.attention[d, k, position] = 1.0
            else:
                output.p_gen[d, k] = output.vocabulary[d, k, STOP] = 1.0
        return output


def test_what_is_copied_whole_is_the_documents_sentence() -> None:
    source = document("Rain fell on Oslo.", "Dogs barked.")
    copies = Copyist(1, len(VOCABULARY))
    prototype = PointerGeneratorPrototype(copies, VOCABULARY, SearchSettings(1, 1, 8), 8)(source)
    assert [(one.anchor, one.text, one.verbatim) for one in prototype.sentences] == [
        (s.index, s.text, True) for s in source.sentences
    ]
    assert [origin.source for origin in prototype.sentences[0].origins][:2] == [(0, 4), (5, 9)]


def test_a_short_window_does_not_silence_a_long_one() -> None:
    """What is said about one window is the same whatever stands in the others."""
    first = "The council " + "fell and rain was of London " * 4 + "."
    generate = generator(window=28, shortest=6, longest=15, words=tuple(range(len(SPECIAL), len(VOCABULARY))))
    alone, both = generate(document(first)), generate(document(first, "So?"))
    assert len(read_in_windows(document(first, "So?"), 28)) == 2
    assert both.text.startswith(alone.text)


def test_windows_are_read_one_by_one_however_many_there_are() -> None:
    generate = generator(window=4, shortest=1, longest=4)
    sentences = [f"{subject} {verb} it." for subject in ("Rain", "London", "Oslo", "Dogs") for verb in "abcdef"]
    alone = [generate(document(sentence)).text for sentence in sentences]
    assert len(read_in_windows(document(*sentences), 4)) == 24
    assert generate(document(*sentences)).text == " ".join(filter(None, alone))


def test_a_document_of_signs_gives_no_sentence() -> None:
    assert generator(p_gen=0.0)(Document.parse("!!! ???")).sentences == ()


def test_an_empty_document_gives_no_sentence() -> None:
    """As the greedy prototype does."""
    assert generator()(Document.parse("")).sentences == ()


budgets = st.sampled_from(["1/2", "1/4", "1/8", "90%", 1, 5, 12, "8 words", "40 chars", "3 chars"])


@given(documents, generators, budgets)
def test_the_budget_is_kept_and_the_reasons_add_up(
    document: Document, generate: PointerGeneratorPrototype, budget: str | int
) -> None:
    summary = Summarizer({"prototype": generate}).summarize(document, budget)
    assert 0 < summary.length <= summary.limit
    assert summary.text.strip()
    replay(to_dict(summary))


class Drafting:
    """Says the same of every document."""

    name = "drafting"

    def __call__(self, document: Document) -> Prototype:
        return Prototype(
            self.name, (worded("The council of the good old town will repair all bridges there are soon."),)
        )


def test_what_is_shortened_is_the_source_whoever_worded_the_sentence() -> None:
    source = document(
        "The town council, which met on Monday evening, agreed to repair the old bridge before the winter floods come.",
        "Nobody in the town had expected anything of the kind from anyone at all.",
    )
    recipe = Recipe.from_dict({"weights": {"position": 1.0}, "prototype": Drafting(), "wording": "draft"})
    summary = Summarizer(recipe).summarize(source, 12)
    assert summary.analysis.units[summary.sentences[0].unit].source is None
    assert summary.text == "The town council agreed to repair the old bridge."
    assert [(one.operation, one.reworded) for one in summary.sentences] == [("shorten", False)]
    replay(to_dict(summary))


def test_a_network_that_says_nothing_is_no_error() -> None:
    silent = generator(shortest=0, words=(STOP,), p_gen=1.0)
    source = document("Rain fell on Oslo.", "The council met in the harbour.", "It was a long winter.")
    assert silent(source).sentences == ()
    summary = Summarizer({"prototype": silent}).summarize(source, "1/2")
    assert 0 < summary.length <= summary.limit
    replay(to_dict(summary))


def test_a_draft_ends_where_the_network_would() -> None:
    source = document("Rain fell on Oslo.", "The council met in the harbour.", "It was a long winter.")

    def length(drafting: PointerGeneratorPrototype) -> int:
        return sum(len(one.origins) for one in drafting(source).sentences)

    held = [generator(seed, shortest=4) for seed in range(12)]
    assert min(map(length, held)) >= 4
    assert min(length(one.ending_by_itself()) for one in held) < 4


@given(st.lists(documents, min_size=1, max_size=5), generators)
def test_many_documents_are_read_as_each_one_alone(many: list[Document], generate: PointerGeneratorPrototype) -> None:
    assert generate.of_many([*many, many[0]]) == [generate(one) for one in [*many, many[0]]]


def test_the_shipped_network_reads_many_documents_as_each_one_alone() -> None:
    """Padding and company must not change a single bit of what onnxruntime computes."""
    generate = shipped_model().prototype()
    examples = Path(__file__).parent.parent.parent / "examples"
    text = " ".join(path.read_text(encoding="utf-8") for path in sorted(examples.glob("*.txt")))
    sentences = [sentence.text for sentence in Document.parse(text).sentences]
    many = [Document.parse(" ".join(sentences[start : start + size])) for start, size in enumerate((1, 2, 3, 6, 20))]
    assert prototypes(generate, many) == [generate(one) for one in many]
