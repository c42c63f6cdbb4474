"""`mls explain`: a summary with its reasons."""

from __future__ import annotations

import sys

import click

from mls.cli.files import deliver, read_document, write_whole
from mls.cli.options import budget_option, file_argument, json_option, reader_options, recipe_options
from mls.errors import MlsError
from mls.explain.as_json import to_dict, to_json
from mls.explain.check import check_reasons
from mls.recipe import Recipe
from mls.summarizer import Summarizer


@click.command()
@file_argument
@budget_option
@recipe_options
@reader_options
@click.option("--html", metavar="FILE", help="Write one self-contained HTML file: source and summary side by side.")
@json_option
@click.option("--check", is_flag=True, help="Drop each head and each chosen sentence in turn: what changes?")
def explain(
    file: str, budget: str, recipe: Recipe, pin: list[int], ban: list[int], html: str | None, as_json: bool, check: bool
) -> None:
    """Say why every sentence of a summary is there, what was passed over, and where the room went.

    FILE is a UTF-8 text or Markdown file, or with the extra `files` a web page, PDF or Word
    document; - reads standard input.

    \b
    mls explain news.txt --budget 1/8
    mls explain news.txt --html why.html   source and summary side by side
    mls explain news.txt --check           are the reasons real?
    """
    if html and as_json:
        raise MlsError("--html and --json exclude one another; call mls explain twice")
    summarizer = Summarizer(recipe)
    summary = summarizer.summarize(read_document(file), budget, pin=pin, ban=ban)
    checks = check_reasons(summarizer, summary) if check else None
    if as_json:
        deliver(to_json(summary, checks), None)
    elif html:
        from mls.explain.as_html import to_html

        write_whole(html, to_html(to_dict(summary, checks)))
        print(f"wrote {html}", file=sys.stderr)
    else:
        from mls.explain.as_text import print_explanation

        print_explanation(summary, checks)
