"""An exported network, run by onnxruntime."""

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


class OnnxNetwork:
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

    def encode(self, source: Ids) -> tuple[Memory, State]:
        states, keys, selected, hidden, cell = self.encoder.run(None, {"source": source})
        D, S = source.shape
        K = self.beams
        context = np.zeros((D, K, states.shape[2]), dtype=np.float32)
        coverage = np.zeros((D, K, S), dtype=np.float32)
        start = State(np.repeat(hidden[:, None], K, 1), np.repeat(cell[:, None], K, 1), context, coverage)
        return Memory(source, states, keys, selected), start

    def step(self, tokens: Ids, state: State, memory: Memory) -> Output:
        vocabulary, p_gen, attention, hidden, cell, context = self.decoder.run(
            None,
            {
                "token": tokens,
                "hidden": state.hidden,
                "cell": state.cell,
                "context": state.context,
                "coverage": state.coverage,
                "states": memory.states,
                "keys": memory.keys,
                "mask": memory.source != PAD,
            },
        )
        return Output(vocabulary, p_gen, attention, State(hidden, cell, context, state.coverage + attention))


def _opened(path: Path, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise MlsError(f"{path} is damaged: {str(error).splitlines()[0]}") from error
