"""Scores against budgets, one small picture a metric."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mls.errors import MissingExtraError
from mls.evaluation.tables import Table, title

# Told apart by shape as well as by colour; after Okabe and Ito.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
_MARKERS = "osD^vPX*"


def pyplot() -> Any:
    """matplotlib without a screen."""
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtraError("plots", "matplotlib", "eval") from error
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    return plt


def save(figure: Any, path: Path) -> None:
    """Write an SVG with its text as text, the same bytes each time, or whatever else the name ends with."""
    import matplotlib

    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": path.stem, "font.family": "sans-serif"}):
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def plot_tables(tables: Sequence[Table], folder: Path, caption: str) -> list[Path]:
    """Write one SVG a table; bars are 95% intervals."""
    plt = pyplot()
    written = []
    for table in tables:
        figure, axes = plt.subplots(figsize=(7.4, 4.0), dpi=120)
        _draw(axes, table)
        axes.set_title(title(table), fontsize=11, loc="left")
        figure.text(0.01, 0.01, caption, fontsize=7, color="#555555")
        figure.tight_layout(rect=(0, 0.03, 1, 1))
        path = folder / f"{table.metric.name}.svg"
        save(figure, path)
        plt.close(figure)
        written.append(path)
    return written


def _draw(axes: Any, table: Table) -> None:
    scale = 100 if table.metric.percent else 1
    positions = range(len(table.budgets))
    for number, (method, entries) in enumerate(table.rows.items()):
        shift = 0.03 * (number - (len(table.rows) - 1) / 2)
        means = [scale * entry.estimate.mean for entry in entries]
        spread = [
            [scale * (entry.estimate.mean - entry.estimate.low) for entry in entries],
            [scale * (entry.estimate.high - entry.estimate.mean) for entry in entries],
        ]
        axes.errorbar(
            [position + shift for position in positions], means, spread, label=method, capsize=2, markersize=5,
            linewidth=2.2 if number == 0 else 1.2, **_style(number),
        )  # fmt: skip
    axes.set_xticks(list(positions), table.budgets)
    axes.set_xlabel("budget")
    axes.grid(axis="y", color="#dddddd")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))


def _style(number: int) -> dict[str, str]:
    """The look of a method; when all colours are used, they come again with broken lines and hollow marks."""
    again, position = divmod(number, len(_COLOURS))
    return {
        "color": _COLOURS[position],
        "marker": _MARKERS[position],
        "linestyle": "--" if again else "-",
        "markerfacecolor": "white" if again else _COLOURS[position],
    }
