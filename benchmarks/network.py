"""How fast the PG-Network learns and writes, beside a plain one and beside public architectures, in one run.

    python benchmarks/network.py --data DATA/cnndm/val.jsonl.xz

Learning: examples a second against a pointer-generator of the same sizes written the plain way, one
step after the other as the equations stand (attention, the whole vocabulary and the extended
distribution at every step), and against A3, in the size that we train and in that of the original.
Writing: documents a second with four beams against `transformers`, which generates as many tokens from
as many with random weights of the sizes of BART-large-cnn and T5-small. All take turns on one core, so
a neighbour slows them alike: only ratios mean anything.
Needs the extra `train`, and `transformers`.
"""

from __future__ import annotations

import os

from mls.workers import ONE_THREAD

os.environ |= ONE_THREAD  # before numpy is imported

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from peers import bart_large, t5_small, write_as_much, written
from torch import Tensor, nn

from mls.corpora.records import read_records
from mls.lab.convolutional import ConvolutionalNetwork
from mls.model import shipped_model
from mls.training.base import Loss
from mls.training.batches import Batch, assemble
from mls.training.cache import cached_corpus
from mls.training.config import ConvolutionalConfig, PointerGeneratorConfig, load_config
from mls.training.pointer_generator import PointerGenerator
from mls.vocabulary import PAD, UNKNOWN
from prototype import READ, first_tokens

LENGTHS = ((200, 60), (400, 100))  # of sources and summaries, in tokens
BATCH = 32


class PlainPointerGenerator(nn.Module):
    """PG (1) to (13) as they stand: the final distribution over the extended vocabulary at every step."""

    def __init__(self, config: PointerGeneratorConfig) -> None:
        super().__init__()
        self.config = config
        E, H, A = config.embedding, config.hidden, config.attention_width
        self.embedding = nn.Embedding(config.vocabulary, E, padding_idx=PAD)
        self.encoder = nn.LSTM(E, H, batch_first=True, bidirectional=True)
        self.reduce_hidden, self.reduce_cell = nn.Linear(2 * H, H), nn.Linear(2 * H, H)
        self.feed_context = nn.Linear(E + 2 * H, E)
        self.decoder = nn.LSTMCell(E, H)
        self.of_memory, self.of_state = nn.Linear(2 * H, A, bias=False), nn.Linear(H, A)
        self.of_coverage, self.score = nn.Linear(1, A, bias=False), nn.Linear(A, 1, bias=False)
        self.generate_or_copy = nn.Linear(3 * H + E, 1)
        self.readout, self.output = nn.Linear(3 * H, E), nn.Linear(E, config.output_vocabulary)

    def embed(self, ids: Tensor) -> Tensor:
        embedded: Tensor = self.embedding(ids.masked_fill(ids >= self.config.vocabulary, UNKNOWN))
        return embedded

    def loss(self, batch: Batch) -> Loss:
        mask = batch.source != PAD
        states, (hidden, cell) = self.encoder(self.embed(batch.source))
        hidden = torch.relu(self.reduce_hidden(torch.cat([*hidden], 1)))
        cell = torch.relu(self.reduce_cell(torch.cat([*cell], 1)))
        source, targets, size = extended(batch, self.config.output_vocabulary)
        context, coverage = torch.zeros_like(states[:, 0]), torch.zeros_like(mask, dtype=states.dtype)
        likelihood = repeated = torch.zeros(())
        for token, target in zip(batch.inputs.unbind(1), targets.unbind(1), strict=True):
            fed = self.feed_context(torch.cat([self.embed(token), context], 1))
            hidden, cell = self.decoder(fed, (hidden, cell))
            features = self.of_memory(states) + self.of_state(hidden).unsqueeze(1)
            features = torch.tanh(features + self.of_coverage(coverage.unsqueeze(2)))  # PG (11)
            attention = torch.softmax(self.score(features).squeeze(2).masked_fill(~mask, -1e9), 1)
            context = (attention.unsqueeze(1) @ states).squeeze(1)
            p_gen = torch.sigmoid(self.generate_or_copy(torch.cat([context, hidden, fed], 1)))
            vocabulary = torch.softmax(self.output(self.readout(torch.cat([hidden, context], 1))), 1)
            final = nn.functional.pad(p_gen * vocabulary, (0, size - vocabulary.size(1)))
            final = final.scatter_add(1, source, (1 - p_gen) * attention)  # PG (9)
            real = (target != PAD).float()
            likelihood = likelihood - (torch.log(final.gather(1, target.unsqueeze(1)).squeeze(1) + 1e-8) * real).sum()
            repeated = repeated + (torch.minimum(attention, coverage).sum(1) * real).sum()
            coverage = coverage + attention
        return Loss(likelihood, repeated, torch.zeros(()), (targets != PAD).sum(), mask.sum())


def extended(batch: Batch, vocabulary: int) -> tuple[Tensor, Tensor, int]:
    """Ids in the batch's extended vocabulary: what the network can't write is numbered from its end on."""
    rare, numbers = torch.unique(batch.source[batch.source >= vocabulary], return_inverse=True)
    source = batch.source.clone()
    source[source >= vocabulary] = numbers + vocabulary
    positions = torch.searchsorted(rare, batch.targets)
    found = torch.isin(batch.targets, rare)
    targets = torch.where(
        found, positions + vocabulary, batch.targets.masked_fill(batch.targets >= vocabulary, UNKNOWN)
    )
    return source, targets, vocabulary + len(rare)


def seconds_of(network: nn.Module, batches: list[Batch]) -> float:
    """CPU seconds that the network takes to learn from the batches."""
    network.train()
    optimizer = torch.optim.Adam(network.parameters(), 1e-4)
    learn(network, optimizer, batches[0])
    started = time.process_time()
    for batch in batches:
        learn(network, optimizer, batch)
    return time.process_time() - started


def learn(network: nn.Module, optimizer: torch.optim.Optimizer, batch: Batch) -> None:
    optimizer.zero_grad(set_to_none=True)
    loss: Loss = network.loss(batch)
    total = (loss.likelihood + 0.25 * loss.coverage) / loss.tokens + loss.selection / loss.source_tokens
    total.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 2.0)
    optimizer.step()


def compare_learning(data: str, cache: Path, batches: int) -> None:
    config = load_config("compact").network
    assert isinstance(config, PointerGeneratorConfig)
    corpus = cached_corpus(data, cache, config.vocabulary, print, shipped_model().vocabulary).corpus
    networks = {
        "MLS, preset compact": PointerGenerator(config),
        "MLS, additive attention": PointerGenerator(replace(config, attention="additive")),
        "plain, step by step": PlainPointerGenerator(config),
        "A3, preset convolutional": ConvolutionalNetwork(_a3()),
        "A3, as large as the original": ConvolutionalNetwork(
            replace(_a3(), embedding=256, hidden=512, encoder_layers=8, decoder_layers=8)
        ),
    }
    for source, target in LENGTHS:
        given = [
            assemble(corpus, np.arange(BATCH) + BATCH * number, source, target) for number in range(batches)
        ]  # fmt: skip
        spent = {name: seconds_of(network, given) for name, network in networks.items()}
        mine = spent["MLS, preset compact"]
        print(f"\n| {source} tokens of a source, {target} of a summary | examples/s | MLS is faster |")
        print("| --- | ---: | ---: |")
        for name, seconds in spent.items():
            print(f"| {name} | {BATCH * batches / seconds:.1f} | {seconds / mine:.1f} x |", flush=True)


def _a3() -> ConvolutionalConfig:
    """A3 with positions for all lengths that are compared."""
    config = load_config("convolutional").network
    assert isinstance(config, ConvolutionalConfig)
    longest, written = LENGTHS[-1]
    return replace(config, source_positions=longest + 1, target_positions=written + 1)


PEERS: dict[str, tuple[Callable[[], nn.Module], int]] = {
    "transformers, T5-small, random weights": (t5_small, 4),
    "transformers, BART-large-cnn, random weights": (bart_large, 1),
}


def compare_writing(data: str, documents: int) -> None:
    """Everybody reads as many tokens and writes as many, with as many beams, one document at a time."""
    generate = shipped_model().prototype()
    texts = [first_tokens(record.document, READ) for record in islice(read_records(data, print), documents)]
    generate(texts[0])
    started = time.process_time()
    prototypes = [generate(text) for text in texts]
    mine = (time.process_time() - started) / documents
    print(f"\n| four beams, {np.mean([text.token_count for text in texts]):.0f} tokens read and", end=" ")
    print(f"{np.mean([written(one) for one in prototypes]):.0f} written | documents/s | MLS is faster |")
    print(f"| --- | ---: | ---: |\n| MLS, shipped model | {1 / mine:.2f} | |", flush=True)
    for name, (build, few) in PEERS.items():
        network = build()
        started = time.process_time()
        for text in texts[:few]:
            write_as_much(network, text, generate)
        seconds = (time.process_time() - started) / few - mine  # which wrote the prototype to be matched
        print(f"| {name} | {1 / seconds:.3f} | {seconds / mine:.0f} x |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="JSON lines with id, document and summary")
    parser.add_argument("--batches", type=int, default=4, help="batches that each network learns from; 0: none")
    parser.add_argument("--documents", type=int, default=16, help="documents that MLS writes prototypes of; 0: none")
    options = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as cache:
        if options.batches:
            compare_learning(options.data, Path(cache), options.batches)
    if options.documents:
        compare_writing(options.data, options.documents)


if __name__ == "__main__":
    main()
