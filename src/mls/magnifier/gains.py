"""What a reader gains by a move: by a form of a sentence as all that a summary says, or beside what it says already.

Learned from graded moves: language models read texts, then single lines as the only thing that somebody sees of them,
and lines that might be added to what a summary says. `tools/gains.py` trains the judge.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from mls.analysis import Analysis
from mls.forms.ladder import Form
from mls.forms.losses import Words
from mls.forms.tree import ParsedSentence
from mls.judge.features import GENRES
from mls.kernels.base import Scores
from mls.perceptron import shipped_perceptrons

_SITUATION = (
    "nothing there", "understood", "goes on", "in the same paragraph", "how far from the one before",
    "none before", "none after", "said already", "worth beside the others", "sentences there", "next to one",
    "another voice",
)  # fmt: skip
_SENTENCE = (
    "worth", "worth, by its logarithm", "rank", "number of sentences", "how far", "first", "last",
    *(f"in a {genre}" for genre in GENRES), "spoken", "like an opening", "certain",
)  # fmt: skip
_FORM = (
    "share", "sure", "words", "words, by their logarithm", "share of words", "parts gone", "lost with a part",
    "words of the point", "the most of a word", "words said often", "kept by people", "begins with a pronoun",
    "pronouns", "question", "quotation", "digits", "verbs", "says i", "share of worth",
)  # fmt: skip
NAMES = (*_SITUATION, *_SENTENCE, *_FORM)
_PRONOUNS = frozenset("he she it they his her its their him them this that these those".split())
_MYSELF = frozenset(("i", "my"))


class Gains:
    """Judges the moves that can be made in one document."""

    def __init__(self, analysis: Analysis, worth: Scores) -> None:
        assert analysis.ladders is not None
        self.document, self.ladders, self.worth = analysis.document, analysis.ladders, worth
        self.of_sentence = cache(self._of_sentence)
        self.known: dict[tuple[int, tuple[int, ...], bool], list[float]] = {}
        self.parsed = cache(self._parsed)

    def seen(self, index: int, form: Form, there: Sequence[int], understood: float, unheard: bool) -> list[float]:
        """What is seen of a move: numbers, one for each of `NAMES`."""
        situation = self._situation(index, there, understood, unheard)
        key = index, form.kept, bool(form.names)
        own = self.known.get(key)
        if own is None:
            own = self.known[key] = [*self.of_sentence(index), *self._of_form(index, form)]
        return [*situation, *own]

    def _situation(self, index: int, there: Sequence[int], understood: float, unheard: bool) -> list[float]:
        """What a sentence is beside those that are there."""
        before = max((other for other in there if other < index), default=None)
        after = any(other > index for other in there)
        own = self.content[index]
        said = own & frozenset().union(*(self.content[other] for other in there))
        goes_on = self.document.before[index] in there
        return [
            not there, understood, goes_on, before is not None and self._paragraph(before) == self._paragraph(index),
            math.log2(1 + index - before) if before is not None else 0.0, before is None, not after,
            len(said) / max(1, len(own)),
            float(self.worth[index] / max(1e-9, self.worth[there].mean())) if there else 0.0,
            math.log2(1 + len(there)), index - 1 in there or index + 1 in there, unheard,
        ]  # fmt: skip

    def _paragraph(self, index: int) -> int:
        return self.document.sentences[index].paragraph

    def _of_sentence(self, index: int) -> list[float]:
        sentence, worth, count = self.document.sentences[index], float(self.worth[index]), len(self.worth)
        parsed = self.parsed(index)
        return [
            worth, math.log(worth + 1e-4), 1 / (1 + self.rank[index]), math.log2(1 + count), index / count,
            index == self.prose[0], index == self.prose[-1], *(self.document.genre == genre for genre in GENRES),
            bool(sentence.speaker), float(parsed[0].parse.opening) if parsed else 0.0,
            parsed[0].mean_certainty if parsed else 0.0,
        ]  # fmt: skip

    def _of_form(self, index: int, form: Form) -> list[float]:
        sentence = self.document.sentences[index]
        are_words = tuple(sentence.tokens.are_words)
        kept = [token for token in form.kept if are_words[token]]
        words = [sentence.keys[token] for token in kept]
        total = max(1, sum(are_words))
        content = self.content[index].intersection(words)
        named = {name.place(form.kept) for name in form.names}
        pronouns = [sentence.keys[token] in _PRONOUNS and token not in named for token in kept]
        return [
            form.share, form.sure, len(words), math.log2(1 + len(words)), len(words) / total, len(form.dropped),
            max((part.loss for part in form.dropped), default=0.0), *self._told(index, kept),
            self._often(content) / self.most_often, self._kept(index, kept), bool(words) and pronouns[0],
            sum(pronouns), "?" in form.text, any(mark in form.text for mark in "\"“'‘"),
            any(map(str.isdigit, form.text)), self._verbs(index, kept), not _MYSELF.isdisjoint(words),
            form.share * float(self.worth[index]),
        ]  # fmt: skip

    def _told(self, index: int, kept: Sequence[int]) -> tuple[float, float]:
        """How much the words of a form have to do with the point of the document, all of them and the first of them."""
        parsed = self.parsed(index)
        if parsed is None or not kept:
            return 0.0, 0.0
        worth = parsed[1].worth[kept]
        return float(worth.sum()), float(worth.max())

    def _kept(self, index: int, kept: Sequence[int]) -> float:
        parsed = self.parsed(index)
        return sum(parsed[0].keep[token] for token in kept) / len(kept) if parsed and kept else 0.0

    def _verbs(self, index: int, kept: Sequence[int]) -> int:
        parsed = self.parsed(index)
        return sum(parsed[0].parse.tags[token].startswith("V") for token in kept) if parsed else 0

    def _parsed(self, index: int) -> tuple[ParsedSentence, Words] | None:
        parse = self.ladders.parses[index]
        if parse is None:
            return None
        parsed = ParsedSentence(self.document.sentences[index], parse)
        return parsed, Words(parsed, self.ladders.often)

    @cached_property
    def content(self) -> list[frozenset[str]]:
        return [frozenset(sentence.content) for sentence in self.document.sentences]

    @cached_property
    def rank(self) -> NDArray[np.int64]:
        """How many sentences are worth more than each."""
        rank = np.empty(len(self.worth), dtype=np.int64)
        rank[np.argsort(-self.worth, kind="stable")] = np.arange(len(self.worth))
        return rank

    @cached_property
    def prose(self) -> list[int]:
        return [index for index, sentence in enumerate(self.document.sentences) if sentence.is_prose] or [0]

    @cached_property
    def sentences_with(self) -> Counter[str]:
        return Counter(word for words in self.content for word in words)

    @cached_property
    def most_often(self) -> float:
        return max(map(self._often, self.content), default=0.0) or 1.0

    def _often(self, words: Collection[str]) -> float:
        return sum(math.log2(count) for count in sorted(self.sentences_with[word] for word in words))


def judged(seen: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """What is gained by each move, from 0 to 1."""
    return shipped_perceptrons("judge", "gains").of_rows(seen)
