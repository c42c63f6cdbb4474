"""Shortening: what is said when not even one whole sentence fits the budget.

A sentence loses what stands in brackets, what stands between a pair of commas, and clauses from
its end or its beginning. It is cut only at punctuation and conjunctions, never inside a phrase.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from mls.kernels.keywords import Phrase, most_frequent, rake
from mls.stopwords import content_words
from mls.talk import is_small_talk
from mls.text import Document, Sentence, Token, Tokens, capitalized, fold, tidy

_PUNCTUATION = frozenset([",", ";", ":", "–", "—", "--", "-"])
_COORDINATING = frozenset("and but or nor so yet".split())
_SUBORDINATING = frozenset(
    "because although though while whereas which who whom whose where when whenever after before since as".split()
)
# A form that leaves one of these out could say the opposite of what the document says, or more.
_TURNING = frozenset(
    """
    if unless until without whether except provided no not n't never neither nor nobody nothing none nowhere hardly
    barely scarcely only deny denies denied refuse refused refute refuted false falsely wrong wrongly alleged allegedly
    allege claims claimed claim accuse accused accuses supposed supposedly reportedly suspected doubt doubts doubted
    fail failed fails cannot lest rather instead might may could would should said says say told according
    """.split()
)
_CONJUNCTIONS = _COORDINATING | _SUBORDINATING
_VERBS = frozenset(
    """
    is are was were be been has have had do does did will would can could may might must shall should 's 're 've 'd 'll
    'm said says say told went goes came comes got gets made makes took takes gave gives saw sees knew knows thought
    thinks found finds left leaves kept keeps began begins wrote writes became becomes lost loses won wins met meets
    fell falls ran runs rose sank held holds led leads paid pays sold sells sent sends spent stood stands brought bought
    built caught fought felt feels heard grew drew drove broke spoke flew threw wore tore chose froze rang sang drank
    """.split()
)
_OPENING = {"(": ")", "[": "]"}
_FEWEST_WORDS = 3
_FEWEST_CONTENT_WORDS = 2
_MOST_CLAUSES = 24  # of a sentence without end
_CLOSING_PUNCTUATION = frozenset(".!?…。！？؟।")


@dataclass(frozen=True)
class Shortened:
    """A shorter wording, and the parts of the document it was put together from."""

    text: str
    spans: tuple[tuple[int, int], ...]


def shorten(sentence: Sentence, fits: Callable[[str], bool]) -> Shortened | None:
    """The longest shorter form of a sentence that fits, or None."""
    fitting = [form for form in forms(sentence) if fits(form.text)]
    return max(fitting, key=lambda form: (len(form.text), form.text), default=None)


def forms(sentence: Sentence) -> Iterator[Shortened]:
    """All shorter forms: the first clauses, with and without what is set off between commas inside them.

    Every form begins where the sentence begins: what stands before a clause may deny it.
    """
    clauses = list(_clauses(_without_brackets(sentence.tokens)))[:_MOST_CLAUSES]
    sentence = _beginning(sentence, clauses)
    for last in range(1, len(clauses) + 1):
        run = clauses[:last]
        if last < len(clauses) and _leads_on(run[-1]):
            continue
        yield from _worded(sentence, run)
        for dropped in range(1, len(run) - 1):
            if run[dropped][0].text == "," and run[dropped + 1][0].text == ",":
                rest = [*run[:dropped], *run[dropped + 1 :]]
                rest[dropped] = rest[dropped][1:]
                yield from _worded(sentence, rest)


def _leads_on(clause: Sequence[Token]) -> bool:
    """Whether a clause only leads on to the next: `and in the last two days`, before `we spoke`."""
    words = [fold(token.text) for token in clause if token.is_word]
    return bool(words) and words[0] in _COORDINATING and not _tells(words)


def _tells(words: Sequence[str]) -> bool:
    """Whether there seems to be a verb; nothing here parses English, so only the plain cases are seen."""
    return any(word in _VERBS or (word.endswith("ed") and len(word) > 3) for word in words)


def _beginning(sentence: Sentence, clauses: Sequence[Sequence[Token]]) -> Sentence:
    """The sentence as far as the clauses go, with its own end: of one without end, the beginning is enough."""
    end = clauses[-1][-1].end
    kept = [token for token in sentence.tokens if token.end <= end]
    if kept[-1] != sentence.tokens[-1]:
        kept.append(sentence.tokens[-1])
    return replace(sentence, tokens=Tokens.of(kept))


def _without_brackets(tokens: Sequence[Token]) -> list[Token]:
    kept: list[Token] = []
    awaited: list[str] = []
    for token in tokens:
        if token.text in _OPENING:
            awaited.append(_OPENING[token.text])
        elif awaited and token.text == awaited[-1]:
            awaited.pop()
        elif not awaited:
            kept.append(token)
    return kept if kept and not awaited else list(tokens)  # a sentence all in brackets keeps its words


def _clauses(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Cut before punctuation and conjunctions; a mark belongs to the clause it opens."""
    clause: list[Token] = []
    for token in tokens:
        opens = token.text in _PUNCTUATION or (
            fold(token.text) in _CONJUNCTIONS and not (clause and clause[-1].text in _PUNCTUATION and len(clause) == 1)
        )
        if opens and clause:
            yield clause
            clause = []
        clause.append(token)
    if clause:
        yield clause


def _worded(sentence: Sentence, clauses: Sequence[Sequence[Token]]) -> Iterator[Shortened]:
    """Put clauses together as a sentence, if they make one that the document says too."""
    tokens = [token for clause in clauses for token in clause]
    while tokens and (tokens[0].text in _PUNCTUATION or fold(tokens[0].text) in _COORDINATING):
        tokens = tokens[1:]
    while tokens and (tokens[-1].text in _PUNCTUATION or fold(tokens[-1].text) in _CONJUNCTIONS):
        tokens = tokens[:-1]
    words = [fold(token.text) for token in tokens if token.is_word]
    if len(words) < _FEWEST_WORDS or len(content_words(words)) < _FEWEST_CONTENT_WORDS or not _tells(words):
        return
    if _TURNING.intersection(sentence.words) - set(words) or _is_dependent(tokens):
        return
    spans = _spans(sentence, tokens)
    text = _joined(sentence, spans)
    if _is_balanced(tokens):
        yield Shortened(text, spans)


def _is_balanced(tokens: Sequence[Token]) -> bool:
    """Whether every quotation mark has its partner."""
    marks = Counter(token.text for token in tokens)
    paired = marks["“"] == marks["”"] and marks["‘"] == marks["’"]
    return paired and marks['"'] % 2 == 0 and marks["'"] % 2 == 0


def _joined(sentence: Sentence, spans: Sequence[tuple[int, int]]) -> str:
    """The stretches as one sentence: no space before punctuation, a full stop like the sentence's own."""
    text = ""
    for start, end in spans:
        part = tidy(sentence.text[start - sentence.start : end - sentence.start])
        text += part if not text or part[0] in _PUNCTUATION or part[0] in _CLOSING_PUNCTUATION else f" {part}"
    ending = sentence.tokens[-1].text
    if ending in _CLOSING_PUNCTUATION and text[-1] not in _CLOSING_PUNCTUATION:
        text += ending
    return capitalized(text)


def _is_dependent(tokens: Sequence[Token]) -> bool:
    """Whether it opens with `when` or `because` and never comes to its main clause."""
    return fold(tokens[0].text) in _SUBORDINATING and not any(token.text == "," for token in tokens)


def _spans(sentence: Sentence, tokens: Sequence[Token]) -> tuple[tuple[int, int], ...]:
    """Stretches of the document that hold the tokens and nothing that was dropped."""
    following = {token.start: after.start for token, after in zip(sentence.tokens, sentence.tokens[1:], strict=False)}
    spans: list[tuple[int, int]] = []
    expected = -1
    for token in tokens:
        if token.start == expected:
            spans[-1] = (spans[-1][0], token.end)
        else:
            spans.append((token.start, token.end))
        expected = following.get(token.start, -1)
    return tuple(spans)


IsNoun = Callable[[int, int, int], bool]  # whether some words of a sentence name something: its index, from, to


def keyphrase(document: Document, fits: Callable[[str], bool], is_noun: IsNoun | None = None) -> Shortened:
    """The document's best phrase that fits; then its best word, any word, any beginning of one."""
    for form in phrases(document, is_noun):
        if fits(form.text):
            return form
    tokens = [token for sentence in document.sentences for token in sentence.tokens]
    words = [token for token in tokens if token.is_word] or tokens
    for token in sorted(words, key=lambda token: (-len(token.text), token.start)):
        if fits(token.text):
            return Shortened(token.text, ((token.start, token.end),))
    first = words[0]
    cut = next((length for length in range(len(first.text), 1, -1) if fits(first.text[:length])), 1)
    return Shortened(first.text[:cut], ((first.start, first.start + cut),))


def phrases(document: Document, is_noun: IsNoun | None = None) -> Iterator[Shortened]:
    """Keyphrases as the document first writes them: those worth most first, then early ones.

    A verb without its subject would say what nobody says, `not` or `never` being left out: names come before all else.
    """
    keywords = {keyword.phrase: keyword for keyword in most_frequent(rake(document.speaking))}
    lengths = sorted({len(phrase) for phrase in keywords})
    positions: dict[Phrase, tuple[int, int]] = {}
    worth: dict[Phrase, float] = {}
    verbs: set[Phrase] = set()
    for sentence in document.speaking:
        for length in lengths:
            for start in range(len(sentence.keys) - length + 1):
                phrase = sentence.keys[start : start + length]
                if phrase in keywords and phrase not in positions and not _tells(phrase):
                    tokens = sentence.tokens[start : start + length]
                    positions[phrase] = (tokens[0].start, tokens[-1].end)
                    worth[phrase] = math.sqrt(keywords[phrase].count) * _weight(tokens[start == 0 :], length)
                    if is_noun and not is_noun(sentence.index, start, start + length):
                        verbs.add(phrase)
    for phrase in sorted(positions, key=lambda it: (it in verbs, -worth[it], positions[it])):
        start, end = positions[phrase]
        yield Shortened(tidy(document.text[start:end]), ((start, end),))


def _weight(tokens: Sequence[Token], length: int) -> float:
    """Two or three words say more than one, and a name more than a common noun.

    The first word of a sentence is not among the tokens: its capital tells nothing.
    """
    is_name = bool(tokens) and all(token.text[0].isupper() for token in tokens)
    return min(length, 3) * (1.5 if is_name else 1.0)


_SPOKEN_OF = 3  # phrases that tell what a talk is about
_NAMED = 2  # people


def talk(document: Document, fits: Callable[[str], bool], is_noun: IsNoun | None = None) -> Shortened | None:
    """Who talk, and of what: `Ann, Bob: the ferry`. None where nobody does, or not even that fits.

    One of several is never named alone: it would read as if they had said it.
    """
    names = ", ".join(document.speakers[:_NAMED])
    found: list[Shortened] = []
    for form in phrases(document, is_noun) if names else ():
        apart = not any(form.text.lower() in other.text.lower() for other in found) and not is_small_talk(form.text)
        if apart and len(found) < _SPOKEN_OF and fits(_of(names, [*found, form])):
            found.append(form)
    return Shortened(_of(names, found), tuple(form.spans[0] for form in found)) if found else None


def _of(names: str, found: Sequence[Shortened]) -> str:
    return f"{names}: {', '.join(form.text for form in found)}"
