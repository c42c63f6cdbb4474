"""What a worker does: read a text once, remember what was read, write summaries of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from mls.budget import Budget
from mls.errors import MlsError
from mls.explain.as_html import to_html
from mls.explain.as_json import to_dict, to_json
from mls.methods import BASELINES
from mls.model import Model, load_model
from mls.serve.cache import BoundedCache
from mls.summarizer import Summarizer
from mls.summary import Reading, Summary
from mls.text import Document

PROTOTYPES = ("pg-network", "greedy")
FORMS: Mapping[str, Callable[[list[Summary]], str]] = {
    "summary": lambda summaries: to_json(summaries[0]),
    "levels": lambda summaries: "[" + ",\n".join(to_json(summary) for summary in summaries) + "]",
    "page": lambda summaries: to_html(to_dict(summaries[0])),
}


class Method(Protocol):
    """Something that reads a document, and writes it shorter as often as one likes."""

    def read(self, document: Document, /) -> Reading: ...

    def write(self, reading: Reading, budget: Budget, /) -> Summary: ...


@dataclass(frozen=True)
class Job:
    """One request: a text, how it is to be read, how long the summaries may be, and in what form they are wanted."""

    key: str  # the same for the same text read in the same way
    form: str
    text: str
    budgets: tuple[str, ...]
    method: str
    prototype: str | None
    heads: str
    weights: dict[str, float] | None


class Engine:
    """Summarizes, and remembers what it read."""

    def __init__(self, model: str | None, readings: int, characters: int) -> None:
        self.model: Model | None = load_model(Path(model)) if model else None
        self.readings = BoundedCache[Reading](readings, characters)
        self.method = cache(self._method)

    def warm_up(self) -> None:
        """Load the model now, so that the first text does not wait for it."""
        self.method("mls", None, "default").read(Document.of("It rained all day."))

    def answer(self, job: Job) -> tuple[str, bool]:
        """The answer, and whether the text was known."""
        budgets = [Budget.parse(budget) for budget in job.budgets]
        method = self.method(job.method, job.prototype, job.heads)
        known = self.readings.get(job.key)
        reading = known or method.read(Document.of(job.text))
        if known is None:
            self.readings.put(job.key, reading, len(job.text))
        if job.weights is not None:
            if not isinstance(method, Summarizer):
                raise MlsError(f"the method {job.method} has no heads to weigh; leave out the weights")
            reading = method.reweigh(reading, job.weights)
        return FORMS[job.form]([method.write(reading, budget) for budget in budgets]), known is not None

    def _method(self, name: str, prototype: str | None, heads: str) -> Method:
        if name in BASELINES:
            return BASELINES[name]()
        if prototype is None and self.model is None:
            return Summarizer(heads=heads)
        return Summarizer(prototype or "pg-network", heads, None, None if prototype == "greedy" else self.model)
