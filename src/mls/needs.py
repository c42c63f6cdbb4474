"""What a sentence needs: which other sentences must be there for a reader to understand it.

The rules of `mls.leaning` say why; a judge, learned from texts of which every sentence was marked with what it needs,
says how surely, on which sentence, and of sentences of which no rule speaks. `tools/needs.py` trains it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from mls import leaning
from mls.genres import LEGAL
from mls.judge.network import shipped_judge
from mls.kernels.base import Scores
from mls.leaning import Lean, leanings
from mls.parser.tree import Parse
from mls.perceptron import shipped_perceptrons
from mls.text import Document, Sentence

REASONS = (
    leaning.PRONOUN, leaning.POINTER, leaning.CONTRAST, leaning.CONNECTIVE, leaning.COMPARED, leaning.INTRODUCED,
    leaning.ANSWER, leaning.QUOTED, leaning.SPEAKER, leaning.QUESTION, leaning.REBUTTED, leaning.UNLIKE_AN_OPENING,
    leaning.REPEATED, leaning.ELLIPTIC,
)  # fmt: skip
# What these say holds without a judge: half a quotation, a concession, a question without its answer.
CERTAIN = frozenset(
    (
        leaning.CONTRAST,
        leaning.REBUTTED,
        leaning.QUOTED,
        leaning.SPEAKER,
        leaning.QUESTION,
        leaning.ANSWER,
        leaning.LISTED,
        leaning.ANNOUNCES,
        leaning.DENIED,
    )
)
NEEDED = "what it speaks of is told there"
LEAST = 0.2  # probability below which no rule's silence is broken
# What these go on from, stands right before it, whatever else is believed.
_GOING_ON = frozenset((leaning.CONNECTIVE, leaning.REPEATED, leaning.ELLIPTIC))
_NEARLY = 0.5  # of the probability of the most likely sentence: one that a rule names is believed down to that
_RULED = 0.6  # of what a rule says and the judge doubts, the share that is so
_MOST = 2  # sentences that the judge alone may name
_WITHIN = 0.5  # of what it then says, the share that is believed of two sentences of a writer's own summary
_BLOCK = 1024  # pairs that are judged at once: enough to be fast, few enough to stay in the cache
_STRETCH = 32 * _BLOCK  # pairs whose sentences are held at once,
_SHORT = 2048  # unless there are no more sentences than these
_AT_HAND = 64  # sentences of which it is known what they say: pairs are of neighbours, or with the opening
BACK, AHEAD, OPENING = 12, 2, 3  # sentences before and after, and of the opening, that one may need
Positions = NDArray[np.int64]  # of sentences, among the prose
_UNNAMED = ("DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY")


class Pairs:
    """The pairs of a sentence and another that it may need, and what is seen of them. Positions are among the prose."""

    def __init__(
        self, document: Document, parses: Sequence[Parse | None], rules: Sequence[Sequence[Lean]], worth: Scores
    ) -> None:
        self.document = document
        self.parses = parses
        self.rules = rules
        self.worth = worth
        self.prose = [sentence.index for sentence in document.sentences if sentence.is_prose]
        count = len(self.prose)
        positions = np.arange(count)
        near = np.concatenate(
            [positions[:, None] - np.arange(1, BACK + 1), positions[:, None] + np.arange(1, AHEAD + 1)], 1
        )
        begins = np.where(np.arange(OPENING) < positions[:, None] - BACK, np.arange(OPENING), -1)
        others = np.concatenate([near, np.broadcast_to(begins, (count, OPENING))], axis=1)
        real = (others >= 0) & (others < count)
        self.one = np.broadcast_to(positions[:, None], others.shape)[real]
        self.other = others[real]

    def seen(self, block: slice = slice(None)) -> NDArray[np.float64]:
        """(pairs, D) Of some of the pairs: of a long text there are millions."""
        one, other = self.one[block], self.other[block]
        return np.concatenate(
            [part(one, other) for part in (self._distances, self._alike, self._sides, self._ruled)], axis=1
        )

    def _distances(self, one: Positions, other: Positions) -> NDArray[np.float64]:
        apart, size = (one - other).astype(np.float64), max(1, len(self.prose))
        columns = [
            apart > 0, 1 / (1 + np.abs(apart)), np.log2(1 + np.abs(apart)), apart == 1, apart == 2, apart == 3,
            apart == -1, self.paragraphs[one] == self.paragraphs[other], other == 0, other == 1,
            other / size, one / size, np.full(len(apart), np.log2(1 + size)),
        ]  # fmt: skip
        return np.stack(columns, axis=1).astype(np.float64)

    @cached_property
    def paragraphs(self) -> NDArray[np.int64]:
        return np.array([self.document.sentences[index].paragraph for index in self.prose], dtype=np.int64)

    @cached_property
    def told(self) -> _Told:
        return _Told([self.document.sentences[index] for index in self.prose], self.parses)

    def _alike(self, one: Positions, other: Positions) -> NDArray[np.float64]:
        """What both speak of, and what one speaks of that the other was the first to say."""
        alike = np.einsum("pd,pd->p", self.told.vectors[one], self.told.vectors[other]) if len(one) else np.zeros(0)
        rows = [self.told.shared(*pair) for pair in zip(one.tolist(), other.tolist(), strict=True)]
        return np.concatenate([np.array(rows, dtype=np.float64).reshape(-1, 7), alike[:, None]], axis=1)

    def _sides(self, one: Positions, other: Positions) -> NDArray[np.float64]:
        """What each of the two is like by itself."""
        speakers = [self.document.sentences[index].speaker for index in self.prose]
        same = [speakers[first] == speakers[second] for first, second in zip(one.tolist(), other.tolist(), strict=True)]
        return np.concatenate([self.own[one], self.own[other], np.array(same, dtype=np.float64)[:, None]], axis=1)

    @cached_property
    def own(self) -> NDArray[np.float64]:
        sentences = [self.document.sentences[index] for index in self.prose]
        return np.array([
            [
                self.worth[s.index], len(s.tokens) / 30, s.text.rstrip().endswith("?"), s.speaker is not None,
                _names_somebody(self.parses[s.index]), len(s.content) / 10,
            ] for s in sentences
        ], dtype=np.float64).reshape(-1, 6)  # fmt: skip

    def _ruled(self, one: Positions, other: Positions) -> NDArray[np.float64]:
        """What the rules say of the first, and whether they say it of this other one."""
        told, on = self.said_by_rules
        none = np.zeros(len(REASONS) + 1)
        pairs = zip(one.tolist(), other.tolist(), strict=True)
        pointed = np.array([on.get(pair, none) for pair in pairs]).reshape(-1, len(none))
        return np.concatenate([told[one], pointed, (pointed.sum(axis=1) > 0)[:, None]], axis=1)

    @cached_property
    def said_by_rules(self) -> tuple[NDArray[np.float64], dict[tuple[int, int], NDArray[np.float64]]]:
        """The reasons why each sentence leans, and those for which it leans on another."""
        count = len(REASONS)
        told = np.zeros((len(self.prose), count))
        number = {index: position for position, index in enumerate(self.prose)}
        on: dict[tuple[int, int], NDArray[np.float64]] = {}
        for position, index in enumerate(self.prose):
            for lean in (lean for lean in self.rules[index] if lean.reason in REASONS):
                kind, weight = REASONS.index(lean.reason), 0.5 if lean.droppable else 1.0
                told[position, kind] = weight
                others = {other for other in (lean.on, *lean.also) if other is not None}
                for other in others & number.keys():
                    row = on.setdefault((position, number[other]), np.zeros(count + 1))
                    row[kind if other == lean.on else count] = weight
        return told, on


class _Told:
    """Which words and names each sentence has, which sentence was the first to say them, and what each means."""

    def __init__(self, sentences: Sequence[Sentence], parses: Sequence[Parse | None]) -> None:
        self.sentences, self.parses = sentences, parses
        self.counts: Counter[str] = Counter()
        self.first: dict[str, int] = {}
        for position, sentence in enumerate(sentences):
            for word in set(sentence.content):
                self.counts[word] += 1
                self.first.setdefault(word, position)
        self.of = lru_cache(maxsize=_AT_HAND)(self._of)
        vectors = shipped_judge().meanings(sentences)
        self.vectors = vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6)

    def _of(self, position: int) -> tuple[frozenset[str], frozenset[str], Counter[int]]:
        """The words and names of a sentence, and how many of its words each sentence was the first to say."""
        sentence = self.sentences[position]
        words = frozenset(sentence.content)
        names = _names(sentence.keys, self.parses[sentence.index])
        return words, names, Counter(self.first[word] for word in words)

    def shared(self, one: int, other: int) -> tuple[float, ...]:
        (words, names, begun), (others, names_there, _) = self.of(one), self.of(other)
        shared, size, new = words & others, max(1, len(words)), begun.get(other, 0)
        both, named = len(shared), len(names & names_there)
        if not both:
            return 0, 0.0, 0.0, 0.0, new, new / size, named
        rare = sum(1 / self.counts[word] for word in sorted(shared))
        return both, both / size, both / len(others), rare, new, new / size, named


def _names(keys: Sequence[str], parse: Parse | None) -> frozenset[str]:
    """The words of names in a sentence."""
    entities = parse.entities if parse else ()
    return frozenset(
        key for key, entity in zip(keys, entities, strict=False) if entity != "O" and not entity.endswith(_UNNAMED)
    )


def _names_somebody(parse: Parse | None) -> bool:
    return parse is not None and any(entity.endswith("PERSON") for entity in parse.entities)


def needs(document: Document, parses: Sequence[Parse | None]) -> tuple[tuple[Lean, ...], ...]:
    """For every sentence what it needs, why, and how surely."""
    rules = leanings(document, parses)
    found = list(rules)
    for index, likely in likely_needs(document, parses, rules):
        if document.before[index] is not None:
            found[index] = tuple(_believed(document, index, _weighed(rules[index], likely)))
    return tuple(found)


def _believed(document: Document, index: int, leans: Sequence[Lean]) -> Iterator[Lean]:
    """What the judge alone says is not believed of a clause, nor of a summary: both are written to be read alone.

    Within a summary of several sentences it is half believed.
    """
    sentence = document.sentences[index]
    clause = document.genre == LEGAL and sentence.number is not None
    for lean in leans:
        if lean.reason != NEEDED or not (clause or sentence.sums_up):
            yield lean
        elif lean.on is not None and not clause and document.sentences[lean.on].sums_up:
            yield replace(lean, sure=lean.sure * _WITHIN)


def likely_needs(
    document: Document, parses: Sequence[Parse | None], rules: Sequence[Sequence[Lean]]
) -> Iterator[tuple[int, dict[int, float]]]:
    """For each sentence how probable it is that it needs another, of those that are thought of."""
    pairs = _judged_pairs(document, parses, rules)
    for one, others in groupby(pairs, key=itemgetter(0)):
        yield one, {other: probability for _, other, probability in others}


def _judged_pairs(
    document: Document, parses: Sequence[Parse | None], rules: Sequence[Sequence[Lean]]
) -> Iterator[tuple[int, int, float]]:
    own = shipped_judge().seen(document, parses)
    pairs = Pairs(document, parses, rules, shipped_judge()(document, parses))
    judge, prose = shipped_perceptrons("judge", "needs"), np.array(pairs.prose, dtype=np.int64)
    width = own.shape[1]
    for first in range(0, len(pairs.one), _STRETCH):
        ones, others = prose[pairs.one[first : first + _STRETCH]], prose[pairs.other[first : first + _STRETCH]]
        near = np.arange(len(own)) if len(own) <= _SHORT else np.union1d(ones, others)
        # What a sentence itself brings is worked out once, not for every pair: see `inputs`.
        as_one, as_other = (judge.part(own[near], len(judge.mean) - sides * width) for sides in (2, 1))
        rows_of_ones, rows_of_others = np.searchsorted(near, ones), np.searchsorted(near, others)
        for start in range(0, len(ones), _BLOCK):
            block = slice(start, start + _BLOCK)
            seen = judge.part(pairs.seen(slice(first + start, first + start + _BLOCK)), 0)
            told = judge.judged(seen + as_one[rows_of_ones[block]] + as_other[rows_of_others[block]])
            yield from zip(ones[block].tolist(), others[block].tolist(), told.tolist(), strict=True)


def inputs(seen: NDArray[np.float64], one: Scores, other: Scores) -> NDArray[np.float64]:
    """What the judge is given of pairs: what is seen of both together, and of each."""
    return np.concatenate([seen, one, other], axis=1)


def _is_name(lean: Lean) -> bool:
    """Whether somebody is called by a name: who that is, is told where the full name stands."""
    return lean.reason == leaning.INTRODUCED and lean.cue[:1].isupper()


def _weighed(rules: Sequence[Lean], likely: dict[int, float]) -> list[Lean]:
    """What the rules say, as surely as the judge does; then what the judge says beyond them."""
    any_of_them = 1 - float(np.prod([1 - probability for probability in likely.values()]))
    best = max(likely, key=lambda other: (likely[other], other), default=None)
    found = []
    for lean in rules:
        if lean.droppable or lean.reason in CERTAIN or lean.on is None or best is None:
            found.append(lean)
            continue
        stands = lean.reason in _GOING_ON or _is_name(lean)
        believed = stands or likely.get(lean.on, 0.0) >= _NEARLY * likely[best] or best in lean.also
        found.append(replace(lean, on=lean.on if believed else best, sure=max(any_of_them, _RULED)))
    known = {index for lean in found for index in (lean.on, *lean.also)}
    ranked = sorted(likely, key=lambda other: (-likely[other], other))
    new = [other for other in ranked if likely[other] >= LEAST and other not in known][:_MOST]
    return found + [Lean(NEEDED, other, sure=likely[other]) for other in new]
