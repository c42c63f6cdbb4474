"""The PG-Network: a pointer-generator with coverage (See, Liu and Manning, 2017).

The equations cited as "PG (n)" are those of that paper, section 2. Shapes: B documents of S source
tokens and T summary tokens, E the width of an embedding, H of a hidden state, A of the attention.

Token ids are ranks in one table of word types, frequent ones first. The network reads the first
`vocabulary` of them and writes the first `output_vocabulary`; a rarer type is read as `<unk>`, but
keeps its id, so that copying needs no extended vocabulary: two tokens are the same word where
their ids are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from mls.training.attention import ATTENTIONS, AdditiveAttention, Encoded, MultiplicativeAttention
from mls.training.base import Graph, GraphInput, Loss, SummaryNetwork
from mls.training.batches import Batch
from mls.training.config import PointerGeneratorConfig
from mls.training.deferred import Shared
from mls.vocabulary import PAD, START, UNKNOWN


class DecoderState(NamedTuple):
    """What one step of the decoder leaves behind for the next."""

    hidden: Tensor  # (B, H)
    cell: Tensor  # (B, H)
    context: Tensor  # (B, 2H), the context vector of the step before
    coverage: Tensor  # (B, S), the attention spent so far


class Decoded(NamedTuple):
    """T steps of the decoder."""

    readout: Tensor  # (B, T, E), one projection short of the vocabulary
    p_gen: Tensor  # (B, T)
    attention: Tensor  # (B, T, S)
    coverage: Tensor  # (B, T, S), before each step
    state: DecoderState


class Encoder(nn.Module):
    """A bidirectional LSTM whose two directions both start at a real token.

    The backward direction reads each document reversed in place, so padding always comes last and
    never touches what a token's state says: a document means the same alone and in a batch.
    """

    def __init__(self, config: PointerGeneratorConfig) -> None:
        super().__init__()
        self.forward_lstm = nn.LSTM(config.embedding, config.hidden, batch_first=True)
        self.backward_lstm = nn.LSTM(config.embedding, config.hidden, batch_first=True)
        self.reduce_hidden = nn.Linear(2 * config.hidden, config.hidden)
        self.reduce_cell = nn.Linear(2 * config.hidden, config.hidden)

    def forward(self, embedded: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        S = embedded.size(1)
        lengths = mask.sum(1, keepdim=True)  # (B, 1)
        positions = torch.arange(S, device=mask.device).unsqueeze(0)  # (1, S)
        reverse = torch.where(positions < lengths, lengths - 1 - positions, positions)  # (B, S)
        forth, _ = self.forward_lstm(embedded)  # (B, S, H)
        back, _ = self.backward_lstm(pick(embedded, reverse))  # (B, S, H), still reversed
        states = torch.cat([forth, pick(back, reverse)], dim=2)  # (B, S, 2H)
        last = (lengths - 1).clamp(min=0)
        final = torch.cat([pick(forth, last), pick(back, last)], dim=2).squeeze(1)  # (B, 2H)
        return states, torch.relu(self.reduce_hidden(final)), torch.relu(self.reduce_cell(final))


def pick(sequence: Tensor, positions: Tensor) -> Tensor:
    """Rows of (B, S, X) at positions (B, P) -> (B, P, X)."""
    return sequence.gather(1, positions.unsqueeze(2).expand(-1, -1, sequence.size(2)))


class PointerGenerator(SummaryNetwork):
    """Reads a document, then writes a summary that copies or generates each word."""

    title = "PG-Network"
    usage = "Use it with `mls summarize FILE --model THIS_FOLDER`."
    learns_positions = False

    config: PointerGeneratorConfig

    def __init__(self, config: PointerGeneratorConfig) -> None:
        super().__init__(config)
        E, H = config.embedding, config.hidden
        self.encoder = Encoder(config)
        self.attention: AdditiveAttention | MultiplicativeAttention = ATTENTIONS[config.attention](config)
        self.feed_context = nn.Linear(E + 2 * H, E) if config.input_feeding else None
        self.decoder_lstm = nn.LSTM(E, H, batch_first=True)
        self.generate_or_copy = nn.Linear(2 * H + H + E, 1)  # PG (8)
        self.readout = nn.Linear(H + 2 * H, E)
        self.output_bias = nn.Parameter(torch.zeros(config.output_vocabulary))
        self.output = None if config.tied else nn.Linear(E, config.output_vocabulary, bias=False)
        self.selector = nn.Sequential(nn.Linear(2 * H, 64), nn.Tanh(), nn.Linear(64, 1)) if config.selector else None
        self.start_tables()

    def embed(self, ids: Tensor) -> Tensor:
        return self.dropout(self.embedding(self.known(ids)))

    def encode(self, source: Tensor) -> tuple[Encoded, DecoderState]:
        """(B, S) ids -> the memory, and the state the decoder starts from."""
        mask = source != PAD
        states, hidden, cell = self.encoder(self.embed(source), mask)
        memory = Encoded(states, self.attention.of_memory(states), mask)
        nothing_seen = states.new_zeros(states.size(0), states.size(2))
        nothing_covered = states.new_zeros(mask.shape)
        return memory, DecoderState(hidden, cell, nothing_seen, nothing_covered)

    def select(self, memory: Encoded) -> Tensor:
        """(B, S) logits: does the summary take this token? Trained beside the rest, used by beam search."""
        if self.selector is None:
            raise ValueError("this network was configured without a selector")
        return self.selector(memory.states).squeeze(2)

    def decode(self, inputs: Tensor, memory: Encoded, state: DecoderState) -> Decoded:
        """Run the decoder over (B, T) input ids. With T = 1 this is one step of generation."""
        embedded, contexts = self._fed(self.embed(inputs))  # (B, T, E)
        advance = self._advance()
        attend = self.attention.through_time(memory)
        source = Shared(memory.states)
        hidden, cell, context, coverage = state
        steps = []
        for step in embedded.unbind(1):  # (B, E) each
            fed = step if contexts is None else step + context @ contexts
            hidden, cell = advance(fed, hidden, cell)
            attention = attend(hidden, coverage)
            context = (attention.unsqueeze(1) @ source).squeeze(1)  # PG (3)
            steps.append((fed, hidden, context, attention, coverage))
            coverage = coverage + attention  # PG (10)
        fed, states, seen, attention, spent = (torch.stack(part, 1) for part in zip(*steps, strict=True))
        p_gen = torch.sigmoid(self.generate_or_copy(torch.cat([seen, states, fed], 2)).squeeze(2))
        readout = self.dropout(torch.tanh(self.readout(torch.cat([states, seen], 2))))  # (B, T, E)
        return Decoded(readout, p_gen, attention, spent, DecoderState(hidden, cell, context, coverage))

    def _fed(self, embedded: Tensor) -> tuple[Tensor, Shared | None]:
        """The inputs' part of what the LSTM reads at each step, and what turns a context into the rest of it."""
        if self.feed_context is None:
            return embedded, None
        E = embedded.size(2)
        of_input, of_context = self.feed_context.weight[:, :E], self.feed_context.weight[:, E:]
        return F.linear(embedded, of_input, self.feed_context.bias), Shared(of_context.t())

    def _advance(self) -> Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]:
        """One step of the decoder's LSTM: (B, E), hidden and cell -> the next hidden and cell."""
        of_input, of_hidden, input_bias, hidden_bias = self.decoder_lstm.all_weights[0]
        weights = Shared(torch.cat([of_input, of_hidden], dim=1).t())  # (E + H, 4H)
        bias = input_bias + hidden_bias

        def advance(fed: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
            gates = torch.cat([fed, hidden], dim=1) @ weights + bias
            take, keep, new, show = gates.chunk(4, dim=1)
            cell = torch.sigmoid(keep) * cell + torch.sigmoid(take) * torch.tanh(new)
            return torch.sigmoid(show) * torch.tanh(cell), cell

        return advance

    def project(self, readout: Tensor) -> Tensor:
        """(..., E) -> logits over the output vocabulary, PG (4)."""
        table = self.embedding.weight[: self.config.output_vocabulary] if self.output is None else self.output.weight
        return F.linear(readout, table, self.output_bias)

    def loss(self, batch: Batch) -> Loss:
        """The negative log likelihood, PG (6) and (9), the coverage loss, PG (12), and the selector's.

        The vocabulary is projected once, after the loop over time, and only where there is a target.
        """
        memory, state = self.encode(batch.source)
        decoded = self.decode(batch.inputs, memory, state)
        real = batch.targets != PAD  # (B, T)
        wanted = batch.targets[real]  # (N,)
        p_gen = decoded.p_gen[real]

        writable = wanted < self.config.output_vocabulary
        logits = self.project(decoded.readout[real])  # (N, V)
        generated = -F.cross_entropy(logits, wanted.masked_fill(~writable, UNKNOWN), reduction="none")
        generated = generated.masked_fill(~writable | (wanted == UNKNOWN), -1e9)

        same = batch.source.unsqueeze(1) == batch.targets.unsqueeze(2)  # (B, T, S): the extended vocabulary
        copied = (decoded.attention * same).sum(2)[real]  # (N,)
        # log(p_gen P_vocab + (1 - p_gen) P_copy), PG (9), without ever taking the log of zero
        probability = p_gen * generated.exp() + (1 - p_gen) * copied
        likelihood = -torch.log(probability.clamp(min=1e-8)).sum()

        repeated = torch.minimum(decoded.attention, decoded.coverage).sum(2)[real].sum()
        selection = likelihood.new_zeros(())
        if self.selector is not None:
            selection = F.binary_cross_entropy_with_logits(
                self.select(memory)[memory.mask], batch.selected[memory.mask], reduction="sum"
            )
        return Loss(likelihood, repeated, selection, real.sum(), memory.mask.sum())

    def graphs(self) -> dict[str, Graph]:
        D, K, S = 2, 3, 7
        source = torch.randint(4, self.config.output_vocabulary, (D, S))
        # torch 2.13 caches how it decomposes an LSTM, and a second export would fix the length.
        torch.ops.aten.lstm.input._dispatch_cache.clear()
        memory, state = self.encode(source)
        hidden, cell = (part.unsqueeze(1).expand(D, K, -1).contiguous() for part in (state.hidden, state.cell))
        values = F.linear(memory.states, _of_context(self))
        inputs = {
            "token": torch.full((D, K), START), "hidden": hidden, "cell": cell,
            "context": torch.zeros(D, K, values.size(2)), "coverage": torch.zeros(D, K, S),
        }  # fmt: skip
        axes = dict.fromkeys(inputs, ("documents", "beams")) | {"coverage": ("documents", "beams", "tokens")}
        read = ("documents", "tokens")
        step = (
            *(GraphInput(name, example, axes[name]) for name, example in inputs.items()),
            GraphInput("values", values, read),
            GraphInput("keys", memory.keys, read),
            GraphInput("mask", memory.mask, read),
        )
        return {
            "encoder": Graph(
                EncoderGraph(self),
                (GraphInput("source", source, read),),
                ("values", "keys", "selected", "hidden", "cell"),
            ),
            "step": Graph(
                StepGraph(self),
                step,
                ("vocabulary", "p_gen", "attention", "next_hidden", "next_cell", "next_context"),
            ),
        }


def _of_context(network: PointerGenerator) -> Tensor:
    """All that is ever made of a context vector, (U, 2H): a part of p_gen, of the readout, and of the next input.

    The context vector is a sum over source tokens, PG (3), and these maps are linear: they may as well be applied
    to every token's state once, before the first step. The sum is then U wide; 257 instead of 512 as shipped.
    """
    E, H = network.config.embedding, network.config.hidden
    maps = [network.generate_or_copy.weight[:, : 2 * H], network.readout.weight[:, H:]]
    if network.feed_context is not None:
        maps.append(network.feed_context.weight[:, E:])
    return torch.cat(maps).detach()


class EncoderGraph(nn.Module):
    """(D, S) ids -> the memory, how likely each token is taken up, and the first decoder state."""

    def __init__(self, network: PointerGenerator) -> None:
        super().__init__()
        self.network = network
        self.of_context = nn.Parameter(_of_context(network))

    def forward(self, source: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        memory, state = self.network.encode(source)
        selected = (
            torch.sigmoid(self.network.select(memory))
            if self.network.selector is not None
            else torch.ones_like(memory.mask, dtype=memory.states.dtype)
        )
        values = F.linear(memory.states, self.of_context)  # (D, S, U)
        return values, memory.keys, selected, state.hidden, state.cell


class StepGraph(nn.Module):
    """One step of K beams for each of D documents. For `context` and `values` see `_of_context`."""

    def __init__(self, network: PointerGenerator) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, token: Tensor, hidden: Tensor, cell: Tensor, context: Tensor, coverage: Tensor,
        values: Tensor, keys: Tensor, mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
        """(D, K) tokens -> P_vocab (D, K, V), p_gen (D, K), attention (D, K, S), and the next state."""
        network = self.network
        (D, K), E, H = token.size(), network.config.embedding, network.config.hidden
        embedded = network.embed(token)  # (D, K, E)
        if network.feed_context is not None:
            of_input = network.feed_context.weight[:, :E]
            embedded = F.linear(embedded, of_input, network.feed_context.bias) + context[:, :, 1 + E :]
        row = embedded.reshape(1, D * K, -1).transpose(0, 1)  # (D K, 1, E)
        start = (hidden.reshape(1, D * K, H), cell.reshape(1, D * K, H))
        _, (after, after_cell) = network.decoder_lstm(row, start)
        after, after_cell = after.reshape(D, K, H), after_cell.reshape(D, K, H)
        attention = network.attention.at_once(after, Encoded(values, keys, mask), coverage)  # (D, K, S)
        seen = attention @ values  # (D, K, U)
        choice, bias = network.generate_or_copy.weight[:, 2 * H :], network.generate_or_copy.bias
        p_gen = torch.sigmoid(F.linear(torch.cat([after, embedded], 2), choice, bias) + seen[:, :, :1]).squeeze(2)
        of_state = network.readout.weight[:, :H]
        readout = torch.tanh(F.linear(after, of_state, network.readout.bias) + seen[:, :, 1 : 1 + E])
        return torch.softmax(network.project(readout), dim=2), p_gen, attention, after, after_cell, seen
