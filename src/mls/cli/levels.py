"""`mls levels`: one text at many lengths."""

from __future__ import annotations

import sys

import click

from mls.budget import Budget
from mls.cli.files import deliver, read_document
from mls.cli.options import document_options
from mls.explain.as_json import to_json
from mls.recipe import Recipe
from mls.summarizer import Summarizer
from mls.summary import NOTES, Summary


@click.command()
@document_options(
    click.option(
        "--budgets", "-b", default="1/32,1/16,1/8,1/4,1/2", show_default=True, help="Budgets, with commas between them."
    )
)
def levels(
    file: str, budgets: str, longest: int, recipe: Recipe, pin: list[int], ban: list[int], as_json: bool,
    output: str | None,
) -> None:  # fmt: skip
    """Shorten a text to several lengths at once: it is read only once.

    FILE is a UTF-8 text or Markdown file, or with the extra `files` a web page, PDF, Word or
    reStructuredText document; - reads standard input. --json prints a list with one object per budget.

    \b
    mls levels news.txt --budgets "30 chars,280 chars,1/4"
    """
    wanted = Budget.parse_many(budgets)
    summaries = Summarizer(recipe).levels(read_document(file, longest), wanted, pin=pin, ban=ban)
    if as_json:
        deliver("[" + ",\n".join(to_json(summary) for summary in summaries) + "]", output)
    else:
        for code in dict.fromkeys(code for summary in summaries for code in summary.notes):
            noted = ", ".join(str(summary.budget) for summary in summaries if code in summary.notes)
            print(f"note: {noted}: {NOTES[code]}", file=sys.stderr)
        deliver("\n\n".join(_titled(summary) for summary in summaries), output)


def _titled(summary: Summary) -> str:
    title = f"{summary.budget}: {summary.length} of {summary.limit} {summary.unit}"
    return f"{title}\n{'-' * len(title)}\n{summary.text}"
