"""The parser that ships: trees that are trees, the same for a sentence alone and among others."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mls.errors import MlsError
from mls.parser.network import load_parser, shipped_parser
from mls.parser.tree import Parse, heads_of

WORDS = st.lists(st.text(min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=30)


def check(parse: Parse, tokens: list[str]) -> None:
    assert len(parse) == len(tokens) == len(parse.heads) == len(parse.relations) == len(parse.entities)
    assert sum(head == token for token, head in enumerate(parse.heads)) == 1
    for token in range(len(parse)):
        seen = {token}
        while parse.heads[token] != token:
            token = parse.heads[token]
            assert token not in seen
            seen.add(token)
    assert [relation == "ROOT" for relation in parse.relations].index(True) == parse.root
    for numbers in (parse.certainty, parse.keep):
        assert np.all((numbers >= 0) & (numbers <= 1))
    assert 0 <= parse.opening <= 1


@given(WORDS)
@settings(max_examples=40, deadline=None)
def test_whatever_the_words_the_parse_is_a_tree(tokens: list[str]) -> None:
    (parse,) = shipped_parser().parse([tokens])
    check(parse, tokens)


def test_a_plain_sentence_is_understood() -> None:
    (parse,) = shipped_parser().parse(["The old ferry sank in the harbour on Sunday .".split()])
    assert parse.tags[3] == "VBD"
    assert parse.root == 3
    assert parse.relations[2] == "nsubj"
    assert parse.heads[2] == 3
    assert parse.entities[8].endswith("DATE")


def test_a_sentence_reads_the_same_alone_and_among_others() -> None:
    sentences = [f"The {animal} sat on the mat in {year} .".split() for animal in ("cat", "dog") for year in (1, 2)]
    sentences.append("It rained .".split())
    together = shipped_parser().parse(sentences)
    for sentence, parse in zip(sentences, together, strict=True):
        (alone,) = shipped_parser().parse([sentence])
        assert (alone.heads, alone.tags, alone.relations) == (parse.heads, parse.tags, parse.relations)
        assert np.allclose(alone.keep, parse.keep, atol=1e-4)


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_any_scores_give_a_tree_with_one_root(count: int, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(count, count)).astype(np.float32)
    heads = heads_of(scores)
    assert sum(head == token for token, head in enumerate(heads)) == 1


def test_a_folder_without_a_parser_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(MlsError, match="parser"):
        load_parser(tmp_path)
