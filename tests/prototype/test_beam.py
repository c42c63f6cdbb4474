"""Beam search: what it never says, how long it speaks, and that it finds what a plain search finds."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from fake_network import FakeNetwork
from mls.prototype.beam import SearchSettings, WrittenToken, beam_search
from mls.vocabulary import PAD, START, STOP, UNKNOWN

VOCABULARY = 40
sources = st.lists(st.integers(4, VOCABULARY + 6), min_size=1, max_size=12)
settings = st.builds(
    SearchSettings,
    beams=st.integers(1, 5),
    shortest=st.integers(1, 6),
    longest=st.integers(6, 14),
    length_exponent=st.sampled_from([0.0, 1.0, 1.6]),
    selection_floor=st.sampled_from([0.0, 0.5]),
)
networks = st.builds(
    FakeNetwork,
    beams=st.just(0),
    vocabulary=st.just(VOCABULARY),
    seed=st.integers(0, 10_000),
    sharpness=st.sampled_from([0.5, 2.0, 6.0]),
)


def search(network: FakeNetwork, settings: SearchSettings, *documents: list[int]) -> list[tuple[WrittenToken, ...]]:
    return beam_search(replace(network, beams=settings.beams), documents, settings)


def ids(written: Sequence[WrittenToken]) -> tuple[int, ...]:
    return tuple(token.id for token in written)


def trigrams(said: Sequence[int]) -> list[tuple[int, ...]]:
    return [tuple(said[start : start + 3]) for start in range(len(said) - 2)]


def probabilities(network: FakeNetwork, source: list[int], said: tuple[int, ...], shortest: int) -> dict[int, float]:
    """PG (9) over an explicit extended vocabulary, without what must not be said."""
    vocabulary, p_gen, attention = network.wish(source, said)
    total: dict[int, float] = defaultdict(float)
    for word, probability in enumerate(vocabulary.tolist()):
        total[word] += p_gen * probability
    for word, weight in zip(source, attention.tolist(), strict=True):
        total[word] += (1 - p_gen) * weight
    known = trigrams(said)
    return {
        word: probability
        for word, probability in total.items()
        if probability > 1e-12
        and word not in (PAD, UNKNOWN, START, *said[-1:])
        and (word != STOP or len(said) >= shortest)
        and (*said[-2:], word) not in known
    }


@given(networks, sources, settings)
def test_it_never_says_what_is_no_word(network: FakeNetwork, source: list[int], settings: SearchSettings) -> None:
    assert not {PAD, UNKNOWN, START, STOP} & set(ids(search(network, settings, source)[0]))


@given(networks, sources, settings)
def test_it_never_repeats_itself(network: FakeNetwork, source: list[int], settings: SearchSettings) -> None:
    said = ids(search(network, settings, source)[0])
    assert all(word != after for word, after in pairwise(said))
    assert len(trigrams(said)) == len(set(trigrams(said)))


@given(networks, sources, settings)
def test_it_keeps_to_its_lengths(network: FakeNetwork, source: list[int], settings: SearchSettings) -> None:
    """There is always another word to say here, so the shortest length can always be reached."""
    assert settings.shortest <= len(search(network, settings, source)[0]) <= settings.longest


@given(networks, sources, settings, st.integers(4, VOCABULARY - 1))
def test_a_brief_text_ends_with_a_sentence_if_any_is_long_enough(
    network: FakeNetwork, source: list[int], settings: SearchSettings, full_stop: int
) -> None:
    one_beam = replace(settings, beams=1)
    network = replace(network, beams=1)
    (written,), (plain,) = (beam_search(network, [source], one_beam, stop) for stop in (full_stop, None))
    said = ids(plain)
    enough = [end for end, word in enumerate(said, 1) if word == full_stop and end >= settings.shortest]
    assert ids(written) == (said[: enough[0]] if enough else said)
    assert len(written) <= settings.longest


@given(networks, sources, settings)
def test_what_was_said_is_kept_although_nothing_can_follow(
    network: FakeNetwork, source: list[int], settings: SearchSettings
) -> None:
    """A network of three words has soon said all trigrams there are."""
    terse = replace(network, words=(4, 5, STOP), p_gen=1.0)
    assert search(terse, replace(settings, selection_floor=0.0), source)[0]


@limits(max_examples=25)
@given(networks, st.lists(sources, min_size=2, max_size=4), settings)
def test_a_document_is_read_the_same_alone_and_among_others(
    network: FakeNetwork, documents: list[list[int]], settings: SearchSettings
) -> None:
    together = search(network, settings, *documents)
    assert together == [search(network, settings, document)[0] for document in documents]


@given(networks, sources, settings)
def test_one_beam_is_a_greedy_search(network: FakeNetwork, source: list[int], settings: SearchSettings) -> None:
    settings = replace(settings, beams=1, selection_floor=0.0)
    said: tuple[int, ...] = ()
    while len(said) < settings.longest:
        allowed = probabilities(network, source, said, settings.shortest)
        best = max(allowed, key=lambda word: allowed[word])
        if best == STOP:
            break
        said = (*said, best)
    assert ids(search(network, settings, source)[0]) == said


WORDS = (5, 6, 7)
TINY = FakeNetwork(beams=0, vocabulary=300, sharpness=1.0, words=(*WORDS, STOP))


def enumerate_texts(source: list[int], settings: SearchSettings, seed: int) -> dict[tuple[int, ...], float]:
    """Every finished text that is shorter than the longest, with its score for its length."""
    network = replace(TINY, seed=seed)
    finished = {}
    waiting: list[tuple[tuple[int, ...], float]] = [((), 0.0)]
    while waiting:
        said, score = waiting.pop()
        for word, probability in probabilities(network, source, said, settings.shortest).items():
            if word == STOP:
                finished[said] = (score + math.log(probability)) / len(said) ** settings.length_exponent
            elif len(said) + 1 < settings.longest:
                waiting.append(((*said, word), score + math.log(probability)))
    return finished


@limits(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.7, 1.0, 1.6]), st.integers(1, 3))
def test_enough_beams_find_the_best_text_there_is(seed: int, exponent: float, shortest: int) -> None:
    source = [5, 301, 6]  # 301 can only be copied
    settings = SearchSettings(120, shortest, longest=4, length_exponent=exponent, selection_floor=0.0)
    texts = enumerate_texts(source, settings, seed)
    found = ids(search(replace(TINY, seed=seed), settings, source)[0])
    assert found == max(texts, key=lambda text: texts[text])


@given(st.integers(0, 10_000), st.integers(2, 8))
def test_a_vocabulary_may_be_smaller_than_the_beams_are_wide(seed: int, beams: int) -> None:
    small = FakeNetwork(beams=0, vocabulary=6, seed=seed)
    settings = SearchSettings(beams=beams, shortest=1, longest=4)
    assert 1 <= len(search(small, settings, [4, 5, 9])[0]) <= 4


@given(networks, sources, settings)
def test_a_copied_word_stands_where_it_was_copied_from(
    network: FakeNetwork, source: list[int], settings: SearchSettings
) -> None:
    for token in search(network, settings, source)[0]:
        assert 0 <= token.position < len(source)
        if token.copied:
            assert source[token.position] == token.id
        if token.id >= VOCABULARY:
            assert token.copied


@given(networks, settings)
def test_words_outside_the_vocabulary_are_copied(network: FakeNetwork, settings: SearchSettings) -> None:
    source = list(range(VOCABULARY, VOCABULARY + 9))
    written = search(replace(network, p_gen=0.0), settings, source)[0]
    assert set(ids(written)) <= set(source)
    assert all(token.copied and token.p_gen == 0.0 for token in written)


@given(networks, sources, settings)
def test_it_tells_how_sure_it_was_to_generate(
    network: FakeNetwork, source: list[int], settings: SearchSettings
) -> None:
    written = search(network, settings, source)[0]
    for number, token in enumerate(written):
        assert token.p_gen == pytest.approx(network.wish(source, ids(written[:number]))[1])


class Picky(FakeNetwork):
    """Would never take up the words with odd ids."""

    def encode(self, source, longest):  # type: ignore[no-untyped-def]
        memory, state = super().encode(source, longest)
        return replace(memory, selected=(source % 2 == 0).astype("float32")), state


@given(st.integers(0, 1000))
def test_what_summaries_never_take_up_is_not_copied_above_a_floor(seed: int) -> None:
    network = Picky(beams=2, vocabulary=VOCABULARY, seed=seed, p_gen=0.0)
    source = list(range(VOCABULARY, VOCABULARY + 12))
    settings = SearchSettings(beams=2, shortest=3, longest=5, selection_floor=0.3)
    assert all(word % 2 == 0 for word in ids(beam_search(network, [source], settings)[0]))


def test_every_setting_of_the_search_changes_something() -> None:
    """A setting that a model folder may hold must not be without effect."""
    network = FakeNetwork(beams=3, vocabulary=VOCABULARY, sharpness=1.0, words=tuple(range(STOP, 12)))
    plain = SearchSettings(beams=3, shortest=2, longest=10)
    others = {
        "beams": 1, "shortest": 8, "longest": 3, "length_exponent": 9.0, "selection_floor": 0.9
    }  # fmt: skip
    documents = [list(range(start, start + 9)) for start in range(4, 24)]
    usual = [ids(text) for text in search(network, plain, *documents)]
    idle = [
        name
        for name, value in others.items()
        if [ids(text) for text in search(network, replace(plain, **{name: value}), *documents)] == usual
    ]
    assert not idle
