"""Are the reasons real? Take each away in turn and see how the summary changes."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import asdict, dataclass
from typing import Any

from mls.summarizer import Summarizer
from mls.summary import Summary


@dataclass(frozen=True)
class WithoutHead:
    """The summary if one head had no say and the others shared its weight."""

    head: str
    kept: int  # sentences that stay
    lost: tuple[int, ...]  # source sentences that go
    gained: tuple[int, ...]  # source sentences that come


@dataclass(frozen=True)
class WithoutSentence:
    """The summary if one chosen source sentence were not in the document."""

    sentence: int
    lost: tuple[int, ...]  # other source sentences that go with it
    gained: tuple[int, ...]  # what takes its place


@dataclass(frozen=True)
class Check:
    heads: tuple[WithoutHead, ...]
    sentences: tuple[WithoutSentence, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def check_reasons(summarizer: Summarizer, summary: Summary) -> Check:
    """Leave out each head, then each chosen source sentence, and summarize again."""
    heads = tuple(_without_head(summarizer, summary, name) for name in summary.weights if len(summary.weights) > 1)
    sentences = tuple(_without_sentence(summarizer, summary, index) for index in sorted(_chosen(summary)))
    return Check(heads, sentences)


def _chosen(summary: Summary) -> set[int]:
    return {span.sentence for sentence in summary.sentences for span in sentence.source}


def _without_head(summarizer: Summarizer, summary: Summary, name: str) -> WithoutHead:
    analysis = summarizer.reweigh(summary.analysis, _shared_out(summary.weights, name))
    before, after = _chosen(summary), _chosen(summarizer.write(analysis, summary.budget))
    return WithoutHead(name, len(before & after), tuple(sorted(before - after)), tuple(sorted(after - before)))


def _shared_out(weights: dict[str, float], dropped: str) -> dict[str, float]:
    """The others keep their proportions and sum to 1 again; where they can't, they become equal."""
    rest = {name: weight for name, weight in weights.items() if name != dropped}
    total = sum(rest.values())
    scaled = {name: weight / total for name, weight in rest.items()} if abs(total) > 1e-9 else {}
    if not scaled or any(abs(weight) > 1 for weight in scaled.values()):
        scaled = {name: 1 / len(rest) for name in rest}
    return {name: scaled.get(name, 0.0) for name in weights}


def _without_sentence(summarizer: Summarizer, summary: Summary, index: int) -> WithoutSentence:
    """The budget stays what it was for the whole document, whatever share of it that is now."""
    document = summary.document
    rest = [sentence for sentence in document.sentences if sentence.index != index]
    if not rest:
        return WithoutSentence(index, (), ())
    after = summarizer.summarize(document.blanked(index), f"{summary.limit} {summary.unit}")
    starts = [sentence.start for sentence in document.sentences]
    now = {bisect_right(starts, part.start) - 1 for sentence in after.sentences for part in sentence.source}
    before = _chosen(summary) - {index}
    return WithoutSentence(index, tuple(sorted(before - now)), tuple(sorted(now - before)))
