"""What the training loop and the export ask of a network."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mls.training.batches import Batch
from mls.training.config import ConvolutionalConfig, NetworkConfig, Phase, PointerGeneratorConfig, TrainingConfig
from mls.vocabulary import PAD, UNKNOWN


class Examples(Protocol):
    """What a network is trained on: pairs, or sentences."""

    def __len__(self) -> int: ...

    def order(self, batch_size: int, seed: int, epoch: int) -> list[NDArray[np.int64]]:
        """The examples of every batch of one epoch."""

    def batch(self, examples: NDArray[np.int64], phase: Phase | None, random: np.random.Generator | None) -> Any:
        """These examples as the network takes them; `random` is there while training alone."""


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


class Network(nn.Module):
    """A network that `mls train` can train and export."""

    title: ClassVar[str]  # what a model card calls it
    usage: ClassVar[str]  # what a model folder of it is good for
    coarse: ClassVar[bool] = False  # whether its graphs multiply whole numbers
    config: NetworkConfig

    @abstractmethod
    def objective(self, batch: Any, share: slice, config: TrainingConfig, phase: Phase | None) -> tuple[Tensor, Tensor]:
        """What to minimise and what to report, of these rows of a batch, as parts of the whole batch's means."""

    @abstractmethod
    def validation(self, batch: Any) -> tuple[float, float]:
        """A loss, summed, and over how much it was summed."""

    @abstractmethod
    def graphs(self) -> dict[str, Graph]:
        """What is exported, by name."""


class SummaryNetwork(Network):
    """A network that reads documents and writes summaries.

    `encoder` reads documents once, `step` advances their beams by one token.
    """

    learns_positions: ClassVar[bool]  # whether it can neither read nor write further than it was trained to

    def __init__(self, config: PointerGeneratorConfig | ConvolutionalConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.embedding, padding_idx=PAD)
        self.dropout = nn.Dropout(config.dropout)

    def start_tables(self, *tables: nn.Embedding) -> None:
        """Vectors of about length one, and nothing for what pads."""
        for table in (self.embedding, *tables):
            nn.init.normal_(table.weight, std=self.config.embedding**-0.5)
        with torch.no_grad():
            self.embedding.weight[PAD].zero_()

    def known(self, ids: Tensor) -> Tensor:
        """Types the network does not read become `<unk>`."""
        return ids.masked_fill(ids >= self.config.vocabulary, UNKNOWN)

    @abstractmethod
    def loss(self, batch: Batch) -> Loss:
        """How far it is from writing the summaries of a batch."""

    def objective(
        self, batch: Batch, share: slice, config: TrainingConfig, phase: Phase | None
    ) -> tuple[Tensor, Tensor]:
        tokens = (batch.targets != 0).sum()
        source_tokens = (batch.source != 0).sum()
        loss = self.loss(batch.rows(share))
        likelihood = loss.likelihood / tokens
        total = likelihood + (phase.coverage_weight if phase else 0.0) * loss.coverage / tokens
        return total + config.selector_weight * loss.selection / source_tokens, likelihood.detach()

    def validation(self, batch: Batch) -> tuple[float, float]:
        """The negative log likelihood of the summaries' tokens."""
        loss = self.loss(batch)
        return float(loss.likelihood), float(loss.tokens)
