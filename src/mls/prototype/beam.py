"""Beam search over an exported network, with numpy and onnxruntime alone.

Many documents are decoded in one batch; each has its own beams, and a document that is done takes
no part any more. The words a network can say are its output vocabulary and the document's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mls.vocabulary import PAD, START, STOP, UNKNOWN

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Memory:
    """What the encoder leaves behind: D documents of S tokens."""

    source: Ids  # (D, S)
    selected: Floats  # (D, S), how likely the summary takes a token up
    parts: tuple[NDArray[Any], ...]  # what else the network wants to see again, each (D, ...)


State = tuple[NDArray[Any], ...]
"""The decoder's state for K beams of each of D documents, in parts that only the network knows: each (D, K, ...)."""


@dataclass(frozen=True)
class Output:
    """One step: what could be said next."""

    vocabulary: Floats  # (D, K, V) P_vocab
    p_gen: Floats  # (D, K)
    attention: Floats  # (D, K, S)
    state: State


class StepNetwork(Protocol):
    """A network that can be decoded step by step."""

    def encode(self, source: Ids, longest: Ids) -> tuple[Memory, State]:
        """Read (D, S) tokens; (D,) says how long each text may become, for a network that plans for it."""
        ...

    def step(self, tokens: Ids, state: State, memory: Memory) -> Output: ...


@dataclass(frozen=True)
class SearchSettings:
    """How the search weighs and bounds what it writes; chosen on validation data."""

    beams: int = 4
    shortest: int = 35
    longest: int = 100
    length_exponent: float = 1.0  # scores are divided by length to this power
    selection_floor: float = 0.0  # source tokens less likely taken up are copied less


@dataclass(frozen=True)
class WrittenToken:
    """A token the network wrote: its id, how sure it was to generate, and the source token it looked at."""

    id: int
    p_gen: float
    position: int  # in the source
    copied: bool


@dataclass(frozen=True)
class _Beam:
    score: float
    tokens: tuple[WrittenToken, ...]
    trigrams: frozenset[tuple[int, int, int]]

    @property
    def ids(self) -> list[int]:
        return [token.id for token in self.tokens]

    def extended(self, token: WrittenToken, score: float) -> _Beam:
        ids = [*self.ids[-2:], token.id]
        trigrams = self.trigrams | {(ids[0], ids[1], ids[2])} if len(ids) == 3 else self.trigrams
        return _Beam(score, (*self.tokens, token), trigrams)

    def repeats(self) -> set[int]:
        """The tokens that would say the last word again or complete a trigram said before."""
        ids = self.ids[-2:]
        third = {c for a, b, c in self.trigrams if [a, b] == ids}
        return third | set(ids[-1:])


def beam_search(
    network: StepNetwork,
    sources: Sequence[Sequence[int]],
    settings: SearchSettings | Sequence[SearchSettings],
) -> list[tuple[WrittenToken, ...]]:
    """Write one text for each source, in one batch."""
    each = [settings] * len(sources) if isinstance(settings, SearchSettings) else settings
    source = _padded(sources)
    memory, state = network.encode(source, np.array([one.longest for one in each], dtype=np.int64))
    searches = [_DocumentSearch(memory, row, each[row]) for row in range(len(sources))]
    for _ in range(max(one.longest for one in each) + 1):
        active = [row for row, search in enumerate(searches) if not search.done]
        if not active:
            break
        tokens = np.stack([searches[row].last_tokens() for row in active])
        output = network.step(tokens, tuple(part[active] for part in state), _rows(memory, active))
        parents = np.stack([searches[row].advance(output, place) for place, row in enumerate(active)])
        _store(state, active, _follow(output.state, parents))
    return [search.best() for search in searches]


def _padded(sources: Sequence[Sequence[int]]) -> Ids:
    padded = np.full((len(sources), max(map(len, sources))), PAD, dtype=np.int64)
    for row, ids in zip(padded, sources, strict=True):
        row[: len(ids)] = ids
    return padded


def _rows(memory: Memory, rows: list[int]) -> Memory:
    return Memory(memory.source[rows], memory.selected[rows], tuple(part[rows] for part in memory.parts))


def _follow(state: State, parents: Ids) -> State:
    """The states of the beams that were kept, each taken from its parent."""
    documents = np.arange(len(parents))[:, None]
    return tuple(part[documents, parents] for part in state)


def _store(state: State, rows: list[int], new: State) -> None:
    for part, values in zip(state, new, strict=True):
        part[rows] = values


class _DocumentSearch:
    """The beams of one document."""

    def __init__(self, memory: Memory, row: int, settings: SearchSettings) -> None:
        self.settings = settings
        self.source = memory.source[row]
        real = self.source != PAD
        self.words, self.inverse = np.unique(self.source[real], return_inverse=True)
        self.real = int(real.sum())
        floor = settings.selection_floor
        self.copy_weight = np.minimum(1.0, memory.selected[row, : self.real] / floor) if floor else None
        self.beams = [_Beam(0.0, (), frozenset())]
        self.finished: list[_Beam] = []
        self.done = False

    def last_tokens(self) -> Ids:
        last = [beam.tokens[-1].id if beam.tokens else START for beam in self.beams]
        return np.array(last + [PAD] * (self.settings.beams - len(last)), dtype=np.int64)

    def advance(self, output: Output, place: int) -> Ids:
        """Extend every beam by its best tokens, keep the best of all, and say whose children they are."""
        candidates: list[tuple[float, int, WrittenToken]] = []
        for parent, beam in enumerate(self.beams):
            attention = output.attention[place, parent, : self.real]
            vocabulary, p_gen = output.vocabulary[place, parent], float(output.p_gen[place, parent])
            candidates += self._extensions(beam, parent, vocabulary, p_gen, attention)
        candidates.sort(key=lambda entry: (-entry[0], entry[1], entry[2].id))
        kept: list[_Beam] = []
        parents: list[int] = []
        for score, parent, token in candidates:
            beam = self.beams[parent]
            if token.id == STOP:
                self.finished.append(_Beam(score, beam.tokens, beam.trigrams))
            elif len(kept) < self.settings.beams:
                kept.append(beam.extended(token, score))
                parents.append(parent)
            if len(kept) == self.settings.beams:
                break
        if kept:
            self.beams = kept
            self._finish_if_done()
        else:
            self.done = True  # nothing can follow; what was said stands
        return np.array(parents + [0] * (self.settings.beams - len(parents)), dtype=np.int64)

    def _extensions(
        self, beam: _Beam, parent: int, vocabulary: Floats, p_gen: float, attention: Floats
    ) -> list[tuple[float, int, WrittenToken]]:
        """The likeliest next tokens of one beam. PG (9): p_gen P_vocab + (1 - p_gen) P_copy."""
        attention = attention[: self.real]
        if self.copy_weight is not None:
            attention = attention * self.copy_weight
            attention = attention / max(float(attention.sum()), 1e-9)
        copied = (1 - p_gen) * np.bincount(self.inverse, weights=attention, minlength=len(self.words))
        generated = p_gen * vocabulary
        listed = self.words < len(vocabulary)
        total = generated.copy()
        total[self.words[listed]] += copied[listed].astype(np.float32)
        total[[PAD, UNKNOWN, START]] = 0.0
        length = len(beam.tokens)
        if length < self.settings.shortest:
            total[STOP] = 0.0
        repeats = beam.repeats()
        total[[token for token in repeats if token < len(total)]] = 0.0
        wanted = min(2 * self.settings.beams, len(total) - 1)
        ids = np.argpartition(-total, wanted)[:wanted].tolist()
        chances = {token: float(total[token]) for token in ids}
        for place in np.flatnonzero(~listed).tolist():
            chances[int(self.words[place])] = float(copied[place])
        found = []
        for token in sorted(chances, key=lambda it: (-chances[it], it))[: wanted + 4]:
            if chances[token] > 1e-12 and token not in repeats:
                written = self._written(token, p_gen, generated, attention)
                found.append((beam.score + float(np.log(chances[token])), parent, written))
        return found

    def _written(self, token: int, p_gen: float, generated: Floats, attention: Floats) -> WrittenToken:
        places = np.flatnonzero(self.source[: self.real] == token)
        if not len(places):
            return WrittenToken(token, p_gen, int(np.argmax(attention)), copied=False)
        position = int(places[np.argmax(attention[places])])
        by_copying = (1 - p_gen) * float(attention[places].sum())
        by_generating = float(generated[token]) if token < len(generated) else 0.0
        return WrittenToken(token, p_gen, position, copied=by_copying >= by_generating)

    def _finish_if_done(self) -> None:
        enough = len(self.finished) >= self.settings.beams
        too_long = bool(self.beams) and len(self.beams[0].tokens) >= self.settings.longest
        self.done = enough or too_long or not self.beams

    def best(self) -> tuple[WrittenToken, ...]:
        """The finished text with the best score for its length; an unfinished one where none is."""
        texts = self.finished or self.beams
        return max(texts, key=self._normalised).tokens if texts else ()

    def _normalised(self, beam: _Beam) -> float:
        return float(beam.score / max(1, len(beam.tokens)) ** self.settings.length_exponent)
