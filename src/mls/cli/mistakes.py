"""Mistakes on the command line, told in one line that names what was probably meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from importlib import import_module

import click

from mls.errors import MlsError, meant


class Later(MutableMapping[str, click.Command]):
    """Commands by name, each imported when it is asked for: one that runs has not to wait for the others."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self.modules = modules
        self.known: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self.known:  # a KeyError, where there is no such command
            self.known[name] = getattr(import_module(self.modules[name]), name)
        return self.known[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self.known[name] = command

    def __delitem__(self, name: str) -> None:
        del self.known[name]

    def __contains__(self, name: object) -> bool:
        return name in self.known or name in self.modules

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self.modules, *self.known)))

    def __len__(self) -> int:
        return len({*self.modules, *self.known})


class Commands(click.Group):
    """A group of commands: alone it shows its help, and a name that is none of them gets the nearest."""

    others: Collection[str] = ()  # commands that its help shows last

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ["--help"])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each command with the first sentence of its help, whole; those of `others` by themselves."""
        for title, is_other in (("Commands", False), ("For models, figures and studies of your own", True)):
            names = [name for name in self.commands if (name in self.others) == is_other]
            if names:
                with formatter.section(title):
                    formatter.write_dl([(name, _first_sentence(self.commands[name])) for name in names])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            raise MlsError(f"there is no command {args[0]!r}; {hint(args[0], self.commands) or _see(ctx)}")
        return super().resolve_command(ctx, args)


def _first_sentence(command: click.Command) -> str:
    return " ".join((command.help or "").partition("\n\n")[0].split()).rstrip(".")


def hint(name: str, known: Iterable[str], least: float = 0.5) -> str:
    """A hint at the known name that is nearest, if one is near at all.

    >>> hint("sumarize", ["levels", "summarize"]), hint("xyz", ["levels"])
    ('did you mean summarize?', '')
    """
    nearest = meant(name, known, least)
    return f"did you mean {nearest}?" if nearest else ""


def told(error: click.ClickException, others: Iterable[str] = ()) -> str:
    """What click found wrong, in one line. `others` are options that stand before any command."""
    ctx = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchOption):  # all have dashes in common, so more than half is asked
        known = (
            [name for param in ctx.command.get_params(ctx) for name in param.opts if name[:2] == "--"] if ctx else []
        )
        near = hint(error.option_name, [*known, *others], 0.65) if error.option_name.startswith("--") else ""
        return f"there is no option {error.option_name}; {near or _see(ctx)}"
    message = " ".join(error.format_message().split()).rstrip(".")
    return f"{message[:1].lower()}{message[1:]}; {_see(ctx)}"


def _see(ctx: click.Context | None) -> str:
    return f"see {ctx.command_path if ctx else 'mls'} --help"
