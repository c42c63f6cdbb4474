"""A reader's profile: sentences of which somebody wanted more, or which told nothing new.

It is a file of one's own, to be read and edited by hand, and never sent anywhere. What it says becomes two heads:
`interest`, and `known`, which speaks against a sentence. Older notes count for less.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from mls.atomic import replace_file
from mls.errors import MlsError
from mls.kernels.reader import ReaderKernel, stems_of
from mls.recipe import Recipe
from mls.text import tidy, tokenize

VERSION = 1
MORE, KNOWN = "more", "known"  # what is said of a sentence
MOST_NOTES = 500  # the oldest go first
LONGEST = 2_000  # characters of a sentence
FADES = 0.97  # what a note still counts for when another has come
INTEREST_WEIGHT, KNOWN_WEIGHT = 0.25, -0.2
_QUESTIONS = {
    MORE: "Does it speak of what you like to read more of?",
    KNOWN: "Does it say what you know already?",
}


@dataclass(frozen=True)
class Note:
    """What a reader said of a sentence: `more` of this, or `known` already."""

    said: str
    text: str


@dataclass(frozen=True)
class Profile:
    """All notes of a reader, the oldest first.

    >>> profile = Profile().noting("more", "The ferry will not close.").noting("known", "It rained.")
    >>> sorted(profile.stems("more"))
    ['close', 'fer']
    """

    notes: tuple[Note, ...] = ()

    @classmethod
    def of(cls, values: object, where: str = "the profile") -> Profile:
        """A profile from plain values; whatever is not as it should be is an error."""
        if not isinstance(values, Mapping) or set(values) - {"version", "notes"}:
            raise MlsError(f'{where} is no profile: expected {{"version": {VERSION}, "notes": [...]}}')
        if values.get("version") != VERSION:
            raise MlsError(f"{where} is no profile: found version {values.get('version')!r}, expected {VERSION}")
        notes = values.get("notes")
        if not isinstance(notes, list):
            raise MlsError(f"{where} is no profile: found notes {notes!r}, expected a list")
        return cls(tuple(_note(note, f"{where}: note {number}") for number, note in enumerate(notes, 1)))

    @classmethod
    def load(cls, path: str | Path) -> Profile:
        """The profile in a file. One that is damaged is reported, and stays as it is."""
        try:
            values = json.loads(Path(path).read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise MlsError(f"there is no profile {path}; make one with: mls profile more {path} FILE NUMBER") from error
        except (OSError, UnicodeDecodeError, ValueError, RecursionError) as error:
            reason = getattr(error, "strerror", None) or error
            raise MlsError(
                f"{path} is no profile that can be read ({reason}); mend it, or take another file"
            ) from error
        return cls.of(values, str(path))

    def save(self, path: str | Path) -> None:
        """Write it whole or not at all; a file that is there and is no profile is never overwritten."""
        if Path(path).exists():
            Profile.load(path)
        text = json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n"
        replace_file(Path(path), lambda file: file.write(text.encode("utf-8")))

    def to_dict(self) -> dict[str, Any]:
        return {"version": VERSION, "notes": [asdict(note) for note in self.notes]}

    def noting(self, said: str, text: str) -> Profile:
        """With one more note; of a sentence that was noted before, the new one counts."""
        new = _note({"said": said, "text": tidy(text)}, "the note")
        rest = [note for note in self.notes if note.text != new.text]
        return replace(self, notes=(*rest, new)[-MOST_NOTES:])

    def stems(self, said: str) -> dict[str, float]:
        """The stems of what was said of, and how much each counts: the latest note 1, those before it ever less."""
        found: dict[str, float] = {}
        weight = 1.0
        for note in reversed([note for note in self.notes if note.said == said]):
            for one in sorted(stems_of([token.key for token in tokenize(note.text)])):
                found[one] = found.get(one, 0.0) + weight
            weight *= FADES
        return found

    def onto(self, recipe: Recipe) -> Recipe:
        """A recipe with the heads that speak for this reader; without notes, the recipe as it was."""
        for name, said, weight in (("interest", MORE, INTEREST_WEIGHT), ("known", KNOWN, KNOWN_WEIGHT)):
            stems = self.stems(said)
            if stems:
                recipe = recipe.adding(ReaderKernel(name, _QUESTIONS[said], stems), weight)
        return recipe


def _note(values: object, where: str) -> Note:
    if not isinstance(values, Mapping) or set(values) != {"said", "text"}:
        raise MlsError(f'{where}: found {values!r}, expected {{"said": "{MORE}" or "{KNOWN}", "text": "..."}}')
    if values["said"] not in (MORE, KNOWN):
        raise MlsError(f"{where}: said: found {values['said']!r}, expected {MORE!r} or {KNOWN!r}")
    if not isinstance(values["text"], str) or not 0 < len(values["text"]) <= LONGEST:
        raise MlsError(f"{where}: text: expected a sentence of at most {LONGEST:,} characters")
    return Note(values["said"], values["text"])
