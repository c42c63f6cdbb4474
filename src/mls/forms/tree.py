"""A sentence with its tree: what the rules of leaving out ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from mls.forms.words import NEGATION, QUANTIFIERS
from mls.parser.tree import Parse
from mls.text import Sentence

FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))
VERBAL = frozenset(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"))
NOMINAL = frozenset(("NN", "NNS", "NNP", "NNPS", "PRP", "CD", "WP", "DT"))
_CLAUSAL = frozenset("ROOT ccomp xcomp advcl relcl acl conj csubj csubjpass pcomp parataxis dep".split())


@dataclass(frozen=True)
class Clause:
    """A verb, and the tokens that are its own and of no clause within it."""

    verb: int
    own: frozenset[int]


@dataclass(frozen=True, eq=False)
class ParsedSentence:
    """Tokens, tags and arcs side by side, and what follows from them."""

    sentence: Sentence
    parse: Parse

    @cached_property
    def words(self) -> tuple[str, ...]:
        return self.sentence.keys

    def __len__(self) -> int:
        return len(self.sentence.tokens)

    def is_word(self, token: int) -> bool:
        return self.sentence.tokens[token].is_word

    def span(self, token: int) -> tuple[int, int]:
        """The first and the last word of a token's subtree."""
        inside = [member for member in self.parse.subtrees[token] if self.is_word(member)] or [token]
        return min(inside), max(inside)

    def is_contiguous(self, token: int) -> bool:
        """Whether a subtree's words stand side by side: only then is it a part of the sentence."""
        first, last = self.span(token)
        subtree = self.parse.subtrees[token]
        return all(member in subtree for member in range(first, last + 1) if self.is_word(member))

    def children(self, token: int, *relations: str) -> list[int]:
        return [
            child for child in self.parse.children[token] if not relations or self.parse.relations[child] in relations
        ]

    def ancestors(self, token: int) -> Iterator[int]:
        while self.parse.heads[token] != token:
            token = self.parse.heads[token]
            yield token

    def clause(self, token: int) -> int:
        """The head of the clause that a token belongs to: itself, if it heads one."""
        while not self.heads_clause(token) and self.parse.heads[token] != token:
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

    def is_finite(self, token: int) -> bool:
        """Whether a clause says something at a time: it has a finite verb and a subject, or is an order."""
        tags = self.parse.tags
        helpers = [child for child in self.children(token, "aux", "auxpass") if tags[child] in FINITE]
        return (tags[token] in FINITE or bool(helpers)) and bool(
            self.children(token, "nsubj", "nsubjpass", "csubj", "csubjpass", "expl")
        )

    def is_negated(self, verb: int) -> bool:
        """Whether a clause denies something, or speaks of all or none of a kind."""
        return any(self.words[token] in NEGATION for token in self.clauses.get(verb, ()))

    def is_quantified(self, noun: int) -> bool:
        """Whether a noun phrase speaks of all, none or a counted share, or names the only or the utmost one."""
        own = {noun, *self.parse.children[noun]}
        return any(
            self.words[token] in QUANTIFIERS or self.parse.tags[token] in ("JJS", "RBS") or self.is_ordinal(token)
            for token in own
        )

    def is_ordinal(self, token: int) -> bool:
        return self.words[token] in ("first", "second", "third", "last", "next", "only", "sole", "same") or (
            self.parse.entities[token].endswith("ORDINAL")
        )

    def entity(self, token: int) -> str:
        """The kind of name or amount a token is part of, if it is of one."""
        return self.parse.entities[token].partition("-")[2]

    @cached_property
    def quotes(self) -> tuple[frozenset[int], ...]:
        """The tokens of each quotation, marks included. An open end reaches to the sentence's."""
        found = []
        opened: int | None = None
        for token, word in enumerate(self.words):
            if word not in ('"', "''", "``") and not (word == "'" and self._is_quote(token)):
                continue
            if opened is None:
                opened = token
            else:
                found.append(frozenset(range(opened, token + 1)))
                opened = None
        if opened is not None:
            found.append(frozenset(range(opened, len(self))))
        return tuple(found)

    def _is_quote(self, token: int) -> bool:
        """Whether an apostrophe is a quotation mark: it does not follow an s within the sentence."""
        return token == 0 or not self.words[token - 1].endswith("s")
