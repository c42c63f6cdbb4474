"""`mls train` and `mls export`: from pairs of texts to a model that summarizes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

if not os.environ.get("CI"):  # there torch must be installed
    pytest.importorskip("torch")

import torch
from safetensors.torch import load_file

from mls.training.pointer_generator import PointerGenerator
from tiny import MANY_TYPES, Exported, convolutional_config, exported, training_config, write_config, write_pairs
from tiny import run_mls as run

__all__ = ["exported"]

NEWS = Path(__file__).parent.parent.parent / "examples" / "news.txt"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pairs, a preset and a finished run."""
    home = tmp_path_factory.mktemp("home")
    write_pairs(home / "pairs.jsonl")
    write_config(home / "tiny.toml", training_config(max_examples=48))
    assert run("train", home / "pairs.jsonl", *options(home, "run")) == 0
    return home


def options(home: Path, name: str, preset: str = "tiny.toml") -> list[object]:
    return ["--out", home / name, "--preset", home / preset, "--threads", 1]


def complaint(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What is printed about a mistake: one line on standard error."""
    capsys.readouterr()
    assert run(*arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    last = printed.err.splitlines()[-1]
    assert last.startswith("mls: ")
    assert "Traceback" not in printed.err
    return last


def test_a_run_leaves_its_settings_its_log_and_its_checkpoint(home: Path) -> None:
    found = {path.name for path in (home / "run").iterdir()}
    assert found == {"config.json", "vocabulary.txt", "checkpoint.pt", "log.csv", "snapshots"}
    settings = json.loads((home / "run" / "config.json").read_text(encoding="utf-8"))
    types = (home / "run" / "vocabulary.txt").read_text(encoding="utf-8").splitlines()
    assert settings["network"]["vocabulary"] == len(types) + 4


def test_a_model_summarizes(exported: Exported, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    command = ["summarize", NEWS, "--model", exported.model, "--prototype", "pg-network", "--budget", "1/8"]
    assert run(*command, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["prototype"]["generator"] == "pg-network"
    assert 0 < found["length"] <= found["budget"]["limit"]
    assert run(*command) == 0
    assert capsys.readouterr().out.strip() == found["text"]


def test_a_model_runs_without_torch(exported: Exported) -> None:
    program = "import sys; sys.modules['torch'] = None; from mls.cli.main import main; main()"
    command = ["summarize", str(NEWS), "--model", str(exported.model), "--prototype", "pg-network"]
    done = subprocess.run([sys.executable, "-c", program, *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_a_snapshot_can_be_exported(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    monkeypatch.setattr("mls.training.run.export_model", lambda *arguments: found.append(arguments))
    (snapshot,) = (home / "run" / "snapshots").iterdir()
    assert run("export", home / "run", "--out", home / "first", "--snapshot", int(snapshot.stem)) == 0
    network, vocabulary, config, card, folder = found[0]
    for name, value in load_file(snapshot).items():
        assert torch.equal(network.state_dict()[name], value.float())
    assert config["training"]["examples"] == int(snapshot.stem)
    assert len(vocabulary) == config["network"]["vocabulary"]
    assert config["window"] == 20
    assert f"{int(snapshot.stem)} examples" in card
    assert folder == home / "first"


def test_a_convolutional_model_is_good_for_the_lengths_it_has_come_to(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Places past those were never learned."""
    config = replace(training_config(), network=convolutional_config(dropout=0.1), validate_every=24, max_examples=96)
    write_config(home / "convolutional.toml", config)
    assert (
        run("train", home / "pairs.jsonl", *options(home, "a3", "convolutional.toml"), "--network", "convolutional")
        == 0
    )
    found = []
    monkeypatch.setattr("mls.training.run.export_model", lambda *arguments: found.append(arguments))
    for snapshot in sorted((home / "a3" / "snapshots").iterdir()):
        assert run("export", home / "a3", "--out", home / "none", "--snapshot", int(snapshot.stem)) == 0
    sizes = [
        (int(config["training"]["examples"]), config["window"], config["search"]["longest"])
        for _, _, config, _, _ in found
    ]
    assert [(window, longest) for _, window, longest in sizes] == [
        (12, 5) if examples <= 64 else (20, 8) for examples, _, _ in sizes
    ]
    assert len({window for _, window, _ in sizes}) == 2
    assert "convolutional network" in found[0][3]


def test_a_run_from_before_there_were_kinds_is_exported(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = Path(shutil.copytree(home / "run", tmp_path / "run"))
    config = json.loads((old / "config.json").read_text(encoding="utf-8"))
    assert config["network"].pop("kind") == "pointer-generator"
    (old / "config.json").write_text(json.dumps(config), encoding="utf-8")
    found = []
    monkeypatch.setattr("mls.training.run.export_model", lambda *arguments: found.append(arguments))
    assert run("export", old, "--out", home / "second") == 0
    assert isinstance(found[0][0], PointerGenerator)


def test_train_says_how_it_goes(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (home / "pairs.jsonl").read_text(encoding="utf-8")
    (home / "worse.jsonl").write_text("{\n" * 7 + lines, encoding="utf-8")
    capsys.readouterr()
    assert run("train", home / "worse.jsonl", *options(home, "worse")) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    said = printed.err.splitlines()
    assert sum(line.startswith("skipped ") for line in said) == 5
    assert "7 records skipped in all" in said
    assert "59 examples to train on, 1 to validate" in said
    assert any("validation" in line and "loss" in line for line in said)
    assert said[-1].startswith("stopped after ")


def test_minutes_and_resume(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = home / "pairs.jsonl"
    assert run("train", pairs, *options(home, "slow"), "--minutes", "0.000001") == 0
    assert "stopped after 8 examples; not validated yet" in capsys.readouterr().err
    assert run("train", pairs, *options(home, "slow"), "--resume") == 0
    assert "stopped after 51 examples" in capsys.readouterr().err
    assert (home / "slow" / "log.csv").read_bytes() == (home / "run" / "log.csv").read_bytes()


@pytest.fixture
def other(home: Path, exported: Exported) -> list[object]:
    """Pairs with words of their own, and a finished run on them that began with a model."""
    lines = (home / "pairs.jsonl").read_text(encoding="utf-8").replace("harbour", "fjord")
    (home / "other.jsonl").write_text(lines, encoding="utf-8")
    write_config(home / "many.toml", MANY_TYPES)
    shutil.rmtree(home / "other", ignore_errors=True)
    command = ["train", home / "other.jsonl", *options(home, "other", "many.toml")]
    assert run(*command, "--init", exported.model) == 0
    return command


def test_training_goes_on_from_a_model_with_its_vocabulary(home: Path, exported: Exported, other: list[object]) -> None:
    expected = (exported.model / "vocabulary.txt").read_bytes()
    assert b"fjord" not in expected
    assert (home / "other" / "vocabulary.txt").read_bytes() == expected
    assert run(*other, "--init", exported.model, "--resume") == 0
    assert (home / "other" / "vocabulary.txt").read_bytes() == expected


def test_a_run_that_began_with_a_model_is_not_resumed_without_it(
    home: Path, exported: Exported, other: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    """The same ids would mean other words."""
    assert "vocabulary" in complaint(capsys, *other, "--resume")
    assert (home / "other" / "vocabulary.txt").read_bytes() == (exported.model / "vocabulary.txt").read_bytes()


def test_mistakes_in_training(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = home / "pairs.jsonl"
    assert "add --resume" in complaint(capsys, "train", pairs, *options(home, "run"))
    assert "no checkpoint" in complaint(capsys, "train", pairs, *options(home, "none"), "--resume")
    assert "no file or folder" in complaint(capsys, "train", home / "no.jsonl", *options(home, "none"))
    assert "presets: compact, convolutional, paper" in complaint(
        capsys, "train", pairs, "--out", home / "none", "--preset", "big"
    )
    assert "no model folder" in complaint(capsys, "train", pairs, *options(home, "none"), "--init", home / "none")
    assert "do not fit" in complaint(capsys, "train", pairs, *options(home, "none"), "--init", "shipped")
    network = ("--network", "convolutional")
    assert "--network says convolutional" in complaint(capsys, "train", pairs, *options(home, "none"), *network)
    other = ("--out", home / "none", *network, "--init", "shipped")
    assert "is a pointer-generator network" in complaint(capsys, "train", pairs, *other)


def test_mistakes_in_exporting(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ("--out", home / "nothing")
    assert "is not a training run" in complaint(capsys, "export", home, *out)
    assert "is not a training run" in complaint(capsys, "export", home / "nowhere", *out)
    assert not (home / "nothing").exists()


def test_an_export_replaces_nothing_but_a_model(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Least of all the run itself, which has a config.json too."""
    before = {path: path.stat().st_mtime_ns for path in (home / "run").rglob("*")}
    assert "is no model" in complaint(capsys, "export", home / "run", "--out", home / "run")
    assert {path: path.stat().st_mtime_ns for path in (home / "run").rglob("*")} == before


def test_a_place_that_is_a_file_is_told_before_the_work(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = home / "pairs.jsonl"
    for path in (pairs, pairs / "inside" / "run"):
        told = f"{pairs} is a file"
        assert told in complaint(capsys, "train", pairs, "--out", path)
        assert told in complaint(capsys, "finetune", pairs, "--out", path)
        assert told in complaint(capsys, "tune", pairs, "--out", path)
        assert told in complaint(capsys, "evaluate", "--data", pairs, "--report", path)
        assert told in complaint(capsys, "evaluate", "--data", pairs, "--work", path)
        assert told in complaint(capsys, "export", home / "run", "--out", path)


@pytest.mark.parametrize("option", [("--minutes", "nan"), ("--minutes", "inf"), ("--minutes", -1), ("--threads", 0)])
def test_numbers_that_mean_nothing(home: Path, option: tuple[str, object]) -> None:
    assert run("train", home / "pairs.jsonl", "--out", home / "none", *option) == 2


def test_a_snapshot_that_is_not_there(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for snapshot in ("31", "latest", ""):
        told = complaint(capsys, "export", home / "run", "--out", home / "no", "--snapshot", snapshot)
        assert f"has no snapshot {snapshot!r}; it has " in told


def test_a_damaged_snapshot(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoilt = Path(shutil.copytree(home / "run", tmp_path / "run"))
    (snapshot,) = (spoilt / "snapshots").iterdir()
    snapshot.write_bytes(snapshot.read_bytes()[:100])
    command = ("export", spoilt, "--out", tmp_path / "model", "--snapshot", int(snapshot.stem))
    assert f"{snapshot.name} is damaged" in complaint(capsys, *command)


@pytest.mark.parametrize("damage", ["no checkpoint", "half a checkpoint", "half a config"])
def test_a_damaged_run(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: str) -> None:
    spoilt = Path(shutil.copytree(home / "run", tmp_path / "run"))
    path = spoilt / ("config.json" if "config" in damage else "checkpoint.pt")
    content = path.read_bytes()
    path.unlink()
    if damage.startswith("half"):
        path.write_bytes(content[: len(content) // 2])
    assert path.name in complaint(capsys, "export", spoilt, "--out", tmp_path / "model")
