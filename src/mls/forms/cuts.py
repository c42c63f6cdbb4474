"""Whether a sentence without one of its parts is still good English and still true: learned from judged cuts.

What is seen of a cut are numbers: what the part is and what it hangs on, what stands around it, how sure the tree is,
what people keep, what the words at its ends mean, and what the rules of `mls.forms.parts` say. `tools/cuts.py`
trains the judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mls.forms.tree import ParsedSentence
from mls.forms.words import BEING, CONTRAST, NEGATION, QUANTIFIERS, SAYING
from mls.judge.network import shipped_judge
from mls.perceptron import shipped_perceptrons

RELATIONS = "relcl acl appos advcl prep advmod npadvmod conj agent nmod amod intj parataxis compound dep cc".split()
_GOVERNORS = "ROOT nsubj nsubjpass dobj pobj attr conj advcl relcl ccomp xcomp acl pcomp appos".split()
_CLASSES = "VNJRPICW"
_OWN_TAGS = "VBG VBN VBD VB VBZ VBP NNP CD".split()
_HEAD_TAGS = "VBG VBN VBD VB NNP NNS NN PRP".split()
_FIRST = """
    of in to for on with at by from as about into after over between through before under against during without among
    around since until like than per near behind across within despite and or but who which that when where because so
    if while not although what how whose
""".split()
_ENTITIES = "PERSON DATE TIME GPE LOC ORG CARDINAL MONEY PERCENT FAC NORP ORDINAL".split()
_DASHES = (",", "–", "—", "--")
_POSSESSIVE = frozenset("his her my their its our".split())
_PRONOUNS = frozenset("he she it they his her its their him them".split())
_OBJECTS = ("dobj", "attr", "acomp", "ccomp", "xcomp")


class _OneOf:
    """Which of some names something has: a row of zeros and ones, made once for each."""

    def __init__(self, names: Iterable[str]) -> None:
        listed = list(names)
        self.none = (0.0,) * len(listed)
        self.rows = {name: tuple(float(name == other) for other in listed) for name in listed}

    def __call__(self, name: str) -> tuple[float, ...]:
        return self.rows.get(name, self.none)


_relation, _governor, _class = _OneOf(RELATIONS), _OneOf(_GOVERNORS), _OneOf(_CLASSES)
_own_tag, _head_tag, _first = _OneOf(_OWN_TAGS), _OneOf(_HEAD_TAGS), _OneOf(_FIRST)


def features(parsed: ParsedSentence, head: int, inside: frozenset[int], rules: Sequence[bool]) -> NDArray[np.float64]:
    """What is seen of leaving out some tokens, whose topmost is `head`; `rules` is what the rules say of it."""
    seen = np.array(_seen(parsed, head, inside, rules), dtype=np.float64)
    return np.concatenate([seen, *_meanings(parsed, head, inside), *_contexts(parsed, head, inside)])


def _meanings(parsed: ParsedSentence, head: int, inside: frozenset[int]) -> list[NDArray[np.float32]]:
    """What the topmost word of a part means, the one it hangs on, all of its words, and those on both sides of it."""
    words, meaning = parsed.words, shipped_judge().meaning
    first, after = min(inside), max(inside) + 1
    own = [meaning(words[token]) for token in sorted(inside) if parsed.is_word(token)]
    return [
        meaning(words[head]), meaning(words[parsed.parse.heads[head]]),
        np.add.reduce(own) / np.float32(len(own)) if own else meaning(""), meaning(words[first - 1] if first else ""),
        meaning(words[after] if after < len(words) else ""),
    ]  # fmt: skip


def _contexts(parsed: ParsedSentence, head: int, inside: frozenset[int]) -> list[NDArray[np.int8]]:
    """How the same words are used in their sentence, and those at both ends of the part."""
    context = parsed.parse.context
    first, last = min(inside), max(inside)
    positions = (head, parsed.parse.heads[head], first - 1, last + 1, first, last)
    nowhere = np.zeros(context.shape[1], np.int8)
    return [context[token] if 0 <= token < len(parsed) else nowhere for token in positions]


def _seen(parsed: ParsedSentence, head: int, inside: frozenset[int], rules: Sequence[bool]) -> list[float]:
    parse, words = parsed.parse, parsed.words
    governor = parse.heads[head]
    first, last = min(inside), max(inside)
    return [
        *rules,
        *_relation(parse.relations[head]),
        *_governor(parse.relations[governor]),
        *_class(parse.tags[governor][:1]),
        *_class(parse.tags[head][:1]),
        *_own_tag(parse.tags[head]),
        *_head_tag(parse.tags[governor]),
        *_first(words[first]),
        *_sizes(parsed, inside, first, last),
        *_around(parsed, first, last),
        *_likely(parsed, head, governor, inside),
        *_says(parsed, governor, inside),
        *_stays(parsed, head, governor, inside, last),
    ]


def _sizes(parsed: ParsedSentence, inside: frozenset[int], first: int, last: int) -> list[float]:
    gone, total = sum(map(parsed.is_word, inside)), sum(parsed.are_words)
    size = len(parsed)
    return [gone, _log(1 + gone), gone / max(1, total), first / size, last / size, total, total - gone]


@cache
def _log(size: int) -> float:
    return float(np.log2(size))


def _around(parsed: ParsedSentence, first: int, last: int) -> list[bool]:
    words, tags = parsed.words, parsed.parse.tags
    before, before_tag = (words[first - 1], tags[first - 1]) if first else ("^", "")
    inner = last + 1 < len(parsed)
    after, after_tag = (words[last + 1], tags[last + 1]) if inner else ("$", "")
    return [
        before in _DASHES, before in ("(", "["), first == 0, after in _DASHES, after in (".", "!", "?", "$"),
        after in (")", "]"), after in ("and", "or", "but"), inner and parsed.is_word(last + 1),
        after in ("of", "to", "in", "for", "on", "at"), before in ("and", "or"), after_tag[:1] == "V",
        before_tag[:1] == "V", before_tag[:1] == "N", before_tag in ("DT", "IN", "TO", "CC"),
    ]  # fmt: skip


def _likely(parsed: ParsedSentence, head: int, governor: int, inside: frozenset[int]) -> list[float]:
    """How sure the tree is, and what people keep."""
    sure, keep, are_words = parsed.certainty, parsed.keep, parsed.are_words
    gone = [keep[token] for token in inside if are_words[token]] or [0.0]
    stays = [likely for t, likely in enumerate(keep) if t not in inside and are_words[t]] or [0.0]
    return [
        sure[head], min(sure[token] for token in inside), sure[parsed.parse.root], parsed.mean_certainty,
        sum(gone) / len(gone), max(gone), sum(stays) / len(stays), keep[head], keep[governor],
    ]  # fmt: skip


def _says(parsed: ParsedSentence, governor: int, inside: frozenset[int]) -> list[float]:
    """What names and telling words are in the part, and what it hangs on."""
    words = parsed.words
    names = {parsed.entity(token) for token in inside}
    own = {words[token] for token in inside}
    articles = [words[child] for child in parsed.children(governor, "det", "poss")]
    return [
        *(name in names for name in _ENTITIES), words[governor] in BEING, words[governor] in SAYING,
        not own.isdisjoint(SAYING), not own.isdisjoint(NEGATION),
        not own.isdisjoint(QUANTIFIERS), not own.isdisjoint(CONTRAST), "the" in articles,
        "a" in articles or "an" in articles, any(word in _POSSESSIVE for word in articles), not articles,
        bool(parsed.children(governor, "amod")), bool(parsed.children(governor, *_OBJECTS)),
        len(parsed.children(governor, "prep")),
    ]  # fmt: skip


def _stays(parsed: ParsedSentence, head: int, governor: int, inside: frozenset[int], last: int) -> list[float]:
    """What the rest of the sentence is like."""
    words = parsed.words
    points = not _PRONOUNS.isdisjoint(words[last + 1 :])
    named = any(parsed.entity(token) in ("PERSON", "ORG", "GPE", "NORP") for token in inside)
    return [
        head > governor, abs(head - governor), points and named, any(words[token] in _PRONOUNS for token in inside),
        '"' in words or "'" in words, words[-1] == "?", sum(map(words.count, (",", ";", ":"))),
        parsed.is_finite(head), bool(parsed.children(head, "nsubj", "nsubjpass")), bool(parsed.children(head, "mark")),
        bool(parsed.children(head, "conj")), bool(parsed.children(governor, "conj")),
        bool(parsed.children(governor, "cc")), parsed.parse.root in inside, 0 in inside,
    ]  # fmt: skip


def judged(seen: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The probability, for each cut, that what is left is good English and true."""
    return shipped_perceptrons("forms", "cuts").of_rows(seen)
