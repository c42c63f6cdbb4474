"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from mls.budget import ACCEPTED
from mls.errors import MlsError
from mls.summarizer import Summarizer

File = Annotated[str, typer.Argument(metavar="FILE|-", help="A UTF-8 text file, or - for standard input.")]
BudgetOption = Annotated[str, typer.Option("--budget", "-b", help=f"How long the summary may be: {ACCEPTED}.")]
PrototypeOption = Annotated[str, typer.Option("--prototype", help="What drafts the prototype summary: greedy.")]
HeadsOption = Annotated[str, typer.Option("--heads", help="Which heads judge sentences: default or paper.")]
WeightsOption = Annotated[
    str | None,
    typer.Option("--weights", help="Head weights that sum to 1, such as topics=0.2,keywords=0.2,redundancy=0.6."),
]
OutputOption = Annotated[
    str | None, typer.Option("--output", "-o", help="Write to this file, whole or not at all, instead of printing.")
]


def make_summarizer(prototype: str, heads: str, weights: str | None) -> Summarizer:
    return Summarizer(prototype=prototype, heads=heads, weights=_parse_weights(weights) if weights else None)


def _parse_weights(given: str) -> dict[str, float]:
    weights = {}
    for part in given.split(","):
        name, _, value = part.partition("=")
        try:
            weights[name.strip()] = float(value)
        except ValueError as error:
            raise MlsError(f"--weights: found {part!r}, expected NAME=NUMBER, such as topics=0.5") from error
    return weights
