"""Settings of networks and training, read from TOML files that a user can copy and change."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from mls.configuration import expect_ranges, parse, parse_kind
from mls.errors import MlsError
from mls.model import CONVOLUTIONAL, PARSER, POINTER_GENERATOR


@dataclass(frozen=True)
class PointerGeneratorConfig:
    """The sizes of a PG-Network."""

    vocabulary: int  # word types it reads
    output_vocabulary: int  # word types it can write without copying them
    embedding: int
    hidden: int  # of each direction of the encoder, and of the decoder
    attention: str  # "additive" (See et al.) or "multiplicative" (faster)
    attention_width: int
    input_feeding: bool  # the decoder reads the context vector of the step before
    tied: bool  # the output layer shares the embeddings
    selector: bool  # a second output that learns which source tokens summaries take up
    dropout: float
    kind: str = POINTER_GENERATOR

    @property
    def mistake(self) -> str | None:
        """What no network can be made of, if there is such a thing."""
        if self.attention not in ("additive", "multiplicative"):
            return f"attention: found {self.attention!r}, expected 'additive' or 'multiplicative'"
        return None


@dataclass(frozen=True)
class ConvolutionalConfig:
    """The sizes of a length-controlled convolutional network."""

    vocabulary: int  # word types it reads
    output_vocabulary: int  # word types it can write
    embedding: int
    hidden: int  # channels of every layer
    encoder_layers: int
    decoder_layers: int
    kernel: int  # tokens that a layer looks at
    source_positions: int  # positions in the source that are told apart; what comes later shares the last
    target_positions: int  # and positions in the summary
    dropout: float
    kind: str = CONVOLUTIONAL

    @property
    def mistake(self) -> str | None:
        """What no network can be made of, if there is such a thing."""
        if self.kernel < 3 or self.kernel % 2 == 0:
            return f"kernel: found {self.kernel}, expected an odd number of at least 3"
        return None


@dataclass(frozen=True)
class ParserConfig:
    """The sizes of a sentence parser."""

    vocabulary: int  # word types it knows
    embedding: int
    prefixes: int  # beginnings of words that are told apart, by their hash
    prefix_width: int
    suffixes: int  # and ends of words
    suffix_width: int
    shape_width: int
    hidden: int  # of each direction
    layers: int
    arc_width: int
    relation_width: int
    tags: int  # names of each kind, counted in the data
    relations: int
    entities: int
    dropout: float
    word_dropout: float  # share of words that are hidden while training, so that their letters count
    kind: str = PARSER

    @property
    def mistake(self) -> str | None:
        return None


NetworkConfig = PointerGeneratorConfig | ConvolutionalConfig | ParserConfig
_POSITIVE = (1, math.inf)
_NETWORK_RANGES = {
    **dict.fromkeys(("vocabulary", "output_vocabulary", "embedding", "hidden", "attention_width"), _POSITIVE),
    **dict.fromkeys(("encoder_layers", "decoder_layers", "source_positions", "target_positions"), _POSITIVE),
    **dict.fromkeys(("prefix_width", "suffix_width", "shape_width"), _POSITIVE),
    **dict.fromkeys(("layers", "arc_width", "relation_width"), _POSITIVE),
    **dict.fromkeys(("prefixes", "suffixes"), (2, 2**16 - 1)),
    "dropout": (0, 0.99),
    "word_dropout": (0, 0.99),
}
_PHASE_RANGES = {"source_tokens": _POSITIVE, "target_tokens": _POSITIVE, "coverage_weight": (0, 1e6)}
_TRAINING_RANGES = {
    **dict.fromkeys(("batch", "validate_every", "max_examples", "patience"), _POSITIVE),
    "learning_rate": (1e-12, 1e3),
    "half_life_examples": (0, math.inf),
    "initial_accumulator": (0, 1e6),
    "clip_norm": (1e-12, 1e12),
    "selector_weight": (0, 1e6),
    "average": (0, 1),
    "seed": (0, 2**31),
}
DEFAULT_PRESETS = {POINTER_GENERATOR: "compact", CONVOLUTIONAL: "convolutional", PARSER: "parser"}


@dataclass(frozen=True)
class Phase:
    """A stretch of training; the last one goes on for as long as training does."""

    until_examples: int
    source_tokens: int
    target_tokens: int
    coverage_weight: float


@dataclass(frozen=True)
class TrainingConfig:
    """How a network is trained."""

    network: NetworkConfig
    phases: tuple[Phase, ...]
    optimizer: str  # "adam" or "adagrad"
    learning_rate: float
    half_life_examples: int  # after so many examples the learning rate is half; 0: constant
    initial_accumulator: float  # of Adagrad
    batch: int
    clip_norm: float
    selector_weight: float
    average: float  # decay of the running average of the weights that is validated and exported; 0: none
    max_examples: int
    validate_every: int  # examples between validations
    patience: int  # validations without improvement before training stops
    seed: int
    precision: str = "float32"  # of the matrix products while training; "bfloat16" is faster where the CPU has it

    def phase(self, examples: int) -> Phase | None:
        """Where training is by now; a parser has but one phase, and it has no name."""
        if not self.phases:
            return None
        for phase in self.phases:
            if examples < phase.until_examples:
                return phase
        return self.phases[-1]

    def rate(self, examples: int) -> float:
        if not self.half_life_examples:
            return self.learning_rate
        return float(self.learning_rate * 0.5 ** (examples / self.half_life_examples))


def network_config(values: dict[str, Any], where: str) -> NetworkConfig:
    """The sizes of a network from plain values, as a model folder holds them."""
    found: NetworkConfig = parse_kind((PointerGeneratorConfig, ConvolutionalConfig, ParserConfig), values, where)
    return found


def choose_config(kind: str | None, preset: str | None) -> TrainingConfig:
    """The settings for a kind of network, from a preset, or from the kind's own where none is named."""
    config = load_config(preset or DEFAULT_PRESETS[kind or POINTER_GENERATOR])
    if kind and config.network.kind != kind:
        raise MlsError(f"the preset {preset} is of a {config.network.kind} network, --network says {kind}")
    return config


def load_config(name_or_path: str) -> TrainingConfig:
    """A preset by its name, or a TOML file of the same form."""
    preset = resources.files("mls.training") / "presets" / f"{name_or_path}.toml"
    path = Path(name_or_path)
    if preset.is_file():
        text = preset.read_text(encoding="utf-8")
    elif path.is_file():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise MlsError(f"{name_or_path} is not TOML: {error}") from error
    else:
        raise MlsError(f"there is no preset or file {name_or_path!r}; presets: {', '.join(preset_names())}")
    try:
        return _checked(parse(TrainingConfig, tomllib.loads(text), name_or_path), name_or_path)
    except tomllib.TOMLDecodeError as error:
        raise MlsError(f"{name_or_path} is not TOML: {error}") from error


def _checked(config: TrainingConfig, where: str) -> TrainingConfig:
    """The settings, if a run can be made with them."""
    if config.optimizer not in ("adam", "adagrad"):
        raise MlsError(f"{where}: optimizer: found {config.optimizer!r}, expected 'adam' or 'adagrad'")
    if config.precision not in ("float32", "bfloat16"):
        raise MlsError(f"{where}: precision: found {config.precision!r}, expected 'float32' or 'bfloat16'")
    if config.precision == "bfloat16" and config.network.kind != CONVOLUTIONAL:
        raise MlsError(f"{where}: precision: a {config.network.kind} network learns in 'float32' alone")
    if not config.phases and config.network.kind != PARSER:
        raise MlsError(f"{where}: phases: found none, expected at least one [[phases]]")
    network = config.network
    expect_ranges(config, _TRAINING_RANGES, where)
    expect_ranges(
        network, {n: range_ for n, range_ in _NETWORK_RANGES.items() if hasattr(network, n)}, f"{where}: network"
    )
    for phase in config.phases:
        expect_ranges(phase, _PHASE_RANGES, f"{where}: phases")
    if network.mistake:
        raise MlsError(f"{where}: network: {network.mistake}")
    if not isinstance(network, ParserConfig) and network.output_vocabulary > network.vocabulary:
        raise MlsError(
            f"{where}: network: output_vocabulary: found {network.output_vocabulary}, expected at most the vocabulary, "
            f"{network.vocabulary}"
        )
    return config


def preset_names() -> list[str]:
    folder = resources.files("mls.training") / "presets"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))
