"""What is to be done with every document, and what must not change while a job is under way."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mls import __version__
from mls.batch.inputs import LONGEST, Columns
from mls.batch.shards import SIZE
from mls.model import FILES
from mls.summarizer import Summarizer

MakeSummarizer = Callable[[], Summarizer]
"""Makes the summarizer of a worker; it must be picklable, for it is called in other processes."""


@dataclass(frozen=True)
class Plan:
    """Budgets and limits: all that a worker needs beside the summarizer."""

    budgets: tuple[str, ...] = ("1/4",)
    trace: bool = False
    longest: int = LONGEST  # characters of a document
    seconds: float = 60.0  # for one document
    names: Mapping[str, str] = field(default_factory=dict)  # of output columns


def settings_of(plan: Plan, columns: Columns, summarizer: Summarizer, model: Path | None) -> dict[str, Any]:
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
        "--prototype": summarizer.generate.name,
        "--wording": summarizer.settings.wording,
        "--weights": ", ".join(f"{name}={weight}" for name, weight in summarizer.weights.items()),
        "expansion sizes": ", ".join(map(str, summarizer.settings.sizes)),
        "documents per shard": SIZE,
    } | {f"the model's {name}": digest for name, digest in (_digests(model) if model else {}).items()}


def _digests(model: Path) -> dict[str, str]:
    names = ("config.json", *(name for name in FILES if name != "README.md"))
    return {name: hashlib.blake2b((model / name).read_bytes(), digest_size=12).hexdigest() for name in names}
