"""The tokenized corpus: ids are ranks, forms are counted inside sentences, and it is made once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from mls.corpora.records import Problem
from mls.text import fold, tokenize
from mls.training.cache import CachedCorpus, cached_corpus
from mls.vocabulary import SPECIAL, Vocabulary

RARE = 1000  # ids from here on are of words rare enough to count alone


def write(path: Path, *pairs: tuple[str, str]) -> Path:
    rows = [json.dumps({"document": document, "summary": summary}) for document, summary in pairs]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def cache(
    folder: Path,
    *pairs: tuple[str, str],
    size: int = 100,
    vocabulary: Vocabulary | None = None,
    problems: list[Problem] | None = None,
) -> CachedCorpus:
    data = write(folder / "pairs.jsonl", *pairs) if pairs else folder / "pairs.jsonl"
    report = problems.append if problems is not None else lambda problem: pytest.fail(str(problem))
    return cached_corpus(str(data), folder / "cache", size, report, vocabulary)


def words(cached: CachedCorpus, ids: Sequence[int]) -> list[str]:
    return [cached.vocabulary.types[number] if number < len(cached.vocabulary) else "?" for number in ids]


PAIRS = [
    ("It rained in Oslo. It rained and rained in Oslo.", "Rain in Oslo"),
    ("Dogs bark.", "Dogs bark.\nThey do"),
]


def test_ids_are_ranks_by_frequency(tmp_path: Path) -> None:
    cached = cache(tmp_path, *PAIRS)
    texts = [text if text.endswith(".") else f"{text}." for pair in PAIRS for text in pair]
    counts = {key: 0 for text in texts for key in map(fold, (token.text for token in tokenize(text)))}
    for text in texts:
        for token in tokenize(text):
            counts[fold(token.text)] += 1
    ranked = [counts[key] for key in cached.vocabulary.types[len(SPECIAL) :]]
    assert ranked == sorted(ranked, reverse=True)
    assert set(cached.vocabulary.types) == {*SPECIAL, *counts}


def test_examples_are_the_texts(tmp_path: Path) -> None:
    cached = cache(tmp_path, *PAIRS)
    assert len(cached.corpus) == 2
    source, selected, target = cached.corpus.example(0)
    assert words(cached, source) == "it rained in oslo . it rained and rained in oslo .".split()
    assert words(cached, target) == "rain in oslo .".split()
    assert [word for word, taken in zip(words(cached, source), selected, strict=True) if taken] == ["in", "oslo", "."]
    source, _, target = cached.corpus.example(1)
    assert words(cached, source) == "dogs bark .".split()
    assert words(cached, target) == "dogs bark . they do .".split()


def test_blank_lines_of_a_summary_say_nothing(tmp_path: Path) -> None:
    cached = cache(tmp_path, ("Dogs bark.", "Dogs bark.\n\nThey do.\n \n"))
    assert words(cached, cached.corpus.example(0)[2]) == "dogs bark . they do .".split()


def test_a_small_vocabulary_lists_the_most_frequent_and_the_rest_keep_ranks_of_their_own(tmp_path: Path) -> None:
    whole, small = cache(tmp_path, *PAIRS), cache(tmp_path, *PAIRS, size=7)
    assert small.vocabulary.types == whole.vocabulary.types[:7]
    for index in range(2):
        assert [part.tolist() for part in small.corpus.example(index)] == [
            part.tolist() for part in whole.corpus.example(index)
        ]


def test_a_given_vocabulary_keeps_its_ids(tmp_path: Path) -> None:
    given = Vocabulary.of([("bark", "Bark"), ("zebra", "zebra"), ("oslo", "OSLO")])
    cached = cache(tmp_path, *PAIRS, vocabulary=given)
    assert cached.vocabulary == given
    source, _, _ = cached.corpus.example(1)
    assert source[1] == given.ids["bark"]
    assert min(source[0], source[2]) >= len(given)
    assert sorted({int(number) for number in cached.corpus.source if number >= len(given)})[0] == len(given)


def test_a_form_is_the_most_frequent_one_inside_sentences(tmp_path: Path) -> None:
    document = (
        "Apple trees grow here. Apple trees die. Apple trees. The Apple shop sold an apple and one apple. "
        "We saw NASA. “Never ask NASA: Never,” said IBM. Once it rained (Oddly)."
    )
    forms = cache(tmp_path, (document, "apple")).vocabulary
    surfaces = dict(zip(forms.types, forms.surfaces, strict=True))
    assert surfaces["apple"] == "apple"  # the three openers do not count
    assert (surfaces["nasa"], surfaces["ibm"]) == ("NASA", "IBM")
    assert surfaces["never"] == "never"  # seen only where a sentence or a quotation begins
    assert surfaces["oddly"] == "oddly"
    assert surfaces["once"] == "once"
    assert surfaces["trees"] == "trees"


def test_bad_records_are_reported_and_counted(tmp_path: Path) -> None:
    good = json.dumps({"document": "Dogs bark.", "summary": "Dogs."})
    lines = [good, "{", json.dumps({"document": "x"}), json.dumps({"document": " ", "summary": "x"}), "[]", good]
    (tmp_path / "pairs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    problems: list[Problem] = []
    cached = cache(tmp_path, problems=problems)
    assert (len(cached.corpus), cached.skipped, len(problems)) == (2, 4, 4)
    again: list[Problem] = []
    assert cache(tmp_path, problems=again).skipped == 4
    assert again == []


def test_a_document_without_a_token_is_no_example(tmp_path: Path) -> None:
    """There is nothing in it to read, and no network can be trained on it."""
    cached = cache(tmp_path, ("\u200b\x07", "Dogs."), ("Dogs bark.", "Dogs."), problems=[])
    assert (len(cached.corpus), cached.skipped) == (1, 1)


def test_a_corpus_without_a_usable_pair_is_empty(tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text("{\n", encoding="utf-8")
    cached = cache(tmp_path, problems=[])
    assert (len(cached.corpus), cached.skipped) == (0, 1)


def test_a_second_call_reuses_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = cache(tmp_path, *PAIRS)
    monkeypatch.setattr("mls.training.cache.read_records", lambda *_: pytest.fail("read again"))
    second = cache(tmp_path)
    assert second.vocabulary == first.vocabulary
    np.testing.assert_array_equal(second.corpus.source, first.corpus.source)
    assert not list((tmp_path / "cache").glob("unfinished-*"))


def test_other_data_another_size_or_another_vocabulary_has_a_cache_of_its_own(tmp_path: Path) -> None:
    cache(tmp_path, *PAIRS)
    cache(tmp_path, size=7)
    cache(tmp_path, vocabulary=Vocabulary.of([("bark", "bark")]))
    assert len(list((tmp_path / "cache").iterdir())) == 3
    changed = cache(tmp_path, ("Cats.", "Cats."))
    assert words(changed, changed.corpus.example(0)[0]) == ["cats", "."]


def test_a_vocabulary_with_other_forms_is_another(tmp_path: Path) -> None:
    write(tmp_path / "pairs.jsonl", *PAIRS)
    for surface in ("bark", "Bark"):
        given = Vocabulary.of([("bark", surface)])
        assert cache(tmp_path, vocabulary=given).vocabulary == given


def test_an_interrupted_cache_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("mls.vocabulary.Vocabulary.save", fail)
        with pytest.raises(KeyboardInterrupt):
            cache(tmp_path, *PAIRS)
    assert not list((tmp_path / "cache").iterdir())
    assert len(cache(tmp_path).corpus) == 2


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("mls.training.cache.os.replace", fail)
    with pytest.raises(OSError, match="No space left"):
        cache(tmp_path, *PAIRS)
    assert not list((tmp_path / "cache").iterdir())
