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

from mls.prototype.probabilities import Candidates, Doubles, Floats, Ids, SourceWords, WordProbabilities
from mls.vocabulary import PAD, START, STOP


@dataclass(frozen=True)
class Memory:
    """What the encoder leaves behind: D documents of S tokens."""

    source: Ids  # (D, S)
    selected: Floats  # (D, S), how likely the summary takes a token up
    parts: tuple[NDArray[Any], ...]  # what else the network wants to see again, each (D, ...)

    def rows(self, staying: Ids) -> Memory:
        return Memory(self.source[staying], self.selected[staying], tuple(part[staying] for part in self.parts))


State = tuple[NDArray[Any], ...]
"""The decoder's state for K beams of each of D documents, in parts that only the network knows: each (D, K, ...)."""


@dataclass(frozen=True)
class Output:
    """One step: what could be said next. Its arrays are the search's to change."""

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
    shortest: int = 75
    longest: int = 110
    length_exponent: float = 1.0  # scores are divided by length to this power
    selection_floor: float = 0.3  # source tokens less likely taken up are copied less


@dataclass(frozen=True)
class WrittenToken:
    """A token the network wrote: its id, how sure it was to generate, and the source token it looked at."""

    id: int
    p_gen: float
    position: int  # in the source
    copied: bool


# What is kept of every token that was said; one array, so that beams move as a whole.
_SAID = np.dtype([("id", np.int64), ("p_gen", np.float32), ("position", np.int32), ("copied", np.bool_)])


def beam_search(
    network: StepNetwork,
    sources: Sequence[Sequence[int]],
    settings: SearchSettings | Sequence[SearchSettings],
    full_stop: int | None = None,
) -> list[tuple[WrittenToken, ...]]:
    """Write one text for each source, in one batch; given a full stop, a text may also end wherever it says one."""
    each = [settings] * len(sources) if isinstance(settings, SearchSettings) else list(settings)
    memory, state = network.encode(padded(sources), np.array([one.longest for one in each], dtype=np.int64))
    search = _Search(memory, each, full_stop)
    while len(search.positions):
        output = network.step(search.last_tokens(), state, memory)
        state = _follow(output.state, search.advance(output))
        staying = np.flatnonzero(~search.done)
        if len(staying) < len(search.done):
            search.go_on_with(staying)
            memory, state = memory.rows(staying), tuple(part[staying] for part in state)
    return search.texts


def padded(sources: Sequence[Sequence[int]]) -> Ids:
    """Ids of unlike length in one array."""
    rows = np.full((len(sources), max(map(len, sources))), PAD, dtype=np.int64)
    for row, ids in zip(rows, sources, strict=True):
        row[: len(ids)] = ids
    return rows


def _follow(state: State, parents: Ids) -> State:
    """The states of beams that each go on from one of these, (D, K)."""
    documents = np.arange(len(parents))[:, None]
    return tuple(part[documents, parents] for part in state)


class _Search:
    """K beams for each of the D documents that are still being written, all of the same length."""

    def __init__(self, memory: Memory, settings: list[SearchSettings], full_stop: int | None) -> None:
        self.full_stop = full_stop
        D, self.K = len(settings), settings[0].beams  # beams and floor are one for all
        self.texts: list[tuple[WrittenToken, ...]] = [()] * D
        self.positions = list(range(D))  # in `texts`
        self.settings = settings
        self.words = SourceWords.of(memory.source, memory.selected, settings[0].selection_floor)
        self.length = 0
        self.said = np.zeros((D, self.K, max(one.longest for one in settings)), dtype=_SAID)
        self.scores = np.full((D, self.K), -np.inf)  # a beam that is not there can't win
        self.scores[:, 0] = 0.0
        self.finished = [_Finished(one) for one in settings]
        self.done = np.zeros(D, dtype=bool)

    def last_tokens(self) -> Ids:
        if not self.length:
            return np.full(self.scores.shape, START, dtype=np.int64)
        return self.said["id"][:, :, self.length - 1]

    def advance(self, output: Output) -> Ids:
        """Extend every beam by its best tokens, keep the best of all, and say whose children they are."""
        probabilities = WordProbabilities(self.words, output.vocabulary, output.p_gen, output.attention)
        probabilities.bar(*self._repeats())
        probabilities.bar_stop(np.array([self.length < one.shortest for one in self.settings]))
        # One more than are kept, for one of them may be the end.
        found, scores, ranks = self._ranked(probabilities.likeliest(self.K + 1))
        ends = found.tokens == STOP
        for number in np.flatnonzero(ends & (ranks < self.K)).tolist():
            document = int(found.documents[number])
            said = self.said[document, found.beams[number], : self.length]
            self.finished[document].offer(float(scores[number]), said)
        kept = np.flatnonzero(~ends & (ranks < self.K))
        slots = found.documents[kept], ranks[kept]
        parents, tokens = np.zeros((2, *self.scores.shape), dtype=np.int64)
        parents[slots], tokens[slots] = found.beams[kept], found.tokens[kept]
        stuck = np.bincount(slots[0], minlength=len(parents)) == 0
        self.finish(stuck)  # nothing can follow; what was said stands
        self._extend(output, probabilities, parents, tokens)
        self.scores = np.full(self.scores.shape, -np.inf)
        self.scores[slots] = scores[kept]
        self._offer_whole_sentences()
        self.finish(~stuck & np.array([one.enough(self.length) for one in self.finished]))
        return parents

    def _offer_whole_sentences(self) -> None:
        """Texts that have just come to a full stop are finished, if that is enough, and go on as well."""
        if self.full_stop is None:
            return
        stopped = (self.said["id"][:, :, self.length - 1] == self.full_stop) & (self.scores > -np.inf)
        for document, beam in np.argwhere(stopped).tolist():
            if self.length >= self.settings[document].shortest:
                self.finished[document].offer(
                    float(self.scores[document, beam]), self.said[document, beam, : self.length]
                )

    def _repeats(self) -> tuple[Ids, Ids, Ids, Ids]:
        """Who would say what again: the last word, or the third of a trigram said before."""
        if not self.length:
            nothing = np.zeros(0, dtype=np.int64)
            return nothing, nothing, nothing, nothing
        ids, last = self.said["id"], self.length - 1
        documents, beams = np.indices(self.scores.shape).reshape(2, -1)
        positions = np.full(len(beams), last)
        if self.length > 2:
            again = ids[:, :, : last - 1] == ids[:, :, last - 1, None]
            again &= ids[:, :, 1:last] == ids[:, :, last, None]
            more = np.nonzero(again)
            documents, beams = np.concatenate([documents, more[0]]), np.concatenate([beams, more[1]])
            positions = np.concatenate([positions, more[2] + 2])
        repeated = self.said[documents, beams, positions]
        return documents, beams, repeated["id"], repeated["position"]

    def _ranked(self, found: Candidates) -> tuple[Candidates, Doubles, Ids]:
        """Candidates document by document, the best first, with their scores and how many words are better."""
        scores = self.scores[found.documents, found.beams] + np.log(found.probabilities)
        order = np.lexsort((found.tokens, found.beams, -scores, found.documents))
        order = order[scores[order] > -np.inf]
        found = found.at(order)
        words = found.tokens != STOP
        before = np.cumsum(words) - words
        firsts = np.searchsorted(found.documents, found.documents)
        return found, scores[order], before - before[firsts]

    def _extend(self, output: Output, probabilities: WordProbabilities, parents: Ids, tokens: Ids) -> None:
        documents = np.arange(len(parents))[:, None]
        self.said = self.said[documents, parents]
        new = self.said[:, :, self.length]
        new["id"], new["p_gen"] = tokens, output.p_gen[documents, parents]
        new["position"], new["copied"] = probabilities.origins(parents, tokens)
        self.length += 1

    def finish(self, documents: NDArray[np.bool_]) -> None:
        """Some documents are done: the best finished text is theirs, an unfinished one where none is."""
        for number in np.flatnonzero(documents).tolist():
            one = self.finished[number]
            if not one.count:
                for beam in np.flatnonzero(self.scores[number] > -np.inf).tolist():
                    one.offer(float(self.scores[number, beam]), self.said[number, beam, : self.length])
            self.texts[self.positions[number]] = tuple(WrittenToken(*token.item()) for token in one.best)
        self.done |= documents

    def go_on_with(self, staying: Ids) -> None:
        """Forget the documents that are done."""
        self.positions, self.settings, self.finished = (
            [kind[number] for number in staying] for kind in (self.positions, self.settings, self.finished)
        )
        self.words = self.words.rows(staying)
        self.said, self.scores, self.done = self.said[staying], self.scores[staying], self.done[staying]


class _Finished:
    """The texts of one document that have come to their end."""

    def __init__(self, settings: SearchSettings) -> None:
        self.settings = settings
        self.count = 0
        self.best: NDArray[np.void] = np.zeros(0, dtype=_SAID)
        self.best_score = -np.inf

    def offer(self, score: float, said: NDArray[np.void]) -> None:
        """Take a text if its score is the best for its length."""
        self.count += 1
        score = score / max(1, len(said)) ** self.settings.length_exponent
        if score > self.best_score:
            self.best, self.best_score = said.copy(), score

    def enough(self, length: int) -> bool:
        return self.count >= self.settings.beams or length >= self.settings.longest
