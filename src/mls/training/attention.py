"""How a PG-Network attends to its source: in the form of See et al. (2017), and in a faster one.

The equations cited as "PG (n)" are those of that paper, section 2. Shapes: B documents of S source
tokens and T summary tokens, H the width of a hidden state, A of the attention.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from mls.training.config import PointerGeneratorConfig
from mls.training.deferred import Shared

Attend = Callable[[Tensor, Tensor], Tensor]


class Encoded(NamedTuple):
    """What the encoder leaves behind for the decoder."""

    states: Tensor  # (B, S, 2H)
    keys: Tensor  # (B, S, A)
    mask: Tensor  # (B, S), True at tokens


class AdditiveAttention(nn.Module):
    """PG (1) and (11): e_i = v' tanh(W_h h_i + W_s s_t + w_c c_i + b)."""

    def __init__(self, config: PointerGeneratorConfig) -> None:
        super().__init__()
        self.of_memory = nn.Linear(2 * config.hidden, config.attention_width, bias=False)
        self.of_state = nn.Linear(config.hidden, config.attention_width)
        self.of_coverage = nn.Linear(1, config.attention_width, bias=False)
        self.score = nn.Linear(config.attention_width, 1, bias=False)

    def at_once(self, states: Tensor, memory: Encoded, coverage: Tensor) -> Tensor:
        """The attention of K decoder states (B, K, H), each with its own coverage (B, K, S)."""
        seen = memory.keys.unsqueeze(1) + self.of_coverage(coverage.unsqueeze(3))  # (B, K, S, A)
        features = torch.tanh(seen + self.of_state(states).unsqueeze(2))
        return masked_softmax(self.score(features).squeeze(3), memory.mask)  # PG (2)

    def through_time(self, memory: Encoded) -> Attend:
        """The same for one decoder state after another, each (B, H) with its coverage (B, S)."""
        return lambda state, coverage: self.at_once(state.unsqueeze(1), memory, coverage.unsqueeze(1)).squeeze(1)


class MultiplicativeAttention(nn.Module):
    """e_i = q_t . k_i / sqrt(A) - g_t c_i, where g_t >= 0 is how much the state minds coverage.

    Matrix products alone, where the additive form takes a tanh for every source token at every
    step: several times faster on a CPU.
    """

    def __init__(self, config: PointerGeneratorConfig) -> None:
        super().__init__()
        self.of_memory = nn.Linear(2 * config.hidden, config.attention_width, bias=False)
        self.of_state = nn.Linear(config.hidden, config.attention_width)
        self.of_coverage = nn.Linear(config.hidden, 1)
        self.scale = config.attention_width**-0.5

    def at_once(self, states: Tensor, memory: Encoded, coverage: Tensor) -> Tensor:
        """The attention of K decoder states (B, K, H), each with its own coverage (B, K, S)."""
        scores = self.of_state(states) @ memory.keys.transpose(1, 2) * self.scale  # (B, K, S)
        return masked_softmax(scores - F.softplus(self.of_coverage(states)) * coverage, memory.mask)  # PG (2)

    def through_time(self, memory: Encoded) -> Attend:
        """The same for one decoder state after another, each (B, H) with its coverage (B, S)."""
        query = Shared(torch.cat([self.of_state.weight, self.of_coverage.weight]).t())  # (H, A + 1)
        bias = torch.cat([self.of_state.bias, self.of_coverage.bias])
        keys = Shared(memory.keys.transpose(1, 2) * self.scale)  # (B, A, S)
        padding = torch.zeros_like(memory.keys[:, :, 0]).masked_fill(~memory.mask, -1e9)  # (B, S)

        def attend(state: Tensor, coverage: Tensor) -> Tensor:
            asked = state @ query + bias
            scores = (asked[:, :-1].unsqueeze(1) @ keys).squeeze(1) + padding
            return torch.softmax(scores - F.softplus(asked[:, -1:]) * coverage, dim=1)  # PG (2)

        return attend


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """(B, T, S) scores -> distributions over the tokens that the (B, S) mask holds."""
    return torch.softmax(scores.masked_fill(~mask.unsqueeze(1), -1e9), dim=2)


ATTENTIONS: dict[str, type[AdditiveAttention] | type[MultiplicativeAttention]] = {
    "additive": AdditiveAttention,
    "multiplicative": MultiplicativeAttention,
}
