"""A vocabulary gives every word one id and survives being stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import texts
from mls.errors import MlsError
from mls.text import tokenize
from mls.vocabulary import PAD, SPECIAL, START, STOP, UNKNOWN, Vocabulary

words = st.lists(st.sampled_from("rain fell on oslo the sea".split()), max_size=8)


def vocabulary_of(text: str) -> Vocabulary:
    surfaces = {token.key: token.text for token in tokenize(text)}
    return Vocabulary.of(surfaces.items())


def test_special_types_come_first() -> None:
    vocabulary = Vocabulary.of([("rain", "Rain")])
    assert [vocabulary.ids[special] for special in SPECIAL] == [PAD, UNKNOWN, START, STOP] == [0, 1, 2, 3]
    assert vocabulary.types[4:] == ("rain",)
    assert vocabulary.surfaces[4:] == ("Rain",)
    assert len(vocabulary) == 5


@given(words, words)
def test_every_type_has_one_id_of_its_own(listed: list[str], said: list[str]) -> None:
    vocabulary = Vocabulary.of((word, word) for word in dict.fromkeys(listed))
    ids = vocabulary.encode(said)
    assert len(ids) == len(said)
    assert len(set(ids)) == len(set(said)) == len(set(zip(ids, said, strict=True)))
    for rank, word in zip(ids, said, strict=True):
        assert (vocabulary.types[rank] == word) if word in listed else rank >= len(vocabulary)


@given(words, words)
def test_unlisted_types_are_numbered_past_the_end_as_they_come(listed: list[str], said: list[str]) -> None:
    vocabulary = Vocabulary.of((word, word) for word in dict.fromkeys(listed))
    unlisted = list(dict.fromkeys(rank for rank in vocabulary.encode(said) if rank >= len(vocabulary)))
    assert unlisted == list(range(len(vocabulary), len(vocabulary) + len(unlisted)))


@given(texts)
def test_what_is_saved_is_loaded(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    vocabulary = vocabulary_of(text)
    path = tmp_path_factory.getbasetemp() / "vocabulary.txt"
    vocabulary.save(path)
    assert Vocabulary.load(path) == vocabulary


def test_a_file_holds_one_type_a_line(tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.txt"
    vocabulary_of("London rain").save(path)
    assert path.read_text(encoding="utf-8") == "london\tLondon\nrain\n"


def test_a_file_edited_on_windows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.txt"
    path.write_bytes(b"london\tLondon\r\nrain\r\n")
    assert Vocabulary.load(path) == vocabulary_of("London rain")


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_what_is_no_vocabulary_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "words.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(MlsError, match=r"words\.txt is not a vocabulary \(one word a line, UTF-8\)"):
        Vocabulary.load(path)
