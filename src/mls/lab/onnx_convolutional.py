"""The exported convolutional network of the baseline A3, run by onnxruntime."""

from __future__ import annotations

import numpy as np

from mls.prototype.beam import Memory, Output, State
from mls.prototype.onnx_network import Graphs
from mls.prototype.probabilities import Ids


class OnnxConvolutional(Graphs):
    """A convolutional network. Its state is the position in the text, and what each layer saw last."""

    memory = "keys values"
    needs = "token position recent length source keys values"

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
        self.expect_numbers(vocabulary, p_gen)
        return Output(vocabulary, p_gen, attention, (position + 1, after))
