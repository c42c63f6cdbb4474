"""The methods a study can compare, by name: what makes the texts that a participant is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mls.budget import Budget
from mls.corpora.records import Record
from mls.errors import MlsError
from mls.methods import NAMES, method_settings
from mls.model import load_model
from mls.recipe import PRESETS, Recipe
from mls.summary import Summary

NO_CONTENT = "none"
FULL_CONTENT = "full"
EXTREMES = (NO_CONTENT, FULL_CONTENT)


@dataclass(frozen=True)
class Level:
    """A text that is shown, and the smallest budget it was made for; the extremes have none."""

    budget: str
    text: str


_NEEDS_A_REFERENCE = "oracle"


def known_methods() -> list[str]:
    """All that a study can show: every method that needs nothing but the document, and the extremes."""
    return [name for name in NAMES if name != _NEEDS_A_REFERENCE] + list(EXTREMES)


def check_methods(names: Sequence[str], recipe: Recipe = PRESETS["default"], a3: str | None = None) -> None:
    """An error for names that mean nothing, names given twice and models that are none, before anything is made."""
    known = known_methods()
    for name in names:
        if name not in known:
            choice = ", ".join(known)
            raise MlsError(f"there is no method called {name!r} for a study in this version; choose from {choice}")
    if not names or len(set(names)) < len(names):
        raise MlsError(f"--methods are {', '.join(names) or 'none'}; give at least one, and none twice")
    for folder in (recipe.model, a3):
        if folder is not None:
            load_model(Path(folder))
    if "a3" in names:
        method_settings("a3", a3)


def texts_of(
    name: str, budgets: Sequence[Budget], recipe: Recipe = PRESETS["default"], a3: str | None = None
) -> Callable[[str], list[Level]]:
    """What a method shows of a document, shortest first; mls goes by the recipe, a3 has a model of its own.

    Where a larger budget makes the same text, it is passed over: who asks for more is shown more.
    """
    if name == NO_CONTENT:
        return lambda text: [Level("", "")]
    if name == FULL_CONTENT:
        return lambda text: [Level("", text)]
    method = method_settings(name, a3 if name == "a3" else recipe.model, recipe).build()
    return lambda text: _growing(method(Record("", text, ""), budgets))


def _growing(summaries: Sequence[Summary]) -> list[Level]:
    levels: list[Level] = []
    for summary in summaries:
        if not levels or summary.text != levels[-1].text:
            levels.append(Level(str(summary.budget), summary.text))
    return levels
