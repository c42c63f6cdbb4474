"""From a folder of data and a preset to a training run: everything `mls train` does but its progress bar."""

from __future__ import annotations

import ctypes
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from mls.configuration import parse
from mls.corpora.records import ReportProblem
from mls.errors import MlsError
from mls.model import FORMAT, PARSER, VERSION, ModelConfig, load_model, shipped_model
from mls.parser.network import load_parser, shipped_parser
from mls.prototype.beam import SearchSettings
from mls.training.base import Examples, Network, SummaryNetwork
from mls.training.batches import Pairs
from mls.training.cache import CachedCorpus, Corpus, cached_corpus
from mls.training.config import NetworkConfig, ParserConfig, TrainingConfig
from mls.training.export import export_model, start
from mls.training.loop import Position, Report, Trainer, Workers, read_checkpoint
from mls.training.networks import build
from mls.training.sentences import LABELS, Labels, read_labels, sentence_corpus
from mls.training.storage import read_weights
from mls.vocabulary import Vocabulary

LATER_WINDOWS = 0.3  # measured on CNN/DailyMail; `mls tune` measures it for other texts
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_MAX, _ARENA_MAX = -1, -2, -4, -8  # of malloc.h
_HELD_OUT = 50  # one example in so many validates where no validation file is given


@dataclass(frozen=True)
class TrainingData:
    """What a run learns from and what it is validated on."""

    training: Examples
    validation: Examples
    vocabulary: Vocabulary
    skipped: int
    labels: Labels | None = None  # of sentences


@dataclass(frozen=True)
class StartingPoint:
    """What a run begins with instead of nothing."""

    weights: dict[str, torch.Tensor]
    vocabulary: Vocabulary
    labels: Labels | None  # of a parser


def open_data(
    data: str, validation: str | None, config: TrainingConfig, cache: Path, vocabulary: Vocabulary | None,
    report: ReportProblem,
) -> TrainingData:  # fmt: skip
    """Tokenize the data, or open what was tokenized before."""
    training = cached_corpus(data, cache, config.network.vocabulary, report, vocabulary)
    if len(training.corpus) < 2:
        raise MlsError(f"{data} holds {len(training.corpus)} usable pairs; at least 2 are needed to train")
    source = validation or _validation_beside(data)
    if source is None:
        return _hold_out(training)
    validating = cached_corpus(source, cache, config.network.vocabulary, report, training.vocabulary)
    if not len(validating.corpus):
        raise MlsError(f"{source} holds no usable pair to validate on")
    return TrainingData(
        Pairs(training.corpus), Pairs(validating.corpus), training.vocabulary, training.skipped + validating.skipped
    )  # fmt: skip


def open_sentences(
    data: str, validation: str | None, config: ParserConfig, cache: Path, run: Path, begin: StartingPoint | None
) -> TrainingData:
    """Sentences to train a parser on; a run that is there already keeps its vocabulary and its labels."""
    known = (begin.vocabulary, begin.labels) if begin and begin.labels else None
    if (run / LABELS).is_file():
        known = Vocabulary.load(run / "vocabulary.txt"), read_labels(run / LABELS)
    training, vocabulary, labels = sentence_corpus(Path(data), cache, config, known)
    if validation is None:
        raise MlsError("a parser needs sentences to validate on: --validation FOLDER")
    validating, *_ = sentence_corpus(Path(validation), cache, config, (vocabulary, labels))
    return TrainingData(training, validating, vocabulary, 0, labels)


def _validation_beside(data: str) -> str | None:
    folder = Path(data)
    found = sorted(folder.glob("val*.jsonl*")) if folder.is_dir() else []
    return str(found[0]) if found else None


def _hold_out(whole: CachedCorpus) -> TrainingData:
    corpus = whole.corpus
    cut = len(corpus) - max(1, len(corpus) // _HELD_OUT)
    first, rest = Pairs(_part(corpus, 0, cut)), Pairs(_part(corpus, cut, len(corpus)))
    return TrainingData(first, rest, whole.vocabulary, whole.skipped)


def _part(corpus: Corpus, first: int, last: int) -> Corpus:
    source_start = int(corpus.source_ends[first - 1]) if first else 0
    target_start = int(corpus.target_ends[first - 1]) if first else 0
    return Corpus(
        corpus.source[source_start : corpus.source_ends[last - 1]],
        corpus.selected[source_start : corpus.source_ends[last - 1]],
        np.asarray(corpus.source_ends[first:last]) - source_start,
        corpus.target[target_start : corpus.target_ends[last - 1]],
        np.asarray(corpus.target_ends[first:last]) - target_start,
    )


def train(
    config: TrainingConfig, data: TrainingData, folder: Path, workers: Workers, minutes: float | None,
    resume: bool, start_from: dict[str, torch.Tensor] | None, show: Callable[[Report], None],
) -> Trainer:  # fmt: skip
    """Run, or go on with, the training in `folder`."""
    config = replace(config, network=_fitted(config.network, data))
    torch.manual_seed(config.seed)
    network = build(config.network)
    if start_from:
        start(network, start_from)
    trainer = Trainer(config, network, data.training, data.validation, folder)
    if resume:
        if not trainer.checkpoint.exists():
            raise MlsError(f"{folder} holds no checkpoint to resume from; leave out --resume to begin a run")
        kept = Vocabulary.load(folder / "vocabulary.txt")
        if kept.types != data.vocabulary.types:
            raise MlsError(f"the run in {folder} has another vocabulary than these data: give the same data and --init")
        trainer.resume()
    elif trainer.checkpoint.exists():
        raise MlsError(f"{folder} holds a run already; add --resume to go on with it, or choose another --out")
    if workers.rank == 0:
        folder.mkdir(parents=True, exist_ok=True)
        if resume:
            trainer.take_back_later_rows()
        else:  # on resuming, the other processes may still be reading the vocabulary
            (folder / "log.csv").unlink(missing_ok=True)
            data.vocabulary.save(folder / "vocabulary.txt")
            if data.labels:
                (folder / LABELS).write_text(json.dumps(asdict(data.labels)), encoding="utf-8")
        (folder / "config.json").write_text(json.dumps(asdict(config), indent=2), encoding="utf-8")
    deadline = time.monotonic() + 60 * minutes if minutes is not None else float("inf")
    trainer.run(workers, deadline, show)
    return trainer


def use_threads(count: int) -> None:
    torch.set_num_threads(count)


def keep_freed_memory() -> None:
    """Have glibc keep what is freed: the next step asks for the same, and fresh pages cost a sixth of the time."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        for parameter, value in ((_TRIM_THRESHOLD, 2**31 - 1), (_TOP_PAD, 2**28), (_MMAP_MAX, 0), (_ARENA_MAX, 1)):
            mallopt(parameter, value)


def starting_point(name: str, kind: str) -> StartingPoint:
    """What a model folder, or the model of this kind that ships, gives a run to begin with."""
    if kind == PARSER:
        parser = shipped_parser() if name == "shipped" else load_parser(Path(name))
        folder, labels = parser.folder, Labels(parser.tags, parser.relations, parser.entities)
    else:
        model = shipped_model() if name == "shipped" else load_model(Path(name))
        model.expect(kind)
        folder, labels = model.folder, None
    return StartingPoint(read_weights(folder), Vocabulary.load(folder / "vocabulary.txt"), labels)


def export_run(run: Path, folder: Path, search: SearchSettings, snapshot: str | None) -> None:
    """Turn a training run into a model folder: its latest averaged weights, or those of a snapshot."""
    path = run / "config.json"
    if not path.is_file():
        raise MlsError(f"{run} is not a training run: it has no config.json")
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise MlsError(f"{path} is damaged: {error}") from error
    config = parse(TrainingConfig, values, str(path))
    network = build(config.network)
    if snapshot is not None:
        file = run / "snapshots" / f"{snapshot:>08}.safetensors"
        if not file.is_file():
            kept = sorted(int(one.stem) for one in file.parent.glob("*.safetensors"))
            raise MlsError(f"{run} has no snapshot {snapshot!r}; it has {', '.join(map(str, kept)) or 'none'}")
        try:
            weights = load_file(file)
        except SafetensorError as error:
            raise MlsError(f"{file} is damaged: {error}; export another snapshot") from error
        examples = int(snapshot)
    else:
        state = read_checkpoint(run / "checkpoint.pt")
        weights, examples = state["average"], parse(Position, state["position"], str(run / "checkpoint.pt")).examples
    try:
        network.load_state_dict({name: value.float() for name, value in weights.items()})
    except (RuntimeError, TypeError, AttributeError) as error:
        raise MlsError(f"the weights in {run} are not those of the network in {path}; begin the run anew") from error
    facts = {"examples": examples, "settings": asdict(config)}
    vocabulary, card = Vocabulary.load(run / "vocabulary.txt"), _card(network, examples)
    if not isinstance(network, SummaryNetwork):
        labels = asdict(read_labels(run / LABELS))
        values = {"format": FORMAT, "version": VERSION, "network": asdict(config.network), "labels": labels}
        export_model(network, vocabulary, values | {"training": facts}, card, folder)
        return
    phase = config.phases[-1]
    if network.learns_positions:
        phase = config.phase(max(0, examples - 1)) or phase
        search = replace(search, longest=min(search.longest, phase.target_tokens))
    window = phase.source_tokens
    model = ModelConfig(FORMAT, VERSION, asdict(config.network), window, LATER_WINDOWS, search, {}, facts)
    export_model(network, vocabulary, asdict(model), card, folder)


def _card(network: Network, examples: int) -> str:
    return f"""# A {network.title} for MLS

Trained by `mls train` on {examples:,} examples. Its settings are in `config.json`.
{network.usage}
"""


def _fitted(network: NetworkConfig, data: TrainingData) -> NetworkConfig:
    """A small corpus has fewer word types than the preset reads; how many labels there are, it alone knows."""
    types = len(data.vocabulary)
    if isinstance(network, ParserConfig):
        labels = data.labels or Labels((), (), ())
        tags, relations, entities = len(labels.tags), len(labels.relations), len(labels.entities)
        known = min(network.vocabulary, types)
        return replace(network, vocabulary=known, tags=tags, relations=relations, entities=entities)
    return replace(
        network,
        vocabulary=min(network.vocabulary, types),
        output_vocabulary=min(network.output_vocabulary, types),
    )
