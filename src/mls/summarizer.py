"""The summarizer. It reads a document once, then writes summaries of any length.

Figure 2 of the paper, top to bottom: the prototype is made, the heads judge all sentences, the
multiplex layer joins them, and the decoder copies and expands within the budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mls.budget import Budget
from mls.embedding.base import unit_rows
from mls.kernels.base import Kernel, checked_scores
from mls.magnifier.decoder import Material
from mls.magnifier.expansion import find_expansions
from mls.magnifier.multiplex import Head, check_weights, multiplex
from mls.magnifier.units import units_of
from mls.model import Model, load_model
from mls.prototype.base import BRIEFEST, Prototype, PrototypeGenerator, PrototypeOfLength, prototypes
from mls.settings import in_words_of, kernels_of, prototype_of, settings_of
from mls.stopwords import english_share
from mls.summary import Reading, Summary
from mls.text import Document
from mls.writing import desired_tokens, write


class Summarizer:
    """Shortens texts to a budget and can say why every sentence is there.

    >>> summary = Summarizer().summarize("It rained all day. The match was called off. Nobody minded.", "10 tokens")
    >>> summary.length <= 10
    True
    """

    def __init__(
        self,
        prototype: str | PrototypeGenerator = "pg-network",
        heads: str | Sequence[Kernel] = "default",
        weights: Mapping[str, float] | None = None,
        model: Model | str | Path | None = None,
        wording: str | None = None,
    ) -> None:
        model = load_model(Path(model)) if isinstance(model, str | Path) else model
        self.generate = prototype_of(prototype, model)
        settings = in_words_of(wording, settings_of(heads, model), self.generate)
        self.kernels = kernels_of(heads, model)
        self.weights = check_weights(weights or settings.weights, [kernel.name for kernel in self.kernels])
        self.settings = settings
        self.embedder = settings.embedder()

    @classmethod
    def from_pretrained(cls, folder: str | Path) -> Summarizer:
        """A summarizer with the model in a folder, as `mls export` writes one."""
        return cls("pg-network", model=load_model(Path(folder)))

    def summarize(self, text: str | Document, budget: Budget | str | int | float = "1/4") -> Summary:
        """The summary of a text within a budget such as "1/4", "25%", 120 or "280 chars"."""
        return self.levels(text, [budget])[0]

    def levels(self, text: str | Document, budgets: Iterable[Budget | str | int | float]) -> list[Summary]:
        """Summaries of one text at many budgets: it is read once, and each length costs only its writing."""
        wanted = [Budget.parse(budget) for budget in budgets]
        reading = self.read(text)
        return [self.write(reading, budget) for budget in wanted]

    def read(self, text: str | Document) -> Reading:
        """Make the prototype and let every head judge every sentence."""
        return self.read_many([text])[0]

    def read_many(self, texts: Iterable[str | Document]) -> list[Reading]:
        """Read many texts, each as if it were the only one; a network drafts faster for many at once."""
        documents = [Document.of(text) for text in texts]
        drafts = prototypes(self.generate, documents)
        return [self._judge(document, draft) for document, draft in zip(documents, drafts, strict=True)]

    def _judge(self, document: Document, prototype: Prototype) -> Reading:
        units = units_of(document, prototype, self.settings.check_prototype)
        judged = [unit.sentence for unit in units]
        heads = [
            Head(kernel.name, kernel.question, self.weights[kernel.name], checked_scores(kernel, document, judged))
            for kernel in self.kernels
        ]
        joined = multiplex(heads)
        drafted = len(prototype.sentences)
        vectors = unit_rows(self.embedder.embed(judged))
        expansions = find_expansions(units, drafted, vectors, self.settings.sizes)
        material = Material(
            units, drafted, joined.attention, expansions, self.settings.sizes, self.settings.prototype_first
        )
        return Reading(document, prototype, joined, material, english_share(document.words))

    def warm_up(self) -> None:
        """Open what is opened at first use, so that no text has to wait for it."""
        self.read("It rained all day.")

    def reweigh(self, reading: Reading, weights: Mapping[str, float]) -> Reading:
        """The same reading under other head weights: no head has to judge again."""
        checked = check_weights(weights, [head.name for head in reading.multiplex.heads])
        joined = multiplex([replace(head, weight=checked[head.name]) for head in reading.multiplex.heads])
        material = replace(reading.material, attention=joined.attention)
        return replace(reading, multiplex=joined, material=material)

    def write(self, reading: Reading, budget: Budget) -> Summary:
        """Decode one summary from what was read."""
        return write(self._brief(reading, budget), budget)

    def _brief(self, reading: Reading, budget: Budget) -> Reading:
        """The reading; but where the network's own words count and are too many, it is told to be brief."""
        desired = desired_tokens(reading.document, budget)
        if not self.settings.brief or not BRIEFEST <= desired < reading.prototype.length:
            return reading
        assert isinstance(self.generate, PrototypeOfLength)
        brief = self._judge(reading.document, self.generate.of_length(reading.document, desired))
        return self.reweigh(brief, {head.name: head.weight for head in reading.multiplex.heads})
