"""Small networks of one hidden layer that judge together: what the judges of sentences and of cuts have in common."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mls.errors import MlsError

Floats = NDArray[np.float32]
CLIP = 4.0  # standard deviations, beyond which nothing more is seen
WEIGHTS = ("mean", "scale", "hidden", "hidden_bias", "output", "output_bias")


@dataclass(frozen=True, eq=False)
class Perceptrons:
    """K networks of D inputs and H hidden units, with how inputs are scaled."""

    mean: Floats  # (D,)
    scale: Floats  # (D,)
    hidden: Floats  # (K, D, H)
    hidden_bias: Floats  # (K, H)
    output: Floats  # (K, H)
    output_bias: Floats  # (K,)

    def scaled(self, seen: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.clip((seen - self.mean) / self.scale, -CLIP, CLIP))

    def __call__(self, inputs: Floats) -> NDArray[np.float64]:
        """(N, D) -> (N,) The probability that the networks come to together."""
        nets = zip(self.hidden, self.hidden_bias, self.output, self.output_bias, strict=True)
        odds = sum(_gelu(inputs @ hidden + bias) @ output + last for hidden, bias, output, last in nets)
        return np.asarray(1 / (1 + np.exp(-odds / len(self.hidden))), dtype=np.float64)


def _gelu(values: Floats) -> Floats:
    """The smooth rectifier, by its usual approximation."""
    return np.asarray(0.5 * values * (1 + np.tanh(0.7978845608 * (values + 0.044715 * values**3))))


def load_arrays(path: Path, names: tuple[str, ...]) -> dict[str, Floats]:
    """Arrays of a file, in single precision."""
    try:
        stored = np.load(path, allow_pickle=False)
        return {name: np.asarray(stored[name], dtype=np.float32) for name in names}
    except (OSError, ValueError, KeyError) as error:
        raise MlsError(f"{path} is damaged: {error}; reinstall the package") from error


def load_perceptrons(path: Path) -> Perceptrons:
    return Perceptrons(**load_arrays(path, WEIGHTS))
