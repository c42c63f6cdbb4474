"""How the small judges are trained: networks of one hidden layer, several of them, each from a seed of its own."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mls.atomic import replace_file

NETWORKS, RATE = 3, 2e-3


def arguments(description: str | None) -> argparse.Namespace:
    """What each of these tools is told: where the data sets are, and where the judge goes. All train on one thread."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    torch.set_num_threads(1)
    return parser.parse_args()


def train(
    lessons: int, loss: Callable[[nn.Module, NDArray[np.int64]], Tensor], inputs: int, width: int,
    dropout: float, decay: float, epochs: int, batch: int,
) -> list[nn.Sequential]:  # fmt: skip
    """Networks that learn from so many lessons; `loss` is that of a network on the lessons of some numbers."""
    return [_one(lessons, loss, inputs, width, dropout, decay, epochs, batch, seed) for seed in range(NETWORKS)]


def _one(
    lessons: int, loss: Callable[[nn.Module, NDArray[np.int64]], Tensor], inputs: int, width: int,
    dropout: float, decay: float, epochs: int, batch: int, seed: int,
) -> nn.Sequential:  # fmt: skip
    torch.manual_seed(seed)
    order = np.random.default_rng(seed)
    net = nn.Sequential(
        nn.Dropout(dropout / 2),
        nn.Linear(inputs, width),
        nn.GELU("tanh"),
        nn.Dropout(dropout),
        nn.Linear(width, 1),
    )
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=decay)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for _ in range(epochs):
        shuffled = order.permutation(lessons)
        for start in range(0, lessons, batch):
            loss(net, shuffled[start : start + batch]).backward()
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
    return net.eval()


def arrays_of(networks: Sequence[nn.Sequential]) -> dict[str, NDArray]:
    """The weights of the networks as `mls.perceptron` reads them."""
    found = {}
    for name, layer in (("hidden", 1), ("output", 4)):
        found[name] = np.stack([net[layer].weight.detach().numpy().T for net in networks])
        found[f"{name}_bias"] = np.stack([net[layer].bias.detach().numpy() for net in networks])
    return found | {"output": found["output"][:, :, 0], "output_bias": found["output_bias"][:, 0]}


def save(path: Path, weights: dict[str, NDArray]) -> None:
    """Write weights, the large ones in half precision: those of the layers."""
    layers = [name for name in weights if name.endswith(("hidden", "output"))]
    halved = {name: weights[name].astype(np.float16) for name in layers}
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, lambda file: np.savez_compressed(file, **weights | halved))
