"""The partly built summary: its pieces, the room left, and what it says already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mls.budget import Measure
from mls.forms.names import Name
from mls.forms.parts import Part
from mls.magnifier.speakers import Speakers
from mls.magnifier.units import Gram, Unit
from mls.text import Document

REPETITIVE = 0.3  # a run with more of its trigrams already said is passed over: C1 before C3


@dataclass(frozen=True)
class Piece:
    """Units that went into the summary in one step and stand at one position."""

    step: int
    operation: str
    units: tuple[Unit, ...]


@dataclass(frozen=True)
class Line:
    """A sentence of the summary as a decoder leaves it: its words, and the stretches of the document they are from."""

    unit: Unit
    text: str
    operation: str
    step: int
    spans: tuple[tuple[int, int], ...]
    dropped: tuple[Part, ...] = ()  # of the source sentence
    names: tuple[tuple[int, Name], ...] = ()  # that stand in the place of some of its tokens


class Draft:
    """Keeps the hard budget: nothing enters that the room does not hold."""

    def __init__(
        self, measure: Measure, limit: int, lengths: Sequence[int], speakers: Speakers | None = None
    ) -> None:  # fmt: skip
        self.measure = measure
        self.room = limit
        self.lengths = lengths
        self.speakers = speakers  # where it says who speaks
        self.pieces: dict[int, Piece] = {}  # by the number of the unit whose turn it was
        self.said: Counter[Gram] = Counter()

    def lines(self, document: Document) -> list[Line]:
        """The sentences of all pieces, each with the whole source sentence it stands for."""
        found = []
        for piece in self.pieces.values():
            for unit in piece.units:
                source = document.sentences[unit.anchor]
                text = self.speakers.named(unit.anchor, unit.text) if self.speakers else unit.text
                found.append(Line(unit, text, piece.operation, piece.step, ((source.start, source.end),)))
        return found

    def cost(self, units: Sequence[Unit], instead_of: Sequence[Unit] = ()) -> int:
        """The room that adding these units takes, joints included."""
        first_joint = 0 if self.pieces else self.measure.joint
        return self._length(units) - self._length(instead_of) - first_joint + self._names(units)

    def _names(self, units: Sequence[Unit]) -> int:
        """The room of the names that have to be said before these units."""
        if self.speakers is None:
            return 0
        there = {unit.anchor for piece in self.pieces.values() for unit in piece.units}
        added = {unit.anchor for unit in units}
        return self.speakers.room_of(there | added) - self.speakers.room_of(there)

    def _length(self, units: Sequence[Unit]) -> int:
        return sum(self.lengths[unit.number] + self.measure.joint for unit in units)

    def repeats(self, unit: Unit) -> int:
        """How many of a unit's word bigrams and trigrams are said already."""
        return len(self.said.keys() & unit.grams)

    def is_repetitive(self, units: Sequence[Unit], instead_of: Sequence[Unit] = ()) -> bool:
        """Whether too many of the units' trigrams are said already, by other pieces."""
        own = Counter(gram for unit in instead_of for gram in unit.grams)
        wanted = frozenset(gram for unit in units for gram in unit.trigrams)
        return sum(self.said[gram] > own[gram] for gram in wanted) > REPETITIVE * len(wanted)

    def put(self, turn: Unit, piece: Piece, needs: int) -> set[Gram]:
        """Add a piece, or put it in the place of the one that this turn gave before.

        Answers the grams of which it changed whether they are said.
        """
        replaced = self.pieces[turn.number].units if turn.number in self.pieces else ()
        changed = {gram for unit in piece.units for gram in unit.grams if not self.said[gram]}
        changed.update(gram for unit in replaced for gram in unit.grams)
        for unit in replaced:
            self.said -= Counter(unit.grams)
        self.pieces[turn.number] = piece
        for unit in piece.units:
            self.said.update(unit.grams)
        self.room -= needs
        return changed
