"""The methods a study can compare, by name: what makes the texts that a participant is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from mls.baselines.floor import chance, lead
from mls.baselines.graph import graph_ranking
from mls.baselines.systematic import systematic_sampling
from mls.budget import Budget
from mls.errors import MlsError
from mls.settings import lexical
from mls.summarizer import Summarizer
from mls.summary import Summary

NO_CONTENT = "none"
FULL_CONTENT = "full"
EXTREMES = (NO_CONTENT, FULL_CONTENT)


class Method(Protocol):
    """Whatever shortens a text to several budgets."""

    def levels(self, text: str, budgets: Iterable[Budget]) -> Sequence[Summary]: ...


@dataclass(frozen=True)
class Level:
    """A text that is shown, and the smallest budget it was made for; the extremes have none."""

    budget: str
    text: str


_MAKERS: dict[str, Callable[[], Method]] = {
    "mls": Summarizer,
    "paper": lambda: Summarizer(heads="paper"),
    "lead": lead,
    "random": chance,
    "a1": systematic_sampling,
    "a2": lambda: graph_ranking(lexical()),
}
_TO_COME = ("a3",)


def check_methods(names: Sequence[str]) -> None:
    """Refuse names that mean nothing and names given twice, before anything is made."""
    known = ", ".join((*_MAKERS, *EXTREMES))
    for name in names:
        if name in _TO_COME:
            raise MlsError(f"the method {name} is not in this version of MLS; choose from {known}")
        if name not in _MAKERS and name not in EXTREMES:
            raise MlsError(f"there is no method called {name!r}; choose from {known}")
    if not names or len(set(names)) < len(names):
        raise MlsError(f"--methods are {', '.join(names) or 'none'}; give at least one, and none twice")


def texts_of(name: str, budgets: Sequence[Budget]) -> Callable[[str], list[Level]]:
    """What a method shows of a document, shortest first.

    Where a larger budget makes the same text, it is passed over: who asks for more is shown more.
    """
    if name == NO_CONTENT:
        return lambda text: [Level("", "")]
    if name == FULL_CONTENT:
        return lambda text: [Level("", text)]
    method = _MAKERS[name]()
    return lambda text: _growing(method.levels(text, budgets))


def _growing(summaries: Sequence[Summary]) -> list[Level]:
    levels: list[Level] = []
    for summary in summaries:
        if not levels or summary.text != levels[-1].text:
            levels.append(Level(str(summary.budget), summary.text))
    return levels
