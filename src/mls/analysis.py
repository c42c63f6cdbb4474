"""What is known of a document before a summary is written: all that does not depend on the budget."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from mls.forms.ladders import Ladders
from mls.kernels.base import Scores
from mls.kernels.focus import stems_asked
from mls.leaning import Lean
from mls.magnifier.expansion import Expansions
from mls.magnifier.multiplex import Multiplex
from mls.magnifier.units import Unit
from mls.naming.names import Naming
from mls.prototype.base import Prototype
from mls.recipe import Recipe
from mls.text import Document

ANSWERS = 0.6  # of what the best answer says, the least that one says


@dataclass(frozen=True, eq=False)
class Analysis:
    """A document, the sentences that may go into a summary of it, and what the heads think of them."""

    document: Document
    units: tuple[Unit, ...]  # the prototype's sentences, if there is one, then all of the document's
    multiplex: Multiplex
    english: float  # the share of English function words, by which the heads know their way
    prototype: Prototype | None = None
    expansions: Expansions = field(default_factory=Expansions)  # of the prototype's sentences
    ladders: Ladders | None = None  # the forms of the source's sentences
    leans: tuple[tuple[Lean, ...], ...] = ()  # on what each of them leans
    naming: Naming | None = None  # and who can be named in it instead
    pins: tuple[int, ...] = ()  # source sentences that the reader wants in, in order,
    bans: tuple[int, ...] = ()  # and those that the reader never wants
    recipe: Recipe | None = None  # by which it was made; a baseline has none

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sentences in an expansion: first, later, at last."""
        return self.recipe.sizes if self.recipe else (1,)

    @property
    def prototype_first(self) -> bool:
        """Whether the prototype's sentences come first, or stand in one queue with the source's."""
        return self.recipe is not None and self.recipe.order == "prototype"

    @property
    def is_beside_the_point(self) -> bool:
        """Whether something was asked that the document does not speak of."""
        return any(head.name == "focus" and not head.raw.any() for head in self.multiplex.heads)

    @cached_property
    def answers(self) -> frozenset[int]:
        """The source sentences that say what was asked. The question tells what they lean on."""
        focus = next((head for head in self.multiplex.heads if head.name == "focus" and head.weight > 0), None)
        if focus is None or self.is_beside_the_point:
            return frozenset()
        said = focus.raw[self.drafted :]
        return frozenset(np.flatnonzero(said >= ANSWERS * said.max()).tolist())

    @cached_property
    def asked(self) -> frozenset[str]:
        """The stems of the words that matter in what was asked."""
        return stems_asked(self.recipe.about) if self.recipe else frozenset()

    @property
    def attention(self) -> Scores:
        """(units,) What the heads think of each, joined: sums to one."""
        return self.multiplex.attention

    @cached_property
    def drafted(self) -> int:
        """How many units, the first ones, are the prototype's."""
        return len(self.units) - len(self.document.sentences)

    def source(self, index: int) -> Unit:
        return self.units[self.drafted + index]
