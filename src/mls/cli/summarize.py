"""`mls summarize`: a text in, a shorter text out."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mls.cli.files import deliver, read_document
from mls.cli.options import (
    BudgetOption,
    File,
    HeadsOption,
    OutputOption,
    PrototypeOption,
    WeightsOption,
    make_summarizer,
)
from mls.explain.as_json import to_json
from mls.summary import NOTES, Summary


def summarize(
    file: File,
    budget: BudgetOption = "1/4",
    prototype: PrototypeOption = "greedy",
    heads: HeadsOption = "default",
    weights: WeightsOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print the summary with its whole trace as JSON.")] = False,
    output: OutputOption = None,
) -> None:
    """Shorten a text to a budget that is never exceeded.

    [bold]mls summarize news.txt --budget 1/8[/bold]          an eighth of its tokens
    [bold]mls summarize news.txt --budget "280 chars"[/bold]  fits a post
    [bold]cat news.txt | mls summarize - -b 60[/bold]         sixty tokens
    """
    summary = make_summarizer(prototype, heads, weights).summarize(read_document(file), budget)
    if json:
        deliver(to_json(summary), output)
    else:
        say_notes(summary)
        deliver(summary.text, output)


def say_notes(summary: Summary) -> None:
    """Notes go to standard error, so that what is piped is the summary alone."""
    for code in summary.notes:
        print(f"note: {NOTES[code]}", file=sys.stderr)
