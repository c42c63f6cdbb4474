"""A summary's reasons for a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from mls.explain.check import Check
from mls.magnifier.decoder import TOO_LONG, Choice
from mls.magnifier.manners import TOLD
from mls.prototype.base import Prototype
from mls.summary import NOTES, Summary, Why
from mls.text import tidy, without_controls

_MADE = {
    "brief": "shortened",
    "copy": "copied",
    "expand": "expanded",
    "shorten": "shortened",
    "keyphrase": "keyphrase",
    "title": "title",
    "document": "whole document",
}
_COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red")
_BAR = 24
_PASSED_SHOWN = 12


def print_explanation(summary: Summary, check: Check | None) -> None:
    """Print the summary, every sentence's reasons, the ledger, and what was passed over."""
    console = Console(highlight=False)
    for part in _parted(summary, check):
        console.print(part)


def to_text(summary: Summary, check: Check | None = None, width: int = 100) -> str:
    """The same as a text without colours, in lines of at most so many characters."""
    page = io.StringIO()
    console = Console(file=page, width=width, color_system=None, force_jupyter=False, highlight=False)
    for part in _parted(summary, check):
        console.print(part)
    return "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())


def _parted(summary: Summary, check: Check | None) -> Iterator[RenderableType]:
    """The parts of the explanation, with an empty line between any two."""
    for number, part in enumerate(_parts(summary, check)):
        yield from ("", part) if number else (part,)


def _parts(summary: Summary, check: Check | None) -> Iterator[RenderableType]:
    notes = (Text(f"note: {NOTES[code]}", style="italic") for code in summary.notes)
    title = f"Summary at {summary.budget}: {summary.length} of {summary.limit} {summary.unit}"
    yield _titled(title, *notes, _numbered(summary))
    if summary.notes != ("whole-document",):
        yield _titled("Why each sentence", _questions(summary))
        yield from (_why(summary, number) for number in range(len(summary.sentences)))
        yield _titled("Where the room went", _ledger(summary))
        yield _titled("Passed over", _passed(summary))
        if summary.choice and len(set(summary.choice.liked.values())) > 1:
            yield _titled("How it is written", _manner(summary.choice))
        if summary.prototype:
            yield _titled(f"The prototype, drafted by {summary.prototype.generator}", _prototype(summary.prototype))
    if check:
        yield _titled("Check: what changes without each reason", _checked(summary, check))


def _titled(title: str, *body: RenderableType) -> RenderableType:
    return Group(Text(title, style="bold underline"), *body)


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _numbered(summary: Summary) -> RenderableType:
    return Text(" ").join(
        Text.assemble((f"[{number + 1}] ", f"bold {_colour(number)}"), tidy(sentence.text))
        for number, sentence in enumerate(summary.sentences)
    )


def _manner(choice: Choice) -> RenderableType:
    """In which manner, and how well readers are likely to like it beside the others."""
    liked = sorted(choice.liked.items(), key=lambda one: -one[1])
    beside = ", ".join(f"{name} {value:.2f}" for name, value in liked)
    return Text(f"{choice.manner.name}: {TOLD[choice.manner.name]}\nliked, as far as readers are known: {beside}")


def _questions(summary: Summary) -> RenderableType:
    heads = summary.analysis.multiplex.heads
    lines = [f"{head.name}: {head.question}" for head in heads if head.weight]
    idle = ", ".join(head.name for head in heads if not head.weight)
    lines += [f"not counted here: {idle}"] if idle else []
    return Text("\n".join(lines), style="italic")


def _why(summary: Summary, number: int) -> RenderableType:
    why = summary.why(number)
    sentence = why.sentence
    positions = ", ".join(dict.fromkeys(str(span.sentence + 1) for span in sentence.source))
    title = Text()
    title.append(f"[{number + 1}] ", style=f"bold {_colour(number)}")
    title.append(f"{sentence.made} {positions} ", style="bold")
    title.append(f"at step {why.step.number + 1}, attention rank {why.rank} of {len(summary.document.sentences)}")
    reasons = [
        Text(f"    {line}")
        for line in (
            f"{why.step.reason}",
            *_who_is_named(summary, number),
            *_with(summary, number),
            *_without(summary, number),
        )
    ]
    return Group(title, *reasons, _heads(summary, why), _arithmetic(why))


def _with(summary: Summary, number: int) -> Iterator[str]:
    """Which sentences it came with, and which came with it, each with the word that needs them."""
    positions = {span.sentence for sentence in summary.sentences for span in sentence.source}
    own = {span.sentence for span in summary.sentences[number].source}
    for index in sorted(positions) if summary.analysis.leans else ():
        for lean in summary.analysis.leans[index]:
            on = next((other for other in (lean.on, *lean.also) if other in positions), None)
            if on is not None and not lean.droppable:
                if index in own and on not in own:
                    yield f"with sentence {on + 1}: {lean.why}"
                elif on in own and index not in own:
                    yield f"for sentence {index + 1}: {lean.why}"


def _who_is_named(summary: Summary, number: int) -> Iterator[str]:
    """Which words stand in the place of a pronoun, and how surely they are right."""
    for named in summary.sentences[number].named:
        sure = f", {named.sure:.2f} sure" if named.sure < 1 else ""
        yield f"{named.text!r} in the place of {summary.document.text[named.start : named.end]!r}{sure}"


def _without(summary: Summary, number: int) -> Iterator[str]:
    """What was left out of it, in the source's words."""
    for part in summary.sentences[number].dropped:
        yield f"without {part.role!r}: {tidy(summary.document.text[part.start : part.end])}"


def _heads(summary: Summary, why: Why) -> RenderableType:
    """One bar a head: its attention to this sentence, beside what an average sentence gets."""
    table = Table.grid(padding=(0, 1))
    heads = [head for head in summary.analysis.multiplex.heads if head.weight]
    highest = max((float(head.attention.max()) for head in heads), default=1.0)
    for share in (share for share in why.shares if share.weight):
        filled = round(_BAR * share.attention / highest)
        table.add_row(
            f"    {share.name}",
            Text("█" * filled + "·" * (_BAR - filled), style="green" if share.weight >= 0 else "red"),
            f"{share.weight:+.2f} x {share.attention:.4f} = {share.contribution:+.4f}",
        )
    return table


def _arithmetic(why: Why) -> RenderableType:
    total = sum(share.contribution for share in why.shares)
    if why.shift:  # a negative weight made a sum negative: all were shifted up before they were divided
        shifted = f"({total:.4f} / {len(why.shares)} + {-why.shift:.4f})"
        line = f"    attention = {shifted} / {why.total:.4f} = {why.attention:.4f}"
    else:
        line = f"    attention = their sum = {why.attention:.4f}"
    probabilities = why.step.probabilities
    if probabilities and probabilities.p_expand is not None:
        line += f"\n    P_c {probabilities.p_copy:.4f}, P_e {probabilities.p_expand:.4f}"
        line += f", alpha {probabilities.alpha:.4f}, p_o {probabilities.p_o:.4f}"
    return Text(line)


def _ledger(summary: Summary) -> RenderableType:
    table = Table(box=None, padding=(0, 2), pad_edge=False)
    for column in ("step", "operation", "source", "uses", "left"):
        table.add_column(column, justify="left" if column == "operation" else "right", style="default")
    for step in summary.steps:
        if step.operation != "pass":
            source = ", ".join(str(index + 1) for index in step.sources) or "prototype"
            table.add_row(str(step.number + 1), _MADE[step.operation], source, str(step.needs), str(step.room_after))
    return table


def _passed(summary: Summary) -> RenderableType:
    passed = [step for step in summary.steps if step.operation == "pass"]
    if not passed:
        return Text("nothing: every sentence that was considered went in")
    table = Table(box=None, padding=(0, 1), pad_edge=False, show_header=False, expand=True)
    table.add_column(justify="right", width=4)
    table.add_column(width=32)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for step in passed[:_PASSED_SHOWN]:
        unit = summary.analysis.units[step.unit]
        long = f"too long: needs {step.needs}, {step.room_before} left"
        reason = long if step.reason == TOO_LONG else step.reason
        table.add_row(str(unit.anchor + 1), reason, Text(tidy(unit.text)))
    more = len(passed) - _PASSED_SHOWN
    return Group(table, Text(f"and {more} more; --json lists them all")) if more > 0 else table


def _prototype(prototype: Prototype) -> RenderableType:
    """The draft; words that a network generated carry a mark, all others were copied."""
    text = Text()
    origins = [origin for sentence in prototype.sentences for origin in sentence.origins]
    for sentence in prototype.sentences:
        position = 0
        for origin in sentence.origins:
            text.append(without_controls(sentence.text[position : origin.start]))
            word = without_controls(origin.text)
            text.append(word + ("" if origin.source else "*"), style="" if origin.source else "italic")
            position = origin.start + len(origin.text)
        text.append(without_controls(sentence.text[position:]) + " ")
    if not origins:
        return text
    mean = sum(origin.p_gen for origin in origins) / len(origins)
    legend = f"* generated by the network, all others copied; mean p_gen {mean:.2f}. --json has every token's."
    return Group(text, Text(legend, style="dim"))


def _checked(summary: Summary, check: Check) -> RenderableType:
    lines = [f"without the head {it.head}: {_change(it.lost, it.gained, 'the same summary')}" for it in check.heads]
    lines += [
        f"without source sentence {it.sentence + 1}: {_change(it.lost, it.gained, 'only it is missing')}"
        for it in check.sentences
    ]
    return Text("\n".join(lines))


def _change(lost: Sequence[int], gained: Sequence[int], otherwise: str) -> str:
    parts = [f"{_named(lost)} out" if lost else "", f"{_named(gained)} in" if gained else ""]
    return ", ".join(part for part in parts if part) or otherwise


def _named(indices: Sequence[int]) -> str:
    """
    >>> _named([3]), _named([0, 8])
    ('sentence 4', 'sentences 1 and 9')
    """
    numbers = [str(index + 1) for index in indices]
    return f"sentence {numbers[0]}" if len(numbers) == 1 else f"sentences {', '.join(numbers[:-1])} and {numbers[-1]}"
