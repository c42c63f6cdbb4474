"""`mls explain`: a summary with its reasons."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mls.cli.files import deliver, read_document, write_whole
from mls.cli.options import BudgetOption, File, HeadsOption, PrototypeOption, WeightsOption, make_summarizer
from mls.errors import MlsError
from mls.explain.as_json import to_dict, to_json
from mls.explain.check import check_reasons


def explain(
    file: File,
    budget: BudgetOption = "1/4",
    prototype: PrototypeOption = "greedy",
    heads: HeadsOption = "default",
    weights: WeightsOption = None,
    html: Annotated[str | None, typer.Option("--html", help="Write one self-contained HTML file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the whole trace as one JSON object.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Drop each head and each chosen sentence in turn: what changes?")
    ] = False,
) -> None:
    """Say why every sentence of a summary is there, what was passed over, and where the room went.

    [bold]mls explain news.txt --budget 1/8[/bold]
    [bold]mls explain news.txt --html why.html[/bold]   source and summary side by side
    [bold]mls explain news.txt --check[/bold]           are the reasons real?
    """
    if html and json:
        raise MlsError("--html and --json exclude one another; call mls explain twice")
    summarizer = make_summarizer(prototype, heads, weights)
    summary = summarizer.summarize(read_document(file), budget)
    checks = check_reasons(summarizer, summary) if check else None
    if json:
        deliver(to_json(summary, checks), None)
    elif html:
        from mls.explain.as_html import to_html

        write_whole(html, to_html(to_dict(summary, checks)))
        print(f"wrote {html}", file=sys.stderr)
    else:
        from mls.explain.as_text import print_explanation

        print_explanation(summary, checks)
