"""The rival: wordllama's 256-dimensional vectors, distilled from the token embeddings of large models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from mls.embedding.base import Vectors
from mls.errors import MissingExtraError
from mls.text import Wording


class WordLlamaEmbedder:
    """Loads what lies in the wordllama package; downloads nothing."""

    @cached_property
    def model(self) -> Any:
        try:
            from wordllama import WordLlama
        except ImportError as error:
            raise MissingExtraError("the wordllama embedder", "wordllama", "wordllama") from error
        spec = find_spec("wordllama")
        folder = Path(spec.origin).parent if spec and spec.origin else Path()
        return WordLlama.load(cache_dir=folder, disable_download=True)

    def embed(self, sentences: Sequence[Wording]) -> Vectors:
        return np.asarray(self.model.embed([sentence.text for sentence in sentences]), dtype=np.float32)
