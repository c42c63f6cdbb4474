"""Making a study: everything is checked, everything is dealt, and every text is made beforehand."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from pathlib import Path

from mls import __version__
from mls.budget import Budget
from mls.errors import MlsError
from mls.fingerprints import fingerprint
from mls.recipe import PRESETS, Recipe
from mls.study.codes import hashed, new_code, read_codes, write_codes
from mls.study.design import assign, check_participants, parts_of
from mls.study.material import Material
from mls.study.methods import check_methods, texts_of
from mls.study.store import FILE, Store

MOST_PARTICIPANTS = 10_000
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class StudyPlan:
    """What is asked for. The same plan goes on with a study, another one is an error."""

    methods: tuple[str, ...]
    budgets: tuple[str, ...]
    participants: int
    seed: int = 1
    uneven_pairs: bool = False
    recipe: Recipe = PRESETS["default"]  # of the method mls
    a3: str | None = None  # the model folder of the method a3

    @classmethod
    def checked(
        cls, methods: Sequence[str], budgets: Sequence[str], participants: int, seed: int, uneven_pairs: bool,
        recipe: Recipe = PRESETS["default"], a3: str | None = None,
    ) -> StudyPlan:  # fmt: skip
        check_methods(methods, recipe, a3)
        parsed = [Budget.parse(budget) for budget in budgets]
        rising = all(shorter.amount < longer.amount for shorter, longer in pairwise(parsed))
        if not parsed or len({budget.unit for budget in parsed}) > 1 or not rising:
            found = ", ".join(budgets) or "none"
            raise MlsError(f"--budgets are {found}; give them in one unit, from the shortest to the longest: 1/8,1/4")
        if participants > MOST_PARTICIPANTS:
            raise MlsError(f"found {participants:,} participants; a study has at most {MOST_PARTICIPANTS:,}")
        return cls(tuple(methods), tuple(map(str, parsed)), participants, seed, uneven_pairs, recipe, a3)

    def facts(self) -> dict[str, object]:
        """All of it as plain values."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return values | {"recipe": self.recipe.facts()}


def create(folder: Path, plan: StudyPlan, material: Material, progress: Progress) -> Store:
    """Begin a study, or go on where its making was interrupted. Each text is kept as soon as it is made."""
    check_participants(plan.participants, len(plan.methods), len(parts_of(material.sets)), plan.uneven_pairs)
    made_of = _fingerprint(material)
    new = not (folder / FILE).exists()
    if new and folder.exists() and any(folder.iterdir()):
        raise MlsError(f"{folder} is not empty and holds no study; choose another folder")
    store = Store.make(folder)
    with store.transaction():
        if not store.rows("SELECT 1 FROM settings"):
            _keep_settings(store, plan, made_of)
            _keep_material(store, material)
            _deal(store, plan, material)
    _check_same(store, folder, plan, made_of)
    _make_texts(store, plan, material, progress)
    return store


def _fingerprint(material: Material) -> str:
    """What would make other texts or other items: the documents, the questions, and who summarizes."""
    content = json.dumps([asdict(material), __version__], ensure_ascii=False, sort_keys=True)
    return fingerprint(content, length=64)


def _keep_settings(store: Store, plan: StudyPlan, made_of: str) -> None:
    for name, value in (*plan.facts().items(), ("fingerprint", made_of), ("version", __version__)):
        store.run("INSERT INTO settings VALUES (?, ?)", name, json.dumps(value))


def _keep_material(store: Store, material: Material) -> None:
    for document in material.documents:
        store.run("INSERT INTO documents VALUES (?, ?, ?)", document.id, document.data_set, document.text)
        for number, question in enumerate(material.questions_on(document.id)):
            store.run("INSERT INTO questions VALUES (?, ?, ?, ?)", document.id, number, question.text, question.answer)


def _deal(store: Store, plan: StudyPlan, material: Material) -> None:
    counts = {document.id: len(material.questions_on(document.id)) for document in material.documents}
    dealt = assign(plan.methods, material.sets, counts, plan.participants, plan.seed, plan.uneven_pairs)
    handed_out = [new_code() for _ in dealt]
    write_codes(store.path.parent, handed_out)
    for number, (code, items) in enumerate(zip(handed_out, dealt, strict=True), start=1):
        store.run("INSERT INTO participants (number, code) VALUES (?, ?)", number, hashed(code))
        for position, item in enumerate(items, start=1):
            row = secrets.token_urlsafe(9), number, position, item.method, item.document, item.question
            store.run("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?)", *row)


def _check_same(store: Store, folder: Path, plan: StudyPlan, made_of: str) -> None:
    """A study that was begun with another plan or other texts must not be mixed with this one."""
    for name, wanted in (*plan.facts().items(), ("fingerprint", made_of)):
        found = setting(store, name)
        if found != json.loads(json.dumps(wanted)):
            what = f"{name.replace('_', ' ')} {_told(found)}, now {_told(wanted)}"
            if name == "recipe":
                what = "another recipe"
            if name == "fingerprint":
                what = "other documents, other questions or another version of MLS"
            raise MlsError(f"{folder} holds a study with {what}; choose another folder, or ask for the same again")


def _told(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def setting(store: Store, name: str) -> object:
    found = store.row("SELECT value FROM settings WHERE name = ?", name)
    if found is None:
        raise MlsError(f"{store.path} holds no {name}: its making never began; run mls study create again")
    return json.loads(found["value"])


def _make_texts(store: Store, plan: StudyPlan, material: Material, progress: Progress) -> None:
    budgets = [Budget.parse(budget) for budget in plan.budgets]
    total = len(plan.methods) * len(material.documents)
    done = {(row["method"], row["document"]) for row in store.rows("SELECT DISTINCT method, document FROM levels")}
    progress(len(done), total)
    for method in plan.methods:
        waiting = [document for document in material.documents if (method, document.id) not in done]
        texts = texts_of(method, budgets, plan.recipe, plan.a3) if waiting else None
        for document in waiting:
            assert texts is not None
            levels = texts(document.text)
            with store.transaction():
                for number, level in enumerate(levels):
                    row = method, document.id, number, level.budget, level.text
                    store.run("INSERT INTO levels VALUES (?, ?, ?, ?, ?)", *row)
            done.add((method, document.id))
            progress(len(done), total)


def check_complete(store: Store) -> None:
    """A study is shown to people only when every text is there."""
    setting(store, "fingerprint")
    missing = store.value(
        "SELECT count(*) FROM (SELECT method, document FROM items EXCEPT SELECT method, document FROM levels)"
    )
    if missing:
        raise MlsError(f"{store.path.parent} lacks {missing} texts; run the same mls study create again to make them")


def codes(store: Store) -> Iterable[str]:
    """The personal codes, in the order in which to hand them out."""
    return read_codes(store.path.parent)
