"""The sentence parser: one bidirectional LSTM that reads a sentence, and a few small readouts.

Arcs and relations are scored as by Dozat and Manning (2017), "Deep biaffine attention for neural dependency
parsing", cited as "DM (n)". Shapes: B sentences of T tokens, H the width of a direction, A of an arc, R of a
relation.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from mls.parser.features import HIDDEN, SHAPES
from mls.training.base import Graph, GraphInput, Network
from mls.training.config import ParserConfig, Phase, TrainingConfig
from mls.training.pointer_generator import pick
from mls.training.sentences import UNLABELLED, SentenceBatch
from mls.vocabulary import PAD, UNKNOWN

_IMPOSSIBLE = -1e4
_KEEP_WIDTH = 96
# How much each task weighs: what a sentence's tree is, which words people keep, and where texts begin.
_WEIGHTS = {"tags": 0.5, "heads": 1.0, "relations": 1.0, "entities": 0.5, "keep": 1.0, "opening": 0.3}


class Read(NamedTuple):
    """What the network says of a batch, before anything is decided."""

    states: Tensor  # (B, T, 2H)
    tags: Tensor  # (B, T, tags)
    arcs: Tensor  # (B, T, T), dependents by heads; the diagonal is for being the root
    entities: Tensor  # (B, T, entities)
    keep: Tensor  # (B, T)
    opening: Tensor  # (B,)


class BidirectionalLayer(nn.Module):
    """Two LSTMs that both start at a real token: padding comes last for both and touches nothing."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.forth = nn.LSTM(width, hidden, batch_first=True)
        self.back = nn.LSTM(width, hidden, batch_first=True)

    def forward(self, read: Tensor, reverse: Tensor) -> Tensor:
        forth, _ = self.forth(read)  # (B, T, H)
        back, _ = self.back(pick(read, reverse))  # (B, T, H), still reversed
        return torch.cat([forth, pick(back, reverse)], dim=2)  # (B, T, 2H)


class ParserNetwork(Network):
    """Reads sentences; says tags, arcs, relations, entities, which words people keep, and if a text could begin so."""

    title = "sentence parser"
    usage = "Put it in the place of `mls/assets/parser` to have sentences read by it."
    coarse = True

    def __init__(self, config: ParserConfig) -> None:
        super().__init__()
        self.config: ParserConfig = config
        H, A, R = config.hidden, config.arc_width, config.relation_width
        self.words = nn.Embedding(config.vocabulary, config.embedding, padding_idx=PAD)
        self.prefixes = nn.Embedding(config.prefixes, config.prefix_width)
        self.suffixes = nn.Embedding(config.suffixes, config.suffix_width)
        self.shapes = nn.Embedding(SHAPES, config.shape_width)
        width = config.embedding + config.prefix_width + config.suffix_width + config.shape_width
        self.layers = nn.ModuleList(
            BidirectionalLayer(width if layer == 0 else 2 * H, H) for layer in range(config.layers)
        )
        self.dropout = nn.Dropout(config.dropout)
        self.tags = nn.Linear(2 * H, config.tags)
        self.entities = nn.Linear(2 * H, config.entities)
        self.arc_dependent, self.arc_head = nn.Linear(2 * H, A), nn.Linear(2 * H, A)
        self.arc_product = nn.Linear(A, A, bias=False)
        self.arc_prior = nn.Linear(A, 1)
        self.root = nn.Linear(2 * H, 1)
        self.relation_dependent, self.relation_head = nn.Linear(2 * H, R), nn.Linear(2 * H, R)
        self.relation_product = nn.Linear(R, config.relations * (R + 1))
        self.relation_prior = nn.Linear(R, config.relations)
        self.keep = nn.Sequential(nn.Linear(4 * H, _KEEP_WIDTH), nn.Tanh(), nn.Linear(_KEEP_WIDTH, 1))
        self.gaze = nn.Linear(2 * H, 1)
        self.opening = nn.Sequential(nn.Linear(4 * H, _KEEP_WIDTH), nn.Tanh(), nn.Linear(_KEEP_WIDTH, 1))
        nn.init.normal_(self.words.weight, std=config.embedding**-0.5)
        nn.init.zeros_(self.arc_product.weight)
        with torch.no_grad():
            self.words.weight[PAD].zero_()

    def embed(self, ranks: Tensor, prefixes: Tensor, suffixes: Tensor, shapes: Tensor) -> Tensor:
        if self.training:
            hidden = torch.rand(ranks.shape) < self.config.word_dropout
            ranks = ranks.masked_fill(hidden & (ranks != PAD), UNKNOWN)
            prefixes = prefixes.masked_fill(hidden & (torch.rand(ranks.shape) < 0.2), HIDDEN)
        parts = (self.words(ranks), self.prefixes(prefixes), self.suffixes(suffixes), self.shapes(shapes))
        return self.dropout(torch.cat(parts, dim=2))

    def forward(self, ranks: Tensor, prefixes: Tensor, suffixes: Tensor, shapes: Tensor) -> Read:
        mask = ranks != PAD  # (B, T)
        positions = torch.arange(ranks.size(1), device=ranks.device).unsqueeze(0)  # (1, T)
        lengths = mask.sum(1, keepdim=True)  # (B, 1)
        reverse = torch.where(positions < lengths, lengths - 1 - positions, positions)
        states = self.embed(ranks, prefixes, suffixes, shapes)
        for layer in self.layers:
            states = self.dropout(layer(states, reverse))  # (B, T, 2H)
        arcs = self._arcs(states, mask)
        above = pick(states, arcs.detach().argmax(2))  # (B, T, 2H), the states of the heads
        keep = self.keep(torch.cat([states, above], 2)).squeeze(2)
        gaze = self.gaze(states).squeeze(2).masked_fill(~mask, _IMPOSSIBLE).softmax(1).unsqueeze(1)  # (B, 1, T)
        seen = torch.cat([(gaze @ states).squeeze(1), states[:, 0]], 1)  # (B, 4H)
        return Read(states, self.tags(states), arcs, self.entities(states), keep, self.opening(seen).squeeze(1))

    def _arcs(self, states: Tensor, mask: Tensor) -> Tensor:
        """DM (9): how well each token would do as the head of each other."""
        dependents = self.dropout(F.relu(self.arc_dependent(states)))  # (B, T, A)
        heads = self.dropout(F.relu(self.arc_head(states)))
        scores = self.arc_product(dependents) @ heads.transpose(1, 2) + self.arc_prior(heads).transpose(1, 2)
        itself = torch.eye(states.size(1), dtype=torch.bool, device=states.device)
        scores = torch.where(itself, self.root(states), scores)  # (B, T, T)
        return scores.masked_fill(~mask.unsqueeze(1), _IMPOSSIBLE)

    def relate(self, states: Tensor, heads: Tensor) -> Tensor:
        """DM (3): the relation of each token to its head. (B, T) heads -> (B, T, relations).

        The product's bias is a matter of the governors alone, and its last row one of the dependents: both are told
        by products of their own, so that none of the large one has to be taken apart again.
        """
        dependents = self.dropout(F.relu(self.relation_dependent(states)))  # (B, T, R)
        governors = pick(self.dropout(F.relu(self.relation_head(states))), heads)
        B, T, R = dependents.shape
        weight = self.relation_product.weight.view(-1, R + 1, R)
        bias = self.relation_product.bias.view(-1, R + 1)
        product = F.linear(dependents, weight[:, :R].flatten(0, 1)).view(B, T, -1, R)
        scores = (product @ governors.unsqueeze(3)).squeeze(3)  # (B, T, relations)
        scores = scores + F.linear(dependents, weight[:, R], bias[:, R])
        return scores + F.linear(governors, self.relation_prior.weight + bias[:, :R], self.relation_prior.bias)

    def losses(self, batch: SentenceBatch) -> dict[str, Tensor]:
        """The loss of each task, summed over what is labelled."""
        read = self(batch.ranks, batch.prefixes, batch.suffixes, batch.shapes)
        relations = self.relate(read.states, batch.heads.clamp(min=0))

        def cross_entropy(scores: Tensor, labels: Tensor) -> Tensor:
            return F.cross_entropy(scores.flatten(0, 1), labels.flatten(), ignore_index=UNLABELLED, reduction="sum")

        return {
            "tags": cross_entropy(read.tags, batch.tags),
            "heads": cross_entropy(read.arcs, batch.heads),
            "relations": cross_entropy(relations, batch.relations),
            "entities": cross_entropy(read.entities, batch.entities),
            "keep": _binary(read.keep, batch.keep),
            "opening": _binary(read.opening, batch.opening),
        }

    def objective(
        self, batch: SentenceBatch, share: slice, config: TrainingConfig, phase: Phase | None
    ) -> tuple[Tensor, Tensor]:
        losses = self.losses(batch.rows(share))
        counts = {name: (getattr(batch, name) != UNLABELLED).sum().clamp(min=1) for name in losses}
        total = torch.stack([_WEIGHTS[name] * loss / counts[name] for name, loss in losses.items()]).sum()
        return total, total.detach()

    def validation(self, batch: SentenceBatch) -> tuple[float, float]:
        """The weighted losses; each is summed over the tokens, so that batches of other tasks count as well."""
        total, _ = self.objective(batch, slice(None), None, None)  # type: ignore[arg-type]
        return float(total) * len(batch.ranks), len(batch.ranks)

    def graphs(self) -> dict[str, Graph]:
        ranks = torch.tensor([[5, 6, 7, 8], [5, 6, PAD, PAD]])
        names = ("ranks", "prefixes", "suffixes", "shapes")
        inputs = tuple(GraphInput(name, ranks.clamp(max=7), ("documents", "tokens")) for name in names)
        return {"parser": Graph(_Parsing(self), inputs, ("tags", "arcs", "relations", "entities", "keep", "opening"))}


class _Parsing(nn.Module):
    """The network as it is run: labels where nothing is left to decide, scores where a tree has to be found."""

    def __init__(self, network: ParserNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, ranks: Tensor, prefixes: Tensor, suffixes: Tensor, shapes: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        read = self.network(ranks, prefixes, suffixes, shapes)
        relations = self.network.relate(read.states, read.arcs.argmax(2))
        return (
            read.tags.argmax(2),
            read.arcs,
            relations.argmax(2),
            read.entities.argmax(2),
            torch.sigmoid(read.keep),
            torch.sigmoid(read.opening),
        )


def _binary(scores: Tensor, labels: Tensor) -> Tensor:
    """Cross entropy of yes and no, where one of them is known."""
    known = (labels != UNLABELLED).float()
    return (F.binary_cross_entropy_with_logits(scores, labels.clamp(min=0).float(), reduction="none") * known).sum()
