"""The decoder: copies and expands sentences until the budget is full. Paper: section 2.2 C.

It works in two stages. *Place* takes the prototype's sentences, highest p_o first, and copies or
expands each. *Magnify* fills the room that is left: source sentences are copied and sentences that
the prototype worded itself are expanded, most attended first. Every decision is a `Step`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mls.budget import Measure
from mls.kernels.base import Scores
from mls.magnifier.draft import Draft, Piece
from mls.magnifier.expansion import RERANKED, Candidate, Expansions
from mls.magnifier.units import Gram, Unit

REPEATS = "repeats what the summary says already"
TOO_LONG = "too long for the room left"
SAYS_LITTLE = "says too little by itself"


@dataclass(frozen=True)
class Ranked:
    """A candidate of E(s), and how many word bigrams and trigrams it would repeat."""

    candidate: Candidate
    repeats: int


@dataclass(frozen=True)
class Chances:
    """What one unit's turn was decided by. Paper: P_c, P_e, alpha and p_o of Eq. (6)-(8)."""

    mass: float  # of the attention left, by which it was renormalised
    p_copy: float
    p_expand: float | None  # None where there was nothing to expand to
    alpha: float
    p_o: float


@dataclass(frozen=True)
class Step:
    """One decision of the decoder, with everything it was based on."""

    number: int
    stage: str  # "place", "magnify" or "shorten"
    unit: int  # whose turn it was
    operation: str  # "copy", "expand", "shorten", "keyphrase", "document" or "pass"
    reason: str
    chances: Chances
    needs: int  # the room the operation takes, or would have taken
    room_before: int
    room_after: int
    sources: tuple[int, ...]  # the source sentences that went in
    candidates: tuple[Ranked, ...]  # among which E(s) was chosen


@dataclass(frozen=True)
class Material:
    """What the decoder works on: all units, their attention, and the expansions of the prototype."""

    units: tuple[Unit, ...]
    drafted: int  # how many units, the first ones, are the prototype's
    attention: Scores  # (units,) Eq. (3)
    expansions: Expansions
    sizes: tuple[int, ...]  # sentences in an expansion: first, later, at last

    def source(self, index: int) -> Unit:
        return self.units[self.drafted + index]


def soft_switch(p_copy: Scores, p_expand: Scores) -> tuple[Scores, Scores]:
    """p_o and alpha where the budget has room for more than the prototype. Paper: Eq. (7) and (8).

    >>> p_o, alpha = soft_switch(np.array([0.2]), np.array([0.5]))
    >>> p_o.round(3).tolist(), alpha.tolist()
    ([0.35], [0.5])
    """
    alpha = np.maximum(p_copy, p_expand)
    return alpha * p_expand + (1 - alpha) * p_copy, alpha


@dataclass(frozen=True)
class _Expansion:
    """The current E(s) of a sentence: its ranking, and the mean attention of the first in it."""

    ranking: tuple[Ranked, ...] = ()
    worth: float = math.nan


class _Expander:
    """Knows the current E(s) of every prototype sentence.

    E(s) changes only when the summary takes a sentence of one of its candidates or comes to repeat
    a word bigram of one; just those are ranked anew.
    """

    def __init__(self, material: Material) -> None:
        self.material = material
        self.known: dict[tuple[int, int], _Expansion] = {}
        self.interested_in_gram: dict[Gram, set[int]] = defaultdict(set)
        self.interested_in_sentence: dict[int, set[int]] = defaultdict(set)
        for number, by_size in enumerate(material.expansions.candidates):
            for index in {index for runs in by_size.values() for run in runs for index in run.sentences}:
                self.interested_in_sentence[index].add(number)
                for gram in material.source(index).bigrams:
                    self.interested_in_gram[gram].add(number)

    def expansion(self, number: int, size: int, draft: Draft, taken: set[int]) -> _Expansion:
        """E(s): of the best free runs of this size the one that repeats least."""
        known = self.known.get((number, size))
        if known is None:
            known = self.known[number, size] = self._find(number, size, draft, taken)
        return known

    def _find(self, number: int, size: int, draft: Draft, taken: set[int]) -> _Expansion:
        runs = self.material.expansions.candidates[number].get(size, ())
        free = [run for run in runs if taken.isdisjoint(run.sentences)][:RERANKED]
        if not free:
            return _Expansion()
        source = self.material.source
        ranked = [Ranked(run, sum(draft.repeats(source(index)) for index in run.sentences)) for run in free]
        ranked.sort(key=lambda entry: (entry.repeats, -entry.candidate.score, entry.candidate.first))
        first = ranked[0].candidate
        attention = sum(float(self.material.attention[source(index).number]) for index in first.sentences)
        return _Expansion(tuple(ranked), attention / first.size)

    def forget(self, grams: Iterable[Gram], sentences: Iterable[int]) -> None:
        """These grams came to be said, these sentences were taken: what they touch must be ranked anew."""
        touched = {number for gram in grams for number in self.interested_in_gram.get(gram, ())}
        touched.update(number for index in sentences for number in self.interested_in_sentence.get(index, ()))
        for number in touched:
            for size in self.material.sizes:
                self.known.pop((number, size), None)


class Decoder:
    """Builds one summary of one document."""

    def __init__(self, material: Material, measure: Measure, limit: int) -> None:
        self.material = material
        self.lengths = [unit.length(measure) for unit in material.units]
        self.draft = Draft(measure, limit, self.lengths)
        self.live = material.attention.copy()  # A at this step, not yet renormalised
        self.taken: set[int] = set()  # source sentences that are in the summary
        self.settled: set[int] = set()  # those, and the ones passed over as a prototype sentence
        self.steps: list[Step] = []
        self.roomy = limit > measure.total(self.lengths[: material.drafted])
        self.expander = _Expander(material)

    def run(self) -> tuple[list[Piece], list[Step]]:
        self.place()
        self.magnify()
        return list(self.draft.pieces.values()), self.steps

    def place(self) -> None:
        """Copy or expand the prototype's sentences, highest p_o first."""
        drafted, sizes = self.material.drafted, self.material.sizes
        waiting = np.ones(drafted, dtype=bool)
        reserved = sum(self.lengths[:drafted]) + self.draft.measure.joint * drafted
        for turn in range(drafted):
            size = sizes[turn * len(sizes) // drafted]
            chances, number = self._highest(waiting, size)
            waiting[number] = False
            reserved -= self.lengths[number] + self.draft.measure.joint
            self._settle(self.material.units[number], chances, self._expansion(number, size).ranking, reserved)

    def _highest(self, waiting: np.ndarray, size: int) -> tuple[Chances, int]:
        """The waiting sentence with the highest p_o. Paper: Eq. (6)-(8)."""
        numbers = np.flatnonzero(waiting)
        mass = float(self.live.sum()) or 1.0
        p_copy = self.live[numbers] / mass
        p_expand = np.array([self._expansion(number, size).worth for number in numbers.tolist()]) / mass
        possible = ~np.isnan(p_expand)
        p_o, alpha = soft_switch(p_copy, np.where(possible, p_expand, p_copy))
        best = int(np.argmax(p_o))
        if possible[best]:
            chances = Chances(mass, float(p_copy[best]), float(p_expand[best]), float(alpha[best]), float(p_o[best]))
        else:
            chances = Chances(mass, float(p_copy[best]), None, 0.0, float(p_copy[best]))
        return chances, int(numbers[best])

    def _expansion(self, number: int, size: int) -> _Expansion:
        """E(s), unless the prototype alone fills the budget: then there is copying only."""
        return self.expander.expansion(number, size, self.draft, self.taken) if self.roomy else _Expansion()

    def _settle(self, unit: Unit, chances: Chances, ranking: tuple[Ranked, ...], reserved: int) -> None:
        """Expand where P_e >= P_c and those still waiting keep their room; else copy; else pass over."""
        draft = self.draft
        if chances.p_expand is not None and chances.p_expand >= chances.p_copy:
            run = [self.material.source(index) for index in ranking[0].candidate.sentences]
            needs = draft.cost(run)
            if needs + reserved <= draft.room and not draft.is_repetitive(run):
                self._take(unit, "place", "expand", chances, run, needs, ranking)
                return
        self._copy_or_pass(unit, "place", chances, ranking)

    def _copy_or_pass(self, unit: Unit, stage: str, chances: Chances, ranking: tuple[Ranked, ...] = ()) -> None:
        needs = self.draft.cost([unit])
        if needs > self.draft.room:
            self._pass(unit, stage, TOO_LONG, chances, needs, ranking)
        elif self.draft.is_repetitive([unit]):
            self._pass(unit, stage, REPEATS, chances, needs, ranking)
        elif self.draft.pieces and unit.says_little:
            self._pass(unit, stage, SAYS_LITTLE, chances, needs, ranking)
        else:
            self._take(unit, stage, "copy", chances, [unit], needs, ranking)

    def magnify(self) -> None:
        """Fill the room that is left, most attended first. One sweep is enough: room only shrinks."""
        shortest = min(self.lengths)
        for unit in self._magnifiable():
            if self.draft.room < shortest:
                break
            if unit.origin == "prototype":
                self._expand_copied(unit)
            elif unit.source not in self.settled:
                mass = float(self.live.sum()) or 1.0
                p_copy = float(self.live[unit.number]) / mass
                self._copy_or_pass(unit, "magnify", Chances(mass, p_copy, None, 0.0, p_copy))

    def _magnifiable(self) -> list[Unit]:
        """Source sentences by their attention, and copied sentences by that of what they can become."""
        values: list[tuple[float, int]] = []
        for unit in self.material.units:
            if unit.origin == "source":
                values.append((-float(self.live[unit.number]), unit.number))
            elif unit.source is None and unit.number in self.draft.pieces and self.roomy:
                worth = self._expansion(unit.number, self.material.sizes[-1]).worth
                if not math.isnan(worth) and self.draft.pieces[unit.number].operation == "copy":
                    values.append((-worth, unit.number))
        return [self.material.units[number] for _, number in sorted(values)]

    def _expand_copied(self, unit: Unit) -> None:
        """Put E(s) in the place of a sentence that was copied in the prototype's own words."""
        expansion = self._expansion(unit.number, self.material.sizes[-1])
        if not expansion.ranking:
            return
        ranking = expansion.ranking
        run = [self.material.source(index) for index in ranking[0].candidate.sentences]
        mass = float(self.live.sum()) or 1.0
        p_expand = expansion.worth / mass
        chances = Chances(mass, 0.0, p_expand, p_expand, p_expand * p_expand)
        needs = self.draft.cost(run, instead_of=[unit])
        if needs > self.draft.room:
            self._pass(unit, "magnify", TOO_LONG, chances, needs, ranking)
        elif self.draft.is_repetitive(run, instead_of=[unit]):
            self._pass(unit, "magnify", REPEATS, chances, needs, ranking)
        else:
            self._take(unit, "magnify", "expand", chances, run, needs, ranking)

    def _take(
        self, turn: Unit, stage: str, operation: str, chances: Chances, units: Sequence[Unit], needs: int,
        ranking: tuple[Ranked, ...],
    ) -> None:  # fmt: skip
        room = self.draft.room
        piece = Piece(len(self.steps), operation, tuple(units))
        changed = self.draft.put(turn, piece, needs)
        sources = tuple(unit.source for unit in units if unit.source is not None)
        self.taken.update(sources)
        self._strike(turn, sources)
        self.expander.forget(changed, sources)
        self._record(turn, stage, operation, "", chances, needs, room, sources, ranking)

    def _pass(
        self, turn: Unit, stage: str, reason: str, chances: Chances, needs: int, ranking: tuple[Ranked, ...]
    ) -> None:
        self._strike(turn, () if turn.source is None else (turn.source,))
        self._record(turn, stage, "pass", reason, chances, needs, self.draft.room, (), ranking)

    def _strike(self, turn: Unit, sources: Sequence[int]) -> None:
        """Zero out what was dealt with, so that it is not attended to again."""
        self.settled.update(sources)
        self.live[[turn.number, *(self.material.source(index).number for index in sources)]] = 0.0

    def _record(
        self, turn: Unit, stage: str, operation: str, reason: str, chances: Chances, needs: int, room: int,
        sources: tuple[int, ...], ranking: tuple[Ranked, ...],
    ) -> None:  # fmt: skip
        number = len(self.steps)
        self.steps.append(
            Step(number, stage, turn.number, operation, reason, chances, needs, room, self.draft.room, sources, ranking)
        )
