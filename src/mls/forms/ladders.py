"""The forms of every sentence of a document, each made when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from mls.budget import Measure
from mls.forms.ladder import Form, forms_of, whole_form, without_opener_of
from mls.forms.tree import FINITE
from mls.parser.tree import Parse
from mls.text import Document


class Ladders:
    """Knows the forms of every sentence."""

    def __init__(self, document: Document, parses: Sequence[Parse | None], whole: bool = False) -> None:
        self.document = document
        self.parses = parses
        self.whole = whole  # sentences are taken as they are
        self.forms = cache(self._forms)
        self.lengths: dict[tuple[str, str], int] = {}

    def length(self, form: Form, measure: Measure) -> int:
        key = (form.text, measure.unit)
        if key not in self.lengths:
            self.lengths[key] = measure.length(form.text)
        return self.lengths[key]

    def says_something(self, index: int) -> bool:
        """Whether a sentence has a verb at a time, as far as that is known."""
        parse = self.parses[index]
        return parse is None or any(tag in FINITE for tag in parse.tags) or parse.tags[parse.root] == "VB"

    def _forms(self, index: int, without_opener: bool = False) -> tuple[Form, ...]:
        sentence, parse = self.document.sentences[index], self.parses[index]
        forms = (whole_form(sentence),) if parse is None or self.whole else forms_of(sentence, parse)
        if without_opener and not self.whole:
            forms = tuple(without_opener_of(sentence, form) for form in forms)
        if sentence.speaker:  # a summary of a dialogue says who
            forms = tuple(replace(form, text=f"{sentence.speaker}: {form.text}") for form in forms)
        return forms
