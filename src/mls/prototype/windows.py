"""What a network writes about a document, window by window, and where in the document its sentences stand.

A document that is longer than the encoder is read in windows that end where sentences end. Windows of
similar length are decoded together, whatever document they come from: what is said about a window
does not depend on the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mls.prototype.base import Origin, PrototypeSentence
from mls.prototype.beam import SearchSettings, StepNetwork, WrittenToken, beam_search
from mls.prototype.realize import RealizedSentence, SourceToken, realize
from mls.stopwords import content_words
from mls.text import Document, fold, tidy, tokenize
from mls.vocabulary import Vocabulary

Window = list[SourceToken]
Written = tuple[WrittenToken, ...]
FULLNESS = 0.8  # of a desired length, before which the search lets no text end
_BATCH = 16  # windows decoded together


def write_about(
    windows: Sequence[Window],
    search: Sequence[SearchSettings],
    network: StepNetwork,
    vocabulary: Vocabulary,
    full_stop: int | None = None,
) -> list[Written]:
    """What a network says about each window, within the settings of its own."""
    written: list[Written] = [()] * len(windows)
    by_length = sorted(range(len(windows)), key=lambda number: len(windows[number]))
    for start in range(0, len(windows), _BATCH):
        batch = by_length[start : start + _BATCH]
        sources = [vocabulary.encode([fold(entry.token.text) for entry in windows[number]]) for number in batch]
        texts = beam_search(network, sources, [search[number] for number in batch], full_stop)
        for number, text in zip(batch, texts, strict=True):
            written[number] = text
    return written


def sentences_of(
    document: Document, windows: Iterable[Window], written: Iterable[Written], vocabulary: Vocabulary
) -> tuple[PrototypeSentence, ...]:
    """What was written about a document's windows as sentences that stand in the document."""
    return tuple(
        _anchored(sentence, document)
        for window, tokens in zip(windows, written, strict=True)
        for sentence in realize(tokens, window, vocabulary, document.text)
    )


def read_in_windows(document: Document, window: int) -> list[Window]:
    """The document's tokens in stretches that are as long as the window allows.

    Stretches end where sentences end; only a sentence longer than a window is cut.
    """
    return list(each_window(document, window))


def each_window(document: Document, window: int) -> Iterator[Window]:
    """The same, one after the other, so that no more than one is held."""
    here: Window = []
    for sentence in document.sentences:
        for start in range(0, len(sentence.tokens), window):
            piece = sentence.tokens[start : start + window]
            if here and len(here) + len(piece) > window:
                yield here
                here = []
            here += [
                SourceToken(token, len(here) + offset, sentence.index, start == 0 and offset == 0)
                for offset, token in enumerate(piece)
            ]
    if here:
        yield here


def _anchored(realized: RealizedSentence, document: Document) -> PrototypeSentence:
    """Find the source sentence it comes from: the one most of its meaning was copied from."""
    votes: Counter[int] = Counter()
    for token in realized.tokens:
        if token.source:
            votes[token.source.sentence] += 10 if content_words([token.key]) else 1
    anchor = min(votes, key=lambda index: (-votes[index], index)) if votes else _nearest(realized, document)
    source = document.sentences[anchor]
    origins = tuple(
        Origin(
            token.text,
            token.start,
            token.p_gen,
            (token.source.token.start, token.source.token.end) if token.source else None,
        )
        for token in realized.tokens
    )
    if realized.text == tidy(source.text):
        return PrototypeSentence.copied(source, origins)
    return PrototypeSentence(anchor, realized.text, tokenize(realized.text), False, origins)


def _nearest(realized: RealizedSentence, document: Document) -> int:
    """For a sentence that was generated throughout: the one it shares most words with."""
    words = {token.key for token in realized.tokens}
    shared = [len(words & set(sentence.words)) for sentence in document.sentences]
    return shared.index(max(shared))
