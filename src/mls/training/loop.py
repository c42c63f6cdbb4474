"""The training loop: resumable at any moment, the same for the same seed, on one process or many."""

from __future__ import annotations

import csv
import math
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save as serialize
from torch import Tensor, nn
from torch import distributed as dist
from torch.nn.parallel import DistributedDataParallel

from mls.atomic import replace_file
from mls.configuration import parse
from mls.errors import MlsError
from mls.training.base import Examples, Network
from mls.training.config import Phase, TrainingConfig

CHECKPOINT_SECONDS = 60.0
_VALIDATION_EXAMPLES = 512
_LOGGED = ("examples", "steps", "rate", "training_loss", "validation_loss")  # the columns of log.csv


@dataclass
class Position:
    """How far a run has come; with the seed it decides everything that follows."""

    epoch: int = 0
    batch: int = 0
    steps: int = 0
    examples: int = 0
    best_loss: float = math.inf
    validations_since_best: int = 0


@dataclass(frozen=True)
class Report:
    """What a step tells the progress bar."""

    examples: int
    max_examples: int
    loss: float
    validation_loss: float | None
    rate: float


@dataclass(frozen=True)
class Workers:
    """This process among those that train together."""

    rank: int = 0
    count: int = 1


@contextmanager
def training_workers() -> Iterator[Workers]:
    """Join the other processes if `torchrun` started this one."""
    if "RANK" not in os.environ:
        yield Workers()
        return
    dist.init_process_group("gloo")
    try:
        yield Workers(dist.get_rank(), dist.get_world_size())
        dist.barrier()  # who leaves while another still writes may take it along
    finally:
        dist.destroy_process_group()


class _Objective(nn.Module):
    """Batch in, scalar out: the form in which DistributedDataParallel wants a network."""

    def __init__(self, network: Network, config: TrainingConfig) -> None:
        super().__init__()
        self.network = network
        self.config = config

    def forward(self, batch: Any, share: slice, phase: Phase | None) -> tuple[Tensor, Tensor]:
        with torch.autocast("cpu", torch.bfloat16, enabled=self.config.precision == "bfloat16"):
            return self.network.objective(batch, share, self.config, phase)


class Trainer:
    """One run: its network, its optimizer, its position in the data, its folder."""

    def __init__(
        self, config: TrainingConfig, network: Network, corpus: Examples, validation: Examples, folder: Path
    ) -> None:
        self.config = config
        self.network = network
        self.corpus = corpus
        self.validation = validation
        self.folder = folder
        self.position = Position()
        self.optimizer = _optimizer(config, network)
        self.average = {name: value.detach().clone() for name, value in network.state_dict().items()}
        self.interrupted = False  # by Ctrl-C or a polite kill
        self._loss = math.nan  # of the last step

    def run(self, workers: Workers, deadline: float, show: Callable[[Report], None]) -> None:
        """Train until the deadline, the last example, an early stop or a signal; then leave a checkpoint."""
        loss_of: nn.Module = _Objective(self.network, self.config)
        if workers.count > 1:
            loss_of = DistributedDataParallel(loss_of)
        self.network.train()
        saved = time.monotonic()
        with _stop_requests() as asked_to_stop:
            for examples in self._batches():
                loss = self._step(loss_of, examples, workers)
                validation_loss = self._validate_if_due(len(examples))
                if workers.rank == 0:
                    show(self._report(loss, validation_loss))
                    if validation_loss is not None:
                        self._log(loss, validation_loss)
                        self._snapshot()
                    if validation_loss is not None or time.monotonic() - saved > CHECKPOINT_SECONDS:
                        self.save()
                        saved = time.monotonic()
                self.interrupted = asked_to_stop()
                if _all_agree_to_stop(self.interrupted or time.monotonic() > deadline, workers):
                    break
        if workers.rank == 0:
            self.save()

    def _batches(self) -> Iterator[np.ndarray[Any, np.dtype[np.int64]]]:
        """Batches from the current position on; the position moves past each one when it is done."""
        position, config = self.position, self.config
        while not self.finished:
            order = self.corpus.order(config.batch, config.seed, position.epoch)
            while position.batch < len(order) and not self.finished:
                position.batch += 1
                yield order[position.batch - 1]
            if position.batch >= len(order):
                position.epoch, position.batch = position.epoch + 1, 0

    @property
    def finished(self) -> bool:
        position = self.position
        return position.examples >= self.config.max_examples or position.validations_since_best >= self.config.patience

    def _step(self, loss_of: nn.Module, examples: np.ndarray[Any, np.dtype[np.int64]], workers: Workers) -> float:
        config, position = self.config, self.position
        # Dropout depends on the step alone, so a resumed run repeats an undisturbed one.
        torch.manual_seed(config.seed * 1_000_003 + position.steps * 64 + workers.rank)
        phase = config.phase(position.examples)
        batch = self.corpus.batch(examples, phase, np.random.default_rng([config.seed, position.steps]))
        share = slice(workers.rank, None, workers.count)
        for group in self.optimizer.param_groups:
            group["lr"] = config.rate(position.examples)
        self.optimizer.zero_grad(set_to_none=True)
        loss, likelihood = loss_of(batch, share, phase)
        (loss * workers.count).backward()
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), config.clip_norm)
        if workers.count > 1:
            dist.all_reduce(likelihood)
        if torch.isfinite(norm):  # one broken batch must not spoil the run
            self.optimizer.step()
            self._update_average()
        position.steps += 1
        position.examples += len(examples)
        self._loss = float(likelihood)
        return self._loss

    def _update_average(self) -> None:
        decay = min(self.config.average, (1 + self.position.steps) / (10 + self.position.steps))
        for name, value in self.network.state_dict().items():
            self.average[name].lerp_(value, 1 - decay)

    def _validate_if_due(self, just_seen: int) -> float | None:
        position, every = self.position, self.config.validate_every
        if position.examples // every == (position.examples - just_seen) // every:
            return None
        loss = self.validate()
        if loss < position.best_loss:
            position.best_loss, position.validations_since_best = loss, 0
        else:
            position.validations_since_best += 1
        return loss

    def validate(self) -> float:
        """The mean loss on validation data under the averaged weights."""
        trained = {name: value.clone() for name, value in self.network.state_dict().items()}
        self.network.load_state_dict(self.average)
        self.network.eval()
        last = self.config.phases[-1] if self.config.phases else None
        total = tokens = 0.0
        with torch.no_grad():
            for start in range(0, min(len(self.validation), _VALIDATION_EXAMPLES), self.config.batch):
                examples = np.arange(start, min(start + self.config.batch, len(self.validation)))
                summed, count = self.network.validation(self.validation.batch(examples, last, None))
                total += summed
                tokens += count
        self.network.load_state_dict(trained)
        self.network.train()
        return total / tokens

    def _report(self, loss: float, validation_loss: float | None) -> Report:
        position = self.position
        return Report(
            position.examples, self.config.max_examples, loss, validation_loss, self.config.rate(position.examples)
        )

    def _log(self, loss: float, validation_loss: float) -> None:
        path = self.folder / "log.csv"
        is_new = not path.exists() or not path.stat().st_size
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            if is_new:
                writer.writerow(_LOGGED)
            position = self.position
            rate = self.config.rate(position.examples)
            writer.writerow([position.examples, position.steps, f"{rate:.2e}", f"{loss:.4f}", f"{validation_loss:.4f}"])

    def _snapshot(self) -> None:
        """Keep the averaged weights of this moment: the learning curve, and the best of them to export."""
        file = self._snapshot_file()
        file.parent.mkdir(exist_ok=True)
        half = {name: value.to(torch.float16) for name, value in self.average.items()}
        replace_file(file, lambda opened: opened.write(serialize(half)))

    def conclude(self) -> None:
        """Validate and keep also what was learned since the last validation, if anything was."""
        if self.position.examples and not self._snapshot_file().exists():
            self._log(self._loss, self.validate())
            self._snapshot()

    def _snapshot_file(self) -> Path:
        return self.folder / "snapshots" / f"{self.position.examples:08d}.safetensors"

    @property
    def checkpoint(self) -> Path:
        return self.folder / "checkpoint.pt"

    def save(self) -> None:
        """Replace the checkpoint in one move, so that a kill leaves the old one or the new one.

        Where there is no room for it, none is taken up by what was begun.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = self.checkpoint.with_suffix(".unfinished")  # one name, so that kills don't pile them up
        state = {
            "position": asdict(self.position),
            "batch_size": self.config.batch,
            "optimizer_kind": self.config.optimizer,
            "network": self.network.state_dict(),
            "average": self.average,
            "optimizer": self.optimizer.state_dict(),
        }
        try:
            with unfinished.open("wb") as file:
                torch.save(state, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, self.checkpoint)
        except (OSError, RuntimeError) as error:  # torch has its own word for a full disk
            unfinished.unlink(missing_ok=True)
            reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
            raise MlsError(
                f"{self.checkpoint} can't be written ({reason}); make room, then go on from the last"
            ) from error

    def resume(self) -> None:
        """Go on from the checkpoint.

        A run may go on with batches of another size: it takes up the epoch where it was, by the share of it seen.
        """
        state = read_checkpoint(self.checkpoint)
        kind = state.get("optimizer_kind", self.config.optimizer)
        if kind != self.config.optimizer:
            raise MlsError(f"the run in {self.folder} learns with {kind}, the preset says {self.config.optimizer}")
        self.position = parse(Position, state["position"], str(self.checkpoint))
        self.position.batch = self.position.batch * state.get("batch_size", self.config.batch) // self.config.batch
        try:
            self.network.load_state_dict(state["network"])
        except (RuntimeError, TypeError, AttributeError) as error:
            raise MlsError(f"the run in {self.folder} has another network than the preset, by kind or sizes") from error
        try:
            self.optimizer.load_state_dict(state["optimizer"])
            self.average = {name: state["average"][name] for name in self.average}
        except _DAMAGES as error:
            raise MlsError(f"{self.checkpoint} is damaged: {_first_line(error)}; begin anew") from error

    def take_back_later_rows(self) -> None:
        """Unlog what was logged after the checkpoint was written: it is about to happen again."""
        log = self.folder / "log.csv"
        if log.exists():
            rows = log.read_bytes().splitlines(keepends=True)
            kept = [row for row in rows if _examples_of(row) <= self.position.examples]
            head = [(",".join(_LOGGED) + "\r\n").encode()] if kept else []
            replace_file(log, lambda file: file.write(b"".join(head + kept)))


def _examples_of(row: bytes) -> float:
    """How many examples a row of the log speaks of; one that was cut off or is none speaks of what is yet to come."""
    try:
        return int(row.split(b",")[0])
    except ValueError:
        return math.inf


_TABLES = ("position", "network", "average", "optimizer")


def read_checkpoint(path: Path) -> dict[str, Any]:
    try:
        state = torch.load(path, weights_only=True)
    except (OSError, MemoryError, pickle.UnpicklingError, *_DAMAGES) as error:
        raise MlsError(f"{path} is missing or damaged: {_first_line(error)}") from error
    if not isinstance(state, dict) or not all(isinstance(state.get(name), dict) for name in _TABLES):
        raise MlsError(f"{path} is no checkpoint of mls train")
    return state


# What torch may stumble over in a file that is not what it should be.
_DAMAGES = (RuntimeError, EOFError, LookupError, ValueError, TypeError, AttributeError, AssertionError)


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _optimizer(config: TrainingConfig, network: nn.Module) -> torch.optim.Optimizer:
    if config.optimizer == "adagrad":
        return torch.optim.Adagrad(
            network.parameters(), config.learning_rate, initial_accumulator_value=config.initial_accumulator
        )
    return torch.optim.Adam(network.parameters(), config.learning_rate)


def _all_agree_to_stop(wish: bool, workers: Workers) -> bool:
    if workers.count == 1:
        return wish
    wishes = torch.tensor(float(wish))
    dist.all_reduce(wishes)
    return bool(wishes > 0)


@contextmanager
def _stop_requests() -> Iterator[Callable[[], bool]]:
    """Turn Ctrl-C and a polite kill into a question the loop asks between two steps."""
    asked: list[int] = []
    previous = {
        number: signal.signal(number, lambda caught, _frame: asked.append(caught))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield lambda: bool(asked)
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
