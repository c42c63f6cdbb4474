"""Texts to try the page with, written for this project."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Example:
    name: str
    kind: str
    title: str

    @property
    def text(self) -> str:
        return files("mls.serve").joinpath("examples", f"{self.name}.txt").read_text("utf-8")


EXAMPLES = (
    Example("news", "News", "The ferry that tests the water"),
    Example("essay", "Essay", "The clause on page seventeen"),
    Example("story", "Story", "Eleven years of pickled beets"),
)
