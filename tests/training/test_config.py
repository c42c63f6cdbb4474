"""Training settings are read strictly, and the presets hold what they promise."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from mls.errors import MlsError
from mls.training.config import (
    ConvolutionalConfig,
    PointerGeneratorConfig,
    TrainingConfig,
    choose_config,
    load_config,
    preset_names,
)

COMPACT = (Path(__file__).parents[2] / "src/mls/training/presets/compact.toml").read_text(encoding="utf-8")
WITHOUT_PHASES = COMPACT[: COMPACT.index("# Lengths")]


@pytest.fixture
def load(tmp_path: Path) -> Any:
    """Load the compact preset after a change to its text."""

    def change(old: str, new: str) -> TrainingConfig:
        assert old in COMPACT
        path = tmp_path / "mine.toml"
        path.write_text(COMPACT.replace(old, new), encoding="utf-8")
        return load_config(str(path))

    return change


def test_a_kind_of_network_has_a_preset_of_its_own() -> None:
    assert choose_config(None, None) == choose_config("pointer-generator", None) == load_config("compact")
    assert choose_config("convolutional", None) == choose_config(None, "convolutional") == load_config("convolutional")
    with pytest.raises(MlsError, match="the preset paper is of a pointer-generator network, --network says conv"):
        choose_config("convolutional", "paper")


def test_settings_that_name_no_kind_are_of_a_pointer_generator() -> None:
    """So were all runs, before there was another kind."""
    assert "kind" not in COMPACT
    assert isinstance(load_config("compact").network, PointerGeneratorConfig)
    assert isinstance(load_config("convolutional").network, ConvolutionalConfig)


def test_the_convolutional_preset_learns_all_places_it_has() -> None:
    config = load_config("convolutional")
    assert isinstance(config.network, ConvolutionalConfig)
    last = config.phases[-1]
    assert (last.source_tokens, last.target_tokens) == (
        config.network.source_positions, config.network.target_positions
    )  # fmt: skip


@pytest.mark.parametrize("name", ["compact", "paper", "convolutional"])
def test_presets_load(name: str) -> None:
    config = load_config(name)
    assert name in preset_names()
    assert config.network.output_vocabulary <= config.network.vocabulary
    assert config.phases[-1].until_examples >= config.max_examples


def test_the_paper_preset_is_the_papers() -> None:
    """Section 2.3 of the MLS paper, on the network of See et al. (2017)."""
    config = load_config("paper")
    network = config.network
    assert (network.vocabulary, network.output_vocabulary) == (80_000, 80_000)
    assert (network.embedding, network.hidden) == (128, 256)
    assert (network.attention, network.attention_width, network.input_feeding) == ("additive", 512, True)
    assert (config.optimizer, config.learning_rate, config.initial_accumulator) == ("adagrad", 0.15, 0.1)
    assert (config.batch, config.clip_norm, network.dropout, network.selector) == (16, 2.0, 0.0, False)
    assert {(phase.source_tokens, phase.target_tokens) for phase in config.phases} == {(400, 100)}
    assert [phase.coverage_weight for phase in config.phases] == [0.0, 1.0]
    assert {config.rate(examples) for examples in (0, 10**6, 10**7)} == {0.15}


def test_a_file_of_the_same_form_is_a_preset(load: Any) -> None:
    assert load("batch = 64", "batch = 8").batch == 8
    assert load("clip_norm = 2.0", "clip_norm = 2").clip_norm == 2.0


def test_phases_follow_one_another(load: Any) -> None:
    config = load_config("compact")
    seen = [config.phase(examples).source_tokens for examples in (0, 59_999, 60_000, 300_000, 10**6, 10**8)]
    assert seen == [100, 100, 200, 300, 400, 400]


def test_the_rate_halves() -> None:
    config = load_config("compact")
    assert config.rate(0) == 1.4e-3
    assert config.rate(250_000) == pytest.approx(7e-4)
    assert config.rate(500_000) == pytest.approx(3.5e-4)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("hidden =", "hiden =", r"mine\.toml: network: unknown key 'hiden'; did you mean 'hidden'\?"),
        ("batch =", "batches =", r"unknown key 'batches'; did you mean 'batch'\?"),
        ("seed = 1", "", "missing 'seed'"),
        ("dropout = 0.1", "", "network: missing 'dropout'"),
        ("batch = 64", 'batch = "64"', r"batch: found '64', expected int"),
        ("batch = 64", "batch = 64.0", r"batch: found 64\.0, expected int"),
        ("batch = 64", "batch = true", r"batch: found True, expected int"),
        ("tied = true", "tied = 1", r"network: tied: found 1, expected bool"),
        ("until_examples = 60_000", "until = 60_000", r"phases: unknown key 'until'"),
        ("batch = 64", "batch = ", "mine.toml is not TOML"),
    ],
)
def test_a_mistake_is_named(load: Any, old: str, new: str, complaint: str) -> None:
    with pytest.raises(MlsError, match=complaint):
        load(old, new)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hidden", "0"), ("dropout", "2.0"), ("dropout", "nan"), ("learning_rate", "-1.0"), ("seed", "-1"),
        ("clip_norm", "0.0"), ("output_vocabulary", "40_000"), ("source_tokens", "0"), ("target_tokens", "0"),
        ("patience", "0"), ("max_examples", "0"), ("average", "1.5"), ("learning_rate", "inf"),
    ],
)  # fmt: skip
def test_a_number_that_no_run_can_use_is_named(tmp_path: Path, name: str, value: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(re.sub(rf"\b{name} = .*", f"{name} = {value}", COMPACT), encoding="utf-8")
    with pytest.raises(MlsError, match=rf"mine\.toml: .*{name}: found .*, expected "):
        load_config(str(path))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('optimizer = "adam"', 'optimizer = "adamw"', "adamw"),
        ('precision = "float32"', 'precision = "half"', "precision: found 'half', expected 'float32' or"),
        ('precision = "float32"', 'precision = "bfloat16"', "pointer-generator network learns in 'float32' alone"),
        ('attention = "multiplicative"', 'attention = "dot"', "dot"),
        ("[network]", '[network]\nkind = "recurrent"', "kind: found 'recurrent', expected 'pointer-generator' or"),
        ("[network]", "[network]\nkind = [1]", r"kind: found \[1\]"),
        ("[network]", '[network]\nkind = "convolutional"', "network: unknown key 'attention'"),
        ("batch = 64", "batch = 0", "batch"),
        ("validate_every = 20_000", "validate_every = 0", "validate_every"),
        (COMPACT, WITHOUT_PHASES, "missing 'phases'"),
        (COMPACT, "phases = 3\n" + WITHOUT_PHASES, "phases"),
        (COMPACT, "phases = []\n" + WITHOUT_PHASES, "phases"),
    ],
    ids=[
        "optimizer",
        "precision",
        "precision of another",
        "attention",
        "kind",
        "kind = [1]",
        "other kind",
        "batch",
        "validate_every",
        "no phases",
        "phases = 3",
        "phases = []",
    ],
)
def test_a_value_no_run_can_use_is_named(load: Any, old: str, new: str, complaint: str) -> None:
    """Better here than hours later, or never: an unknown optimizer must not pass for another."""
    with pytest.raises(MlsError, match=complaint):
        load(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [("kernel = 3", "kernel = 4"), ("kernel = 3", "kernel = 1"), ("encoder_layers = 4", "encoder_layers = 0")],
)
def test_a_convolution_that_can_not_be_made_is_named(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "mine.toml"
    preset = (Path(__file__).parents[2] / "src/mls/training/presets/convolutional.toml").read_text(encoding="utf-8")
    assert old in preset
    path.write_text(preset.replace(old, new), encoding="utf-8")
    with pytest.raises(MlsError, match=new.split()[0]):
        load_config(str(path))


def test_an_unknown_preset_is_named_with_those_there_are() -> None:
    with pytest.raises(MlsError, match=r"no preset or file 'papr'; presets: compact, convolutional, paper"):
        load_config("papr")


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MlsError, match=r"mine\.toml"):
        load_config(str(path))
