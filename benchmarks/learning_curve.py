"""The learning curve of a training run: ROUGE of the prototypes of each snapshot, as a table and a plot.

    python benchmarks/learning_curve.py runs/compact --data DATA/cnndm/val.jsonl.xz --limit 200 --out results/prototype

Every snapshot reads the first 400 tokens of the same validation documents. `curve.csv` keeps what was
scored: run it again while training goes on, and only new snapshots are. To begin anew, delete it.
"""

from __future__ import annotations

import argparse
import csv
import shlex
import sys
import tempfile
from itertools import islice
from pathlib import Path

from mls.corpora.records import Record, read_records
from mls.evaluation.bootstrap import Estimate, estimate
from mls.evaluation.plots import pyplot, save
from mls.evaluation.rouge import rouge
from mls.model import load_model, shipped_model
from mls.text import Document
from mls.training.run import export_run
from prototype import judge, lead, written

METRICS = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougelsum": "ROUGE-Lsum"}
LEAD = "lead-3"
Curve = dict[str, dict[str, Estimate]]  # by examples seen, or by the name of a baseline


def scores(records: list[Record], texts: list[str]) -> dict[str, Estimate]:
    rows = [rouge(judge(record, text)) for record, text in zip(records, texts, strict=True)]
    return {name: estimate([100 * row[name] for row in rows]) for name in METRICS}


def score_snapshot(run: Path, snapshot: str, records: list[Record]) -> dict[str, Estimate]:
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        export_run(run, model, shipped_model().config.search, snapshot)
        return scores(records, list(written(load_model(model).prototype(), records)))


def read_curve(path: Path) -> Curve:
    found: Curve = {}
    if path.exists():
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                found.setdefault(row["examples"], {})[row["metric"]] = Estimate(
                    float(row["mean"]), float(row["low"]), float(row["high"]), int(row["documents"])
                )
    return found


def write_curve(path: Path, curve: Curve) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["examples", "metric", "mean", "low", "high", "documents"])
        for examples, found in curve.items():
            rows.writerows(
                (examples, name, *(f"{v:.3f}" for v in (e.mean, e.low, e.high)), e.count) for name, e in found.items()
            )


def table(curve: Curve) -> list[str]:
    curve = {LEAD: curve[LEAD]} | {
        str(seen): curve[str(seen)] for seen in sorted(int(key) for key in curve if key != LEAD)
    }
    lines = [f"| examples | {' | '.join(METRICS.values())} |", "|---" * (1 + len(METRICS)) + "|"]
    for examples, found in curve.items():
        name = examples if examples == LEAD else f"{int(examples):,}"
        lines.append(
            f"| {name} | " + " | ".join(f"{one.mean:.1f} ±{one.half_width:.1f}" for one in found.values()) + " |"
        )
    return lines


def validation_losses(run: Path) -> list[tuple[float, float]]:
    """Thousand examples seen, and the loss of a token under the averaged weights."""
    with (run / "log.csv").open(newline="", encoding="utf-8") as file:
        return [(int(row["examples"]) / 1000, float(row["validation_loss"])) for row in csv.DictReader(file)]


def plot(curve: Curve, losses: list[tuple[float, float]], path: Path, caption: str) -> None:
    plt = pyplot()
    figure, (first, *panels) = plt.subplots(1, 1 + len(METRICS), figsize=(12, 3.4), dpi=120)
    first.plot(*zip(*losses, strict=True), marker="o", color="#0072B2")
    first.set_title("validation loss", fontsize=11, loc="left")
    seen = sorted(int(examples) for examples in curve if examples != LEAD)
    for axes, (metric, title) in zip(panels, METRICS.items(), strict=True):
        points = [curve[str(examples)][metric] for examples in seen]
        spread = [[one.mean - one.low for one in points], [one.high - one.mean for one in points]]
        thousands = [examples / 1000 for examples in seen]
        axes.errorbar(thousands, [one.mean for one in points], spread, capsize=2, marker="o", color="#0072B2")
        axes.axhline(curve[LEAD][metric].mean, color="#D55E00", linestyle="--")
        axes.text(thousands[-1], curve[LEAD][metric].mean, LEAD, color="#D55E00", fontsize=8, ha="right", va="bottom")
        axes.set_title(title, fontsize=11, loc="left")
    for axes in (first, *panels):
        axes.set_xlabel("thousand examples seen")
        axes.grid(axis="y", color="#dddddd")
        axes.spines[["top", "right"]].set_visible(False)
    figure.text(0.01, 0.01, caption, fontsize=7, color="#555555")
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    save(figure, path)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="a training run")
    parser.add_argument("--data", required=True, help="validation documents")
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--apart", type=int, default=1, help="score a snapshot only every so many examples")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    records = list(islice(read_records(options.data, print), options.limit))
    options.out.mkdir(parents=True, exist_ok=True)
    kept = options.out / "curve.csv"
    curve = read_curve(kept)
    if LEAD not in curve:
        curve[LEAD] = scores(records, [lead(Document.parse(record.document)) for record in records])
    stretch = 0
    for snapshot in sorted((options.run / "snapshots").glob("*.safetensors")):
        examples = str(int(snapshot.stem))
        is_next, stretch = int(examples) // options.apart > stretch, int(examples) // options.apart
        if is_next and examples not in curve:
            curve[examples] = score_snapshot(options.run, snapshot.stem, records)
            print(examples, *(f"{one.mean:.2f}" for one in curve[examples].values()), flush=True)
            write_curve(kept, curve)
    caption = f"{len(records)} documents of {Path(options.data).name}, first 400 tokens; bars are 95% intervals"
    plot(curve, validation_losses(options.run), options.out / "curve.png", caption)
    lines = ["# Learning curve", "", f"    {shlex.join(['python', *sys.argv])}", "", f"{caption}.", "", *table(curve)]
    (options.out / "curve.md").write_text("\n".join([*lines, "", "![](curve.png)", ""]), encoding="utf-8")
    print("\n".join(table(curve)))


if __name__ == "__main__":
    main()
