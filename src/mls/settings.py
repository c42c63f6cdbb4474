"""Named settings: which heads, with which weights, and which prototype."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from mls.embedding.base import Embedder
from mls.embedding.lexical import LexicalEmbedder
from mls.embedding.word_vectors import WordVectors
from mls.errors import MlsError
from mls.kernels.base import Kernel
from mls.kernels.keywords import KeywordKernel
from mls.kernels.position import PositionKernel
from mls.kernels.redundancy import RedundancyKernel
from mls.kernels.salience import SalienceKernel
from mls.kernels.topics import TopicKernel
from mls.model import Model, shipped_model
from mls.prototype.base import PrototypeGenerator, PrototypeOfLength
from mls.prototype.greedy import GreedyPrototype


@cache
def doc2vec() -> Embedder:
    return WordVectors()


@cache
def lexical() -> Embedder:
    return LexicalEmbedder()


@dataclass(frozen=True)
class Settings:
    """Head weights, how many sentences an expansion has (first, later, at last), the embedder, and who comes first."""

    weights: Mapping[str, float]
    sizes: tuple[int, ...]
    embedder: Callable[[], Embedder]
    prototype_first: bool  # or its sentences stand in one queue with the source's
    check_prototype: bool  # a sentence of it that the source does not bear out gives way to the source's own
    brief: bool = False  # where the prototype is longer than the budget, it is made anew at that length

    @property
    def wording(self) -> str:
        """Whose words a summary has."""
        return "network" if self.brief else "source" if self.check_prototype else "prototype"


PRESETS = {
    "paper": Settings({"topics": 0.6, "keywords": 0.8, "redundancy": -0.4}, (3, 2, 1), doc2vec, True, False),
    "default": Settings(
        {"topics": 0.0, "keywords": 0.0, "redundancy": 0.6, "position": 0.1, "salience": 0.3},
        (1,),
        lexical,
        False,
        True,
    ),
    "light": Settings({"topics": 0.1, "keywords": 0.1, "redundancy": 0.4, "position": 0.4}, (1,), lexical, False, True),
}


def settings_of(heads: str | Sequence[Kernel], model: Model | None = None) -> Settings:
    """A preset by name; kernels of one's own start with equal weights, a model brings weights of its own."""
    if not isinstance(heads, str):
        names = [kernel.name for kernel in heads]
        if not names or len(set(names)) < len(names):
            raise MlsError(f"heads are {', '.join(names) or 'none'}; give at least one kernel, each with its own name")
        return replace(PRESETS["default"], weights={kernel.name: 1 / len(heads) for kernel in heads})
    if heads not in PRESETS:
        raise MlsError(f"there are no heads called {heads!r}; choose {' or '.join(PRESETS)}, or give a list of kernels")
    if model and heads == "default":
        return replace(PRESETS[heads], weights=model.config.heads)
    return PRESETS[heads]


def in_words_of(wording: str | None, settings: Settings, generate: PrototypeGenerator) -> Settings:
    """The same in the source's words, or in the network's own, which are then as few as the budget wants them."""
    if wording is None:
        return settings
    if wording == "source":
        return replace(settings, check_prototype=True)
    if wording != "network":
        raise MlsError(f"there is no wording called {wording!r}; choose source or network")
    if not isinstance(generate, PrototypeOfLength):
        raise MlsError(f"the {generate.name} prototype has no words of its own; wording network needs pg-network")
    return replace(settings, check_prototype=False, brief=True)


def kernels_of(heads: str | Sequence[Kernel], model: Model | None = None) -> list[Kernel]:
    if not isinstance(heads, str):
        return list(heads)
    settings = settings_of(heads, model)
    every: list[Kernel] = [
        TopicKernel(),
        KeywordKernel(),
        RedundancyKernel(settings.embedder()),
        PositionKernel(),
        SalienceKernel(lambda document: (model or shipped_model()).salience()(document)),
    ]
    unknown = set(settings.weights) - {kernel.name for kernel in every}
    if unknown:
        known = ", ".join(kernel.name for kernel in every)
        raise MlsError(f"the model weighs heads called {', '.join(sorted(unknown))}; this program has {known}")
    return [kernel for kernel in every if kernel.name in settings.weights]


def prototype_of(prototype: str | PrototypeGenerator, model: Model | None = None) -> PrototypeGenerator:
    """A generator by name: the PG-Network of a model, by default the shipped one, or the greedy heuristic."""
    if not isinstance(prototype, str):
        return prototype
    if prototype == "greedy":
        return GreedyPrototype()
    if prototype != "pg-network":
        raise MlsError(f"there is no prototype generator called {prototype!r}; choose pg-network or greedy")
    return (model or shipped_model()).prototype()
