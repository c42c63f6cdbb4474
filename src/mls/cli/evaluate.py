"""`mls evaluate`: any methods on any data at any budgets, with intervals."""

from __future__ import annotations

import shlex
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mls.budget import Budget
from mls.cli.files import deliver, folder_to_write, write_whole
from mls.cli.options import recipe_options, workers_of, workers_option
from mls.cli.problems import Problems
from mls.cli.progress import progress
from mls.corpora.records import Fields, Record, read_records, without_duplicates
from mls.errors import MlsError
from mls.recipe import Recipe

if TYPE_CHECKING:
    from mls.evaluation.tables import Table

_SHOWN = ("rouge1", "rouge2", "rougel", "meteor", "fill")


@click.command()
@click.option(
    "--data", required=True, metavar="FILE", help="Pairs with id, document, summary: JSON lines, CSV, Parquet."
)
@click.option("--methods", "-m", default="mls,lead,random,a1,a2", show_default=True, help="The first one is compared.")
@click.option("--budgets", "-b", default="1/32,1/16,1/8,1/4,1/2", show_default=True, help="Budgets, by commas.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many records.")
@click.option("--a3", metavar="FOLDER", help="The model of the method a3, which does not ship.")
@click.option("--summaries", metavar="FILE", help="Score these too: JSON lines with id, summary and, if many, budget.")
@click.option("--metrics", default=",".join(_SHOWN), show_default=True, help="Metrics to print, or all.")
@click.option("--json", "json_file", metavar="FILE", help="Write every figure, score and summary here; - prints them.")
@click.option("--report", metavar="DIR", help="Write tables (Markdown, CSV, LaTeX) and plots into this folder.")
@click.option("--document-field", default="document", show_default=True, help="The name of the document's field.")
@click.option("--summary-field", default="summary", show_default=True, help="The name of the reference's field.")
@click.option("--strict", is_flag=True, help="A bad record is an error instead of being skipped.")
@workers_option
@click.option("--work", metavar="DIR", envvar="MLS_WORK", help="Where scored summaries are kept, to go on from.")
@recipe_options
def evaluate(
    data: str, recipe: Recipe, methods: str, budgets: str, limit: int | None, a3: str | None,
    summaries: str | None, metrics: str,
    json_file: str | None, report: str | None, document_field: str, summary_field: str, strict: bool,
    workers: int | None, work: str | None,
) -> None:  # fmt: skip
    """Score methods on documents whose summaries are known.

    Each figure is a mean over documents with its 95% bootstrap interval. The best of a column is
    marked; the last row compares the first method with its best rival, document by document. A method
    with a summary over its budget is marked too, and is nobody's rival.
    Stop it at any time: the same command goes on where it stopped. The recipe is that of the method mls, and of
    mls-network and mls-greedy but for what they are named after; its model is also that of the method paper.

    \b
    mls evaluate --data test.jsonl
    mls evaluate --data test.jsonl --methods mls,lead --budgets 1/8,1/4 --limit 50
    mls evaluate --data test.jsonl --report results/mine --json scores.json
    mls evaluate --data test.jsonl --methods lead --summaries theirs.jsonl
    mls evaluate --data test.jsonl --recipe mine.toml
    """
    from mls.evaluation.experiment import run_experiment
    from mls.evaluation.foreign import with_foreign
    from mls.evaluation.meteor import REMEDY, wordnet_is_here
    from mls.evaluation.report import as_json, write_report
    from mls.evaluation.tables import tables_of
    from mls.methods import method_settings

    report_folder = folder_to_write(report) if report else None
    wanted = Budget.parse_many(budgets)
    names = dict.fromkeys(name.strip() for name in methods.split(",") if name.strip())
    chosen = [method_settings(name, a3 if name == "a3" else recipe.model, recipe) for name in names]
    shown = _metrics(metrics)
    records = read_pairs(data, limit, strict, Fields(document=document_field, summary=summary_field))
    if not wordnet_is_here():
        print(f"note: METEOR is left out, for WordNet's files were not found: {REMEDY}", file=sys.stderr)
    with progress("scoring") as bar:
        experiment = run_experiment(chosen, records, wanted, work_folder(work), workers_of(workers), bar.show)
    if summaries:
        experiment = with_foreign(experiment, Path(summaries), records)
    command, name = shlex.join(["mls", *sys.argv[1:]]), Path(data).name
    if report_folder:
        write_report(experiment, report_folder, f"Summaries of {name}", command, name)
    if json_file == "-":
        deliver(as_json(experiment, command, name), None)
        return
    if json_file:
        write_whole(json_file, as_json(experiment, command, name) + "\n")
    tables = tables_of(experiment, [one for one in experiment.metrics if not shown or one in shown])
    print_tables(tables, f"{name}: {len(records)} documents, means ± half of the 95% interval")


def _metrics(given: str) -> list[str]:
    from mls.evaluation.metrics import METRICS

    names = [name.strip() for name in given.split(",") if name.strip()]
    if names == ["all"]:
        return []
    for name in names:
        if name not in METRICS:
            raise MlsError(f"there is no metric {name!r}; choose among {', '.join(METRICS)}, or all")
    return names


def read_pairs(data: str, limit: int | None, strict: bool, fields: Fields = Fields()) -> list[Record]:
    """The usable records of a file, each id once; what is wrong with others is said."""
    problems = Problems(strict)
    found = without_duplicates(read_records(data, problems.report, fields), problems.report)
    records = list(islice(found, limit))
    problems.conclude()
    if not records:
        raise MlsError(f"{data} holds no usable pair of document and summary")
    return records


def work_folder(given: str | None) -> Path:
    """Where scored summaries are kept: the user's cache, if no other folder is given."""
    from mls.evaluation.cache import user_cache

    return folder_to_write(given) if given else user_cache() / "evaluation"


def print_tables(tables: list[Table], heading: str) -> None:
    """Tables on the terminal; the best figure of a column is bold there and starred elsewhere."""
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    from mls.evaluation.tables import LEGEND, against_label, has_over, title

    console = Console(width=None if sys.stdout.isatty() else 100, highlight=False)
    console.print(Text(heading))
    for table in tables:
        shown = RichTable(title=title(table), title_justify="left", title_style="bold", box=None, pad_edge=False)
        shown.add_column("")
        for budget in table.budgets:
            shown.add_column(budget, justify="right")
        for method, entries in table.rows.items():
            cells = [Text(one.shown(table.metric), style="bold" if one.is_best else "") for one in entries]
            shown.add_row(method, *cells)
        if table.against:
            shown.add_row(against_label(table), *table.against, style="italic")
        console.print()
        console.print(shown)
    if has_over(tables):
        console.print(Text(f"\n{LEGEND}"))
