"""Recipes that fail in a known way, for workers to be tried with."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

from mls.prototype.base import Prototype
from mls.prototype.greedy import GreedyPrototype
from mls.recipe import Recipe
from mls.text import Document

GREEDY = replace(Recipe.of("default"), prototype="greedy")


class FragilePrototype(GreedyPrototype):
    """Does what the document says, if it says one of these."""

    def __call__(self, document: Document) -> Prototype:
        if "RAISE" in document.text:
            raise ZeroDivisionError("division by zero\nand more")
        if "DIE" in document.text:
            os.kill(os.getpid(), signal.SIGKILL)
        if "LOOP" in document.text:
            while True:
                time.sleep(0.01)
        if "HANG" in document.text:
            time.sleep(600)  # as native code does: nothing in this process can interrupt it
        return super().__call__(document)


class StillbornPrototype(GreedyPrototype):
    """Whoever is sent one dies of it."""

    def __reduce__(self) -> tuple[object, ...]:
        return _die, ()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fragile() -> Recipe:
    return replace(GREEDY, prototype=FragilePrototype())


def broken(folder: Path) -> Recipe:
    """With a model that is gone."""
    return replace(Recipe.of("default"), model=str(folder / "gone"))


def stillborn() -> Recipe:
    return replace(GREEDY, prototype=StillbornPrototype())
