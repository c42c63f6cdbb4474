"""A model for one's own kind of text, from a hundred pairs. Paper: section 2.3.

All weights go on learning, on 500 tokens of each document and 200 of each summary, until the loss
on validation pairs stops falling, at most for 3,000 steps. The best weights on the way are kept; if
none is better than what training began with, that is kept.
"""

from __future__ import annotations

import csv
import math
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from mls.errors import MlsError
from mls.fingerprints import fingerprint
from mls.model import Model
from mls.prototype.beam import SearchSettings
from mls.training.base import Examples
from mls.training.batches import Pairs
from mls.training.cache import Corpus
from mls.training.config import Phase, TrainingConfig, network_config
from mls.training.export import export_model, start
from mls.training.loop import Report, Trainer, Workers
from mls.training.networks import build
from mls.training.run import TrainingData
from mls.training.storage import read_weights

SOURCE_TOKENS, TARGET_TOKENS = 500, 200
MOST_STEPS = 3_000
BATCH = 16
_FRESH_RATE = 1e-3


@dataclass(frozen=True)
class FineTuned:
    """What came of it: validation losses, and how many examples the kept weights have seen."""

    loss_before: float
    best_loss: float
    examples: int  # 0: nothing was better than the beginning


def settings_for(model: Model, pairs: int) -> TrainingConfig:
    """The settings of fine-tuning: at most an epoch between two validations, three without gain before it stops."""
    return TrainingConfig(
        network=network_config(model.config.network, str(model.folder)),
        phases=(Phase(MOST_STEPS * BATCH, SOURCE_TOKENS, TARGET_TOKENS, coverage_weight=0.25),),
        optimizer="adam",
        learning_rate=2e-4,
        half_life_examples=0,
        initial_accumulator=0.0,
        batch=BATCH,
        clip_norm=2.0,
        selector_weight=0.5,
        average=0.95,
        max_examples=MOST_STEPS * BATCH,
        validate_every=min(pairs, MOST_STEPS * BATCH // 10),
        patience=3,
        seed=1,
    )


def finetune(
    model: Model, data: TrainingData, out: Path, run: Path, deadline: float, show: Callable[[Report], None],
    fresh: bool = False,
) -> FineTuned:  # fmt: skip
    """Go on training a model and write what is best into a folder; `run` holds the work until then.

    `deadline` is a moment of time.monotonic, by which all is validated too, if the machine goes on as it began.
    `fresh` begins with random weights instead of the model's: MLS*, without pretraining.

    Paper: section 2.3, and section 3 D for MLS*.
    """
    config = settings_for(model, len(data.training))
    torch.manual_seed(config.seed)
    network = build(config.network)
    if fresh:
        config = replace(config, learning_rate=_FRESH_RATE)
    else:
        start(network, read_weights(model.folder))
    before = {name: value.clone() for name, value in network.state_dict().items()}
    trainer = Trainer(config, network, data.training, data.validation, run)
    began = time.monotonic()
    loss_before = trainer.validate()
    validating = time.monotonic() - began
    _begin_or_go_on(trainer, _fingerprint(model, data, fresh), loss_before)
    trainer.run(Workers(), deadline - validating, show)
    if trainer.interrupted:
        raise KeyboardInterrupt
    trainer.conclude()
    weights, examples, best_loss = _best(run, before, loss_before)
    start(network, weights)
    result = FineTuned(loss_before, best_loss, examples)
    facts = {**model.config.training, "finetuned": {"pairs": len(data.training), **asdict(result)}}
    config_after = replace(
        model.config, window=SOURCE_TOKENS, search=_search_for(model.config.search, data), training=facts
    )
    export_model(network, data.vocabulary, asdict(config_after), _card(model, result, len(data.training)), out)
    shutil.rmtree(run)
    return result


def _begin_or_go_on(trainer: Trainer, begun_with: str, loss_before: float) -> None:
    """Go on with the work in the trainer's folder, if it is the same work."""
    begun = trainer.folder / "begun.txt"
    if not trainer.checkpoint.exists():
        trainer.folder.mkdir(parents=True, exist_ok=True)
        begun.write_text(begun_with, encoding="utf-8")
        trainer.position.best_loss = loss_before
        return
    if not begun.exists() or begun.read_text(encoding="utf-8") != begun_with:
        other = "unfinished work with another model or other pairs"
        raise MlsError(f"{trainer.folder} holds {other}; remove it, or choose another --out")
    trainer.resume()
    trainer.take_back_later_rows()


def _fingerprint(model: Model, data: TrainingData, fresh: bool) -> str:
    """Changes with all that fine-tuning begins with."""
    files = [model.folder / name for name in ("weights.safetensors", "vocabulary.txt")]
    corpora = [_pairs(data.training), _pairs(data.validation)]
    arrays = [array for c in corpora for array in (c.source, c.source_ends, c.target, c.target_ends)]
    return fingerprint(str(fresh), *files, *(array.tobytes() for array in arrays))


def _pairs(examples: Examples) -> Corpus:
    assert isinstance(examples, Pairs)
    return examples.corpus


def _best(run: Path, before: dict[str, Tensor], loss_before: float) -> tuple[dict[str, Tensor], int, float]:
    """The weights with the lowest validation loss."""
    log = run / "log.csv"
    rows = csv.DictReader(log.read_text(encoding="utf-8", errors="replace").splitlines()) if log.exists() else []
    losses = [found for row in rows if (found := _validated(row))]
    best_loss, examples = min(losses, default=(math.inf, 0))
    if best_loss >= loss_before:
        return before, 0, loss_before
    snapshot = run / "snapshots" / f"{examples:08d}.safetensors"
    try:
        weights = {name: value.float() for name, value in load_file(snapshot).items()}
    except (OSError, SafetensorError) as error:
        raise MlsError(f"{snapshot} is missing or damaged: {error}; remove {run} and start anew") from error
    return weights, examples, best_loss


def _validated(row: dict[str, str]) -> tuple[float, int] | None:
    """The loss that a row of the log speaks of, and the examples before it; None if the row was cut off."""
    try:
        return float(row["validation_loss"]), int(row["examples"])
    except (KeyError, TypeError, ValueError):
        return None


def _search_for(search: SearchSettings, data: TrainingData) -> SearchSettings:
    """Drafts about as long as the summaries that were learned from."""
    usual = float(np.median(np.diff(_pairs(data.training).target_ends, prepend=0)))
    return replace(search, shortest=min(TARGET_TOKENS // 2, int(0.8 * usual)), longest=TARGET_TOKENS)


def _card(model: Model, result: FineTuned, pairs: int) -> str:
    kept = f"after {result.examples:,} examples" if result.examples else "as they were: nothing was better"
    return f"""# A model for MLS, fine-tuned

Made by `mls finetune` from {pairs:,} pairs. Weights {kept}. Validation loss {result.loss_before:.4f} before,
{result.best_loss:.4f} after. `mls tune` finds the head weights for it.

It began as:

{(model.folder / "README.md").read_text(encoding="utf-8")}"""
