"""What many beams could say next: PG (9), p_gen P_vocab + (1 - p_gen) P_copy, for all of them at once.

Shapes: D documents of S tokens and up to W different words, K beams each, an output vocabulary of V.
A document's words past the end of the vocabulary can only be copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mls.vocabulary import PAD, STOP

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ids = NDArray[np.int64]

_LEAST = 1e-12  # what is less likely is never said
_GROUP = 25  # words whose highest probability stands for all of them when the highest are looked for


@dataclass(frozen=True)
class SourceWords:
    """The documents' words: `words[d, columns[d, s]]` is token `s` of document `d`."""

    source: Ids  # (D, S)
    columns: Ids  # (D, S)
    words: Ids  # (D, W), filled up with PAD
    weights: Floats | None  # (D, S), how readily a token is copied

    @classmethod
    def of(cls, source: Ids, selected: Floats, floor: float) -> SourceWords:
        """A token that is less likely taken up than the floor is copied less readily."""
        each = [np.unique(row, return_inverse=True) for row in source]
        words = np.full((len(source), max(len(found) for found, _ in each)), PAD, dtype=np.int64)
        for row, (found, _) in zip(words, each, strict=True):
            row[: len(found)] = found
        weights = np.minimum(1.0, selected / floor) if floor else None
        return cls(source, np.stack([columns for _, columns in each]), words, weights)

    def rows(self, staying: Ids) -> SourceWords:
        weights = None if self.weights is None else self.weights[staying]
        return SourceWords(self.source[staying], self.columns[staying], self.words[staying], weights)


class Candidates(NamedTuple):
    """N things that could be said next: by whom, what, and how likely."""

    documents: Ids  # (N,)
    beams: Ids  # (N,)
    tokens: Ids  # (N,)
    probabilities: Doubles  # (N,)

    def at(self, positions: Ids) -> Candidates:
        return Candidates(
            self.documents[positions], self.beams[positions], self.tokens[positions], self.probabilities[positions]
        )


class WordProbabilities:
    """The probability of every word to come next in every beam. It takes `vocabulary` for its own."""

    def __init__(self, source: SourceWords, vocabulary: Floats, p_gen: Floats, attention: Floats) -> None:
        (D, K, V), W = vocabulary.shape, source.words.shape[1]
        self.source = source
        if source.weights is not None:
            attention = attention * source.weights[:, None]
            attention = attention / np.maximum(attention.sum(axis=2, keepdims=True), 1e-9)
        self.attention = attention  # (D, K, S)
        beams = np.arange(D * K).reshape(D, K, 1)
        spent = np.bincount((beams * W + source.columns[:, None]).ravel(), attention.ravel(), minlength=D * K * W)
        self.copied = (1 - p_gen.astype(np.float64))[:, :, None] * spent.reshape(D, K, W)
        self.total = np.multiply(vocabulary, p_gen[:, :, None], out=vocabulary)  # (D, K, V)
        self.only_copied = source.words >= V  # (D, W)
        listed = beams * V + np.where(self.only_copied, PAD, source.words)[:, None]  # (D, K, W)
        flat = self.total.reshape(-1)
        generated = flat[listed]
        flat[listed] = generated + self.copied.astype(np.float32)
        self.generated = np.where(self.only_copied[:, None], 0.0, generated)
        self.total[:, :, :STOP] = 0.0  # padding, the unknown and the start are no words

    def bar(self, documents: Ids, beams: Ids, tokens: Ids, positions: Ids) -> None:
        """Let beams not say some words, each given with the position it was copied from."""
        listed = tokens < self.total.shape[2]
        self.total[documents[listed], beams[listed], tokens[listed]] = 0.0
        rare = ~listed
        columns = self.source.columns[documents[rare], positions[rare]]
        self.copied[documents[rare], beams[rare], columns] = 0.0

    def bar_stop(self, documents: NDArray[np.bool_]) -> None:
        """Let documents not end here."""
        self.total[documents, :, STOP] = 0.0

    def likeliest(self, count: int) -> Candidates:
        """At least the `count` likeliest words of every beam, wherever so many can be said."""
        (_, K, V), W = self.total.shape, self.copied.shape[2]
        least = self._nearly(count)[:, :, None]  # (D, K, 1)
        common = np.flatnonzero(self.total >= least)
        rare = np.flatnonzero((self.copied >= least) & self.only_copied[:, None])
        documents, beams = np.divmod(np.concatenate([common // V, rare // W]), K)
        words = self.source.words[documents[len(common) :], rare % W]
        probabilities = self.total.reshape(-1)[common], self.copied.reshape(-1)[rare]
        return Candidates(documents, beams, np.concatenate([common % V, words]), np.concatenate(probabilities))

    def _nearly(self, count: int) -> Floats:
        """A probability that at least `count` words of each beam have, and few others.

        The highest probability in each of many groups of words is found quickly, and the `count`-th
        highest of those serves.
        """
        D, K, V = self.total.shape
        groups = V // _GROUP
        if groups < count:
            return np.full((D, K), _LEAST, dtype=np.float32)
        highest = self.total[:, :, : groups * _GROUP].reshape(D, K, _GROUP, groups).max(axis=2)
        return np.maximum(np.partition(highest, groups - count, axis=2)[:, :, groups - count], np.float32(_LEAST))

    def origins(self, parents: Ids, tokens: Ids) -> tuple[Ids, NDArray[np.bool_]]:
        """Of one token after each of some beams, (D, K) both: the source token looked at, and if it was copied."""
        documents = np.arange(len(parents))[:, None]
        attention = self.attention[documents, parents]  # (D, K, S)
        same = self.source.source[:, None] == tokens[:, :, None]  # (D, K, S)
        there = same.any(axis=2)
        positions = np.where(there[:, :, None], np.where(same, attention, -1.0), attention).argmax(axis=2)
        columns = self.source.columns[documents, positions]
        by_copying = self.copied[documents, parents, columns]
        return positions, there & (by_copying >= self.generated[documents, parents, columns])
