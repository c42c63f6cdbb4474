"""Whom and what a text names: noun phrases, those that name the same one, and pronouns that nobody explains."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from mls.forms.pronouns import FEMALE, MALE, MANY, MEN, THINGS, WOMEN, candidates
from mls.forms.tree import ParsedSentence
from mls.leaning import is_called, is_empty_it, is_told_here

KINDS = (FEMALE, MALE, MANY, THINGS)
WOMAN, MAN, SEVERAL, THING = range(4)  # of KINDS
UNKNOWN = -1
LONGEST = 8  # tokens of a phrase
TITLES = frozenset(
    """
    mr mrs ms miss sir lord lady dame dr prof professor president rep sen rev rabbi judge
    """.split()
)
_TITLES_OF = {WOMAN: frozenset("mrs ms miss lady dame".split()), MAN: frozenset("mr sir lord".split())}
_SUBJECTS = ("nsubj", "nsubjpass")
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_WITHIN = ("compound", "nmod", "amod", "npadvmod")  # what a noun is that is part of another's phrase
_DESCRIBING = frozenset("det amod compound nummod poss nmod quantmod predet case punct".split())
_CLAUSES = frozenset("relcl acl pcomp advcl ccomp appos conj".split())
_NO_PERSONS = ("ORG", "GPE", "LOC", "PRODUCT", "WORK_OF_ART", "EVENT", "FAC", "LAW", "LANGUAGE")
_AMOUNTS = ("DATE", "TIME", "MONEY", "PERCENT", "CARDINAL", "ORDINAL", "QUANTITY")
_OWNED = frozenset("theirs hers".split())
_PRONOUNS = FEMALE | MALE | MANY | THINGS
_SAY_NOTHING = _PRONOUNS | frozenset(
    """
    this that these those another other others such same latter former what which who whom whose
    mine yours ours one ones thing things something anything nothing someone anyone everyone nobody everybody somebody
    lot lots bit kind sort part rest way times time day days year years week weeks month months today yesterday
    tomorrow tonight morning night none both each all
    """.split()
)


class Counted(NamedTuple):
    """What was counted in news and articles (`tools/persons.py`)."""

    women: frozenset[str]  # first names
    men: frozenset[str]
    people: frozenset[str]  # words that `who` often follows,
    things: frozenset[str]  # and common ones that it hardly ever does


@cache
def counted() -> Counted:
    path = Path(str(resources.files("mls"))) / "assets" / "forms" / "persons.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    return Counted(*(frozenset(known[name].split()) for name in Counted._fields))


@dataclass(frozen=True)
class Mention:
    """A noun phrase that names somebody or something: its tokens, from `first` to before `end`, and its main word."""

    parsed: ParsedSentence
    first: int
    end: int
    head: int

    @property
    def sentence(self) -> int:
        return self.parsed.sentence.index

    @cached_property
    def words(self) -> tuple[str, ...]:
        return self.parsed.words[self.first : self.end]

    @property
    def word(self) -> str:
        """The main one."""
        return self.parsed.words[self.head]

    @property
    def tag(self) -> str:
        return self.parsed.parse.tags[self.head]

    @property
    def start(self) -> int:
        """Where it stands in the document."""
        return self.parsed.sentence.tokens[self.first].start

    @property
    def stop(self) -> int:
        return self.parsed.sentence.tokens[self.end - 1].end

    @property
    def text(self) -> str:
        begins = self.parsed.sentence.start
        return self.parsed.sentence.text[self.start - begins : self.stop - begins]

    @property
    def is_person(self) -> bool:
        return self.parsed.entity(self.head) == "PERSON"

    @property
    def is_somebody(self) -> bool:
        return self.is_person or (self.tag == "NN" and self.word in counted().people)

    @property
    def is_joined(self) -> bool:
        """Whether it names two, side by side."""
        return self.end > self.head + 1 and "and" in self.words

    @property
    def is_subject(self) -> bool:
        return self.parsed.parse.relations[self.head] in _SUBJECTS

    @property
    def is_quoted(self) -> bool:
        return any(self.head in quote for quote in self.parsed.quotes)

    @cached_property
    def name(self) -> tuple[str, ...]:
        """The words of a person's name, without marks, titles and what the person is."""
        first = self.head
        while first > self.first and self.parsed.entity(first - 1) == "PERSON":
            first -= 1
        words = (word for word in self.parsed.words[first : self.end] if word[0].isalnum() and word not in TITLES)
        return tuple(words) or self.words

    @property
    def is_full_name(self) -> bool:
        return self.is_person and not self.is_joined and len(self.name) > 1

    @property
    def first_and_last(self) -> tuple[str, str]:
        return self.name[0], self.name[-1]

    @cached_property
    def kind(self) -> int:
        """Which of KINDS can mean it, as far as its words tell."""
        if "and" in self.parsed.words[self.head : self.end] or self.tag in ("NNS", "NNPS"):
            return SEVERAL
        for kind, nouns in ((WOMAN, WOMEN), (MAN, MEN)):
            if is_called(self.word, nouns) or not _TITLES_OF[kind].isdisjoint(self.words):
                return kind
        if self.tag == "NNP":
            return self._kind_of_name()
        return THING if self.word in counted().things else UNKNOWN

    def _kind_of_name(self) -> int:
        """That of a person by the first name; a firm or a place is a thing."""
        if self.parsed.entity(self.head) in _NO_PERSONS:
            return THING
        first = next((word for word in self.words if word not in TITLES), "")
        return WOMAN if first in counted().women else MAN if first in counted().men else UNKNOWN


@dataclass(frozen=True)
class Entity:
    """Mentions that name the same one, as far as their words tell, in order."""

    mentions: tuple[Mention, ...]

    @cached_property
    def kind(self) -> int:
        return max(mention.kind for mention in self.mentions)

    @cached_property
    def places(self) -> list[int]:
        """The sentence of each mention."""
        return [mention.sentence for mention in self.mentions]


def entities_of(sentences: Sequence[ParsedSentence]) -> list[Entity]:
    """All who are named: persons by first and last name, or by the one that nobody else has; things by their noun."""
    mentions = [mention for parsed in sentences for mention in mentions_of(parsed)]
    full: dict[str, set[tuple[str, str]]] = {}  # of each part of a name, the first and last names it may stand for
    for mention in mentions:
        if mention.is_full_name:
            for part in mention.first_and_last:
                full.setdefault(part, set()).add(mention.first_and_last)
    found: dict[tuple[str, ...], list[Mention]] = {}
    for mention in mentions:
        found.setdefault(_key(mention, full), []).append(mention)
    return [Entity(tuple(own)) for own in found.values()]


def _key(mention: Mention, full: Mapping[str, Collection[tuple[str, str]]]) -> tuple[str, ...]:
    """What mentions of the same one have in common."""
    words, parsed = mention.words, mention.parsed
    if mention.is_joined:
        return words
    if mention.is_full_name:
        return "person", *mention.first_and_last
    if mention.is_person:
        meant = full.get(mention.name[-1], ())
        return ("person", *(next(iter(meant)) if len(meant) == 1 else mention.name[-1:]))
    if mention.tag in ("NNP", "NNPS"):
        return tuple(word for word in words if word not in ("the", "a", "an"))
    owner = tuple(word for word in words if word in ("my", "our", "your")) or tuple(
        parsed.words[child] for child in parsed.children(mention.head, "poss") if child >= mention.first
    )
    return (*owner, mention.word)


def mentions_of(parsed: ParsedSentence) -> list[Mention]:
    """The noun phrases of a sentence that tell by themselves whom or what they name, in order."""
    found: list[Mention] = []
    for token, tag in enumerate(parsed.parse.tags):
        if tag in _NOUNS and parsed.parse.relations[token] not in _WITHIN:
            phrase = _phrase(parsed, token)
            phrases = (phrase, _joined(phrase)) if phrase is not None else ()
            found += [mention for mention in phrases if mention is not None and _tells(mention)]
    return found


def _phrase(parsed: ParsedSentence, head: int) -> Mention | None:
    """A noun with what describes it before it, and an `of` right after it."""
    before = [child for child in parsed.children(head) if child < head and parsed.parse.relations[child] in _DESCRIBING]
    own = frozenset({head}).union(*(parsed.subtrees[child] for child in before))
    first = min(own)
    if any(token not in own and parsed.is_word(token) for token in range(first, head)):
        return None
    while first < head and (not parsed.is_word(first) or parsed.entity(first) in ("DATE", "TIME")):
        first += 1
    end = head + 1
    if parsed.words[end : end + 1] == ("of",) and end in parsed.children(head, "prep") and _is_plain(parsed, end):
        last = parsed.span(end)[1] + 1
        end = last if last - first <= LONGEST else end
    return Mention(parsed, first, end, head)


def _is_plain(parsed: ParsedSentence, top: int) -> bool:
    """Whether what hangs on a word stands side by side and has no clause, pronoun or list in it."""
    parse = parsed.parse
    own = parsed.subtrees[top]
    marks = any(parse.tags[token] in ("PRP", "PRP$", ",", ":") for token in own)
    return parsed.is_contiguous(top) and not marks and all(parse.relations[token] not in _CLAUSES for token in own)


def _joined(one: Mention) -> Mention | None:
    """Two that are named side by side: `my mother and her sister`."""
    parsed = one.parsed
    if parsed.words[one.end : one.end + 1] != ("and",):
        return None
    others = [child for child in parsed.children(one.head, "conj") if parsed.parse.tags[child] in _NOUNS]
    other = _phrase(parsed, others[0]) if len(others) == 1 else None
    if other is None or other.first != one.end + 1:
        return None
    return Mention(parsed, one.first, other.end, one.head)


def _tells(mention: Mention) -> bool:
    brief = mention.end - mention.first <= LONGEST
    return brief and mention.parsed.entity(mention.head) not in _AMOUNTS and _SAY_NOTHING.isdisjoint(mention.words)


@dataclass(frozen=True)
class Unnamed:
    """A pronoun of a sentence that does not say whom it means, and those after it that mean the same one."""

    parsed: ParsedSentence
    tokens: tuple[int, ...]
    kind: int  # of KINDS

    @property
    def sentence(self) -> int:
        return self.parsed.sentence.index


def unnamed_in(parsed: ParsedSentence) -> Iterator[Unnamed]:
    """The pronouns that nobody understands who reads their sentence alone, of each kind the first."""
    quoted = frozenset[int]().union(*parsed.quotes)
    for kind, words in enumerate(KINDS):
        own = [token for token, word in enumerate(parsed.words) if word in words and _points_back(parsed, token)]
        if not own or own[0] in quoted or is_told_here(parsed.sentence, parsed.parse, own[0]):
            continue
        if kind in (WOMAN, MAN) and _is_told_next(parsed, own[0]):
            continue
        another = next((token for token in own[1:] if _is_another(parsed, own[0], token)), len(parsed))
        yield Unnamed(parsed, tuple(token for token in own if token < another and token not in quoted), kind)


def _points_back(parsed: ParsedSentence, token: int) -> bool:
    word = parsed.words[token]
    if parsed.parse.tags[token] not in ("PRP", "PRP$") or word.endswith(("self", "selves")) or word in _OWNED:
        return False
    return word != "it" or not is_empty_it(parsed.sentence, parsed.parse, token)


def _is_told_next(parsed: ParsedSentence, pronoun: int) -> bool:
    """Whether the subject after what a sentence opens with is the one: `During his career, Jonathan has ...`."""
    subjects = [child for child in parsed.children(parsed.parse.root, *_SUBJECTS) if child >= pronoun]
    if not subjects or pronoun in parsed.subtrees[subjects[0]]:
        return False
    opens = "," in parsed.words[pronoun : subjects[0]]
    return opens and parsed.parse.tags[subjects[0]] in ("NN", "NNP") and parsed.words[subjects[0]] not in _PRONOUNS


def _is_another(parsed: ParsedSentence, first: int, token: int) -> bool:
    """Whether a later pronoun may mean somebody whom the sentence names after the first."""
    return any(possible > first for possible in candidates(parsed, token))
