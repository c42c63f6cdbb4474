"""Growth: a summary that is written for a reader, in one manner; `wholes` takes the best of several.

Every sentence stands at the foot of a ladder: brief forms of it, the whole sentence, the sentence with what it leans
on. A summary grows from a few words through fixed lengths to its own, and what it says at one length it still says
at the next, in the same or a fuller form. *Copy* takes a sentence, in the longest form that fits; *expand* takes it
together with what it leans on, or climbs from a brief form to a fuller one. Paper: section 2.2 C.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from functools import cache, partial
from types import MappingProxyType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from mls.analysis import ANSWERS, Analysis
from mls.budget import Measure
from mls.forms.ladder import SURE_ENOUGH, Form
from mls.forms.ladders import Rungs
from mls.forms.names import Name
from mls.genres import TERSE
from mls.kernels.base import Scores
from mls.kernels.focus import stem
from mls.leaning import Lean
from mls.magnifier.decoder import PINNED, REPEATS, TOO_LONG, Choice, Probabilities, Step, expect_room
from mls.magnifier.draft import REPETITIVE, Line
from mls.magnifier.gains import Gains, judged
from mls.magnifier.manners import ENDING, Manner, usual_manner
from mls.magnifier.multiplex import Multiplex
from mls.magnifier.speakers import Speakers
from mls.magnifier.units import Gram

STANDS = "the most wanted of what is left, and it stands by itself here"
GAINED = "of what is wanted most, a reader gains most by it here"
WITH_OTHERS = "taken with what it leans on"
FULLER = "there is room for a fuller form of it"
LEANS = "it leans on a sentence that can't come along"
FAR_BELOW = "it is worth far less than what is there, and is not taken as filler"
NOTHING_BETTER = "it says little by itself, but nothing better fits"
ENOUGH_TRIED = "so many that were wanted more did not fit"
HEADLINE = "set apart from the text, it says more than all that fits beside it"

FIRST_LENGTH = {"tokens": 16, "words": 14, "chars": 90}  # and twice that, and so on
NEAR = 1.5  # where gains are asked, what is hardly longer than one of these lengths does not go through it
LEAST_UNDERSTOOD = 0.7  # probability, below which a sentence is not taken
CAUTION = 2  # the power with which that probability counts: what is not understood harms more than it says
WORTH_SUPPORT = 0.2  # probability that something is missed, from which on it comes along
SUMS_UP = 2.0  # how much more is wanted what its writer calls a summary
FEWEST_WORDS = 6  # of a sentence that is taken for its own sake
FEWEST_TERSE = 3  # the same where people are terse
BRIEF_SHARE = 0.6  # of what a sentence is worth, the least that a form of it keeps
FIRST_SHARE = 0.1  # the same of the first that is taken: a little of the point says more than a side matter
ONE_POWER = 4.0  # with which a reader's gain counts of the one sentence for which there is room
FIRST_POWER = 0.1  # with which that counts where there is room for one: half of the point beats a side matter
SET_APART = 0.5  # how much of its worth counts of a line that is set apart: it speaks of a picture, or of what follows
FULL_SHARE = 0.8  # a form that keeps less is made fuller before anything is added
OF_A_LIST = 0.5  # how much of the floor holds for an item of a list
SAME = 0.6  # of the words of two sentences that say the same
MOST_SUPPORT = 3  # sentences that one may bring along
_PHRASE = {"tokens": 6, "words": 5, "chars": 25}  # with less room a phrase says more than a sentence could
AT_ONCE = 8  # sentences that fit and are weighed against each other where gains are asked: those that are wanted most
SPOILED = 0.8  # of what is gained by a whole sentence, below which a form of it waits for more room
GAIN_DECIMALS = 9  # of a mean of gains
MOST_TRIED = 40  # sentences that may fail to fit before the room that is left stays empty


EMPTY: Mapping[int, float] = MappingProxyType({})
NOBODY: Mapping[int, tuple[Name, ...]] = MappingProxyType({})


class Plan(NamedTuple):
    """A way to take a sentence, and what it is worth so."""

    value: float
    along: list[int]  # what it leans on, and comes with it
    named: tuple[int, ...]  # which of its names stand in the place of pronouns


class Weighed(NamedTuple):
    """How a sentence would come in: what that counts for, in which forms, and all sentences whose forms were tried."""

    counts: float
    gain: float | None  # for a reader, where it was asked
    changes: dict[int, Form]
    rungs: dict[int, Rungs]  # of which these are forms
    tried: frozenset[int]


class Growth:
    """Builds one summary of one document, in one manner."""

    def __init__(self, analysis: Analysis, measure: Measure, limit: int, manner: Manner | None = None) -> None:
        assert analysis.ladders is not None
        self.analysis = analysis
        self.manner = manner or usual_manner(analysis)
        self.choice: Choice | None = Choice(self.manner, {})
        self.ladders = analysis.ladders
        self.measure = measure
        self.limit = limit
        self.says_one = self._is_room_for_one(limit) and not analysis.answers and not analysis.pins
        naming = analysis.naming if self.says_one else None  # elsewhere readers would rather have them introduced
        self.leans, self.names = (naming.leans, naming.names) if naming else (analysis.leans, NOBODY)
        self.used = 0
        self.forms: dict[int, Form] = {}  # of the sentences that are in the summary
        self.made: dict[int, tuple[int, str]] = {}  # the last step that touched each, and what it did
        self.known: dict[int, Rungs] = {}  # forms that were asked for and can be used as things are
        self.steps: list[Step] = []
        self.said: set[Gram] = set()
        self.saying: dict[str, tuple[int, ...]] = {}  # the sentences in it that have each word
        self.repeats: set[int] = set()  # sentences that say too much of it again
        start = _grown.setdefault(analysis.multiplex, {}).setdefault((*self._marks(), 0), {})
        if not start:
            self._survey(analysis)
            start.update(_copied({name: self.__dict__[name] for name in _SURVEYED}))
        self.__dict__.update({name: start[name] for name in _SURVEYED} | _copied({n: start[n] for n in _STARTED}))

    def _marks(self) -> tuple[object, ...]:
        """What, beside the length, decides how a summary grows."""
        return self.measure.unit, self.analysis.bans, self.manner, self.says_one

    def _survey(self, analysis: Analysis) -> None:
        """All that is the same for every length, looked up once."""
        self.worth = worth_of(analysis, self.manner)
        self.leaning_on = _inverse(analysis)
        sentences = analysis.document.sentences
        self.items: dict[int, set[int]] = {}  # of each list, by what announces it
        for sentence in sentences:
            if sentence.listed is not None:
                self.items.setdefault(sentence.listed, set()).add(sentence.index)
        self.content = cache(lambda index: frozenset(sentences[index].content))
        self.before = analysis.document.before
        self.after = {before: index for index, before in enumerate(self.before) if analysis.source(index).is_prose}
        self.speakers = Speakers.of(analysis.document, self.measure)
        count = len(self.worth)
        self.begins_end = math.ceil(ENDING * count)
        self.barred = {i for i in range(count) if not analysis.source(i).is_prose} | set(analysis.bans)
        self.slight = {i for i in range(count) if i not in self.barred and self._is_slight(i)}
        self.open = np.array([i not in self.barred and i not in self.slight for i in range(count)], dtype=bool)
        self.plans: list[list[Plan]] = [[] for _ in range(count)]  # ways to take each, as things are
        self.wanted = np.array([self._wanted(i) for i in range(count)])
        self.voices = analysis.document.voices
        self.gains = Gains(analysis, self.worth)
        self.unheard = np.array([self.manner.other_voice if voice else 1.0 for voice in self.voices])

    def run(self) -> tuple[list[Line], list[Step]]:
        self._pin({index: self._usable(index) for index in self.analysis.pins})
        *stages, last = self._lengths()
        self._go_through(stages)
        self._grow(last, final=True)
        if not self.forms and not self.analysis.document.speakers:
            self._least()
        if not self.analysis.pins:
            self._headline()
        return self._lines(), self.steps

    def _go_through(self, stages: Sequence[int]) -> None:
        """Grow to the lengths before the last. They are the same for every limit, so they are gone through once."""
        grown = _grown.setdefault(self.analysis.multiplex, {})
        marks = self._marks()
        known = 0 if self.analysis.pins else sum((*marks, stage) in grown for stage in stages)
        if known:
            self.__dict__.update(_copied(grown[*marks, stages[known - 1]]))
        for stage in stages[known:]:
            self._grow(stage, final=False)
            if not self.analysis.pins:
                grown[*marks, stage] = _copied({name: self.__dict__[name] for name in _STATE})

    def _pin(self, ladders: dict[int, Rungs]) -> None:
        """Take what the reader wants in before anything else, each as long as leaves room for the others."""
        briefest = {index: rungs.forms[0] for index, rungs in ladders.items()}
        expect_room(self._cost(briefest) if briefest else 0, self.limit, self.measure, len(briefest))
        for index, rungs in ladders.items():
            del briefest[index]
            fitting = (
                form
                for form in reversed(rungs.forms)
                if self._cost({**briefest, index: form}) <= self.limit - self.used
            )
            self._record(index, {index: next(fitting)}, "copy", PINNED, self.limit, {index: rungs})

    def _lengths(self) -> Iterable[int]:
        length = FIRST_LENGTH[self.measure.unit]
        near = NEAR if self.manner.gain_power else 2 if self.says_one else 1
        while length * near < self.limit:
            yield length
            length *= 2
        yield self.limit

    @property
    def gain_power(self) -> float:
        """With which a reader's gain counts: as the manner wants it, and of the one that is all that is said."""
        if self.analysis.answers:
            return 0.0
        return self.manner.gain_power or (ONE_POWER if self.says_one and not self.forms else 0.0)

    def _grow(self, limit: int, final: bool) -> None:
        """Make fuller what is too brief, then add, then make fuller what there is room for."""
        for index in self._by_worth(self.forms):
            if self.forms[index].share < FULL_SHARE:
                self._climb(index, limit)
        waiting = self.open.copy()
        tries = MOST_TRIED
        while waiting.any() and (final or not self._is_too_brief()):
            settled, tries = self._weigh_some(waiting, limit, final, tries)
            if not settled:
                break
            chosen = max(settled, key=lambda index: (settled[index].counts, -index))
            if not final and self._is_spoiled(chosen, settled[chosen]):
                break  # with more room more is gained by it
            self._put(chosen, settled, limit)
            waiting &= self.open
        for index in self._by_worth(self.forms) if final else ():
            self._climb(index, limit)

    def _weigh_some(
        self, waiting: NDArray[np.bool_], limit: int, final: bool, tries: int
    ) -> tuple[dict[int, Weighed], int]:
        """Of what is wanted most, what fits; and how many more may fail to. What can't come in waits no longer."""
        settled: dict[int, Weighed] = {}
        wanted = np.where(waiting, self.wanted * self.unheard, -1.0)
        for chosen in np.argsort(-wanted, kind="stable")[: waiting.sum()].tolist():
            best = max((one.counts for one in settled.values()), default=-1.0)
            if (self.gain_power and len(settled) == AT_ONCE) or best >= wanted[chosen]:
                break
            found = self._weigh(chosen, limit) if tries else ENOUGH_TRIED
            if isinstance(found, Weighed):
                settled[chosen] = found
                continue
            if found == TOO_LONG and not final:  # nothing that is wanted less takes its place
                return (settled if self.gain_power else {}), tries
            waiting[chosen] = False
            if final and found != ENOUGH_TRIED:
                self._pass(chosen, found, limit)
            tries -= found == TOO_LONG
        return settled, tries

    def _counts(self, index: int, plan: Plan, changes: dict[int, Form], limit: int) -> tuple[float, float | None]:
        """What a move counts for: what it is worth, times what a reader gains by it; and that gain.

        Where gains are not asked, it counts how much a form says, and how sure it is. Where there is room for one, and
        of what tells whom an answer speaks of, a little does.
        """
        value = plan.value * float(self.unheard[index])
        power = self.gain_power
        if not power:
            alone = len(changes) == 1 and not self.forms and self._is_room_for_one(limit)
            return value * self._said_of(changes, alone or bool(self._answers_leaning_on(index))), None
        gain = self._gain(changes, {index: plan.named})
        return value * gain**power, gain

    def _said_of(self, changes: Mapping[int, Form], alone: bool) -> float:
        """How much of what some sentences are worth their forms say, and how surely: what is worth more counts more."""
        order = sorted(changes)
        said = [float(self.worth[index]) * self._told(changes[index], alone) * changes[index].sure for index in order]
        return sum(said) / sum(float(self.worth[index]) for index in order)

    def _gain(self, changes: Mapping[int, Form], named: Mapping[int, tuple[int, ...]]) -> float:
        """What a reader gains by sentences that come in together: the mean of what each adds to those before it."""
        order = sorted(changes)
        rows = [self.seen(index, changes, order[:number], named.get(index, ())) for number, index in enumerate(order)]
        return float(judged(rows).mean().round(GAIN_DECIMALS))

    def _is_spoiled(self, index: int, weighed: Weighed) -> bool:
        """Whether far less is gained by a sentence in so brief a form than by all of it."""
        if weighed.gain is None or weighed.changes[index].is_whole:
            return False
        rungs = weighed.rungs[index]
        named = {index: tuple(name.number for name in rungs.named)}
        whole = self._gain(weighed.changes | {index: rungs.fullest}, named)
        return weighed.gain < SPOILED * whole

    def seen(
        self, index: int, changes: Mapping[int, Form], read: Sequence[int] = (), named: tuple[int, ...] = ()
    ) -> list[float]:
        """What the judge of gains sees of a sentence that would come in so, after others that are read before it."""
        there = sorted({*self.forms, *read})
        understood = self.understood(index, tuple(changes), named)
        return self.gains.seen(index, changes[index], there, understood, bool(self.unheard[index] > 1))

    def _told(self, form: Form, alone: bool) -> float:
        """How much of what a sentence is worth counts of a form of it, alone or beside others."""
        return float(form.share ** (FIRST_POWER if alone else 1.0))

    def _is_room_for_one(self, limit: int) -> bool:
        return limit < 2 * FIRST_LENGTH[self.measure.unit]

    def _is_too_brief(self) -> bool:
        """Whether something that is there should be made fuller before anything is added."""
        return any(form.share < FULL_SHARE for form in self.forms.values())

    def _by_worth(self, indices: Iterable[int]) -> list[int]:
        return sorted(indices, key=lambda index: (-self.worth[index], index))

    def _wanted(self, index: int) -> float:
        """What a sentence is worth here and now: more after the one before it, less without what it leans on."""
        plans = self.plans[index] = self._plans(index)
        return plans[0].value if plans else 0.0

    def _plans(self, index: int) -> list[Plan]:
        """Ways to take a sentence: alone, with a name in a pronoun's place, with what it leans on; the best first."""
        ways: list[tuple[list[int], tuple[int, ...]]] = [([], ())]
        if names := self._names(index):
            ways.append(([], names))
        if self.leans[index] and (support := self._support(index)):
            ways.append((support, self._names(index, support)))
        plans = [Plan(self._value(index, along, named), along, named) for along, named in ways]
        return sorted((plan for plan in plans if plan.value > 0), key=lambda plan: -plan.value)

    def _value(self, index: int, along: Sequence[int], named: tuple[int, ...] = ()) -> float:
        """The mean worth of a sentence and of what comes along, times the probability that both are understood."""
        taken = (index, *along)
        said = [i for i in along if not self.analysis.source(i).text.endswith("?")]  # a question says nothing yet
        leaning = self._answers_leaning_on(index)
        own = max(float(self.worth[one]) for one in (index, *leaning))
        worth = (own + sum(float(self.worth[i]) for i in said)) / (1 + len(said))
        understood = self.understood(index, taken, named)
        if understood < LEAST_UNDERSTOOD:
            return 0.0
        return worth * understood**CAUTION * (self._continues(index, bool(leaning)) * self._ends(index))

    def _continues(self, index: int, answers: bool) -> float:
        """How much more a sentence is wanted for going on from a run of sentences, or for belonging to an answer."""
        run, before = 0, self.before[index]
        while before is not None and before in self.forms:
            run, before = run + 1, self.before[before]
        listed = self.analysis.document.sentences[index].listed in self.forms
        longest = self.manner.continues
        return longest[min(max(run, answers, listed), len(longest)) - 1] if run or answers or listed else 1.0

    def _ends(self, index: int) -> float:
        """How much more a sentence is wanted for saying how a text ends, where nothing of that is there."""
        return self.manner.ending if index >= self.begins_end and not self._has_end() else 1.0

    def _has_end(self) -> bool:
        return any(index >= self.begins_end for index in self.forms)

    def understood(self, index: int, taken: Container[int] = (), named: Collection[int] = ()) -> float:
        """The probability that a reader misses nothing: what a sentence leans on is there, taken too, or not missed.

        Names tell who is meant, as surely as they are right.
        """
        missed = 1.0
        for lean in self.leans[index] if index not in self.analysis.answers else ():
            if lean.droppable or self._is_met(lean) or _are_any(lean, taken):
                continue
            told = any(number in named for number in lean.names)
            missed *= 1 - lean.sure * (lean.left if told else 1.0)
        return missed * math.prod(self.names[index][number].sure for number in named)

    def _names(self, index: int, taken: Container[int] = ()) -> tuple[int, ...]:
        """The names that it can have: nothing that is there, or comes along, tells who is meant."""
        if index not in self.names:
            return ()
        leans = (lean for lean in self.leans[index] if lean.cue and lean.names)
        unmet = (lean.names for lean in leans if not self._is_met(lean) and not _are_any(lean, taken))
        return tuple(sorted(set().union(*unmet)))

    def _support(self, index: int) -> list[int] | None:
        """The sentences that should come along, or None if one of them can't be had. An answer needs none."""
        needed: list[int] = []
        queue = [index]
        while queue:
            leaning = queue.pop()
            for lean in self.leans[leaning] if leaning not in self.analysis.answers else ():
                if lean.droppable or lean.on in needed or lean.on == index or self._is_met(lean):
                    continue
                if lean.names and leaning != index:  # who is meant, a name tells
                    continue
                if lean.sure < WORTH_SUPPORT:
                    continue
                if lean.on is None or self._is_no_help(lean.on) or len(needed) >= MOST_SUPPORT:
                    return None
                needed.append(lean.on)
                queue.append(lean.on)
        return sorted(needed)

    def _is_no_help(self, index: int) -> bool:
        """Whether a sentence is none to bring along; in an answer, what says nothing ("Ye", "But.") only takes room."""
        is_slight = bool(self.analysis.answers) and index in self.slight
        return index in self.barred or (is_slight and not self.analysis.source(index).text.endswith("?"))

    def _answers_leaning_on(self, index: int) -> list[int]:
        """The answers that are there and can be understood better with this sentence, which is wanted as they are."""
        if not self.analysis.answers or index in self.forms:
            return []
        leaning = self.leaning_on.get(index, ())
        return [other for other in leaning if other in self.forms and other in self.analysis.answers]

    def _is_met(self, lean: Lean) -> bool:
        """Whether what a sentence leans on is there already."""
        return _are_any(lean, self.forms)

    def _weigh(self, index: int, limit: int) -> Weighed | str:
        """In which form a sentence would come in, with what it leans on where that is better and fits; or why not."""
        plans = self.plans[index]
        if not plans:
            return LEANS
        if self._is_repetitive(index):
            return REPEATS
        if self.forms and self.worth[index] < self._floor(index) * self._usual_worth():
            return FAR_BELOW
        tried = {index}
        for plan in plans:
            new = self._unsaid(plan.along, index)
            tried |= set(new)
            rungs = {index: self._usable(index, plan.named)} | {other: self._usable(other) for other in new}
            changes = self._fitting(index, rungs, limit - self.used)
            if changes:
                counts = self._counts(index, plan, changes, limit)
                return Weighed(*counts, changes, rungs, frozenset(tried))
        return TOO_LONG

    def _unsaid(self, support: Sequence[int], index: int) -> list[int]:
        """Of what should come along with a sentence, what is not said yet; no line is left to announce nothing."""
        new = [other for other in support if not self._is_repetitive(other)]
        told = {index, *new, *self.forms}
        return [other for other in new if other not in self.items or not told.isdisjoint(self.items[other])]

    def _floor(self, index: int) -> float:
        """Of the mean worth of what is there, the least that a sentence has which is no filler. Items say less each."""
        listed = self.analysis.document.sentences[index].listed
        return self.manner.floor * (1.0 if listed is None else OF_A_LIST)

    def _usual_worth(self) -> float:
        """The mean worth of what is there; a summary of the writer's own sets no measure for the rest."""
        more = [SUMS_UP if self.analysis.document.sentences[index].sums_up else 1.0 for index in self.forms]
        return float(np.mean(self.worth[[*self.forms]] / more))

    def _put(self, index: int, settled: Mapping[int, Weighed], limit: int) -> None:
        """Put a sentence in as it was weighed; the others that were weighed against it are told as well."""
        changes = settled[index].changes
        alone = "copy", GAINED if self.gain_power else STANDS
        made = ("expand", WITH_OTHERS) if len(changes) > 1 else alone
        gains = {other: one.gain for other, one in settled.items() if one.gain is not None}
        tried = frozenset[int]().union(*(one.tried for one in settled.values()))
        rungs = {other: self._usable(other) for other in tried} | settled[index].rungs
        self._record(index, changes, *made, limit, rungs, gains)

    def _fitting(self, index: int, rungs: Mapping[int, Rungs], room: int) -> dict[int, Form] | None:
        """The first forms of a sentence and of what comes along that fit; what comes along is the last made brief."""
        others = {other: own for other, own in rungs.items() if other != index}
        for briefly in (False, True) if others else (False,):
            if briefly and not self._could_fit(rungs.values(), room):
                break
            along = {other: own.forms[0] if briefly else own.fullest for other, own in others.items()}
            for form in self._preferred(rungs[index], room - self._cost(along)):
                changes = along | {index: form}
                if self._cost(changes) <= room:
                    return changes
        return None

    def _preferred(self, rungs: Rungs, room: int) -> Iterable[Form]:
        """The forms of a sentence in the order in which they are tried. None is made where none can fit."""
        if not self.manner.brief_first:
            yield rungs.fullest
        if not self._could_fit((rungs,), room):
            return
        if not self.manner.brief_first:
            yield from reversed(rungs.forms[:-1])
        else:
            full = [form for form in rungs.forms if form.share >= FULL_SHARE]
            yield from full
            yield from (form for form in reversed(rungs.forms) if form not in full)

    def _could_fit(self, some: Iterable[Rungs], room: int) -> bool:
        """Whether forms of some sentences may fit, as far as that is known without making them."""
        return self.speakers.are_named or sum(rungs.least_length(self.measure) for rungs in some) <= room

    def _usable(self, index: int, named: tuple[int, ...] | None = None) -> Rungs:
        """The forms of a sentence that say enough of it; without an opener that leans, with names where they help.

        Once a sentence is in, they stay what they are.
        """
        if index in self.forms:
            return self.known[index]
        opener_goes, asked = self._opener_goes(index), self._asked(index)
        alone = not self.forms  # a doubtful form may be the first thing that is said, and no other
        least = FIRST_SHARE if alone else BRIEF_SHARE
        names = tuple(self.names[index][number] for number in (self._names(index) if named is None else named))
        return self.ladders.rungs(index, opener_goes, least, alone, asked, names)

    def _asked(self, index: int) -> frozenset[int]:
        """Of an answer, the words of the question: a form has all that the sentence has."""
        if index not in self.analysis.answers:
            return frozenset()
        tokens = self.analysis.document.sentences[index].tokens
        return frozenset(position for position, token in enumerate(tokens) if stem(token.key) in self.analysis.asked)

    def _opener_goes(self, index: int) -> bool:
        return self.before[index] not in self.forms and any(lean.droppable for lean in self.leans[index])

    def _climb(self, index: int, limit: int) -> None:
        """Put the longest form that fits in the place of a briefer one."""
        now, rungs = self.forms[index], self._usable(index)
        if len(rungs.fullest.kept) <= len(now.kept):
            return
        for form in reversed(rungs.forms):
            if len(form.kept) <= len(now.kept):
                return
            if self._cost({index: form}) <= limit - self.used:
                self._record(index, {index: form}, "expand", FULLER, limit, {index: rungs})
                return

    def _least(self) -> None:
        """Where nothing that stands by itself fits, the best that does fit, if only just."""
        sentences = [i for i in range(len(self.worth)) if i not in self.barred]
        order = sorted(sentences, key=lambda i: (i in self.slight, -self.worth[i] * self.understood(i, (i,)), i))
        short = [i for i in order if self.analysis.source(i).length(self.measure) <= self.limit]
        tried = dict.fromkeys([*order[:MOST_TRIED], *short] if self.limit >= _PHRASE[self.measure.unit] else ())
        for index in tried:
            names = tuple(self.names[index][number] for number in self._names(index))
            rungs = Rungs(self.ladders, index, self._opener_goes(index), named=names)
            fitting = [form for form in rungs.forms if self._cost({index: form}) <= self.limit]
            if fitting:
                self._record(index, {index: fitting[-1]}, "copy", NOTHING_BETTER, self.limit, {index: rungs})
                return

    def _headline(self) -> None:
        """Where a line that is set apart says more than all that fits, it is the summary."""
        alone = len(self.forms) == 1 and self._is_room_for_one(self.limit)
        said = sum(self.worth[index] * self._told(form, alone) for index, form in self.forms.items())
        best, chosen = said / SET_APART, None
        for index in self._by_worth(i for i in self.barred - set(self.analysis.bans) if self.worth[i] > best):
            form = self._longest_alone(index) if self.ladders.is_statement(index) else None
            if form and self.worth[index] * form.share > best:
                best, chosen = self.worth[index] * form.share, (index, form)
        if chosen:
            index, form = chosen
            self.forms, self.made, self.used, self.saying = {}, {}, 0, {}
            self._record(index, {index: form}, "copy", HEADLINE, self.limit, {index: Rungs(self.ladders, index)})

    def _longest_alone(self, index: int) -> Form | None:
        forms = [form for form in self.ladders.forms(index, False) if form.share >= BRIEF_SHARE]
        return next((form for form in reversed(forms) if self.ladders.length(form, self.measure) <= self.limit), None)

    def _is_repetitive(self, index: int) -> bool:
        """Whether most of what a sentence says was said, in the same words or in nearly the same ones."""
        if index not in self.repeats:  # what is said stays said
            trigrams = self.analysis.source(index).trigrams
            said = len(trigrams & self.said) > REPETITIVE * len(trigrams)
            if said or self._is_said_alike(self.content(index)):
                self.repeats.add(index)
        return index in self.repeats

    def _is_said_alike(self, words: frozenset[str]) -> bool:
        """Whether a sentence that is there has nearly the same words.

        It must have more than so many of them: then it has one that is left when the most said ones are put aside.
        """
        rarest = sorted(words, key=lambda word: len(self.saying.get(word, ())))
        rarest = rarest[: len(words) - int(SAME / 2 * len(words))]
        near = {other for word in rarest for other in self.saying.get(word, ())}
        others = (self.content(other) for other in near)
        return any(2 * len(words & other) > SAME * (len(words) + len(other)) for other in others)

    def _is_slight(self, index: int) -> bool:
        unit = self.analysis.source(index)
        sentence = self.analysis.document.sentences[index]
        brief = len(unit.sentence.words) < fewest_words(self.analysis) and sentence.listed is None
        few = unit.says_little or (brief and not sentence.sums_up)
        return few or self.worth[index] <= 0 or not self.ladders.says_something(index)

    def _cost(self, changes: dict[int, Form]) -> int:
        """The room that these forms take, in the place of what is there of the same sentences."""
        length = self.ladders.length
        added = sum(length(form, self.measure) for form in changes.values())
        freed = sum(length(self.forms[index], self.measure) for index in changes if index in self.forms)
        return added - freed + self._joints([index for index in changes if index not in self.forms])

    def _joints(self, new: Collection[int]) -> int:
        """The room that new sentences take beside their own: spaces between them, but no name twice in a row."""
        spaces = self.measure.joint * (len(new) if self.forms else max(0, len(new) - 1))
        return spaces - (self.speakers.unsaid({*self.forms, *new}) - self.speakers.unsaid(self.forms) if new else 0)

    def _record(
        self, index: int, changes: dict[int, Form], operation: str, reason: str, limit: int,
        rungs: Mapping[int, Rungs], gains: Mapping[int, float] = EMPTY,
    ) -> None:  # fmt: skip
        needs, room, had_end = self._cost(changes), limit - self.used, self._has_end()
        made = "brief" if operation == "copy" and not changes[index].is_whole else operation
        self.used += needs
        for taken in changes.keys() - self.forms:
            self.saying |= {word: (*self.saying.get(word, ()), taken) for word in self.content(taken)}
        self.forms.update(changes)
        self.known.update({taken: rungs[taken] for taken in changes})
        self.made.update(dict.fromkeys(changes, (len(self.steps), made)))
        for taken in changes:
            self.open[taken] = False
            self.said |= self.analysis.source(taken).trigrams
            self._hear(taken)
        ends = range(self.begins_end, len(self.wanted)) if self._has_end() != had_end else ()
        for other in self._touched(changes).union(ends):
            if self.open[other]:
                self.wanted[other] = self._wanted(other)
        self._step(index, made, reason, needs, room, room - needs, tuple(sorted(changes)), rungs, gains)

    def _hear(self, index: int) -> None:
        """Whoever has spoken is no longer wanted more than others."""
        if self.unheard[index] > 1.0:
            self.unheard[[other for other, voice in enumerate(self.voices) if voice == self.voices[index]]] = 1.0

    def _touched(self, taken: Iterable[int]) -> set[int]:
        """The sentences that are wanted more now: what follows, what leans (at some removes), what an answer needs."""
        leaning: set[int] = set()
        new = set(taken)
        for _ in range(MOST_SUPPORT + 1):  # so far a sentence looks for what should come along
            new = {other for index in new for other in self.leaning_on.get(index, ())} - leaning
            leaning |= new
        leans = [lean for index in self.analysis.answers.intersection(taken) for lean in self.leans[index]]
        told = {other for lean in leans if lean.on is not None for other in (lean.on, *lean.also)}
        listed = set[int]().union(*(self.items.get(index, ()) for index in taken))
        onward = {after for index in taken if (after := self._after_the_run(index)) is not None}
        return leaning | told | listed | onward

    def _after_the_run(self, index: int) -> int | None:
        """The sentence after those that are there and go on from one that was taken."""
        after = self.after.get(index)
        while after is not None and after in self.forms:
            after = self.after.get(after)
        return after

    def _pass(self, index: int, reason: str, limit: int) -> None:
        weighed = [index, *(self._support(index) or ())]
        rungs = {other: self._usable(other) for other in weighed}
        briefly = partial(_length_of_briefest, [*rungs.values()], self.measure, self._joints(weighed))
        room = limit - self.used
        self._step(index, "pass", reason, briefly, room, room, (), rungs)

    def _step(
        self, index: int, made: str, reason: str, needs: int | Callable[[], int], room: int, left: int,
        sources: tuple[int, ...], rungs: Mapping[int, Rungs], gains: Mapping[int, float] = EMPTY,
    ) -> None:  # fmt: skip
        unit = self.analysis.source(index).number
        attention = float(self.analysis.attention[unit])
        probabilities = Probabilities(1.0, attention, None, 0.0, attention)
        told = tuple(sorted(gains.items()))
        step = Step(
            len(self.steps),
            "grow",
            unit,
            made,
            reason,
            probabilities,
            needs,
            room,
            left,
            sources,
            (),
            tuple(sorted(rungs.items())),
            told,
        )
        self.steps.append(step)

    def _lines(self) -> list[Line]:
        lines = []
        for index, form in sorted(self.forms.items()):
            step, operation = self.made[index]
            unit = self.analysis.source(index)
            lines.append(Line(unit, form.text, operation, step, form.spans, form.dropped, form.placed))
        return lines


_STARTED = ("open", "wanted", "plans", "unheard")  # what growth changes of what was looked up
_SURVEYED = (
    "worth",
    "gains",
    "leaning_on",
    "items",
    "content",
    "before",
    "after",
    "begins_end",
    "speakers",
    "barred",
    "slight",
    "voices",
    *_STARTED,
)
_STATE = ("used", "forms", "made", "known", "steps", "said", "saying", "repeats", "open", "wanted", "plans", "unheard")
_grown: WeakKeyDictionary[Multiplex, dict[tuple[object, ...], dict[str, Any]]] = WeakKeyDictionary()


def _length_of_briefest(rungs: Sequence[Rungs], measure: Measure, joints: int) -> int:
    return joints + sum(one.ladders.length(one.forms[0], measure) for one in rungs)


def _are_any(lean: Lean, there: Container[int]) -> bool:
    """Whether one of the sentences that would do for a lean is there."""
    if lean.on is not None and lean.on in there:
        return True
    return bool(lean.also) and any(other in there for other in lean.also)


def _copied(state: dict[str, Any]) -> dict[str, Any]:
    return {name: copy.copy(value) for name, value in state.items()}


def fewest_words(analysis: Analysis) -> int:
    return FEWEST_TERSE if analysis.document.genre in TERSE else FEWEST_WORDS


def settings(analysis: Analysis) -> dict[str, float]:
    """The numbers that growth goes by, for those who check it."""
    names = """
        LEAST_UNDERSTOOD CAUTION WORTH_SUPPORT SUMS_UP SAME BRIEF_SHARE FIRST_SHARE FIRST_POWER FULL_SHARE SET_APART
        MOST_SUPPORT MOST_TRIED AT_ONCE NEAR SPOILED REPETITIVE OF_A_LIST ONE_POWER
    """.split()
    return {name.lower(): globals()[name] for name in names} | {
        "sure_enough": SURE_ENOUGH,
        "first_length": FIRST_LENGTH["tokens"],
        "fewest_words": fewest_words(analysis),
        "answers": ANSWERS,
        "ending": ENDING,
    }


def worth_of(analysis: Analysis, manner: Manner) -> Scores:
    """What each source sentence is worth: its attention, more for what its writer calls a summary; 1 is the most."""
    # A power of an array may end in another digit on another processor, and decide between two that are worth the same.
    lengths = np.array([len(sentence.words) ** manner.brevity for sentence in analysis.document.sentences])
    worth = analysis.attention[analysis.drafted :] / lengths
    worth[[sentence.index for sentence in analysis.document.sentences if sentence.sums_up]] *= SUMS_UP
    return np.asarray(worth / max(worth.max(initial=0.0), 1e-12))


def _inverse(analysis: Analysis) -> dict[int, list[int]]:
    """The sentences that lean on each."""
    found: dict[int, list[int]] = {}
    for index, leans in enumerate(analysis.leans):
        for lean in leans:
            for other in (lean.on, *lean.also) if lean.on is not None else ():
                found.setdefault(other, []).append(index)
    return found
