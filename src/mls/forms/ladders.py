"""The forms of every sentence of a document, each made when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from mls.budget import Measure
from mls.forms.ladder import Form, forms_of, whole_form, without, without_opener_of
from mls.forms.tree import FINITE
from mls.genres import DIALOGUE, MAIL, TERSE
from mls.parser.tree import Parse
from mls.stopwords import content_words
from mls.talk import fillers
from mls.text import Document, Sentence

_ENOUGH = 3  # words that carry meaning


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
        """Whether a sentence has a verb at a time, as far as that is known; among terse ones, or enough words."""
        parse, sentence = self.parses[index], self.document.sentences[index]
        if self.document.genre in TERSE and len(content_words(sentence.words)) >= _ENOUGH:
            return True
        return parse is None or any(tag in FINITE for tag in parse.tags) or parse.tags[parse.root] == "VB"

    def _forms(self, index: int, without_opener: bool = False) -> tuple[Form, ...]:
        sentence, parse = self.document.sentences[index], self.parses[index]
        forms = (whole_form(sentence),) if parse is None or self.whole else forms_of(sentence, parse)
        if without_opener and not self.whole:
            forms = tuple(without_opener_of(sentence, form) for form in forms)
        gone = self._unsaid(sentence)
        forms = tuple(without(sentence, form, gone) for form in forms) if gone else forms
        prefix = f"{sentence.number} " if sentence.number else f"{sentence.speaker}: " if sentence.speaker else ""
        return tuple(replace(form, text=prefix + form.text) for form in forms) if prefix else forms

    def _unsaid(self, sentence: Sentence) -> frozenset[int]:
        """Tokens that say nothing: the `um` of a dialogue, the marks before each line of a quotation."""
        if self.document.genre == DIALOGUE:
            return frozenset() if self.whole else fillers(sentence.keys)
        if self.document.genre != MAIL or ">" not in sentence.keys:
            return frozenset()
        return frozenset(place for place, key in enumerate(sentence.keys) if key == ">")
