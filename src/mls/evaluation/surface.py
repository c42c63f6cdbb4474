"""A picture of a weight search: how ROUGE-1 depends on each head's weight."""

from __future__ import annotations

from pathlib import Path

from mls.evaluation.plots import pyplot, save
from mls.evaluation.tuning import Tuned


def plot_surface(found: Tuned, path: Path, caption: str) -> None:
    """For each head, the best mean ROUGE-1 that was reached with each weight; all other points as dots."""
    plt = pyplot()
    names = list(found.best.weights)
    figure, panels = plt.subplots(1, len(names), figsize=(2.6 * len(names), 3.2), dpi=120, sharey=True, squeeze=False)
    for axes, name in zip(panels[0], names, strict=True):
        weights = [point.weights[name] for point in found.points]
        scores = [100 * point.rouge1 for point in found.points]
        best: dict[float, float] = {}
        for weight, score in zip(weights, scores, strict=True):
            best[weight] = max(score, best.get(weight, score))
        axes.plot(weights, scores, ".", color="#bbbbbb", markersize=3)
        axes.plot(sorted(best), [best[weight] for weight in sorted(best)], "-o", color="#0072B2", markersize=3)
        axes.axvline(found.chosen.weights[name], color="#D55E00", linewidth=1)
        axes.set_title(name, fontsize=10)
        axes.set_xlabel("weight")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0][0].set_ylabel("mean ROUGE-1, %")
    figure.text(0.01, 0.01, f"{caption}; line: the best with that weight, upright: what was chosen", fontsize=7)
    figure.tight_layout(rect=(0, 0.04, 1, 1))
    save(figure, path)
    plt.close(figure)
