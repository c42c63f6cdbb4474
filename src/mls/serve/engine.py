"""What a worker does: read a text once, remember what was read, write summaries of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

from mls.analysis import Analysis
from mls.assembly import uses_network
from mls.budget import Budget
from mls.errors import MlsError
from mls.explain.as_html import to_html
from mls.explain.as_json import to_dict, to_json, to_move
from mls.explain.check import check_reasons, why_not
from mls.files.marked import Mark
from mls.methods import BASELINES
from mls.profile import Profile
from mls.recipe import PRESETS, Recipe
from mls.serve.cache import BoundedCache
from mls.summarizer import Summarizer
from mls.summary import Summary
from mls.text import Document

WITHOUT_READING = ("weights", "about")  # parts of a recipe that can change without reading the text again


class Method(Protocol):
    """Something that reads a document, and writes it shorter as often as one likes."""

    def read(self, document: Document, /) -> Analysis: ...

    def write(self, analysis: Analysis, budget: Budget, /) -> Summary: ...


@dataclass(frozen=True)
class Job:
    """One request: a text, how it is to be read, how long the summaries may be, and in what form they are wanted."""

    key: str  # the same for the same text read in the same way
    form: str
    text: str
    budgets: tuple[str, ...]
    method: str
    recipe: str | None  # a preset; None: the server's own recipe
    changes: dict[str, Any]  # parts of the recipe that are to be different
    pin: tuple[int, ...] = ()  # source sentences that stay,
    ban: tuple[int, ...] = ()  # and those that never come in
    profile: dict[str, Any] | None = None  # of the reader
    marks: tuple[tuple[int, int, str], ...] = ()  # what a file told of the text
    have: str = ""  # the name of what was read that the asker has got
    sentence: int | None = None  # that is asked about


FORMS: Mapping[str, Callable[[list[Summary], Job], str]] = {
    "summary": lambda summaries, job: to_json(summaries[0]),
    "levels": lambda summaries, job: "[" + ",\n".join(to_json(summary) for summary in summaries) + "]",
    "page": lambda summaries, job: to_html(to_dict(summaries[0])),
    "move": lambda summaries, job: to_move(summaries[0], job.have),
}
REASONS: Mapping[str, Callable[[Summarizer, Analysis, Budget, Job], Any]] = {
    "check": lambda made, analysis, budget, job: check_reasons(made, made.write(analysis, budget)).to_dict(),
    "why": lambda made, analysis, budget, job: asdict(why_not(made, made.write(analysis, budget), job.sentence or 0)),
}


def _document(job: Job) -> Document:
    marks = sorted((Mark(*mark) for mark in job.marks), key=lambda mark: mark.start)
    return Document.of(Document.parse(job.text, marks) if marks else job.text)


class Engine:
    """Summarizes, and remembers what it read."""

    def __init__(self, recipe: Recipe, analyses: int, characters: int) -> None:
        self.recipe = recipe
        self.analyses = BoundedCache[Analysis](analyses, characters)
        self.weighed = BoundedCache[Analysis](analyses, characters)
        self.method = lru_cache(maxsize=16)(self._method)

    def warm_up(self) -> None:
        """Load the model now, so that the first text does not wait for it."""
        self.method("mls", self.recipe).read(Document.of("It rained all day."))

    def answer(self, job: Job) -> tuple[str, bool]:
        """The answer, and whether the text was known."""
        budgets = [Budget.parse(budget) for budget in job.budgets]
        if job.method in BASELINES and (job.changes or job.recipe or job.pin or job.ban or job.profile):
            raise MlsError(f"the method {job.method} has no recipe, no heads to weigh and no pins; leave them out")
        others = {name: value for name, value in job.changes.items() if name not in WITHOUT_READING}
        method = self.method(job.method, self._recipe(job.recipe, others))
        known = self.analyses.get(job.key)
        analysis = known or method.read(_document(job))
        if known is None:
            self.analyses.put(job.key, analysis, len(job.text))
        if isinstance(method, Summarizer):
            method, analysis = self._for_reader(job, method, analysis)
            if job.form in REASONS:
                return json.dumps(REASONS[job.form](method, analysis, budgets[0], job)), known is not None
        return FORMS[job.form]([method.write(analysis, budget) for budget in budgets], job), known is not None

    def _for_reader(self, job: Job, method: Summarizer, analysis: Analysis) -> tuple[Summarizer, Analysis]:
        """What was read, weighed as the reader wants it; kept, so that another length costs only its writing."""
        about, weights = job.changes.get("about"), job.changes.get("weights")
        if job.profile:
            method = Summarizer(Profile.of(job.profile).onto(method.recipe))
        key = json.dumps([job.key, about, weights, job.profile], sort_keys=True)
        weighed = analysis if (about, weights, job.profile) == (None, None, None) else self.weighed.get(key)
        if weighed is None:
            weighed = method.refocus(method.adopt(analysis), about)
            weighed = method.reweigh(weighed, weights) if weights is not None else weighed
            self.weighed.put(key, weighed, len(job.text))
        return method, method.mark(weighed, job.pin, job.ban)

    def _recipe(self, preset: str | None, changes: dict[str, Any]) -> Recipe:
        """The recipe of a request. Which folders of this machine are read, its owner alone decides."""
        model = changes.get("model", self.recipe.model)
        if model != self.recipe.model:
            raise MlsError(f"this server has no model {model!r}; it has {self.recipe.model or 'the shipped one'}")
        start = replace(PRESETS[preset] if preset else self.recipe, model=None)
        recipe = start.changed(changes | {"model": None})
        return replace(recipe, model=self.recipe.model) if uses_network(recipe) else recipe

    def _method(self, name: str, recipe: Recipe) -> Method:
        return BASELINES[name]() if name in BASELINES else Summarizer(recipe)
