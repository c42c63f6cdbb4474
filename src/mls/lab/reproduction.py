"""The paper's experiments, redone on our data: Tables 1 to 3, the abstractiveness figure, the ablations.

`mls` is what ships, on every set. Where a set has validation pairs, the method as the paper trains it has a row of its
own: a network fine-tuned on the training pairs, the best of all weights on the validation pairs. Test pairs are only
ever scored. Every model is kept under a name that says what it was made from, and so is every scored summary: a
second run makes only what changed, and a run that was stopped goes on.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path

from mls.assembly import resolve
from mls.budget import Budget
from mls.corpora.records import Record, read_records, without_duplicates
from mls.errors import MlsError
from mls.evaluation.cells import program
from mls.evaluation.experiment import Experiment, run_experiment
from mls.evaluation.report import PLOTTED, write_report
from mls.evaluation.surface import plot_surface
from mls.evaluation.tuning import tune
from mls.fingerprints import fingerprint
from mls.folders import write_config
from mls.lab.claims import page
from mls.lab.evidence import Evidence, as_csv, findings
from mls.lab.paper_figures import paper_figures
from mls.methods import MethodSettings, method_settings
from mls.model import CONVOLUTIONAL, VERSION, Model, load_model, shipped_model
from mls.recipe import PRESETS
from mls.summarizer import Summarizer
from mls.training.calibration import measure_later_windows
from mls.training.finetune import finetune, settings_for
from mls.training.loop import Report
from mls.training.run import open_data

BUDGETS = tuple(Budget.parse(share) for share in ("1/32", "1/16", "1/8", "1/4", "1/2"))
SEARCHED = 60  # pairs at most by which weights are searched
ABLATED = 100  # documents at most on which parts are left out


@dataclass(frozen=True)
class DataSet:
    """Pairs of one kind of text, by the files below --data that hold them."""

    name: str
    test: str
    validation: str | None = None
    training: str | None = None  # to fine-tune on; news is what the shipped network learned from
    stands_for: str | None = None  # the data set of the paper in whose place it is


SETS = (
    DataSet("news", "cnndm/test.jsonl.xz", "cnndm/val.jsonl.xz"),
    DataSet("narratives", "narratives/test.jsonl", "narratives/val.jsonl", "narratives/train.jsonl", "D1"),
    DataSet("essays", "essays/test.jsonl", "essays/val.jsonl", "essays/train.jsonl", "D2"),
    DataSet("dialogues", "dialogues/val.jsonl.xz"),
    DataSet("meetings", "meetings/val.jsonl.xz"),
)


@dataclass(frozen=True)
class Workshop:
    """Where things are, how many hands there are, and whom to tell."""

    data: Path
    out: Path
    work: Path
    workers: int
    command: str
    say: Callable[[str], None]
    show: Callable[[int, int], None]
    learning: Callable[[Report], None]


def reproduce(shop: Workshop, a3: Model | None, documents: int, names: Sequence[str] = ()) -> None:
    """All sets, or those that are named, one after the other; of each so many documents at most."""
    if a3:
        a3.expect(CONVOLUTIONAL)
    evidence: list[Evidence] = []
    for one in SETS:
        if one.name in names or not names:
            evidence.append(_reproduced(shop, one, a3, documents))
            found = [finding for each in evidence for finding in findings(each)]
            (shop.out / "claims.csv").write_text(as_csv(found), encoding="utf-8")
            told = page(evidence, found, shop.command, _taught(a3))
            (shop.out / "claims.md").write_text(told, encoding="utf-8")


def _taught(a3: Model | None) -> str:
    """What the networks have learned from: a rival that had less is not beaten by that."""
    ours = f"The network of `mls-network` and `paper` learned from {_examples(shipped_model())} examples of news"
    return f"{ours}, A3 from {_examples(a3)}." if a3 else f"{ours}; A3 is left out."


def _examples(model: Model) -> str:
    return f"{model.config.training.get('examples', 0):,}"


def _reproduced(shop: Workshop, one: DataSet, a3: Model | None, documents: int) -> Evidence:
    records = _records(shop, one.test, documents)
    trained = _as_the_paper_trains(shop, one, shipped_model()) if one.validation else None
    ablations = None
    main = _measure(shop, one.name, _methods(shop, one, trained, a3), records)
    if trained:
        fresh = _finetuned(shop, one, shipped_model(), fresh=True) if one.training else None
        without = [*_ablations(method_settings("mls")), *_ablations(_trained(trained), fresh)]
        ablations = _measure(shop, f"{one.name}/ablations", without, records[:ABLATED], ["rouge1"])
    pairs = records
    if one.stands_for:
        (shop.out / one.name / "paper.md").write_text(_paper_page(one.name, one.stands_for), encoding="utf-8")
        pairs = [pair for part in (one.training, one.validation, one.test) if part for pair in _records(shop, part)]
    weights = trained.config.recipe["weights"] if trained else {}
    return Evidence(one.name, one.stands_for, pairs, main, ablations, weights)


def _methods(shop: Workshop, one: DataSet, trained: Model | None, a3: Model | None) -> list[MethodSettings]:
    """The table's rows: ours as it ships, in the network's words, the paper's; then the baselines."""
    tuned = _finetuned(shop, one, shipped_model()) if one.training else None
    methods = [
        method_settings("mls"),
        method_settings("mls-network", str(tuned.folder) if tuned else None),
        method_settings("paper"),
        *([_trained(trained)] if trained else []),
        *(method_settings(name) for name in ("a1", "a2")),
    ]
    if a3:
        methods.append(method_settings("a3", str((_finetuned(shop, one, a3) if one.training else a3).folder)))
    return methods + [method_settings(name) for name in ("lead", "random", "oracle")]


def _trained(model: Model) -> MethodSettings:
    """A model with the recipe it brings along."""
    return MethodSettings("paper-trained", "mls", resolve(None, {"model": str(model.folder)}))


def _ablations(whole: MethodSettings, fresh: Model | None = None) -> list[MethodSettings]:
    """Each part left out in turn, as in the paper's section 3 D.

    Only heads that weigh something: without the others nothing would change. A network that drafts can be one that was
    not pretrained (MLS*, `fresh`), one that was not fine-tuned, or none at all (MLS+).
    """
    recipe = whole.recipe
    assert recipe is not None
    names = [name for name, weight in recipe.weights.items() if weight]
    found = [whole]
    if fresh:
        found.append(replace(whole, label="MLS*: not pretrained", recipe=replace(recipe, model=str(fresh.folder))))
        found.append(replace(whole, label="not fine-tuned", recipe=replace(recipe, model=None)))
    if recipe.prototype == "pg-network":
        greedy = replace(recipe, prototype="greedy", model=None)
        found.append(replace(whole, label="MLS+: a greedy draft", recipe=greedy))
        found.append(replace(whole, label="no expansion", expands=False))
        found.append(replace(whole, label="runs of one sentence", recipe=replace(recipe, sizes=(1,))))
    found += [replace(whole, label=f"{name} shuffled", shuffled=name) for name in names]
    return [found[0], *(replace(one, label=f"{whole.label}: {one.label}") for one in found[1:])]


def _measure(
    shop: Workshop,
    name: str,
    methods: Sequence[MethodSettings],
    records: Sequence[Record],
    plotted: Sequence[str] = PLOTTED,
) -> Experiment:
    heading = name.capitalize().replace("/", ": ")
    shop.say(f"{name}: {len(methods)} methods on {len(records)} documents")
    experiment = run_experiment(methods, records, BUDGETS, shop.work / "cells", shop.workers, shop.show)
    write_report(experiment, shop.out / name, heading, shop.command, name, plotted)
    return experiment


def _as_the_paper_trains(shop: Workshop, one: DataSet, base: Model) -> Model:
    """The preset `paper` as the paper trains it: a network fine-tuned, three weights, the best of the whole grid."""
    model = _finetuned(shop, one, base) if one.training else base
    validation = _records(shop, str(one.validation), SEARCHED)
    preset = PRESETS["paper"]
    made_from = fingerprint(model.digest(), preset.digest(), program(), length=12)
    folder = shop.work / "models" / f"{one.name}-paper-{made_from}"
    if not (folder / "config.json").exists():
        shop.say(f"{one.name}: searching the weights of the preset paper on {len(validation)} pairs")
        later = measure_later_windows(model, validation)
        unfinished = folder.with_name(folder.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(model.folder, unfinished)
        config = replace(model.config, later_windows=model.config.later_windows if later is None else later)
        write_config(unfinished, asdict(config))
        found = tune(Summarizer(replace(preset, model=str(unfinished))), validation, BUDGETS, shop.show, shop.show)
        settled = replace(preset, weights=found.best.weights).to_dict()
        write_config(unfinished, asdict(replace(config, version=VERSION, recipe=settled)))
        plot_surface(found, unfinished / "weights.svg", f"{one.name}, {len(validation)} validation pairs")
        unfinished.rename(folder)
    (shop.out / one.name).mkdir(parents=True, exist_ok=True)
    shutil.copyfile(folder / "weights.svg", shop.out / one.name / "weights.svg")
    return load_model(folder)


def _finetuned(shop: Workshop, one: DataSet, base: Model, fresh: bool = False) -> Model:
    train, val = (shop.data / str(part) for part in (one.training, one.validation))
    made_from = [*(base.folder / name for name in ("config.json", "weights.safetensors", "vocabulary.txt")), train, val]
    name = f"{one.name}-{base.kind}-{'fresh-' if fresh else ''}{fingerprint(*made_from, length=12)}"
    folder = shop.work / "models" / name
    if not folder.exists():
        shop.say(f"{one.name}: teaching a {base.kind}{' from nothing' if fresh else ''}")
        run = folder.with_name(name + ".run")
        data = open_data(
            str(train), str(val), settings_for(base, 1), run / "cache", base.vocabulary, lambda problem: None
        )
        finetune(base, data, folder, run, math.inf, shop.learning, fresh)
    return load_model(folder)


def _records(shop: Workshop, name: str, limit: int | None = None) -> list[Record]:
    path = shop.data / name
    if not path.exists():
        raise MlsError(f"there is no {path}; --data is a folder that holds {', '.join(one.test for one in SETS)}")
    return list(islice(without_duplicates(read_records(path, lambda problem: None), lambda problem: None), limit))


def _paper_page(name: str, stands_for: str) -> str:
    """The paper's figures, apart from ours: they were measured on other documents."""
    lines = [
        f"# What the paper reports for {stands_for}",
        "",
        f"Other data than `{name}`: these figures stand here to be read beside ours, not to be compared with them.",
        "Sarkhel et al., COLING 2020, Tables 2 and 3.",
    ]
    for metric, methods in paper_figures(stands_for).items():
        lines += [
            "",
            f"**{metric}**",
            "",
            "| | " + " | ".join(map(str, BUDGETS)) + " |",
            "|---" * (1 + len(BUDGETS)) + "|",
        ]
        lines += [
            f"| {method} | " + " | ".join(f"{value:g}" for value in values) + " |" for method, values in methods.items()
        ]
    return "\n".join(lines) + "\n"
