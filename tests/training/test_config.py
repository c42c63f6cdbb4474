"""Training settings are read strictly, and the presets hold what they promise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mls.errors import MlsError
from mls.training.config import TrainingConfig, load_config, preset_names

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
    assert load("batch = 32", "batch = 8").batch == 8
    assert load("clip_norm = 2.0", "clip_norm = 2").clip_norm == 2.0


def test_phases_follow_one_another(load: Any) -> None:
    config = load_config("compact")
    seen = [config.phase(examples).source_tokens for examples in (0, 59_999, 60_000, 300_000, 10**6, 10**8)]
    assert seen == [100, 100, 200, 300, 400, 400]


def test_the_rate_halves() -> None:
    config = load_config("compact")
    assert config.rate(0) == 1e-3
    assert config.rate(250_000) == pytest.approx(5e-4)
    assert config.rate(500_000) == pytest.approx(2.5e-4)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("hidden =", "hiden =", r"mine\.toml: network: unknown key 'hiden'; did you mean 'hidden'\?"),
        ("batch =", "batches =", r"unknown key 'batches'; did you mean 'batch'\?"),
        ("seed = 1", "", "missing 'seed'"),
        ("dropout = 0.1", "", "network: missing 'dropout'"),
        ("batch = 32", 'batch = "32"', r"batch: found '32', expected int"),
        ("batch = 32", "batch = 32.0", r"batch: found 32\.0, expected int"),
        ("batch = 32", "batch = true", r"batch: found True, expected int"),
        ("tied = true", "tied = 1", r"network: tied: found 1, expected bool"),
        ("until_examples = 60_000", "until = 60_000", r"phases: unknown key 'until'"),
        ("batch = 32", "batch = ", "mine.toml is not TOML"),
    ],
)
def test_a_mistake_is_named(load: Any, old: str, new: str, complaint: str) -> None:
    with pytest.raises(MlsError, match=complaint):
        load(old, new)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('optimizer = "adam"', 'optimizer = "adamw"', "adamw"),
        ('attention = "multiplicative"', 'attention = "dot"', "dot"),
        ("batch = 32", "batch = 0", "batch"),
        ("validate_every = 20_000", "validate_every = 0", "validate_every"),
        (COMPACT, WITHOUT_PHASES, "missing 'phases'"),
        (COMPACT, "phases = 3\n" + WITHOUT_PHASES, "phases"),
        (COMPACT, "phases = []\n" + WITHOUT_PHASES, "phases"),
    ],
    ids=["optimizer", "attention", "batch", "validate_every", "no phases", "phases = 3", "phases = []"],
)
def test_a_value_no_run_can_use_is_named(load: Any, old: str, new: str, complaint: str) -> None:
    """Better here than hours later, or never: an unknown optimizer must not pass for another."""
    with pytest.raises(MlsError, match=complaint):
        load(old, new)


def test_an_unknown_preset_is_named_with_those_there_are() -> None:
    with pytest.raises(MlsError, match=r"no preset or file 'papr'; presets: compact, convolutional, paper"):
        load_config("papr")


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MlsError, match=r"mine\.toml"):
        load_config(str(path))
