"""The paper's experiments, redone on our data: Tables 2 and 3, the abstractiveness figure, the ablations.

For each domain the shipped model is fine-tuned on its training pairs and the head weights are tuned
on its validation pairs; test pairs are only ever scored. Every model is kept under a name that says
what it was made from, and so is every scored summary: a second run makes only what changed.
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
from mls.evaluation.report import write_report
from mls.evaluation.surface import plot_surface
from mls.evaluation.tuning import tune
from mls.fingerprints import fingerprint
from mls.folders import write_config
from mls.lab.evidence import Evidence, page
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
DOMAINS = {"narratives": "D1", "essays": "D2"}  # and the data set of the paper that each stands in for
NEWS = "cnndm"


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


def reproduce(shop: Workshop, a3: Model | None, news_documents: int) -> None:
    """All of it, one data set after the other."""
    if a3:
        a3.expect(CONVOLUTIONAL)
    found: list[Evidence] = []
    for domain, stands_for in DOMAINS.items():
        ours = _adapted(shop, domain, shipped_model(), fresh=False)
        untrained = _adapted(shop, domain, shipped_model(), fresh=True)
        trained = _as_the_paper_trains(shop, domain, shipped_model())
        rival = _finetuned(shop, domain, a3, fresh=False) if a3 else None
        records = _records(shop.data / domain / "test.jsonl")
        methods = [*_methods(ours, rival), _trained("paper-trained", trained)]
        main = _measure(shop, domain, methods, records, f"{domain.capitalize()}: Tables 2 and 3")
        ablations = [*_ablations("mls", ours, untrained), *_ablations("paper-trained", trained, untrained)]
        without = _measure(shop, f"{domain}/ablations", ablations, records, f"{domain.capitalize()}: ablations")
        pairs = [one for part in ("train", "val", "test") for one in _records(shop.data / domain / f"{part}.jsonl")]
        weights = trained.config.recipe["weights"]
        found.append(Evidence(domain, stands_for, pairs, main, without, weights))
        (shop.out / domain / "paper.md").write_text(_paper_page(domain, stands_for), encoding="utf-8")
    (shop.out / "claims.md").write_text(page(found), encoding="utf-8")
    records = _records(shop.data / NEWS / "test.jsonl.xz", news_documents)
    _measure(shop, NEWS, _methods(None, a3), records, "CNN/DailyMail")


def _methods(ours: Model | None, a3: Model | None) -> list[MethodSettings]:
    """The table's rows: ours adapted to the domain, as it ships, and to the letter; then the baselines."""
    folder = str(ours.folder) if ours else None
    methods = [method_settings(name, folder) for name in ("mls", "mls-network")]
    if ours:
        methods.append(replace(method_settings("mls"), label="mls-shipped"))
    methods.append(method_settings("paper", folder))
    methods += [method_settings(name) for name in ("a1", "a2")]
    if a3:
        methods.append(method_settings("a3", str(a3.folder)))
    return methods + [method_settings(name) for name in ("lead", "random", "oracle")]


def _trained(label: str, model: Model) -> MethodSettings:
    """A model with the recipe it brings along."""
    return MethodSettings(label, "mls", resolve(None, {"model": str(model.folder)}))


def _ablations(label: str, ours: Model, untrained: Model) -> list[MethodSettings]:
    """MLS* and MLS+, each kernel shuffled in turn, every head alone, as in the paper's section 3 D.

    Only heads that weigh something: without the others nothing would change.
    """
    whole = _trained(label, ours)
    recipe = whole.recipe
    assert recipe is not None
    names = [name for name, weight in recipe.weights.items() if weight]
    asked = recipe.model if "salience" in recipe.weights else None  # without a draft, is its network asked anything?
    return [
        whole,
        replace(whole, label=f"{label}: MLS*", recipe=replace(recipe, model=str(untrained.folder))),
        replace(whole, label=f"{label}: MLS+", recipe=replace(recipe, prototype="greedy", model=asked)),
        *(replace(whole, label=f"{label}: {name} shuffled", shuffled=name) for name in names),
        *(replace(whole, label=f"{label}: {name} alone", recipe=recipe.weighing({name: 1.0})) for name in names),
    ]


def _measure(
    shop: Workshop, name: str, methods: Sequence[MethodSettings], records: Sequence[Record], heading: str
) -> Experiment:
    shop.say(f"{name}: {len(methods)} methods on {len(records)} documents")
    experiment = run_experiment(methods, records, BUDGETS, shop.work / "cells", shop.workers, shop.show)
    write_report(experiment, shop.out / name, heading, shop.command, name)
    return experiment


def _as_the_paper_trains(shop: Workshop, domain: str, base: Model) -> Model:
    """The preset `paper` as the paper trains it: a network fine-tuned, three weights, the best of the whole grid."""
    return _adapted(shop, domain, base, fresh=False, preset="paper")


def _adapted(shop: Workshop, domain: str, base: Model, fresh: bool, preset: str = "default") -> Model:
    """A model fine-tuned on a domain, with the head weights that serve its validation pairs best."""
    model = _finetuned(shop, domain, base, fresh)
    validation = _records(shop.data / domain / "val.jsonl")
    default = PRESETS[preset]
    folder = shop.work / "models" / f"{model.folder.name}-tuned-{fingerprint(default.digest(), program(), length=12)}"
    if not (folder / "config.json").exists():
        shop.say(f"{domain}: searching head weights of {preset}{' without pretraining' if fresh else ''}")
        later = measure_later_windows(model, validation)
        unfinished = folder.with_name(folder.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(model.folder, unfinished)
        config = replace(model.config, later_windows=model.config.later_windows if later is None else later)
        write_config(unfinished, asdict(config))
        found = tune(Summarizer(replace(default, model=str(unfinished))), validation, BUDGETS, shop.show, shop.show)
        point = found.best if preset == "paper" else found.chosen
        settled = replace(default, weights=point.weights).to_dict()
        write_config(unfinished, asdict(replace(config, version=VERSION, recipe=settled)))
        plot_surface(found, unfinished / "weights.png", f"{domain}/val, {len(validation)} documents")
        unfinished.rename(folder)
    if not fresh:
        (shop.out / domain).mkdir(parents=True, exist_ok=True)
        shown = "weights.png" if preset == "default" else f"weights-{preset}.png"
        shutil.copyfile(folder / "weights.png", shop.out / domain / shown)
    return load_model(folder)


def _finetuned(shop: Workshop, domain: str, base: Model, fresh: bool) -> Model:
    train, val = shop.data / domain / "train.jsonl", shop.data / domain / "val.jsonl"
    made_from = [*(base.folder / name for name in ("config.json", "weights.safetensors", "vocabulary.txt")), train, val]
    name = f"{domain}-{base.kind}-{'fresh-' if fresh else ''}{fingerprint(*made_from, length=12)}"
    folder = shop.work / "models" / name
    if not folder.exists():
        shop.say(f"{domain}: teaching a {base.kind}{' from nothing' if fresh else ''}")
        run = folder.with_name(name + ".run")
        data = open_data(
            str(train), str(val), settings_for(base, 1), run / "cache", base.vocabulary, lambda problem: None
        )
        finetune(base, data, folder, run, math.inf, shop.learning, fresh)
    return load_model(folder)


def _records(path: Path, limit: int | None = None) -> list[Record]:
    if not path.exists():
        raise MlsError(f"there is no {path}; --data is a folder with {', '.join(DOMAINS)} and {NEWS} in it")
    return list(islice(without_duplicates(read_records(path, lambda problem: None), lambda problem: None), limit))


def _paper_page(domain: str, stands_for: str) -> str:
    """The paper's figures, apart from ours: they were measured on other documents."""
    lines = [
        f"# What the paper reports for {stands_for}",
        "",
        f"Other data than `{domain}`: these figures stand here to be read beside ours, not to be compared with them.",
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
