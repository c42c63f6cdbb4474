"""The network computes what the papers say, whatever stands beside a document in its batch."""

from __future__ import annotations

import os
from typing import Any

import pytest

if not os.environ.get("CI"):  # there torch must be installed
    pytest.importorskip("torch")

import torch
from torch import Tensor

from mls.training.attention import Encoded
from mls.training.base import Loss
from mls.training.batches import Batch
from mls.training.pointer_generator import Decoded, DecoderState, PointerGenerator
from mls.vocabulary import START, STOP, UNKNOWN
from tiny import SHAPES, network_of

shapes = pytest.mark.parametrize("shape", SHAPES)

# 30 types are read and 20 of them written; 30 and more are read as <unk> and can only be copied.
SOURCE = torch.tensor([[4, 9, 31, 25, 9, 33], [5, 32, 6, 0, 0, 0], [7, 0, 0, 0, 0, 0]])
SELECTED = torch.tensor([[1, 0, 1, 0, 0, 1], [0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]]).float()
TARGETS = torch.tensor([[9, 31, 25, 12, 29, STOP], [32, 40, STOP, 0, 0, 0], [STOP, 0, 0, 0, 0, 0]])
INPUTS = torch.cat([torch.full((3, 1), START), TARGETS[:, :-1]], 1) * (TARGETS != 0)


def padded_loudly(**shape: Any) -> PointerGenerator:
    """Where the output layer shares the embeddings, training gives padding a vector of its own."""
    network = network_of(**shape)
    with torch.no_grad():
        network.embedding.weight[0] = 3.0
    return network


def loss_of(network: PointerGenerator, rows: slice = slice(None), cut: bool = False) -> Loss:
    parts = [SOURCE[rows], SELECTED[rows], INPUTS[rows], TARGETS[rows]]
    if cut:  # without padding
        parts = [part[:, : int((SOURCE if n < 2 else TARGETS)[rows].ne(0).sum())] for n, part in enumerate(parts)]
    return loss_at(network, *parts)


def loss_at(network: PointerGenerator, source: Tensor, selected: Tensor, inputs: Tensor, targets: Tensor) -> Loss:
    return network.loss(Batch(source, selected, inputs, targets, (targets != 0).sum(1)))


def read_and_write(network: PointerGenerator) -> tuple[Encoded, Decoded]:
    memory, state = network.encode(SOURCE)
    return memory, network.decode(INPUTS, memory, state)


def number(value: Tensor) -> float:
    return float(value.detach())


def close(one: Tensor, other: Tensor) -> None:
    torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)


@shapes
@pytest.mark.parametrize("tied", [True, False])
def test_distributions_sum_to_one(shape: dict[str, Any], tied: bool) -> None:
    network = network_of(**shape, tied=tied)
    memory, decoded = read_and_write(network)
    close(decoded.attention.sum(2), torch.ones(3, 6))
    assert number(decoded.attention.masked_select(~memory.mask.unsqueeze(1)).abs().max()) == 0.0
    close(torch.softmax(network.project(decoded.readout), 2).sum(2), torch.ones(3, 6))
    assert network.project(decoded.readout).shape == (3, 6, 20)
    assert bool(((decoded.p_gen > 0) & (decoded.p_gen < 1)).all())


@shapes
def test_a_document_means_the_same_alone_and_in_a_batch(shape: dict[str, Any]) -> None:
    network = padded_loudly(**shape)
    memory, start = network.encode(SOURCE)
    for row, length in enumerate(memory.mask.sum(1).tolist()):
        alone, its_start = network.encode(SOURCE[row : row + 1, :length])
        close(alone.states[0], memory.states[row, :length])
        close(alone.keys[0], memory.keys[row, :length])
        close(its_start.hidden[0], start.hidden[row])
        close(its_start.cell[0], start.cell[row])
        close(network.select(alone)[0], network.select(memory)[row, :length])


@shapes
def test_the_loss_of_a_batch_is_that_of_its_documents(shape: dict[str, Any]) -> None:
    network = padded_loudly(**shape)
    alone = [loss_of(network, slice(row, row + 1), cut=True) for row in range(3)]
    together = loss_of(network)
    for name in Loss._fields:
        close(getattr(together, name), torch.stack([getattr(loss, name) for loss in alone]).sum(0))


@shapes
def test_the_backward_direction_reads_from_the_last_token(shape: dict[str, Any]) -> None:
    """A word at the end changes what the first token's state says; padding never does."""
    network = network_of(**shape)
    states = network.encode(SOURCE)[0].states
    other = SOURCE.clone()
    other[1, 2] = 11
    changed = network.encode(other)[0].states
    H = network.config.hidden
    close(changed[1, :2, :H], states[1, :2, :H])
    assert not torch.allclose(changed[1, 0, H:], states[1, 0, H:])
    close(changed[0], states[0])


@shapes
def test_one_step_at_a_time_is_all_steps_at_once(shape: dict[str, Any]) -> None:
    network = network_of(**shape)
    memory, state = network.encode(SOURCE)
    at_once = network.decode(INPUTS, memory, state)
    for step in range(INPUTS.size(1)):
        one = network.decode(INPUTS[:, step : step + 1], memory, state)
        for name in ("readout", "p_gen", "attention", "coverage"):
            close(getattr(one, name)[:, 0], getattr(at_once, name)[:, step])
        state = one.state
    for name in DecoderState._fields:
        close(getattr(state, name), getattr(at_once.state, name))


@shapes
def test_beams_side_by_side_attend_as_one_does(shape: dict[str, Any]) -> None:
    network = network_of(**shape)
    memory, _ = network.encode(SOURCE)
    states, coverage = torch.randn(3, 4, 12), torch.rand(3, 4, 6)
    beams = network.attention.at_once(states, memory, coverage)
    for beam in range(4):
        close(network.attention.through_time(memory)(states[:, beam], coverage[:, beam]), beams[:, beam])


@shapes
def test_input_feeding_is_what_lets_the_context_matter(shape: dict[str, Any]) -> None:
    network = network_of(**shape)
    memory, state = network.encode(SOURCE)
    other = state._replace(context=torch.ones_like(state.context))
    same = torch.allclose(
        network.decode(INPUTS, memory, state).readout, network.decode(INPUTS, memory, other).readout, atol=1e-6
    )
    assert same is not shape["input_feeding"]


@shapes
def test_the_likelihood_is_that_of_an_explicit_extended_vocabulary(shape: dict[str, Any]) -> None:
    """PG (9), word by word, over a vocabulary that lists the source's own words after the written ones."""
    network = network_of(**shape)
    _, decoded = read_and_write(network)
    P_vocab = torch.softmax(network.project(decoded.readout), 2)
    total = 0.0
    for b, t in TARGETS.nonzero().tolist():
        extended = {word: number(decoded.p_gen[b, t] * P_vocab[b, t, word]) for word in range(20)}
        for s, word in enumerate(SOURCE[b].tolist()):
            if word != 0:
                copied = number((1 - decoded.p_gen[b, t]) * decoded.attention[b, t, s])
                extended[word] = extended.get(word, 0.0) + copied
        assert sum(extended.values()) == pytest.approx(1.0, abs=1e-5)
        total -= float(torch.tensor(max(extended.get(int(TARGETS[b, t]), 0.0), 1e-8)).log())
    assert number(loss_of(network).likelihood) == pytest.approx(total, rel=1e-5)


@shapes
def test_coverage_is_the_attention_spent_twice(shape: dict[str, Any]) -> None:
    """PG (10) and (12), by hand."""
    network = network_of(**shape)
    _, decoded = read_and_write(network)
    total = 0.0
    for b in range(3):
        spent = [0.0] * 6
        for t in range(int((TARGETS[b] != 0).sum())):
            attention = decoded.attention[b, t].tolist()
            total += sum(min(pair) for pair in zip(attention, spent, strict=True))
            spent = [sum(pair) for pair in zip(attention, spent, strict=True)]
    assert total > 0
    assert number(loss_of(network).coverage) == pytest.approx(total, rel=1e-5)


def test_the_selector_is_judged_at_tokens_only() -> None:
    network = network_of()
    memory, _ = network.encode(SOURCE)
    probability = torch.sigmoid(network.select(memory))
    by_hand = sum(
        -number(torch.log(probability[b, s] if SELECTED[b, s] else 1 - probability[b, s]))
        for b, s in SOURCE.nonzero().tolist()
    )
    loss = loss_of(network)
    assert number(loss.selection) == pytest.approx(by_hand, rel=1e-5)
    assert (int(loss.tokens), int(loss.source_tokens)) == (10, 10)
    assert number(loss_of(network_of(selector=False)).selection) == 0.0


@shapes
def test_gradients_are_finite_where_a_target_can_not_be_said(shape: dict[str, Any]) -> None:
    network = network_of(**shape)
    source, inputs = torch.tensor([[5, 6]]), torch.tensor([[START, 29]])
    targets = torch.tensor([[29, 77]])  # neither written nor in the source
    loss = loss_at(network, source, torch.zeros(1, 2), inputs, targets)
    assert number(loss.likelihood) == pytest.approx(2 * 18.42068, abs=1e-3)  # -log 1e-8 each
    (loss.likelihood + loss.coverage + loss.selection).backward()
    assert all(bool(torch.isfinite(p.grad).all()) for p in network.parameters() if p.grad is not None)


@shapes
def test_every_weight_learns(shape: dict[str, Any]) -> None:
    network = network_of(**shape)
    loss = loss_of(network)
    (loss.likelihood + loss.coverage + loss.selection).backward()
    idle = [name for name, p in network.named_parameters() if p.grad is None or not bool(p.grad.any())]
    assert not idle


def test_unread_types_are_read_as_unknown_but_told_apart() -> None:
    network = network_of()
    close(network.embed(torch.tensor([[30, 99]])), network.embed(torch.tensor([[UNKNOWN, UNKNOWN]])))
    unknown = loss_at(
        network, torch.tensor([[31, 32]]), torch.zeros(1, 2), torch.tensor([[START]]), torch.tensor([[33]])
    )
    copied = loss_at(
        network, torch.tensor([[31, 32]]), torch.zeros(1, 2), torch.tensor([[START]]), torch.tensor([[32]])
    )
    assert number(copied.likelihood) < number(unknown.likelihood)


GOLDEN = {  # likelihood, coverage, selection
    "multiplicative-fed": (59.78871, 6.99956, 6.92726),
    "multiplicative-unfed": (60.39980, 6.99959, 6.95708),
    "additive-fed": (59.64718, 6.99942, 6.93983),
    "additive-unfed": (59.99101, 6.99967, 6.90475),
}


@shapes
def test_a_seeded_network_has_the_recorded_loss(shape: dict[str, Any], request: pytest.FixtureRequest) -> None:
    loss = loss_of(network_of(**shape))
    found = [number(part) for part in (loss.likelihood, loss.coverage, loss.selection)]
    assert found == pytest.approx(GOLDEN[request.node.callspec.id], abs=1e-4)
