"""A summary and all its reasons."""

from __future__ import annotations

import html
import textwrap
from dataclasses import dataclass
from typing import Any

from mls.analysis import Analysis
from mls.budget import Budget
from mls.magnifier.decoder import Choice, Step
from mls.prototype.base import Prototype
from mls.recipe import Recipe
from mls.text import Document

NOTES = {
    "whole-document": "the budget holds the whole document, so the summary is the document",
    "shortened": "no whole sentence fits the budget, so one was shortened",
    "title": "the title says more than any sentence that fits the budget, so it is the summary",
    "keyphrase": "not even a shortened sentence fits the budget, so the answer is a keyphrase",
    "cut-word": "not even one word fits the budget, so the answer is the beginning of one",
    "reworded": "some sentences are in the words of the prototype network and may be wrong: check them",
    "one-token": "the share comes to less than one token, so one token was allowed",
    "not-spoken-of": "the text does not speak of what you asked, so the summary is the general one",
    "unjudged": "this is hardly English prose, so the judgement of the heads counts for little here",
}


@dataclass(frozen=True)
class Span:
    """A stretch of the document: characters `start` to `end`, in source sentence `sentence`."""

    sentence: int
    start: int
    end: int


@dataclass(frozen=True)
class Dropped:
    """A part of a source sentence that its form leaves out, and what it says: "when", "who that is", "aside"."""

    role: str
    start: int
    end: int


@dataclass(frozen=True)
class Named:
    """A pronoun, or half a name, in whose place other words of the document stand."""

    start: int  # of the pronoun
    end: int
    text: str  # what stands there
    by_start: int  # where these words are from
    by_end: int
    sure: float  # the probability that it is this one, of all that may be meant


@dataclass(frozen=True)
class SummarySentence:
    """A sentence of the summary, how it was made and from what."""

    text: str
    operation: str  # "copy", "brief", "expand", "shorten", "keyphrase", "title" or "document"
    source: tuple[Span, ...]
    step: int
    unit: int
    reworded: bool = False  # in the prototype's own words; `source` is where the source comes nearest
    dropped: tuple[Dropped, ...] = ()  # parts of the source sentence that were left out
    named: tuple[Named, ...] = ()  # pronouns of the source sentence in whose place a name stands

    @property
    def made(self) -> str:
        """How it was made, in words that a number of a source sentence can follow."""
        if self.reworded:
            return "worded by the prototype, nearest to source sentence"
        verbs = {"copy": "copied", "brief": "shortened", "expand": "expanded", "shorten": "shortened"}
        verb = "shortened" if self.dropped else verbs.get(self.operation, "taken")
        return f"{verb} from source sentence"


@dataclass(frozen=True)
class HeadShare:
    """What one head contributed to a sentence: weight x attention."""

    name: str
    question: str
    weight: float
    attention: float

    @property
    def contribution(self) -> float:
        return self.weight * self.attention


@dataclass(frozen=True)
class Why:
    """The reasons of one summary sentence: its step, and each head's share in its attention.

    `attention` = (sum of the shares' contributions / number of heads - shift) / total.
    """

    sentence: SummarySentence
    step: Step
    shares: tuple[HeadShare, ...]
    attention: float
    rank: int  # its position by attention among the source sentences, from 1
    shift: float
    total: float

    def __str__(self) -> str:
        positions = ", ".join(dict.fromkeys(str(span.sentence + 1) for span in self.sentence.source))
        heads = "; ".join(
            f"{share.name} {share.weight:+.2f} x {share.attention:.4f} = {share.contribution:+.4f}"
            for share in self.shares
        )
        when = f"at step {self.step.number + 1}, attention rank {self.rank}"
        return f"{self.sentence.made} {positions} {when}: {heads}"


@dataclass(frozen=True, eq=False)
class Summary:
    """A text within its budget, and everything it was decided by."""

    text: str
    budget: Budget
    limit: int
    length: int
    document_length: int
    notes: tuple[str, ...]  # codes, see NOTES
    sentences: tuple[SummarySentence, ...]
    steps: tuple[Step, ...]
    analysis: Analysis
    choice: Choice | None = None  # of the manner in which it was written, where there are any

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        beginning = textwrap.shorten(self.text, 60, placeholder=" ...")
        return f"<Summary {self.length} of {self.limit} {self.unit}: {beginning!r}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the text, and how much of the budget it takes."""
        text = html.escape(self.text)
        used = f"{self.length} of {self.limit} {self.unit}, from {self.document_length}"
        return f'<div><p style="white-space: pre-wrap">{text}</p><p><small>{used}</small></p></div>'

    # What tells of a summary stands above it, so it is imported only when somebody asks.

    def to_dict(self) -> dict[str, Any]:
        """All that decided it, as plain values: the object that `mls summarize --json` prints."""
        from mls.explain.as_json import to_dict

        return to_dict(self)

    def to_json(self) -> str:
        """The same as JSON: what `mls summarize --json` prints, without the newline at its end."""
        from mls.explain.as_json import to_json

        return to_json(self)

    def to_html(self) -> str:
        """A page that needs nothing else: source and summary side by side, with all reasons."""
        from mls.explain.as_html import to_html

        return to_html(self.to_dict())

    def explain(self, width: int = 100) -> str:
        """Why every sentence is there, what was passed over and where the room went, as plain text."""
        from mls.explain.as_text import to_text

        return to_text(self, width=width)

    @property
    def unit(self) -> str:
        return self.budget.measure.unit

    @property
    def fill(self) -> float:
        """How much of the budget is used."""
        return self.length / self.limit

    @property
    def weights(self) -> dict[str, float]:
        return {head.name: head.weight for head in self.analysis.multiplex.heads}

    @property
    def prototype(self) -> Prototype | None:
        return self.analysis.prototype

    @property
    def recipe(self) -> Recipe | None:
        """How it was made; a baseline's summary has none."""
        return self.analysis.recipe

    @property
    def document(self) -> Document:
        return self.analysis.document

    def why(self, index: int) -> Why:
        """Why the summary's sentence `index` is there."""
        sentence = self.sentences[index]
        joined = self.analysis.multiplex
        shares = tuple(
            HeadShare(head.name, head.question, head.weight, float(head.attention[sentence.unit]))
            for head in joined.heads
        )
        attention = float(joined.attention[sentence.unit])
        rank = 1 + int((joined.attention[self.analysis.drafted :] > attention).sum())
        return Why(sentence, self.steps[sentence.step], shares, attention, rank, joined.shift, joined.total)
