"""A model is a folder: settings, vocabulary, weights, graphs and a card that says what it is.

    config.json          what it is, how it was trained, how it is decoded, the recipe it brings along, and a seal
    vocabulary.txt       the word types it reads, most frequent first
    weights.safetensors  the network's weights
    encoder.onnx, step.onnx   how it is run; they point into that file
    README.md            the model card

Nothing in it is ever unpickled. The seal is a digest of all but the card: a folder that was damaged is an error.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mls.configuration import expect_ranges, parse
from mls.errors import MlsError
from mls.folders import check_seal, digest_of
from mls.prototype.beam import SearchSettings
from mls.prototype.pointer_generator import PointerGeneratorPrototype
from mls.prototype.salience import NetworkSalience
from mls.vocabulary import Vocabulary

if TYPE_CHECKING:
    from mls.prototype.onnx_network import OnnxPointerGenerator

FORMAT = "mls-model"
VERSION = 4
OLDEST_READ = 2  # whose graphs hold their weights themselves
POINTER_GENERATOR, CONVOLUTIONAL, PARSER = "pointer-generator", "convolutional", "parser"
_RANGES = {"window": (1, 100_000), "later_windows": (0, 1000)}
_SEARCH_RANGES = {
    "beams": (1, 1000),
    "shortest": (0, 100_000),
    "longest": (1, 100_000),
    "length_exponent": (-100, 100),
    "selection_floor": (0, 1),
}
FILES = ("vocabulary.txt", "encoder.onnx", "step.onnx", "weights.safetensors", "README.md")


@dataclass(frozen=True)
class ModelConfig:
    """What `config.json` holds."""

    format: str
    version: int
    network: dict[str, Any]  # its kind and its sizes, as the training settings name them
    window: int  # source tokens read at once
    later_windows: float  # how much summaries take from a window after the first, beside what they take from it
    search: SearchSettings
    recipe: dict[str, Any]  # how summaries are made with this model, where it differs from the default
    training: dict[str, Any]  # data, examples seen, validation loss: for people to read
    seal: str = ""  # of all files as they were written; without one, they are taken as they are


@dataclass(frozen=True)
class Model:
    """A model folder that was found in order."""

    folder: Path
    config: ModelConfig

    @property
    def kind(self) -> str:
        """Which network it is; the first models do not say, as there was but one."""
        return str(self.config.network.get("kind", POINTER_GENERATOR))

    @cached_property
    def pointer_generator(self) -> OnnxPointerGenerator:
        """One for all who use it: who reads a window that another has read need not read it again."""
        from mls.prototype.onnx_network import OnnxPointerGenerator

        self.expect(POINTER_GENERATOR)
        return OnnxPointerGenerator(self.folder, self.config.search.beams)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        vocabulary = Vocabulary.load(self.folder / "vocabulary.txt")
        if len(vocabulary) != self._size("vocabulary"):
            raise MlsError(f"the model in {self.folder} is damaged: vocabulary.txt has {len(vocabulary)} types")
        return vocabulary

    def _size(self, name: str) -> int:
        """A size of the network, as its settings have it."""
        found = self.config.network.get(name)
        if type(found) is not int or found < 1:
            where = self.folder / "config.json"
            raise MlsError(f"{where}: network: {name}: found {found!r}, expected a number of at least 1")
        return found

    def prototype(self) -> PointerGeneratorPrototype:
        """The generator that writes prototypes with this model."""
        config = self.config
        return PointerGeneratorPrototype(
            self.pointer_generator, self.vocabulary, config.search, config.window, config.later_windows
        )

    def salience(self) -> NetworkSalience:
        """Which sentences of a document this model expects in a summary."""
        config = self.config
        return NetworkSalience(self.pointer_generator, self.vocabulary, config.window, config.later_windows)

    def digest(self) -> str:
        """A fingerprint of all files but the card."""
        return digest_of(str(self.folder))

    def expect(self, kind: str) -> None:
        """An error for a network of another kind."""
        if self.kind != kind:
            raise MlsError(f"the model in {self.folder} is a {self.kind} network, but a {kind} is needed here")


@cache
def shipped_model() -> Model:
    """The model that lies inside the package."""
    return load_model(Path(str(resources.files("mls"))) / "assets" / "model")


def load_model(folder: Path) -> Model:
    """Open a model folder; what is wrong with it is said in one sentence."""
    path = folder / "config.json"
    if not folder.is_dir():
        raise MlsError(
            f"there is no model folder {folder}; give a folder that mls export, mls finetune or mls tune has written"
        )
    if not path.is_file():
        raise MlsError(f"{folder} is not a model folder: it has no config.json")
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise MlsError(f"{path} is damaged: {error}") from error
    _check_origin(folder, values)
    for name in FILES:
        if not (folder / name).is_file():
            raise MlsError(f"the model in {folder} is damaged: {name} is missing; export it again")
    _check_whole(folder / "weights.safetensors")
    config = parse(ModelConfig, _as_of_now(values), str(path))
    for part, ranges in ((config, _RANGES), (config.search, _SEARCH_RANGES)):
        expect_ranges(part, ranges, str(path))
    check_seal(folder, values)
    return Model(folder, config)


def _as_of_now(values: dict[str, Any]) -> dict[str, Any]:
    """Settings of an older version as this one writes them: up to version 3 they held weights instead of a recipe."""
    values = {"seal": "", **values}
    if values["version"] >= 4 or "heads" not in values:
        return values
    others, heads = dict(values), values["heads"]
    del others["heads"]
    if isinstance(heads, dict):
        heads = {"centrality" if name == "redundancy" else name: weight for name, weight in heads.items()}
    return others | {"recipe": {"weights": heads}}


def is_model(folder: Path) -> bool:
    """Whether a folder holds a model of ours, of whatever version and in whatever state."""
    try:
        values = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(values, dict) and values.get("format") == FORMAT


def _check_origin(folder: Path, values: object) -> None:
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise MlsError(f"{folder} holds a model of another kind (its config.json does not say format: {FORMAT})")
    if not isinstance(values.get("version"), int) or values["version"] > VERSION:
        raise MlsError(
            f"the model in {folder} is of version {values.get('version')}, this program reads up to {VERSION}: "
            "upgrade mls-summarizer"
        )
    if values["version"] < OLDEST_READ:
        raise MlsError(
            f"the model in {folder} is of version {values['version']}, the oldest that is read is {OLDEST_READ}: "
            "export its run again with mls export, or fine-tune again with mls finetune"
        )


def weight_spans(weights: Path) -> dict[str, tuple[int, int]]:
    """Where in a safetensors file each tensor begins and ends, as its head says."""
    with weights.open("rb") as file:
        head = int.from_bytes(file.read(8), "little")
        try:
            entries = json.loads(file.read(min(head, weights.stat().st_size)))
            offsets = {name: entry["data_offsets"] for name, entry in entries.items() if name != "__metadata__"}
            return {name: (8 + head + first, 8 + head + last) for name, (first, last) in offsets.items()}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise MlsError(f"{weights} is damaged: its head cannot be read; export the model again") from error


def _check_whole(weights: Path) -> None:
    """Who reads a graph that points into this file does not look where the file should end."""
    found = weights.stat().st_size
    expected = max((last for _, last in weight_spans(weights).values()), default=found)
    if found != expected:
        raise MlsError(f"{weights} is damaged: it has {found:,} bytes, expected {expected:,}; export the model again")
