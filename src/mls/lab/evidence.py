"""What the paper claims beside what was found, from the experiments themselves: a page that no hand writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

from mls.corpora.records import Record
from mls.evaluation.experiment import Experiment
from mls.text import Document

OURS, TRAINED, RIVALS = "mls", "paper-trained", ("a1", "a2", "a3")
# Table 1 of the paper: pairs, and the most, the median and the mean of sentences.
TABLE_1 = {"D1": (476, 130, 15, 18.65), "D2": (186, 82, 33, 33.23)}


@dataclass(frozen=True)
class Evidence:
    """What came out for one domain."""

    domain: str
    stands_for: str  # in the paper
    records: Sequence[Record]  # all pairs
    main: Experiment
    ablations: Experiment
    weights: Mapping[str, float]  # of the paper's three heads, searched


def page(found: Sequence[Evidence]) -> str:
    lines = ["# The paper's claims and what was found", "", "Written by `mls reproduce`. Budgets are "]
    lines[-1] += f"{', '.join(map(str, found[0].main.budgets))}; figures are means over test documents."
    lines += [
        "",
        "## Table 1: the data",
        "",
        "| | pairs | most sentences | median | mean |",
        "|---|---:|---:|---:|---:|",
    ]
    for one in found:
        lines.append(f"| {one.domain} | {' | '.join(_sizes(one.records))} |")
        pairs, most, middle, average = TABLE_1[one.stands_for]
        lines.append(f"| the paper's {one.stands_for} | {pairs} | {most} | {middle} | {average} |")
    for one in found:
        lines += ["", f"## {one.domain.capitalize()}", "", "| the paper | found | by budget |", "|---|---|---|"]
        lines += [f"| {claim} | {verdict} | {figures} |" for claim, verdict, figures in claims(one)]
    return "\n".join(lines) + "\n"


def _sizes(records: Sequence[Record]) -> tuple[str, ...]:
    counts = [len(Document.parse(record.document).sentences) for record in records]
    return str(len(counts)), str(max(counts)), f"{median(counts):g}", f"{mean(counts):.2f}"


def claims(one: Evidence) -> Iterator[tuple[str, str, str]]:
    """Each claim, the verdict, and the figures that it rests on."""
    for label in (OURS, TRAINED):
        for metric, sign in (("rouge1", 1), ("meteor", 1), ("topics", -1), ("sentiment", -1), ("coherence", -1)):
            if metric in one.main.metrics:
                ahead = [sign * lead for lead in _ahead(one.main, label, metric, sign)]
                verdict = f"`{label}` is at {sum(lead > 0 for lead in ahead)} of {len(ahead)}"
                yield f"MLS is ahead of A1-A3 in {metric} at every budget", verdict, _shown(ahead, "{:+.3f}")
    generated, expanded = (_means(one.main, TRAINED, metric) for metric in ("generated", "expanded"))
    yield "more tokens are generated at larger budgets (Fig. 4)", _rises(generated), _shown(generated, "{:.3f}")
    yield "more is expanded at larger budgets", _rises(expanded), _shown(expanded, "{:.2f}")
    signs = ", ".join(f"{name} {weight:+.1f}" for name, weight in one.weights.items())
    same = all((weight > 0) == (name != "redundancy") for name, weight in one.weights.items())
    yield "weights: topics +, keywords +, redundancy -", "so" if same else "not so", signs
    for label in one.ablations.methods:
        whole = next(name for name in (OURS, TRAINED) if label == name or label.startswith(f"{name}:"))
        if label != whole:
            pairs = zip(_means(one.ablations, whole, "rouge1"), _means(one.ablations, label, "rouge1"), strict=True)
            costs = [100 * (with_it - without) for with_it, without in pairs]
            yield f"{label} costs ROUGE-1", f"{mean(costs):+.2f} on average", _shown(costs, "{:+.2f}")


def _means(experiment: Experiment, label: str, metric: str) -> list[float]:
    return [experiment.estimate(label, budget, metric).mean for budget in range(len(experiment.budgets))]


def _ahead(experiment: Experiment, label: str, metric: str, sign: int) -> list[float]:
    """How far a method is from the best rival there is."""
    rivals = [_means(experiment, rival, metric) for rival in RIVALS if rival in experiment.methods]
    best = [max(values) if sign > 0 else min(values) for values in zip(*rivals, strict=True)]
    return [own - other for own, other in zip(_means(experiment, label, metric), best, strict=True)]


def _rises(values: Sequence[float]) -> str:
    return "so" if list(values) == sorted(values) and values[-1] > values[0] else "not so"


def _shown(values: Sequence[float], form: str) -> str:
    return ", ".join(form.format(value) for value in values)
