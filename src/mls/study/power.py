"""How many participants does it take? Many simulated studies of each size, tested as `results` tests.

It compares its first method with each of the others and corrects for their number by Holm. Here two methods
are compared at the strictest level of that correction: no study needs more people than these say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mls.errors import MlsError
from mls.evaluation.bootstrap import Numbers
from mls.study.create import setting
from mls.study.design import Item, assign, multiples_of, parts_of
from mls.study.methods import EXTREMES
from mls.study.statistics import standard_errors, t_quantile
from mls.study.store import Store

MOST_PARTICIPANTS = 2_000
SIGNIFICANCE = 0.05


@dataclass(frozen=True)
class Question:
    """Would a study show that one method is right with `accuracy` + `difference`, another with `accuracy`?"""

    accuracy: float = 0.6
    difference: float = 0.2
    power: float = 0.8
    alike: float = 0.1
    trials: int = 2000
    seed: int = 1

    def check(self) -> None:
        if not (0 < self.difference < 1 and self.accuracy >= 0 and self.accuracy + self.difference <= 1):
            found = f"{self.accuracy:g} and {self.accuracy + self.difference:g}"
            raise MlsError(f"the two accuracies would be {found}; expected both from 0 to 1, the second higher")
        if not 0 < self.power < 1:
            raise MlsError(f"--power is {self.power:g}, expected a share between 0 and 1, such as 0.8")
        if not 0 <= self.alike < 1:
            raise MlsError(f"--alike is {self.alike:g}, expected a correlation from 0 to below 1, such as 0.1")


@dataclass(frozen=True)
class Size:
    """What a study with so many participants would find."""

    participants: int
    people_a_setting: int
    power: float  # the share of studies that show the difference
    false_alarms: float  # the share that show one where there is none


@dataclass(frozen=True)
class Shape:
    """What the size of a study does not change."""

    methods: tuple[str, ...]
    sets: Mapping[str, Sequence[str]]
    questions: Mapping[str, int]
    uneven_pairs: bool

    @classmethod
    def of(cls, store: Store) -> Shape:
        methods = setting(store, "methods")
        assert isinstance(methods, list)
        sets: dict[str, list[str]] = {}
        for row in store.rows("SELECT data_set, id FROM documents ORDER BY rowid"):
            sets.setdefault(row["data_set"], []).append(row["id"])
        counts = store.rows("SELECT document, count(*) FROM questions GROUP BY document")
        return cls(tuple(methods), sets, {row[0]: row[1] for row in counts}, bool(setting(store, "uneven_pairs")))

    @property
    def step(self) -> int:
        steps = multiples_of(len(self.methods), len(parts_of(self.sets)))
        return steps.uneven_pairs if self.uneven_pairs else steps.equal_pairs

    @property
    def compared(self) -> tuple[str, str]:
        """The first two methods that make summaries; the design treats all pairs alike."""
        makers = [method for method in self.methods if method not in EXTREMES] + list(self.methods)
        names = list(dict.fromkeys(makers))
        if len(names) < 2:
            raise MlsError(f"the study has one method, {names[0]}; a difference needs two")
        return names[0], names[1]


def sizes(shape: Shape, question: Question) -> Iterator[Size]:
    """Ever larger studies, up to the first that shows the difference with the power asked for."""
    question.check()
    first, second = shape.compared
    for participants in _tried(shape.step):
        dealt = assign(shape.methods, shape.sets, shape.questions, participants, question.seed, shape.uneven_pairs)
        counts = _counts(dealt, first), _counts(dealt, second)
        rng = np.random.default_rng([question.seed, participants])
        better = question.accuracy + question.difference
        level = SIGNIFICANCE / (len(shape.methods) - 1)
        power = _share_shown(counts, (better, question.accuracy), question, level, rng)
        alarms = _share_shown(counts, (question.accuracy, question.accuracy), question, level, rng)
        yield Size(participants, _people_in(dealt, first, next(iter(shape.sets))), power, alarms)
        if power >= question.power:
            return


def _tried(step: int) -> Iterator[int]:
    """Sizes for which there is a design: at first all of them, larger ones about a tenth apart.

    >>> [size for size in _tried(10) if size <= 250]
    [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 180, 200, 220, 240]
    """
    rounds = 1
    while rounds * step <= MOST_PARTICIPANTS:
        yield rounds * step
        rounds = max(rounds + 1, round(rounds * 1.1))


def _people_in(dealt: Sequence[Sequence[Item]], method: str, data_set: str) -> int:
    """How many people see a setting; it is the same for all."""
    return sum(any((item.method, item.data_set) == (method, data_set) for item in items) for items in dealt)


def _counts(dealt: Sequence[Sequence[Item]], method: str) -> Numbers:
    """How many items each person has under a method."""
    return np.array([float(sum(item.method == method for item in items)) for items in dealt])


def _share_shown(
    counts: tuple[Numbers, Numbers], accuracies: tuple[float, float], question: Question, level: float,
    rng: np.random.Generator,
) -> float:  # fmt: skip
    """The share of simulated studies in which the two methods differ significantly, at a level."""
    seen = (counts[0] + counts[1]) > 0
    asked = [np.broadcast_to(count[seen], (question.trials, int(seen.sum()))) for count in counts]  # (T, P)
    right = [_right(rng, asked[side], accuracies[side], question.alike) for side in (0, 1)]
    means, errors, freedom = standard_errors(right[0], asked[0], right[1], asked[1])
    if freedom < 1:
        return 0.0
    shown = np.abs(means) > t_quantile(1 - level / 2, freedom) * errors
    return float((shown & (errors > 0)).mean())


def _right(rng: np.random.Generator, asked: Numbers, accuracy: float, alike: float) -> Numbers:
    """Right answers of people whose own probabilities are beta distributed around an accuracy."""
    probabilities = np.full(asked.shape, accuracy)
    if alike > 0 and 0 < accuracy < 1:
        spread = 1 / alike - 1
        probabilities = rng.beta(accuracy * spread, (1 - accuracy) * spread, asked.shape)
    return rng.binomial(asked.astype(np.int64), probabilities).astype(np.float64)
