"""A sentence with its tree: what the rules of leaving out ask of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, TypeVar

import numpy as np

from mls.forms.words import FIXED, FOCUS, NEGATION, QUANTIFIERS
from mls.parser.tree import Parse
from mls.text import Sentence

FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))
VERBAL = frozenset(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"))
NOMINAL = frozenset(("NN", "NNS", "NNP", "NNPS", "PRP", "CD", "WP", "DT"))
_MARKS = {'"': 2, "''": 2, "``": 2, "'": 1}  # quotation marks, double and single
_TIMES_SET_APART = frozenset(
    "although though while whereas but originally initially once previously formerly now still already yet".split()
)
_ORDINALS = frozenset("first second third last next only sole same".split())
_CLAUSAL = frozenset("ROOT ccomp xcomp advcl relcl acl conj csubj csubjpass pcomp parataxis dep".split())

_BY_FIRST_WORD = {word: [phrase for phrase in FIXED if phrase[0] == word] for word, *_ in FIXED}

Answer = TypeVar("Answer")


def once(ask: Callable[[ParsedSentence, int], Answer]) -> Callable[[ParsedSentence, int], Answer]:
    """A question about a token that many rules ask, answered once for a sentence."""

    @wraps(ask)
    def answer(parsed: ParsedSentence, token: int) -> Answer:
        known: dict[int, Answer] = parsed.answers[ask]
        if token not in known:
            known[token] = ask(parsed, token)
        return known[token]

    return answer


@dataclass(frozen=True, eq=False)
class ParsedSentence:
    """Tokens, tags and arcs side by side, and what follows from them."""

    sentence: Sentence
    parse: Parse
    answers: defaultdict[object, dict[int, Any]] = field(
        default_factory=lambda: defaultdict(dict), init=False, repr=False
    )

    @cached_property
    def words(self) -> tuple[str, ...]:
        return self.sentence.keys

    def __len__(self) -> int:
        return len(self.sentence.tokens)

    @cached_property
    def are_words(self) -> tuple[bool, ...]:
        return tuple(self.sentence.tokens.are_words)

    def is_word(self, token: int) -> bool:
        return self.are_words[token]

    @cached_property
    def certainty(self) -> list[float]:
        return list(self.parse.certainty.tolist())

    @cached_property
    def mean_certainty(self) -> float:
        return float(np.add.reduce(self.parse.certainty) / len(self.parse))

    @cached_property
    def keep(self) -> list[float]:
        return list(self.parse.keep.tolist())

    @once
    def span(self, token: int) -> tuple[int, int]:
        """The first and the last word of a token's subtree."""
        are_words = self.are_words
        inside = [member for member in self.subtrees[token] if are_words[member]] or [token]
        return min(inside), max(inside)

    def is_contiguous(self, token: int) -> bool:
        """Whether a subtree's words stand side by side: only then is it a part of the sentence."""
        first, last = self.span(token)
        subtree = self.subtrees[token]
        return all(member in subtree for member in range(first, last + 1) if self.is_word(member))

    @cached_property
    def subtrees(self) -> tuple[frozenset[int], ...]:
        return self.parse.subtrees

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        return self.parse.children

    def children(self, token: int, *relations: str) -> list[int]:
        own = self.parse.relations
        return [child for child in self._children[token] if not relations or own[child] in relations]

    def ancestors(self, token: int) -> Iterator[int]:
        while self.parse.heads[token] != token:
            token = self.parse.heads[token]
            yield token

    @once
    def clause(self, token: int) -> int:
        """The head of the clause that a token belongs to: itself, if it heads one."""
        while not self.heads_clause(token):
            token = self.parse.heads[token]
        return token

    def heads_clause(self, token: int) -> bool:
        if self.parse.heads[token] == token:
            return True
        relation = self.parse.relations[token]
        return relation in _CLAUSAL and (relation != "conj" or self.parse.tags[token] in VERBAL)

    @cached_property
    def clauses(self) -> dict[int, frozenset[int]]:
        """The tokens of each clause, without those of clauses within it."""
        found: dict[int, set[int]] = {}
        for token in range(len(self)):
            found.setdefault(self.clause(token), set()).add(token)
        return {verb: frozenset(own) for verb, own in found.items()}

    @once
    def is_finite(self, token: int) -> bool:
        """Whether a clause says something at a time: it has a finite verb and a subject, or is an order."""
        tags = self.parse.tags
        helpers = [child for child in self.children(token, "aux", "auxpass") if tags[child] in FINITE]
        return (tags[token] in FINITE or bool(helpers)) and bool(
            self.children(token, "nsubj", "nsubjpass", "csubj", "csubjpass", "expl")
        )

    @once
    def is_negated(self, verb: int) -> bool:
        """Whether a clause denies something, or speaks of all or none of a kind."""
        return any(self.words[token] in NEGATION for token in self.clauses.get(verb, ()))

    @once
    def is_focused(self, verb: int) -> bool:
        """Whether a clause says that something holds only so, or ought to: said more widely, it may be false."""
        return any(self.words[token] in FOCUS for token in self.clauses.get(verb, ()))

    @once
    def is_quantified(self, noun: int) -> bool:
        """Whether a noun phrase speaks of all, none or a counted share, or names the only or the utmost one."""
        own = {noun, *self._children[noun]}
        return any(
            self.words[token] in QUANTIFIERS or self.parse.tags[token] in ("JJS", "RBS") or self.is_ordinal(token)
            for token in own
        )

    def is_ordinal(self, token: int) -> bool:
        return self.words[token] in _ORDINALS or self.parse.entities[token].endswith("ORDINAL")

    def entity(self, token: int) -> str:
        """The kind of name or amount a token is part of, if it is of one."""
        return self._entities[token]

    @cached_property
    def _entities(self) -> list[str]:
        return [entity.partition("-")[2] for entity in self.parse.entities]

    @cached_property
    def contrasts_times(self) -> bool:
        """Whether it sets one time against another."""
        return not _TIMES_SET_APART.isdisjoint(self.words)

    @cached_property
    def together(self) -> tuple[frozenset[int], ...]:
        """Tokens that stay or go as one: those of each quotation, fixed phrase, name and amount."""
        return *self.quotes, *self._phrases(), *self._names()

    def _phrases(self) -> Iterator[frozenset[int]]:
        for start, word in enumerate(self.words):
            for phrase in _BY_FIRST_WORD.get(word, ()):
                if self.words[start : start + len(phrase)] == phrase:
                    yield frozenset(range(start, start + len(phrase)))

    def _names(self) -> Iterator[frozenset[int]]:
        """Each part of a name or an amount with the one before it."""
        for token, entity in enumerate(self.parse.entities):
            if token and entity.startswith("I-"):
                yield frozenset((token - 1, token))

    @cached_property
    def quotes(self) -> tuple[frozenset[int], ...]:
        """The tokens of each quotation, marks included. An open end reaches to the sentence's."""
        found = []
        opened: int | None = None
        for token, word in enumerate(self.words):
            if word not in _MARKS:
                continue
            if opened is None:
                opened = token if self._opens(token) else None
            elif _MARKS[word] == _MARKS[self.words[opened]] and self._closes(token):
                found.append(frozenset(range(opened, token + 1)))
                opened = None
        if opened is not None:
            found.append(frozenset(range(opened, len(self))))
        return tuple(found)

    def _beside(self, token: int) -> tuple[str, str]:
        """The characters before and after a token; spaces at the sentence's ends."""
        here = self.sentence.tokens[token]
        text, start, end = self.sentence.text, here.start - self.sentence.start, here.end - self.sentence.start
        return (text[start - 1 : start] or " ", text[end : end + 1] or " ")

    def _opens(self, token: int) -> bool:
        before, after = self._beside(token)
        return self.sentence.tokens[token].text in "“‘" or (not before.isalnum() and not after.isspace())

    def _closes(self, token: int) -> bool:
        """Whether a mark ends a quotation; the one of `players' union` does not if another can."""
        before, after = self._beside(token)
        if before.isspace() or after.isalnum():
            return False
        if self.words[token] != "'" or not self.words[token - 1].endswith("s") or not after.isspace():
            return True
        return not any(self.words[later] == "'" and not self._opens(later) for later in range(token + 1, len(self)))
