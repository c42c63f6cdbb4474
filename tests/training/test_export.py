"""What onnxruntime computes is what torch computed, whatever the sizes; and a folder is written whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path

import pytest

if not os.environ.get("CI"):  # there torch must be installed
    pytest.importorskip("torch")

import numpy as np
import onnx
import torch

from mls.errors import MlsError
from mls.model import load_model
from mls.prototype.beam import Memory, State, StepNetwork
from mls.prototype.onnx_network import OnnxPointerGenerator
from mls.training import export
from mls.training.export import export_model, export_onnx, start
from mls.training.pointer_generator import DecoderState, PointerGenerator
from mls.training.storage import read_weights, save_weights, shrink_onnx
from mls.vocabulary import START, Vocabulary
from tiny import Exported, exported, made_once, network_of

__all__ = ["exported"]

LENGTHS = [[1], [9, 3, 1], [4, 4], [40, 17, 1, 8, 23]]  # traced with two documents of seven tokens
WIDTHS = [1, 2, 5]  # traced with three beams


@pytest.fixture(scope="module")
def additive(tmp_path_factory: pytest.TempPathFactory) -> tuple[PointerGenerator, Path]:
    """As the preset `paper` has it: additive attention, an output layer of its own, no selector."""
    network = network_of(attention="additive", tied=False, selector=False, embedding=10)
    return network, made_once(tmp_path_factory, "additive", partial(export_onnx, network))


@pytest.fixture(scope="module")
def unfed(tmp_path_factory: pytest.TempPathFactory) -> tuple[PointerGenerator, Path]:
    """A network that is not told at a step what it saw at the last."""
    network = network_of(input_feeding=False)
    return network, made_once(tmp_path_factory, "unfed", partial(export_onnx, network))


@pytest.fixture(params=["additive", "unfed", "multiplicative"])
def graphs(request: pytest.FixtureRequest) -> tuple[PointerGenerator, Path]:
    if request.param in ("additive", "unfed"):
        return request.getfixturevalue(request.param)
    found: Exported = request.getfixturevalue("exported")
    return found.network, found.graphs


def documents(lengths: list[int], vocabulary: int) -> torch.Tensor:
    random = torch.Generator().manual_seed(sum(lengths))
    source = torch.randint(4, vocabulary + 5, (len(lengths), max(lengths)), generator=random)
    return source * (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None])


def encoded(runtime: StepNetwork, source: torch.Tensor) -> tuple[Memory, State]:
    return runtime.encode(source.numpy(), np.full(len(source), 50))


def torch_steps(network: PointerGenerator, source: torch.Tensor, said: torch.Tensor) -> Iterator[dict[str, np.ndarray]]:
    """P_vocab, p_gen and attention of every beam after every word, one beam at a time."""
    K, T = said.shape[1:]
    columns = []
    memory, first = network.encode(source)
    for beam in range(K):
        state: DecoderState = first
        column = []
        for step in range(T):
            decoded = network.decode(said[:, beam, step : step + 1], memory, state)
            state = decoded.state
            probabilities = torch.softmax(network.project(decoded.readout), 2)
            column.append((probabilities[:, 0], decoded.p_gen[:, 0], decoded.attention[:, 0], state.coverage))
        columns.append(column)
    for step in range(T):
        parts = (torch.stack(part, 1).numpy() for part in zip(*(column[step] for column in columns), strict=True))
        yield dict(zip(("vocabulary", "p_gen", "attention", "coverage"), parts, strict=True))


def compare(network: PointerGenerator, folder: Path, lengths: list[int], width: int, tolerance: float) -> None:
    source = documents(lengths, network.config.vocabulary)
    random = torch.Generator().manual_seed(width)
    said = torch.randint(4, network.config.vocabulary + 5, (len(lengths), width, 4), generator=random)
    said[:, :, 0] = START
    runtime = OnnxPointerGenerator(folder, width)
    memory, state = encoded(runtime, source)
    with torch.no_grad():
        expected_memory, _ = network.encode(source)
        real = expected_memory.mask.numpy()
        _, keys = memory.parts
        np.testing.assert_allclose(keys[real], expected_memory.keys.numpy()[real], atol=tolerance)
        selected = torch.sigmoid(network.select(expected_memory)) if network.selector else torch.ones(source.shape)
        np.testing.assert_allclose(memory.selected[real], selected.numpy()[real], atol=tolerance)
        for step, expected in enumerate(torch_steps(network, source, said)):
            output = runtime.step(said[:, :, step].numpy(), state, memory)
            state = output.state
            found = {"coverage": state[-1], **{name: getattr(output, name) for name in list(expected)[:3]}}
            for name, values in expected.items():
                assert found[name].dtype == np.float32
                np.testing.assert_allclose(found[name], values, atol=tolerance, err_msg=name)


def test_no_graph_is_fixed_to_the_sizes_it_was_traced_with(
    additive: tuple[PointerGenerator, Path], exported: Exported
) -> None:
    """One process exports twice here: torch 2.13 remembers how it read an LSTM, and fixes the length the next time."""
    for folder in (additive[1], exported.graphs):
        inputs = {
            entry.name: [dim.dim_param for dim in entry.type.tensor_type.shape.dim]
            for name in ("encoder.onnx", "step.onnx")
            for entry in onnx.load(folder / name).graph.input
        }
        assert inputs["source"] == inputs["mask"] == ["documents", "tokens"]
        assert inputs["coverage"] == ["documents", "beams", "tokens"]
        assert inputs["token"] == ["documents", "beams"]


@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_graphs_agree_with_torch(graphs: tuple[PointerGenerator, Path], lengths: list[int], width: int) -> None:
    compare(*graphs, lengths, width, 1e-4)


@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_shrunk_graphs_nearly_agree(
    graphs: tuple[PointerGenerator, Path], lengths: list[int], width: int, tmp_path: Path
) -> None:
    network, folder = graphs
    offsets = save_weights(network.state_dict(), tmp_path)
    for name in ("encoder.onnx", "step.onnx"):
        shutil.copy(folder / name, tmp_path)
        shrink_onnx(tmp_path / name, offsets)
    compare(network, tmp_path, lengths, width, 2e-2)


def test_shrinking_saves_most_of_the_room(exported: Exported) -> None:
    """A table of embeddings takes a byte a number instead of four."""
    before, after = (folder / "encoder.onnx" for folder in (exported.graphs, exported.model))
    table = exported.network.embedding.weight.numel()
    assert before.stat().st_size - after.stat().st_size > 2 * table


def test_a_folder_holds_every_large_weight_once(exported: Exported) -> None:
    """The graphs point into the file that is trained further."""
    inside = [
        tensor
        for name in ("encoder.onnx", "step.onnx")
        for tensor in onnx.load(exported.model / name, load_external_data=False).graph.initializer
        if tensor.name.startswith("network.") and np.prod(tensor.dims) > 1024
    ]
    assert {onnx.TensorProto.INT8, onnx.TensorProto.FLOAT16, onnx.TensorProto.FLOAT} <= {t.data_type for t in inside}
    assert all(tensor.data_location == onnx.TensorProto.EXTERNAL for tensor in inside)


def test_a_document_means_the_same_alone_and_among_others(graphs: tuple[PointerGenerator, Path]) -> None:
    network, folder = graphs
    runtime = OnnxPointerGenerator(folder, 2)
    source = documents([9, 3, 1], network.config.vocabulary)
    memory, state = encoded(runtime, source)
    tokens = np.full((3, 2), START)
    together = runtime.step(tokens, state, memory)
    for row, length in enumerate((9, 3, 1)):
        alone, its_state = encoded(runtime, source[row : row + 1, :length])
        output = runtime.step(tokens[:1], its_state, alone)
        np.testing.assert_allclose(output.vocabulary[0], together.vocabulary[row], atol=1e-5)
        np.testing.assert_allclose(output.attention[0], together.attention[row, :, :length], atol=1e-5)
        assert not together.attention[row, :, length:].any()


def test_states_have_the_promised_shapes(exported: Exported) -> None:
    runtime = OnnxPointerGenerator(exported.model, 3)
    memory, state = encoded(runtime, documents([5, 2], 30))
    output = runtime.step(np.full((2, 3), START), state, memory)
    assert [part.shape for part in (memory.source, memory.selected, *memory.parts)] == [
        (2, 5), (2, 5), (2, 5, 17), (2, 5, 10)
    ]  # fmt: skip
    for each in (state, output.state):
        assert [part.shape for part in each] == [(2, 3, 12), (2, 3, 12), (2, 3, 17), (2, 3, 5)]
    assert [part.shape for part in (output.vocabulary, output.p_gen, output.attention)] == [
        (2, 3, 2060), (2, 3), (2, 3, 5)
    ]  # fmt: skip


def test_weights_can_be_read_back_and_trained_further(exported: Exported) -> None:
    network = network_of(seed=9, vocabulary=2100, output_vocabulary=2060)
    start(network, read_weights(exported.model))
    for name, value in exported.network.state_dict().items():
        half_a_step = float(value.abs().max()) / 254 if name == "embedding.weight" else 0.0  # it is kept in bytes
        torch.testing.assert_close(network.state_dict()[name], value, atol=1e-3 + half_a_step, rtol=1e-3)
    with pytest.raises(MlsError, match="do not fit the preset"):
        start(network_of(hidden=8), read_weights(exported.model))


def test_a_network_that_writes_fewer_types_takes_the_frequent_ones(exported: Exported) -> None:
    fewer = network_of(seed=9, vocabulary=2100, output_vocabulary=50)
    start(fewer, read_weights(exported.model))
    torch.testing.assert_close(fewer.output_bias, exported.network.output_bias[:50], atol=1e-3, rtol=1e-3)
    with pytest.raises(MlsError, match="do not fit the preset"):
        start(network_of(vocabulary=2100, output_vocabulary=2080), read_weights(exported.model))


def test_damaged_weights_are_named(exported: Exported, tmp_path: Path) -> None:
    with pytest.raises(MlsError, match=r"weights in .* are damaged"):
        read_weights(tmp_path)
    content = (exported.model / "weights.safetensors").read_bytes()
    (tmp_path / "weights.safetensors").write_bytes(content[:100])
    with pytest.raises(MlsError, match=r"weights in .* are damaged"):
        read_weights(tmp_path)


@pytest.fixture
def quick_export(exported: Exported, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Export a folder with graphs that are there already."""

    def copy(_: PointerGenerator, folder: Path) -> None:
        for name in ("encoder.onnx", "step.onnx"):
            shutil.copy(exported.graphs / name, folder)

    def run(folder: Path) -> None:
        vocabulary = Vocabulary.load(exported.model / "vocabulary.txt")
        export_model(exported.network, vocabulary, asdict(load_model(exported.model).config), "# Card\n", folder)

    monkeypatch.setattr(export, "export_onnx", copy)
    return run


def test_a_folder_is_written_whole_or_not_at_all(quick_export, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "new" / "model"
    with monkeypatch.context() as patch:
        patch.setattr(Vocabulary, "save", lambda *_: (_ for _ in ()).throw(OSError("the disk is full")))
        with pytest.raises(OSError, match="the disk is full"):
            quick_export(folder)
    assert list((tmp_path / "new").iterdir()) == []
    quick_export(folder)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["model"]
    assert load_model(folder).config.window == 40
    (folder / "README.md").write_text("mine", encoding="utf-8")
    quick_export(folder)
    assert (folder / "README.md").read_text(encoding="utf-8") == "# Card\n"


def test_a_folder_that_is_no_model_is_not_deleted(quick_export, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Whoever says `--out ~/thesis` keeps the thesis."""
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter-1.txt").write_text("Years of work.", encoding="utf-8")
    with pytest.raises(MlsError, match="thesis"):
        quick_export(tmp_path / "thesis")
    assert (tmp_path / "thesis" / "chapter-1.txt").exists()


def test_a_file_in_the_way_is_named(quick_export, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "model").write_text("a file", encoding="utf-8")
    with pytest.raises(MlsError, match="model"):
        quick_export(tmp_path / "model")
    assert (tmp_path / "model").read_text(encoding="utf-8") == "a file"
