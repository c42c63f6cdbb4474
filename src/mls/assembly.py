"""What a recipe names, made: kernels, prototype, embedder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mls.embedding.base import Embedder
from mls.errors import MlsError
from mls.folders import State, state_of
from mls.judge.network import shipped_judge
from mls.kernels.base import Kernel, Scores
from mls.kernels.centrality import CentralityKernel
from mls.kernels.focus import FocusKernel
from mls.kernels.judged import ImportanceKernel, SalienceKernel
from mls.kernels.keywords import KeywordKernel
from mls.kernels.position import PositionKernel
from mls.kernels.settles import SettlesKernel
from mls.kernels.topics import TopicKernel
from mls.parser.network import document_parser
from mls.prototype.base import PrototypeGenerator, PrototypeOfLength
from mls.prototype.greedy import GreedyPrototype
from mls.recipe import Recipe
from mls.text import Document

if TYPE_CHECKING:
    from mls.model import Model  # imported where one is opened: the default recipe asks none


@cache
def embedder_of(name: str) -> Embedder:
    if name == "doc2vec":
        from mls.embedding.word_vectors import WordVectors

        return WordVectors()
    from mls.embedding.lexical import LexicalEmbedder

    return LexicalEmbedder()


def model_of(recipe: Recipe) -> Model:
    """The model that a recipe names; opened once for all that use it, and anew when its files changed."""
    from mls.model import shipped_model

    if recipe.model is None:
        return shipped_model()
    return _opened(recipe.model, state_of(recipe.model) if Path(recipe.model).is_dir() else ())


@lru_cache(maxsize=4)
def _opened(folder: str, state: State) -> Model:
    from mls.model import load_model

    return load_model(Path(folder))


def recipe_of_model(folder: str | Path) -> Recipe:
    """The recipe that a model folder brings along."""
    from mls.model import load_model

    model = load_model(Path(folder))
    return replace(Recipe.from_dict(model.config.recipe, str(Path(folder) / "config.json")), model=str(folder))


def resolve(base: str | None, changes: Mapping[str, Any]) -> Recipe:
    """A recipe by name or file with some parts changed; a model that comes alone brings its own recipe along."""
    model = changes.get("model")
    start = Recipe.of(base) if base else recipe_of_model(model) if model else Recipe.of("default")
    return start.changed(changes)


def kernels_of(recipe: Recipe) -> list[Kernel]:
    """The heads that a recipe weighs, in its order."""
    own = {kernel.name: kernel for kernel in recipe.kernels}
    ours: dict[str, Callable[[], Kernel]] = {
        "topics": TopicKernel,
        "keywords": KeywordKernel,
        "redundancy": lambda: CentralityKernel(embedder_of(recipe.embedding), "redundancy"),
        "centrality": lambda: CentralityKernel(embedder_of(recipe.embedding)),
        "position": PositionKernel,
        "importance": lambda: ImportanceKernel(judged),
        "settles": SettlesKernel,
        "salience": lambda: SalienceKernel(lambda document: model_of(recipe).salience()(document)),
        "focus": lambda: FocusKernel(recipe.about),
    }
    return [own.get(name) or ours[name]() for name in recipe.weights]


def judged(document: Document) -> Scores:
    """What each sentence of a document is worth, by the judge that ships."""
    return shipped_judge()(document, document_parser()(document))


def uses_network(recipe: Recipe) -> bool:
    """Whether a recipe asks the network of its model anything."""
    return recipe.prototype == "pg-network" or "salience" in recipe.weights


def prototype_of(recipe: Recipe) -> PrototypeGenerator | None:
    """The generator that a recipe names: the PG-Network of its model, the greedy heuristic, or one's own.

    None where the brief forms of the document's own sentences are the draft: they are made as they are taken.
    """
    if recipe.prototype == "brief" and recipe.wording in ("forms", "source"):
        return None
    if recipe.prototype == "greedy":
        return GreedyPrototype()
    if recipe.prototype in ("brief", "pg-network"):  # whose words are wanted must have some
        drafting = model_of(recipe).prototype()
        return drafting.ending_by_itself() if recipe.wording == "draft" else drafting
    assert not isinstance(recipe.prototype, str)
    if recipe.wording == "network" and not isinstance(recipe.prototype, PrototypeOfLength):
        raise MlsError(f"the {recipe.prototype.name} prototype has no words of its own; wording network needs some")
    return recipe.prototype
