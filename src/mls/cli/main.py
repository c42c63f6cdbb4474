"""`mls`: the commands put together, with errors in one sentence and exit codes that mean something."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import typer

from mls import __version__
from mls.cli.explain import explain
from mls.cli.levels import levels
from mls.cli.summarize import summarize
from mls.errors import MlsError

COMMANDS: dict[str, Callable[..., None]] = {"summarize": summarize, "explain": explain, "levels": levels}
_OF_THE_ROOT = {"--help", "-h", "--version"}

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
for _name, _command in COMMANDS.items():
    app.command(_name)(_command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mls {__version__}")
        raise typer.Exit()


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Shorten a text to exactly the length you can afford, and see why every sentence is there.

    [bold]mls article.txt[/bold]  is short for  [bold]mls summarize article.txt --budget 1/4[/bold]
    """


def main() -> None:
    """The entry point: a user's mistake is one line on standard error and exit code 2."""
    try:
        app(_with_command(sys.argv[1:]), prog_name="mls")
    except MlsError as error:
        print(f"mls: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader went away, as `head` does; nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def _with_command(arguments: list[str]) -> list[str]:
    """`mls FILE` is `mls summarize FILE`.

    >>> _with_command(["news.txt"]), _with_command(["levels", "news.txt"])
    (['summarize', 'news.txt'], ['levels', 'news.txt'])
    """
    if arguments and arguments[0] not in COMMANDS and arguments[0] not in _OF_THE_ROOT:
        return ["summarize", *arguments]
    return arguments
