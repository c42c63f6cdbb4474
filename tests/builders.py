"""Short ways to build what the tests need, and the texts they are tried on."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from mls.embedding.base import Vectors
from mls.magnifier.units import Unit
from mls.prototype.base import PrototypeSentence
from mls.text import Document, Sentence, Wording, tokenize


def sentence(text: str, index: int = 0, start: int = 0, paragraph: int = 0) -> Sentence:
    return Sentence(index, text, tokenize(text, start), paragraph, start, start + len(text))


def document(*texts: str) -> Document:
    """A document of exactly these sentences, a blank between them."""
    sentences: list[Sentence] = []
    start = 0
    for index, text in enumerate(texts):
        sentences.append(sentence(text, index, start))
        start += len(text) + 1
    return Document(" ".join(texts), tuple(sentences))


def worded(text: str, anchor: int = 0) -> PrototypeSentence:
    """A sentence of a prototype in words of its own."""
    return PrototypeSentence(anchor, text, tokenize(text), False)


def drafted(text: str, number: int = 0, anchor: int = 0) -> Unit:
    """The same as a unit."""
    return Unit(number, "prototype", worded(text, anchor), None)


def given(document: Document, first_number: int = 0) -> list[Unit]:
    """The document's own sentences as units."""
    return [Unit(first_number + s.index, "source", s, s.index) for s in document.sentences]


class BagOfWords:
    """An embedder without files: each word adds one to the column it is hashed to."""

    def __init__(self, columns: int = 4096) -> None:
        self.columns = columns

    def embed(self, sentences: Sequence[Wording]) -> Vectors:
        vectors = np.zeros((len(sentences), self.columns), dtype=np.float32)
        for row, one in enumerate(sentences):
            for word in one.words:
                vectors[row, zlib.crc32(word.encode("utf-8", "surrogatepass")) % self.columns] += 1
        return vectors


# What has broken tokenizers before.
_HARD = [
    " ", "  ", "\n", "\r\n", "\r", "\t", "\x0b", "\x1c", "\x85", "\xa0", "\u2003", "\u2028", "\u2029", "\n\n",
    "\x00", "\x07", "\x1b", "\x7f", "\x9f", "\ufeff", "\u200b", "\u200d", "\u200e", "\u202e", "\u2066", "\xad",
    ".", "..", "...", ",", "!", "?", ":", ";", "-", "--", "–", "—", "(", ")", "[", "]", "'", "’", '"', "“", "”", "…",
    "@", "/", "_", "+", "£", "%", "1", "3,000", "12.30pm", "54-year-old", "½", "٣", "๓",
    "a", "B", "s", "It", "rained", "n't", "didn’t", "John's", "O'Brien", "mother-in-law", "U.S.", "Dr. ", "e.g. ",
    "http://", "https://a.b/c?d=e", "me@home.example", "it rained. ", "It did. ",
    "é", "e\u0301", "\u0301", "İ", "ß", "ŉ", "ﬁ", "Ω", "Ж", "हिन्दी", "שָׁלוֹם", "عَرَبِيّ", "ไทย", "ที่", "မြန်", "ខ្មែរ",
    "今日は", "雨。", "カ\u3099", "！", "？", "😀", "👍🏽", "👩\u200d👩\u200d👧", "🇳🇴",
    "1\ufe0f\u20e3", "❤\ufe0f", "\U0001f3fb",
]  # fmt: skip

texts = st.lists(st.one_of(st.sampled_from(_HARD), st.text(max_size=4)), max_size=25).map("".join)
"""Any text at all, with a liking for what is hard."""

_WORDS = "the a of and was it rain fell harbour council solar panel panels engine bridge river teacher winter x".split()

plain_sentences = st.lists(st.sampled_from([*_WORDS, *_WORDS, "London", "rain,"]), min_size=1, max_size=9).map(
    lambda words: " ".join(words).rstrip(",").capitalize() + "."
)
"""Sentences of a few words that meet again and again."""

plain_documents = st.lists(plain_sentences, min_size=1, max_size=9).map(lambda texts: document(*texts))
