"""A study small enough for a test: six short documents in two sets, four methods, twelve people."""

from __future__ import annotations

from pathlib import Path

from mls.study.consent import CONSENT, DEFAULT_CONSENT
from mls.study.create import StudyPlan, create
from mls.study.material import Material, Question, Source
from mls.study.store import Store

_TEXTS = {
    "ferry": "The ferry will not close. The county pays forty thousand a year. A student found the leak. She got a B.",
    "beets": "I hate beets. Ray gave me six jars a year. The shelf fell down. Ray hates beets too. We laughed.",
    "lease": "Marta signed a lease. Page seventeen let the owner in. A stranger stood in her kitchen. She had no idea.",
    "owl": "An owl lives in our barn. It hunts at dusk. The mice are gone. My brother calls it Doctor. It blinks.",
    "clock": "The clock stopped in May. Nobody wound it. The key was in a drawer. It runs again now. It is late.",
    "bread": "The bakery opens at five. Bread sells out by nine. The oven is a hundred years old. It burns beech wood.",
}
METHODS = ("lead", "random", "none", "full")
PEOPLE = 12


def small_material() -> Material:
    documents = tuple(
        Source(name, "reports" if position < 3 else "notes", text)
        for position, (name, text) in enumerate(_TEXTS.items())
    )
    questions = tuple(
        Question(name, f"Does the text say what the {name} is for?", "yes" if position % 2 else "no")
        for position, name in enumerate(_TEXTS)
    )
    return Material(documents, questions, 0)


def hasty(store: Store) -> Store:
    """A store that does not wait for the disk: what a test loses in a power cut is nobody's answer."""
    store.run("PRAGMA synchronous = OFF")
    return store


def small_study(folder: Path, methods: tuple[str, ...] = METHODS, people: int = PEOPLE) -> Store:
    plan = StudyPlan.checked(methods, ("1/4", "1/2"), people, 1, False)
    store = hasty(create(folder, plan, small_material(), lambda done, total: None))
    (folder / CONSENT).write_text(DEFAULT_CONSENT.read_text("utf-8"), encoding="utf-8")
    return store
