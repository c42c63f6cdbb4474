"""The judge: a small network over what is seen of a sentence, its words, and the document around it.

It answers how much a sentence is worth in a summary, from 0 (nothing) to 1 (the very point), as a careful reader would
mark it. `tools/judge.py` trains it; what it learns from, and how well, is told in docs/judge.md.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from importlib import resources
from pathlib import Path

import numpy as np

from mls.judge.features import GENRES, features
from mls.kernels.base import Scores
from mls.parser.tree import Parse
from mls.perceptron import Floats, Perceptrons, load_arrays, load_perceptrons
from mls.text import Document, Sentence

_AT_ONCE = 2048  # sentences
_KNOWN = 4096  # words whose meaning is at hand
_WORDS = ("words", "word_scale", "word_shift")


class Judge:
    """A trained judge, from its file of weights."""

    def __init__(self, path: Path, words: Path) -> None:
        self.path = path
        self.listed = words
        self.meaning = lru_cache(maxsize=_KNOWN)(self._meaning)
        self._last: tuple[weakref.ref[Document], Sequence[Parse | None], tuple[Scores, Scores]] | None = None

    @cached_property
    def rows(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.listed.read_text(encoding="utf-8").split("\n")) if word}

    @cached_property
    def networks(self) -> Perceptrons:
        return load_perceptrons(self.path)

    @cached_property
    def words(self) -> dict[str, Floats]:
        return load_arrays(self.path, _WORDS)

    def __call__(self, document: Document, parses: Sequence[Parse | None]) -> Scores:
        """What each sentence of a document is worth."""
        return self._judged(document, parses)[1]

    def seen(self, document: Document, parses: Sequence[Parse | None]) -> Scores:
        """(sentences, D) What is seen of each sentence, on one scale."""
        return self._judged(document, parses)[0]

    def _judged(self, document: Document, parses: Sequence[Parse | None]) -> tuple[Scores, Scores]:
        """What is seen and what it is worth: of the document that was judged last it is known, for all who ask."""
        last = self._last
        if last is not None and last[0]() is document and last[1] is parses:
            return last[2]
        own = self.networks.scaled(features(document, parses))
        given = _inputs(own, self.meanings(document.sentences), document.genre)
        worth = np.concatenate([self.networks(some) for some in given])
        self._last = weakref.ref(document), parses, (own, worth)
        return own, worth

    def _meaning(self, word: str) -> Floats:
        """(D,) What a word means, as far as it is known."""
        words, scale, _ = self.words.values()
        row = self.rows.get(word)
        return np.zeros(words.shape[1], dtype=np.float32) if row is None else np.asarray(words[row] * scale)

    def meanings(self, sentences: Sequence[Sentence]) -> Floats:
        """(sentences, D) The mean of what the words of each mean, as far as they are known."""
        words, scale, shift = self.words.values()
        meanings = np.zeros((len(sentences), words.shape[1]), dtype=np.float32)
        rows = self.rows
        for meaning, sentence in zip(meanings, sentences, strict=True):
            known = [rows[word] for word in sentence.words if word in rows]
            if known:
                meaning += np.add.reduce(words[known]) / np.float32(len(known)) * scale
        return np.asarray(meanings - shift)


def inputs(own: Scores, meanings: Floats, genre: str) -> Floats:
    """What the networks are given of each sentence: itself, its meaning, what sets it apart, and the document."""
    return np.concatenate(list(_inputs(own, meanings, genre)))


def _inputs(own: Scores, meanings: Floats, genre: str) -> Iterator[Floats]:
    """The same, of some sentences after others: of all of a long text, it would take more room than the text."""
    around = np.concatenate([own.mean(axis=0), [genre == known for known in GENRES]])
    usual = meanings.mean(axis=0)
    for first in range(0, len(own), _AT_ONCE):
        rows = slice(first, first + _AT_ONCE)
        parts = [own[rows], meanings[rows], meanings[rows] - usual, np.tile(around, (len(own[rows]), 1))]
        yield np.concatenate(parts, axis=1).astype(np.float32)


@cache
def shipped_judge() -> Judge:
    """The judge that lies inside the package."""
    assets = Path(str(resources.files("mls"))) / "assets"
    return Judge(assets / "judge" / "judge.npz", assets / "embedding" / "words.txt")
