"""Titles and headings: a title that says more than any sentence that fits, headings above their passages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from mls.blocks import ANNOUNCEMENT, HEADING, LIST_ITEM, TITLE, is_ended
from mls.budget import Measure
from mls.magnifier.draft import Line
from mls.magnifier.units import Unit
from mls.stopwords import content_words
from mls.text import Document, Sentence, tidy, tokenize

_IN_BRACKETS = re.compile(r"\s*\([^()]*\)")
_BODIES = frozenset(  # whose name may stand above what it writes
    """
    authority council committee board department office agency ministry university school schools college society
    association club company trust foundation ltd limited inc llc gmbh plc group institute
    """.split()
)
_FEWEST_WORDS = 3  # of a title that says something, not only what something is called


def title_instead(document: Document, lines: Sequence[Line], measure: Measure, limit: int) -> Sentence | None:
    """The title, where no more than one sentence fits and that says less of what the text speaks of."""
    title = next((sentence for sentence in document.sentences if sentence.kind == TITLE), None)
    if title is None or len(lines) > 1 or measure.length(tidy(title.text)) > limit:
        return None
    if len(title.content) < _FEWEST_WORDS or _is_name(document, title):
        return None
    spoken = Counter(word for sentence in document.speaking for word in sentence.content)
    said = [token.key for line in lines for token in tokenize(line.text)]
    return title if _weight(title.words, spoken) >= _weight(said, spoken) else None


def _is_name(document: Document, title: Sentence) -> bool:
    """Whether the text's first sentence begins with a title: `Jones v. Lee (1983)` above `Jones v. Lee is a case.`"""
    if title.words[-1] in _BODIES and (title.text.isupper() or title.text.istitle()):
        return True
    first = next(iter(document.speaking), None)
    words = tokenize(_IN_BRACKETS.sub("", title.text))
    name = tuple(token.key for token in words)
    return first is not None and first.keys[: len(name)] == name


def _weight(words: Iterable[str], spoken: Counter[str]) -> int:
    """How often the text says what some words say."""
    return sum(spoken[word] for word in set(content_words(words)))


def headings_above(document: Document, anchors: Iterable[int]) -> dict[int, Sentence]:
    """The heading to stand above each sentence that is the first of its section."""
    sections: dict[int, int] = {}
    last = None
    for sentence in document.sentences:
        heads = sentence.kind == HEADING or (sentence.kind == ANNOUNCEMENT and not sentence.text.endswith(":"))
        last = sentence.index if heads else last
        if last is not None:
            sections[sentence.index] = last
    found: dict[int, Sentence] = {}
    told: set[int] = set()
    for anchor in sorted(anchors):
        heading = sections.get(anchor)
        if heading is not None and heading not in told:
            told.add(heading)
            if heading != anchor:  # one that is itself in the summary is said once
                found[anchor] = document.sentences[heading]
    return found


def stands_alone(document: Document, unit: Unit) -> bool:
    """Whether a sentence needs a line of its own: an item of a list without an end."""
    return document.sentences[unit.anchor].kind == LIST_ITEM and not is_ended(unit.text)
