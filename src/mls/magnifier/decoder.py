"""The decoder: copies and expands sentences until the budget is full. Paper: section 2.2 C.

It works in two stages. *Place* takes the prototype's sentences, highest p_o first, and copies or
expands each. *Magnify* fills the room that is left: source sentences are copied and sentences that
the prototype worded itself are expanded, most attended first. In the paper the prototype has the
first say; where it has not, a source sentence with a higher p_o than any of the prototype's is
copied before it. Every decision is a `Step`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mls.analysis import Analysis
from mls.budget import Measure
from mls.errors import MlsError
from mls.forms.ladder import Form
from mls.forms.ladders import Rungs
from mls.kernels.base import Scores
from mls.magnifier.draft import Draft, Line, Piece
from mls.magnifier.expansion import COMPARABLE, RERANKED, Candidate
from mls.magnifier.manners import Manner
from mls.magnifier.units import Gram, Unit

# Why a sentence is passed over.
REPEATS = "repeats what the summary says already"
TOO_LONG = "too long for the room left"
SAYS_LITTLE = "says too little by itself"
NOTHING_FULLER = "it says little, but no fuller sentence fits"
# What the reader decided.
PINNED = "you pinned it"
BANNED = "you banned what it says"
# Why one is expanded, or copied and not expanded.
WORTH_MORE = "its expansion is attended to at least as much (P_e >= P_c)"
FILLS = "the most attended of what is left that fits"
NOTHING_TO_EXPAND = "there is nothing to expand it to"
PROTOTYPE_FILLS = "the prototype fills the budget, so there is copying only"
WORTH_LESS = "it is attended to more than its expansion (P_c > P_e)"
WOULD_CROWD_OUT = "its expansion would crowd out the sentences still waiting"
WOULD_REPEAT = "its expansion would repeat what the summary says already"

AHEAD = 1 + 1e-9  # what a source sentence must have more of, so that rounding decides nothing


@dataclass(frozen=True)
class Ranked:
    """A candidate of E(s), and how many word bigrams and trigrams it would repeat."""

    candidate: Candidate
    repeats: int


@dataclass(frozen=True)
class Choice:
    """In which manner a summary was written, and how well readers are likely to like it in each that was weighed."""

    manner: Manner
    liked: Mapping[str, float]  # by the name of the manner; empty where there was one


@dataclass(frozen=True, slots=True)
class Probabilities:
    """What one unit's turn was decided by. Paper: P_c, P_e, alpha and p_o of Eq. (6)-(8)."""

    mass: float  # of the attention left, by which it was renormalised
    p_copy: float
    p_expand: float | None  # None where there was nothing to expand to
    alpha: float
    p_o: float


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of the decoder, with everything it was based on."""

    number: int
    stage: str  # "place", "magnify" or "shorten"
    unit: int  # whose turn it was
    operation: str  # "copy", "expand", "shorten", "keyphrase", "document" or "pass"
    reason: str
    probabilities: Probabilities | None  # None where nothing was weighed: a baseline, the document itself
    takes: int | Callable[[], int]  # room; of what was passed over it is worked out when somebody asks
    room_before: int
    room_after: int
    sources: tuple[int, ...]  # the source sentences that went in
    candidates: tuple[Ranked, ...]  # among which E(s) was chosen
    weighed: tuple[tuple[int, Rungs], ...] = ()  # the sentences that were, and what could be used of each
    gains: tuple[tuple[int, float], ...] = ()  # of those that were weighed against each other, for a reader

    @property
    def needs(self) -> int:
        """The room the operation takes, or would have taken."""
        return self.takes if isinstance(self.takes, int) else self.takes()

    @property
    def forms(self) -> tuple[tuple[int, tuple[Form, ...]], ...]:
        """The forms of the sentences that were weighed, shortest first."""
        return tuple((index, rungs.forms) for index, rungs in self.weighed)


def expect_room(needs: int, room: int, measure: Measure, pins: int) -> None:
    """An error for sentences that are pinned but don't fit, which says how much they need."""
    if needs > room:
        what = "the sentence that is pinned needs" if pins == 1 else f"the {pins} sentences that are pinned need"
        unit = "characters" if measure.unit == "chars" else measure.unit
        raise MlsError(f"{what} {needs} {unit}, and the budget holds {room}; give more, or take a pin away")


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


@dataclass(frozen=True)
class _Turn:
    """A unit whose turn it is, and what is known about it."""

    stage: str
    unit: Unit
    probabilities: Probabilities
    ranking: tuple[Ranked, ...] = ()


class _Expander:
    """Knows the current E(s) of every prototype sentence.

    E(s) changes only when the summary takes a sentence of one of its candidates or comes to repeat
    some words of one; just those are ranked anew.
    """

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.known: dict[tuple[int, int], _Expansion] = {}
        self.interested_in_gram: dict[Gram, set[int]] = defaultdict(set)
        self.interested_in_sentence: dict[int, set[int]] = defaultdict(set)
        for number, by_size in enumerate(analysis.expansions.candidates):
            for index in {index for runs in by_size.values() for run in runs for index in run.sentences}:
                self.interested_in_sentence[index].add(number)
                for gram in analysis.source(index).grams:
                    self.interested_in_gram[gram].add(number)

    def expansion(self, number: int, size: int, draft: Draft, taken: set[int]) -> _Expansion:
        """E(s): of the best free runs of this size the one that repeats least. Paper: section 2.2 C."""
        known = self.known.get((number, size))
        if known is None:
            known = self.known[number, size] = self._find(number, size, draft, taken)
        return known

    def _find(self, number: int, size: int, draft: Draft, taken: set[int]) -> _Expansion:
        runs = self.analysis.expansions.candidates[number].get(size, ())
        free = [run for run in runs if taken.isdisjoint(run.sentences)][:RERANKED]
        if not free:
            return _Expansion()
        free = [run for run in free if run.score >= COMPARABLE * free[0].score]
        source = self.analysis.source
        ranked = [Ranked(run, sum(draft.repeats(source(index)) for index in run.sentences)) for run in free]
        ranked.sort(key=lambda entry: (entry.repeats, -entry.candidate.score, entry.candidate.first))
        first = ranked[0].candidate
        attention = sum(float(self.analysis.attention[source(index).number]) for index in first.sentences)
        return _Expansion(tuple(ranked), attention / first.size)

    def forget(self, grams: Iterable[Gram], sentences: Iterable[int]) -> set[int]:
        """These grams came to be said, these sentences were taken: what they touch must be ranked anew."""
        touched = {number for gram in grams for number in self.interested_in_gram.get(gram, ())}
        touched.update(number for index in sentences for number in self.interested_in_sentence.get(index, ()))
        for number in touched:
            for size in self.analysis.sizes:
                self.known.pop((number, size), None)
        return touched


class Decoder:
    """Builds one summary of one document."""

    choice = None  # there is one manner

    def __init__(self, analysis: Analysis, measure: Measure, limit: int) -> None:
        self.analysis = analysis
        self.lengths = [unit.length(measure) for unit in analysis.units]
        self.shortest = min(self.lengths)
        self.draft = Draft(measure, limit, self.lengths)
        self.live = analysis.attention.copy()  # A at this step, not yet renormalised
        self.taken: set[int] = set()  # source sentences that are in the summary
        self.settled: set[int] = set()  # those, and the ones passed over as a prototype sentence
        self.slight: list[_Turn] = []  # passed over only because they say so little
        self.passed: list[Unit] = []  # passed over because they were too long or repeated something
        self.freed = False  # whether something took the place of what was there: then they may do after all
        self.steps: list[Step] = []
        self.roomy = limit > measure.total(self.lengths[: analysis.drafted])
        self.expander = _Expander(analysis)
        self.worths = np.full(analysis.drafted, np.nan)  # the mean attention of each E(s),
        self.outdated: set[int] = set()  # but for those that must be looked at again
        self.taken.update(analysis.bans)  # as good as taken: nothing may be expanded to them
        self.settled.update(analysis.bans)
        self.live[[analysis.source(index).number for index in analysis.bans]] = 0.0

    def run(self) -> tuple[list[Line], list[Step]]:
        self._pin([self.analysis.source(index) for index in self.analysis.pins])
        self.place()
        self.magnify()
        if self.slight and not self.draft.pieces:
            self._take(self.slight[0], "copy", NOTHING_FULLER, [self.slight[0].unit])
        return self.draft.lines(self.analysis.document), self.steps

    def _pin(self, units: Sequence[Unit]) -> None:
        """Copy what the reader wants in, before anything else."""
        expect_room(self.draft.cost(units) if units else 0, self.draft.room, self.draft.measure, len(units))
        for unit in units:
            self._take(_Turn("place", unit, self._attention(unit)), "copy", PINNED, [unit])

    def place(self) -> None:
        """Copy or expand the prototype's sentences, highest p_o first."""
        drafted = self.analysis.drafted
        waiting = np.ones(drafted, dtype=bool)
        reserved = sum(self.lengths[:drafted]) + self.draft.measure.joint * drafted
        queue = [] if self.analysis.prototype_first else self._sources_by_attention()
        size = 0
        while waiting.any() and (self.analysis.prototype_first or self.draft.room >= self.shortest):
            size = self._size(drafted - int(waiting.sum()), size)
            probabilities, number = self._highest(waiting, size)
            while queue and queue[-1].source in self.settled:
                queue.pop()
            if queue and self._attention(queue[-1]).p_o > probabilities.p_o * AHEAD:
                self._copy_source(queue.pop())
                continue
            waiting[number] = False
            reserved -= self.lengths[number] + self.draft.measure.joint
            turn = _Turn("place", self.analysis.units[number], probabilities, self._expansion(number, size).ranking)
            self._settle(turn, reserved if self.analysis.prototype_first else 0)

    def _sources_by_attention(self) -> list[Unit]:
        """The source sentences, the most attended last."""
        sources = self.analysis.units[self.analysis.drafted :]
        return sorted(sources, key=lambda unit: (self.live[unit.number], -unit.number))

    def _attention(self, unit: Unit) -> Probabilities:
        """The probabilities of a sentence that can only be copied."""
        mass = float(self.live.sum()) or 1.0
        p_copy = float(self.live[unit.number]) / mass
        return Probabilities(mass, p_copy, None, 0.0, p_copy)

    def _copy_source(self, unit: Unit) -> None:
        self._copy_or_pass(_Turn("magnify", unit, self._attention(unit)), FILLS)

    def _size(self, placed: int, before: int) -> int:
        """How many sentences E(s) has, now that so many were placed; if it changes, all E(s) do."""
        sizes, drafted = self.analysis.sizes, self.analysis.drafted
        size = sizes[placed * len(sizes) // drafted]
        if size != before:
            self.outdated.update(range(drafted))
        return size

    def _highest(self, waiting: np.ndarray, size: int) -> tuple[Probabilities, int]:
        """The waiting sentence with the highest p_o. Paper: Eq. (6)-(8)."""
        numbers = np.flatnonzero(waiting)
        mass = float(self.live.sum()) or 1.0
        p_copy = self.live[numbers] / mass
        for number in self.outdated:
            self.worths[number] = self._expansion(number, size).worth
        self.outdated.clear()
        p_expand = self.worths[numbers] / mass
        possible = ~np.isnan(p_expand)
        p_o, alpha = soft_switch(p_copy, np.where(possible, p_expand, p_copy))
        p_o = np.where(possible, p_o, p_copy)
        best = int(np.argmax(p_o))
        if possible[best]:
            probabilities = Probabilities(
                mass, float(p_copy[best]), float(p_expand[best]), float(alpha[best]), float(p_o[best])
            )
        else:
            probabilities = Probabilities(mass, float(p_copy[best]), None, 0.0, float(p_copy[best]))
        return probabilities, int(numbers[best])

    def _expansion(self, number: int, size: int) -> _Expansion:
        """E(s), unless the prototype alone fills the budget: then there is copying only."""
        return self.expander.expansion(number, size, self.draft, self.taken) if self.roomy else _Expansion()

    def _settle(self, turn: _Turn, reserved: int) -> None:
        """Expand where P_e >= P_c and those still waiting keep their room; else copy; else pass over."""
        obstacle = self._obstacle_to_expanding(turn, reserved)
        if obstacle:
            self._copy_or_pass(turn, obstacle)
        else:
            self._take(turn, "expand", WORTH_MORE, self._run(turn))

    def _obstacle_to_expanding(self, turn: _Turn, reserved: int) -> str | None:
        if turn.probabilities.p_expand is None:
            return NOTHING_TO_EXPAND if self.roomy else PROTOTYPE_FILLS
        if turn.probabilities.p_expand < turn.probabilities.p_copy:
            return WORTH_LESS
        run = self._run(turn)
        if self.draft.cost(run) + reserved > self.draft.room:
            return WOULD_CROWD_OUT
        return WOULD_REPEAT if self.draft.is_repetitive(run) else None

    def _run(self, turn: _Turn) -> list[Unit]:
        """E(s): the first of the ranking."""
        return [self.analysis.source(index) for index in turn.ranking[0].candidate.sentences]

    def _copy_or_pass(self, turn: _Turn, reason: str) -> None:
        unit = turn.unit
        if unit.anchor in self.analysis.bans:
            self._pass(turn, BANNED, [unit])
        elif obstacle := self._obstacle([unit]):
            self._pass(turn, obstacle, [unit])
            self.passed.append(unit)
        elif unit.says_little:
            self._pass(turn, SAYS_LITTLE, [unit])
            self.slight.append(turn)
        else:
            self._take(turn, "copy", reason, [unit])

    def _obstacle(self, units: Sequence[Unit], instead_of: Sequence[Unit] = ()) -> str | None:
        """Why units can't go in as things are."""
        if self.draft.cost(units, instead_of) > self.draft.room:
            return TOO_LONG
        return REPEATS if self.draft.is_repetitive(units, instead_of) else None

    def magnify(self) -> None:
        """Fill the room that is left, most attended first, until nothing changes (C3).

        What takes the place of a copied sentence may be shorter, or no longer say what others repeat: then those that
        were passed over have another turn, told of only if they are taken.
        """
        for unit in self._magnifiable(self.analysis.units[self.analysis.drafted :]):
            if self.draft.room < self.shortest:
                break
            if unit.origin == "prototype":
                self._expand_copied(unit)
            elif unit.source not in self.settled:
                self._copy_source(unit)
        while self.freed and self.draft.room >= self.shortest and self._go_on():
            pass

    def _magnifiable(self, others: Iterable[Unit]) -> list[Unit]:
        """Some sentences by their attention, and copied ones by that of what they can become."""
        values = [(-float(self.live[unit.number]), unit.number) for unit in others]
        for number, piece in self.draft.pieces.items() if self.roomy else ():
            if number < self.analysis.drafted and piece.operation == "copy" and piece.units[0].source is None:
                worth = self._expansion(number, self.analysis.sizes[-1]).worth
                values += [] if math.isnan(worth) else [(-worth, number)]
        return [self.analysis.units[number] for _, number in sorted(values)]

    def _go_on(self) -> bool:
        """Take the first of what was passed over, or could not be expanded, that does now."""
        again = [u for u in self.passed if u.source not in self.taken and u.number not in self.draft.pieces]
        for unit in again:
            self.live[unit.number] = self.analysis.attention[unit.number]
        for unit in self._magnifiable(again):
            if unit.number in self.draft.pieces:
                if self._expand_copied(unit, only_if_it_fits=True):
                    return True
            elif not unit.says_little and not self._obstacle([unit]):
                self._take(_Turn("magnify", unit, self._attention(unit)), "copy", FILLS, [unit])
                return True
        return False

    def _expand_copied(self, unit: Unit, only_if_it_fits: bool = False) -> bool:
        """Put E(s) in the place of a sentence that was copied in the prototype's own words."""
        expansion = self._expansion(unit.number, self.analysis.sizes[-1])
        if not expansion.ranking:
            return False
        mass = float(self.live.sum()) or 1.0
        p_expand = expansion.worth / mass
        turn = _Turn(
            "magnify", unit, Probabilities(mass, 0.0, p_expand, p_expand, p_expand * p_expand), expansion.ranking
        )
        run = self._run(turn)
        obstacle = self._obstacle(run, instead_of=[unit])
        if not obstacle:
            self._take(turn, "expand", FILLS, run, instead_of=[unit])
            self.freed = True
        elif not only_if_it_fits:
            self._pass(turn, obstacle, run, instead_of=[unit])
        return not obstacle

    def _take(
        self, turn: _Turn, operation: str, reason: str, units: Sequence[Unit], instead_of: Sequence[Unit] = ()
    ) -> None:
        room, needs = self.draft.room, self.draft.cost(units, instead_of)
        changed = self.draft.put(turn.unit, Piece(len(self.steps), operation, tuple(units)), needs)
        sources = tuple(unit.source for unit in units if unit.source is not None)
        self.taken.update(sources)
        self._strike(turn.unit, sources)
        self.outdated |= self.expander.forget(changed, sources)
        self._record(turn, operation, reason, needs, room, sources)

    def _pass(self, turn: _Turn, reason: str, units: Sequence[Unit], instead_of: Sequence[Unit] = ()) -> None:
        unit = turn.unit
        self._strike(unit, () if unit.source is None else (unit.source,))
        self._record(turn, "pass", reason, self.draft.cost(units, instead_of), self.draft.room, ())

    def _strike(self, unit: Unit, sources: Sequence[int]) -> None:
        """Zero out what was dealt with, so that it is not attended to again."""
        self.settled.update(sources)
        self.live[[unit.number, *(self.analysis.source(index).number for index in sources)]] = 0.0

    def _record(
        self, turn: _Turn, operation: str, reason: str, needs: int, room: int, sources: tuple[int, ...]
    ) -> None:
        number, left = len(self.steps), self.draft.room
        step = Step(
            number,
            turn.stage,
            turn.unit.number,
            operation,
            reason,
            turn.probabilities,
            needs,
            room,
            left,
            sources,
            turn.ranking,
        )
        self.steps.append(step)
