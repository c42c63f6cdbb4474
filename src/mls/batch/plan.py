"""What is to be done with every document, and what must not change while a job is under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mls import __version__
from mls.assembly import model_of, uses_network
from mls.batch.shards import SIZE
from mls.corpora.documents import LONGEST, Columns
from mls.recipe import Recipe


@dataclass(frozen=True)
class Plan:
    """Budgets and limits: all that a worker needs beside the summarizer."""

    budgets: tuple[str, ...] = ("1/4",)
    trace: bool = False
    longest: int = LONGEST  # characters of a document
    seconds: float = 60.0  # for one document
    names: Mapping[str, str] = field(default_factory=dict)  # of output columns


def settings_of(plan: Plan, columns: Columns, recipe: Recipe) -> dict[str, Any]:
    """Everything but the input that decides the output, as plain values with names people know."""
    return {
        "mls": __version__,
        "--budget": ", ".join(plan.budgets),
        "--trace": plan.trace,
        "--longest": plan.longest,
        "--seconds": plan.seconds,
        "--columns": ", ".join(f"{name}={new}" for name, new in sorted(plan.names.items())),
        "--text-field": columns.text,
        "--id-field": columns.id,
        "--about-field": columns.about,
        **{f"--{name}": value for name, value in recipe.facts().items() if name != "model"},
        "documents per shard": SIZE,
        "the model's files": model_of(recipe).digest() if uses_network(recipe) else None,
    }
