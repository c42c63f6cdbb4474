"""Exported networks, run by onnxruntime: what all kinds share, and the PG-Network."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from mls.errors import MlsError
from mls.onnx import open_graph
from mls.prototype.beam import Memory, Output, State, padded
from mls.prototype.probabilities import Floats, Ids
from mls.vocabulary import PAD

_REMEMBERED = 512  # windows


class Graphs:
    """The two graphs of a model folder, `encoder.onnx` and `step.onnx`, each opened when it is first needed."""

    memory: ClassVar[str]  # the names of what the encoder answers
    needs: ClassVar[str]  # and of what the step asks for

    def __init__(self, folder: Path, beams: int, threads: int = 1) -> None:
        self.folder = folder
        self.beams = beams
        self.threads = threads

    @cached_property
    def encoder(self) -> Any:
        return open_graph(self.folder / "encoder.onnx", self.threads, outputs=self.memory)

    @cached_property
    def decoder(self) -> Any:
        return open_graph(self.folder / "step.onnx", self.threads, inputs=self.needs)

    def expect_numbers(self, *answers: Floats) -> None:
        """Damaged weights can give answers that are no numbers, from which nothing follows."""
        if not all(np.isfinite(answer).all() for answer in answers):
            raise MlsError(f"the model in {self.folder} is damaged: what it computes is no number; export it again")


class OnnxPointerGenerator(Graphs):
    """A PG-Network. Its state is that of an LSTM, the context vector, and the attention spent so far."""

    memory = "values keys selected hidden cell"
    needs = "token hidden cell context coverage values keys mask"

    def __init__(self, folder: Path, beams: int, threads: int = 1) -> None:
        super().__init__(folder, beams, threads)
        self.selections: dict[bytes, Floats] = {}  # of the windows read last, by their ids

    def encode(self, source: Ids, longest: Ids) -> tuple[Memory, State]:
        values, keys, selected, hidden, cell = self._read(source)
        D, S = source.shape
        K = self.beams
        context = np.zeros((D, K, values.shape[2]), dtype=np.float32)
        coverage = np.zeros((D, K, S), dtype=np.float32)
        start = (np.repeat(hidden[:, None], K, 1), np.repeat(cell[:, None], K, 1), context, coverage)
        return Memory(source, selected, (values, keys)), start

    def step(self, tokens: Ids, state: State, memory: Memory) -> Output:
        hidden, cell, context, coverage = state
        values, keys = memory.parts
        vocabulary, p_gen, attention, *after = self.decoder.run(
            None,
            {
                "token": tokens,
                "hidden": hidden,
                "cell": cell,
                "context": context,
                "coverage": coverage,
                "values": values,
                "keys": keys,
                "mask": memory.source != PAD,
            },
        )
        self.expect_numbers(vocabulary, p_gen)
        return Output(vocabulary, p_gen, attention, (*after, coverage + attention))

    def select(self, windows: Sequence[Sequence[int]]) -> list[Floats]:
        """How likely a summary takes each token of each window up. What was just drafted about is not read again.

        It need not be: the encoder says the same of a window, to the bit, alone and among others.
        """
        keys = [np.array(window, dtype=np.int64).tobytes() for window in windows]
        found = {key: self.selections[key] for key in keys if key in self.selections}
        new = {key: window for key, window in zip(keys, windows, strict=True) if key not in found}
        if new:
            found |= dict(zip(new, self._selected(padded(list(new.values()))), strict=True))
        return [found[key] for key in keys]

    def _selected(self, source: Ids) -> list[Floats]:
        return [selected[ids != PAD] for ids, selected in zip(source, self._read(source)[2], strict=True)]

    def _read(self, source: Ids) -> tuple[Floats, ...]:
        read: tuple[Floats, ...] = tuple(self.encoder.run(None, {"source": source}))
        self.expect_numbers(*read)
        for ids, selected in zip(source, read[2], strict=True):
            real = ids != PAD
            self.selections[ids[real].tobytes()] = selected[real]
        while len(self.selections) > _REMEMBERED:
            del self.selections[next(iter(self.selections))]
        return read
