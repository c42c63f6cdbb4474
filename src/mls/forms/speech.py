"""What of a spoken sentence was said only while thinking, and whether the rest is a sentence: learned from editors.

Eight of them took words out of sentences of meetings until they could be quoted, and graded what was left
(`tools/speech.py` trains the judges). What is seen of a token are numbers: what it and its neighbours mean and how
they are used, which frequent words they are, and whether they are said again. What the truth hangs on is not left to
the judge: it stays, unless it is said again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mls.forms.tree import FINITE, ParsedSentence
from mls.forms.words import CONDITION, NEGATION
from mls.judge.network import shipped_judge
from mls.perceptron import Perceptrons, load_perceptrons
from mls.stopwords import STOP_WORDS
from mls.talk import FILLERS

Array = NDArray[np.float64]

GOES = 0.7  # probability from which a token goes
BESIDE = 0.85  # of that, from which it does so beside a word that goes: what is given up goes whole
SURELY = 0.95  # and from which it does so in what is written, or beside words that the truth hangs on
PROPER = 0.5  # probability that what is left is a sentence, below which it is none
_PAUSES, _FEWEST_PAUSES = 0.05, 3  # of the sentences that were heard, at least, somebody pauses in
_SOON = 8  # words within which something is said again
_LONGEST_TWICE = 6  # words of what is said twice in a row
_WHOLE_WORD = 4  # letters of a word that was not only begun
_AROUND = (-2, -1, 0, 1, 2)  # neighbours that are seen
_DOUBT = frozenset("maybe perhaps probably possibly likely hopefully apparently presumably".split())
_GUARDED = NEGATION | CONDITION | _DOUBT
_CLITICS = frozenset("'s 're 've 'll 'd 'm n't".split())
_NUMBER, _MODAL, _NAMES = "CD", "MD", ("NNP", "NNPS")
_SEPARATORS = frozenset(", - – — @".split())  # marks that may go
_MEANT_TWICE = _SEPARATORS | {"and", "or"}  # `again and again`
_OPENING = frozenset("\"'“‘([")
_HOSTS = {  # after which a letter is the rest of a word
    "s": frozenset("it that he she there what who".split()),
    "d": frozenset("i you he she we they".split()),
    "m": frozenset("i"),
}
_BEGINNING = frozenset("CC DT EX IN PRP PRP$ RB UH WP WRB".split())  # tags of words with which somebody begins again
_TAGS = """
    CC CD DT EX IN JJ JJR MD NN NNP NNS PDT POS PRP PRP$ RB RP TO UH VB VBD VBG VBN VBP VBZ WDT WP WRB , . : HYPH
""".split()
_RELATIONS = """
    ROOT nsubj nsubjpass dobj pobj attr acomp conj advcl relcl ccomp xcomp acl appos prep advmod amod intj parataxis
    compound dep cc det aux mark punct neg poss expl
""".split()


class Heard(NamedTuple):
    """What somebody said, as it is quoted."""

    gone: frozenset[int]  # tokens that go
    proper: float  # the probability that the rest is a sentence


def heard(parsed: ParsedSentence, aloud: bool = True) -> Heard:
    """What of a sentence of a talk goes, and how sure it is that the rest is a sentence; what is written, is one."""
    judge = shipped_speech_judge()
    likely = judge.going.of_rows(token_features(parsed, judge.words))
    if not aloud:
        return Heard(without_guarded(parsed, np.maximum(likely, _opening(parsed, likely)), SURELY), 1.0)
    gone = unsaid(parsed, likely)
    if _hangs(parsed, gone) or any(_begins_again(parsed, token, gone) for token in range(len(parsed))):
        return Heard(gone, 0.0)
    proper = judge.proper.of_rows(sentence_features(parsed, likely, gone)[None])
    return Heard(gone, float(proper[0]))


def is_aloud(sentences: Iterable[Sequence[str]]) -> bool:
    """Whether a talk was written down as it was heard, with every `um`; a chat, a script or minutes have none."""
    pausing = [not FILLERS.isdisjoint(words) for words in sentences]
    return sum(pausing) >= max(_FEWEST_PAUSES, _PAUSES * len(pausing))


def _opening(parsed: ParsedSentence, likely: Array) -> Array:
    """Ones for what only opens a sentence, before a comma: `Oh, the van is new`."""
    stays = next((token for token in range(len(parsed)) if likely[token] < GOES), len(parsed))
    commas = [token for token in range(stays) if parsed.words[token] == ","]
    return (np.arange(len(parsed)) <= (commas[-1] if commas else -1)).astype(np.float64)


def unsaid(parsed: ParsedSentence, likely: Array) -> frozenset[int]:
    """What goes of what was heard; and what somebody gave up soon for another beginning: `We have That's the price`."""
    gone = without_guarded(parsed, likely)
    begun = (at for at in range(1, min(_SOON, len(parsed))) if _begins_again(parsed, at, gone))
    before = range(next(begun, 0))
    kept = any(_is_guarded(parsed, token) for token in before if token not in gone)
    return gone if kept else gone | frozenset(before)


def _begins_again(parsed: ParsedSentence, token: int, gone: frozenset[int]) -> bool:
    """Whether a word after others is written as one that begins a sentence, and stays."""
    if token in gone or gone.issuperset(range(token)) or parsed.words[token] not in STOP_WORDS - {"i"}:
        return False
    begins = parsed.sentence.tokens[token].text.istitle() and parsed.parse.tags[token] in _BEGINNING
    return begins and (parsed.is_word(token - 1) or parsed.words[token - 1] == ",")


def _hangs(parsed: ParsedSentence, gone: frozenset[int]) -> bool:
    """Whether what is left ends with a word that another must follow: `And that's one of the.`"""
    last = next((token for token in reversed(range(len(parsed))) if token not in gone and parsed.is_word(token)), 0)
    return parsed.words[last] in ("the", "a", "an") or parsed.parse.tags[last] == "PRP$"


def without_guarded(parsed: ParsedSentence, likely: Array, least: float = GOES) -> frozenset[int]:
    """The tokens that are likely to go; of a stretch with a word that the truth hangs on, only what surely does."""
    going = _likely_to_go(parsed, likely, least)
    spared: set[int] = set()
    for stretch in _stretches(sorted(going)):
        guarded = {token for token in stretch if _is_guarded(parsed, token) and not _stays_later(parsed, token, going)}
        if guarded:
            spared |= guarded | {token for token in stretch if likely[token] < SURELY}
    rest = going - spared
    gone = _without_slips(parsed, rest - _torn(parsed, rest))
    left = [token for token in range(len(parsed)) if token not in gone]
    return gone | _loose_marks(parsed, gone, left) if any(map(parsed.is_word, left)) else frozenset()


def _likely_to_go(parsed: ParsedSentence, likely: Array, least: float) -> frozenset[int]:
    going = set(np.flatnonzero(likely >= least).tolist())
    waiting = [token for token in going if parsed.words[token] not in FILLERS]
    while waiting:
        token = waiting.pop()
        beside = {at for at in (token - 1, token + 1) if 0 <= at < len(parsed) and likely[at] >= least * BESIDE} - going
        going |= beside
        waiting.extend(beside)
    marks = {token for token in going if not parsed.is_word(token) and parsed.words[token] not in _SEPARATORS}
    return frozenset(going - marks - _twice_needed(parsed))


def _twice_needed(parsed: ParsedSentence) -> set[int]:
    """Words said twice around a comma, each with a part of its own: `When I talk with you, you never listen`."""
    words, relations = parsed.words, parsed.parse.relations
    return {
        token
        for first in range(len(parsed) - 2)
        if words[first] == words[first + 2] and words[first + 1] == ","
        and relations[first] in ("pobj", "dobj") and relations[first + 2] in ("nsubj", "nsubjpass")
        for token in range(first, first + 3)
    }  # fmt: skip


def _torn(parsed: ParsedSentence, going: frozenset[int]) -> frozenset[int]:
    """Halves of what is written as one: `We've` goes or stays as a whole."""
    halves = ((token - 1, token) for token in range(1, len(parsed)) if parsed.words[token] in _CLITICS)
    return frozenset(token for pair in halves if len(going & {*pair}) == 1 for token in pair)


def _without_slips(parsed: ParsedSentence, gone: frozenset[int]) -> frozenset[int]:
    """With what is a slip by itself: looked for anew as long as something goes, for that may have hidden more."""
    left = [token for token in range(len(parsed)) if token not in gone and parsed.is_word(token)]
    slips = {token for one, other in pairwise(left) if _is_slip(parsed, one, other) for token in range(one, other)}
    slips |= _begun_twice(parsed, left)
    if len(left) > 2 and parsed.parse.tags[left[-1]] == "CC" and not _is_guarded(parsed, left[-1]):
        slips.add(left[-1])
    return _without_slips(parsed, gone | slips) if slips else gone


def _begun_twice(parsed: ParsedSentence, left: Sequence[int]) -> set[int]:
    """The first time of what is said twice in a row, the last word maybe only begun: `one of th one of the things`."""
    words = [parsed.words[token] for token in left]
    for size in range(_LONGEST_TWICE, 1, -1):
        for first in range(len(left) - 2 * size + 1):
            again, end = first + size, first + 2 * size
            begun = words[again - 1] == words[end - 1] or _is_begun(words[again - 1], words[end - 1])
            apart = any(parsed.words[token] in _MEANT_TWICE for token in range(left[first], left[again]))
            counted = all(parsed.parse.tags[token] == _NUMBER for token in left[first:end])
            if begun and not apart and not counted and words[first : again - 1] == words[again : end - 1]:
                return set(range(left[first], left[again]))
    return set()


def _is_slip(parsed: ParsedSentence, one: int, other: int) -> bool:
    """Whether the first of two words that are left was given up: `the our van`, `we, uh, we`, `prot prototype`."""
    word, after = parsed.words[one], parsed.words[other]
    if _is_guarded(parsed, one) and not after.startswith(word):
        return False
    if word in ("the", "a", "an") and word != after:
        return other == one + 1 and parsed.parse.tags[other] in ("DT", "PRP", "PRP$")
    if word == after:
        return other > one + 1 and not _is_guarded(parsed, one) and "," not in parsed.words[one + 1 : other]
    return word not in STOP_WORDS and _is_begun(word, after) and parsed.parse.tags[one] != _NUMBER


def _loose_marks(parsed: ParsedSentence, gone: frozenset[int], left: Sequence[int]) -> frozenset[int]:
    """Marks after a beginning that is gone; commas after another one, or a word that leads on: `and, uh, three`."""
    first = next(token for token in left if parsed.is_word(token) or parsed.words[token] in _OPENING)
    found = {token for token in left if token < first} if 0 in gone else set()
    for before, token in pairwise(left):
        if parsed.words[token] == "," and not gone.isdisjoint((token - 1, token + 1)):
            found |= {token} if parsed.words[before] in STOP_WORDS | {","} else set()
    return frozenset(found)


def _stretches(tokens: Sequence[int]) -> Iterator[list[int]]:
    """Tokens that stand side by side."""
    stretch: list[int] = []
    for token in tokens:
        if stretch and token != stretch[-1] + 1:
            yield stretch
            stretch = []
        stretch.append(token)
    if stretch:
        yield stretch


def _is_guarded(parsed: ParsedSentence, token: int) -> bool:
    """Whether the truth hangs on a word: a negation, a condition, a doubt, a number, a modal verb, a name.

    And a letter that belongs to what stands before it.
    """
    word, tag = parsed.words[token], parsed.parse.tags[token]
    named = tag in _NAMES and parsed.parse.entities[token] != "O"
    return word in _GUARDED or named or tag in (_NUMBER, _MODAL) or word.isdigit() or _is_attached(parsed, token)


def _is_attached(parsed: ParsedSentence, token: int) -> bool:
    """Whether a letter is the rest of a word: `that ' s`, `don t go`, `that s new`, `6 p . m .`"""
    word, (before, after) = parsed.words[token], (("", *parsed.words, "")[token + at] for at in (0, 2))
    if len(word) > 1 or before in ("'", ".") or before.isdigit():
        return len(word) == 1
    return before.endswith("n") if word == "t" else after.isalpha() and before in _HOSTS.get(word, ())


def _stays_later(parsed: ParsedSentence, token: int, going: frozenset[int]) -> bool:
    """Whether a word is said again soon and stays there; a number only after a pause, for `two, two` are two."""
    words = parsed.words
    later = (at for at in range(token + 1, min(token + 2 * _SOON, len(words))) if at not in going)
    again = any(words[at] == words[token] for at in later)
    return again and (parsed.parse.tags[token] != _NUMBER or words[token + 1] in FILLERS)


def token_features(parsed: ParsedSentence, known: dict[str, int]) -> Array:
    """(T, D) What is seen of each token; `known` are the words that are told by name."""
    words, parse = parsed.words, parsed.parse
    meaning = shipped_judge().meaning
    own = np.concatenate(
        [[meaning(word) for word in words], parse.context, _said_again(parsed), _written(parsed)], axis=1
    )
    names = np.zeros((len(words), len(known)))
    for token, word in enumerate(words):
        if word in known:
            names[token, known[word]] = 1.0
    neighbours = [_moved(own, by) for by in _AROUND]
    return np.concatenate([*neighbours, *(_moved(names, by) for by in (-1, 0, 1)), _placed(parsed)], axis=1)


def _moved(rows: Array, by: int) -> Array:
    """For every token the row of the one that stands so many after it, or zeros."""
    moved = np.zeros_like(rows)
    count = max(0, len(rows) - abs(by))
    if by >= 0:
        moved[:count] = rows[by:]
    else:
        moved[-count or len(rows) :] = rows[:count]
    return moved


def _written(parsed: ParsedSentence) -> Array:
    """(T, 5) How each token is written."""
    texts, rows = parsed.sentence.tokens.texts, shipped_judge().rows
    seen = [
        (is_word, text[:1].isupper(), word in rows, word in FILLERS, word == ",")
        for is_word, text, word in zip(parsed.are_words, texts, parsed.words, strict=True)
    ]
    return np.array(seen, dtype=np.float64)


def _placed(parsed: ParsedSentence) -> Array:
    """(T, 8) Where each token stands, how sure its place in the tree is, and whether people keep such a one."""
    size, last, parse = len(parsed), parsed.words[-1], parsed.parse
    seen = [
        (token == 0, min(token, 10), min(size - 1 - token, 10), np.log(size), last in (".", "!", "?"), last == "?",
         parse.certainty[token], parse.keep[token])
        for token in range(size)
    ]  # fmt: skip
    return np.array(seen, dtype=np.float64)


def _said_again(parsed: ParsedSentence) -> Array:
    """(T, 12) Whether each token is said again soon, alone or in a stretch, and whether it is a word only begun."""
    places = [token for token, word in enumerate(parsed.words) if parsed.is_word(token) and word not in FILLERS]
    said = [parsed.words[token] for token in places]
    seen = np.zeros((len(parsed), 12))
    for number, (token, word) in enumerate(zip(places, said, strict=True)):
        after, before = said[number + 1 : number + 1 + _SOON], said[max(0, number - _SOON) : number][::-1]
        distance = after.index(word) + 1 if word in after else 0
        same = _same(said, number, number + distance) if distance else 0
        begun = [other != word and other.startswith(word) for other in after[:3]]
        seen[token, :8] = (
            1 / distance if distance else 0, min(same, 5), distance > 0 and same >= distance,
            1 / (before.index(word) + 1) if word in before else 0, any(begun[:1]), any(begun), len(word) == 1,
            min(len(word), 8),
        )  # fmt: skip
        for again in range(number + 1, min(number + _SOON + 1, len(said))):
            if said[again] == word or (again <= number + 2 and _is_begun(word, said[again])):
                _mark_stretch(seen, places, said, number, again)
    return seen


def _is_begun(word: str, other: str) -> bool:
    """Whether a word is only the beginning of another: it is short, or nobody knows it."""
    unknown = len(word) < _WHOLE_WORD or word not in shipped_judge().rows
    return unknown and word.isalpha() and word != other and other.startswith(word)


def _mark_stretch(seen: Array, places: Sequence[int], said: Sequence[str], start: int, again: int) -> None:
    """Tell each word of a stretch that what it begins with is said again after it, and how much of it."""
    same = max(1, min(_same(said, start, again), again - start))
    for number in range(start, again):
        told = (min(same, 4), same / (again - start), 1 / (again - start), 1 / (again - number))
        np.maximum(seen[places[number], 8:], told, out=seen[places[number], 8:])


def _same(said: Sequence[str], start: int, again: int) -> int:
    """How many words are the same from two places on."""
    pairs = enumerate(zip(said[start:], said[again:], strict=False))
    return next((number for number, (one, other) in pairs if one != other), len(said) - again)


def sentence_features(parsed: ParsedSentence, likely: Array, gone: frozenset[int]) -> Array:
    """(D,) What is seen of what is left of a sentence; `likely` is how likely each token is to go."""
    parse, rows, meaning = parsed.parse, shipped_judge().rows, shipped_judge().meaning
    kept = [token for token in range(len(parsed)) if token not in gone]
    words = [token for token in kept if parsed.is_word(token)] or kept
    first, last, root = words[0], words[-1], parse.root
    context = parse.context.astype(np.float64)
    tags, relations = _one_of(_TAGS, parse.tags), _one_of(_RELATIONS, parse.relations)
    meanings = np.array([meaning(word) for word in parsed.words], dtype=np.float64)
    finite = sum(parse.tags[token] in FINITE for token in kept)
    subject = any(parse.relations[token] in ("nsubj", "nsubjpass", "expl") for token in kept)
    sure, doubt = parse.certainty[kept].astype(np.float64), likely[kept]
    numbers = [
        sure.mean(), sure.min(), parse.certainty[root], parse.opening, finite, finite > 0, len(words),
        np.log(len(words)), parsed.words[kept[-1]] == ".", parsed.words[kept[-1]] == "?", len(kept) / len(parsed),
        doubt.sum(), doubt.max(), doubt.mean(), likely[last], likely[first], subject,
        sum(parsed.words[token] in rows for token in words) / len(words), parse.keep[kept].astype(np.float64).mean(),
    ]  # fmt: skip
    return np.concatenate(
        [context[kept].mean(axis=0), context[kept].max(axis=0), context[first], context[last], context[root],
         meanings[first], meanings[last], meanings[words].mean(axis=0), tags[kept].mean(axis=0), tags[first],
         tags[last], tags[root], relations[kept].mean(axis=0), relations[last], np.array(numbers, dtype=np.float64)]
    )  # fmt: skip


def _one_of(names: Sequence[str], values: Sequence[str]) -> Array:
    """(T, names) Which of some names each token has."""
    return np.array([[value == name for name in names] for value in values], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class SpeechJudge:
    """Two judges: of each token, whether it goes, and of what is left, whether it is a sentence."""

    path: Path

    @cached_property
    def words(self) -> dict[str, int]:
        """Frequent words, by number."""
        with np.load(self.path, allow_pickle=False) as stored:
            return {word: number for number, word in enumerate(stored["words"].tolist())}

    @cached_property
    def going(self) -> Perceptrons:
        return load_perceptrons(self.path, "going_")

    @cached_property
    def proper(self) -> Perceptrons:
        return load_perceptrons(self.path, "proper_")


@cache
def shipped_speech_judge() -> SpeechJudge:
    """The judge of speech that lies inside the package."""
    return SpeechJudge(Path(str(resources.files("mls"))) / "assets" / "judge" / "speech.npz")
