"""From the decoder's pieces to the text: order, joints, and what is said when no sentence fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, Protocol

from mls.analysis import Analysis
from mls.blocks import ANNOUNCEMENT, is_ended
from mls.budget import Budget, Measure
from mls.forms.names import Name
from mls.forms.parts import Part
from mls.magnifier.decoder import Choice, Decoder, Probabilities, Step
from mls.magnifier.draft import Line
from mls.magnifier.shortening import Shortened, keyphrase, shorten, talk
from mls.magnifier.titles import headings_above, stands_alone, title_instead
from mls.magnifier.units import Unit
from mls.magnifier.wholes import Preferred
from mls.stopwords import HARDLY_ENGLISH
from mls.summary import Dropped, Named, Span, Summary, SummarySentence
from mls.text import Document, Sentence, count_words, tidy

_WITH_HEADINGS = 4  # a summary of at least the fourth part may have headings,
_LEAST_ROOM = 0.5  # if they leave so much of the room to sentences
_SHORTENED = 5  # best attended sentences that are tried before a keyphrase is


class Decoding(Protocol):
    """Decides which units go into a summary, and says why."""

    @property
    def choice(self) -> Choice | None:
        """Of the manner, where there are any; known once it has run."""

    def run(self) -> tuple[list[Line], list[Step]]: ...


MakeDecoding = Callable[[Analysis, Measure, int], Decoding]


def write(analysis: Analysis, budget: Budget, decoding: MakeDecoding | None = None) -> Summary:
    """Decode one summary from what was read."""
    decoding = decoding or (Preferred if analysis.ladders else Decoder)
    limit = budget.limit(analysis.document)
    whole = document_length(analysis.document, budget.measure)
    if limit >= whole and not analysis.bans and budget.measure.length(analysis.document.text) <= limit:
        return _document_itself(analysis, budget, limit, whole)
    lines, steps, headings, choice = _decoded(analysis, budget.measure, limit, decoding)
    free = analysis.ladders and not analysis.pins  # what is pinned stays in
    title = title_instead(analysis.document, lines, budget.measure, limit) if free else None
    if title and title.index not in analysis.bans:
        form = Shortened(tidy(title.text), ((title.start, title.end),))
        return _one_form(analysis, budget, limit, steps[:0], analysis.source(title.index), form, "title")
    if lines:
        text, sentences = _assemble(analysis.document, lines, headings)
        return replace(_summary(analysis, budget, limit, text, sentences, steps, ()), choice=choice)
    return replace(_less_than_a_sentence(analysis, budget, limit, steps), choice=choice)


class _Decoded(NamedTuple):
    """What a decoder chose, and the headings above it."""

    lines: list[Line]
    steps: list[Step]
    headings: dict[int, Sentence]
    choice: Choice | None


def _decoded(analysis: Analysis, measure: Measure, limit: int, decoding: MakeDecoding) -> _Decoded:
    """What a decoder chooses, and the headings above it: where they are wanted, they have their room first."""

    def decoded(room: int) -> _Decoded:
        one = decoding(analysis, measure, room)
        lines, steps = one.run()
        return _Decoded(lines, steps, {}, one.choice)

    wanted = analysis.recipe is not None and analysis.recipe.headings and analysis.ladders is not None
    if not wanted or _WITH_HEADINGS * (limit + 1) <= document_length(analysis.document, measure):
        return decoded(limit)
    room, headings = limit, dict[int, Sentence]()
    while True:
        found = decoded(room)
        headings = headings_above(analysis.document, [line.unit.anchor for line in found.lines])
        needed = sum(measure.length(tidy(heading.text)) + measure.joint for heading in headings.values())
        if room + needed <= limit or not headings:
            return found._replace(headings=headings)
        if limit - needed <= _LEAST_ROOM * limit:
            return decoded(limit)
        room = limit - needed if limit - needed < room else room - 1


def document_length(document: Document, measure: Measure) -> int:
    """The document's own length in the budget's unit."""
    if measure.unit == "tokens":
        return document.token_count
    return count_words(document.text) if measure.unit == "words" else len(document.text)


def desired_tokens(document: Document, budget: Budget) -> int:
    """The budget in tokens; words and characters are as long as they are in this document on average."""
    limit, measure = budget.limit(document), budget.measure
    return max(1, limit * document.token_count // document_length(document, measure))


def _assemble(
    document: Document, lines: Sequence[Line], headings: Mapping[int, Sentence]
) -> tuple[str, list[SummarySentence]]:
    """Put the lines in source order, as running text, with headings on lines of their own above them."""
    text = ""
    sentences = []
    placed = sorted(lines, key=lambda line: (line.unit.anchor, line.step))
    joints = _joints(document, [line.unit for line in placed])
    if any(sentence.speaker for sentence in document.sentences):
        placed, joints = _turns(document, placed)
    for joint, line in zip(joints, placed, strict=True):
        anchor = line.unit.anchor
        if heading := headings.get(anchor):
            text += ("\n" if text else "") + tidy(heading.text)
            joint = "\n"
        text += joint + line.text
        spans = tuple(Span(anchor, start, end) for start, end in line.spans)
        reworded = line.unit.source is None
        parts = (_dropped(document.sentences[anchor], part) for part in line.dropped)
        dropped = tuple(sorted(parts, key=lambda part: (part.start, part.end)))
        named = tuple(_named(document.sentences[anchor], *placed) for placed in line.names)
        unit = line.unit.number
        sentences.append(SummarySentence(line.text, line.operation, spans, line.step, unit, reworded, dropped, named))
    return text, sentences


def _dropped(sentence: Sentence, part: Part) -> Dropped:
    return Dropped(part.role, sentence.tokens[min(part.tokens)].start, sentence.tokens[max(part.tokens)].end)


def _named(sentence: Sentence, place: int, name: Name) -> Named:
    token = sentence.tokens[place]
    return Named(token.start, token.end, name.instead_of(place), name.start, name.end, name.sure)


def _turns(document: Document, placed: Sequence[Line]) -> tuple[list[Line], list[str]]:
    """A line for each turn of a dialogue; who goes on speaking is named once."""
    lines: list[Line] = []
    joints: list[str] = []
    speaker = None
    for line in placed:
        said = document.sentences[line.unit.anchor].speaker
        goes_on = bool(lines) and said == speaker
        text = line.text.removeprefix(f"{said}: ") if goes_on else line.text
        ended = bool(lines) and is_ended(lines[-1].text)
        lines.append(replace(line, text=text))
        joints.append("" if not joints else " " if goes_on and ended else "\n")
        speaker = said
    return lines, joints


_A_PARAGRAPH = 3  # sentences


def _joints(document: Document, units: Sequence[Unit]) -> list[str]:
    """What stands before each sentence: a space, or a line's end where a paragraph of the summary's own is full.

    News has a paragraph for every sentence, and a summary that breaks with them falls apart; so a new
    one begins only where the source begins one, too, and enough has been said for one.
    """
    joints = [""] * bool(units)
    anchors = {unit.anchor for unit in units}
    since = 1
    for position, (before, here) in enumerate(pairwise(units), start=1):
        first, second = document.sentences[before.anchor], document.sentences[here.anchor]
        new = second.paragraph != first.paragraph
        breaks = first.sums_up != second.sums_up
        breaks |= new and since >= _A_PARAGRAPH and len(units) - position >= _A_PARAGRAPH - 1
        breaks |= stands_alone(document, here) or stands_alone(document, before) or not is_ended(before.text)
        breaks |= new and bool((anchors & {first.listed, second.listed}) or second.kind == ANNOUNCEMENT)
        joints.append("\n" if breaks else " ")
        since = 1 if breaks else since + 1
    return joints


def _document_itself(analysis: Analysis, budget: Budget, limit: int, length: int) -> Summary:
    document = analysis.document
    indices = range(len(document.sentences))
    first, left = analysis.drafted, limit - length
    step = Step(0, "place", first, "document", "", None, length, limit, left, tuple(indices), ())
    sentences = [
        SummarySentence(s.text, "document", (Span(s.index, s.start, s.end),), 0, first + s.index)
        for s in document.sentences
    ]
    return _summary(analysis, budget, limit, document.text, sentences, [step], ("whole-document",))


def _less_than_a_sentence(analysis: Analysis, budget: Budget, limit: int, steps: list[Step]) -> Summary:
    """Shorten one of the best attended sentences; where even that is too long, give a keyphrase."""

    def fits(text: str) -> bool:
        return budget.measure.length(text) <= limit

    attention = analysis.multiplex.attention
    allowed = [unit for unit in analysis.units if unit.anchor not in analysis.bans]
    ranked = sorted(allowed, key=lambda unit: (-attention[unit.number], unit.number))
    for unit in ranked[:_SHORTENED] if analysis.ladders is None else ():
        form = shorten(analysis.document.sentences[unit.anchor], fits)
        if form:
            return _one_form(analysis, budget, limit, steps, unit, form, "shorten")
    rest = tuple(sentence for sentence in analysis.document.sentences if sentence.index not in analysis.bans)
    spoken = replace(analysis.document, sentences=rest)
    if analysis.ladders:
        is_noun = analysis.ladders.is_noun
        form = talk(spoken, fits, is_noun) or keyphrase(spoken, fits, is_noun)
    else:
        form = keyphrase(spoken, fits)
    holder = _holder(analysis.document, form.spans[0][0])
    return _one_form(analysis, budget, limit, steps, analysis.source(holder), form, "keyphrase")


def _holder(document: Document, position: int) -> int:
    """The sentence in which a character stands."""
    return next(s.index for s in reversed(document.sentences) if s.start <= position)


def _one_form(
    analysis: Analysis, budget: Budget, limit: int, steps: list[Step], unit: Unit, form: Shortened, operation: str
) -> Summary:
    needs = budget.measure.length(form.text)
    attention = float(analysis.multiplex.attention[unit.number])
    probabilities = Probabilities(1.0, attention, None, 0.0, attention)
    left = limit - needs
    stage = "title" if operation == "title" else "shorten"
    step = Step(len(steps), stage, unit.number, operation, "", probabilities, needs, limit, left, (unit.anchor,), ())
    sentence = SummarySentence(
        form.text,
        operation,
        tuple(Span(_holder(analysis.document, start), start, end) for start, end in form.spans),
        step.number,
        unit.number,
    )
    return _summary(analysis, budget, limit, form.text, [sentence], [*steps, step], (_note(form, operation, analysis),))


def _note(form: Shortened, operation: str, analysis: Analysis) -> str:
    if operation in ("shorten", "title"):
        return {"shorten": "shortened"}.get(operation, operation)
    start, end = form.spans[0]
    cut = analysis.document.text[end : end + 1].isalnum() and analysis.document.text[start:end].isalnum()
    return "cut-word" if cut else "keyphrase"


def _summary(
    analysis: Analysis, budget: Budget, limit: int, text: str, sentences: Sequence[SummarySentence],
    steps: Sequence[Step], notes: tuple[str, ...],
) -> Summary:  # fmt: skip
    measure = budget.measure
    length = measure.length(text)
    whole = document_length(analysis.document, measure)
    if any(sentence.reworded for sentence in sentences):
        notes = (*notes, "reworded")
    if analysis.is_beside_the_point:
        notes = (*notes, "not-spoken-of")
    if analysis.english < HARDLY_ENGLISH:
        notes = (*notes, "unjudged")
    if budget.unit == "share" and budget.amount * whole < 1:
        notes = (*notes, "one-token")
    return Summary(text, budget, limit, length, whole, notes, tuple(sentences), tuple(steps), analysis)
