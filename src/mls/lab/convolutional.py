"""The length-controlled convolutional network of Liu, Luo and Zhu (2018): the baseline A3.

It is the convolutional network of Gehring et al. (2017), cited here as "CS2S" with the equation or
the section, and one change by Liu et al.: the desired length is multiplied into the decoder's
initial state. Shapes: B documents of S source tokens and T summary tokens, E the width of an
embedding, C the channels of a layer, k the width of a kernel, L the layers of the decoder.

What differs from the originals, so that two cores can train it: fewer layers, one table of
embeddings for reading and writing, Adam instead of accelerated gradients, and therefore neither
weight normalisation nor scaled encoder gradients, of which Adam would notice little.

There is no pointer mechanism. Word types past the output vocabulary are learned as `<unk>`; when a
summary is written, the probability of `<unk>` goes to the source's own words that are past the output
vocabulary, in proportion to the attention they get. Gehring et al. put the most attended source
token in its place; as `<unk>` stands for a rare word, only rare words are considered here.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from mls.training.attention import masked_softmax
from mls.training.base import Graph, GraphInput, Loss, SummaryNetwork
from mls.training.batches import Batch
from mls.training.config import ConvolutionalConfig
from mls.vocabulary import PAD, START, UNKNOWN

HALF = math.sqrt(0.5)  # CS2S 3.4: a sum of two keeps the variance of one
LENGTH_UNIT = 100.0  # tokens; a desired length of so many leaves the initial state as it is


class EncodedSource(NamedTuple):
    """What the encoder leaves behind for the decoder."""

    keys: Tensor  # (B, S, E), z of CS2S 3.3
    values: Tensor  # (B, S, E), z + e
    mask: Tensor  # (B, S), True at tokens


class Decoded(NamedTuple):
    """T steps of the decoder."""

    readout: Tensor  # (B, T, E), one projection short of the vocabulary
    attention: Tensor  # (B, T, S), the mean over the layers


class GatedConvolution(nn.Module):
    """A convolution and a gated linear unit: v([A B]) = A * sigmoid(B), CS2S 3.2.

    It takes what each kernel sees side by side, (B, T, k C), so that a matrix product does the rest:
    as fast as a convolution on a CPU, and the same for a whole text and for one step of it.
    """

    def __init__(self, config: ConvolutionalConfig) -> None:
        super().__init__()
        self.linear = _linear(config.kernel * config.hidden, 2 * config.hidden, config.dropout, gain=4.0)

    def forward(self, seen: Tensor) -> Tensor:
        return F.glu(self.linear(seen), dim=2)  # (B, T, C)


class EncoderLayer(nn.Module):
    """Sees k / 2 tokens to each side; padding counts as nothing."""

    def __init__(self, config: ConvolutionalConfig) -> None:
        super().__init__()
        self.kernel = config.kernel
        self.dropout = nn.Dropout(config.dropout)
        self.convolution = GatedConvolution(config)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """(B, S, C) -> (B, S, C), with a residual connection."""
        states = states * mask.unsqueeze(2)
        beside = self.kernel // 2
        seen = _seen(F.pad(self.dropout(states), (0, 0, beside, beside)), self.kernel)
        return (self.convolution(seen) + states) * HALF


class DecoderLayer(nn.Module):
    """Sees the token and the k - 1 before it, then looks at the source: multi-step attention, CS2S 3.3."""

    def __init__(self, config: ConvolutionalConfig) -> None:
        super().__init__()
        self.convolution = GatedConvolution(config)
        self.ask = _linear(config.hidden, config.embedding, config.dropout)
        self.answer = _linear(config.embedding, config.hidden, config.dropout)

    def forward(self, states: Tensor, seen: Tensor, embedded: Tensor, memory: EncodedSource) -> tuple[Tensor, Tensor]:
        """(B, T, C), and what each kernel sees of it, (B, T, k C) -> (B, T, C), and the attention (B, T, S)."""
        gated = self.convolution(seen)
        query = (self.ask(gated) + embedded) * HALF  # CS2S (1)
        attention = masked_softmax(query @ memory.keys.transpose(1, 2), memory.mask)
        context = attention @ memory.values  # CS2S (2), (B, T, E)
        # CS2S 3.4: a mean of m vectors varies less than one of them.
        context = context * memory.mask.sum(1).sqrt().view(-1, 1, 1)
        gated = (self.answer(context) + gated) * HALF
        return (gated + states) * HALF, attention


class ConvolutionalNetwork(SummaryNetwork):
    """Reads a document, then writes a summary of about a desired length."""

    title = "length-controlled convolutional network"
    usage = "It is the baseline A3: `mls.lab.a3.A3` writes with it."
    learns_positions = True

    config: ConvolutionalConfig

    def __init__(self, config: ConvolutionalConfig) -> None:
        super().__init__(config)
        E, C = config.embedding, config.hidden
        self.source_position = nn.Embedding(config.source_positions, E)
        self.target_position = nn.Embedding(config.target_positions, E)
        self.into_encoder = _linear(E, C, config.dropout)
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.out_of_encoder = _linear(C, E)
        self.into_decoder = _linear(E, C, config.dropout)
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.out_of_decoder = _linear(C, E)
        self.output_bias = nn.Parameter(torch.zeros(config.output_vocabulary))
        self.start_tables(self.source_position, self.target_position)

    def embed(self, ids: Tensor, positions: Tensor, table: nn.Embedding) -> Tensor:
        """Words and where they stand, CS2S 3.1."""
        return self.dropout(self.embedding(self.known(ids)) + table(positions.clamp(max=table.num_embeddings - 1)))

    def encode(self, source: Tensor) -> EncodedSource:
        """(B, S) ids -> the memory."""
        mask = source != PAD
        positions = torch.arange(source.size(1), device=source.device).unsqueeze(0)
        embedded = self.embed(source, positions, self.source_position)  # (B, S, E)
        states = self.into_encoder(embedded)  # (B, S, C)
        for layer in self.encoder:
            states = layer(states, mask)
        keys = self.out_of_encoder(states)
        return EncodedSource(keys, (keys + embedded) * HALF, mask)

    def begin(self, embedded: Tensor, lengths: Tensor) -> Tensor:
        """The decoder's initial state, (B, T, C): Liu et al. multiply the desired length into it."""
        desired = lengths.clamp(max=self.config.target_positions) / LENGTH_UNIT
        return self.into_decoder(embedded) * desired.view(-1, 1, 1)

    def decode(self, inputs: Tensor, lengths: Tensor, memory: EncodedSource) -> Decoded:
        """Run the decoder over (B, T) input ids of summaries that should have (B,) lengths."""
        positions = torch.arange(inputs.size(1), device=inputs.device).unsqueeze(0)
        embedded = self.embed(inputs, positions, self.target_position)  # (B, T, E)
        states = self.begin(embedded, lengths)
        before = self.config.kernel - 1
        looks = []
        for layer in self.decoder:
            seen = _seen(F.pad(self.dropout(states), (0, 0, before, 0)), self.config.kernel)
            states, attention = layer(states, seen, embedded, memory)
            looks.append(attention)
        return self._read_out(states, looks)

    def step(
        self, token: Tensor, position: Tensor, recent: Tensor, lengths: Tensor, memory: EncodedSource
    ) -> tuple[Decoded, Tensor]:
        """One step of K beams for each document: (B, K) tokens, and `recent` (B, K, L, k - 1, C).

        Beams stand where `decode` has steps. `recent` is what each layer saw last; it is answered
        with what they see now.
        """
        embedded = self.embed(token, position, self.target_position)  # (B, K, E)
        states = self.begin(embedded, lengths)
        looks, seen_last = [], []
        for number, layer in enumerate(self.decoder):
            seen = torch.cat([recent[:, :, number], states.unsqueeze(2)], dim=2)  # (B, K, k, C)
            seen_last.append(seen[:, :, 1:])
            states, attention = layer(states, seen.flatten(2), embedded, memory)
            looks.append(attention)
        return self._read_out(states, looks), torch.stack(seen_last, 2)

    def _read_out(self, states: Tensor, looks: list[Tensor]) -> Decoded:
        return Decoded(self.dropout(self.out_of_decoder(states)), torch.stack(looks).mean(0))

    def project(self, readout: Tensor) -> Tensor:
        """(..., E) -> logits over the output vocabulary."""
        return F.linear(readout, self.embedding.weight[: self.config.output_vocabulary], self.output_bias)

    def loss(self, batch: Batch) -> Loss:
        """The negative log likelihood; a word past the output vocabulary counts as `<unk>`."""
        memory = self.encode(batch.source)
        decoded = self.decode(batch.inputs, batch.lengths, memory)
        real = batch.targets != PAD  # (B, T)
        wanted = batch.targets[real]  # (N,)
        wanted = wanted.masked_fill(wanted >= self.config.output_vocabulary, UNKNOWN)
        likelihood = F.cross_entropy(self.project(decoded.readout[real]), wanted, reduction="sum")
        nothing = likelihood.new_zeros(())
        return Loss(likelihood, nothing, nothing, real.sum(), memory.mask.sum())

    def graphs(self) -> dict[str, Graph]:
        D, K, S = 2, 3, 7
        config = self.config
        source = torch.randint(4, config.output_vocabulary + 4, (D, S))
        memory = self.encode(source)
        read, write = ("documents", "tokens"), ("documents", "beams")
        recent = torch.zeros(D, K, config.decoder_layers, config.kernel - 1, config.hidden)
        step = (
            GraphInput("token", torch.full((D, K), START), write),
            GraphInput("position", torch.zeros(D, K, dtype=torch.long), write),
            GraphInput("recent", recent, write),
            GraphInput("length", torch.tensor([50.0, 70.0]), ("documents",)),
            GraphInput("source", source, read),
            GraphInput("keys", memory.keys, read),
            GraphInput("values", memory.values, read),
        )
        return {
            "encoder": Graph(EncoderGraph(self), (GraphInput("source", source, read),), ("keys", "values")),
            "step": Graph(StepGraph(self), step, ("vocabulary", "p_gen", "attention", "next_recent")),
        }


class EncoderGraph(nn.Module):
    """(D, S) ids -> the keys and values of the memory."""

    def __init__(self, network: ConvolutionalNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, source: Tensor) -> tuple[Tensor, Tensor]:
        memory = self.network.encode(source)
        return memory.keys, memory.values


class StepGraph(nn.Module):
    """One step of K beams for each of D documents, in the terms of a network that copies.

    P_vocab is what is said if it is not `<unk>`, p_gen the probability of that, and the attention is that
    to words that `<unk>` may stand for: p_gen P_vocab + (1 - p_gen) attention is as the module says.
    """

    def __init__(self, network: ConvolutionalNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, token: Tensor, position: Tensor, recent: Tensor, length: Tensor, source: Tensor, keys: Tensor,
        values: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
        """(D, K) tokens -> P_vocab (D, K, V), p_gen (D, K), attention (D, K, S), and the next `recent`."""
        memory = EncodedSource(keys, values, source != PAD)
        decoded, after = self.network.step(token, position, recent, length, memory)
        logits = self.network.project(decoded.readout)
        p_gen = 1 - torch.softmax(logits, dim=2)[:, :, UNKNOWN]
        unknown = torch.arange(logits.size(2)) == UNKNOWN
        vocabulary = torch.softmax(logits.masked_fill(unknown, -1e9), dim=2)
        rare = decoded.attention * (source >= self.network.config.output_vocabulary).unsqueeze(1)
        attention = rare / rare.sum(2, keepdim=True).clamp(min=1e-9)
        return vocabulary, p_gen, attention, after


def _linear(inputs: int, outputs: int, dropout: float = 0.0, gain: float = 1.0) -> nn.Linear:
    """CS2S 3.5: weights that keep the variance; a gated unit halves its input, so it has a gain of 4."""
    layer = nn.Linear(inputs, outputs)
    nn.init.normal_(layer.weight, std=math.sqrt(gain * (1 - dropout) / inputs))
    nn.init.zeros_(layer.bias)
    return layer


def _seen(states: Tensor, kernel: int) -> Tensor:
    """What each kernel sees, side by side: (B, T + k - 1, C) -> (B, T, k C)."""
    last = states.size(1) - kernel + 1
    return torch.cat([states[:, first : first + last] for first in range(kernel)], dim=2)
