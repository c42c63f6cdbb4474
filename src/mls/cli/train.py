"""`mls train` and `mls export`: a network of one's own."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mls.cli.duration import Duration
from mls.cli.extras import importing
from mls.cli.files import folder_to_write
from mls.cli.problems import Problems
from mls.cli.progress import progress
from mls.model import CONVOLUTIONAL, PARSER, POINTER_GENERATOR
from mls.prototype.beam import SearchSettings

if TYPE_CHECKING:
    from mls.training.config import TrainingConfig
    from mls.training.loop import Report
    from mls.training.run import StartingPoint, TrainingData

_SMOOTHING = 0.02


@click.command()
@click.argument("data")
@click.option("--out", required=True, metavar="FOLDER", help="Where the run keeps its checkpoint, log and snapshots.")
@click.option(
    "--network",
    type=click.Choice([POINTER_GENERATOR, CONVOLUTIONAL, PARSER]),
    help="What to train; pointer-generator if --preset does not say otherwise.",
)
@click.option("--preset", help="compact (default), paper, convolutional, or a TOML file of that form.")
@click.option("--validation", metavar="FILE", help="Pairs to validate on; else val* beside the data, else 2% of it.")
@click.option("--resume", is_flag=True, help="Go on with the run in --out.")
@click.option("--init", metavar="MODEL", help="Start from the weights of a model folder, or from 'shipped'.")
@click.option("--minutes", type=Duration(), help="Stop after so many minutes; --resume goes on later.")
@click.option("--threads", type=click.IntRange(min=1), help="Threads of this process; all cores if not given.")
def train(
    data: str,
    out: str,
    network: str | None,
    preset: str | None,
    validation: str | None,
    resume: bool,
    init: str | None,
    minutes: float | None,
    threads: int | None,
) -> None:
    """Train a network on pairs of document and summary.

    DATA is a file or folder of JSON lines with `document` and `summary` (.jsonl, .gz, .xz), a CSV or
    Parquet file, a folder of .story files, or hf:NAME for a Hugging Face data set. Ctrl-C stops and loses nothing. A
    pointer-generator drafts prototypes; the convolutional network is the baseline A3.

    \b
    mls train data/ --out runs/mine --minutes 120
    mls train data/ --out runs/mine --resume
    mls export runs/mine --out my-model
    mls train data/ --out runs/a3 --network convolutional
    torchrun --nproc-per-node 2 -m mls train data/ --out runs/mine  two processes
    """
    with importing("training", "torch", "train"):
        from mls.training.config import choose_config
        from mls.training.loop import training_workers
        from mls.training.run import keep_freed_memory, starting_point, use_threads
        from mls.training.run import train as run_training

    keep_freed_memory()
    if threads:
        use_threads(threads)
    run = folder_to_write(out)
    config = choose_config(network, preset)
    begin = starting_point(init, config.network.kind) if init else None
    problems = Problems()
    with training_workers() as workers:
        found = _open(data, validation, config, run, begin, problems)
        if workers.rank == 0:
            problems.conclude(found.skipped)
            counts = f"{len(found.training):,} examples to train on, {len(found.validation):,} to validate"
            print(counts, file=sys.stderr)
        with training_progress(config.max_examples) as show:
            trainer = run_training(config, found, run, workers, minutes, resume, begin.weights if begin else None, show)
    if workers.rank == 0:
        position = trainer.position
        best = (
            f"best validation loss {position.best_loss:.4f}" if position.best_loss < math.inf else "not validated yet"
        )
        print(f"stopped after {position.examples:,} examples; {best}", file=sys.stderr)


def _open(
    data: str, validation: str | None, config: TrainingConfig, run: Path, begin: StartingPoint | None,
    problems: Problems,
) -> TrainingData:  # fmt: skip
    """What a network of this kind learns from: parsed sentences, or pairs of document and summary."""
    from mls.training.config import ParserConfig
    from mls.training.run import open_data, open_sentences

    cache = run.parent / "cache"
    if isinstance(config.network, ParserConfig):
        return open_sentences(data, validation, config.network, cache, run, begin)
    return open_data(data, validation, config, cache, begin.vocabulary if begin else None, problems.report)


@click.command()
@click.argument("run")
@click.option("--out", required=True, metavar="FOLDER", help="The model folder to write.")
@click.option("--snapshot", metavar="EXAMPLES", help="A snapshot by its number of examples; else the latest weights.")
def export(run: str, out: str, snapshot: str | None) -> None:
    """Turn a training run into a model folder that runs without torch.

    \b
    mls export runs/mine --out my-model
    mls summarize news.txt --model my-model
    """
    with importing("training", "torch", "train"):
        from mls.training.run import export_run
    export_run(Path(run), folder_to_write(out), SearchSettings(), snapshot)
    print(f"wrote {out}", file=sys.stderr)


@contextmanager
def training_progress(total: int) -> Iterator[Callable[[Report], None]]:
    """A bar on a terminal; elsewhere a line a minute. The loss is a running mean: that of a step jumps."""
    mean: float | None = None
    with progress("starting", lines=True, bar=os.environ.get("RANK", "0") == "0") as bar:

        def show(report: Report) -> None:
            nonlocal mean
            mean = report.loss if mean is None else mean + _SMOOTHING * (report.loss - mean)
            bar.show(report.examples, total, f"{report.examples:,} examples, loss {mean:.3f}")
            if report.validation_loss is not None:
                bar.say(f"{report.examples:,} examples: validation loss {report.validation_loss:.4f}")

        yield show
