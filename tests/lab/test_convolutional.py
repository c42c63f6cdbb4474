"""The convolutional network computes what the papers say, keeps to a length, and runs without torch."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

if not os.environ.get("CI"):  # there torch must be installed
    pytest.importorskip("torch")

import numpy as np
import onnx
import torch
from torch import Tensor
from torch.nn import functional as F

from mls.lab.convolutional import ConvolutionalNetwork, EncodedSource
from mls.lab.onnx_convolutional import OnnxConvolutional
from mls.training.base import Loss
from mls.training.batches import Batch
from mls.training.storage import save_weights, shrink_onnx
from mls.vocabulary import PAD, START, STOP, UNKNOWN
from tiny import Exported, convolutional, convolutional_of, same_weights, toy_data, train_here, training_config
from tiny import convolutional_config as sizes

__all__ = ["convolutional"]

# 30 types are read and 20 of them written; those past 20 are learned as <unk>.
SOURCE = torch.tensor([[4, 9, 31, 25, 9, 33], [5, 32, 6, 0, 0, 0], [7, 0, 0, 0, 0, 0]])
TARGETS = torch.tensor([[9, 31, 25, 12, 29, STOP], [12, 40, STOP, 0, 0, 0], [STOP, 0, 0, 0, 0, 0]])
INPUTS = torch.cat([torch.full((3, 1), START), TARGETS[:, :-1]], 1) * (TARGETS != PAD)
LENGTHS = torch.tensor([5, 2, 0])


def batch_of(rows: slice = slice(None), cut: bool = False) -> Batch:
    source, inputs, targets = SOURCE[rows], INPUTS[rows], TARGETS[rows]
    if cut:  # without padding
        source = source[:, : int((source != PAD).sum())]
        inputs, targets = (part[:, : int((targets != PAD).sum())] for part in (inputs, targets))
    return Batch(source, torch.zeros(source.shape), inputs, targets, LENGTHS[rows])


def close(one: Tensor, other: Tensor) -> None:
    torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)


def plain_layers(network: ConvolutionalNetwork, source: list[int], inputs: list[int], length: int) -> Tensor:
    """CS2S 3.1 to 3.4 and the initial state of Liu et al., for one document, with torch's own convolution."""
    config, half = network.config, 0.5**0.5

    def embedded(ids: list[int], table: torch.nn.Embedding) -> Tensor:
        known = torch.tensor([id if id < config.vocabulary else UNKNOWN for id in ids])
        return network.embedding(known) + table.weight[: len(ids)]

    def gated(convolution: torch.nn.Module, states: Tensor, before: int, after: int) -> Tensor:
        linear: torch.nn.Linear = convolution.linear
        kernels = linear.weight.view(2 * config.hidden, config.kernel, config.hidden).transpose(1, 2)
        both = F.conv1d(F.pad(states.T, (before, after)), kernels, linear.bias).T
        return both[:, : config.hidden] * torch.sigmoid(both[:, config.hidden :])

    e = embedded(source, network.source_position)
    h = network.into_encoder(e)
    for layer in network.encoder:
        h = (gated(layer.convolution, h, config.kernel // 2, config.kernel // 2) + h) * half
    z = network.out_of_encoder(h)
    g = embedded(inputs, network.target_position)
    h = network.into_decoder(g) * (min(length, config.target_positions) / 100)
    for layer in network.decoder:
        v = gated(layer.convolution, h, config.kernel - 1, 0)
        d = (layer.ask(v) + g) * half  # CS2S (1)
        a = torch.softmax(d @ z.T, 1)
        c = a @ ((z + e) * half) * len(source) ** 0.5  # CS2S (2)
        h = ((layer.answer(c) + v) * half + h) * half
    return network.out_of_decoder(h)


@pytest.mark.parametrize("kernel", [3, 5])
def test_the_layers_are_those_of_the_papers(kernel: int) -> None:
    network = convolutional_of(kernel=kernel)
    for row, length in enumerate((6, 3, 1)):
        source, inputs = SOURCE[row, :length].tolist(), INPUTS[row].tolist()
        memory = network.encode(SOURCE[row : row + 1, :length])
        decoded = network.decode(INPUTS[row : row + 1], LENGTHS[row : row + 1], memory)
        close(decoded.readout[0], plain_layers(network, source, inputs, int(LENGTHS[row])))


def test_padding_changes_nothing() -> None:
    network = convolutional_of()
    with torch.no_grad():
        network.embedding.weight[PAD] = 3.0  # as training may make it
    together = network.loss(batch_of())
    alone = [network.loss(batch_of(slice(row, row + 1), cut=True)) for row in range(3)]
    for name in Loss._fields:
        close(getattr(together, name), torch.stack([getattr(loss, name) for loss in alone]).sum(0))


def test_the_decoder_does_not_see_what_comes_later() -> None:
    network = convolutional_of()
    memory = network.encode(SOURCE)
    other = INPUTS.clone()
    other[:, 3:] = 17
    before, after = (network.decode(inputs, LENGTHS, memory).readout for inputs in (INPUTS, other))
    close(before[:, :3], after[:, :3])
    assert not torch.allclose(before[:, 3:], after[:, 3:])


@pytest.mark.parametrize("kernel", [3, 5])
def test_one_step_at_a_time_is_all_steps_at_once(kernel: int) -> None:
    """Two beams that say different things, side by side."""
    network = convolutional_of(kernel=kernel)
    memory = network.encode(SOURCE)
    beams = torch.stack([INPUTS, INPUTS.flip(1)], 1)  # (B, K, T)
    config = network.config
    recent = torch.zeros(3, 2, config.decoder_layers, kernel - 1, config.hidden)
    lengths = torch.tensor([50, 7, 3])
    for step in range(beams.size(2)):
        decoded, recent = network.step(beams[:, :, step], torch.full((3, 2), step), recent, lengths, memory)
        for beam in range(2):
            at_once = network.decode(beams[:, beam], lengths, memory)
            close(decoded.readout[:, beam], at_once.readout[:, step])
            close(decoded.attention[:, beam], at_once.attention[:, step])


def test_the_attention_is_a_distribution_over_tokens() -> None:
    network = convolutional_of()
    attention = network.decode(INPUTS, LENGTHS, network.encode(SOURCE)).attention
    close(attention.sum(2), torch.ones(3, 6))
    assert not attention[~(SOURCE != PAD).unsqueeze(1).expand(-1, 6, -1)].any()


def test_the_desired_length_is_multiplied_into_the_initial_state() -> None:
    network = convolutional_of(target_positions=400)
    embedded = torch.randn(3, 4, 8)
    states = network.begin(embedded, torch.tensor([100, 50, 200]))
    plain = network.into_decoder(embedded)
    close(states[0], plain[0])
    close(states[1], plain[1] / 2)
    close(states[2], plain[2] * 2)


def test_lengths_and_positions_past_the_last_are_not_told_apart() -> None:
    network = convolutional_of(source_positions=3, target_positions=4)
    at_last, past_it = network.begin(torch.ones(2, 1, 8), torch.tensor([4, 900]))
    close(at_last, past_it)
    long = network.encode(torch.full((1, 30), 5)).values[0]
    close(long[10], long[20])


def test_the_likelihood_is_a_plain_cross_entropy_with_unknown_words() -> None:
    network = convolutional_of()
    decoded = network.decode(INPUTS, LENGTHS, network.encode(SOURCE))
    probabilities = torch.softmax(network.project(decoded.readout), 2).detach()
    total = 0.0
    for b, t in TARGETS.nonzero().tolist():
        word = int(TARGETS[b, t])
        total -= float(probabilities[b, t, word if word < 20 else UNKNOWN].log())
    loss = network.loss(batch_of())
    assert float(loss.likelihood.detach()) == pytest.approx(total, rel=1e-5)
    assert (int(loss.tokens), int(loss.source_tokens)) == (10, 10)
    assert (float(loss.coverage), float(loss.selection)) == (0.0, 0.0)


def test_every_weight_learns() -> None:
    network = convolutional_of()
    network.loss(batch_of()).likelihood.backward()
    idle = [name for name, p in network.named_parameters() if p.grad is None or not bool(p.grad.any())]
    assert not idle


def test_a_seeded_network_has_the_recorded_loss() -> None:
    assert float(convolutional_of().loss(batch_of()).likelihood.detach()) == pytest.approx(GOLDEN, abs=1e-4)


GOLDEN = 31.80865


def test_a_run_of_it_learns_and_resumes_bit_by_bit(tmp_path: Path) -> None:
    config = replace(training_config(), network=sizes(vocabulary=60, output_vocabulary=40, dropout=0.2))
    data = toy_data(tmp_path, config)
    losses: list[float] = []
    whole = train_here(config, data, tmp_path / "whole", show=lambda report: losses.append(report.loss))
    assert sum(losses[-4:]) < 0.9 * sum(losses[:4])
    train_here(config, data, tmp_path / "parts", minutes=1e-6)
    train_here(config, data, tmp_path / "parts", resume=True, minutes=1e-6)
    assert same_weights(train_here(config, data, tmp_path / "parts", resume=True), whole)


def test_coarser_products_learn_nearly_the_same(tmp_path: Path) -> None:
    config = replace(training_config(), network=sizes(vocabulary=60, output_vocabulary=40), max_examples=80)
    data = toy_data(tmp_path, config)
    runs = [train_here(replace(config, precision=name), data, tmp_path / name) for name in ("float32", "bfloat16")]
    exact, coarse = (run.validate() for run in runs)
    assert exact != coarse
    assert abs(exact - coarse) < 0.1


def test_it_learns_to_stop_at_the_desired_length() -> None:
    """All summaries begin alike and say the same; only the desired length tells when one ends."""
    torch.manual_seed(3)
    network = ConvolutionalNetwork(sizes(embedding=16, hidden=24, target_positions=12))
    lengths = torch.arange(2, 9)
    positions = torch.arange(9)
    targets = torch.where(positions < lengths[:, None], 5, torch.where(positions == lengths[:, None], STOP, PAD))
    inputs = torch.where(positions <= lengths[:, None], torch.where(positions == 0, START, 5), PAD)
    batch = Batch(torch.full((7, 3), 6), torch.zeros(7, 3), inputs, targets, lengths)
    optimizer = torch.optim.Adam(network.parameters(), 5e-3)
    for _ in range(250):
        optimizer.zero_grad()
        loss = network.loss(batch)
        (loss.likelihood / loss.tokens).backward()
        optimizer.step()
    network.eval()
    said = network.project(network.decode(inputs, lengths, network.encode(batch.source)).readout).argmax(2)
    assert [row.tolist().index(STOP) for row in said] == lengths.tolist()


DOCUMENTS = [[1], [9, 3, 1], [40, 17, 1, 8, 23]]  # traced with two documents of seven tokens
WIDTHS = [1, 2, 5]  # traced with three beams


def documents(lengths: list[int], vocabulary: int) -> Tensor:
    random = torch.Generator().manual_seed(sum(lengths))
    source = torch.randint(4, vocabulary + 5, (len(lengths), max(lengths)), generator=random)
    return source * (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None])


def compare(network: ConvolutionalNetwork, folder: Path, lengths: list[int], width: int, tolerance: float) -> None:
    """The graphs step by step against torch's decoder over whole texts."""
    source, said = documents(lengths, 2100), documents([5] * len(lengths) * width, 2110).view(len(lengths), width, 5)
    said[:, :, 0] = START
    desired = torch.arange(len(lengths)) + 3
    runtime = OnnxConvolutional(folder, width)
    memory, state = runtime.encode(source.numpy(), desired.numpy())
    with torch.no_grad():
        read: EncodedSource = network.encode(source)
        texts = [network.decode(said[:, beam], desired, read) for beam in range(width)]
        for step in range(5):
            output = runtime.step(said[:, :, step].numpy(), state, memory)
            state = output.state
            for beam, text in enumerate(texts):
                probabilities = torch.softmax(network.project(text.readout[:, step]), 1)
                p_gen = output.p_gen[:, beam]
                assert output.vocabulary.dtype == output.attention.dtype == np.float32
                np.testing.assert_allclose(p_gen, 1 - probabilities[:, UNKNOWN], atol=tolerance)
                probabilities[:, UNKNOWN] = 0
                np.testing.assert_allclose(p_gen[:, None] * output.vocabulary[:, beam], probabilities, atol=tolerance)
                rare = text.attention[:, step] * (source >= 2060)
                expected = rare / rare.sum(1, keepdim=True).clamp(min=1e-9)
                np.testing.assert_allclose(output.attention[:, beam], expected, atol=tolerance)


@pytest.mark.parametrize("lengths", DOCUMENTS, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_graphs_agree_with_torch(convolutional: Exported, lengths: list[int], width: int, tmp_path: Path) -> None:
    assert isinstance(convolutional.network, ConvolutionalNetwork)
    compare(convolutional.network, convolutional.graphs, lengths, width, 1e-4)
    offsets = save_weights(convolutional.network.state_dict(), tmp_path)
    for name in ("encoder.onnx", "step.onnx"):
        shutil.copy(convolutional.graphs / name, tmp_path)
        shrink_onnx(tmp_path / name, offsets)
    compare(convolutional.network, tmp_path, lengths, width, 5e-2)


def test_no_graph_is_fixed_to_the_sizes_it_was_traced_with(convolutional: Exported) -> None:
    inputs = {
        entry.name: [dim.dim_param for dim in entry.type.tensor_type.shape.dim if dim.dim_param]
        for name in ("encoder.onnx", "step.onnx")
        for entry in onnx.load(convolutional.graphs / name).graph.input
    }
    assert inputs["source"] == inputs["keys"] == inputs["values"] == ["documents", "tokens"]
    assert inputs["token"] == inputs["position"] == inputs["recent"] == ["documents", "beams"]
    assert inputs["length"] == ["documents"]


def test_unknown_words_are_the_sources_own_rare_ones(convolutional: Exported) -> None:
    """What `<unk>` may stand for: words that the network can't write; if there are none, nothing."""
    runtime = OnnxConvolutional(convolutional.graphs, 1)
    source = np.array([[5, 2070, 6, 2099, 3000], [5, 7, 6, 9, 11]])
    memory, state = runtime.encode(source, np.array([5, 5]))
    output = runtime.step(np.full((2, 1), START), state, memory)
    assert not output.vocabulary[:, :, UNKNOWN].any()
    assert not output.attention[0, 0, [0, 2]].any()
    assert output.attention[0].sum() == pytest.approx(1.0, abs=1e-5)
    assert not output.attention[1].any()
