"""The word types a network knows, by rank, and how each is usually written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mls.errors import MlsError

PAD, UNKNOWN, START, STOP = range(4)
SPECIAL = ("<pad>", "<unk>", "<start>", "<stop>")
COMMON = 150  # types of a lower rank are too frequent for a single match to mean anything


@dataclass(frozen=True)
class Vocabulary:
    """Word types, most frequent first; `surfaces[i]` is how type `i` is mostly written.

    >>> vocabulary = Vocabulary.of([("london", "London"), ("rain", "rain")])
    >>> vocabulary.ids["london"], vocabulary.surfaces[4], len(vocabulary)
    (4, 'London', 6)
    """

    types: tuple[str, ...]
    surfaces: tuple[str, ...]

    @classmethod
    def of(cls, words: Iterable[tuple[str, str]]) -> Vocabulary:
        pairs = [(special, special) for special in SPECIAL] + list(words)
        return cls(tuple(key for key, _ in pairs), tuple(surface for _, surface in pairs))

    def __len__(self) -> int:
        return len(self.types)

    @cached_property
    def ids(self) -> dict[str, int]:
        return {key: rank for rank, key in enumerate(self.types)}

    def encode(self, keys: Sequence[str]) -> list[int]:
        """Ids of a text's tokens. A type that is not listed gets an id of its own past the end.

        >>> Vocabulary.of([("rain", "rain")]).encode(["rain", "in", "oslo", "in"])
        [4, 5, 6, 5]
        """
        unlisted: dict[str, int] = {}
        return [
            rank if (rank := self.ids.get(key)) is not None else unlisted.setdefault(key, len(self) + len(unlisted))
            for key in keys
        ]

    def save(self, path: Path) -> None:
        """One type a line; a tab and the surface form follow where it differs."""
        rows = zip(self.types, self.surfaces, strict=True)
        lines = [key if key == surface else f"{key}\t{surface}" for key, surface in rows]
        path.write_text("\n".join(lines[len(SPECIAL) :]) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise MlsError(f"{path} is not a vocabulary (one word a line, UTF-8): {error}") from error
        words = [line for line in lines if line]
        keys = [line.partition("\t")[0] for line in words]
        surfaces = [line.partition("\t")[2] or key for line, key in zip(words, keys, strict=True)]
        return cls((*SPECIAL, *keys), (*SPECIAL, *surfaces))
