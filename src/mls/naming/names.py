"""The names of a text that can stand in the place of its pronouns, and of half names.

`He pulled out a knife.` tells a stranger nothing; `My neighbour pulled out a knife.` does. Words are only ever moved:
what is put in a pronoun's place stands in the text, word for word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from mls.forms.names import Name
from mls.forms.tree import ParsedSentence
from mls.leaning import INTRODUCED, PRONOUN, QUOTED, Lean
from mls.naming.meant import Scene
from mls.naming.mentions import (
    SEVERAL,
    THING,
    TITLES,
    UNKNOWN,
    Entity,
    Mention,
    Unnamed,
    counted,
    unnamed_in,
)
from mls.needs import NEEDED
from mls.parser.tree import Parse
from mls.text import Document, tidy

LIKELY = 0.9  # probability that somebody is meant, from which on a name is put in a pronoun's place
RIVAL = 0.08  # and the most that anybody else's may be
SUREST = 0.999  # that a pronoun means somebody
LEFT = 0.3  # of what the judge of needs believes of a sentence, what a name in a pronoun's place leaves
_TELLS_MOST = 6  # words: more of them tell no more
_MARKS = frozenset(("-", "'s", "’s", "'", "’", "&", "."))  # that may stand in a name
_CLITICS = frozenset("re ve d ll m".split())  # before which no name stands: `my neighbour'd`
_OURS = frozenset("i me my we us our you your".split())
Meant = tuple[Entity, Unnamed, float]  # who is meant, by which words, and how surely


class Naming:
    """The names that sentences may have, and what sentences lean on where they have them.

    They are looked for when somebody asks: where there is room for more than one sentence nobody does.
    """

    def __init__(
        self, document: Document, parses: Sequence[Parse | None], leans: Sequence[tuple[Lean, ...]], wanted: bool
    ) -> None:
        self.document, self.parses, self.plain, self.wanted = document, parses, tuple(leans), wanted

    @property
    def names(self) -> Mapping[int, tuple[Name, ...]]:
        """Those of each sentence that has any."""
        return self._found[0]

    @property
    def leans(self) -> tuple[tuple[Lean, ...], ...]:
        """What each sentence leans on, and which of its names would do."""
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[dict[int, tuple[Name, ...]], tuple[tuple[Lean, ...], ...]]:
        asking = [sentence.index for sentence in self.document.sentences if self._asks(sentence.index)]
        found: dict[int, tuple[Name, ...]] = {}
        told = list(self.plain)
        scene = Scene(self.document, self.parses) if asking else None
        for index in asking:
            assert scene
            names, places = _names(scene, index, self.plain[index])
            if names:
                found[index] = names
                told[index] = tuple(_answered(lean, names, places) for lean in self.plain[index])
        return found, tuple(told)

    def _asks(self, index: int) -> bool:
        """Whether a sentence leaves open who is meant, and may have a name for it; what is quoted stays as it is."""
        if not self.wanted or self.parses[index] is None or not self.document.sentences[index].is_prose:
            return False
        leans = self.plain[index]
        return any(map(_asks_who, leans)) and all(lean.reason != QUOTED for lean in leans)


def _asks_who(lean: Lean) -> bool:
    return lean.reason == PRONOUN or _is_last_name(lean)


def _is_last_name(lean: Lean) -> bool:
    """Whether somebody is called by a last name alone."""
    return lean.reason == INTRODUCED and lean.cue[:1].isupper()


def _answered(lean: Lean, names: Sequence[Name], places: Collection[int]) -> Lean:
    """What a sentence leans on, and which of its names would do: as far as it only asks who is meant."""
    if lean.reason == PRONOUN:
        return replace(lean, names=tuple(name.number for name in names if name.sure < 1))
    if _is_last_name(lean):
        return replace(lean, names=tuple(name.number for name in names if lean.cue in name.text.split()))
    if lean.reason == NEEDED:
        return replace(lean, names=tuple(name.number for name in names), left=0.0 if lean.on in places else LEFT)
    return lean


def _names(scene: Scene, index: int, leans: Sequence[Lean]) -> tuple[tuple[Name, ...], set[int]]:
    """The names for those whom a sentence does not name, and the sentences that speak of them.

    Pronouns are named all or none, but for an `it` beside others: beside one that stays nobody, another's name is of
    little use.
    """
    parsed = scene.parsed[index]
    pronouns = list(unnamed_in(parsed))
    first = min((one.tokens[0] for one in pronouns), default=0)
    wanted = [one for one in pronouns if one.kind != THING or one.tokens[0] == first]
    meant = [(found, _name(*found)) for one in wanted if (found := _meant(scene, one))]
    if len(meant) < len(wanted) or any(name is None for _, name in meant):
        meant = []
    meant += [(found, _name(*found)) for found in _full_names(scene, parsed, leans)]
    told = [(found, name) for found, name in meant if name is not None]
    names = tuple(replace(name, number=number) for number, (_, name) in enumerate(told))
    return names, {place for (entity, *_), _ in told for place in entity.places}


def _meant(scene: Scene, one: Unnamed) -> Meant | None:
    """Who is meant by a pronoun, if one is far more likely than all others."""
    possible = scene.possible(one)
    likely = scene.likely(one, possible)
    order = np.argsort(-likely, kind="stable").tolist()
    best, rival = (float(likely[order[n]]) if len(order) > n else 0.0 for n in (0, 1))
    if best < LIKELY or rival > RIVAL:
        return None
    return possible[order[0]][0], one, min(SUREST, round(best / (best + rival), 6))


def _full_names(scene: Scene, parsed: ParsedSentence, leans: Sequence[Lean]) -> Iterator[Meant]:
    """Those who are called by a last name alone, and have a full name before."""
    tokens = parsed.sentence.tokens.texts
    for lean in filter(_is_last_name, leans):
        place = tokens.index(lean.cue) if lean.cue in tokens else None
        if place is None or any(place in quote for quote in parsed.quotes) or _is_part_of_a_name(parsed, place):
            continue
        one = Unnamed(parsed, (place,), UNKNOWN)
        full = [entity for entity in scene.entities if any(_is_full_name(mention, one) for mention in entity.mentions)]
        yield from ((entity, one, 1.0) for entity in full if len(full) == 1)  # of two of a name nobody knows which


def _is_part_of_a_name(parsed: ParsedSentence, token: int) -> bool:
    return any(parsed.words[child] not in TITLES for child in parsed.children(token, "compound", "nmod"))


def _is_full_name(mention: Mention, one: Unnamed) -> bool:
    """Whether somebody is called by more than the last name that stands alone, in a sentence before."""
    ends = mention.words[-1] == one.parsed.words[one.tokens[0]]
    return mention.is_full_name and ends and mention.sentence < one.sentence


def _name(entity: Entity, one: Unnamed, sure: float) -> Name | None:
    """The words that tell most of somebody and fit in the place of a pronoun."""
    parsed = one.parsed
    if any(_is_before_a_clitic(parsed, token) for token in one.tokens):
        return None
    fitting = [mention for mention in entity.mentions if _can_stand(mention, one)]
    if one.kind == UNKNOWN:
        fitting = [
            own for own in map(_name_alone, filter(lambda m: _is_full_name(m, one), fitting)) if len(own.words) > 1
        ]
    best = max(fitting, key=_tells_most, default=None)
    if best is None:
        return None
    owners = frozenset(token for token in one.tokens if parsed.parse.tags[token] == "PRP$")
    return Name(0, one.tokens, owners, _as_within(best), best.start, best.stop, sure)


def _as_within(mention: Mention) -> str:
    """The words of a mention as they are written within a sentence: without the capital that they have for its sake."""
    text, word = tidy(mention.text), mention.words[0]
    is_name = mention.parsed.parse.tags[mention.first].startswith("NNP") and word not in counted().people
    return text if mention.first or is_name or text[1:2].isupper() else text[:1].lower() + text[1:]


def _is_before_a_clitic(parsed: ParsedSentence, token: int) -> bool:
    return any(word[:1] in ("'", "’") and word[1:] in _CLITICS for word in parsed.words[token + 1 : token + 2])


def _can_stand(mention: Mention, one: Unnamed) -> bool:
    """Whether the words of a mention can stand in a pronoun's place, as they are."""
    if mention.sentence >= one.sentence or mention.is_quoted:
        return False
    if any(not word[0].isalnum() and word not in _MARKS for word in mention.words):
        return False
    ours = not _OURS.isdisjoint(mention.words)  # `my boss` is another's boss where another speaks
    if ours and mention.parsed.sentence.speaker != one.parsed.sentence.speaker:
        return False
    agrees = one.kind == SEVERAL and one.parsed.parse.relations[one.tokens[0]] in ("nsubj", "nsubjpass")
    return not agrees or mention.kind == SEVERAL


def _name_alone(mention: Mention) -> Mention:
    """A name without what somebody is: of `Dr. Anna Berg`, and of `striker Anna Berg`."""
    parsed, first = mention.parsed, mention.head
    while first > mention.first and parsed.entity(first - 1) == "PERSON" and parsed.words[first - 1] not in TITLES:
        first -= 1
    return replace(mention, first=first)


def _tells_most(mention: Mention) -> tuple[int, int, int]:
    """Of mentions that could be taken, the longer ones first, and of these the first."""
    return min(mention.end - mention.first, _TELLS_MOST), -mention.sentence, -mention.first
