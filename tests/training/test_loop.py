"""Training: it learns, the same seed gives the same bits, and no interruption leaves a trace."""

from __future__ import annotations

import csv
import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

if not os.environ.get("CI"):  # there torch must be installed
    pytest.importorskip("torch")

import torch

from mls.errors import MlsError
from mls.prototype.beam import SearchSettings
from mls.training import loop
from mls.training.loop import Report, Trainer
from mls.training.pointer_generator import PointerGenerator
from mls.training.run import TrainingData, export_run, open_data
from tiny import same_weights, toy_data, train_here, training_config, write_config, write_pairs

CONFIG = training_config()
STEPS = 33  # four epochs of 59 examples, each with a last batch that is not full, and a batch


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("training")


@pytest.fixture(scope="module")
def data(home: Path) -> TrainingData:
    return toy_data(home, CONFIG)


@pytest.fixture(scope="module")
def undisturbed(home: Path, data: TrainingData) -> Trainer:
    return train_here(CONFIG, data, home / "undisturbed")


def log(trainer: Trainer) -> list[dict[str, str]]:
    with (trainer.folder / "log.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def assert_same_run(one: Trainer, other: Trainer) -> None:
    assert one.position == other.position
    assert same_weights(one, other)
    assert log(one) == log(other)
    for snapshot in sorted((other.folder / "snapshots").iterdir()):
        assert (one.folder / "snapshots" / snapshot.name).read_bytes() == snapshot.read_bytes()
    assert sorted(p.name for p in one.folder.iterdir()) == sorted(p.name for p in other.folder.iterdir())


class PulledPlug(Exception):  # noqa: N818
    """The power fails."""


def at_step(step: int, act: Callable[[], None]) -> Callable[[Report], None]:
    """Act when so many steps of this process are done."""
    count = 0

    def show(report: Report) -> None:
        nonlocal count
        count += 1
        if count == step:
            act()

    return show


def pull_plug() -> None:
    raise PulledPlug


def test_the_loss_falls(home: Path, data: TrainingData) -> None:
    losses: list[float] = []
    config = replace(CONFIG, network=replace(CONFIG.network, dropout=0.0), max_examples=480, phases=CONFIG.phases[1:])
    trainer = train_here(config, data, home / "learning", show=lambda report: losses.append(report.loss))
    assert sum(losses[-8:]) < 0.7 * sum(losses[:8])
    validation = [float(row["validation_loss"]) for row in log(trainer)]
    assert validation[-1] < 0.8 * validation[0]


def test_the_log_and_the_snapshots_tell_the_learning_curve(undisturbed: Trainer) -> None:
    rows = log(undisturbed)
    assert [int(row["examples"]) // CONFIG.validate_every for row in rows] == [1, 2, 3, 4, 5, 6]
    assert min(float(row["validation_loss"]) for row in rows) == pytest.approx(undisturbed.position.best_loss, abs=1e-4)
    names = [path.name for path in sorted((undisturbed.folder / "snapshots").iterdir())]
    assert names == [f"{int(row['examples']):08d}.safetensors" for row in rows]
    assert undisturbed.position.examples >= 240
    assert undisturbed.position.steps == STEPS


def test_the_same_seed_gives_the_same_bits(home: Path, data: TrainingData, undisturbed: Trainer) -> None:
    assert_same_run(train_here(CONFIG, data, home / "again"), undisturbed)


def test_another_seed_gives_another_run(home: Path, data: TrainingData, undisturbed: Trainer) -> None:
    assert not same_weights(train_here(replace(CONFIG, seed=8), data, home / "seed"), undisturbed)


@pytest.mark.parametrize(
    ("seconds", "plan"), [(-1.0, (2, 4, 1, 3, 5, 2, 4, 3, 6, 2)), (60.0, (2, 9, 1, 3, 7, 2, 8, 6, 7, 5))]
)
def test_ten_interruptions_leave_no_trace(
    home: Path,
    data: TrainingData,
    undisturbed: Trainer,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    plan: tuple[int, ...],
) -> None:
    """With a checkpoint at every step, and with one at validations only."""
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", seconds)
    folder = home / f"interrupted{seconds}"
    for steps in plan:
        with pytest.raises(PulledPlug):
            train_here(CONFIG, data, folder, (folder / "checkpoint.pt").exists(), show=at_step(steps, pull_plug))
    assert_same_run(train_here(CONFIG, data, folder, resume=True), undisturbed)


CHILD = """
import os, signal, sys
from pathlib import Path
import torch
torch.set_num_threads(1)
from mls.training import loop
from tiny import toy_data, train_here, training_config

home, folder, moment, number = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
left = number

def perhaps_die(*_):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

if moment == "saving":  # the new checkpoint is written but not yet in its place
    move = os.replace
    def die_or_move(old, new):
        if str(new).endswith("checkpoint.pt"):
            perhaps_die()
        move(old, new)
    loop.os.replace = die_or_move
show = perhaps_die if moment == "stepping" else lambda report: None
config = training_config()
train_here(config, toy_data(home, config), folder, (folder / "checkpoint.pt").exists(), show=show)
"""


def test_a_killed_run_goes_on_as_if_nothing_had_happened(home: Path, data: TrainingData, undisturbed: Trainer) -> None:
    folder = home / "killed"
    paths = [str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    for moment, number in (("saving", "2"), ("stepping", "9")):
        command = [sys.executable, "-c", CHILD, str(home), str(folder), moment, number]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert (folder / "checkpoint.pt").exists()
        assert (folder / "checkpoint.unfinished").exists() == (moment == "saving")
    assert_same_run(train_here(CONFIG, data, folder, resume=True), undisturbed)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_polite_stop_leaves_a_checkpoint(
    home: Path, data: TrainingData, undisturbed: Trainer, number: signal.Signals
) -> None:
    folder = home / f"stopped-{number.name}"
    before = signal.getsignal(number)
    stopped = train_here(CONFIG, data, folder, show=at_step(3, lambda: os.kill(os.getpid(), number)))
    assert stopped.position.steps == 3
    assert signal.getsignal(number) is before
    assert_same_run(train_here(CONFIG, data, folder, resume=True), undisturbed)


def test_a_run_can_be_given_minutes(home: Path, data: TrainingData, undisturbed: Trainer) -> None:
    folder = home / "minutes"
    for steps in (1, 2):
        assert train_here(CONFIG, data, folder, resume=steps > 1, minutes=1e-6).position.steps == steps
    assert_same_run(train_here(CONFIG, data, folder, resume=True, minutes=60), undisturbed)


def test_no_minutes_is_not_forever(home: Path, data: TrainingData) -> None:
    assert train_here(CONFIG, data, home / "no-minutes", minutes=0.0).position.steps <= 1


def test_a_finished_run_stays_as_it_is(home: Path, data: TrainingData) -> None:
    config = replace(CONFIG, max_examples=16)
    first = train_here(config, data, home / "finished")
    assert_same_weights_and_place(train_here(config, data, home / "finished", resume=True), first)


def assert_same_weights_and_place(one: Trainer, other: Trainer) -> None:
    assert one.position == other.position
    assert same_weights(one, other)


def test_training_stops_when_it_no_longer_helps(home: Path, data: TrainingData) -> None:
    config = replace(CONFIG, learning_rate=0.0, patience=2, max_examples=10_000)
    trainer = train_here(config, data, home / "early")
    assert len(log(trainer)) == 3  # the first is the best, and two are no better
    assert trainer.position.validations_since_best == 2


def test_a_broken_batch_does_not_spoil_the_run(home: Path, data: TrainingData, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = PointerGenerator.loss
    calls = 0

    def broken(*arguments):  # type: ignore[no-untyped-def]
        nonlocal calls
        calls += 1
        loss = whole(*arguments)
        return loss._replace(likelihood=loss.likelihood * float("nan")) if calls == 2 else loss

    monkeypatch.setattr(PointerGenerator, "loss", broken)
    trainer = train_here(replace(CONFIG, max_examples=40), data, home / "broken")
    assert all(bool(torch.isfinite(value).all()) for value in trainer.network.state_dict().values())
    assert trainer.position.steps == 5


@pytest.mark.parametrize("optimizer", ["adam", "adagrad"])
def test_without_an_average_the_weights_themselves_are_validated(
    home: Path, data: TrainingData, optimizer: str
) -> None:
    config = replace(CONFIG, optimizer=optimizer, average=0.0, max_examples=24)
    trainer = train_here(config, data, home / f"plain-{optimizer}")
    for name, value in trainer.network.state_dict().items():
        torch.testing.assert_close(trainer.average[name], value)


def test_resume_needs_a_checkpoint(home: Path, data: TrainingData) -> None:
    with pytest.raises(MlsError, match="holds no checkpoint to resume from; leave out --resume"):
        train_here(CONFIG, data, home / "nowhere", resume=True)


def test_a_run_is_not_overwritten(data: TrainingData, undisturbed: Trainer) -> None:
    before = undisturbed.checkpoint.read_bytes()
    with pytest.raises(MlsError, match="holds a run already; add --resume"):
        train_here(CONFIG, data, undisturbed.folder)
    assert undisturbed.checkpoint.read_bytes() == before


@pytest.mark.parametrize("batch", [4, 16])
def test_a_run_goes_on_with_batches_of_another_size(home: Path, data: TrainingData, batch: int) -> None:
    """It neither begins the epoch anew nor leaves it out; CONFIG's batches hold eight."""
    begun = train_here(replace(CONFIG, max_examples=32), data, home / f"resized-{batch}")
    assert (begun.position.epoch, begun.position.batch) == (0, 4)
    one_more = replace(CONFIG, batch=batch, max_examples=33)
    gone_on = train_here(one_more, data, home / f"resized-{batch}", resume=True)
    assert (gone_on.position.epoch, gone_on.position.batch) == (0, 32 // batch + 1)


def test_a_run_is_not_resumed_with_another_network(home: Path, data: TrainingData) -> None:
    config = replace(CONFIG, max_examples=8)
    train_here(config, data, home / "other-network")
    with pytest.raises(MlsError):
        train_here(replace(config, network=replace(config.network, hidden=10)), data, home / "other-network", True)


def test_a_run_is_not_resumed_with_another_vocabulary(home: Path, data: TrainingData) -> None:
    """Its ids would mean other words: as when --init is left out at --resume, or the data have changed."""
    config = replace(CONFIG, max_examples=8)
    train_here(config, data, home / "other-words")
    turned = replace(
        data.vocabulary,
        types=(*data.vocabulary.types[:4], *reversed(data.vocabulary.types[4:])),
        surfaces=(*data.vocabulary.surfaces[:4], *reversed(data.vocabulary.surfaces[4:])),
    )
    with pytest.raises(MlsError):
        train_here(config, replace(data, vocabulary=turned), home / "other-words", resume=True)


def test_a_damaged_checkpoint_is_named(home: Path, data: TrainingData) -> None:
    config = replace(CONFIG, max_examples=8)
    checkpoint = train_here(config, data, home / "damaged").checkpoint
    checkpoint.write_bytes(checkpoint.read_bytes()[:200])
    with pytest.raises(MlsError, match=r"checkpoint\.pt"):
        train_here(config, data, home / "damaged", resume=True)


@pytest.mark.parametrize("content", [b"", b"not a checkpoint", {"epoch": 3}, [1, 2]])
def test_what_is_no_checkpoint_is_named(home: Path, data: TrainingData, content: object) -> None:
    config = replace(CONFIG, max_examples=8)
    checkpoint = train_here(config, data, home / f"foreign-{content!r}").checkpoint
    if isinstance(content, bytes):
        checkpoint.write_bytes(content)
    else:
        torch.save(content, checkpoint)
    with pytest.raises(MlsError, match=r"checkpoint\.pt is "):
        train_here(config, data, checkpoint.parent, resume=True)


def test_another_optimizer_does_not_take_over(home: Path, data: TrainingData) -> None:
    config = replace(CONFIG, max_examples=8)
    train_here(config, data, home / "adam")
    with pytest.raises(MlsError, match="learns with adam, the preset says adagrad"):
        train_here(replace(config, optimizer="adagrad"), data, home / "adam", resume=True)


def test_an_empty_log_stops_nobody(home: Path, data: TrainingData) -> None:
    config = replace(CONFIG, max_examples=40)
    folder = train_here(config, data, home / "empty-log").folder
    (folder / "log.csv").write_bytes(b"")
    assert len(log(train_here(replace(config, max_examples=80), data, folder, resume=True))) == 1


def test_a_log_is_begun_anew_with_its_run(home: Path, data: TrainingData, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after its first row was logged but before its first checkpoint, a run begins again."""
    config = replace(CONFIG, max_examples=40)
    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "save", lambda self: pull_plug())
        with pytest.raises(PulledPlug):
            train_here(config, data, home / "log")
    assert len(log(train_here(config, data, home / "log"))) == 1


def test_only_one_of_many_processes_touches_the_files_of_a_resumed_run(home: Path, data: TrainingData) -> None:
    """The others read the checkpoint and the vocabulary at the same moment."""
    config = replace(CONFIG, max_examples=40)
    other = train_here(config, data, home / "shared")
    folder = other.folder
    with (folder / "log.csv").open("a") as file:
        file.write("99999,1,1,1,1\n")  # logged after the checkpoint
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    other.resume()
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    vocabulary = (folder / "vocabulary.txt").stat().st_mtime_ns
    resumed = train_here(config, data, folder, resume=True)
    assert [row["examples"] for row in log(resumed)] == ["40"]
    assert (folder / "vocabulary.txt").stat().st_mtime_ns == vocabulary


def test_two_processes_learn_what_one_learns(tmp_path: Path) -> None:
    """The same batches, shared out; the last batch of an epoch holds a single example."""
    config = training_config({"dropout": 0.0}, max_examples=130)
    pairs = write_pairs(tmp_path / "pairs.jsonl", 58)
    preset = write_config(tmp_path / "tiny.toml", config)
    data = open_data(str(pairs), None, config, tmp_path / "cache", None, lambda problem: None)
    assert len(data.training) % config.batch == 1
    alone = train_here(config, data, tmp_path / "alone")
    (tmp_path / "two").mkdir()
    command = [
        *(sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "mls"),
        *("train", str(pairs), "--out", str(tmp_path / "two" / "run"), "--preset", str(preset), "--threads", "1"),
    ]
    done = subprocess.run(command, env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "two" / "run" / "log.csv").open(encoding="utf-8") as file:
        together = list(csv.DictReader(file))
    assert len(together) == 3
    for mine, theirs in zip(log(alone), together, strict=True):
        for column, value in mine.items():
            assert float(theirs[column]) == pytest.approx(float(value), abs=1.01e-4), column


def test_validation_pairs_are_not_trained_on(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.jsonl", 20)
    write_pairs(tmp_path / "val.jsonl", 10, seed=2)
    data = open_data(str(tmp_path), None, CONFIG, tmp_path / "cache", None, lambda problem: None)
    assert (len(data.training), len(data.validation)) == (20, 10)


def test_where_no_validation_is_given_some_pairs_are_held_out(tmp_path: Path) -> None:
    pairs = write_pairs(tmp_path / "pairs.jsonl", 150)
    data = open_data(str(pairs), None, CONFIG, tmp_path / "cache", None, lambda problem: None)
    assert (len(data.training), len(data.validation)) == (147, 3)
    whole = open_data(str(pairs), str(pairs), CONFIG, tmp_path / "cache", None, lambda problem: None)
    held_out, all_of_them = data.validation.corpus, whole.training.corpus
    for index in range(3):
        for mine, theirs in zip(held_out.example(index), all_of_them.example(147 + index), strict=True):
            assert mine.tolist() == theirs.tolist()


def test_too_few_pairs_are_named(tmp_path: Path) -> None:
    for count, found in ((0, "0 usable pairs"), (1, "1 usable pairs")):
        pairs = write_pairs(tmp_path / f"{count}.jsonl", count)
        with pytest.raises(MlsError, match=found):
            open_data(str(pairs), None, CONFIG, tmp_path / "cache", None, lambda problem: None)


def test_a_document_without_words_does_not_stop_training(tmp_path: Path) -> None:
    lines = write_pairs(tmp_path / "pairs.jsonl", 9).read_text(encoding="utf-8")
    (tmp_path / "pairs.jsonl").write_text('{"document": "\\u200b", "summary": "Rain."}\n' + lines, encoding="utf-8")
    config = replace(CONFIG, batch=1, max_examples=12)
    data = open_data(str(tmp_path / "pairs.jsonl"), None, config, tmp_path / "cache", None, lambda problem: None)
    train_here(config, data, tmp_path / "run")


def test_a_full_disk_is_told_and_not_kept_full(home: Path, data: TrainingData, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = train_here(CONFIG, data, home / "full", minutes=1e-6)
    before = trainer.checkpoint.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(MlsError, match=r"checkpoint\.pt can't be written \(No space left on device\)"):
        trainer.save()
    assert trainer.checkpoint.read_bytes() == before
    assert not list(trainer.folder.glob("*.unfinished"))


def test_rows_that_were_cut_off_leave_no_trace(home: Path, data: TrainingData, undisturbed: Trainer) -> None:
    folder = home / "cut"
    train_here(CONFIG, data, folder, minutes=1e-6)
    with (folder / "log.csv").open("ab") as file:
        file.write(b"\xff\xfe,garbage\n\n,,\n12x")
    assert_same_run(train_here(CONFIG, data, folder, resume=True), undisturbed)


@pytest.mark.parametrize(
    "change",
    [
        {"position": {}},
        {"position": {"nose": 1}},
        {"position": []},
        {"network": {"nose": 1}},
        {"network": 3},
        {"average": {}},
        {"optimizer": {}},
        {"optimizer": {"state": 3, "param_groups": 4}},
    ],
)
def test_odd_checkpoints_are_told_in_one_line(
    home: Path, data: TrainingData, undisturbed: Trainer, tmp_path: Path, change: dict[str, object]
) -> None:
    folder = Path(shutil.copytree(undisturbed.folder, tmp_path / "run"))
    torch.save(torch.load(folder / "checkpoint.pt") | change, folder / "checkpoint.pt")
    with pytest.raises(MlsError) as told:
        train_here(CONFIG, data, folder, resume=True)
    assert "\n" not in str(told.value)
    if "optimizer" not in change and change.keys() != {"network"}:
        with pytest.raises(MlsError) as told:
            export_run(folder, tmp_path / "model", SearchSettings(), None)
        assert "\n" not in str(told.value)
