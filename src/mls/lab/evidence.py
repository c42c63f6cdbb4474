"""What the paper claims beside what was found, from the experiments themselves: a page that no hand writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

from mls.corpora.records import Record
from mls.evaluation.bootstrap import Comparison, compare
from mls.evaluation.experiment import Experiment
from mls.evaluation.metrics import METRICS
from mls.text import Document

OURS, TRAINED, RIVALS = "mls", "paper-trained", ("a1", "a2", "a3")
TABLES_2_AND_3 = ("rouge1", "rouge2", "rougel", "meteor", "topics", "sentiment", "coherence")
READING = ("dangling", "slight", "nested")
# Table 1 of the paper: pairs, and the most, the median and the mean of sentences.
TABLE_1 = {"D1": (476, 130, 15, 18.65), "D2": (186, 82, 33, 33.23)}


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
class Claim:
    """Something that can be so or not: what, the verdict in short, and the figures it rests on, by budget."""

    what: str
    verdict: str
    figures: str


def page(found: Sequence[Evidence], command: str, taught: str) -> str:
    budgets = ", ".join(map(str, found[0].main.budgets))
    lines = [
        "# The paper's claims and what was found",
        "",
        f"Written by `{command}`. {taught}",
        "",
        f"A sign for each budget, {budgets}: + is ahead and - is behind by a 95% interval over documents that leaves",
        "out zero; = is level. Further down are the differences, in points for what is a percentage, written so that",
        "more is better; \\* marks such an interval.",
        "",
        "## Is it ahead?",
        "",
        *_short(found, claims),
        "",
        "## What is each part worth?",
        "",
        "The whole beside what lacks the part, ROUGE-1: + says that the part helps.",
        "",
        *_short(found, worths),
        "",
        "## Table 1: the data",
        "",
        "| | pairs | most sentences | median | mean |",
        "|---|---:|---:|---:|---:|",
    ]
    for one in found:
        lines.append(f"| {one.name} | {' | '.join(_sizes(one.records))} |")
        if one.stands_for:
            lines.append(f"| the paper's {one.stands_for} | {' | '.join(map(str, TABLE_1[one.stands_for]))} |")
    for one in found:
        lines += ["", f"## {one.name.capitalize()}: {len(one.main.records)} documents"]
        if one.ablations:
            lines[-1] += f", {len(one.ablations.records)} for what a part is worth"
        lines += ["", "| | | by budget |", "|---|---|---|"]
        lines += [f"| {claim.what} | {claim.verdict} | {claim.figures} |" for claim in (*claims(one), *worths(one))]
    return "\n".join(lines) + "\n"


def _short(found: Sequence[Evidence], told: Callable[[Evidence], Iterator[Claim]]) -> list[str]:
    """A table of verdicts alone, a column a data set."""
    tables = [{claim.what: claim.verdict for claim in told(one)} for one in found]
    lines = [f"| | {' | '.join(one.name for one in found)} |", "|---" * (1 + len(found)) + "|"]
    every = dict.fromkeys(what for table in tables for what in table)
    return lines + [f"| {what} | {' | '.join(table.get(what, '') for table in tables)} |" for what in every]


def _sizes(records: Sequence[Record]) -> tuple[str, ...]:
    counts = [len(Document.parse(record.document).sentences) for record in records]
    return str(len(counts)), str(max(counts)), f"{median(counts):g}", f"{mean(counts):.2f}"


def claims(one: Evidence) -> Iterator[Claim]:
    """Each claim, the verdict, and the figures that it rests on."""
    rivals = [name for name in RIVALS if name in one.main.methods]
    trained = [TRAINED] if TRAINED in one.main.methods else []
    for label in (OURS, *trained):
        for metric in TABLES_2_AND_3:
            if metric in one.main.metrics:
                yield _against(one.main, label, rivals, metric, f"`{label}` beside the best of A1-A3, {_title(metric)}")
    for metric in READING:
        yield _against(
            one.main, OURS, [*rivals, "lead"], metric, f"`{OURS}` beside the best of A1-A3 and lead: {_title(metric)}"
        )
    for label in trained:
        for what, metric, form in (
            ("more tokens are generated at larger budgets (Fig. 4)", "generated", "{:.3f}"),
            ("more is expanded at larger budgets", "expanded", "{:.2f}"),
        ):
            means = [one.main.estimate(label, budget, metric).mean for budget in range(len(one.main.budgets))]
            yield Claim(f"`{label}`: {what}", _rises(means), ", ".join(map(form.format, means)))
    if one.weights:
        signs = ", ".join(f"{name} {weight:+.1f}" for name, weight in one.weights.items())
        same = all((weight > 0) == (name != "redundancy") for name, weight in one.weights.items())
        yield Claim("weights: topics +, keywords +, redundancy -", "so" if same else f"not so: {signs}", signs)


def worths(one: Evidence) -> Iterator[Claim]:
    """What each part is worth in ROUGE-1: the whole beside what lacks it."""
    for label in one.ablations.methods if one.ablations else ():
        whole, _, part = label.partition(": ")
        if one.ablations and part:
            yield _against(one.ablations, whole, [label], "rouge1", f"`{whole}` beside {part}")


def _title(metric: str) -> str:
    return (
        METRICS[metric].title
        if METRICS[metric].title.isupper()
        else METRICS[metric].title.lower().replace("rouge", "ROUGE")
    )


def _against(experiment: Experiment, label: str, rivals: Sequence[str], metric: str, what: str) -> Claim:
    """A method beside the best of some others, whoever that is at each budget."""
    kind = METRICS[metric]
    scale = kind.better * (100 if kind.percent else 1)
    found: list[Comparison] = []
    for budget in range(len(experiment.budgets)):
        rival = experiment.best(budget, metric, rivals)
        if rival:
            ours, theirs = (experiment.values(name, budget, metric) for name in (label, rival))
            found.append(compare([scale * value for value in ours], [scale * value for value in theirs]))
    shown = [f"{one.difference:+.{kind.digits}f}{'*' * one.is_clear}" for one in found]
    return Claim(what, _verdict(found), ", ".join(shown).replace("*", "\\*"))


def _verdict(found: Sequence[Comparison]) -> str:
    return " ".join("=" if not one.is_clear else "+" if one.difference > 0 else "-" for one in found)


def _rises(values: Sequence[float]) -> str:
    return "so" if list(values) == sorted(values) and values[-1] > values[0] else "not so"
