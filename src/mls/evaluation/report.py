"""A report folder: tables, plots and what made them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mls.evaluation.experiment import Experiment
from mls.evaluation.plots import plot_tables
from mls.evaluation.tables import Table, as_csv, as_data, as_latex, as_markdown, tables_of

_ABOUT = (
    "ROUGE is F1 with stemming, by rouge-score {rouge}; METEOR by nltk {nltk}. Figures are means over documents "
    "± half of the 95% bootstrap interval; the best of a column is bold, the oracle left out, for it sees the "
    "reference. The last row is {first} minus the best of the others, its own variants left out, paired by document; "
    "* marks an interval that leaves out zero."
)


PLOTTED = ("rouge1", "dangling", "generated")  # what is said, how it reads, and the paper's Fig. 4


def facts_of(experiment: Experiment, command: str, data: str) -> dict[str, Any]:
    return {"command": command, "data": data, "documents": len(experiment.records), "mls": version("mls-summarizer")}


def about(experiment: Experiment) -> str:
    return _ABOUT.format(rouge=version("rouge-score"), nltk=version("nltk"), first=experiment.methods[0])


def write_report(
    experiment: Experiment, folder: Path, heading: str, command: str, data: str, plotted: Sequence[str] = PLOTTED
) -> None:
    """Tables as Markdown, CSV and LaTeX, and plots of a few."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = tables_of(experiment)
    caption = f"{data}, {len(experiment.records)} documents; bars are 95% bootstrap intervals"
    (folder / "README.md").write_text(_page(experiment, tables, heading, command), encoding="utf-8")
    (folder / "tables.csv").write_text(as_csv(tables), encoding="utf-8")
    (folder / "tables.tex").write_text(as_latex(tables), encoding="utf-8")
    plot_tables([table for table in tables if table.metric.name in plotted], folder, caption)


def _page(experiment: Experiment, tables: list[Table], heading: str, command: str) -> str:
    made = f"{len(experiment.records)} documents. Made by\n\n    {command}\n"
    return f"# {heading}\n\n{made}\n{about(experiment)}\n\n{as_markdown(tables)}"


def as_json(experiment: Experiment, command: str, data: str) -> str:
    tables = tables_of(experiment)
    return json.dumps(as_data(experiment, tables, facts_of(experiment, command, data)), ensure_ascii=False, indent=1)
