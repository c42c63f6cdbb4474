"""Whom a pronoun means: how probable each is whom the text named before. `tools/naming.py` trains the judge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mls.blocks import HEADING, TITLE
from mls.forms.tree import ParsedSentence
from mls.judge.network import shipped_judge
from mls.leaning import is_person
from mls.naming.mentions import (
    KINDS,
    MAN,
    SEVERAL,
    THING,
    UNKNOWN,
    WOMAN,
    Entity,
    Mention,
    Unnamed,
    counted,
    entities_of,
)
from mls.parser.tree import Parse
from mls.perceptron import shipped_perceptrons
from mls.text import Document

BACK, OPENING = 10, 3  # sentences before a pronoun, and of the opening, in which somebody is looked for
_NEAR = 3  # sentences
_ROLES = ("nsubj", "nsubjpass", "dobj", "pobj", "poss", "conj", "appos", "attr", "dative")
_TAGS = ("NN", "NNS", "NNP", "NNPS")
_NAMES = ("PERSON", "ORG", "GPE", "NORP", "PRODUCT", "WORK_OF_ART", "EVENT")
_OURS = frozenset("i me my we us our you your".split())
_OF_CONTEXT = 127.0
_DECIMALS = 6
Possible = tuple[Entity, Mention]  # somebody, and where they were named last before a pronoun


class Scene:
    """All whom a document names."""

    def __init__(self, document: Document, parses: Sequence[Parse | None]) -> None:
        self.document = document
        self.parsed = {
            sentence.index: ParsedSentence(sentence, parse)
            for sentence, parse in zip(document.sentences, parses, strict=True)
            if parse is not None and (sentence.is_prose or sentence.kind in (TITLE, HEADING))
        }
        self.entities = entities_of(list(self.parsed.values()))
        meanings = shipped_judge().meanings(document.sentences)
        self.meanings = meanings / (np.linalg.norm(meanings, axis=1, keepdims=True) + 1e-6)
        said = [self.parsed[s.index].words if s.index in self.parsed else () for s in document.sentences]
        self.pronouns = np.array([[sum(word in kind for word in words) for kind in KINDS] for words in said])
        self.upto = np.concatenate([np.zeros((1, len(KINDS))), self.pronouns.cumsum(axis=0)])
        self.seen = cache(_seen)

    def possible(self, one: Unnamed) -> list[Possible]:
        """Whom a pronoun may mean, and where each was named last before it, the latest last."""
        found = []
        for entity in self.entities:
            before = [mention for mention in entity.mentions if mention.sentence < one.sentence]
            if before and _may_mean(one, entity) and self._is_remembered(before, one.sentence):
                found.append((entity, before[-1]))
        return sorted(found, key=lambda pair: (pair[1].sentence, pair[1].head))

    def _is_remembered(self, before: Sequence[Mention], here: int) -> bool:
        near = here - before[-1].sentence <= BACK or before[0].sentence < OPENING
        return near or not self.document.sentences[before[-1].sentence].is_prose

    def likely(self, one: Unnamed, some: Sequence[Possible]) -> NDArray[np.float64]:
        """The probability that each is meant; what is left to one is that of none of them."""
        if not some:
            return np.zeros(0)
        alone = shipped_perceptrons("judge", "naming").of_rows(self.pairs(one, some))
        odds = alone / (1 - alone + 1e-12)
        return np.asarray((odds / (1 + odds.sum())).round(_DECIMALS))

    def pairs(self, one: Unnamed, some: Sequence[Possible]) -> NDArray[np.float64]:
        """(possible, D) What is seen of a pronoun together with each that it may mean."""
        own = np.array(_own(one), dtype=np.float64)
        rivals = dict.fromkeys(range(UNKNOWN, len(KINDS)), 0)  # of each kind, those who were named later
        rows = []
        for rank, (entity, last) in enumerate(reversed(some)):
            rows.append(
                [*self._apart(one, entity, last), *_ranked(rank, rivals[entity.kind]), *self._told(one, entity)]
            )
            rivals[entity.kind] += 1
        seen = np.array([self.seen(last) for _, last in reversed(some)])
        pair = np.array(rows, dtype=np.float64)
        return np.concatenate([pair, np.tile(own, (len(rows), 1)), seen], axis=1)[::-1]

    def _apart(self, one: Unnamed, entity: Entity, last: Mention) -> list[float]:
        """How far somebody was last named from a pronoun, and what lies between."""
        here, place, sentences = one.sentence, last.sentence, self.document.sentences
        apart, between = here - place, self.upto[here] - self.upto[place]
        return [
            apart == 1, apart == 2, apart == 3, apart > 3, math.log2(1 + apart),
            sentences[place].paragraph == sentences[here].paragraph,
            sentences[place].speaker == sentences[here].speaker,
            place == 0, float(self.meanings[place] @ self.meanings[here]), math.log2(1 + between[one.kind]),
            math.log2(1 + between.sum() - between[one.kind]), entity.places[0] == 0, entity.places[0] == here - 1,
        ]  # fmt: skip

    def _told(self, one: Unnamed, entity: Entity) -> list[float]:
        """How often somebody was named, in which places, and which pronouns stood beside."""
        here, is_subject = one.sentence, one.parsed.parse.relations[one.tokens[0]] in ("nsubj", "nsubjpass")
        subject = [mention.is_subject for mention in entity.mentions if mention.sentence <= here]
        beside = self.pronouns[entity.places].sum(axis=0)
        other = beside[MAN if one.kind == WOMAN else WOMAN] + (beside[MAN] if one.kind not in (WOMAN, MAN) else 0)
        return [
            is_subject and subject[-1], not is_subject and not subject[-1], sum(subject) / len(subject),
            entity.kind == one.kind, entity.kind == UNKNOWN, math.log2(len(entity.mentions)),
            math.log2(1 + len(subject)), sum(here - _NEAR <= place <= here for place in entity.places),
            math.log2(1 + beside[one.kind]), math.log2(1 + other), max(len(m.words) for m in entity.mentions),
        ]  # fmt: skip


def _may_mean(one: Unnamed, entity: Entity) -> bool:
    """Whether a pronoun may mean somebody, by kind; and whether its sentence does not tell them apart.

    `His dad ...` does not mean my dad, and who is named beside a pronoun needs none.
    """
    kinds = (UNKNOWN, SEVERAL, THING) if one.kind == SEVERAL else (UNKNOWN, one.kind)
    first = entity.mentions[0]
    if entity.kind not in kinds or (one.kind == THING and first.is_somebody):
        return False
    return one.sentence not in entity.places and first.word not in one.parsed.words


def _ranked(rank: int, rivals: int) -> list[float]:
    """How many others were named later: of all, and of the same kind."""
    return [rank == 0, math.log2(1 + rank), math.log2(1 + rivals), rivals == 0]


def _own(one: Unnamed) -> list[float]:
    """What is seen of a pronoun by itself."""
    parsed, token = one.parsed, one.tokens[0]
    role = parsed.parse.relations[token]
    return [
        *(one.kind == kind for kind in range(len(KINDS))), *(role == known for known in _ROLES),
        parsed.words[token].endswith("s"), token < parsed.parse.root, token / len(parsed),
        math.log2(1 + one.sentence), parsed.sentence.speaker is not None,
        *(parsed.parse.context[token] / _OF_CONTEXT),
    ]  # fmt: skip


def _seen(mention: Mention) -> NDArray[np.float64]:
    """What is seen of a mention by itself."""
    parsed, head, word = mention.parsed, mention.head, mention.word
    parse, first, meaning = parsed.parse, parsed.words[mention.first], shipped_judge().meaning
    own = [
        *(parse.relations[head] == role for role in _ROLES), *(mention.tag == tag for tag in _TAGS),
        *(parsed.entity(head) == name for name in _NAMES),
        first in ("a", "an"), first == "the", first in ("my", "our"), first in ("your", "i", "you"),
        bool(parsed.children(head, "poss")), is_person(word, "she") or is_person(word, "he"),
        word in counted().people, word in counted().things, len(mention.words), mention.is_quoted,
        parsed.clause(head) == parse.root, head < parse.root, head / len(parsed), parsed.sentence.is_prose,
        mention.sentence == 0, math.log2(1 + mention.sentence), not _OURS.isdisjoint(mention.words),
        mention.end - head > 1,
    ]  # fmt: skip
    return np.concatenate([own, meaning(word), meaning(first), parse.context[head] / _OF_CONTEXT])
