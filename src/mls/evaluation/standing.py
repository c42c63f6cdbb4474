"""Whether a summary stands by itself, as far as rules can tell: companions of readers, not judges in their place."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain

from mls.evaluation.judged import Judged
from mls.leaning import INTRODUCED, Lean, leanings
from mls.naming.mentions import TITLES
from mls.parser.network import document_parser
from mls.text import Document, Sentence

SLIGHT = 6  # words or fewer
_TAKEN = 0.6  # share of a sentence's words that its source has at least


def dangling(judged: Judged) -> float:
    """The share of sentences that lean on something absent: a pronoun, a connective, a bare name, half a contrast."""
    sources = sources_of(judged.document, judged.summary)
    if not sources:
        return math.nan
    leans = _leans(judged.document.text)
    there = {source for source in sources if source is not None}
    pairs = zip(judged.summary.sentences, sources, strict=True)
    found = sum(_dangles(sentence, leans[source], there) for sentence, source in pairs if source is not None)
    return found / len(sources)


def slight(judged: Judged) -> float:
    """The share of sentences of six words or fewer."""
    sentences = judged.summary.sentences
    few = sum(len(sentence.text.split()) <= SLIGHT for sentence in sentences)
    return few / len(sentences) if sentences else math.nan


def nested(shorter: Judged, longer: Judged) -> float:
    """The share of sentences of a summary that a longer one of the same document has too, in whatever form."""
    sources = [source for source in sources_of(shorter.document, shorter.summary) if source is not None]
    there = set(sources_of(longer.document, longer.summary))
    return sum(source in there for source in sources) / len(sources) if sources else math.nan


def sources_of(document: Document, summary: Document) -> list[int | None]:
    """For each sentence of a summary the sentence of the document that it comes from, if it is one."""
    known = [frozenset(sentence.words) for sentence in document.sentences]
    having: dict[str, list[int]] = defaultdict(list)
    for position, words in enumerate(known):
        for word in words:
            having[word].append(position)
    return [_source_of(frozenset(sentence.words), known, having) for sentence in summary.sentences]


def _source_of(
    words: frozenset[str], known: Sequence[frozenset[str]], having: Mapping[str, Sequence[int]]
) -> int | None:
    """The sentence that has most of these words; of two, the shorter, then the first."""
    shared = Counter(chain.from_iterable(having.get(word, ()) for word in words))
    best = max(shared, key=lambda position: (shared[position], -len(known[position]), -position), default=None)
    return best if best is not None and shared[best] >= _TAKEN * len(words) else None


def _dangles(sentence: Sentence, leans: Sequence[Lean], there: set[int]) -> bool:
    """Whether it leans on a sentence that is absent by a word that it still has."""
    return any(
        lean.on not in there
        and not there & set(lean.also)
        and (not lean.cue or lean.cue.lower().split()[0] in sentence.words)
        and not _is_told_in_full(sentence, lean)
        for lean in leans
    )


def _is_told_in_full(sentence: Sentence, lean: Lean) -> bool:
    """Whether more of a name stands there than the last name that is introduced elsewhere: `Ada Brennan`."""
    words = sentence.tokens.texts
    before = [words[place - 1] for place, word in enumerate(words) if place and word == lean.cue]
    is_name = lean.reason == INTRODUCED and lean.cue[:1].isupper()
    return is_name and any(word[:1].isupper() and word.lower() not in TITLES for word in before)


@lru_cache(maxsize=8)
def _leans(text: str) -> tuple[tuple[Lean, ...], ...]:
    document = Document.parse(text)
    parses = document_parser()(document)
    return leanings(document, parses)
