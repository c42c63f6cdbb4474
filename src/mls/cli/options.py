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
        click.option("--weights", help="Head weights that sum to 1: topics=0.2,keywords=0.2,redundancy=0.6."),
        click.option("--heads", default="default", show_default=True, help="Heads that judge: default or paper."),
        click.option("--model", metavar="FOLDER", help="A model folder; the shipped model if not given."),
        click.option("--prototype", default="greedy", show_default=True, help="What drafts: greedy or pg-network."),
    ):
        command = option(command)
    return command


def make_summarizer(prototype: str, heads: str, weights: str | None, model: str | None) -> Summarizer:
    given = _parse_weights(weights) if weights else None
    return Summarizer(prototype, heads, given, load_model(Path(model)) if model else None)


def _parse_weights(given: str) -> dict[str, float]:
    weights = {}
    for part in given.split(","):
        name, _, value = part.partition("=")
        try:
            weights[name.strip()] = float(value)
        except ValueError as error:
            raise MlsError(f"--weights: found {part!r}, expected NAME=NUMBER, such as topics=0.5") from error
    return weights
