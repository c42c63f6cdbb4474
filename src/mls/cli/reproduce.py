"""`mls reproduce`: the paper's experiments on one's own copy of the data."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from mls.cli.evaluate import work_folder
from mls.cli.extras import importing
from mls.cli.files import folder_to_write
from mls.cli.options import workers_of, workers_option
from mls.cli.progress import progress
from mls.cli.train import training_progress
from mls.model import load_model


@click.command()
@click.option("--data", required=True, metavar="DIR", help="A folder with narratives/, essays/ and cnndm/ in it.")
@click.option("--out", required=True, metavar="DIR", help="Where tables and plots are written, such as results/.")
@click.option("--a3", metavar="FOLDER", help="A trained convolutional network; without one the tables lack A3.")
@click.option("--news", default=500, show_default=True, type=click.IntRange(min=1), help="Documents of cnndm/test.")
@workers_option
@click.option("--work", metavar="DIR", envvar="MLS_WORK", help="Where models and scored summaries are kept.")
def reproduce(data: str, out: str, a3: str | None, news: int, workers: int | None, work: str | None) -> None:
    """Redo the paper's experiments: Tables 2 and 3, abstractiveness, ablations.

    For narratives and essays the shipped model is fine-tuned and its head weights are tuned, then
    all methods are scored on the test pairs at five budgets. What is done is kept: a second run
    makes only what changed. The first takes an hour or two on a laptop.

    \b
    mls train DATA/cnndm --network convolutional --out runs/a3  (A3: hours)
    mls export runs/a3 --out a3-model
    mls reproduce --data DATA --out results --a3 a3-model
    """
    with importing("training", "torch", "train"):
        from mls.lab.reproduction import Workshop
        from mls.lab.reproduction import reproduce as redo

    rival = load_model(Path(a3)) if a3 else None
    if rival is None:
        print("note: A3 is left out; give a trained one with --a3 (mls train --network convolutional)", file=sys.stderr)
    command = shlex.join(["mls", *sys.argv[1:]])
    with progress("working") as bar, training_progress(0) as learning:
        folders = Path(data), folder_to_write(out), work_folder(work)
        redo(Workshop(*folders, workers_of(workers), command, _say, bar.show, learning), rival, news)
    print(f"wrote {out}")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
