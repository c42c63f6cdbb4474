"""`mls tune`: the head weights that serve one's own texts best."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mls.budget import Budget
from mls.cli.evaluate import read_pairs
from mls.cli.files import folder_to_write, write_whole
from mls.cli.levels import parse_budgets
from mls.cli.progress import progress
from mls.errors import MlsError
from mls.model import Model, load_model, shipped_model
from mls.summarizer import Summarizer

if TYPE_CHECKING:
    from mls.evaluation.tuning import Tuned


@click.command()
@click.argument("data")
@click.option("--model", metavar="FOLDER", help="The model folder to tune; the shipped model if not given.")
@click.option("--out", metavar="FOLDER", help="Write the tuned model here; else the folder of --model is changed.")
@click.option("--prototype", default="pg-network", show_default=True, help="What drafts: pg-network or greedy.")
@click.option("--heads", default="default", show_default=True, help="Heads to weigh: default or paper.")
@click.option("--budgets", "-b", default="1/32,1/16,1/8,1/4,1/2", show_default=True, help="Budgets, by commas.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many pairs.")
@click.option("--plot", metavar="FILE", help="A picture of how ROUGE-1 depends on each weight (PNG).")
@click.option("--points", metavar="FILE", help="Every point that was tried, as JSON.")
@click.option("--strict", is_flag=True, help="Refuse data with a bad record instead of skipping it.")
def tune(
    data: str, model: str | None, out: str | None, prototype: str, heads: str, budgets: str, limit: int | None,
    plot: str | None, points: str | None, strict: bool,
) -> None:  # fmt: skip
    """Search the head weights for ROUGE-1 on pairs of document and summary.

    DATA is a file of JSON lines with `document` and `summary`; a few dozen pairs are enough. Use pairs
    that you do not test on. First it is measured how much summaries take from beyond the first
    window of a document; then the weights are searched. Minutes, not hours. Weights that these pairs
    do not speak against, beyond one standard error, stay as they are.

    \b
    mls tune val.jsonl --model my-model --plot weights.png
    mls tune val.jsonl --out my-model            from the shipped model
    mls tune val.jsonl --heads paper             only look: the paper's heads are in no model
    """
    from mls.evaluation.calibration import measure_later_windows
    from mls.evaluation.tuning import tune as search

    given = load_model(Path(model)) if model else shipped_model()
    wanted = out or model
    folder = _place(given, wanted) if wanted and heads == "default" else None
    records = read_pairs(data, limit, strict)
    later = measure_later_windows(given, records) if heads == "default" else None
    if later is not None:
        given = replace(given, config=replace(given.config, later_windows=later))
        print(f"summaries take {later:.2f} as much from later windows as the network expects")
    summarizer = Summarizer(prototype, heads, model=given)
    with progress("reading") as reading, progress("trying weights") as trying:
        found = search(summarizer, records, parse_budgets(budgets), reading, trying)
    _tell(found, len(records), parse_budgets(budgets))
    if points:
        rows = [{"weights": point.weights, "rouge1": round(point.rouge1, 6)} for point in found.points]
        write_whole(points, json.dumps(rows, indent=1) + "\n")
    if plot:
        from mls.evaluation.surface import plot_surface

        plot_surface(found, Path(plot), f"{Path(data).name}, {len(records)} documents")
    if folder:
        _write(given, found, folder)


def _tell(found: Tuned, documents: int, budgets: list[Budget]) -> None:
    def shown(weights: dict[str, float]) -> str:
        return ", ".join(f"{name} {weight:+.1f}" for name, weight in weights.items())

    best, start = found.best, found.at_start
    print(f"mean ROUGE-1 over {documents} documents and {len(budgets)} budgets:")
    print(f"  {100 * start.rouge1:.2f}  as it was: {shown(start.weights)}")
    print(f"  {100 * best.rouge1:.2f}  best of {len(found.points)} tried: {shown(best.weights)}")
    print(f"  {100 * found.chosen.rouge1:.2f}  nearest that is as good but for chance: {shown(found.chosen.weights)}")


def _place(model: Model, name: str) -> Path:
    """Where the tuned model goes: into the model's own folder, or one that holds nothing yet."""
    folder = folder_to_write(name)
    if folder.resolve() != model.folder.resolve() and folder.exists() and any(folder.iterdir()):
        raise MlsError(f"{folder} is there already; choose another --out, or tune it with --model {folder}")
    return folder


def _write(model: Model, found: Tuned, folder: Path) -> None:
    """Put the weights into a model folder: into a copy, if the folder is not the model's own."""
    if folder.resolve() != model.folder.resolve():
        shutil.copytree(model.folder, folder, dirs_exist_ok=True)
    config = replace(model.config, heads=found.chosen.weights)
    write_whole(str(folder / "config.json"), json.dumps(asdict(config), indent=2) + "\n")
    print(f"wrote {folder}")
