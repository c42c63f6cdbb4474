"""An experiment as tables: for terminals, Markdown, CSV, LaTeX and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mls.evaluation.bootstrap import Estimate
from mls.evaluation.experiment import Experiment
from mls.evaluation.metrics import METRICS, Metric

OVER = "(over)"
LEGEND = f"{OVER}: some of these summaries are longer than the budget allows, so they are out of the ranking."


@dataclass(frozen=True)
class Entry:
    """One figure: its mean and interval, and whether it is the best of its column."""

    estimate: Estimate
    is_best: bool
    over_budget: int  # summaries of those it is the mean of

    def shown(self, metric: Metric) -> str:
        if not self.estimate.count:
            return "-"
        mark = f" {OVER}" if self.over_budget else ""
        return f"{metric.shown(self.estimate.mean)} ±{metric.shown(self.estimate.half_width)}{mark}"


@dataclass(frozen=True)
class Table:
    """One metric: a row a method, a column a budget, and how the first method does against its best rival."""

    metric: Metric
    budgets: tuple[str, ...]
    rows: dict[str, tuple[Entry, ...]]
    against: tuple[str, ...]  # a budget each: "+1.2* a2"


def tables_of(experiment: Experiment, metrics: Sequence[str] | None = None) -> list[Table]:
    """A table for each metric."""
    return [_table(experiment, METRICS[name]) for name in metrics or experiment.metrics]


def _table(experiment: Experiment, metric: Metric) -> Table:
    columns = range(len(experiment.budgets))
    best = [experiment.best(column, metric.name, experiment.methods) for column in columns]
    rows = {
        method: tuple(
            Entry(
                experiment.estimate(method, column, metric.name),
                method == best[column],
                experiment.over_budget(method, column),
            )
            for column in columns
        )
        for method in experiment.methods
    }
    against = tuple(_against(experiment, column, metric) for column in columns) if metric.better else ()
    return Table(metric, tuple(map(str, experiment.budgets)), rows, against)


def _against(experiment: Experiment, column: int, metric: Metric) -> str:
    found = experiment.against_best_rival(experiment.methods[0], column, metric.name)
    if found is None or not found[1].count:
        return "-"
    rival, comparison = found
    sign = "+" if comparison.difference >= 0 else "-"
    return f"{sign}{metric.shown(abs(comparison.difference))}{'*' if comparison.is_clear else ''} {rival}"


DIRECTIONS = {1: "more is better", -1: "less is better", 0: "neither more nor less is better"}


def has_over(tables: Sequence[Table]) -> bool:
    """Whether anything stands in the tables that is out of the ranking."""
    return any(entry.over_budget for table in tables for entries in table.rows.values() for entry in entries)


def title(table: Table) -> str:
    unit = ", in percent" if table.metric.percent else ""
    return f"{table.metric.title}{unit} ({DIRECTIONS[table.metric.better]})"


def against_label(table: Table) -> str:
    """What the last row is: the first method minus the best of the others that are no variants of it."""
    return f"{next(iter(table.rows))} - best rival"


def as_markdown(tables: Sequence[Table]) -> str:
    parts = []
    for table in tables:
        lines = [
            f"**{title(table)}**",
            "",
            "| | " + " | ".join(table.budgets) + " |",
            "|---" * (1 + len(table.budgets)) + "|",
        ]
        for method, entries in table.rows.items():
            cells = (_bold(entry.shown(table.metric), entry.is_best) for entry in entries)
            lines.append(f"| {method} | " + " | ".join(cells) + " |")
        if table.against:
            lines.append(
                f"| _{against_label(table)}_ | " + " | ".join(one.replace("*", "\\*") for one in table.against) + " |"
            )
        parts.append("\n".join(lines))
    return "\n\n".join([LEGEND] * has_over(tables) + parts) + "\n"


def _bold(text: str, is_best: bool) -> str:
    return f"**{text}**" if is_best else text


def as_latex(tables: Sequence[Table]) -> str:
    parts = []
    for table in tables:
        head = " & ".join(["", *(f"${budget}$" if "/" in budget else budget for budget in table.budgets)])
        lines = [
            f"% {title(table)}",
            f"\\begin{{tabular}}{{l{'r' * len(table.budgets)}}}",
            "\\toprule",
            head + " \\\\",
            "\\midrule",
        ]
        for method, entries in table.rows.items():
            cells = (_latex(entry, table.metric) for entry in entries)
            lines.append(" & ".join([method.replace("_", "\\_"), *cells]) + " \\\\")
        parts.append("\n".join([*lines, "\\bottomrule", "\\end{tabular}"]))
    return "\n\n".join(parts) + "\n"


def _latex(entry: Entry, metric: Metric) -> str:
    if not entry.estimate.count:
        return "--"
    mean = metric.shown(entry.estimate.mean)
    half = metric.shown(entry.estimate.half_width)
    mark = f" {OVER}" if entry.over_budget else ""
    return f"{_textbf(mean) if entry.is_best else mean} {{\\small$\\pm${half}}}{mark}"


def _textbf(text: str) -> str:
    return f"\\textbf{{{text}}}"


def as_csv(tables: Sequence[Table]) -> str:
    """One figure a line, with all its digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["metric", "method", "budget", "mean", "low", "high", "documents", "best", "over_budget"])
    for table in tables:
        for method, entries in table.rows.items():
            for budget, entry in zip(table.budgets, entries, strict=True):
                one = entry.estimate
                figures = [f"{value:.6f}" for value in (one.mean, one.low, one.high)] if one.count else ["", "", ""]
                ranked = (int(entry.is_best), entry.over_budget)
                writer.writerow([table.metric.name, method, budget, *figures, one.count, *ranked])
    return text.getvalue()


def as_data(experiment: Experiment, tables: Sequence[Table], facts: dict[str, Any]) -> dict[str, Any]:
    """Everything, for machines: the figures, and each document's scores and summaries."""
    return {
        **facts,
        "budgets": [str(budget) for budget in experiment.budgets],
        "figures": [
            {
                "metric": table.metric.name,
                "method": method,
                "budget": budget,
                "mean": entry.estimate.mean if entry.estimate.count else None,
                "low": entry.estimate.low if entry.estimate.count else None,
                "high": entry.estimate.high if entry.estimate.count else None,
                "documents": entry.estimate.count,
                "best": entry.is_best,
                "over_budget": entry.over_budget,
            }
            for table in tables
            for method, entries in table.rows.items()
            for budget, entry in zip(table.budgets, entries, strict=True)
        ],
        "summaries": [
            {
                "id": cell.record,
                "method": method,
                "budget": str(budget),
                "summary": one.text,
                "scores": _known(one.scores),
            }
            for method, cells in experiment.cells.items()
            for cell in cells
            for budget, one in zip(experiment.budgets, cell.summaries, strict=True)
        ],
    }


def _known(scores: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in scores.items() if value == value}
