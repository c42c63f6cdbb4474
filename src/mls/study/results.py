"""What came out: the paper's Table 4 with intervals, how much people had to read, how far they agree."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mls.evaluation.bootstrap import Numbers
from mls.fingerprints import fingerprint
from mls.study.create import setting
from mls.study.methods import EXTREMES
from mls.study.statistics import Difference, Estimate, difference, estimate, krippendorff_alpha
from mls.study.store import Store

UNANSWERED = "more"  # asked for more where there was no more
SIMULATED = "simulated"  # the setting of a study that nobody takes part in


@dataclass(frozen=True)
class Outcome:
    """One finished item. `person` is a number that only the study's own file can lead back to a code."""

    person: int
    position: int
    data_set: str
    document: str
    question: int
    method: str
    expected: str
    choice: str
    budget: str  # at which the answer was given
    mores: int
    seconds: float | None  # as the browser measured it; None where that can't be true
    server_seconds: float
    time_check: str

    @property
    def correct(self) -> bool:
        return self.choice == self.expected


@dataclass(frozen=True)
class People:
    """How far the participants have come."""

    all: int
    begun: int
    finished: int
    reentered: int  # gave answers from more than one entry of their code


@dataclass(frozen=True)
class Comparison:
    """The first method of the study against another one, over all data sets."""

    first: str
    second: str
    accuracy: Difference | None
    p_value: float | None  # corrected for the number of comparisons, after Holm


@dataclass(frozen=True)
class Results:
    """Everything a report tells."""

    methods: tuple[str, ...]
    data_sets: tuple[str, ...]
    budgets: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    people: People
    simulated: bool = False  # answers and times are a program's

    def of(self, method: str, data_set: str | None = None) -> list[Outcome]:
        return [
            outcome
            for outcome in self.outcomes
            if outcome.method == method and (data_set is None or outcome.data_set == data_set)
        ]

    def accuracy(self, method: str, data_set: str | None = None) -> Estimate | None:
        found = self.of(method, data_set)
        return estimate([outcome.person for outcome in found], [float(outcome.correct) for outcome in found])

    def seconds(self, method: str, data_set: str | None = None) -> Estimate | None:
        timed = [(outcome.person, outcome.seconds) for outcome in self.of(method, data_set)]
        known = [(person, seconds) for person, seconds in timed if seconds is not None]
        return estimate([person for person, _ in known], [seconds for _, seconds in known])

    def mores(self, method: str) -> Estimate | None:
        found = self.of(method)
        return estimate([outcome.person for outcome in found], [float(outcome.mores) for outcome in found])

    def answered_at(self, method: str) -> dict[str, int]:
        """How many answered yes or no at each budget, and how many never did (under `UNANSWERED`)."""
        found = Counter(UNANSWERED if outcome.choice == UNANSWERED else outcome.budget for outcome in self.of(method))
        names = ("",) if method in EXTREMES else self.budgets
        return {name: found[name] for name in (*names, UNANSWERED)}

    def agreement(self, method: str | None = None) -> float | None:
        """Krippendorff's alpha over what different people answered to the same question under the same method."""
        units: dict[tuple[str, str, int], list[str]] = {}
        for outcome in self.outcomes:
            if method in (None, outcome.method):
                units.setdefault((outcome.method, outcome.document, outcome.question), []).append(outcome.choice)
        return krippendorff_alpha(units.values())

    def comparisons(self) -> list[Comparison]:
        first, *others = self.methods
        found = [difference(*self._sums(first), *self._sums(other)) for other in others]
        corrected = holm([None if one is None else one.p_value for one in found])
        return [Comparison(first, *parts) for parts in zip(others, found, corrected, strict=True)]

    def _sums(self, method: str) -> tuple[Numbers, Numbers]:
        """Each person's right answers and answers under a method."""
        sums = np.zeros((2, self.people.all))
        for outcome in self.of(method):
            sums[:, outcome.person - 1] += (float(outcome.correct), 1.0)
        return sums[0], sums[1]


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's correction; what is not known stays so and counts as none.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    order = sorted((value, position) for position, value in enumerate(p_values) if value is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (value, position) in enumerate(order):
        highest = max(highest, min(1.0, value * (len(order) - rank)))
        corrected[position] = highest
    return corrected


_ANSWERS = """
SELECT items.participant, items.position, documents.data_set, items.document, items.question, items.method,
    questions.answer AS expected, answers.*, levels.budget,
    (SELECT count(*) FROM levels WHERE method = items.method AND document = items.document) AS levels
FROM answers
JOIN items ON items.id = answers.item
JOIN documents ON documents.id = items.document
JOIN questions ON questions.document = items.document AND questions.number = items.question
JOIN levels ON levels.method = items.method AND levels.document = items.document AND levels.level = answers.level
ORDER BY items.participant, items.position, answers.level
"""


def read_results(store: Store) -> Results:
    """All that was answered until now."""
    with store.transaction():  # everything from one moment, while people go on answering
        rows = store.rows(_ANSWERS)
        labels = _labels(store.rows("SELECT number, code FROM participants"))
        counts = store.rows("SELECT participant, count(*) FROM items GROUP BY participant")
        sets = [row[0] for row in store.rows("SELECT data_set FROM documents GROUP BY data_set ORDER BY min(rowid)")]
        methods, budgets = setting(store, "methods"), setting(store, "budgets")
        simulated = store.row("SELECT 1 FROM settings WHERE name = ?", SIMULATED) is not None
    assert isinstance(methods, list)
    assert isinstance(budgets, list)
    outcomes = sorted(_outcomes(rows, labels), key=lambda outcome: (outcome.person, outcome.position))
    people = _people(rows, outcomes, labels, {row[0]: row[1] for row in counts})
    return Results(tuple(methods), tuple(sets), tuple(budgets), tuple(outcomes), people, simulated)


def _labels(people: Iterable[sqlite3.Row]) -> dict[int, int]:
    """New numbers in an order that nobody can tell who does not know the codes."""
    ranked = sorted(people, key=lambda row: fingerprint(row["code"], length=64))
    return {row["number"]: label for label, row in enumerate(ranked, start=1)}


def _outcomes(rows: Sequence[sqlite3.Row], labels: dict[int, int]) -> Iterable[Outcome]:
    by_item: dict[str, list[sqlite3.Row]] = {}
    for row in rows:
        by_item.setdefault(row["item"], []).append(row)
    for turns in by_item.values():
        last = turns[-1]
        if last["choice"] != UNANSWERED or len(turns) == last["levels"]:
            yield _outcome(turns, labels[last["participant"]])


def _outcome(turns: Sequence[sqlite3.Row], person: int) -> Outcome:
    last = turns[-1]
    checks = {row["time_check"] for row in turns}
    check = next(name for name in ("impossible", "interrupted", "ok") if name in checks)
    return Outcome(
        person=person,
        position=last["position"],
        data_set=last["data_set"],
        document=last["document"],
        question=last["question"],
        method=last["method"],
        expected=last["expected"],
        choice=last["choice"],
        budget=last["budget"],
        mores=sum(row["choice"] == UNANSWERED for row in turns),
        seconds=None if check == "impossible" else sum(row["browser_seconds"] for row in turns),
        server_seconds=sum(row["server_seconds"] for row in turns),
        time_check=check,
    )


def _people(
    rows: Sequence[sqlite3.Row], outcomes: Sequence[Outcome], labels: dict[int, int], items: dict[int, int]
) -> People:
    finished = Counter(outcome.person for outcome in outcomes)
    entries: dict[int, set[int]] = {}
    for row in rows:
        entries.setdefault(row["participant"], set()).add(row["entry"])
    return People(
        all=len(labels),
        begun=len(entries),
        finished=sum(finished[label] == items[number] for number, label in labels.items()),
        reentered=sum(len(used) > 1 for used in entries.values()),
    )
