"""`mls batch`: summaries of many documents."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mls.budget import Budget
from mls.cli.duration import Duration
from mls.cli.files import print_bytes
from mls.cli.options import named_values, recipe_options, workers_of, workers_option
from mls.cli.progress import progress
from mls.corpora.documents import LONGEST, Columns, left_out
from mls.errors import MlsError
from mls.recipe import Recipe

if TYPE_CHECKING:
    from mls.batch.engine import Engine
    from mls.batch.job import Job, Outcome

_SHOWN = 5  # files that are left out, by name
_PIECE = 2**20  # bytes printed at once


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("--output", "-o", required=True, metavar="FILE|-",
              help="Where rows go: a .jsonl or a .parquet file, or - to print JSON lines.")  # fmt: skip
@click.option(
    "--budget", "--budgets", "-b", "budgets", default="1/4", show_default=True,
    help="How long summaries may be; several with commas between them.",
)  # fmt: skip
@workers_option
@click.option("--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True, help="Who works.")
@click.option("--address", help="A running Ray cluster, such as auto or 10.0.0.1:6379; a local one if not given.")
@click.option("--text-field", default="document", show_default=True, help="The input's column of texts.")
@click.option("--id-field", default="id", show_default=True, help="The input's column of ids; they may be missing.")
@click.option("--about-field", metavar="NAME", help="The input's column of questions, each asked of its own text.")
@click.option("--columns", metavar="NAME=NEW,...", help="Other names for columns of the output: summary=abstract.")
@click.option("--trace", is_flag=True, help="Add a column with every decision, as --json of mls summarize has them.")
@click.option("--longest", default=LONGEST, show_default=True, type=click.IntRange(min=1), metavar="CHARS",
              help="A longer document becomes an error row.")  # fmt: skip
@click.option("--seconds", default=60.0, show_default=True, type=Duration(0.001),
              help="A document that takes longer becomes an error row.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with a job that was stopped, whatever stopped it.")
@click.option("--fail-on-error", is_flag=True, help="End with exit code 2 if any document failed.")
@recipe_options
def batch(
    inputs: tuple[str, ...], output: str, budgets: str, workers: int | None, engine: str, address: str | None,
    text_field: str, id_field: str, about_field: str | None, columns: str | None, trace: bool, longest: int,
    seconds: float, resume: bool, fail_on_error: bool, recipe: Recipe,
) -> None:  # fmt: skip
    """Summarize many documents: one row for each document and budget, in the order of the input.

    INPUT is JSON lines or CSV (also .gz, .xz, .zst), Parquet, any file that mls summarize reads, a
    folder of these, or - for JSON lines from standard input. A document that fails becomes a row
    with an `error`, and never stops the job; if all fail, FILE stays as it was. A job that is stopped
    goes on with --resume; its output is the same to the byte.

    \b
    mls batch news.jsonl -o short.jsonl --budgets 1/8,1/4,1/2
    mls batch letters/ -o letters.parquet --budget "50 words"
    mls batch big.csv.gz -o out.jsonl --text-field body --id-field key
    mls batch asked.jsonl -o answers.jsonl --about-field question
    zcat news.gz | mls batch - -o out.jsonl
    mls batch news.jsonl -o short.jsonl --resume      after Ctrl-C or worse
    mls batch news.jsonl -o out.jsonl --engine ray --address auto
    """
    from mls.batch.job import Job
    from mls.batch.plan import Plan

    if output == "-" and resume:
        raise MlsError("--resume goes on with a file, and -o - leaves none; name a file")
    wanted = tuple(str(budget) for budget in Budget.parse_many(budgets))
    chosen = _engine(engine, workers, address)
    with _destination(output) as path:
        job = Job(
            sources=inputs,
            output=path,
            recipe=replace(recipe, model=os.path.abspath(recipe.model) if recipe.model else None),
            plan=Plan(wanted, trace, longest, seconds, _names(columns)),
            columns=Columns(id_field, text_field, about_field),
        )
        _tell_left_out(inputs)
        outcome = _outcome(job, chosen, resume)
        if outcome is None:
            print(f"{output} is finished already; leave out --resume to make it anew", file=sys.stderr)
            return
        if output == "-":
            with outcome.rows.open("rb") as rows:
                print_bytes(iter(partial(rows.read, _PIECE), b""))
        _tell(outcome, output, fail_on_error)


@contextmanager
def _destination(output: str) -> Iterator[Path]:
    """The file that rows go to; what is printed at the end waits in a folder that goes away."""
    if output != "-":
        yield Path(os.path.realpath(output))
        return
    with tempfile.TemporaryDirectory() as scratch:
        yield Path(scratch) / "rows.jsonl"


def _outcome(job: Job, engine: Engine, resume: bool) -> Outcome | None:
    try:
        with progress("reading the input", lines=True) as bar:
            return job.run(
                engine, resume, lambda at: bar.show(at.done, at.documents, f"{at.done:,} of {at.documents:,} documents")
            )
    except KeyboardInterrupt:
        if Path(job.output.parent, job.output.name + ".parts").exists():
            print("what is finished is kept: the same command with --resume goes on", file=sys.stderr)
        raise


def _tell_left_out(inputs: Sequence[str]) -> None:
    left = left_out(inputs)
    if left:
        names = ", ".join(str(path) for path in left[:_SHOWN]) + (", ..." if len(left) > _SHOWN else "")
        print(
            f"left out, for mls can't read them: {len(left):,} file{'s' * (len(left) > 1)} ({names})", file=sys.stderr
        )


def _tell(outcome: Outcome, output: str, fail_on_error: bool) -> None:
    """What came of a job; that all documents failed is an error, that some did is one if it is asked for."""
    if outcome.repeated:
        told = f"documents with the id of an earlier one: {outcome.repeated:,}"
        print(f"note: {told}; the column number tells them apart", file=sys.stderr)
    if outcome.failed == outcome.documents:
        raise MlsError(_all_failed(outcome, output))
    failed = f"; {outcome.failed:,} failed, their rows say why in the column error" if outcome.failed else ""
    wrote = "printed" if output == "-" else f"wrote {output}:"
    print(f"{wrote} {outcome.documents:,} documents{failed}", file=sys.stderr)
    if fail_on_error and outcome.failed:
        raise MlsError(f"{outcome.failed:,} documents failed (--fail-on-error); the first: {outcome.reason}")


def _all_failed(outcome: Outcome, output: str) -> str:
    told = f"all {outcome.documents:,} documents failed; the first: {outcome.reason}"
    if output == "-":
        return told
    kept = f"; what came from standard input is kept in {outcome.kept_input}" if outcome.kept_input else ""
    return f"{told}; the rows are in {outcome.rows}, {output} is as it was{kept}"


def _engine(name: str, workers: int | None, address: str | None) -> Engine:
    if name == "ray":
        from mls.batch.ray_engine import RayEngine

        return RayEngine(workers, address)
    from mls.batch.local import LocalEngine

    if address is not None:
        raise MlsError("--address is for --engine ray; leave it out, or add --engine ray")
    return LocalEngine(workers_of(workers))


def _names(columns: str | None) -> dict[str, str]:
    return named_values(columns, "--columns", "NAME=NEW, such as summary=abstract", str) if columns else {}
