"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from mls.budget import ACCEPTED
from mls.errors import MlsError
from mls.model import load_model
from mls.summarizer import Summarizer

Command = TypeVar("Command", bound=Callable[..., Any])

file_argument = click.argument("file", metavar="FILE|-")
budget_option = click.option(
    "--budget", "-b", default="1/4", show_default=True, help=f"How long the summary may be: {ACCEPTED}."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the summary with its whole trace as JSON.")
output_option = click.option(
    "--output", "-o", metavar="FILE", help="Write to this file, whole or not at all, instead of printing."
)


def summarizer_options(command: Command) -> Command:
    """Options that decide how a summary is made; the command gets a `summarizer` built from them."""
    for option in (
        click.option(
            "--weights",
            help="Weights of all heads, with sum 1: topics=0,keywords=0,redundancy=0.6,position=0.1,salience=0.3.",
        ),
        click.option(
            "--heads",
            default="default",
            show_default=True,
            help="Heads that judge: default, light (without a network) or paper.",
        ),
        click.option("--model", metavar="FOLDER", help="A model folder; the shipped model if not given."),
        click.option("--prototype", help="What drafts: pg-network (default) or greedy."),
    ):
        command = option(command)
    return command


def make_summarizer(prototype: str | None, heads: str, weights: str | None, model: str | None) -> Summarizer:
    if model is not None and prototype == "greedy":
        raise MlsError("--model brings a pg-network, --prototype greedy uses none: leave one of them out")
    given = _parse_weights(weights) if weights is not None else None
    return Summarizer(prototype or "pg-network", heads, given, load_model(Path(model)) if model is not None else None)


def _parse_weights(given: str) -> dict[str, float]:
    weights = {}
    for part in given.split(","):
        name, _, value = part.partition("=")
        if name.strip() in weights:
            raise MlsError(f"--weights: {name.strip()} is given twice")
        try:
            weights[name.strip()] = float(value)
        except ValueError as error:
            raise MlsError(f"--weights: found {part!r}, expected NAME=NUMBER, such as topics=0.5") from error
    return weights
