"""What a summary says that its document does not: new wording, and the cheapest measure of invention."""

from __future__ import annotations

from collections.abc import Sequence

from mls.evaluation.judged import Judged
from mls.text import Document, Token


def novel_grams(judged: Judged, n: int) -> float:
    """The share of the summary's runs of n words, within a sentence, that the document does not say. Paper: section 3.

    >>> from mls.text import Document
    >>> made = Judged(Document.parse("It rained all day."), "", "It rained all night.", 5, 5)
    >>> [round(novel_grams(made, n), 2) for n in (1, 2, 3, 4)]
    [0.25, 0.33, 0.5, 1.0]
    """
    known = set(_grams(judged.document, n))
    said = _grams(judged.summary, n)
    return sum(gram not in known for gram in said) / len(said) if said else float("nan")


def repeated_trigrams(judged: Judged) -> float:
    """The share of the summary's trigrams, within a sentence, that it has said before."""
    said = _grams(judged.summary, 3)
    return 1 - len(set(said)) / len(said) if said else 0.0


def _grams(document: Document, n: int) -> list[tuple[str, ...]]:
    return [
        sentence.words[start : start + n]
        for sentence in document.sentences
        for start in range(len(sentence.words) - n + 1)
    ]


def novel_numbers(judged: Judged) -> float:
    """The share of the summary's numbers that do not occur in the document; not a number where it has none."""
    numbers = [token for sentence in judged.summary.sentences for token in sentence.tokens if _is_number(token)]
    return _share_unknown(numbers, judged.document)


def novel_names(judged: Judged) -> float:
    """The share of capitalised words, but for those that open a sentence, that do not occur in the document."""
    names = [
        token
        for sentence in judged.summary.sentences
        for token in [token for token in sentence.tokens if token.is_word][1:]
        if token.text[0].isupper() and token.key != "i"
    ]
    return _share_unknown(names, judged.document)


def _is_number(token: Token) -> bool:
    return any(character.isdigit() for character in token.text)


def _share_unknown(tokens: Sequence[Token], document: Document) -> float:
    known = {token.key for sentence in document.sentences for token in sentence.tokens}
    return sum(token.key not in known for token in tokens) / len(tokens) if tokens else float("nan")
