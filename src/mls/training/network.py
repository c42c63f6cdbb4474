"""The PG-Network: a pointer-generator with coverage (See, Liu and Manning, 2017).

The equations cited as "PG (n)" are those of that paper, section 2. Shapes: B documents of S source
tokens and T summary tokens, E the width of an embedding, H of a hidden state, A of the attention.

Token ids are ranks in one table of word types, frequent ones first. The network reads the first
`vocabulary` of them and writes the first `output_vocabulary`; a rarer type is read as `<unk>`, but
keeps its id, so that copying needs no extended vocabulary: two tokens are the same word where
their ids are equal.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from mls.training.config import NetworkConfig
from mls.vocabulary import PAD, UNKNOWN


class Memory(NamedTuple):
    """What the encoder leaves behind for the decoder."""

    states: Tensor  # (B, S, 2H)
    keys: Tensor  # (B, S, A)
    mask: Tensor  # (B, S), True at tokens


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

    def __init__(self, config: NetworkConfig) -> None:
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
        back, _ = self.backward_lstm(_pick(embedded, reverse))  # (B, S, H), still reversed
        states = torch.cat([forth, _pick(back, reverse)], dim=2)  # (B, S, 2H)
        last = (lengths - 1).clamp(min=0)
        final = torch.cat([_pick(forth, last), _pick(back, last)], dim=2).squeeze(1)  # (B, 2H)
        return states, torch.relu(self.reduce_hidden(final)), torch.relu(self.reduce_cell(final))


def _pick(sequence: Tensor, positions: Tensor) -> Tensor:
    """Rows of (B, S, X) at positions (B, P) -> (B, P, X)."""
    return sequence.gather(1, positions.unsqueeze(2).expand(-1, -1, sequence.size(2)))


class AdditiveAttention(nn.Module):
    """PG (1) and (11): e_i = v' tanh(W_h h_i + W_s s_t + w_c c_i + b)."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.of_memory = nn.Linear(2 * config.hidden, config.attention_width, bias=False)
        self.of_state = nn.Linear(config.hidden, config.attention_width)
        self.of_coverage = nn.Linear(1, config.attention_width, bias=False)
        self.score = nn.Linear(config.attention_width, 1, bias=False)

    def at_once(self, states: Tensor, memory: Memory, coverage: Tensor) -> Tensor:
        """The attention of K decoder states (B, K, H), each with its own coverage (B, K, S)."""
        seen = memory.keys.unsqueeze(1) + self.of_coverage(coverage.unsqueeze(3))  # (B, K, S, A)
        features = torch.tanh(seen + self.of_state(states).unsqueeze(2))
        return _masked_softmax(self.score(features).squeeze(3), memory.mask)  # PG (2)

    def forward(self, states: Tensor, memory: Memory, coverage: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The attention of T states that follow one another: attention and coverage (B, T, S), coverage at last."""
        spent, attention = [], []
        for state in states.unbind(1):  # (B, H) each
            weights = self.at_once(state.unsqueeze(1), memory, coverage.unsqueeze(1)).squeeze(1)
            spent.append(coverage)
            attention.append(weights)
            coverage = coverage + weights  # PG (10)
        return torch.stack(attention, 1), torch.stack(spent, 1), coverage


class MultiplicativeAttention(nn.Module):
    """e_i = q_t . k_i / sqrt(A) - g_t c_i, where g_t >= 0 is how much the state minds coverage.

    All products of a training batch are one matrix product; only the coverage, PG (10), runs
    through time. Several times faster than the additive form on a CPU.
    """

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.of_memory = nn.Linear(2 * config.hidden, config.attention_width, bias=False)
        self.of_state = nn.Linear(config.hidden, config.attention_width)
        self.of_coverage = nn.Linear(config.hidden, 1)
        self.scale = config.attention_width**-0.5

    def _scores(self, states: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
        scores = self.of_state(states) @ memory.keys.transpose(1, 2) * self.scale  # (B, T, S)
        return scores.masked_fill(~memory.mask.unsqueeze(1), -1e9), F.softplus(self.of_coverage(states))  # (B, T, 1)

    def at_once(self, states: Tensor, memory: Memory, coverage: Tensor) -> Tensor:
        """The attention of K decoder states (B, K, H), each with its own coverage (B, K, S)."""
        scores, aversion = self._scores(states, memory)
        return torch.softmax(scores - aversion * coverage, dim=2)  # PG (2)

    def forward(self, states: Tensor, memory: Memory, coverage: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The attention of T states that follow one another: attention and coverage (B, T, S), coverage at last."""
        scores, aversion = self._scores(states, memory)
        spent, attention = [], []
        for score, mind in zip(scores.unbind(1), aversion.unbind(1), strict=True):
            weights = torch.softmax(score - mind * coverage, dim=1)  # PG (2)
            spent.append(coverage)
            attention.append(weights)
            coverage = coverage + weights  # PG (10)
        return torch.stack(attention, 1), torch.stack(spent, 1), coverage


def _masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(scores.masked_fill(~mask.unsqueeze(1), -1e9), dim=2)


ATTENTIONS: dict[str, type[AdditiveAttention] | type[MultiplicativeAttention]] = {
    "additive": AdditiveAttention,
    "multiplicative": MultiplicativeAttention,
}


class PointerGenerator(nn.Module):
    """Reads a document, then writes a summary that copies or generates each word."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        E, H = config.embedding, config.hidden
        self.embedding = nn.Embedding(config.vocabulary, E, padding_idx=PAD)
        self.encoder = Encoder(config)
        self.attention: AdditiveAttention | MultiplicativeAttention = ATTENTIONS[config.attention](config)
        self.feed_context = nn.Linear(E + 2 * H, E) if config.input_feeding else None
        self.decoder_lstm = nn.LSTM(E, H, batch_first=True)
        self.generate_or_copy = nn.Linear(2 * H + H + E, 1)  # PG (8)
        self.readout = nn.Linear(H + 2 * H, E)
        self.output_bias = nn.Parameter(torch.zeros(config.output_vocabulary))
        self.output = None if config.tied else nn.Linear(E, config.output_vocabulary, bias=False)
        self.selector = nn.Sequential(nn.Linear(2 * H, 64), nn.Tanh(), nn.Linear(64, 1)) if config.selector else None
        self.dropout = nn.Dropout(config.dropout)
        nn.init.normal_(self.embedding.weight, std=E**-0.5)
        with torch.no_grad():
            self.embedding.weight[PAD].zero_()

    def embed(self, ids: Tensor) -> Tensor:
        """Types the network does not read become `<unk>`."""
        known = ids.masked_fill(ids >= self.config.vocabulary, UNKNOWN)
        return self.dropout(self.embedding(known))

    def encode(self, source: Tensor) -> tuple[Memory, DecoderState]:
        """(B, S) ids -> the memory, and the state the decoder starts from."""
        mask = source != PAD
        states, hidden, cell = self.encoder(self.embed(source), mask)
        memory = Memory(states, self.attention.of_memory(states), mask)
        nothing_seen = states.new_zeros(states.size(0), states.size(2))
        nothing_covered = states.new_zeros(mask.shape)
        return memory, DecoderState(hidden, cell, nothing_seen, nothing_covered)

    def select(self, memory: Memory) -> Tensor:
        """(B, S) logits: does the summary take this token? Trained beside the rest, used by beam search."""
        if self.selector is None:
            raise ValueError("this network was configured without a selector")
        return self.selector(memory.states).squeeze(2)

    def decode(self, inputs: Tensor, memory: Memory, state: DecoderState) -> Decoded:
        """Run the decoder over (B, T) input ids. With T = 1 this is one step of generation."""
        embedded = self.embed(inputs)  # (B, T, E)
        if self.feed_context is None:
            return self._decode_at_once(embedded, memory, state)
        steps = []
        for step in embedded.unbind(1):  # (B, E) each
            fed = self.feed_context(torch.cat([step, state.context], dim=1))
            steps.append(self._decode_at_once(fed.unsqueeze(1), memory, state))
            state = steps[-1].state
        readout, p_gen, attention, coverage = (
            torch.cat(column, 1) for column in zip(*(s[:4] for s in steps), strict=True)
        )
        return Decoded(readout, p_gen, attention, coverage, state)

    def _decode_at_once(self, embedded: Tensor, memory: Memory, state: DecoderState) -> Decoded:
        start = (state.hidden.unsqueeze(0), state.cell.unsqueeze(0))
        states, (hidden, cell) = self.decoder_lstm(embedded, start)  # (B, T, H)
        attention, spent, coverage = self.attention(states, memory, state.coverage)
        contexts = attention @ memory.states  # PG (3), (B, T, 2H)
        p_gen = torch.sigmoid(self.generate_or_copy(torch.cat([contexts, states, embedded], 2)).squeeze(2))
        readout = self.dropout(torch.tanh(self.readout(torch.cat([states, contexts], 2))))  # (B, T, E)
        after = DecoderState(hidden.squeeze(0), cell.squeeze(0), contexts[:, -1], coverage)
        return Decoded(readout, p_gen, attention, spent, after)

    def project(self, readout: Tensor) -> Tensor:
        """(..., E) -> logits over the output vocabulary, PG (4)."""
        if self.output is not None:
            return self.output(readout) + self.output_bias
        return F.linear(readout, self.embedding.weight[: self.config.output_vocabulary], self.output_bias)


class Loss(NamedTuple):
    """Sums over the batch; `tokens` and `source_tokens` say of how many."""

    likelihood: Tensor
    coverage: Tensor
    selection: Tensor
    tokens: Tensor
    source_tokens: Tensor


def pointer_generator_loss(
    network: PointerGenerator, source: Tensor, selected: Tensor, inputs: Tensor, targets: Tensor
) -> Loss:
    """The negative log likelihood, PG (6) and (9), the coverage loss, PG (12), and the selector's.

    The vocabulary is projected once, after the loop over time, and only where there is a target.
    """
    memory, state = network.encode(source)
    decoded = network.decode(inputs, memory, state)
    real = targets != PAD  # (B, T)
    wanted = targets[real]  # (N,)
    p_gen = decoded.p_gen[real]

    writable = wanted < network.config.output_vocabulary
    logits = network.project(decoded.readout[real])  # (N, V)
    generated = -F.cross_entropy(logits, wanted.masked_fill(~writable, UNKNOWN), reduction="none")
    generated = generated.masked_fill(~writable | (wanted == UNKNOWN), -1e9)

    same = source.unsqueeze(1) == targets.unsqueeze(2)  # (B, T, S): the extended vocabulary
    copied = (decoded.attention * same).sum(2)[real]  # (N,)
    # log(p_gen P_vocab + (1 - p_gen) P_copy), PG (9), without ever taking the log of zero
    chance = p_gen * generated.exp() + (1 - p_gen) * copied
    likelihood = -torch.log(chance.clamp(min=1e-8)).sum()

    repeated = torch.minimum(decoded.attention, decoded.coverage).sum(2)[real].sum()
    selection = likelihood.new_zeros(())
    if network.selector is not None:
        selection = F.binary_cross_entropy_with_logits(
            network.select(memory)[memory.mask], selected[memory.mask], reduction="sum"
        )
    return Loss(likelihood, repeated, selection, real.sum(), memory.mask.sum())
