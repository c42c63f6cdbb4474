"""Options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from mls.assembly import resolve
from mls.budget import ACCEPTED
from mls.cli.files import LONGEST
from mls.errors import MlsError
from mls.profile import Profile
from mls.recipe import FIELDS, Recipe
from mls.workers import cores

Command = TypeVar("Command", bound=Callable[..., Any])
Value = TypeVar("Value")

file_argument = click.argument("file", metavar="FILE|-")
budget_option = click.option(
    "--budget", "-b", default="1/4", show_default=True, help=f"How long the summary may be: {ACCEPTED}."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the summary with its whole trace as JSON.")
output_option = click.option(
    "--output", "-o", metavar="FILE", help="Write to this file, whole or not at all, instead of printing."
)
workers_option = click.option(
    "--workers", type=click.IntRange(min=1), help="Processes that work; one a core if not given, and no more than that."
)
longest_option = click.option(
    "--longest", default=LONGEST, show_default=True, type=click.IntRange(min=1), metavar="CHARS",
    help="A longer document is an error: each million characters takes about 80 MB and most of a minute.",
)  # fmt: skip


def reader_options(command: Command) -> Command:
    """What a reader decides for one text: a profile, sentences that stay, sentences that never come in.

    They are counted from 1, as `mls explain` counts; the command gets them from 0, and the profile in its recipe.
    """

    @wraps(command)
    def with_reader(*given: Any, recipe: Recipe, profile: str | None, **others: Any) -> Any:
        return command(*given, recipe=Profile.load(profile).onto(recipe) if profile else recipe, **others)

    read = with_reader
    for name, meaning in (("ban", "never comes in"), ("pin", "stays")):
        help = f"A source sentence that {meaning}, by its number in `mls explain`; several with commas between them."
        read = click.option(f"--{name}", multiple=True, callback=_parse_marks, metavar="N,...", help=help)(read)
    help = "What you like to read of and know already, in a file of your own: see `mls profile`."
    return cast(Command, click.option("--profile", metavar="FILE", help=help)(read))


def _parse_marks(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> list[int]:
    return [index for one in given for index in numbers_of_sentences(one, f"--{option.name}")]


def numbers_of_sentences(given: str, where: str) -> list[int]:
    """Numbers of sentences as people write them, counted from 0.

    >>> numbers_of_sentences("3,12", "--pin")
    [2, 11]
    """
    try:
        return [int(part) - 1 for part in given.split(",")]
    except ValueError as error:
        raise MlsError(f"{where}: found {given!r}, expected numbers of sentences, such as 3 or 3,12") from error


_METAVARS = {"weights": "NAME=NUMBER,...", "sizes": "N,...", "model": "FOLDER", "about": "QUESTION"}
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


def document_options(*own: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """What commands that summarize one document have in common, after options of their own."""

    def decorated(command: Command) -> Command:
        shared = (longest_option, recipe_options, reader_options, json_option, output_option)
        for option in reversed((file_argument, *own, *shared)):
            command = option(command)
        return command

    return decorated


def workers_of(asked: int | None) -> int:
    """How many processes to start: as many as are asked for, but no more than there are cores for them."""
    most = cores()
    if asked is not None and asked > most:
        print(f"mls: {asked:,} workers are asked for, and there are {most} cores: {most} work", file=sys.stderr)
    return min(asked or most, most)


def named_values(given: str, option: str, form: str, parse: Callable[[str], Value]) -> dict[str, Value]:
    """What is given to an option as NAME=VALUE with commas between them; `form` shows it, with an example.

    >>> named_values("topics=0.5, position=1", "--weights", "NAME=NUMBER, such as topics=0.5", float)
    {'topics': 0.5, 'position': 1.0}
    """
    values: dict[str, Value] = {}
    for part in given.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name in values:
            raise MlsError(f"{option}: {name} is given twice")
        try:
            if not equals:
                raise ValueError
            values[name] = parse(value)
        except ValueError as error:
            raise MlsError(f"{option}: found {part!r}, expected {form}") from error
    return values


def _parse_weights(given: str) -> dict[str, float]:
    return named_values(given, "--weights", "NAME=NUMBER, such as topics=0.5", float)


def _parse_sizes(given: str) -> list[int]:
    try:
        return [int(part) for part in given.split(",")]
    except ValueError as error:
        raise MlsError(f"--sizes: found {given!r}, expected numbers with commas between them, such as 3,2,1") from error


_PARSED: dict[str, Callable[[Any], Any]] = {"weights": _parse_weights, "sizes": _parse_sizes, "headings": bool}
