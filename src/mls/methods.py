"""Every way of making a summary, by name: ours, the paper's, and what they are measured against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Protocol

import numpy as np

from mls.analysis import Analysis
from mls.assembly import embedder_of, resolve
from mls.baselines.base import RankingBaseline
from mls.baselines.floor import at_random, lead
from mls.baselines.graph import graph_ranking
from mls.baselines.oracle import oracle
from mls.baselines.systematic import systematic_sampling
from mls.budget import Budget
from mls.corpora.records import Record
from mls.errors import MlsError
from mls.fingerprints import fingerprint
from mls.kernels.base import Kernel, MatrixKernel, Scores
from mls.magnifier.expansion import Expansions
from mls.model import load_model
from mls.recipe import Recipe
from mls.summarizer import Summarizer
from mls.summary import Summary
from mls.text import Document, Wording


class Levels(Protocol):
    """What writes one text at many lengths."""

    def levels(self, text: str | Document, budgets: Iterable[Budget | str | int | float]) -> list[Summary]: ...


Method = Callable[[Record, Sequence[Budget]], list[Summary]]
_A3 = "mls.lab.a3:A3.of"  # named, not imported: nobody else needs the lab


@dataclass(frozen=True)
class MethodSettings:
    """All that decides what a method writes; can be sent to another process and built there."""

    label: str
    base: str  # "mls" or the name of a baseline
    recipe: Recipe | None = None  # of mls
    model: str | None = None  # the folder of a baseline that has a network of its own
    shuffled: str | None = None  # the head that is shuffled
    expands: bool = True  # whether drafted sentences may be expanded

    def build(self) -> Method:
        if self.base == "oracle":
            return lambda record, budgets: oracle(record.summary).levels(record.document, budgets)
        summarizer = self._summarizer()
        return lambda record, budgets: summarizer.levels(record.document, budgets)

    def _summarizer(self) -> Levels:
        if self.base == "a3":
            made: Levels = resolve_name(_A3)(load_model(Path(str(self.model))))
            return made
        if self.recipe is None:
            return BASELINES[self.base]()
        summarizer = Summarizer(self.recipe) if self.expands else _NeverExpanding(self.recipe)
        if self.shuffled:
            summarizer.kernels = [_shuffled(k) if k.name == self.shuffled else k for k in summarizer.kernels]
        return summarizer

    def fingerprint(self) -> str:
        """Changes whenever the summaries may: with any setting, and with the model's files."""
        model = load_model(Path(self.model)).digest() if self.model else None
        recipe = self.recipe.digest() if self.recipe else None
        return fingerprint(repr((self.base, recipe, model, self.shuffled, self.expands)))


class _NeverExpanding(Summarizer):
    """Drafted sentences are copied or passed over: what expansion is worth."""

    def write(self, analysis: Analysis, budget: Budget | str | int | float) -> Summary:
        nothing = Expansions(tuple({} for _ in analysis.expansions.candidates))
        return super().write(replace(analysis, expansions=nothing), budget)


def _shuffled(kernel: Kernel) -> Kernel:
    """A head that says nothing any more: an ablation. Paper: section 3 D.

    The paper shuffles the rows and columns of a kernel; a head that is no matrix has its scores shuffled.
    """
    return kernel.shuffled() if isinstance(kernel, MatrixKernel) else _Shuffled(kernel)


class _Shuffled:
    """A kernel whose scores are shuffled among the sentences."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.name, self.question = kernel.name, kernel.question

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        order = np.random.default_rng([1, len(sentences)]).permutation(len(sentences))
        return np.asarray(self.kernel.score(document, sentences))[order]


BASELINES: dict[str, Callable[[], RankingBaseline]] = {
    "lead": lead,
    "random": at_random,
    "a1": systematic_sampling,
    "a2": lambda: graph_ranking(embedder_of("lexical")),
}
NAMES = {
    "mls": "the summarizer as it ships",
    "mls-network": "the same in the network's own words, as brief as the budget",
    "mls-greedy": "the same with a draft by rule: the paper's MLS+",
    "paper": "the paper's three heads, with weights as positive and negative as its own",
    "lead": "the first sentences",
    "random": "sentences at random",
    "a1": "systematic sampling",
    "a2": "weighted graph ranking",
    "a3": "the length-controlled convolutional network, which has a model of its own",
    "oracle": "chosen with the reference in sight: the ceiling of extraction",
}


_RECIPES: dict[str, tuple[str | None, dict[str, Any]]] = {
    "mls": (None, {}),
    "mls-network": (None, {"wording": "network"}),
    "mls-greedy": (None, {"prototype": "greedy"}),
    "paper": ("paper", {}),
}


def method_settings(name: str, model: str | None = None, recipe: Recipe | None = None) -> MethodSettings:
    """A method by its name; the model is for those that use one, and a3 can't do without.

    `recipe` is what `mls` is made by, where it is not to be the default, or the one that the model brings along.
    """
    if name not in NAMES:
        known = "; ".join(f"{known} ({meaning})" for known, meaning in NAMES.items())
        raise MlsError(f"there is no method {name!r}; choose among: {known}")
    if name in _RECIPES:
        preset, own = _RECIPES[name]
        changes = own | ({"model": model} if model else {})
        made = recipe.changed(changes) if recipe and preset is None else resolve(preset, changes)
        return MethodSettings(name, "mls", made)
    if name == "a3" and model is None:
        raise MlsError(
            "the method a3 needs a model of its own, which does not ship: mls train --network convolutional, "
            "then mls export, then --a3 FOLDER"
        )
    return MethodSettings(name, name, model=model if name == "a3" else None)
