"""Blocks of a PDF: its lines put together to paragraphs, headings, captions, notes and so on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mls.files.pdf_kinds import BULLET, ENDED, FOOT, ITEM, LARGER, SECTION, Telling, Usual
from mls.files.pdf_lines import Line

_MOST_ABOVE_TITLE = 12  # words
_FEWEST_WORDS_OF_TEXT = 25  # in the first paragraph below a title
_MOST_BYLINES = 12
_BETWEEN_CELLS = 0.8  # of the size of type, at least
_FLOATS = {"caption", "footnote", "table-row", "boilerplate"}  # what a paragraph goes on behind
_IN_RUNS = {"list-item", "table-row", "boilerplate"}
_WORD = re.compile(r"\w+(?:-\w+)*")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uff01-\uff5e]{2}")  # scripts without spaces between words
_DIVIDED = re.compile(r"(\w+)-$")


@dataclass(frozen=True)
class Block:
    """Lines that belong together, with the kind that they have."""

    kind: str | None
    lines: tuple[Line, ...]
    run: int = 0  # the list or table it belongs to

    @property
    def size(self) -> float:
        return self.lines[0].size


def blocks_of(lines: Sequence[Line]) -> list[Block]:
    """The blocks of a document in their order; what interrupts a paragraph stands behind it."""
    if not lines:
        return []
    told = Telling(lines)
    return _with_lists(_with_title(list(_put_together(told)), told.usual))


def _put_together(told: Telling) -> Iterator[Block]:
    text: list[int] = []  # the paragraph that is being read
    others: list[list[int]] = []  # what interrupts it, or follows
    for position, kind in enumerate(told.kinds):
        if kind is None:
            if not text or told.begins(position, text[-1]):
                yield from _finished(told, text, others)
                text, others = [], []
            text.append(position)
        elif others and told.kinds[others[-1][-1]] == kind and not _is_apart(told, position, others[-1][-1]):
            others[-1].append(position)
        else:
            if kind not in _FLOATS:
                yield from _finished(told, text, others)
                text, others = [], []
            others.append([position])
    yield from _finished(told, text, others)


def _is_apart(told: Telling, position: int, before: int) -> bool:
    goes_over = told.kinds[position] in ("reference", "list-item")  # from column to column
    return (before != position - 1 and not goes_over) or told.begins(position, before)


def _finished(told: Telling, text: list[int], others: list[list[int]]) -> Iterator[Block]:
    for positions in ([text] if text else []) + others:
        yield Block(told.kinds[positions[0]], tuple(told.lines[position] for position in positions))


def _with_title(blocks: list[Block], usual: Usual) -> list[Block]:
    """Blocks in which the title is told from other headings, and the names below it from the text."""
    page = blocks[0].lines[0].page
    headings = [
        position for position, block in enumerate(blocks) if block.kind == "heading" and block.lines[0].page == page
    ]
    large = [
        position
        for position in headings
        if blocks[position].size >= LARGER * usual.size and _is_in_upper_half(blocks[position])
    ]
    title = max(large, key=lambda position: blocks[position].size, default=0 if headings[:1] == [0] else None)
    if title is None:
        return blocks
    above = [_if_short(block, "boilerplate") for block in blocks[:title]]
    below = blocks[title + 1 :]
    names = _count_names(below)
    named = [name for block in below[:names] for name in _as_names(block)]
    return [*above, replace(blocks[title], kind="title"), *named, *below[names:]]


def _is_in_upper_half(block: Block) -> bool:
    return block.lines[0].base > (1 - FOOT) * block.lines[0].height


def _words(block: Block) -> int:
    return sum(len(line.text.split()) for line in block.lines)


def _if_short(block: Block, kind: str) -> Block:
    return replace(block, kind=kind) if block.kind is None and _words(block) <= _MOST_ABOVE_TITLE else block


def _count_names(blocks: Sequence[Block]) -> int:
    """How many of the blocks below a title say who wrote it, and when: those before the text or a section begins."""
    for count, block in enumerate(blocks[: _MOST_BYLINES + 1]):
        text = block.lines[-1].text
        section = block.kind == "heading" and (SECTION.fullmatch(text) or _is_flush(block))
        if section or block.kind in ("list-item", "code", "boilerplate", "caption"):
            return count
        ended = bool(ENDED.search(text)) and len(block.lines[0].text.split()) > 2
        if block.kind is None and (ended or _words(block) >= _FEWEST_WORDS_OF_TEXT):
            above = blocks[count - 1] if count else None
            return count - 1 if above and above.kind == "heading" else count
    return 0


def _is_flush(block: Block) -> bool:
    """Whether a heading begins at the margin, as those of sections do; names below a title stand in the middle."""
    line = block.lines[0]
    return line.left - line.column[0] < line.size / 2


def _as_names(block: Block) -> list[Block]:
    return [block] if block.kind == "footnote" else [Block("byline", (line,)) for line in block.lines]


def _with_lists(blocks: Iterable[Block]) -> list[Block]:
    """Blocks in which paragraphs with numbers that follow upon each other are items, and lists and tables runs."""
    found = list(blocks)
    numbers = [_number(block) for block in found]
    for position, (one, other) in enumerate(pairwise(numbers)):
        if one is not None and other == one + 1:
            found[position] = replace(found[position], kind="list-item")
            found[position + 1] = replace(found[position + 1], kind="list-item")
    run = 1
    for position, block in enumerate(found):
        goes_on = position > 0 and found[position - 1].kind == block.kind
        run += not goes_on
        found[position] = replace(block, run=run if block.kind in _IN_RUNS else 0)
    return found


def _number(block: Block) -> int | None:
    """The number with which a paragraph begins; a letter counts as its position in the alphabet."""
    match = ITEM.match(block.lines[0].text) if block.kind is None else None
    if match is None:
        return None
    return int(match[1]) if match[1].isdigit() else ord(match[1]) - ord("a") + 1


def text_of(block: Block, known: Collection[str] = ()) -> str:
    """What a block says; `known` are words of the document, by which divided words are made whole."""
    if block.kind == "code":
        return _code(block.lines)
    if block.kind == "table-row":
        return "; ".join(block.lines[0].split(_BETWEEN_CELLS))
    text = joined([line.text for line in block.lines], known)
    return BULLET.sub("", text, count=1) if block.kind == "list-item" else text


def _code(lines: Sequence[Line]) -> str:
    """Lines of code, as far in as they stand on the page."""
    margin = min(line.left for line in lines)
    width = max((line.right - line.left) / len(line.text) for line in lines) or 1.0
    return "\n".join(" " * min(80, round((line.left - margin) / width)) + line.text for line in lines)


def words_of(lines: Iterable[Line]) -> frozenset[str]:
    return frozenset(word for line in lines for word in _WORD.findall(line.text.lower()))


def joined(lines: Iterable[str], known: Collection[str] = ()) -> str:
    """Lines as one, words divided at a line's end made whole.

    A hyphen that belongs to its word stays: before a capital or a number, and where the document writes the word so.

    >>> joined(["It rained on the har-", "bour, a well-", "known place."], {"well-known"})
    'It rained on the harbour, a well-known place.'
    """
    whole = ""
    for line in lines:
        divided = _DIVIDED.search(whole)
        after = _WORD.match(line)
        if divided and after:
            first, second = divided[1].lower(), after[0].lower()
            stays = not line[0].islower() or (f"{first}-{second}" in known and first + second not in known)
            whole = whole + line if stays else whole[:-1] + line
        else:
            whole = (whole + line if _UNSPACED.search(whole[-1:] + line[:1]) else f"{whole} {line}").strip()
    return whole
