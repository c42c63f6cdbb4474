"""What readers make of a whole summary, beside others of the same text and length; and the one they like best.

Learned from graded summaries: language models read texts, then several summaries of each. `tools/wholes.py` fits the
weights. They are of numbers with names, a row for each kind of text, and how well a summary is liked is their sum.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from mls.analysis import Analysis
from mls.budget import Measure
from mls.genres import ARTICLE, DIALOGUE, STORY
from mls.kernels.base import Scores
from mls.magnifier.decoder import Choice, Step
from mls.magnifier.draft import Line
from mls.magnifier.gains import Gains, judged
from mls.magnifier.growth import GAIN_DECIMALS, HEADLINE, NOTHING_BETTER, Growth
from mls.magnifier.manners import manners_of

_DECIMALS = 9  # of how well a summary is liked


class Preferred:
    """The default decoder: it sums a text up in the manner that readers are likely to like best."""

    def __init__(self, analysis: Analysis, measure: Measure, limit: int) -> None:
        manners = manners_of(analysis)
        self.growths = [Growth(analysis, measure, limit, manner) for manner in manners]
        self.choice: Choice | None = None

    def run(self) -> tuple[list[Line], list[Step]]:
        usual, *others = self.growths
        found = {usual: usual.run()}
        is_one = usual.says_one and not usual.manner.gain_power
        if others and _is_running(usual) and not is_one:
            found |= {growth: growth.run() for growth in others}
        liked = {growth: liking(growth, usual) for growth in found if _is_running(growth)} if len(found) > 1 else {}
        best = max(liked, key=lambda growth: liked[growth], default=usual)  # the usual one where none is liked better
        self.choice = Choice(best.manner, {growth.manner.name: value for growth, value in liked.items()})
        return found[best]


def _is_running(growth: Growth) -> bool:
    """Whether a summary is of sentences of the text, and not a headline or the last resort."""
    return bool(growth.forms) and growth.steps[-1].reason not in (HEADLINE, NOTHING_BETTER)


def liking(growth: Growth, usual: Growth) -> float:
    """How well a summary is liked, beside others of the same text and length.

    What its sentences are worth is told as in the usual manner, whichever it was written in.
    """
    weights = _weights()[graded_as(growth.analysis.document.genre)]
    seen = features(growth, usual)
    return round(sum(weight * seen[name] for name, weight in weights.items()), _DECIMALS)


def graded_as(genre: str) -> str:
    """The kind of text with which summaries of a kind were graded: too few of the rarer ones were."""
    return genre if genre in (STORY, DIALOGUE) else ARTICLE


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    """For each kind of text with which summaries were graded, the weights of what is seen of them."""
    shipped = resources.files("mls").joinpath("assets", "judge", "wholes.json")
    weights: dict[str, dict[str, float]] = json.loads(shipped.read_text(encoding="utf-8"))
    return weights


@dataclass(frozen=True)
class _Seen:
    """The sentences of a summary in their order, with what is known of each."""

    growth: Growth
    worth: Scores  # of each sentence of the text, as in the usual manner
    gains: Gains  # of its moves, the same
    order: list[int]
    positions: NDArray[np.int64]  # among the prose
    told: NDArray[np.float64]  # how much of what it is worth each says
    words: list[list[str]]  # that are kept of each
    content: list[frozenset[str]]  # those of them that carry meaning


def features(growth: Growth, usual: Growth) -> dict[str, float]:
    """What is seen of a summary: numbers with names."""
    seen = _seen(growth, usual)
    return _of_worth(seen) | _of_places(seen) | _of_beginnings(seen) | _of_the_weakest(seen)


def _seen(growth: Growth, usual: Growth) -> _Seen:
    sentences = growth.analysis.document.sentences
    order = sorted(growth.forms)
    told = np.array([usual.worth[index] * growth.forms[index].share for index in order])
    words = []
    for index in order:
        are_words, keys = tuple(sentences[index].tokens.are_words), sentences[index].keys
        words.append([keys[token] for token in growth.forms[index].kept if are_words[token]])
    content = [growth.content(index).intersection(own) for index, own in zip(order, words, strict=True)]
    return _Seen(growth, usual.worth, usual.gains, order, np.searchsorted(_prose(growth), order), told, words, content)


def _prose(growth: Growth) -> list[int]:
    sentences = growth.analysis.document.sentences
    return [sentence.index for sentence in sentences if sentence.is_prose] or [0]


def _of_worth(seen: _Seen) -> dict[str, float]:
    """How much of what a text is worth it says, and how good its best and its last sentence are."""
    growth, worth, count = seen.growth, seen.worth, len(seen.order)
    ranked = sorted(_prose(growth), key=lambda index: (-worth[index], index))
    rank = {index: number for number, index in enumerate(ranked, 1)}
    ranks = [rank.get(index, len(ranked) + 1) for index in seen.order]
    return {
        "share of the best": float(seen.told.sum() / max(1e-9, worth[ranked[:count]].sum())),
        "rank of its best": 1 / min(ranks),
        "rank of its last": 1 / ranks[-1],
        "centrality": _centrality(growth, seen.order),
    }


def _centrality(growth: Growth, order: Sequence[int]) -> float:
    """How central its sentences are, beside the most central of the text."""
    analysis = growth.analysis
    asked = (head.raw for head in analysis.multiplex.heads if head.name == "centrality" and head.weight)
    central = next(asked, np.zeros(len(analysis.units)))[analysis.drafted :]
    return float(central[order].mean() / max(1e-9, central.max()))


def _of_places(seen: _Seen) -> dict[str, float]:
    """Where its sentences stand in the text, and how much of what it tells comes from where."""
    far = seen.positions / max(1, len(_prose(seen.growth)) - 1)
    told = seen.told / max(1e-9, float(seen.told.sum()))
    leaps = np.diff(seen.positions, prepend=-1)
    return {
        "told of the first fifth": float(told[far <= 0.2].sum()),
        "told up to the middle": float(told[(far > 0.2) & (far <= 0.5)].sum()),
        "has the second": float(1 in seen.positions),
        "leap to the last": math.log2(1 + leaps[-1]) if len(leaps) > 1 else 0.0,
        "last goes on": float(seen.growth.before[seen.order[-1]] in seen.growth.forms),
    }


def _of_beginnings(seen: _Seen) -> dict[str, float]:
    """Whether a text could begin with its sentences, and how much of what they say is new."""
    parses, sentences = seen.growth.ladders.parses, seen.growth.analysis.document.sentences
    opening = [parse.opening if (parse := parses[index]) is not None else 0.0 for index in seen.order]
    return {
        "least like an opening": float(min(opening)),
        "new words": len(frozenset().union(*seen.content)) / max(1, sum(map(len, seen.words))),
        "paragraphs": len({sentences[index].paragraph for index in seen.order}) / len(seen.order),
    }


def _of_the_weakest(seen: _Seen) -> dict[str, float]:
    """How good its weakest sentence is: how true its form is, whether it is understood, what a reader gains by it."""
    growth, order = seen.growth, seen.order
    understood = [growth.understood(index) for index in order]
    moves = [
        seen.gains.seen(index, growth.forms[index], order[:number], understood[number], False)
        for number, index in enumerate(order)
    ]
    return {
        "least sure": min(growth.forms[index].sure for index in order),
        "least understood": min(understood),
        "least gained": float(judged(moves).min().round(GAIN_DECIMALS)),
    }
