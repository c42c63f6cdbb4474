"""`mls levels`: one text at many lengths."""

from __future__ import annotations

import click

from mls.budget import Budget
from mls.cli.files import deliver, read_document
from mls.cli.options import file_argument, json_option, output_option, reader_options, recipe_options
from mls.errors import MlsError
from mls.explain.as_json import to_json
from mls.recipe import Recipe
from mls.summarizer import Summarizer
from mls.summary import NOTES, Summary


@click.command()
@file_argument
@click.option(
    "--budgets", "-b", default="1/32,1/16,1/8,1/4,1/2", show_default=True, help="Budgets, with commas between them."
)
@recipe_options
@reader_options
@json_option
@output_option
def levels(
    file: str, budgets: str, recipe: Recipe, pin: list[int], ban: list[int], as_json: bool, output: str | None
) -> None:
    """Shorten a text to several lengths at once: it is read only once.

    FILE is a UTF-8 text or Markdown file, or with the extra `files` a web page, PDF or Word
    document; - reads standard input. --json prints a list with one object per budget.

    \b
    mls levels news.txt --budgets "30 chars,280 chars,1/4"
    """
    wanted = parse_budgets(budgets)
    summaries = Summarizer(recipe).levels(read_document(file), wanted, pin=pin, ban=ban)
    if as_json:
        deliver("[" + ",\n".join(to_json(summary) for summary in summaries) + "]", output)
    else:
        deliver("\n\n".join(_titled(summary) for summary in summaries), output)


def parse_budgets(given: str) -> list[Budget]:
    """Budgets with commas between them.

    >>> [str(budget) for budget in parse_budgets("1/8, 25%,")]
    ['1/8', '1/4']
    """
    wanted = [Budget.parse(part.strip()) for part in given.split(",") if part.strip()]
    if not wanted:
        raise MlsError(f"--budgets {given!r} names no budget; write some with commas between them: 1/8,1/4,1/2")
    return wanted


def _titled(summary: Summary) -> str:
    notes = "".join(f" ({NOTES[code]})" for code in summary.notes)
    title = f"{summary.budget}: {summary.length} of {summary.limit} {summary.unit}{notes}"
    return f"{title}\n{'-' * min(len(title), 79)}\n{summary.text}"
