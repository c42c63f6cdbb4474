"""`mls finetune`: a model for one's own kind of text, from about a hundred pairs."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

import click

from mls.cli.duration import Duration
from mls.cli.extras import importing
from mls.cli.files import folder_to_write
from mls.cli.problems import Problems
from mls.cli.train import training_progress
from mls.errors import MlsError
from mls.model import load_model, shipped_model


@click.command()
@click.argument("data")
@click.option("--out", required=True, metavar="FOLDER", help="The model folder to write.")
@click.option("--model", metavar="FOLDER", help="The model to begin with; the shipped one if not given.")
@click.option("--validation", metavar="FILE", help="Pairs to validate on; else val* beside the data, else 2% of it.")
@click.option("--minutes", type=Duration(), help="Learn for so many minutes in all, reading and validating included.")
@click.option("--threads", type=click.IntRange(min=1), help="Threads; all cores if not given.")
def finetune(
    data: str, out: str, model: str | None, validation: str | None, minutes: float | None, threads: int | None
) -> None:
    """Teach a model one's own kind of text, on a laptop.

    DATA is what `mls train` takes, pairs of `document` and `summary`; about a hundred pairs are
    enough. All weights go on learning until the validation loss stops falling. The work lies in
    FOLDER.run until it is done: the same command goes on where it was stopped.

    \b
    mls finetune train.jsonl --validation val.jsonl --out my-model
    mls tune val.jsonl --model my-model --out my-tuned-model
    mls summarize text.txt --model my-tuned-model
    """
    deadline = math.inf if minutes is None else time.monotonic() + 60 * minutes
    with importing("training", "torch", "train"):
        from mls.training.finetune import MOST_STEPS, SOURCE_TOKENS, settings_for
        from mls.training.finetune import finetune as go_on_training
        from mls.training.run import open_data, use_threads

    if threads:
        use_threads(threads)
    folder = folder_to_write(out)
    if folder.exists():
        raise MlsError(f"{folder} is there already; choose another --out")
    begin = load_model(Path(model)) if model else shipped_model()
    run = folder.with_name(folder.name + ".run")
    problems = Problems()
    settings = settings_for(begin, 1)
    found = open_data(data, validation, settings, run / "cache", begin.vocabulary, problems.report)
    problems.conclude(found.skipped)
    pairs = f"{len(found.training):,} pairs to learn from, {len(found.validation):,} to validate"
    print(f"{pairs}; {SOURCE_TOKENS} tokens of each document, at most {MOST_STEPS:,} steps", file=sys.stderr)
    with training_progress(settings.max_examples) as show:
        result = go_on_training(begin, found, folder, run, deadline, show)
    print(f"validation loss {result.loss_before:.4f} before, {result.best_loss:.4f} after", file=sys.stderr)
    if not result.examples:
        print("nothing was better than the beginning: the weights are as they were", file=sys.stderr)
    print(f"wrote {out}; next: mls tune VALIDATION --model {out} --out TUNED", file=sys.stderr)
