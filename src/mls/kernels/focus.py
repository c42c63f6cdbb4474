"""Focus: what the reader asked about. Not in the paper, but its outlook: summaries that answer.

A sentence counts for the words of the question that it says itself, or says the like of where nobody says the word,
and for those that are said around it, near and far: whoever speaks of a thing goes on to speak of it in other
words. Which words these are, the passages tell in which the question's are said. What is rarer in the text counts for
more. Where somebody in the text asks the same, what is asked counts for the reply. A question of who, when, where, how
much or why also looks for names, times, places, amounts and reasons; and where the question names speakers, it is
their words that are looked for.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from mls.embedding.base import unit_rows
from mls.embedding.word_vectors import WordVectors
from mls.kernels.base import Scores
from mls.stopwords import STOP_WORDS, content_words
from mls.text import Document, Sentence, Wording, fold, tokenize

# Found on training meetings, where people marked the turns that answer a question, and on questions to our examples:
# see benchmarks/focus.py and tests/kernels/test_focus.py.
ALIKE = 0.65  # how near two words' vectors are that may stand for one another,
LIKENESS = 0.3  # and for how much of the word itself the other then counts
SAME = 0.8  # how near they are, where no word of the question is said, for the text to speak of it at all
NEAR, FAR = 120.0, 500.0  # words over which a mention counts for what stands around it, in a long text;
NEAR_PART, FAR_PART = 1 / 8, 1 / 3  # in a short one, parts of its length
FAR_SHARE = 0.4  # the share of what is far
ONWARD, BACK = 1.6, 0.4  # times that reach: what is mentioned is spoken of after it more than before
TOGETHER = 0.4  # of what a sentence counts for, the share of the passage that it stands in,
TOGETHER_REACH = 100.0  # words around it, in a long text
REPLY = 100.0  # words in which somebody answers who is asked the same
ASKING = 0.7  # of what a sentence counts for, where it only asks
ENOUGH = 2.0  # how soon one more mention of a word near by counts for nothing more
PEAK = 8.0  # how much the best passages outweigh the others where the question's company is looked for,
COMPANY = 15  # how many words of it count,
COMPANY_SHARE = 0.8  # and how much, beside the question's own
PASSAGE = 0.55  # what a sentence has that says none of the words itself, in the best of passages
AROUND = 1.5  # the power of what is said around a sentence,
OWN = 1.5  # and of what it says itself
OTHERS = 0.2  # of what a sentence counts for, where somebody else's words are asked for
ANSWERS = 1.5  # how much more a sentence counts that holds the kind of thing that is asked for
FULL_LENGTH = 6  # words of a sentence that is likely to answer anything
USUAL_LENGTH = 15  # words of a sentence for which the room it takes counts neither for nor against it,
FOR_ROOM = 0.25  # and how much it counts
_FEWEST = 3  # letters of a stem
_LOOKED_AT = 80  # sentences, where the question's company is looked for
_SOON = 25  # sentences, in which somebody replies

# Words of a question that say what is to be done with its subject, not what the subject is.
_FRAME = frozenset(
    """
    actually agree agreed almost argue argued attitude attitudes believe believed concern concerning concerns
    conclude concluded conclusion decide decided decision describe detail detailed details disagree disagreed
    discuss discussed discussing discussion discussions exactly explain explained feel felt final finally group
    happen happened happens idea ideas introduce introduced main meeting meetings mention mentioned nearly opinion
    opinions participants people point points presentation propose proposed question really reason reasons recommend
    recommended regarding respond response say speaker state stated suggest suggested summaries summarise summarize
    summary talk talked talking team text think thought topic towards view views
    """.split()
)
_SEVERAL = re.compile(r"[;\n]+|(?<=\?)\s+")
_SUFFIXES = "ations ation ments ment ings ing ions ion ies ed es ly er s e y".split()
_PASTS = """
    began begin begun begin bought buy broke break broken break brought bring built build chose choose chosen choose
    drove drive fell fall fallen fall fought fight found find grew grow grown grow held hold led lead left leave
    lent lend lost lose met meet paid pay ran run rose rise risen rise sang sing sank sink sent send shot shoot sold
    sell spent spend spoke speak spoken speak stole steal stolen steal stood stand struck strike taught teach threw
    throw thrown throw won win wrote write written write children child men man women woman
    """.split()
_BASES = dict(zip(_PASTS[::2], _PASTS[1::2], strict=True))  # forms that no ending tells


@dataclass(frozen=True)
class Question:
    """What is asked: the words that matter, whose words they may be, and what kind of thing would answer."""

    words: tuple[str, ...]
    speakers: frozenset[str]
    kind: str | None


class FocusKernel:
    """How far a sentence, or what stands around it, speaks of what was asked."""

    name = "focus"
    question = "Does it speak of what you asked?"

    def __init__(self, about: str) -> None:
        self.about = about

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        """Several questions count alike; one that the document does not speak of counts nothing."""
        said = _Said(document)
        asked = [part for part in _SEVERAL.split(self.about) if part.strip()]
        judged = sum((_normal(_answers(said, part)) for part in asked), np.zeros(len(document.sentences)))
        return np.array([judged[sentence.anchor] for sentence in sentences])


def stems_asked(about: str) -> frozenset[str]:
    """The stems of the words that matter in one question or several.

    >>> sorted(stems_asked("ferries; Who cooks?"))
    ['cook', 'fer']
    """
    return frozenset(stem(word) for word in question_of(about).words)


def question_of(about: str, speakers: Iterable[str] = ()) -> Question:
    """What a question asks for, of a document with these speakers.

    >>> question_of("How much did the new ferry cost?")
    Question(words=('new', 'ferry', 'cost'), speakers=frozenset(), kind='amount')
    >>> question_of("What did C think about the ferry?", ["Grad B", "Grad C"])
    Question(words=('ferry',), speakers=frozenset({'Grad C'}), kind=None)
    """
    tokens = [token.text for token in tokenize(about) if token.is_word]
    named = _named(tokens, speakers)
    names = {fold(token.text) for speaker in named for token in tokenize(speaker)}
    keys = [fold(token) for token in tokens]
    words = [key for key in keys if (content_words([key]) or key[0].isdigit()) and key not in names | _FRAME]
    return Question(tuple(dict.fromkeys(words)), frozenset(named), _kind(" ".join(keys)))


def _named(tokens: Sequence[str], speakers: Iterable[str]) -> list[str]:
    """The speakers that a question names: in full, by their role, or by a part of the name that is written as one.

    >>> _named("What did Ann and the project manager say".split(), ["Project Manager", "Ann Lee", "Bo Lee"])
    ['Ann Lee', 'Project Manager']
    >>> _named("What did the professor think".split(), ["Professor B", "Grad C"])
    ['Professor B']
    """
    keys, written = {fold(token) for token in tokens}, set(tokens[1:])
    found: dict[str, frozenset[str]] = {}
    for speaker in sorted(set(speakers)):
        parts = [token.text for token in tokenize(speaker) if token.is_word]
        words = [fold(part) for part in parts if len(part) > 1]
        said = {fold(part) for part in parts if part in written and part[0].isupper()}
        if len(parts) > 1 and words and keys.issuperset(words):  # in whatever case, but a single word may mean a thing
            said.update(words)
        if said:
            found[speaker] = frozenset(said)
    best = [speaker for speaker, said in found.items() if not any(said < other for other in found.values())]
    alone = [speaker for speaker in best if sum(found[other] == found[speaker] for other in best) == 1]
    return alone or best


_MONTHS = "january february march april may june july august september october november december".split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday".split()
_TIMES = frozenset([*_MONTHS, *_DAYS, *"year years month months week weeks day days hour hours minutes".split()])
_REASONS = frozenset("because since therefore so due thanks reason reasons why owing hence".split())
_AMOUNTS = frozenset("percent million billion thousand hundred half twice dozen pounds dollars euros".split())


def _kind(asked: str) -> str | None:
    """The kind of thing that would answer.

    >>> _kind("since when is the ferry old"), _kind("tell me of the ferry")
    ('time', None)
    """
    kinds = {
        "amount": r"how (much|many|long|old|far|often|large|big|high)|what (share|price|cost|number|percentage)",
        "time": r"when|what (time|day|date|year|month)",
        "place": r"where|what (place|town|city|country)",
        "name": r"who|whom|whose",
        "reason": r"why|what (was|is|were|are) the reasons?|how come",
    }
    return next((kind for kind, words in kinds.items() if re.search(rf"\b({words})\b", asked)), None)


def _names(sentence: Sentence) -> bool:
    return any(token.text[0].isupper() and token.key not in STOP_WORDS for token in sentence.tokens[1:])


_HOLDS: dict[str, Callable[[Sentence], bool]] = {
    "amount": lambda sentence: any(word[0].isdigit() or word in _AMOUNTS for word in sentence.words),
    "time": lambda sentence: any(re.fullmatch(r"\d{4}|\d+[:.]\d\d\w*", w) or w in _TIMES for w in sentence.words),
    "place": lambda sentence: bool(re.search(r"\b(in|at|to|from|near|on) (the )?[A-Z]", sentence.text)),
    "name": _names,
    "reason": lambda sentence: not _REASONS.isdisjoint(sentence.words),
}


class _Said:
    """Where a document says what: by the stems of its words."""

    def __init__(self, document: Document) -> None:
        self.sentences = document.sentences
        self.speakers = {sentence.speaker for sentence in document.sentences if sentence.speaker}
        self.lengths = np.array([len(sentence.words) for sentence in document.sentences], dtype=np.float64)
        self.positions = np.cumsum(self.lengths) - self.lengths / 2
        self.holders: dict[str, set[int]] = defaultdict(set)
        self.stems: dict[str, str] = {}
        for sentence in document.sentences:
            for word in sentence.words:
                self.holders[self.stems.setdefault(word, stem(word))].add(sentence.index)

    def mentions(self, word: str) -> Scores:
        """1 where a sentence says a word; where none does, less where it says one that is like it."""
        if stem(word) in self.holders:
            return self.held(stem(word))
        found = np.zeros(len(self.sentences))
        for other, likeness in _alike(word, tuple(self.stems)):
            positions = list(self.holders[self.stems[other]])
            found[positions] = np.maximum(found[positions], LIKENESS * likeness)
        return found

    def rarity(self, stem: str) -> float:
        return max(0.0, float(np.log((len(self.sentences) + 1) / (len(self.holders.get(stem, ())) + 0.5))))

    def around(self, mentions: Scores) -> Scores:
        """What is said near a sentence and far around it: more for more mentions, but ever less so."""
        near, far = self.reach(NEAR, NEAR_PART), self.reach(FAR, FAR_PART)
        close, wide = self.spread(mentions, near), self.spread(mentions, far) * (sum(near) / sum(far))
        return np.asarray((1 - FAR_SHARE) * (1 - np.exp(-ENOUGH * close)) + FAR_SHARE * (1 - np.exp(-ENOUGH * wide)))

    def reach(self, words: float, part: float) -> tuple[float, float]:
        """How far a mention counts onward and back: so many words in a long text, and a part of a short one."""
        most = part * float(self.lengths.sum())
        return min(ONWARD * words, most), min(BACK * words, most)

    def spread(self, values: Scores, reach: tuple[float, float]) -> Scores:
        return _spread(values, self.positions, *reach)

    def together(self, scores: Scores, whose: Scores) -> Scores:
        """Scores that also count the passage: an answer is a talk, not sentences from all over the text."""
        around = self.spread(scores * self.lengths, self.reach(TOGETHER_REACH, NEAR_PART))
        passage = _normal(around) * scores.max(initial=0.0) * _fullness(self.lengths) * whose
        return np.asarray((1 - TOGETHER) * scores + TOGETHER * passage)

    def replies(self, scores: Scores) -> Scores:
        """Scores that pass from what is asked within the text to what somebody else then says."""
        found = scores.copy()
        for sentence in self.sentences:
            if sentence.speaker is None or not sentence.is_prose or not sentence.text.endswith("?"):
                continue
            found[sentence.index] = ASKING * found[sentence.index]
            reply = list(self.reply(sentence))
            found[reply] = np.maximum(found[reply], scores[sentence.index] * _fullness(self.lengths[reply]))
        return found

    def reply(self, question: Sentence) -> Iterator[int]:
        """What the next who speaks says, as long as nobody else says more than a few words."""
        words, speaker = 0.0, None
        for sentence in self.sentences[question.index + 1 : question.index + 1 + _SOON]:
            if not sentence.is_prose:
                continue
            if speaker is None and sentence.speaker != question.speaker:
                speaker = sentence.speaker
            if speaker is not None and sentence.speaker == speaker:
                yield sentence.index
                words += self.lengths[sentence.index]
            elif speaker is not None and self.lengths[sentence.index] >= FULL_LENGTH:
                return
            if words >= REPLY:
                return

    def company(self, weights: Scores, asked: frozenset[str]) -> dict[str, float]:
        """The stems that are said where the weights lie and seldom elsewhere, and how much each counts of all."""
        said: dict[str, float] = defaultdict(float)
        for index in np.argsort(-weights, kind="stable")[:_LOOKED_AT].tolist():
            for one in sorted({self.stems[word] for word in self.sentences[index].content}):
                said[one] += float(weights[index])
        new = {one: self.rarity(one) * weight for one, weight in said.items()
               if one not in asked and len(self.holders[one]) > 1 and len(one) >= _FEWEST}  # fmt: skip
        top = sorted(new, key=lambda one: (-new[one], one))[:COMPANY]
        total = sum(new[one] for one in top)
        return {one: new[one] / total for one in top if total > 0}

    def held(self, stem: str) -> Scores:
        """1 where a sentence has a word with this stem."""
        found = np.zeros(len(self.sentences))
        found[list(self.holders[stem])] = 1.0
        return found


def _answers(said: _Said, about: str) -> Scores:
    """How far each sentence answers one question; zeros where the document does not speak of it."""
    question = question_of(about, said.speakers)
    theirs = np.array([not question.speakers or one.speaker in question.speakers for one in said.sentences])
    if not question.words:
        return np.where(theirs, 1.0, 0.0) if question.speakers else np.zeros(len(theirs))
    mentions = [said.mentions(word) for word in question.words]
    if max(float(one.max(initial=0.0)) for one in mentions) < LIKENESS * SAME:
        return np.zeros(len(theirs))
    rarities = [said.rarity(stem(word)) for word in question.words]
    own = _normal(_weighed(mentions, rarities))
    around = _normal(_weighed([said.around(one) for one in mentions], rarities))
    company = said.company(np.exp(PEAK * (around - 1)) * (0.2 + own), frozenset(map(stem, question.words)))
    held = [said.held(one) for one in company]
    beside = COMPANY_SHARE * _normal(_weighed(held, list(company.values()))) if held else np.zeros(len(own))
    if held:
        wider = _weighed([said.around(one) for one in held], list(company.values()))
        around = _normal(around + COMPANY_SHARE * _normal(wider))
    scores = PASSAGE * around**AROUND * (1 + beside) / (1 + COMPANY_SHARE) + (1 - PASSAGE) * own**OWN * around
    whose = np.where(theirs, 1.0, OTHERS)
    scores *= _by_length(said.lengths)
    if question.kind:
        scores *= np.array([ANSWERS if _HOLDS[question.kind](sentence) else 1.0 for sentence in said.sentences])
    return said.together(said.replies(scores) * whose, whose)


def _by_length(lengths: Scores) -> Scores:
    """Scraps answer little, and of two sentences that answer alike, the shorter leaves room for another."""
    room = np.maximum(lengths, FULL_LENGTH) / USUAL_LENGTH
    return np.asarray(_fullness(lengths) / (1 - FOR_ROOM + FOR_ROOM * room))


def _fullness(lengths: Scores) -> Scores:
    return np.asarray(np.minimum(1.0, lengths / FULL_LENGTH) ** 0.5)


def _weighed(rows: Sequence[Scores], weights: Sequence[float]) -> Scores:
    return np.asarray(np.array(weights) @ np.array(rows))


def _normal(values: Scores) -> Scores:
    return np.asarray(values / max(float(values.max(initial=0.0)), 1e-12))


def _spread(values: Scores, positions: Scores, onward: float, back: float) -> Scores:
    """Every value spread to both sides, falling to 1/e over so many words.

    >>> _spread(np.array([0.0, 1.0, 0.0]), np.array([0.0, 10.0, 20.0]), 20.0, 10.0).round(2).tolist()
    [0.37, 1.0, 0.61]
    """
    forward, backward = values.copy(), values.copy()
    for index, fall in enumerate(np.exp(-np.diff(positions) / onward)):
        forward[index + 1] += forward[index] * fall
    for index, fall in reversed(list(enumerate(np.exp(-np.diff(positions) / back)))):
        backward[index] += backward[index + 1] * fall
    return np.asarray(forward + backward - values)


@cache
def _vectors() -> WordVectors:
    return WordVectors()


def _alike(word: str, others: Sequence[str]) -> list[tuple[str, float]]:
    """Those of the other words that may stand for a word, and how like it they are."""
    rows = _vectors().rows
    known = [other for other in others if other in rows and other not in STOP_WORDS]
    if word not in rows or not known:
        return []
    vectors = unit_rows(_vectors().vectors[[rows[word], *(rows[other] for other in known)]])
    likeness = vectors[1:] @ vectors[0]
    return [(known[position], float(likeness[position])) for position in np.flatnonzero(likeness > ALIKE)]


@cache
def stem(word: str) -> str:
    """A word without its endings, so that forms of it count as one.

    >>> stem("closures") == stem("closure"), stem("ferries") == stem("ferry"), stem("rose") == stem("rising")
    (True, True, True)
    >>> stem("fares") == stem("fare"), stem("fare") == stem("far"), stem("pulled") == stem("pull")
    (True, False, True)
    """
    word = word.removesuffix("'s")
    word = _BASES.get(word, word)
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _FEWEST and not word.endswith("ss"):
            return _bare(word[: -len(suffix)], suffix)
    return _bare(word)


_SHORT = re.compile(r"[^aeiouy]*[aeiouy][^aeiouywx]")  # what had an e before its ending, or doubles its last letter


def _bare(rest: str, suffix: str = "") -> str:
    """What is left of a word, without a letter that was doubled before the ending, with an e that went for it."""
    if suffix and suffix[0] in "ei" and suffix not in ("ies", "ions", "ion") and _SHORT.fullmatch(rest):
        return f"{rest}e"
    if len(rest) <= _FEWEST:
        return rest
    doubled = rest[-1] == rest[-2] and rest[-1] not in "aeious"
    return rest[:-1] if doubled or (suffix and rest[-1] == "e") else rest
