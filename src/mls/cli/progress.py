"""Progress of long work: a bar on a terminal; elsewhere silence, or a line a minute."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

_SECONDS_BETWEEN_LINES = 60.0


class Bar(Protocol):
    """What is told of the work."""

    def show(self, done: int, total: int, words: str = "") -> None:
        """So much is done, of so much (0: nobody knows), and in these words."""

    def say(self, line: str) -> None:
        """Something to keep."""


class _Speed:
    """Things a second since it was first asked."""

    def __init__(self) -> None:
        self.first: tuple[int, float] | None = None

    def of(self, done: int) -> float:
        self.first = self.first or (done, time.monotonic())
        return (done - self.first[0]) / max(1e-9, time.monotonic() - self.first[1])


@dataclass
class _Silent:
    def show(self, done: int, total: int, words: str = "") -> None:
        pass

    def say(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)


class _Lines(_Silent):
    """A line a minute, with how long it will still take if that is known."""

    def __init__(self) -> None:
        self.speed, self.last = _Speed(), time.monotonic()

    def show(self, done: int, total: int, words: str = "") -> None:
        speed = self.speed.of(done)
        if time.monotonic() - self.last > _SECONDS_BETWEEN_LINES:
            self.last = time.monotonic()
            left = f", {(total - done) / max(speed, 1e-9) / 60:,.0f} minutes left" if total else ""
            self.say(f"{words}, {speed:.1f}/s{left}")


@dataclass
class _OnTerminal:
    update: Callable[..., None]
    say: Callable[[str], None]
    speed: _Speed

    def show(self, done: int, total: int, words: str = "") -> None:
        told = {"description": words} if words else {}
        self.update(completed=done, total=total or None, speed=f"{self.speed.of(done):.1f}/s", **told)


@contextmanager
def progress(what: str, lines: bool = False, bar: bool = True) -> Iterator[Bar]:
    """Gives something that is told how far the work is; with `lines` it says so where there is no terminal, too."""
    if not bar or not sys.stderr.isatty():
        yield _Lines() if lines else _Silent()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]}"), TimeRemainingColumn())
    with Progress(TextColumn("{task.description}"), *columns, console=Console(stderr=True)) as shown:
        task = shown.add_task(what, total=None, speed="")
        yield _OnTerminal(lambda **told: shown.update(task, **told), shown.console.print, _Speed())
