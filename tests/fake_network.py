"""A network for tests: what it wants to say follows from a seed, the document and the words said so far."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mls.prototype.beam import Floats, Ids, Memory, Output, State
from mls.vocabulary import PAD, START

_PRIME = 1_000_003  # what was said so far is kept as a number


@dataclass(frozen=True)
class FakeNetwork:
    """Without torch and onnxruntime, but with moods of its own; `sharp` ones have clear favourites."""

    beams: int
    vocabulary: int = 16
    seed: int = 0
    sharpness: float = 2.0
    p_gen: float | None = None  # random if not given
    words: tuple[int, ...] | None = None  # all it generates; any type if not given

    def wish(self, source: Sequence[int], said: Sequence[int]) -> tuple[Floats, float, Floats]:
        """P_vocab, p_gen and the attention after some words."""
        history = 0
        for token in (START, *said):
            history = _longer(history, token)
        return self._wish(np.array(source, dtype=np.int64), history)

    def _wish(self, source: Ids, history: int) -> tuple[Floats, float, Floats]:
        random = np.random.default_rng([self.seed, zlib.crc32(source.tobytes()), history])
        scores = random.normal(size=self.vocabulary) * self.sharpness
        if self.words is not None:
            barred = np.ones(self.vocabulary, dtype=bool)
            barred[list(self.words)] = False
            scores[barred] = -np.inf
        probability = random.uniform() if self.p_gen is None else self.p_gen
        attention = _softmax(random.normal(size=len(source)) * self.sharpness)
        return _softmax(scores), float(np.float32(probability)), attention

    def encode(self, source: Ids, longest: Ids) -> tuple[Memory, State]:
        D, S = source.shape
        selected = np.zeros((D, S), dtype=np.float32)
        for row, ids in zip(selected, source, strict=True):
            real = ids[ids != PAD]
            row[: len(real)] = np.random.default_rng([self.seed, zlib.crc32(real.tobytes())]).uniform(size=len(real))
        return Memory(source, selected, ()), (np.zeros((D, self.beams)), np.zeros((D, self.beams, S), np.float32))

    def step(self, tokens: Ids, state: State, memory: Memory) -> Output:
        (D, K), S = tokens.shape, memory.source.shape[1]
        vocabulary, p_gen = np.zeros((D, K, self.vocabulary), np.float32), np.zeros((D, K), np.float32)
        said, coverage = state
        attention, says = np.zeros((D, K, S), np.float32), np.zeros_like(said)
        for d, k in np.ndindex(D, K):
            source = memory.source[d][memory.source[d] != PAD]
            history = _longer(int(said[d, k]), int(tokens[d, k]))
            says[d, k] = history
            vocabulary[d, k], p_gen[d, k], attention[d, k, : len(source)] = self._wish(source, history)
        return Output(vocabulary, p_gen, attention, (says, coverage + attention))


def _longer(history: int, token: int) -> int:
    return (history * 31 + token + 1) % _PRIME


def _softmax(scores: np.ndarray) -> Floats:
    weights = np.exp(scores - scores.max())
    return (weights / weights.sum()).astype(np.float32)
