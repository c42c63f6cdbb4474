"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from mls.assembly import resolve
from mls.budget import ACCEPTED
from mls.errors import MlsError
from mls.recipe import FIELDS

Command = TypeVar("Command", bound=Callable[..., Any])

file_argument = click.argument("file", metavar="FILE|-")
budget_option = click.option(
    "--budget", "-b", default="1/4", show_default=True, help=f"How long the summary may be: {ACCEPTED}."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the summary with its whole trace as JSON.")
output_option = click.option(
    "--output", "-o", metavar="FILE", help="Write to this file, whole or not at all, instead of printing."
)
_METAVARS = {"weights": "NAME=NUMBER,...", "sizes": "N,...", "model": "FOLDER"}
_FLAGS = ("headings",)


def recipe_options(command: Command) -> Command:
    """Options for every part of a recipe; the command gets them as one `recipe`."""

    @wraps(command)
    def with_recipe(*given: Any, recipe: str | None, **others: Any) -> Any:
        parts = {name: others.pop(name) for name in FIELDS}
        changes = {name: _PARSED.get(name, str)(value) for name, value in parts.items() if value is not None}
        return command(*given, recipe=resolve(recipe, changes), **others)

    for name, meaning in reversed(FIELDS.items()):
        if name in _FLAGS:
            with_recipe = click.option(f"--{name}/--no-{name}", default=None, help=meaning)(with_recipe)
        else:
            with_recipe = click.option(f"--{name}", metavar=_METAVARS.get(name, "NAME"), help=meaning)(with_recipe)
    meaning = "How summaries are made: default, light (without a network), paper, or a file (.toml, .json)."
    with_recipe = click.option("--recipe", metavar="NAME|FILE", help=meaning)(with_recipe)
    return cast(Command, with_recipe)


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


def _parse_sizes(given: str) -> list[int]:
    try:
        return [int(part) for part in given.split(",")]
    except ValueError as error:
        raise MlsError(f"--sizes: found {given!r}, expected numbers with commas between them, such as 3,2,1") from error


_PARSED: dict[str, Callable[[Any], Any]] = {"weights": _parse_weights, "sizes": _parse_sizes, "headings": bool}
