"""Results for reading: tables for the terminal and for Markdown, and a list of answers for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from mls.study.results import UNANSWERED, Results
from mls.study.statistics import Estimate

_NAMES = {"mls": "MLS", "a1": "A1", "a2": "A2", "a3": "A3", "none": "no text", "full": "full text"}
_NOTHING = "-"
NOBODY = "Nobody took part: answers and times are simulated, and say nothing about any summary."


@dataclass(frozen=True)
class Table:
    """Rows under a header. A cell may have two lines: a figure and its interval."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def name_of(method: str) -> str:
    return _NAMES.get(method, method)


def tables(results: Results) -> list[Table]:
    """All that is printed, in the order in which it is read."""
    return [_accuracy_and_time(results), _comparisons(results), _budgets(results), _agreement(results)]


def summary_line(results: Results) -> str:
    """
    >>> from mls.study.results import People
    >>> summary_line(Results((), (), (), (), People(20, 3, 2, 0)))
    '20 participants: 2 finished, 1 under way, 17 without an answer yet; 0 answers'
    """
    people = results.people
    parts = [
        f"{people.all} participants: {people.finished} finished, {people.begun - people.finished} under way, "
        f"{people.all - people.begun} without an answer yet; {len(results.outcomes)} answers"
    ]
    untimed = sum(outcome.seconds is None for outcome in results.outcomes)
    if untimed:
        parts.append(f"{untimed} without a time that can be true (left out of the times)")
    if people.reentered:
        parts.append(f"{people.reentered} participants answered from more than one entry of their code")
    return "; ".join(parts)


def _accuracy_and_time(results: Results) -> Table:
    rows = []
    whole = [None] if len(results.data_sets) > 1 else []
    for data_set in (*results.data_sets, *whole):
        title = data_set or "all"
        rows.append((title, "accuracy", *(_cell(results.accuracy(m, data_set), 2) for m in results.methods)))
        rows.append(("", "seconds", *(_cell(results.seconds(m, data_set), 1) for m in results.methods)))
        rows.append(("", "people", *(_count(results.accuracy(m, data_set)) for m in results.methods)))
    note = (
        "Means with 95% intervals (bootstrap over people). An interval without width means that all were alike, "
        "not that the figure is certain."
    )
    note += f" {NOBODY}" * results.simulated
    header = ("data set", "", *map(name_of, results.methods))
    return Table("Mean accuracy and completion time", header, tuple(rows), note)


def _cell(found: Estimate | None, digits: int) -> str:
    if found is None:
        return _NOTHING
    digits = 0 if found.high >= 100 else digits
    return f"{found.mean:.{digits}f}\n{found.low:.{digits}f}–{found.high:.{digits}f}"


def _count(found: Estimate | None) -> str:
    return "0" if found is None else str(found.people)


def _comparisons(results: Results) -> Table:
    rows = []
    for one in results.comparisons():
        pair = f"{name_of(one.first)} - {name_of(one.second)}"
        if one.accuracy is None or one.p_value is None:
            rows.append((pair, _NOTHING, _NOTHING, _NOTHING))
        else:
            found = one.accuracy
            interval = f"{found.low:+.2f} to {found.high:+.2f}"
            surprise = "< 0.001" if one.p_value < 0.001 else f"{one.p_value:.3f}"
            rows.append((pair, f"{found.mean:+.2f}", interval, surprise))
    note = "A t test that counts people, not answers; p after Holm. A dash: too few people, or no spread at all."
    return Table("Differences in accuracy", ("methods", "difference", "95% interval", "p"), tuple(rows), note)


def _budgets(results: Results) -> Table:
    """How often more was asked, and at which budget people answered."""
    rows = []
    for method in results.methods:
        mores, found = results.mores(method), results.answered_at(method)
        total = sum(found.values())
        mean = _NOTHING if mores is None else f"{mores.mean:.2f}"
        shares = [_share(found.get(budget), total) for budget in results.budgets]
        rows.append((name_of(method), mean, _share(found.get(""), total), *shares, _share(found[UNANSWERED], total)))
    header = ("method", "more asked", "only text", *results.budgets, "never")
    note = "Shares of all answers: at which budget people said yes or no. The extremes have only one text."
    return Table("Where people answered", header, tuple(rows), note)


def _share(count: int | None, total: int) -> str:
    return _NOTHING if count is None or not total else f"{100 * count / total:.0f}%"


def _agreement(results: Results) -> Table:
    rows = [(name_of(method), _alpha(results.agreement(method))) for method in results.methods]
    note = "Krippendorff's alpha over people who had the same question under the same method: 1 is full, 0 is random."
    return Table(
        "Agreement between participants", ("method", "alpha"), (*rows, ("all", _alpha(results.agreement()))), note
    )


def _alpha(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.2f}"


def as_markdown(results: Results, command: str, version: str) -> str:
    """The whole report as one page."""
    parts = ["# Results of the study", "", f"{summary_line(results)}.", "", f"`{command}`, MLS {version}", ""]
    for table in tables(results):
        parts += [f"## {table.title}", "", *_markdown_rows(table), ""] + ([table.note, ""] if table.note else [])
    parts += ["![Accuracy, time, and where people answered](plot.svg)", "", "Every answer: [answers.csv](answers.csv)"]
    return "\n".join(parts) + "\n"


def _markdown_rows(table: Table) -> Iterator[str]:
    yield _markdown_row(table.header)
    yield _markdown_row(("---",) * len(table.header))
    for row in table.rows:
        yield _markdown_row(row)


def _markdown_row(cells: tuple[str, ...]) -> str:
    r"""
    >>> _markdown_row(("a|b", "0.5\n0.4–0.6"))
    '| a\\|b | 0.5<br>0.4–0.6 |'
    """
    escapes = str.maketrans({"\\": "\\\\", "|": "\\|", "<": "&lt;", "\n": "<br>"})
    return f"| {' | '.join(cell.translate(escapes) for cell in cells)} |"


COLUMNS = (
    "participant", "position", "data_set", "document", "question", "method", "expected", "answer", "correct", "budget",
    "more_asked", "seconds", "server_seconds", "time_check",
)  # fmt: skip


def as_csv(results: Results) -> str:
    """Every finished item, with nothing that leads to a person: no code, no time of day, no session."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in results.outcomes:
        seconds = "" if one.seconds is None else f"{one.seconds:.3f}"
        writer.writerow(
            (one.person, one.position, one.data_set, one.document, one.question + 1, one.method, one.expected,
             "" if one.choice == UNANSWERED else one.choice, int(one.correct), one.budget, one.mores, seconds,
             f"{one.server_seconds:.3f}", one.time_check)
        )  # fmt: skip
    return file.getvalue()
