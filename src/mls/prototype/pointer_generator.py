"""The paper's prototype: a pointer-generator network writes it.

A document that is longer than the encoder is read whole, in windows that end where sentences end;
the prototype is what the windows say, one after another. Windows of similar length are decoded
together, whatever document they come from: what is said about a window does not depend on the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from mls.prototype.base import Origin, Prototype, PrototypeSentence
from mls.prototype.beam import SearchSettings, StepNetwork, WrittenToken, beam_search
from mls.prototype.realize import RealizedSentence, SourceToken, realize
from mls.stopwords import content_words
from mls.text import Document, Sentence, fold, tidy, tokenize
from mls.vocabulary import Vocabulary


@dataclass(frozen=True)
class PointerGeneratorPrototype:
    """Writes prototypes with an exported network. Paper: section 2.1."""

    network: StepNetwork
    vocabulary: Vocabulary
    search: SearchSettings
    window: int = 400  # tokens the encoder reads at once
    name: str = "pg-network"

    def __call__(self, document: Document) -> Prototype:
        return self.of_many([document])[0]

    def of_many(self, documents: Sequence[Document]) -> list[Prototype]:
        """The prototypes of many documents, each the same as if it were the only one."""
        windows = [read_in_windows(document, self.window) for document in documents]
        written = iter(self._write([window for each in windows for window in each]))
        return [
            self._put_together(document, each, list(islice(written, len(each))))
            for document, each in zip(documents, windows, strict=True)
        ]

    def _put_together(
        self, document: Document, windows: list[list[SourceToken]], written: list[tuple[WrittenToken, ...]]
    ) -> Prototype:
        sentences = [
            _anchored(sentence, document)
            for window, tokens in zip(windows, written, strict=True)
            for sentence in realize(tokens, window, self.vocabulary, document.text)
        ]
        return Prototype(self.name, tuple(sentences))

    def _write(self, windows: Sequence[Sequence[SourceToken]]) -> list[tuple[WrittenToken, ...]]:
        """What the network says about each window."""
        written: list[tuple[WrittenToken, ...]] = [()] * len(windows)
        by_length = sorted(range(len(windows)), key=lambda number: len(windows[number]))
        for start in range(0, len(windows), _BATCH):
            batch = by_length[start : start + _BATCH]
            for number, text in zip(batch, self._write_batch([windows[number] for number in batch]), strict=True):
                written[number] = text
        return written

    def _write_batch(self, windows: Sequence[Sequence[SourceToken]]) -> list[tuple[WrittenToken, ...]]:
        sources = [self.vocabulary.encode([fold(entry.token.text) for entry in window]) for window in windows]
        # A short window has less to say than the search is set to write.
        search = [
            replace(
                self.search,
                shortest=min(self.search.shortest, len(source) // 3),
                longest=max(1, min(self.search.longest, len(source))),
            )
            for source in sources
        ]
        return beam_search(self.network, sources, search)


_BATCH = 16  # windows


def read_in_windows(document: Document, window: int) -> list[list[SourceToken]]:
    """The document's tokens in stretches of about equal length, none longer than the window.

    Stretches end where sentences end; only a sentence longer than a window is cut.
    """
    if not document.token_count:
        return []
    count = -(-document.token_count // window)
    target = document.token_count / count
    windows: list[list[SourceToken]] = [[]]
    for sentence in document.sentences:
        for start in range(0, len(sentence.tokens), window):
            piece = sentence.tokens[start : start + window]
            full = len(windows[-1]) + len(piece) > window
            if windows[-1] and (full or len(windows[-1]) >= target):
                windows.append([])
            here = windows[-1]
            here += [
                SourceToken(token, len(here) + offset, sentence.index, start == 0 and offset == 0)
                for offset, token in enumerate(piece)
            ]
    return windows


def _anchored(realized: RealizedSentence, document: Document) -> PrototypeSentence:
    """Find the source sentence it comes from: the one most of its meaning was copied from."""
    votes: Counter[int] = Counter()
    for token in realized.tokens:
        if token.source:
            votes[token.source.sentence] += 10 if content_words([token.key]) else 1
    anchor = min(votes, key=lambda index: (-votes[index], index)) if votes else _nearest(realized, document)
    source = document.sentences[anchor]
    sentence = Sentence(anchor, source.paragraph, 0, len(realized.text), realized.text, tuple(tokenize(realized.text)))
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
        return PrototypeSentence(source, verbatim=True, origins=origins)
    return PrototypeSentence(sentence, verbatim=False, origins=origins)


def _nearest(realized: RealizedSentence, document: Document) -> int:
    """For a sentence that was generated throughout: the one it shares most words with."""
    words = {token.key for token in realized.tokens}
    shared = [len(words & set(sentence.words)) for sentence in document.sentences]
    return shared.index(max(shared))
