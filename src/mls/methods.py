"""Every way of making a summary, by name: ours, the paper's, and what they are measured against."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from mls.baselines.base import RankingBaseline
from mls.baselines.convolutional import A3
from mls.baselines.floor import chance, lead
from mls.baselines.graph import graph_ranking
from mls.baselines.oracle import oracle
from mls.baselines.systematic import systematic_sampling
from mls.budget import Budget
from mls.errors import MlsError
from mls.kernels.base import Kernel, Scores
from mls.model import load_model
from mls.records import Record
from mls.settings import kernels_of, lexical, settings_of
from mls.summarizer import Summarizer
from mls.summary import Summary
from mls.text import Document, Sentence


class Levels(Protocol):
    """What writes one text at many lengths."""

    def levels(self, text: str | Document, budgets: Iterable[Budget | str | int | float]) -> list[Summary]: ...


Method = Callable[[Record, Sequence[Budget]], list[Summary]]


@dataclass(frozen=True)
class MethodSettings:
    """All that decides what a method writes; can be sent to another process and built there."""

    label: str
    base: str  # "mls" or the name of a baseline
    prototype: str = "pg-network"
    heads: str = "default"
    weights: tuple[tuple[str, float], ...] | None = None
    model: str | None = None  # a folder; None: the shipped model
    randomized: str | None = None  # the head whose kernel is replaced by chance
    wording: str | None = None  # as the heads want it

    def build(self) -> Method:
        if self.base == "oracle":
            return lambda record, budgets: oracle(record.summary).levels(record.document, budgets)
        summarizer = self._summarizer()
        return lambda record, budgets: summarizer.levels(record.document, budgets)

    def _summarizer(self) -> Levels:
        if self.base == "a3":
            return A3(load_model(Path(str(self.model))))
        if self.base in BASELINES:
            return BASELINES[self.base]()
        model = load_model(Path(self.model)) if self.model else None
        kernels: str | list[Kernel] = self.heads
        weights = dict(self.weights or settings_of(self.heads, model).weights.items())
        if self.randomized:
            given = kernels_of(self.heads, model)
            kernels = [_Lots(kernel) if kernel.name == self.randomized else kernel for kernel in given]
        return Summarizer(self.prototype, kernels, weights, model, self.wording)

    def fingerprint(self) -> str:
        """Changes whenever the summaries may: with any setting, and with the model's files."""
        digest = hashlib.sha256(repr(replace(self, label="")).encode())
        for path in sorted(Path(self.model).iterdir()) if self.model else []:
            digest.update(path.name.encode() + path.read_bytes())
        return digest.hexdigest()


class _Lots:
    """A kernel that judges by lot, in the place of another: an ablation of the paper's section 3 D."""

    def __init__(self, kernel: Kernel) -> None:
        self.name, self.question = kernel.name, kernel.question

    def score(self, document: Document, sentences: Sequence[Sentence]) -> Scores:
        return np.random.default_rng([1, len(sentences)]).random(len(sentences))


BASELINES: dict[str, Callable[[], RankingBaseline]] = {
    "lead": lead,
    "random": chance,
    "a1": systematic_sampling,
    "a2": lambda: graph_ranking(lexical()),
}
NAMES = {
    "mls": "the summarizer as it ships",
    "mls-network": "the same in the network's own words, as brief as the budget",
    "mls-greedy": "the same with a draft by rule: the paper's MLS+",
    "paper": "the paper's three heads, with weights of its signs",
    "lead": "the first sentences",
    "random": "sentences by lot",
    "a1": "systematic sampling",
    "a2": "weighted graph ranking",
    "a3": "the length-controlled convolutional network, which has a model of its own",
    "oracle": "chosen with the reference in sight: the ceiling of extraction",
}


def method_settings(name: str, model: str | None = None) -> MethodSettings:
    """A method by its name; the model is for those that use one, and a3 can't do without."""
    if name not in NAMES:
        known = "; ".join(f"{known} ({meaning})" for known, meaning in NAMES.items())
        raise MlsError(f"there is no method {name!r}; choose among: {known}")
    if name == "mls":
        return MethodSettings(name, "mls", model=model)
    if name == "mls-network":
        return MethodSettings(name, "mls", model=model, wording="network")
    if name == "mls-greedy":
        return MethodSettings(name, "mls", "greedy", model=model)
    if name == "paper":
        return MethodSettings(name, "mls", heads="paper", model=model)
    if name == "a3" and model is None:
        raise MlsError(
            "the method a3 needs a model of its own, which does not ship: mls train --network convolutional, "
            "then mls export, then --a3 FOLDER"
        )
    return MethodSettings(name, name, model=model if name == "a3" else None)
