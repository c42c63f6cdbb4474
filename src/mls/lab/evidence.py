"""What came out of the experiments, figure by figure: each difference with its interval, as lines of claims.csv."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from statistics import fmean

from mls.corpora.records import Record
from mls.evaluation.bootstrap import compare
from mls.evaluation.experiment import Experiment
from mls.evaluation.metrics import METRICS

OURS, TRAINED = "mls", "paper-trained"
BASELINES, SAMPLING, AND_LEAD = "the best of A1-A3", "the best of A1 and A2", "the best of A1-A3 and lead"
RIVALS = {BASELINES: ("a1", "a2", "a3"), SAMPLING: ("a1", "a2"), "A3": ("a3",), "A1": ("a1",)}
TABLE_2 = ("rouge1", "rouge2", "rougel", "meteor")
TABLE_3 = ("topics", "sentiment", "coherence")
READING = ("dangling", "slight", "nested")
ABLATED = ("rouge1", "meteor", "coherence")  # what section 3 D measures a part by
ALONE = ("rouge1", "generated", "expanded")  # of which the paper says how they go with the budget
WEIGHT = "weight of "


@dataclass(frozen=True)
class Evidence:
    """What came out for one data set."""

    name: str
    stands_for: str | None  # in the paper
    records: Sequence[Record]  # all pairs
    main: Experiment
    ablations: Experiment | None
    weights: Mapping[str, float]  # of the paper's three heads, searched


@dataclass(frozen=True)
class Finding:
    """One figure: of a method by itself, or beside another. What is a percentage is in points."""

    data: str
    method: str
    beside: str  # nothing for a method by itself
    metric: str
    budget: str  # nothing for a weight
    ours: float
    rival: str = ""  # who is beside it: the best of several, at this budget
    theirs: float | None = None
    difference: float | None = None  # written so that more is better
    low: float | None = None  # of its 95% interval over documents
    high: float | None = None
    documents: int | None = None
    sign: str = ""  # + is ahead and - is behind by an interval that leaves out zero, = is level


def findings(one: Evidence) -> Iterator[Finding]:
    """All that the claims rest on."""
    main, methods = one.main, one.main.methods
    yield from _beside(one.name, main, OURS, BASELINES, RIVALS[BASELINES], (*TABLE_2, *TABLE_3))
    if TRAINED in methods:
        for beside in (BASELINES, SAMPLING, "A3"):
            yield from _beside(one.name, main, TRAINED, beside, RIVALS[beside], (*TABLE_2, *TABLE_3))
    if "a3" in methods:
        yield from _beside(one.name, main, "a3", SAMPLING, RIVALS[SAMPLING], TABLE_2)
    yield from _beside(one.name, main, "a2", "A1", RIVALS["A1"], TABLE_2)
    yield from _beside(one.name, main, OURS, AND_LEAD, (*RIVALS[BASELINES], "lead"), READING)
    yield from _alone(one.name, main, TRAINED, ALONE)
    for name, weight in one.weights.items():
        yield Finding(one.name, TRAINED, "", WEIGHT + name, "", weight)
    for label in one.ablations.methods if one.ablations else ():
        whole, _, part = label.partition(": ")
        if one.ablations and part:
            yield from _beside(one.name, one.ablations, whole, part, [label], ABLATED)


def _beside(
    data: str, experiment: Experiment, method: str, beside: str, rivals: Sequence[str], metrics: Sequence[str]
) -> Iterator[Finding]:
    """A method beside the best of some others, whoever that is at each budget; nothing where nobody has a value."""
    there = [name for name in rivals if name in experiment.methods]
    for metric in metrics:
        scale, better = _scale(metric), METRICS[metric].better
        for column, budget in enumerate(experiment.budgets):
            rival = experiment.best(column, metric, there)
            values = [experiment.values(name, column, metric) for name in (method, rival) if name]
            pairs = [(scale * a, scale * b) for a, b in zip(*values, strict=True) if a == a and b == b] if rival else []
            if not rival or not pairs:
                continue
            ours, theirs = ([pair[side] for pair in pairs] for side in (0, 1))
            found = compare([better * value for value in ours], [better * value for value in theirs])
            sign = "=" if not found.is_clear else "+" if found.difference > 0 else "-"
            interval = found.difference, found.low, found.high
            means = fmean(ours), rival, fmean(theirs)
            yield Finding(data, method, beside, metric, str(budget), *means, *interval, found.count, sign)


def _alone(data: str, experiment: Experiment, method: str, metrics: Sequence[str]) -> Iterator[Finding]:
    for metric in metrics if method in experiment.methods else ():
        for column, budget in enumerate(experiment.budgets):
            found = experiment.estimate(method, column, metric)
            if found.count:
                ours = _scale(metric) * found.mean
                yield Finding(data, method, "", metric, str(budget), ours, documents=found.count)


def _scale(metric: str) -> int:
    return 100 if METRICS[metric].percent else 1


def as_csv(found: Sequence[Finding]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(field.name for field in fields(Finding))
    for one in found:
        writer.writerow(f"{value:.4f}" if isinstance(value, float) else value for value in astuple(one))
    return text.getvalue()


def from_csv(text: str) -> list[Finding]:
    rows = csv.reader(io.StringIO(text))
    next(rows)
    return [_finding(*row) for row in rows]


def _finding(
    data: str, method: str, beside: str, metric: str, budget: str,
    ours: str, rival: str, theirs: str, difference: str, low: str, high: str, documents: str, sign: str,
) -> Finding:  # fmt: skip
    interval = _number(difference), _number(low), _number(high)
    counted = int(documents) if documents else None
    return Finding(data, method, beside, metric, budget, float(ours), rival, _number(theirs), *interval, counted, sign)


def _number(figure: str) -> float | None:
    return float(figure) if figure else None
