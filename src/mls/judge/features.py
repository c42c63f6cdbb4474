"""What the judge sees of a sentence: where it stands, what it looks like, what it says again. Numbers with names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mls.blocks import ANNOUNCEMENT, CAPTION, CODE, HEADING, LIST_ITEM, MAIL_HEADER, TABLE_ROW, TITLE
from mls.genres import ARTICLE, DIALOGUE, MAIL, STORY
from mls.judge import cues
from mls.kernels.base import Scores
from mls.parser.tree import Parse
from mls.text import Document, Sentence

_FIFTHS = 5
_POSITION = (
    "first", "second", "third", "last", "last but one", "last but two", "how far", "how far, squared", "near the start",
    "near the end", "how far, by its logarithm", "begins a paragraph", "in the first paragraph",
    "in the last paragraph",
    *(f"in fifth {number + 1}" for number in range(_FIFTHS)),
)  # fmt: skip
_SIZE = (
    "length", "length, squared", "words of content", "length beside the others", "short", "long", "is prose", "caption",
    "heading", "title", "list item", "question", "exclamation", "quotation", "begins a quotation", "brackets", "colon",
    "dash", "digits", "unfinished",
)  # fmt: skip
_KINDS_OF_NAMES = ("PERSON", "ORG", "GPE", "DATE", "MONEY", "CARDINAL", "NORP", "PERCENT")
_SYNTAX = (
    "like an opening", "hardly an opening", "kept by people", "words kept by people", "certain", "past", "present",
    "has a verb", "i is the subject", "a pronoun is the subject", "a name is the subject", "a noun is the subject",
    "no subject", "passive", "clauses", "names", *(f"names a {kind}" for kind in _KINDS_OF_NAMES),
)  # fmt: skip
_RETURN = (
    "like the first", "like the last", "like the one before", "like the one after", "new words", "words that return",
    "words said often", "words said often, beside the others", "said before", "number of sentences",
)  # fmt: skip
_PAGE = (
    "like the title", "says of the title", "says what something is", "like its heading", "begins a section",
    "how many sections are above", "follows code", "before code", "parts of the page that are no prose", "code",
    "headings",
)  # fmt: skip
NAMES = (*_POSITION, *_SIZE, *cues.NAMES, *_SYNTAX, *_RETURN, *_PAGE)
GENRES = (STORY, ARTICLE, DIALOGUE, MAIL)
_SHORT, _LONG = 8, 35  # tokens
_HEADS = frozenset((HEADING, ANNOUNCEMENT))  # what stands above something


def features(document: Document, parses: Sequence[Parse | None]) -> Scores:
    """(sentences, NAMES)"""
    sentences = document.sentences
    found = np.zeros((len(sentences), len(cues.NAMES)))
    for row, sentence in zip(found, sentences, strict=True):
        row[list(cues.cues_of(sentence.keys))] = 1.0
    syntax = np.array([_syntax(s, parse) for s, parse in zip(sentences, parses, strict=True)], dtype=np.float64)
    page = _page(sentences, parses)
    return np.concatenate([_positions(sentences), _sizes(sentences), found, syntax, _returns(sentences), page], axis=1)


def _positions(sentences: Sequence[Sentence]) -> Scores:
    """Where a sentence stands among those that are prose, and in its paragraph."""
    prose = np.array([sentence.is_prose for sentence in sentences])
    order = np.maximum(0, np.cumsum(prose) - 1).astype(np.float64)
    total = max(1, int(prose.sum()))
    left, far = np.maximum(0.0, total - 1 - order), order / total
    paragraphs = np.array([sentence.paragraph for sentence in sentences])
    columns = [prose & (order == position) for position in range(3)] + [
        prose & (left == position) for position in range(3)
    ]
    columns += [far, far * far, 1 / (1 + order), 1 / (1 + left), np.log2(2 + order) / np.log2(2 + total)]
    columns += [np.diff(paragraphs, prepend=-1) != 0, paragraphs == paragraphs[0], paragraphs == paragraphs[-1]]
    columns += [np.floor(far * _FIFTHS) == fifth for fifth in range(_FIFTHS)]
    return np.stack(columns, axis=1).astype(np.float64)


def _sizes(sentences: Sequence[Sentence]) -> Scores:
    """How long a sentence is, and how it is written."""
    lengths = np.log2(1 + np.array([len(sentence.tokens) for sentence in sentences], dtype=np.float64))
    content = np.log2(1 + np.array([len(sentence.content) for sentence in sentences]))
    columns = [lengths, lengths**2 / 5, content, _beside_others(lengths)]
    columns += [lengths < np.log2(1 + _SHORT), lengths > np.log2(1 + _LONG)]
    written = np.array([_written(sentence) for sentence in sentences], dtype=np.float64)
    return np.concatenate([np.stack(columns, axis=1), written], axis=1)


def _written(sentence: Sentence) -> list[bool]:
    text, kind = sentence.text.strip(), sentence.kind
    quoted = any(mark in text for mark in '"“”‘')
    return [
        sentence.is_prose, kind == CAPTION, kind in _HEADS, kind == TITLE, kind == LIST_ITEM, text.endswith("?"),
        "!" in text, quoted, text[:1] in "\"“‘'", "(" in text or "[" in text, ":" in text,
        any(dash in text for dash in (" - ", "–", "—", "--")), any(map(str.isdigit, text)), text[-1:].isalnum(),
    ]  # fmt: skip


def _beside_others(values: Scores) -> Scores:
    spread = float(values.std())
    return np.asarray((values - values.mean()) / (spread if spread > 1e-9 else 1.0))


def _syntax(sentence: Sentence, parse: Parse | None) -> list[float]:
    if parse is None or not len(parse):
        return [0.0] * len(_SYNTAX)
    root, tags, relations = parse.root, parse.tags, parse.relations
    subject = next((c for c in parse.children[root] if relations[c] in ("nsubj", "nsubjpass")), None)
    word, tag = (sentence.keys[subject], tags[subject]) if subject is not None else ("", "")
    begun = [entity[2:] for entity in parse.entities if entity[:2] == "B-"]
    kept, size = np.add.reduce(parse.keep), len(parse)
    clauses = sum(relation in ("ccomp", "advcl", "conj", "relcl", "xcomp") for relation in relations)
    return [
        parse.opening, parse.opening < 0.04, float(kept / size), float(np.log2(1 + kept)),
        float(np.add.reduce(parse.certainty) / size), tags[root] == "VBD", tags[root] in ("VBZ", "VBP"),
        tags[root][:1] == "V" or tags[root] == "MD", word == "i", tag == "PRP", tag in ("NNP", "NNPS"),
        tag in ("NN", "NNS"), subject is None, subject is not None and relations[subject] == "nsubjpass", clauses,
        float(np.log2(1 + len(begun))), *(kind in begun for kind in _KINDS_OF_NAMES),
    ]  # fmt: skip


def _returns(sentences: Sequence[Sentence]) -> Scores:
    """How far a sentence says what others say: the first, the last, those beside it, any."""
    words = [frozenset(sentence.content) for sentence in sentences]
    counts: dict[str, int] = {}
    first: dict[str, int] = {}
    for number, own in enumerate(words):
        for word in own:
            counts[word] = counts.get(word, 0) + 1
            first.setdefault(word, number)
    prose = [number for number, sentence in enumerate(sentences) if sentence.is_prose] or [0]
    begins, ends, none = words[prose[0]], words[prose[-1]], frozenset[str]()
    rows = []
    for number, own in enumerate(words):
        size = max(1, len(own))
        new = [word for word in own if first[word] == number]
        before = words[number - 1] if number else none
        after = words[number + 1] if number + 1 < len(words) else none
        rows.append([
            _alike(own, begins), _alike(own, ends), _alike(own, before), _alike(own, after), len(new) / size,
            sum(counts[word] > 1 for word in new) / size, sum(counts[word] - 1 for word in own) / size, 0.0,
            len(own) and 1 - len(new) / size, np.log2(1 + len(words)),
        ])  # fmt: skip
    found = np.array(rows, dtype=np.float64)
    found[:, 7] = _beside_others(found[:, 6])
    return found


def _page(sentences: Sequence[Sentence], parses: Sequence[Parse | None]) -> Scores:
    """Where a sentence stands on its page, what the title and the heading above it say, and whether code is beside."""
    kinds = [sentence.kind for sentence in sentences]
    no_prose, code, headings = (
        sum(kind in some for kind in kinds) / len(kinds) for some in ({CODE, TABLE_ROW, LIST_ITEM}, {CODE}, _HEADS)
    )
    title = next((frozenset(s.content) for s in sentences if _is_title(s)), frozenset[str]())
    heading, sections, rows = frozenset[str](), 0, []
    for number, (sentence, parse) in enumerate(zip(sentences, parses, strict=True)):
        own, above = frozenset(sentence.content), kinds[number - 1] if number else ""
        if sentence.kind in _HEADS:
            heading, sections = own, sections + 1
        subject = _subject(sentence, parse)
        rows.append([
            _alike(own, title), subject in title, _is_definition(sentence, parse), _alike(own, heading),
            above in _HEADS or above == TITLE, np.log2(1 + sections), above == CODE,
            kinds[number + 1 : number + 2] == [CODE], no_prose, code, headings,
        ])  # fmt: skip
    return np.array(rows, dtype=np.float64)


def _is_title(sentence: Sentence) -> bool:
    return sentence.kind in (TITLE, HEADING) or (sentence.kind == MAIL_HEADER and "subject" in sentence.keys[:1])


def _subject(sentence: Sentence, parse: Parse | None) -> str:
    """The main word of what a sentence speaks of."""
    children = parse.children[parse.root] if parse is not None and len(parse) else ()
    subjects = (child for child in children if parse and parse.relations[child] in ("nsubj", "nsubjpass"))
    return next((sentence.keys[child] for child in subjects), "")


def _is_definition(sentence: Sentence, parse: Parse | None) -> bool:
    """Whether a sentence says what something is: `Rich is a library`."""
    if parse is None or not len(parse) or sentence.keys[parse.root] not in ("is", "are", "was", "were"):
        return False
    under = {parse.relations[child]: child for child in parse.children[parse.root]}
    return (
        "attr" in under and parse.tags[under["attr"]].startswith("NN") and under.get("nsubj", parse.root) < parse.root
    )


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / float(np.sqrt(len(one) * len(other))) if one and other else 0.0
