"""What the training loop and the export ask of a network."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from torch import Tensor, nn

from mls.training.batches import Batch
from mls.training.config import NetworkConfig


class Loss(NamedTuple):
    """Sums over the batch; `tokens` and `source_tokens` say of how many."""

    likelihood: Tensor
    coverage: Tensor  # zero for a network without coverage
    selection: Tensor  # zero for a network without a selector
    tokens: Tensor
    source_tokens: Tensor


@dataclass(frozen=True)
class GraphInput:
    """An input of an exported graph: a value to trace it with, and the names of the sizes that may vary."""

    name: str
    example: Tensor
    axes: tuple[str, ...]  # of its first dimensions: "documents", "beams", "tokens"


@dataclass(frozen=True)
class Graph:
    """A part of a network in the form in which it is exported."""

    module: nn.Module
    inputs: tuple[GraphInput, ...]
    outputs: tuple[str, ...]


class SummaryNetwork(nn.Module):
    """A network that reads documents and writes summaries."""

    title: ClassVar[str]  # what a model card calls it
    usage: ClassVar[str]  # what a model folder of it is good for
    config: NetworkConfig

    @abstractmethod
    def loss(self, batch: Batch) -> Loss:
        """How far it is from writing the summaries of a batch."""

    @abstractmethod
    def graphs(self) -> dict[str, Graph]:
        """What is exported: `encoder` reads documents once, `step` advances their beams by one token."""
