"""The forms of every sentence of a document, each made when it is first asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

from mls.blocks import ANNOUNCEMENT, CAPTION, HEADING
from mls.budget import Measure
from mls.forms.ladder import SHORTEST, Form, forms_of, whole_form, with_names, without, without_opener_of
from mls.forms.losses import Often
from mls.forms.names import Name
from mls.forms.parts import why_whole
from mls.forms.speech import PROPER, Heard, heard, is_aloud
from mls.forms.tree import FINITE, ParsedSentence
from mls.genres import DIALOGUE, MAIL, RUNNING, SETTLING, TERSE
from mls.kernels.settles import CUES
from mls.parser.tree import Parse
from mls.quotation import balanced
from mls.text import Document, Sentence, capitalized

_ENOUGH, _ENOUGH_OF_AN_ITEM = 3, 2  # words that carry meaning
_SURE = 0.6  # that the main word of a sentence is a noun: then it only names something
_OF_A_PICTURE = re.compile(
    r"\b(?:pictured|photo|photograph|image|picture|left|right|above|below|centre|center|seen|shown|poses?|posed|file)\b|:|\(",
    re.I,
)
_TELLING = frozenset("has have had was were will would could".split())
_STATING = frozenset("believes says wants claims expects thinks insists fears plans faces".split())

_DEFINED = re.compile(r"""\(\s*["“]""")  # what a contract calls somebody
_SETTLED = (
    *(CUES[name] for name in ("decision", "commitment", "request", "amount", "date")),
    re.compile(r"\d+"),
    _DEFINED,
)


class Ladders:
    """Knows the forms of every sentence."""

    def __init__(
        self, document: Document, parses: Sequence[Parse | None], whole: bool = False, english: bool = True
    ) -> None:
        self.document = document
        self.parses = parses
        self.english = english  # what else it is, the parser can't read
        self.whole = whole or not english  # sentences are taken as they are
        self.often = Often(sentence.keys for sentence in document.sentences if sentence.is_prose)
        self.aloud = is_aloud(sentence.keys for sentence in document.sentences if sentence.is_prose)
        self.bare = cache(self._bare)  # forms before they get their last words
        self.forms = cache(self._forms)
        self.fullest = cache(self._fullest)
        self.fewest_words = cache(self._fewest_words)
        self.heard = cache(self._heard)
        self.rungs = cache(partial(Rungs, self))
        self.lengths: dict[tuple[str, str], int] = {}

    def length(self, form: Form, measure: Measure) -> int:
        key = (form.text, measure.unit)
        length = self.lengths.get(key)
        if length is None:
            length = self.lengths[key] = measure.length(form.text)
        return length

    def says_something(self, index: int) -> bool:
        """Whether a sentence has a verb at a time, as far as that is known; among terse ones, or enough words.

        In a dialogue it is to be a sentence: nobody broke off, or began so often that nobody could follow.
        """
        parse, sentence = self.parses[index], self.document.sentences[index]
        if self.heard(index).proper < PROPER or sentence.kind == ANNOUNCEMENT:
            return False
        if sentence.listed is not None and len(sentence.content) >= _ENOUGH_OF_AN_ITEM:
            return True
        if self.document.genre in TERSE and sum(map(str.isalpha, sentence.content)) >= _ENOUGH:
            return True
        if parse is None or parse.tags[parse.root] == "VB":
            return True
        named = parse.tags[parse.root].startswith("N") and parse.certainty[parse.root] >= _SURE
        return any(tag in FINITE for tag in parse.tags) and not (named and self.document.genre in RUNNING)

    def is_noun(self, index: int, start: int, end: int) -> bool:
        """Whether some tokens of a sentence name something, as far as that is known: nouns, and what describes them."""
        parse = self.parses[index]
        if parse is None:
            return True
        described = all(
            parse.tags[token].startswith(("NN", "JJ", "CD")) or parse.relations[token] in ("amod", "compound", "poss")
            for token in range(start, end)
        )
        return described and parse.tags[end - 1].startswith("NN")

    def why_whole(self, index: int) -> str | None:
        """Why a sentence has no form but itself, if it has none."""
        parse = self.parses[index]
        if self.whole or parse is None:
            return "whole sentences were asked for" if self.english else "the text is hardly English"
        return why_whole(ParsedSentence(self.document.sentences[index], parse))

    def is_statement(self, index: int) -> bool:
        """Whether a line that is set apart from the text (a caption, a heading) tells what happened all the same.

        What only describes a picture speaks in the present.
        """
        sentence, parse = self.document.sentences[index], self.parses[index]
        if parse is None or sentence.kind not in (CAPTION, HEADING) or _OF_A_PICTURE.search(sentence.text):
            return False
        parsed = ParsedSentence(sentence, parse)
        root = parse.root
        helpers = {parsed.words[child] for child in parsed.children(root, "aux", "auxpass")}
        told = parse.tags[root] == "VBD" or helpers & _TELLING or parsed.words[root] in _STATING
        return bool(told) and parsed.is_finite(root) and sentence.text[:1].isupper()

    def _forms(self, index: int, without_opener: bool = False, named: tuple[Name, ...] = ()) -> tuple[Form, ...]:
        sentence = self.document.sentences[index]
        return tuple(self._as_said(sentence, form, named) for form in self.bare(index, without_opener))

    def _bare(self, index: int, without_opener: bool) -> tuple[Form, ...]:
        sentence, parse = self.document.sentences[index], self.parses[index]
        forms = (whole_form(sentence),) if parse is None or self.whole else forms_of(sentence, parse, self.often)
        forms = tuple(form for form in forms if form.is_whole or self._settles_as_much(sentence, form))
        if without_opener and not self.whole:
            forms = tuple(without_opener_of(sentence, form) for form in forms)
        gone = self._unsaid(sentence)
        if gone:  # what says nothing may have been all that two forms differed in
            shorter = {form.kept: form for form in (without(sentence, form, gone) for form in forms)}
            forms = tuple(sorted(shorter.values(), key=lambda form: (len(form.kept), form.share)))
        return forms

    def _as_said(self, sentence: Sentence, form: Form, named: tuple[Name, ...]) -> Form:
        """A form in its last words: with names, if they are wanted, and as a sentence by itself."""
        if named:
            form = with_names(sentence, form, named)
        return replace(form, text=self._finished(sentence, form.text))

    def _fullest(self, index: int, without_opener: bool = False, named: tuple[Name, ...] = ()) -> Form:
        """The last of its forms. It is known without the others."""
        sentence = self.document.sentences[index]
        form = whole_form(sentence)
        if without_opener and not self.whole:
            form = without_opener_of(sentence, form)
        form = without(sentence, form, self._unsaid(sentence))
        return self._as_said(sentence, form, named)

    def _fewest_words(self, index: int) -> int:
        """No form has fewer words than this."""
        sentence = self.document.sentences[index]
        fewest = sum(sentence.tokens.are_words)
        if self.parses[index] is not None and not self.whole:
            fewest = min(fewest, SHORTEST)
        return fewest - 1 - len(self._unsaid(sentence))  # an opener may go, and what says nothing

    def _settles_as_much(self, sentence: Sentence, form: Form) -> bool:
        """Whether a form still says what is decided, promised or asked, how much and when, where that is the point."""
        if self.document.genre not in SETTLING:
            return True
        return all(len(cue.findall(form.text)) >= len(cue.findall(sentence.text)) for cue in _SETTLED)

    def _unsaid(self, sentence: Sentence) -> frozenset[int]:
        """Tokens that say nothing: the `um` of a dialogue, marks before each line of a quotation, empty brackets."""
        if self.document.genre == DIALOGUE:
            return frozenset() if self.whole else self.heard(sentence.index).gone
        empty = frozenset() if self.whole else _empty_brackets(sentence)
        if self.document.genre != MAIL or ">" not in sentence.keys:
            return empty
        return empty | {position for position, key in enumerate(sentence.keys) if key == ">"}

    def _heard(self, index: int) -> Heard:
        """What of a sentence was said only while thinking, and whether the rest is a sentence; where it was spoken."""
        parse = self.parses[index]
        if self.document.genre != DIALOGUE or parse is None or not self.english:
            return Heard(frozenset(), 1.0)
        return heard(ParsedSentence(self.document.sentences[index], parse), self.aloud)

    def _finished(self, sentence: Sentence, text: str) -> str:
        """The words of a form as a sentence by itself: it ends like one, is quoted all through, and says who speaks.

        What is said in a talk, or after `In short,`, begins like one as well.
        """
        if self.document.genre in RUNNING and text[-1:].isalnum():
            text += ":" if sentence.kind == ANNOUNCEMENT else "."
        if self.document.genre == DIALOGUE or sentence.sums_up:
            text = capitalized(text, 1 if text[:1] in "\"'“‘" else 0)
        text = balanced(text)
        prefix = f"{sentence.number} " if sentence.number else f"{sentence.speaker}: " if sentence.speaker else ""
        return prefix + text


_IN_EMPTY = 5  # tokens after a bracket among which the first word stands, or the bracket closes


def _empty_brackets(sentence: Sentence) -> frozenset[int]:
    """Brackets that hold no word, and a mark that opens one: `Chen (; born 1942)` has lost what stood before it."""
    keys, are_words = sentence.keys, tuple(sentence.tokens.are_words)
    gone: set[int] = set()
    for first in (position for position, key in enumerate(keys) if key == "("):
        near = range(first + 1, min(len(keys), first + _IN_EMPTY))
        word = next((at for at in near if are_words[at] or keys[at] == ")"), None)
        if word is None or (keys[word] == ")" and _is_called(sentence, first)):
            continue
        if keys[word] == ")":
            gone.update(range(first, word + 1))
        elif all(key in (",", ";") for key in keys[first + 1 : word]):
            gone.update(range(first + 1, word))
    return frozenset(gone)


def _is_called(sentence: Sentence, bracket: int) -> bool:
    """Whether a bracket belongs to the word before it, as in code: `start()`."""
    return bracket > 0 and sentence.tokens[bracket - 1].end == sentence.tokens[bracket].start


@dataclass(frozen=True, eq=False)
class Rungs:
    """The forms of a sentence that can be used as things are. The briefer ones are made when somebody asks."""

    ladders: Ladders
    index: int
    without_opener: bool = False
    least: float = 0.0  # share of what the sentence is worth
    doubtful: bool = True  # whether forms may be doubtful
    asked: frozenset[int] = frozenset()  # tokens that answer a question: they stay
    named: tuple[Name, ...] = ()  # that stand in the place of pronouns

    @property
    def fullest(self) -> Form:
        return self.ladders.fullest(self.index, self.without_opener, self.named)

    def least_length(self, measure: Measure) -> int:
        """A length below which there is no form, as far as that is known without making them."""
        return 1 if measure.unit == "words" else self.ladders.fewest_words(self.index)

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        """All of them, shortest first."""
        forms = self.ladders.forms(self.index, self.without_opener, self.named)
        return tuple(form for form in forms if self._is_usable(form)) or forms[-1:]

    def _is_usable(self, form: Form) -> bool:
        enough = form.share >= self.least and self.asked.issubset(form.kept)
        return enough and (self.doubtful or not form.is_doubtful)
