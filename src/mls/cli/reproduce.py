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
from mls.errors import unknown
from mls.model import load_model


@click.command()
@click.option(
    "--data", required=True, metavar="DIR", help="A folder with cnndm/, narratives/, essays/ and so on in it."
)
@click.option("--out", required=True, metavar="DIR", help="Where tables and plots are written, such as results/.")
@click.option("--a3", metavar="FOLDER", help="A trained convolutional network; without one the tables lack A3.")
@click.option("--only", metavar="NAME,...", help="Of news, narratives, essays, dialogues and meetings only these.")
@click.option(
    "--documents", default=500, show_default=True, type=click.IntRange(min=1), help="Of each set at most so many."
)
@workers_option
@click.option("--work", metavar="DIR", envvar="MLS_WORK", help="Where models and scored summaries are kept.")
def reproduce(
    data: str, out: str, a3: str | None, only: str | None, documents: int, workers: int | None, work: str | None
) -> None:
    """Redo the paper's experiments: Tables 1 to 3, abstractiveness, ablations.

    On news, narratives, essays, dialogues and meetings all methods are scored at five budgets, among
    them the paper's as the paper trains it: fine-tuned, and with the best weights of a whole grid.
    claims.md says of each of the paper's claims what was found, and claims.csv has every difference
    with its interval. What is done is kept: a run that is stopped goes on, a second one makes only
    what changed. The first takes an hour or two on a laptop.

    \b
    mls train DATA/cnndm --network convolutional --out runs/a3  (A3: hours)
    mls export runs/a3 --out a3-model
    mls reproduce --data DATA --out results --a3 a3-model
    """
    with importing("training", "torch", "train"):
        from mls.lab.reproduction import SETS, Workshop
        from mls.lab.reproduction import reproduce as redo

    names = [name.strip() for name in only.split(",")] if only else []
    for name in names:
        known = [one.name for one in SETS]
        if name not in known:
            raise unknown(f"there is no data set {name!r}", name, known, "Choose among")
    rival = load_model(Path(a3)) if a3 else None
    if rival is None:
        print("note: A3 is left out; give a trained one with --a3 (mls train --network convolutional)", file=sys.stderr)
    command = shlex.join(["mls", *sys.argv[1:]])
    with progress("working") as bar, training_progress(0) as learning:
        folders = Path(data), folder_to_write(out), work_folder(work)
        redo(Workshop(*folders, workers_of(workers), command, _say, bar.show, learning), rival, documents, names)
    print(f"wrote {out}")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
