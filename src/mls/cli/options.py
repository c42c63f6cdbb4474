"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

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


@dataclass(frozen=True)
class Choice:
    """How a summary is to be made; can be sent to another process and made there."""

    prototype: str | None
    heads: str
    weights: str | None
    model: str | None  # a folder; None: the shipped model
    wording: str | None  # None: as the heads want it

    def make(self) -> Summarizer:
        if self.model is not None and self.prototype == "greedy":
            raise MlsError("--model brings a pg-network, --prototype greedy uses none: leave one of them out")
        weights = _parse_weights(self.weights) if self.weights is not None else None
        model = load_model(Path(self.model)) if self.model is not None else None
        return Summarizer(self.prototype or "pg-network", self.heads, weights, model, self.wording)


def summarizer_options(command: Command) -> Command:
    """Options that decide how a summary is made; the command gets them as one `choice`."""

    @wraps(command)
    def with_choice(
        *given: Any,
        prototype: str | None,
        heads: str,
        weights: str | None,
        model: str | None,
        wording: str | None,
        **others: Any,
    ) -> Any:
        return command(*given, choice=Choice(prototype, heads, weights, model, wording), **others)

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
        click.option(
            "--wording",
            help="Whose words: source (default; with --heads paper the draft's, unchecked), or network, which is "
            "briefer where room is tight and may be wrong.",
        ),
        click.option("--model", metavar="FOLDER", help="A model folder; the shipped model if not given."),
        click.option("--prototype", help="What drafts: pg-network (default) or greedy."),
    ):
        with_choice = option(with_choice)
    return cast(Command, with_choice)


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
