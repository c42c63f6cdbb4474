"""Exported networks, run by onnxruntime: one class for each kind, all decoded by the same search."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from mls.errors import MlsError
from mls.prototype.beam import Memory, Output, State
from mls.prototype.chances import Ids
from mls.vocabulary import PAD


class _Graphs:
    """The two graphs of a model folder, `encoder.onnx` and `step.onnx`, each opened when it is first needed."""

    def __init__(self, folder: Path, beams: int, threads: int = 1) -> None:
        self.folder = folder
        self.beams = beams
        self.threads = threads

    @cached_property
    def encoder(self) -> Any:
        return _opened(self.folder / "encoder.onnx", self.threads)

    @cached_property
    def decoder(self) -> Any:
        return _opened(self.folder / "step.onnx", self.threads)


class OnnxPointerGenerator(_Graphs):
    """A PG-Network. Its state is that of an LSTM, the context vector, and the attention spent so far."""

    def encode(self, source: Ids, longest: Ids) -> tuple[Memory, State]:
        states, keys, selected, hidden, cell = self.encoder.run(None, {"source": source})
        D, S = source.shape
        K = self.beams
        context = np.zeros((D, K, states.shape[2]), dtype=np.float32)
        coverage = np.zeros((D, K, S), dtype=np.float32)
        start = (np.repeat(hidden[:, None], K, 1), np.repeat(cell[:, None], K, 1), context, coverage)
        return Memory(source, selected, (states, keys)), start

    def step(self, tokens: Ids, state: State, memory: Memory) -> Output:
        hidden, cell, context, coverage = state
        states, keys = memory.parts
        vocabulary, p_gen, attention, *after = self.decoder.run(
            None,
            {
                "token": tokens,
                "hidden": hidden,
                "cell": cell,
                "context": context,
                "coverage": coverage,
                "states": states,
                "keys": keys,
                "mask": memory.source != PAD,
            },
        )
        return Output(vocabulary, p_gen, attention, (*after, coverage + attention))


class OnnxConvolutional(_Graphs):
    """A convolutional network. Its state is the place in the text, and what each layer saw last."""

    def encode(self, source: Ids, longest: Ids) -> tuple[Memory, State]:
        keys, values = self.encoder.run(None, {"source": source})
        _, _, layers, before, channels = next(i.shape for i in self.decoder.get_inputs() if i.name == "recent")
        written = len(source), self.beams
        start = (np.zeros(written, dtype=np.int64), np.zeros((*written, layers, before, channels), dtype=np.float32))
        return Memory(source, np.ones(source.shape, np.float32), (keys, values, longest.astype(np.float32))), start

    def step(self, tokens: Ids, state: State, memory: Memory) -> Output:
        position, recent = state
        keys, values, length = memory.parts
        vocabulary, p_gen, attention, after = self.decoder.run(
            None,
            {
                "token": tokens,
                "position": position,
                "recent": recent,
                "length": length,
                "source": memory.source,
                "keys": keys,
                "values": values,
            },
        )
        return Output(vocabulary, p_gen, attention, (position + 1, after))


def _opened(path: Path, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise MlsError(f"{path} is damaged: {str(error).splitlines()[0]}") from error
