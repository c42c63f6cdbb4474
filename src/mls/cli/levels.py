"""`mls levels`: one text at many lengths."""

from __future__ import annotations

from typing import Annotated

import typer

from mls.cli.files import deliver, read_document
from mls.cli.options import File, HeadsOption, OutputOption, PrototypeOption, WeightsOption, make_summarizer
from mls.explain.as_json import to_json
from mls.summary import NOTES, Summary


def levels(
    file: File,
    budgets: Annotated[
        str, typer.Option("--budgets", "-b", help="Budgets, with commas between them.")
    ] = "1/32,1/16,1/8,1/4,1/2",
    prototype: PrototypeOption = "greedy",
    heads: HeadsOption = "default",
    weights: WeightsOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print a list with one object per budget.")] = False,
    output: OutputOption = None,
) -> None:
    """Shorten a text to several lengths at once: it is read only once.

    [bold]mls levels news.txt --budgets "30 chars,280 chars,1/4"[/bold]
    """
    wanted = [budget for part in budgets.split(",") if (budget := part.strip())]
    summaries = make_summarizer(prototype, heads, weights).levels(read_document(file), wanted)
    if json:
        deliver("[" + ",\n".join(to_json(summary) for summary in summaries) + "]", output)
    else:
        deliver("\n\n".join(_titled(summary) for summary in summaries), output)


def _titled(summary: Summary) -> str:
    notes = "".join(f" ({NOTES[code]})" for code in summary.notes)
    title = f"{summary.budget}: {summary.length} of {summary.limit} {summary.unit}{notes}"
    return f"{title}\n{'-' * min(len(title), 79)}\n{summary.text}"
