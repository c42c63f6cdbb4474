"""`mls tune`: the head weights that serve one's own texts best."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mls.assembly import model_of, uses_network
from mls.budget import Budget
from mls.cli.evaluate import read_pairs
from mls.cli.files import folder_to_write, write_whole
from mls.cli.options import recipe_options
from mls.cli.progress import progress
from mls.corpora.records import Record
from mls.errors import MlsError
from mls.folders import write_config
from mls.model import VERSION, Model
from mls.recipe import Recipe
from mls.summarizer import Summarizer

if TYPE_CHECKING:
    from mls.evaluation.tuning import Tuned


@click.command()
@click.argument("data")
@click.option("--out", metavar="FOLDER", help="Write the tuned model here, into a new folder; else nothing is written.")
@click.option("--budgets", "-b", default="1/32,1/16,1/8,1/4,1/2", show_default=True, help="Budgets, by commas.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first so many pairs.")
@click.option("--plot", metavar="FILE", help="A picture of how ROUGE-1 depends on each weight (PNG).")
@click.option("--points", metavar="FILE", help="Every point that was tried, as JSON.")
@click.option("--strict", is_flag=True, help="A bad record is an error instead of being skipped.")
@recipe_options
def tune(
    data: str, recipe: Recipe, out: str | None, budgets: str, limit: int | None, plot: str | None, points: str | None,
    strict: bool,
) -> None:  # fmt: skip
    """Search the head weights for ROUGE-1 on pairs of document and summary.

    DATA is what `mls train` takes, pairs of `document` and `summary`; a few dozen pairs are enough. Use pairs
    that you do not test on. First it is measured how much summaries take from beyond the first
    window of a document; then the weights are searched. Minutes, not hours. Weights that these pairs
    do not speak against, beyond one standard error, stay as they are.

    \b
    mls tune val.jsonl --out my-model --plot weights.png  from what ships
    mls tune val.jsonl --model my-model --out my-tuned-model
    mls tune val.jsonl --recipe paper                     only look
    """
    from mls.evaluation.tuning import tune as search

    folder = _folder_for(out, recipe) if out else None
    records = read_pairs(data, limit, strict)
    with tempfile.TemporaryDirectory() as scratch:
        if "salience" in recipe.weights:
            recipe = _calibrated(recipe, records, Path(scratch) / "model")
        with progress("reading") as reading, progress("trying weights") as trying:
            found = search(Summarizer(recipe), records, Budget.parse_many(budgets), reading.show, trying.show)
        if folder:
            tuned = replace(recipe, weights=found.chosen.weights)
            write_tuned(model_of(recipe), tuned, folder)
            print(f"wrote {folder}")
    _tell(found, len(records), Budget.parse_many(budgets))
    if points:
        rows = [{"weights": point.weights, "rouge1": round(point.rouge1, 6)} for point in found.points]
        write_whole(points, json.dumps(rows, indent=1) + "\n")
    if plot:
        from mls.evaluation.surface import plot_surface

        plot_surface(found, Path(plot), f"{Path(data).name}, {len(records)} documents")


def _tell(found: Tuned, documents: int, budgets: list[Budget]) -> None:
    def shown(weights: dict[str, float]) -> str:
        return ", ".join(f"{name} {weight:.2f}" for name, weight in weights.items())

    rows = {"before": found.at_start, f"best of {len(found.points)}": found.best, "chosen": found.chosen}
    print(f"mean ROUGE-1 at {', '.join(map(str, budgets))} ({documents} documents), and the weights that give it:")
    for name, point in rows.items():
        print(f"  {name:12} {100 * point.rouge1:5.2f}  {shown(point.weights)}")
    if found.chosen == found.best:
        print("chosen: the best, for nothing nearer to the weights before comes within one standard error of it")
    else:
        print("chosen: the nearest to the weights before that comes within one standard error of the best")


def _calibrated(recipe: Recipe, records: list[Record], scratch: Path) -> Recipe:
    """The recipe with a model that knows how much summaries of such texts take from beyond its first window."""
    from mls.training.calibration import measure_later_windows

    model = model_of(recipe)
    later = measure_later_windows(model, records)
    if later is None:
        return recipe
    expected = f"{later:.2f} times as much from the later ones as the network expects"
    print(f"a long document is read in windows; these summaries take {expected}, so it is told so")
    shutil.copytree(model.folder, scratch)
    config = replace(model.config, later_windows=later)
    write_config(scratch, asdict(config))
    return replace(recipe, model=str(scratch))


def _folder_for(name: str, recipe: Recipe) -> Path:
    """Where the tuned model goes: a folder that holds nothing yet, so that nothing is lost."""
    if not uses_network(recipe):
        raise MlsError("--out writes a model, but this recipe asks no network; leave --out out and keep the weights")
    folder = folder_to_write(name)
    if folder.exists() and any(folder.iterdir()):
        raise MlsError(f"{folder} is there already; choose another --out")
    return folder


def write_tuned(model: Model, recipe: Recipe, folder: Path) -> None:
    """A copy of a model folder that brings this recipe along, whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
    try:
        shutil.copytree(model.folder, unfinished, dirs_exist_ok=True)
        config = replace(model.config, version=VERSION, recipe=replace(recipe, model=None).to_dict())
        write_config(unfinished, asdict(config))
        unfinished.chmod(0o755)
        os.replace(unfinished, folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
