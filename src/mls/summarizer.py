"""The summarizer. It reads a document once, then writes summaries of any length.

Figure 2 of the paper, top to bottom: the prototype is made, the heads judge all sentences, the
multiplex layer joins them, and the decoder copies and expands within the budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, overload

from mls.analysis import Analysis
from mls.assembly import embedder_of, kernels_of, model_of, prototype_of, recipe_of_model
from mls.budget import Budget
from mls.embedding.base import unit_rows
from mls.errors import MlsError
from mls.forms.ladders import Ladders
from mls.kernels.base import Kernel, checked_scores
from mls.magnifier.expansion import find_expansions
from mls.magnifier.multiplex import Head, multiplex
from mls.magnifier.units import units_of
from mls.magnifier.writing import desired_tokens, write
from mls.naming.names import Naming
from mls.needs import needs
from mls.parser.network import document_parser
from mls.prototype.base import BRIEFEST, Again, Prototype, PrototypeOfLength, prototypes
from mls.recipe import PERSONAL, Recipe
from mls.stopwords import HARDLY_ENGLISH, english_share
from mls.summary import Summary
from mls.text import Document, Wording

Text = str | Document
Texts = list[str] | list[Document] | list[Text] | tuple[Text, ...]
Length = Budget | str | int | float
Positions = Sequence[int]  # source sentences, counted from 0


class Summarizer:
    """Shortens texts to a budget and can say why every sentence is there.

    >>> summary = Summarizer().summarize("It rained all day. The match was called off. Nobody minded.", "10 tokens")
    >>> summary.length <= 10
    True
    """

    def __init__(self, recipe: Recipe | str | Path | Mapping[str, Any] = "default") -> None:
        self.recipe = Recipe.of(recipe)
        self._make()

    def _make(self) -> None:
        if self.recipe.model is not None:
            model_of(self.recipe)  # what is named has to be there, also where nothing is asked of it
        self.generate = prototype_of(self.recipe)
        self.kernels = [kernel for kernel in kernels_of(self.recipe) if kernel.name not in PERSONAL]
        self.embedder = embedder_of(self.recipe.embedding)
        self.parse = document_parser()

    def __getstate__(self) -> dict[str, Any]:
        return {"recipe": self.recipe}  # what it has opened, another process opens for itself

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.recipe = state["recipe"]
        self._make()

    @property
    def weights(self) -> dict[str, float]:
        return dict(self.recipe.weights)

    @classmethod
    def from_pretrained(cls, folder: str | Path) -> Summarizer:
        """A summarizer with the model in a folder, as `mls export` writes one, and the recipe it brings along."""
        return cls(recipe_of_model(folder))

    @overload
    def summarize(
        self, text: Text, budget: Length = ..., *, about: str | None = ..., pin: Positions = ..., ban: Positions = ...
    ) -> Summary: ...

    @overload
    def summarize(self, text: Texts, budget: Length = ..., *, about: str | None = ...) -> list[Summary]: ...

    def summarize(
        self,
        text: Text | Texts,
        budget: Length = "1/4",
        *,
        about: str | None = None,
        pin: Positions = (),
        ban: Positions = (),
    ) -> Summary | list[Summary]:
        """The summary of a text within a budget such as "1/4", "25%", 120 or "280 chars"; of a list, a list.

        `about` is what is asked of it: a question, a phrase, a name, or several with ; between them. `pin` are source
        sentences of one text that stay, `ban` those that never come in, both counted from 0.
        """
        if isinstance(text, list | tuple):
            wanted = Budget.parse(budget)
            if pin or ban:
                raise MlsError("sentences can be pinned and banned in one text, not in a list of them")
            return [self.write(self.refocus(read, about), wanted) for read in self.read_many(text)]
        return self.levels(text, [budget], about=about, pin=pin, ban=ban)[0]

    def levels(
        self,
        text: Text,
        budgets: Iterable[Length],
        *,
        about: str | None = None,
        pin: Positions = (),
        ban: Positions = (),
    ) -> list[Summary]:
        """Summaries of one text at many budgets: it is read once, and each length costs only its writing."""
        wanted = [Budget.parse(budget) for budget in budgets]
        analysis = self.mark(self.refocus(self.read(text), about), pin, ban)
        return [self.write(analysis, budget) for budget in wanted]

    def read(self, text: Text) -> Analysis:
        """Make the prototype and let every head judge every sentence."""
        return self.read_many([text])[0]

    def read_many(self, texts: Iterable[Text]) -> list[Analysis]:
        """Read many texts, each as if it were the only one; a network drafts faster for many at once."""
        documents = [Document.of(text, self.recipe.genre) for text in texts]
        drafts = prototypes(self.generate, documents) if self.generate else [None] * len(documents)
        read = (self._judge(document, draft) for document, draft in zip(documents, drafts, strict=True))
        return [self.adopt(analysis) for analysis in read]

    def _judge(self, document: Document, prototype: Prototype | None) -> Analysis:
        recipe = self.recipe.for_genre(document.genre)
        units = units_of(document, prototype, check=recipe.wording in ("forms", "source"))
        judged = [unit.sentence for unit in units]
        heads = [_head(kernel, recipe.weights[kernel.name], document, judged) for kernel in self.kernels]
        analysis = Analysis(document, units, multiplex(heads), english_share(document.words), recipe=recipe)
        if prototype is None:
            parses = self.parse(document)
            english, leans = analysis.english >= HARDLY_ENGLISH, needs(document, parses)
            ladders = Ladders(document, parses, recipe.wording == "source", english)
            naming = Naming(document, parses, leans, english and recipe.wording == "forms")
            return replace(analysis, ladders=ladders, leans=leans, naming=naming)
        vectors = unit_rows(self.embedder.embed(judged))
        expansions = find_expansions(units, len(prototype.sentences), vectors, recipe.sizes)
        return replace(analysis, prototype=prototype, expansions=expansions)

    def warm_up(self) -> None:
        """Open what is opened at first use, so that no text has to wait for it."""
        self.read("It rained all day.")

    def refocus(self, analysis: Analysis, about: str | None) -> Analysis:
        """The same analysis with something else asked of it, or nothing where that is "": no other head judges again.

        Where the document does not speak of what is asked, the other heads decide alone.
        """
        return analysis if about is None else self._weigh(analysis, self.recipe.changed({"about": about}))

    def adopt(self, analysis: Analysis) -> Analysis:
        """What another summarizer read that differs in weights, focus and profile only, as this one would have."""
        return self._weigh(analysis, self.recipe)

    def _weigh(self, analysis: Analysis, recipe: Recipe) -> Analysis:
        """The heads of a recipe over what was read. Those for a reader judge anew, the others have judged."""
        recipe = recipe.for_genre(analysis.document.genre)
        judged = [unit.sentence for unit in analysis.units]
        heads = {head.name: head for head in analysis.multiplex.heads if head.name not in PERSONAL}
        own = [kernel for kernel in kernels_of(recipe) if kernel.name in PERSONAL]
        heads |= {kernel.name: _head(kernel, 0.0, analysis.document, judged) for kernel in own}
        silent = [kernel.name for kernel in own if not heads[kernel.name].raw.any()]
        recipe = recipe.weighing(dict.fromkeys(silent, 0.0)) if silent else recipe
        weighed = [replace(heads[name], weight=weight) for name, weight in recipe.weights.items()]
        return replace(analysis, multiplex=multiplex(weighed), recipe=recipe)

    def mark(self, analysis: Analysis, pin: Positions = (), ban: Positions = ()) -> Analysis:
        """The same analysis with some source sentences pinned and some banned, in place of those that were before."""
        pins, bans = tuple(sorted(set(pin))), tuple(sorted(set(ban)))
        count = len(analysis.document.sentences)
        for index in (*pins, *bans):
            if not 0 <= index < count:
                raise MlsError(f"there is no sentence {index + 1}; the text has {count}, counted from 1")
        both = sorted({*pins} & {*bans})
        if both:
            raise MlsError(f"sentence {both[0] + 1} is both pinned and banned; decide for one")
        if len(bans) == count:
            raise MlsError("every sentence is banned; leave at least one")
        same = (pins, bans) == (analysis.pins, analysis.bans)
        return analysis if same else replace(analysis, pins=pins, bans=bans)

    def reweigh(self, analysis: Analysis, weights: Mapping[str, float]) -> Analysis:
        """The same analysis under other head weights: no head has to judge again."""
        about = analysis.recipe.about if analysis.recipe else ""
        recipe = self.recipe.changed({"about": about}).weighing(weights)
        heads = [replace(head, weight=recipe.weights[head.name]) for head in analysis.multiplex.heads]
        return replace(analysis, multiplex=multiplex(heads), recipe=recipe)

    def write(self, analysis: Analysis, budget: Length) -> Summary:
        """Decode one summary from what was read."""
        wanted = Budget.parse(budget)
        return write(self._brief(analysis, wanted), wanted)

    def _brief(self, analysis: Analysis, budget: Budget) -> Analysis:
        """The analysis; but where the network's own words count and are too many, it is told to be brief."""
        if self.recipe.wording != "network" or analysis.prototype is None:
            return analysis
        desired = desired_tokens(analysis.document, budget)
        if not BRIEFEST <= desired < analysis.prototype.length:
            return analysis
        assert isinstance(self.generate, PrototypeOfLength)
        draft = self.generate.of_length(analysis.document, desired)
        again = Again(desired, analysis.prototype.length)
        brief = self._judge(analysis.document, replace(draft, again=again))
        brief = self.mark(
            self.refocus(brief, analysis.recipe.about if analysis.recipe else None), analysis.pins, analysis.bans
        )
        return self.reweigh(brief, {head.name: head.weight for head in analysis.multiplex.heads})


def _head(kernel: Kernel, weight: float, document: Document, judged: Sequence[Wording]) -> Head:
    scores = cache(partial(checked_scores, kernel, document, judged))
    return Head(kernel.name, kernel.question, weight, len(judged), scores)
