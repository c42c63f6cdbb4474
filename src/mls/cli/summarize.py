"""`mls summarize`: a text in, a shorter text out."""

from __future__ import annotations

import sys

import click

from mls.cli.files import deliver, read_document
from mls.cli.options import budget_option, document_options
from mls.explain.as_json import to_json
from mls.recipe import Recipe
from mls.summarizer import Summarizer
from mls.summary import NOTES, Summary


@click.command()
@document_options(budget_option)
def summarize(
    file: str, budget: str, longest: int, recipe: Recipe, pin: list[int], ban: list[int], as_json: bool,
    output: str | None,
) -> None:  # fmt: skip
    """Shorten a text to a budget that is never exceeded.

    FILE is a UTF-8 text or Markdown file, or with the extra `files` a web page, PDF, Word or
    reStructuredText document; - reads standard input.

    \b
    mls summarize news.txt --budget 1/8          an eighth of its tokens
    mls summarize news.txt --budget "280 chars"  fits a post
    cat news.txt | mls summarize - -b 60         sixty tokens
    """
    summary = Summarizer(recipe).summarize(read_document(file, longest), budget, pin=pin, ban=ban)
    if as_json:
        deliver(to_json(summary), output)
    else:
        say_notes(summary)
        deliver(summary.text, output)


def say_notes(summary: Summary) -> None:
    """Notes go to standard error, so that what is piped is the summary alone."""
    for code in summary.notes:
        print(f"note: {NOTES[code]}{_what_it_needs(summary) if code == 'keyphrase' else ''}", file=sys.stderr)


def _what_it_needs(summary: Summary) -> str:
    """The least budget at which a sentence would fit, if none does: those that do say too little."""
    measure = summary.budget.measure
    shortest = min(measure.length(sentence.text) for sentence in summary.document.speaking)
    return f"; the shortest sentence needs {shortest} {measure.unit}" if shortest > summary.limit else ""
