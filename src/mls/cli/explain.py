"""`mls explain`: a summary with its reasons."""

from __future__ import annotations

import sys
from shutil import get_terminal_size

import click

from mls.cli.files import deliver, read_document
from mls.cli.options import budget_option, document_options
from mls.errors import MlsError
from mls.explain.as_json import to_dict, to_json
from mls.explain.check import check_reasons
from mls.recipe import Recipe
from mls.summarizer import Summarizer


@click.command()
@document_options(
    budget_option,
    click.option(
        "--html", metavar="FILE|-", help="Write one self-contained HTML file: source and summary side by side."
    ),
    click.option("--check", is_flag=True, help="Drop each head and each chosen sentence in turn: what changes?"),
)
def explain(
    file: str, budget: str, longest: int, recipe: Recipe, pin: list[int], ban: list[int], html: str | None,
    as_json: bool, output: str | None, check: bool,
) -> None:  # fmt: skip
    """Say why every sentence of a summary is there, what was passed over, and where the room went.

    FILE is a UTF-8 text or Markdown file, or with the extra `files` a web page, PDF, Word or
    reStructuredText document; - reads standard input.

    \b
    mls explain news.txt --budget 1/8
    mls explain news.txt --html why.html   source and summary side by side
    mls explain news.txt -o why.txt        the same as without -o, into a file
    mls explain news.txt --check           are the reasons real?
    """
    if html and (as_json or output):
        raise MlsError("--html names its own file and stands without --json and --output; call mls explain twice")
    summarizer = Summarizer(recipe)
    summary = summarizer.summarize(read_document(file, longest), budget, pin=pin, ban=ban)
    checks = check_reasons(summarizer, summary) if check else None
    if as_json:
        deliver(to_json(summary, checks), output)
    elif html:
        from mls.explain.as_html import to_html

        deliver(to_html(to_dict(summary, checks)), html)
        if html != "-":
            print(f"wrote {html}", file=sys.stderr)
    else:
        from mls.explain.as_text import print_explanation, to_text

        if output is None and sys.stdout is not None and sys.stdout.isatty():
            print_explanation(summary, checks)
        else:
            deliver(to_text(summary, checks, get_terminal_size().columns), output)
