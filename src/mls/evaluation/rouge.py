"""ROUGE, as rouge-score computes it: F1, with stemming."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from mls.errors import MissingExtraError
from mls.evaluation.judged import Judged

KINDS = {"rouge1": "rouge1", "rouge2": "rouge2", "rougeL": "rougel", "rougeLsum": "rougelsum"}


def rouge(judged: Judged) -> dict[str, float]:
    """ROUGE-1, -2, -L and -Lsum; for the last one, sentences are lines. Paper: section 3 B.

    >>> from mls.text import Document
    >>> made = Judged(Document.parse("It rained."), "It rained all day.", "It rained.", 3, 3)
    >>> {name: round(value, 3) for name, value in rouge(made).items()}
    {'rouge1': 0.667, 'rouge2': 0.5, 'rougel': 0.667, 'rougelsum': 0.667}
    """
    lines = "\n".join(" ".join(sentence.text.split()) for sentence in judged.summary.sentences)
    scores = scorer().score(judged.reference, lines)
    return {ours: float(scores[theirs].fmeasure) for theirs, ours in KINDS.items()}


@cache
def scorer() -> Any:
    tokens = tokenizer()  # says what is missing
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(list(KINDS), tokenizer=tokens)


@cache
def tokenizer() -> Any:
    """What cuts a text into the stems that are counted."""
    try:
        from rouge_score.tokenize import tokenize
        from rouge_score.tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtraError("ROUGE", "rouge-score", "eval") from error

    class Stems(Tokenizer):  # type: ignore[misc]
        def tokenize(self, text: str) -> list[str]:
            return list(tokenize(text, stemmer()))

    return Stems()


@cache
def stemmer() -> Any:
    """Porter's, which ROUGE and METEOR ask for the same words again and again."""
    from nltk.stem.porter import PorterStemmer

    made = PorterStemmer()
    made.stem = lru_cache(maxsize=100_000)(made.stem)
    return made
