"""Leaning: which sentences can't stand alone, on which others they lean, and why.

Rules on the parse, each with its reason. A sentence leans on one before it (who `she` is), at times on one after it
(the speaker of a quotation, the answer to a question).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from mls.blocks import ANNOUNCEMENT, CODE, HEADING, LIST_ITEM, NUMBER, TITLE, is_ended
from mls.forms.pronouns import FEMALE, MALE, MEN, PRONOUNS, WOMEN, candidates
from mls.forms.tree import ParsedSentence
from mls.genres import ARTICLE, LEGAL, NOTES, SETTLING
from mls.parser.tree import Parse
from mls.quotation import balance
from mls.stopwords import STOP_WORDS
from mls.text import Document, Sentence, fold

PRONOUN = "{cue!r} would be nobody"
POINTER = "{cue!r} would point at nothing"
CONTRAST = "{cue!r} speaks against the sentence before it"
CONNECTIVE = "{cue!r} goes on from the sentence before it"
COMPARED = "{cue!r} is compared with something said before"
INTRODUCED = "{cue!r} is introduced earlier"
ANSWER = "it answers a question"
QUOTED = "it is part of a longer quotation"
SPEAKER = "who says it stands beside it"
QUESTION = "its answer follows"
REBUTTED = "what speaks against it follows"
UNLIKE_AN_OPENING = "texts hardly ever begin like this"
REPEATED = "{cue!r} repeats what was said before"
LISTED = "it is an item of the list that is announced there"
ANNOUNCES = "what it announces follows"
DENIED = "the heading above it says what is not so, or when not"

ELLIPTIC = "the subject of {cue!r} stands before it"
_SUBORDINATING = frozenset("until because when while although though if unless after before since as whereas".split())
_POINTERS = frozenset("this that these those such here there".split())
_CONTRASTS = frozenset("but however yet nevertheless nonetheless still instead conversely although though".split())
_CONNECTIVES = frozenset(
    """
    so and or also then therefore thus hence moreover furthermore meanwhile besides afterwards later afterward
    consequently accordingly similarly likewise additionally indeed otherwise finally secondly thirdly lastly
    next anyway regardless plus because which who whose
    """.split()
)
_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in """
    in addition|as a result|in turn|for example|for instance|in contrast|on the other hand|by contrast|in other words
    in short|in that case|after that|before that|at the time|at that time|at the same time|in the meantime|that said
    as such|to that end|for this reason|for that reason|even so|in fact|of course|as well|not only that|the same
    the other|the others|the latter|in the process|in response|in return|in particular|by then|since then
    the next day|the next morning|the following day|the following year|the same day|soon after|shortly afterwards
    put another way|put differently|put simply|either way|by comparison|in comparison|on top of that|the two|the three
    until then|in doing so|of these|of those|among them|one of them|some of them|both of them|all of them
    """.replace("\n", "|").split("|")
    if phrase.strip()
)
# Words that compare with something said before, and the word by which their own sentence says with what.
_COMPARED = dict.fromkeys("another other others latter same".split(), "")
_COMPARED |= dict.fromkeys("more fewer less better worse".split(), "than")
_COMPARED |= {"both": "and", "either": "or", "neither": "nor"}
_TOLD_APART = frozenset("another other next latter same resulting subsequent ensuing aforementioned".split())
_LATER = re.compile(r"((?:an?|one|two|three|four|five|six|seven|some|several|\d+)\s(?:\w+\s){1,3}later)\b", re.I)
_WHICH_TIME = re.compile(r"(the (?:first|second|third|next|last|only other) time)(?=,|\s(?:this|that|it)\b)", re.I)
_EXAMPLE = re.compile(r"(?:\S+\s+){1,5}?(for (?:example|instance)|in turn|as a result)\b", re.I)
_PEOPLE = frozenset(
    """
    person friend roommate boss manager coworker colleague neighbour neighbor doctor nurse teacher student professor
    officer cop driver customer client owner partner ex child kid baby toddler teenager teen adult victim suspect
    defendant lawyer judge player coach striker midfielder goalkeeper defender champion leader president minister
    candidate chairman spokesman spokeswoman spokesperson author writer singer star model pilot passenger
    soldier prisoner inmate patient resident citizen scientist researcher expert engineer founder executive cousin
    parent spouse fiance fiancee someone somebody stranger
    """.split()
)
_KNOWN_TO_ALL = frozenset(
    """
    government police president world internet public media economy country sun moon weather law state city army
    military web market markets church court truth fact future past present time day night year
    world-wide pope queen king prime minister parliament congress senate environment climate earth sea sky people
    thing point reason question problem answer result idea way
    """.split()
)
OPENING = 0.02  # probability that a text begins so, below which a sentence goes on from the one before it
_CLOSING = 3  # sentences at the end, where a question is asked of the reader
_FAR = 12  # sentences back in which someone is looked for
_NEAR = 4  # the same for what `those` points at
_OWNED = frozenset("theirs hers".split())  # what whoever was just spoken of has
_PERSONAL = frozenset("he she it they".split())
_SUBJECTS, _OBJECTS = frozenset(("nsubj", "nsubjpass")), frozenset(("dobj", "pobj", "poss"))
_TELLING_WHICH = frozenset("prep relcl acl poss appos".split())  # what says of a noun which one is meant
_LIKELY = 0.6  # that a reader would miss whom the first sentence of a text speaks of
_REMEMBERED = 400  # sentences back in which the same one is still known from
_SO_MUCH = tuple((word,) for word in "much many few little long often".split())  # with `so` before it
_DROPPABLE = frozenset("so and but however yet meanwhile moreover furthermore additionally also then indeed".split())
_NOT_SO = frozenset(
    ("not", word) for word in ("a", "an", "the", "that", "because", "to", "for")
)  # and no verb says what
_INVERTED = (("VBD",), ("VBZ",), ("VBP",), ("MD",))
_COUNTED = frozenset("first firstly second secondly third thirdly".split())
_REPEATING = re.compile(r"\b(?:did|do|does|done|doing)\s+(?:the same|so|likewise)\b", re.I)
_TIMES = frozenset(
    "year week month day morning evening afternoon night time summer winter spring season weekend".split()
)
_ANNOUNCES = (  # what follows
    re.compile(r"(here)(?:['’]s|\s(?:is|are))\b", re.I),
    re.compile(r"(fast[- ]forward) to\b", re.I),
    re.compile(r"[^:]*?\b(the following)\b[^:]*:\W*\Z", re.I),
    re.compile(r"[^:]*?\b(the following (?:two|three|four|five|six|seven|eight|nine|ten|\d+)) [a-z]", re.I),
)
_TERM = re.compile(  # what programs call something: `--limit`, `config.get(key)`, `ignoreScripts`, `max_size`
    r"--?[\w-]+(?:[ ,=]|\Z)|[\w.-]*\w\(|\w+_\w|[a-z]+[A-Z]\w*|[a-z][\w-]*\.[a-z][\w.-]*(?:\s|\Z)"
)
_LONGEST_TERM = 6  # words of the line that it stands in
_BEFORE_CODE = re.compile(
    r"\b(the following|as follows|below|like (?:this|so)|th(?:is|ese) (?:command|line|example)s?)\b|(:)\W*\Z"
    r"|\b(e\.g|i\.e|for example|for instance)\W*\Z|^(or|then|which)\b(?![^?]*\?)",
    re.I,
)
_LIKE_THIS = re.compile(r"\blike this\W*\Z", re.I)  # of an opening: `Few calls begin like this.`
_DENIAL = re.compile(  # of what stands below it: `When not to use it`
    r"\W*(?:reasons? (?:to )?not|when (?:to )?not|when (?:you )?should(?:n['’]t| not)|who should(?:n['’]t| not)|why not"
    r"|what [^.!?]{1,30} (?:is|are) not)\b[^.!?]{0,40}\Z",
    re.I,
)
_TOLD_OF = re.compile(r"\S+(?:\s\S+){0,4}?(?:\s[-–—]|:)\s")  # of an item: `tzdata - Provides a database.`
_SHOWN = re.compile(  # what stands elsewhere on the page
    r"\b(?:animation|image|picture|figure|screenshot|example|table|diagram|chart|graph|code|snippet|output|commands?)"
    r" (above|below)\b(?! (?:the|a|an|his|her|its|their|my|your|our|this|that|it|him|them)\b)"
    r"|\b(?:shown|given|listed|described|defined|mentioned) (above|below)\b"
    r"|\b(?:shown|listed) (here)\W*\Z",
    re.I,
)
# What is supposed, or was so at first: what it is, or what came of it, follows.
_SUPPOSED = re.compile(
    r"\b(?:(?:you|one)(?:'d|’d| would| might| may| could)(?: have)? (?:think|thought|expect|expected|be forgiven)"
    r"|it (?:might|may|would) (?:seem|appear)|at first glance|on paper,|in theory,|^to begin with)\b",
    re.I,
)
_SPEECH = re.compile(r"\b(?:said|says|told|added|adds|wrote|explained|asked|replied|insisted|tweeted|admitted)\b", re.I)
_LONGEST_QUOTATION = 8  # sentences


@dataclass(frozen=True, slots=True)
class Lean:
    """Why a sentence can't stand alone, the sentence it leans on, if one is known, and whether a cut would do."""

    reason: str
    on: int | None
    cue: str = ""
    droppable: bool = False  # without its opener it stands alone
    also: tuple[int, ...] = ()  # sentences that would do as well: they name the same one
    sure: float = 1.0  # the probability that a reader would miss what it leans on
    names: tuple[int, ...] = ()  # of those that its sentence could have in the place of pronouns, which would do,
    left: float = 0.0  # and how much of the probability is left then

    @property
    def why(self) -> str:
        """The reason in words.

        >>> Lean(PRONOUN, 3, "she").why
        "'she' would be nobody"
        """
        return self.reason.format(cue=self.cue)


def leanings(document: Document, parses: Sequence[Parse | None]) -> tuple[tuple[Lean, ...], ...]:
    """For every sentence what it leans on."""
    names = _Names(document, parses)
    nouns = _Nouns(document, parses)
    quotations = _quotations(document)
    denied = _below_a_denial(document)
    found: list[tuple[Lean, ...]] = []
    for sentence in document.sentences:
        if document.before[sentence.index] is None:  # the text itself begins so
            ahead = _ahead(document, parses, sentence)
            found.append(tuple(_of_a_list(document, sentence, parses[sentence.index], ahead)))
            continue
        leans = _of_what_is_shown(document, parses, sentence) or _opening(document, parses, sentence)
        leans += quotations[sentence.index]
        leans += names.introduced(sentence)
        leans += nouns.introduced(sentence)
        leans += [Lean(DENIED, None)] * (sentence.index in denied)
        leans += _answers(document, sentence, parses[sentence.index])
        leans += _of_a_term(document, sentence, parses[sentence.index])
        leans = _of_a_list(document, sentence, parses[sentence.index], leans) or _judged(document, parses, sentence)
        found.append(tuple(lean for lean in leans if not _is_usual(document, sentence, lean)))
    return _with_rebuttals(document, found)


def _ahead(document: Document, parses: Sequence[Parse | None], sentence: Sentence) -> list[Lean]:
    """Whom the opening of a text speaks of before it says who that is: the sentences after it tell."""
    if announced := _announced(document, sentence):
        return announced
    if _LIKE_THIS.search(sentence.text):
        return [Lean(POINTER, other.index, "like this") for other in islice(_prose_after(document, sentence), 1)]
    if sentence.index and sentence.words[:1] and sentence.words[0] in ("and", "or", "plus"):  # from what is set apart
        return [Lean(CONNECTIVE, None, sentence.words[0])]
    pronoun = _bare_pronoun(sentence, parses[sentence.index]) if sentence.is_prose else None
    if pronoun not in _PERSONAL:
        return []
    after = [other.index for other in islice(_prose_after(document, sentence), _SOON)]
    named = (
        other for other in after if (parse := parses[other]) and _persons(document.sentences[other], parse, pronoun)
    )
    on = next(named, None) if pronoun in FEMALE | MALE else next(iter(after), None)
    return [] if on is None else [Lean(PRONOUN, on, pronoun, sure=_LIKELY)]


def _announced(document: Document, sentence: Sentence) -> list[Lean]:
    """What only announces something leans on that: `Here's why.`"""
    match = _first_match(sentence.text, *_ANNOUNCES)
    after = next(_prose_after(document, sentence), None) if match else None
    return [Lean(POINTER, after.index, match[1].lower())] if match and after else []


def _of_a_term(document: Document, sentence: Sentence, parse: Parse | None) -> list[Lean]:
    """What a manual says of a term, without a subject: `Do not run scripts.` below `ignoreScripts Boolean`."""
    above = document.sentences[sentence.index - 1]
    if parse is None or above.paragraph == sentence.paragraph or len(above.words) > _LONGEST_TERM:
        return []
    if not len(parse) or any(parse.relations[child] in _SUBJECTS for child in parse.children[parse.root]):
        return []
    term = _TERM.match(above.text)
    return [Lean(ELLIPTIC, None, sentence.words[0])] if sentence.words and term and not is_ended(above.text) else []


def _below_a_denial(document: Document) -> set[int]:
    """The sentences of sections such as `When not to use it`."""
    found: set[int] = set()
    denies = False
    for sentence in document.sentences:
        if sentence.kind in (HEADING, TITLE) or (sentence.kind == ANNOUNCEMENT and not sentence.text.endswith(":")):
            denies = bool(_DENIAL.match(sentence.text))
        elif denies:
            found.add(sentence.index)
    return found


def _of_a_list(document: Document, sentence: Sentence, parse: Parse | None, leans: list[Lean]) -> list[Lean]:
    """An item that is no sentence leans on what announces its list, and that on the first two items."""
    if sentence.kind == ANNOUNCEMENT:
        first = (Lean(ANNOUNCES, item) for item in islice(_items_below(document, sentence), _FEWEST_ITEMS))
        return [*(lean for lean in leans if lean.on is None or lean.on < sentence.index), *first]
    before = document.sentences[sentence.index - 1]
    if sentence.listed is None or (before.kind == LIST_ITEM and before.paragraph == sentence.paragraph):
        return leans
    below_a_colon = document.sentences[sentence.listed].text.endswith(":")  # `Do not use it if:`
    if not below_a_colon and parse is not None and _is_sentence(sentence, parse):
        return leans
    return [*(lean for lean in leans if lean.reason != ELLIPTIC), Lean(LISTED, sentence.listed)]


def _items_below(document: Document, announcement: Sentence) -> Iterator[int]:
    """The first sentence of each item of a list."""
    paragraph = announcement.paragraph
    for index in range(announcement.index + 1, len(document.sentences)):
        item = document.sentences[index]
        if item.kind not in (LIST_ITEM, NUMBER):
            return
        if item.kind == LIST_ITEM and item.paragraph != paragraph:
            paragraph = item.paragraph
            yield index


def _is_sentence(sentence: Sentence, parse: Parse) -> bool:
    """Whether an item is a sentence to its full stop, and no rest of the line above its list."""
    if not is_ended(sentence.text) or sentence.text[:1].islower() or _TOLD_OF.match(sentence.text):
        return False
    return parse.tags[parse.root] == "VB" or ParsedSentence(sentence, parse).is_finite(parse.root)


def _of_what_is_shown(document: Document, parses: Sequence[Parse | None], sentence: Sentence) -> list[Lean]:
    """What speaks of code, or of a picture, above or below it is nothing without: `This will install the server.`"""
    if not sentence.is_prose or document.genre == LEGAL:  # `as defined below` is usual there
        return []
    above, below = document.sentences[sentence.index - 1], document.sentences[sentence.index + 1 : sentence.index + 2]
    pointer = _bare_pronoun(sentence, parses[sentence.index]) if above.kind == CODE else None
    if pointer in _POINTERS or pointer == "it":
        return [Lean(POINTER, None, pointer)]
    if above.kind == CODE and sentence.words[:1] == ("which",) and not sentence.text.rstrip().endswith("?"):
        return [Lean(POINTER, None, "which")]
    before_code = below and below[0].kind == CODE
    announces = _SHOWN.search(sentence.text) or (before_code and _BEFORE_CODE.search(sentence.text))
    return [Lean(POINTER, None, next(filter(None, announces.groups())).lower())] if announces else []


def _is_usual(document: Document, sentence: Sentence, lean: Lean) -> bool:
    """Whether texts of this kind speak so of what all know: a contract of its terms, a recipe of `the lid`."""
    if document.genre == LEGAL and lean.reason == POINTER:
        return lean.cue == "this"
    listed = sentence.kind == LIST_ITEM or document.genre == NOTES
    return (lean.reason == INTRODUCED and document.genre in SETTLING and lean.cue.startswith("the ")) or (
        lean.reason == UNLIKE_AN_OPENING and (listed or document.genre in SETTLING)
    )


def _judged(document: Document, parses: Sequence[Parse | None], sentence: Sentence) -> list[Lean]:
    """What no rule tells, the parser may: it has learned how texts begin."""
    parse = parses[sentence.index]
    unlike = parse is not None and parse.opening < OPENING
    return [Lean(UNLIKE_AN_OPENING, document.before[sentence.index])] if unlike else []


def _with_rebuttals(document: Document, found: Sequence[tuple[Lean, ...]]) -> tuple[tuple[Lean, ...], ...]:
    """What is spoken against does not stand without that: a concession without its `but` is a lie."""
    against: dict[int | None, int] = {
        sentence.index: after.index
        for sentence in document.sentences
        if sentence.is_prose and _SUPPOSED.search(sentence.text)
        for after in islice(_prose_after(document, sentence), 1)
    }
    against |= {lean.on: index for index, leans in enumerate(found) for lean in leans if lean.reason == CONTRAST}
    return tuple(
        (*leans, Lean(REBUTTED, against[index])) if index in against and document.before[index] is not None else leans
        for index, leans in enumerate(found)
    )


def _opening(document: Document, parses: Sequence[Parse | None], sentence: Sentence) -> list[Lean]:
    """Cues at the beginning of a sentence, or in the subject of its main clause."""
    words, parse = sentence.words, parses[sentence.index]
    if not words:
        return []
    on = document.before[sentence.index]
    first = words[0]
    if sentence.text.startswith("(") and sentence.text.rstrip(".!?").endswith(")"):
        return [Lean(CONNECTIVE, on, "(")]
    if announced := _announced(document, sentence):
        return announced
    if phrase := _connecting_phrase(document, sentence):
        return [Lean(CONNECTIVE, on, phrase)]
    leans = []
    if first in _CONTRASTS and not (first in ("although", "though", "still") and "," in sentence.keys[2:]):
        leans.append(Lean(CONTRAST, on, first))
    elif words[:2] == ("and", "yet"):
        leans.append(Lean(CONTRAST, on, "and yet"))
    elif "however" in words[1:12]:
        leans.append(Lean(CONTRAST, on, "however"))
    elif first in _COUNTED and sentence.keys[1:2] == (",",):
        leans.append(Lean(CONNECTIVE, on, first, droppable=True))
    elif first in _CONNECTIVES and words[:2] != ("so", "far") and not _is_complete(sentence, first):
        goes = first in _DROPPABLE and words[1:2] not in _SO_MUCH  # of `so much so` nothing goes,
        goes = goes and not (parse is not None and parse.tags[1:2] in _INVERTED)  # nor of `then came the rain`
        leans.append(Lean(CONNECTIVE, on, first, goes))
    elif words[:2] in _NOT_SO:
        leans.append(Lean(CONNECTIVE, on, first))
    if parse is not None and not leans:
        leans += _incomplete(sentence, parse, on)
    pronoun = _bare_pronoun(sentence, parse)
    if pronoun:
        if pronoun in FEMALE | MALE:
            leans.append(_last_person(document, parses, sentence.index, pronoun))
        else:
            pointed_at = _pointed_at(document, sentence, parse, pronoun) if pronoun in _POINTERS else None
            reason = POINTER if pronoun in _POINTERS else PRONOUN
            leans.append(Lean(reason, on if pointed_at is None else pointed_at, pronoun))
    elif parse is not None and (number := _one_of_them(sentence, parse)):
        leans.append(Lean(PRONOUN, on, number))
    compared = _other(sentence, parse) or _bare_subject(sentence, parse)
    if first in _COMPARED and _COMPARED[first] not in words:
        compared = first
    if compared and not pronoun and len(words) > 1:
        leans.append(Lean(COMPARED, on, compared))
    if match := _REPEATING.search(sentence.text):
        leans.append(Lean(REPEATED, on, match.group()))
    return leans


def _connecting_phrase(document: Document, sentence: Sentence) -> str | None:
    """The phrase with which a sentence goes on from the one before it, or its first word where a line goes on below."""
    phrase = next((phrase for phrase in _PHRASES if sentence.words[: len(phrase)] == phrase), None)
    if phrase:
        return " ".join(phrase)
    if match := _first_match(sentence.text, _EXAMPLE, _LATER, _WHICH_TIME):
        return match[1].lower()
    below = document.genre == ARTICLE and document.sentences[sentence.index - 1].kind in (LIST_ITEM, CODE)
    goes_on = below and sentence.text[:1].islower() and sentence.listed is None
    return sentence.words[0] if goes_on and sentence.words[0] in STOP_WORDS else None


def _first_match(text: str, *patterns: re.Pattern[str]) -> re.Match[str] | None:
    return next((match for pattern in patterns if (match := pattern.match(text))), None)


def _one_of_them(sentence: Sentence, parse: Parse) -> str | None:
    """The `one` or `two` that a sentence speaks of where nothing in it says of what: `One turns on the lights.`"""
    if not any(tag.startswith("NN") for tag in parse.tags) and "CD" in parse.tags:
        number = parse.tags.index("CD")
        word = sentence.keys[number]
        return word if parse.relations[number] in ("dobj", "nsubj") and word.isalpha() else None
    for token, word in enumerate(sentence.keys):
        if parse.tags[token].startswith("NN"):
            return None
        if word in ("one", "ones") and parse.relations[token] in ("nsubj", "nsubjpass", "dobj", "pobj", "attr"):
            return None if parse.children[token] else word
    return None


def _is_complete(sentence: Sentence, first: str) -> bool:
    """Whether a connective joins what its own sentence holds: `Because it rained, ...`, `Who pays?`."""
    if first in ("which", "who", "whose"):
        return sentence.text.rstrip().endswith("?")
    return first == "because" and "," in sentence.keys


def _other(sentence: Sentence, parse: Parse | None) -> str | None:
    """The word by which the subject, or what stands before it, is told from one that was spoken of before."""
    if parse is None:
        return None
    before = range(min(parse.root, 12))
    described = (token for token in before if parse.relations[token] in ("amod", "det") and not parse.children[token])
    return next(
        (
            sentence.keys[token]
            for token in described
            if sentence.keys[token] in _TOLD_APART and sentence.keys[parse.heads[token]] not in _TIMES
        ),
        None,
    )


def _bare_subject(sentence: Sentence, parse: Parse | None) -> str | None:
    """A `both` or `neither` of which the main clause speaks and nothing says which two."""
    subjects = [child for child in parse.children[parse.root] if parse.relations[child] == "nsubj"] if parse else []
    bare = (sentence.keys[token] for token in subjects if parse and not parse.children[token])
    return next((word for word in bare if word in ("both", "neither", "others")), None)


def _incomplete(sentence: Sentence, parse: Parse, on: int | None) -> list[Lean]:
    """A clause that only goes on from another one, or one that does not say of whom it speaks."""
    root = parse.root
    under = {parse.relations[child]: child for child in parse.children[root]}
    mark = under.get("mark", under.get("advmod"))
    if mark is not None and sentence.keys[mark] in _SUBORDINATING and mark < 2 and "nsubj" in under:
        return [Lean(CONNECTIVE, on, sentence.keys[mark])]
    subjects = {"nsubj", "nsubjpass", "csubj", "csubjpass", "expl", "ccomp", "parataxis"}
    finite = parse.tags[root] in ("VBD", "VBZ") or any(
        parse.tags[child] in ("MD", "VBD", "VBZ") and parse.relations[child] in ("aux", "auxpass")
        for child in parse.children[root]
    )
    if finite and not subjects & set(under) and root < 6:
        return [Lean(ELLIPTIC, on, sentence.keys[root])]
    return []


def _bare_pronoun(sentence: Sentence, parse: Parse | None) -> str | None:
    """The first pronoun that points back, if nobody in the sentence comes before it whom it could mean."""
    if parse is None:
        return next((word for word in sentence.words[:3] if word in PRONOUNS | _POINTERS), None)
    for token, word in enumerate(sentence.keys):
        tag, relation = parse.tags[token], parse.relations[token]
        if word in PRONOUNS and tag in ("PRP", "PRP$"):
            if word == "it" and is_empty_it(sentence, parse, token):
                continue
            owned = word in _OWNED and any(tag.startswith("NN") for tag in parse.tags[:token])  # `children keep theirs`
            return None if owned or is_told_here(sentence, parse, token) else word
        if word in _POINTERS and _points_back(sentence, parse, token, relation):
            return word
    return None


def is_told_here(sentence: Sentence, parse: Parse, pronoun: int) -> bool:
    """Whether the sentence says whom a pronoun means: before it, or after a clause with which the sentence opens.

    By `he` no object such as `the scarf` is meant.
    """
    word, parsed = sentence.keys[pronoun], ParsedSentence(sentence, parse)
    possible = candidates(parsed, pronoun)
    if word not in FEMALE | MALE:
        return bool(possible)
    opens = pronoun < parse.root and parsed.clause(pronoun) < parse.root  # `Because she wears it, Anna Berg ...`
    persons = [*possible, *(parsed.children(parse.root, *_SUBJECTS) if opens else ())]
    named = any(parse.entities[one].endswith("PERSON") or is_person(sentence.keys[one], word) for one in persons)
    return named or any(parse.relations[one] != "dobj" for one in possible)


def _points_back(sentence: Sentence, parse: Parse, token: int, relation: str) -> bool:
    """Whether a `this` or `those` stands for something said before, by itself or before a noun."""
    if parse.tags[token] not in ("DT", "PDT", "RB", "JJ") or sentence.keys[token : token + 2] == ("such", "as"):
        return False
    if relation in _SUBJECTS:
        main = parse.heads[token] == parse.root or token < 3
        return main and not parse.children[token]  # `those who ...` says whom
    if relation == "pobj":  # `none of this`, `because of that`
        return token < parse.root and not parse.children[token]
    noun = parse.heads[token]
    told = any(parse.relations[child] in ("relcl", "acl", "prep") for child in parse.children[noun])
    named = relation in ("det", "amod", "predet") and parse.tags[token] != "RB" and not told
    return named and (token < 3 or sentence.keys[noun] not in _TIMES)


def _pointed_at(document: Document, sentence: Sentence, parse: Parse | None, pointer: str) -> int | None:
    """The last sentence before this one that speaks of what a `this` or `those` stands before: `those leaps`."""
    token = sentence.keys.index(pointer) if parse is not None else 0
    if parse is None or parse.relations[token] not in ("det", "amod", "predet"):
        return None
    noun = sentence.keys[parse.heads[token]].removesuffix("s")
    near = range(sentence.index - 1, max(-1, sentence.index - 1 - _NEAR), -1)
    spoken_of = (
        other for other in near if any(word.removesuffix("s") == noun for word in document.sentences[other].keys)
    )
    return next(spoken_of, None)


def is_empty_it(sentence: Sentence, parse: Parse, token: int) -> bool:
    """`It rained`, `it is clear that`, `what does it mean`: nothing is meant by it."""
    verb = parse.heads[token]
    if parse.relations[token] == "expl" or (sentence.keys[verb] == "mean" and sentence.keys[0] == "what"):
        return True
    complements = [
        child for child in parse.children[verb] if parse.relations[child] in ("ccomp", "csubj", "xcomp", "advcl")
    ]
    described = any(parse.relations[child] in ("acomp", "attr", "oprd") for child in parse.children[verb])
    return bool(complements) and described


def _last_person(document: Document, parses: Sequence[Parse | None], index: int, pronoun: str) -> Lean:
    """The last sentence before this one that names somebody whom the pronoun can mean; else the one before it."""
    for other in range(index - 1, max(-1, index - _FAR), -1):
        parse = parses[other]
        names = _persons(document.sentences[other], parse, pronoun) if parse else frozenset()
        if names:
            assert parse
            last = {fold(name[-1]) for name in _named(document.sentences[other], parse)} & names
            same = last or names  # many are called John
            also = tuple(s.index for s in _remembered(document, other) if not same.isdisjoint(s.keys))
            return Lean(PRONOUN, other, pronoun, also=also)
    called = FEMALE if pronoun in FEMALE else MALE  # whom the text never names is known from where they first appear
    earlier = _remembered(document, index)
    spoken_of = tuple(s.index for s in earlier if s.is_prose and not called.isdisjoint(s.words))
    return Lean(PRONOUN, spoken_of[0] if spoken_of else document.before[index], pronoun, also=spoken_of)


def _remembered(document: Document, index: int) -> Sequence[Sentence]:
    """The sentences before one that a reader still has in mind: what leans costs the same in a text of any length."""
    return document.sentences[max(0, index - _REMEMBERED) : index]


def _persons(sentence: Sentence, parse: Parse, pronoun: str) -> frozenset[str]:
    """The words by which a sentence names somebody whom a pronoun can mean."""
    others = MEN if pronoun in FEMALE else WOMEN
    return frozenset(
        word
        for token, word in enumerate(sentence.keys)
        if is_person(word, pronoun) or (parse.entities[token].endswith("PERSON") and word not in others)
    )


def is_person(word: str, pronoun: str) -> bool:
    """Whether a noun names somebody whom a pronoun can mean; compounds such as `mother-of-two` too."""
    return is_called(word, (WOMEN if pronoun in FEMALE else MEN) | _PEOPLE) or word.endswith("-year-old")


def is_called(word: str, nouns: frozenset[str]) -> bool:
    """Whether a noun is one of some, or a compound of one: `mother-of-two`, `ex-wife`."""
    first, _, last = word.partition("-")
    return not nouns.isdisjoint((word, first, last))


class _Names:
    """Where each person and organisation is introduced by a fuller name than the last word of it."""

    def __init__(self, document: Document, parses: Sequence[Parse | None]) -> None:
        self.mentions: list[list[tuple[str, ...]]] = []
        self.first: dict[str, tuple[int, tuple[str, ...]]] = {}  # a last name: where its full name first stands,
        self.full: dict[str, list[int]] = {}  # and where else it stands
        for sentence, parse in zip(document.sentences, parses, strict=True):
            here = _named(sentence, parse) if parse else []
            self.mentions.append(here)
            for name in here:
                if len(name) > 1:
                    self.first.setdefault(name[-1], (sentence.index, name))
                    self.full.setdefault(name[-1], []).append(sentence.index)

    def introduced(self, sentence: Sentence) -> list[Lean]:
        """Bare last names whose full name an earlier sentence tells."""
        leans = []
        for name in self.mentions[sentence.index]:
            known = self.first.get(name[-1])
            if len(name) == 1 and known and known[0] < sentence.index:
                last = range(max(known[0], sentence.index - _REMEMBERED) + 1, sentence.index)
                also = tuple(_within(self.full[name[-1]], last))
                leans.append(Lean(INTRODUCED, known[0], name[-1], also=also))
        return leans[:2]


def _within(places: Sequence[int], span: range) -> Sequence[int]:
    """Those of some places, in order, that lie within a span."""
    return places[bisect_left(places, span.start) : bisect_left(places, span.stop)]


def _named(sentence: Sentence, parse: Parse) -> list[tuple[str, ...]]:
    """The persons that a sentence names, word by word."""
    names: list[list[str]] = []
    for token, entity in enumerate(parse.entities):
        kind, _, what = entity.partition("-")
        word = sentence.tokens.texts[token]
        if what != "PERSON" or not word[:1].isupper():
            continue
        if kind == "I" and names and token and parse.entities[token - 1].endswith("PERSON"):
            names[-1].append(word)
        else:
            names.append([word])
    titles = {"Mr", "Mrs", "Ms", "Miss", "Dr", "Sir", "Lord", "Lady", "Prof", "Professor", "President", "Judge"}
    return [tuple(word for word in name if word not in titles) or tuple(name) for name in names]


class _Nouns:
    """Where each thing is first spoken of, to be called `the ...` afterwards."""

    def __init__(self, document: Document, parses: Sequence[Parse | None]) -> None:
        self.document = document
        self.parses = parses
        self.first: dict[str, int] = {}  # where a noun first stands,
        self.introduced_as_new: dict[str, int] = {}  # and where it first has `a`
        for sentence, parse in zip(document.sentences, parses, strict=True):
            for token, word in enumerate(sentence.keys if parse else ()):
                assert parse
                if parse.tags[token] in ("NN", "NNS") and sentence.is_prose:
                    self.first.setdefault(word, sentence.index)
                    if _article(sentence, parse, token) in ("a", "an"):
                        self.introduced_as_new.setdefault(word, sentence.index)

    def introduced(self, sentence: Sentence) -> list[Lean]:
        """The first that is called `the ...` and was introduced before: what a clause is about, or an object of it."""
        parse = self.parses[sentence.index]
        found = (self._introduced(sentence, parse, token) for token in range(len(parse))) if parse else ()
        return list(islice(filter(None, found), 1))

    def _introduced(self, sentence: Sentence, parse: Parse, token: int) -> Lean | None:
        word, relation = sentence.keys[token], parse.relations[token]
        if relation not in _SUBJECTS | _OBJECTS or parse.tags[token] not in ("NN", "NNS"):
            return None
        if _article(sentence, parse, token) != "the" or word in _KNOWN_TO_ALL:
            return None
        if _is_epithet(sentence, parse, token):
            named = _last_person(self.document, self.parses, sentence.index, "she" if word in WOMEN else "he")
            return replace(named, reason=INTRODUCED, cue=f"the {word}")
        known = self.introduced_as_new.get(word, sentence.index)
        is_subject = relation in _SUBJECTS and parse.heads[token] == parse.root
        if _is_told_apart(parse, token) or not (known < sentence.index or is_subject):
            return None
        earlier = min(known, self.first.get(word, sentence.index))
        before = self.document.before[sentence.index]
        return Lean(INTRODUCED, earlier if earlier < sentence.index else before, f"the {word}")


def _article(sentence: Sentence, parse: Parse, noun: int) -> str:
    return next((sentence.keys[child] for child in parse.children[noun] if parse.relations[child] == "det"), "")


def _is_epithet(sentence: Sentence, parse: Parse, noun: int) -> bool:
    """Whether somebody who was named is called by something else: `the 25-year-old Birmingham lad`."""
    if parse.relations[noun] not in _SUBJECTS:
        return False
    described = [child for child in parse.children[noun] if parse.relations[child] in ("compound", "amod", "nmod")]
    told = any(parse.relations[child] in _TELLING_WHICH for child in parse.children[noun])
    named = any(parse.tags[child] in ("NNP", "NNPS") for child in described)
    aged = any(sentence.keys[child].endswith("-year-old") for child in described)
    person = is_person(sentence.keys[noun], "he") or is_person(sentence.keys[noun], "she")
    return not told and (aged or (named and person))


def _is_told_apart(parse: Parse, noun: int) -> bool:
    """Whether a noun phrase says itself which one is meant: `the man who ...`, `the end of ...`, `the Smith family`."""
    return any(
        parse.relations[child] in _TELLING_WHICH
        or parse.relations[child] == "nummod"
        or parse.tags[child] in ("NNP", "NNPS", "JJS")
        for child in parse.children[noun]
    )


def _quotations(document: Document) -> list[list[Lean]]:
    """Sentences within a quotation that began before them, and quotations whose speaker is named beside them."""
    leans: list[list[Lean]] = [[] for _ in document.sentences]
    open_marks = [balance(sentence.text) for sentence in document.sentences]
    for sentence in document.sentences:
        number = sentence.index
        if open_marks[number] > 0:
            for other in _quoted_on(document, open_marks, number):
                leans[other].append(Lean(QUOTED, document.before[other]))
        begins = sentence.text.lstrip()[:1] in ('"', "“", "‘", "'")
        if begins and not leans[number] and not _SPEECH.search(sentence.text):
            leans[number].extend(_speaker(document, sentence))
    return leans


def _quoted_on(document: Document, open_marks: Sequence[int], number: int) -> range:
    """The sentences through which a quotation goes on: to the mark that closes it, or to the paragraph's end."""
    after = range(number + 1, min(number + _LONGEST_QUOTATION, len(open_marks)))
    marked = next((other for other in after if open_marks[other]), None)
    if marked is not None and open_marks[marked] < 0:
        return range(number + 1, marked + 1)
    here = document.sentences[number].paragraph
    ends = next((other for other in after if open_marks[other] or document.sentences[other].paragraph != here), number)
    return range(number + 1, ends)


def _speaker(document: Document, sentence: Sentence) -> list[Lean]:
    for beside in (sentence.index + 1, sentence.index - 1):
        if 0 <= beside < len(document.sentences) and _SPEECH.search(document.sentences[beside].text):
            return [Lean(SPEAKER, beside)]
    return [Lean(SPEAKER, None)]


def _answers(document: Document, sentence: Sentence, parse: Parse | None) -> list[Lean]:
    """A short sentence after a question answers it; a question is nothing without what follows, but at the end."""
    before = document.before[sentence.index]
    if sentence.text.rstrip().endswith("?"):
        echoes = sentence.speaker is not None and _is_no_clause(parse)  # `The one by the sea?`
        closing = len(list(islice(_prose_after(document, sentence), _CLOSING))) < _CLOSING
        leans = [] if closing and sentence.speaker is None else [Lean(QUESTION, _answer(document, sentence))]
        return [*leans, Lean(ANSWER, before)] if echoes else leans
    question = document.sentences[before] if before is not None else None
    if question is None or not question.text.rstrip().endswith("?"):
        return [Lean(ANSWER, before)] if _names_more(document, sentence, parse) else []
    told = sentence.speaker is not None and question.speaker == sentence.speaker  # who asks seldom answers
    brief = sentence.words[0] in ("yes", "no", "yeah", "nope", "because")
    brief = brief or (not told and len(sentence.content) < 4)
    brief = brief or (sentence.speaker is not None and _is_no_clause(parse))
    return [Lean(ANSWER, before)] if brief else []


def _names_more(document: Document, sentence: Sentence, parse: Parse | None) -> bool:
    """Whether somebody who was asked goes on to name something: `Yes, at seven. My class before work.`"""
    before = document.before[sentence.index]
    first = document.before[before] if before is not None else None
    if before is None or first is None or sentence.speaker is None or not _is_no_clause(parse):
        return False
    asked = document.sentences[first].text.endswith("?") and document.sentences[first].speaker != sentence.speaker
    return asked and document.sentences[before].speaker == sentence.speaker


def _is_no_clause(parse: Parse | None) -> bool:
    """Whether something is only named: `About half a month.`, `The papers that carry foreign news.`"""
    return parse is not None and len(parse) > 0 and not parse.tags[parse.root].startswith(("V", "M"))


def _answer(document: Document, question: Sentence) -> int | None:
    """The sentence after a question; where people talk, the first of another's, if it comes soon."""
    after = _prose_after(document, question)
    if question.speaker is None:
        return next((sentence.index for sentence in after), None)
    near = islice(after, _SOON)
    return next((sentence.index for sentence in near if sentence.speaker != question.speaker), None)


def _prose_after(document: Document, sentence: Sentence) -> Iterator[Sentence]:
    """The sentences after one, as far as they are asked for."""
    after = range(sentence.index + 1, len(document.sentences))
    return (document.sentences[index] for index in after if document.sentences[index].is_prose)


_FEWEST_ITEMS = 2  # of a list that is told
_SOON = 3  # sentences within which a question is answered
