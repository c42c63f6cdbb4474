"""Small networks of one hidden layer that judge together: what the judges of sentences and of cuts have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mls.errors import MlsError

Floats = NDArray[np.float32]
Exact = NDArray[np.float64]
CLIP = 4.0  # standard deviations, beyond which nothing more is seen
_DECIMALS = 9  # of a probability: the rest depends on the order in which a sum is made
WEIGHTS = ("mean", "scale", "hidden", "hidden_bias", "output", "output_bias")


@dataclass(frozen=True, eq=False)
class Perceptrons:
    """K networks of D inputs and H hidden units, with how inputs are scaled."""

    mean: Exact  # (D,)
    scale: Exact  # (D,)
    hidden: Exact  # (K, D, H)
    hidden_bias: Exact  # (K, H)
    output: Exact  # (K, H)
    output_bias: Exact  # (K,)

    def scaled(self, seen: Exact, first: int = 0) -> Exact:
        """What is seen, or a part of it that is seen from column `first` on, on the scale of the networks."""
        columns = slice(first, first + seen.shape[1])
        scaled = seen - self.mean[columns]
        scaled /= self.scale[columns]
        return np.clip(scaled, -CLIP, CLIP, out=scaled)

    def __call__(self, inputs: Floats | Exact) -> Exact:
        """(N, D) -> (N,) The probability that the networks come to together."""
        return self.judged(np.asarray(inputs @ self.weights))

    def part(self, seen: Exact, first: int) -> Exact:
        """(N, part of D) -> (N, KH) What some columns, from `first` on, bring to the hidden units of all networks."""
        return np.asarray(self.scaled(seen, first) @ self.weights[first : first + seen.shape[1]])

    def judged(self, hidden: Exact) -> Exact:
        """(N, KH) -> (N,) The probability, from all that was brought to the hidden units.

        It is told without the digits that hang on the order of a sum.
        """
        odds = _gelu(hidden + self.hidden_bias.ravel()) @ self.output.ravel() + self.output_bias.sum()
        return np.asarray(1 / (1 + np.exp(-odds / len(self.hidden)))).round(_DECIMALS)

    def of_rows(self, seen: Sequence[ArrayLike] | Exact) -> Exact:
        """The probability for each row of what is seen."""
        return self(self.scaled(np.array(seen, dtype=np.float64))) if len(seen) else np.zeros(0)

    @cached_property
    def weights(self) -> Exact:
        """(D, KH) Those of the hidden units of all networks side by side: one product serves them all."""
        return np.ascontiguousarray(self.hidden.transpose(1, 0, 2).reshape(self.hidden.shape[1], -1))


def _gelu(values: Exact) -> Exact:
    """The smooth rectifier, by its usual approximation."""
    bent = values * values
    bent *= 0.044715
    bent += 1
    bent *= values
    bent *= 0.7978845608
    np.tanh(bent, out=bent)
    bent += 1
    bent *= values
    bent *= 0.5
    return bent


def load_arrays(path: Path, names: tuple[str, ...]) -> dict[str, Floats]:
    """Arrays of a file, in single precision."""
    try:
        stored = np.load(path, allow_pickle=False)
        return {name: np.asarray(stored[name], dtype=np.float32) for name in names}
    except (OSError, ValueError, KeyError) as error:
        raise MlsError(f"{path} is damaged: {error}; reinstall the package") from error


def load_perceptrons(path: Path, prefix: str = "") -> Perceptrons:
    """In double precision: what is summed in another order, as by more threads, is the same once rounded."""
    stored = load_arrays(path, tuple(prefix + name for name in WEIGHTS)).values()
    return Perceptrons(*(array.astype(np.float64) for array in stored))


@cache
def shipped_perceptrons(folder: str, name: str) -> Perceptrons:
    """Those of a judge that lies inside the package."""
    return load_perceptrons(Path(str(resources.files("mls"))) / "assets" / folder / f"{name}.npz")
