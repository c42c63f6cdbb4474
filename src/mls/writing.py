"""From the decoder's pieces to the text: order, joints, and what is said when no sentence fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from mls.budget import Budget, Measure
from mls.magnifier.decoder import Chances, Decoder, Material, Step
from mls.magnifier.draft import Piece
from mls.magnifier.shortening import Shortened, keyphrase, shorten
from mls.magnifier.units import Unit
from mls.summary import Reading, Span, Summary, SummarySentence
from mls.text import Document, count_words

_HARDLY_ENGLISH = 0.08  # share of function words below which the heads grope in the dark
_SHORTENED = 5  # best attended sentences that are tried before a keyphrase is


class Decoding(Protocol):
    """Decides which units go into a summary, and says why."""

    def run(self) -> tuple[list[Piece], list[Step]]: ...


MakeDecoding = Callable[[Material, Measure, int], Decoding]


def write(reading: Reading, budget: Budget, decoding: MakeDecoding = Decoder) -> Summary:
    """Decode one summary from what was read."""
    limit = budget.limit(reading.document)
    whole = document_length(reading.document, budget.measure)
    if limit >= whole and budget.measure.length(reading.document.text) <= limit:
        return _document_itself(reading, budget, limit, whole)
    pieces, steps = decoding(reading.material, budget.measure, limit).run()
    if pieces:
        text, sentences = _assemble(reading.document, pieces)
        return _summary(reading, budget, limit, text, sentences, steps, ())
    return _less_than_a_sentence(reading, budget, limit, steps)


def document_length(document: Document, measure: Measure) -> int:
    """The document's own length in the budget's unit."""
    if measure.unit == "tokens":
        return document.token_count
    return count_words(document.text) if measure.unit == "words" else len(document.text)


def desired_tokens(document: Document, budget: Budget) -> int:
    """The budget in tokens; words and characters are as long as they are in this document on average."""
    limit, measure = budget.limit(document), budget.measure
    return max(1, limit * document.token_count // document_length(document, measure))


def _assemble(document: Document, pieces: Sequence[Piece]) -> tuple[str, list[SummarySentence]]:
    """Put the pieces in source order; a new paragraph of the source starts a new line."""
    placed = sorted(((unit.anchor, piece.step, unit, piece) for piece in pieces for unit in piece.units), key=_order)
    text = ""
    paragraph = None
    sentences = []
    for anchor, step, unit, piece in placed:
        here = document.sentences[anchor].paragraph
        text += ("" if paragraph is None else " " if here == paragraph else "\n") + unit.text
        paragraph = here
        source = document.sentences[anchor]
        span = Span(anchor, source.start, source.end)
        reworded = unit.source is None
        sentences.append(SummarySentence(unit.text, piece.operation, (span,), step, unit.number, reworded))
    return text, sentences


def _order(placed: tuple[int, int, Unit, Piece]) -> tuple[int, int]:
    return placed[0], placed[1]


def _document_itself(reading: Reading, budget: Budget, limit: int, length: int) -> Summary:
    document = reading.document
    indices = range(len(document.sentences))
    chances = Chances(1.0, 1.0, None, 0.0, 1.0)
    first, left = reading.material.drafted, limit - length
    step = Step(0, "place", first, "document", "", chances, length, limit, left, tuple(indices), ())
    sentences = [
        SummarySentence(s.text, "document", (Span(s.index, s.start, s.end),), 0, first + s.index)
        for s in document.sentences
    ]
    return _summary(reading, budget, limit, document.text, sentences, [step], ("whole-document",))


def _less_than_a_sentence(reading: Reading, budget: Budget, limit: int, steps: list[Step]) -> Summary:
    """Shorten one of the best attended sentences; where even that is too long, give a keyphrase."""

    def fits(text: str) -> bool:
        return budget.measure.length(text) <= limit

    attention = reading.multiplex.attention
    ranked = sorted(reading.material.units, key=lambda unit: (-attention[unit.number], unit.number))
    for unit in ranked[:_SHORTENED]:
        form = shorten(unit.sentence, fits)
        if form:
            return _one_form(reading, budget, limit, steps, unit, form, "shorten")
    form = keyphrase(reading.document, fits)
    holder = next(s for s in reversed(reading.document.sentences) if s.start <= form.spans[0][0])
    return _one_form(reading, budget, limit, steps, reading.material.source(holder.index), form, "keyphrase")


def _one_form(
    reading: Reading, budget: Budget, limit: int, steps: list[Step], unit: Unit, form: Shortened, operation: str
) -> Summary:
    source = reading.document.sentences[unit.anchor]
    spans = form.spans if unit.source is not None else ((source.start, source.end),)
    needs = budget.measure.length(form.text)
    attention = float(reading.multiplex.attention[unit.number])
    chances = Chances(1.0, attention, None, 0.0, attention)
    left = limit - needs
    step = Step(len(steps), "shorten", unit.number, operation, "", chances, needs, limit, left, (unit.anchor,), ())
    sentence = SummarySentence(
        form.text,
        operation,
        tuple(Span(unit.anchor, start, end) for start, end in spans),
        step.number,
        unit.number,
        unit.source is None,
    )
    return _summary(reading, budget, limit, form.text, [sentence], [*steps, step], (_note(form, operation, reading),))


def _note(form: Shortened, operation: str, reading: Reading) -> str:
    if operation == "shorten":
        return "shortened"
    start, end = form.spans[0]
    cut = reading.document.text[end : end + 1].isalnum() and reading.document.text[start:end].isalnum()
    return "cut-word" if cut else "keyphrase"


def _summary(
    reading: Reading, budget: Budget, limit: int, text: str, sentences: Sequence[SummarySentence],
    steps: Sequence[Step], notes: tuple[str, ...],
) -> Summary:  # fmt: skip
    measure = budget.measure
    length = measure.length(text)
    whole = document_length(reading.document, measure)
    if any(sentence.reworded for sentence in sentences):
        notes = (*notes, "reworded")
    if reading.english < _HARDLY_ENGLISH:
        notes = (*notes, "unjudged")
    if budget.unit == "share" and budget.amount * whole < 1:
        notes = (*notes, "one-token")
    return Summary(text, budget, limit, length, whole, notes, tuple(sentences), tuple(steps), reading)
