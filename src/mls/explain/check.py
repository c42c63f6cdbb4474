"""Are the reasons real? Take each away in turn and see how the summary changes."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import asdict, dataclass
from typing import Any

from mls.errors import MlsError
from mls.summarizer import Summarizer
from mls.summary import Summary
from mls.text import Document


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


@dataclass(frozen=True)
class WhyNot:
    """What the summary would be if a source sentence were decided on: without one that is in, with one that is not."""

    sentence: int
    inside: bool
    lost: tuple[int, ...]  # other source sentences that would go,
    gained: tuple[int, ...]  # and those that would come
    enters: str | None  # the least length found at which one that is out comes in by itself; None: never, as a dateline
    pinned: str | None  # why one that is out can't be pinned here, if it can't


def why_not(summarizer: Summarizer, summary: Summary, index: int) -> WhyNot:
    """Decide on one sentence in the reader's place and see what changes: nothing has to be read again."""
    analysis, before = summary.analysis, _chosen(summary)
    count = len(summary.document.sentences)
    if not 0 <= index < count:
        raise MlsError(f"there is no sentence {index}; the text has {count}, from 0 to {count - 1}")
    inside = index in before
    pins, bans = [one for one in analysis.pins if one != index], [one for one in analysis.bans if one != index]
    now, error_of_pin = before, None
    try:
        marked = summarizer.mark(analysis, pins if inside else [*pins, index], [*bans, index] if inside else bans)
        now = _chosen(summarizer.write(marked, summary.budget))
    except MlsError as error:
        error_of_pin = str(error)
    enters = None if inside else _entering(summarizer, summary, index)
    lost, gained = sorted(before - now - {index}), sorted(now - before - {index})
    return WhyNot(index, inside, tuple(lost), tuple(gained), enters, error_of_pin)


_FINER = 6  # lengths that are tried between one at which it is out and twice that


def _entering(summarizer: Summarizer, summary: Summary, index: int) -> str | None:
    """A length at which a sentence comes in, near the least there is; None where only the whole document has it."""

    def has(limit: int) -> bool:
        return index in _chosen(summarizer.write(summary.analysis, f"{limit} {summary.unit}"))

    longest = summary.document_length - 1  # at its full length a summary is the document, with all that stands in it
    below = above = summary.limit
    while not has(above):
        if above >= longest:
            return None
        below, above = above, min(2 * above, longest)
    for _ in range(_FINER if above > below else 0):
        middle = (below + above) // 2
        below, above = (below, middle) if has(middle) else (middle, above)
    return f"{above} {summary.unit}"


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


def _as_made(summarizer: Summarizer, summary: Summary, document: Document) -> Summary:
    """The summary of another document by the recipe of this one, with the pins and bans that still mean something."""
    recipe = summary.recipe or summarizer.recipe
    again = summarizer if recipe == summarizer.recipe else Summarizer(recipe)
    positions = {sentence.start: sentence.index for sentence in document.sentences}
    starts = [sentence.start for sentence in summary.document.sentences]
    pins, bans = ([positions[starts[i]] for i in marks if starts[i] in positions]
                  for marks in (summary.analysis.pins, summary.analysis.bans))  # fmt: skip
    return again.summarize(document, f"{summary.limit} {summary.unit}", pin=pins, ban=bans)


def _without_sentence(summarizer: Summarizer, summary: Summary, index: int) -> WithoutSentence:
    """The budget stays what it was for the whole document, whatever share of it that is now."""
    document = summary.document
    rest = [sentence for sentence in document.sentences if sentence.index != index]
    if not rest:
        return WithoutSentence(index, (), ())
    after = _as_made(summarizer, summary, document.without(index))
    starts = [sentence.start for sentence in document.sentences]
    now = {bisect_right(starts, part.start) - 1 for sentence in after.sentences for part in sentence.source}
    before = _chosen(summary) - {index}
    return WithoutSentence(index, tuple(sorted(before - now)), tuple(sorted(now - before)))
