"""`mls`: the commands put together, with errors in one sentence and exit codes that mean something."""

from __future__ import annotations

import os
import sys

import click

from mls import __version__
from mls.cli.mistakes import Commands, Later, hint, told
from mls.errors import MlsError

_OF_THE_ROOT = ("--help", "-h", "--version")
_COMMANDS = """
    summarize explain levels forms profile batch serve evaluate train export finetune tune reproduce study
""".split()
_MODULES = {name: f"mls.cli.{name}" for name in _COMMANDS} | {"export": "mls.cli.train"}


@click.group(cls=Commands, commands=Later(_MODULES), context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mls", message="%(prog)s %(version)s")
def app() -> None:
    """Shorten a text to exactly the length you can afford, and see why every sentence is there.

    \b
    mls article.txt     is short for  mls summarize article.txt --budget 1/4
    mls COMMAND --help  explains a command, with examples
    """


app.others = frozenset("evaluate train export finetune tune reproduce study".split())


def main() -> None:
    """The entry point: a user's mistake is one line on standard error and exit code 2."""
    try:
        arguments = _with_command(sys.argv[1:])
        app.commands.get("".join(arguments[:1]))  # loaded before click would answer Ctrl-C with an empty line
        sys.exit(app.main(arguments, prog_name="mls", standalone_mode=False))
    except click.ClickException as error:
        print(f"mls: {told(error, _OF_THE_ROOT)}", file=sys.stderr)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        print("mls: interrupted", file=sys.stderr)
        sys.exit(130)
    except MlsError as error:
        line = str(error).replace("\n", " ")
        print(f"mls: {line}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader went away, as `head` does; nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except (MemoryError, RuntimeError) as error:
        if not _is_want_of_memory(error):
            raise
        print("mls: there is not enough memory for this; give a shorter text, or fewer --workers", file=sys.stderr)
        sys.exit(2)
    except OSError as error:  # a file that is a folder, a full disk
        print(f"mls: {f'{error.filename}: ' if error.filename else ''}{error.strerror or error}", file=sys.stderr)
        sys.exit(2)


def _is_want_of_memory(error: BaseException) -> bool:
    """Libraries have names of their own for it.

    >>> _is_want_of_memory(RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate ..."))
    True
    """
    return isinstance(error, MemoryError) or "allocate memory" in str(error) or "bad_alloc" in str(error)


def _with_command(arguments: list[str]) -> list[str]:
    """`mls FILE` is `mls summarize FILE`.

    >>> _with_command(["news.txt"]), _with_command(["levels", "news.txt"])
    (['summarize', 'news.txt'], ['levels', 'news.txt'])
    """
    if not arguments or arguments[0] in app.commands or arguments[0] in _OF_THE_ROOT:
        return arguments
    near = hint(arguments[0], app.commands, least=0.7)
    if near and not os.path.exists(arguments[0]):
        raise MlsError(f"there is no command and no file {arguments[0]!r}; {near}")
    return ["summarize", *arguments]
