"""The fuzzer finds nothing in a few tries, and would find what is there to find."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from pathlib import Path

from benchmark import benchmark
from mls import Summarizer

ROOT = Path(__file__).parent.parent


FUZZ = benchmark("fuzz")


def test_a_few_tries() -> None:
    rng = random.Random(7)
    tried = [FUZZ.try_once(rng, text, {}) for text in islice(FUZZ.texts((), rng), 12)]
    assert sum(count for count, _, _ in tried) > 20
    assert [faults for _, _, faults in tried if faults] == []


def test_what_it_would_find() -> None:
    news = (ROOT / "examples" / "news.txt").read_text(encoding="utf-8")
    honest = Summarizer("light").summarize(news, "60 words")
    assert list(FUZZ.broken(honest, own_words=False)) == []
    assert len(honest.sentences) > 1
    first = replace(honest.sentences[0], text="Nobody ever said this.")
    for false, found in (
        (replace(honest, text=""), "it is empty"),
        (replace(honest, text=honest.text + " and more"), "its length is"),
        (replace(honest, sentences=honest.sentences[::-1]), "its sentences are out of order"),
        (replace(honest, sentences=(first, *honest.sentences[1:])), "the source does not say"),
        (replace(honest, steps=honest.steps[:-1]), "its trace can't be replayed"),
    ):
        assert any(fault.startswith(found) for fault in FUZZ.broken(false, own_words=False)), found
