"""Subtitles (.srt, .vtt): what is said as running text, without numbers and times; who says it where that is told."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from mls.errors import MlsError
from mls.files.marked import Blocks, Mark, MarkedText
from mls.files.plain import decode

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
_TIMES = re.compile(rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}")
_UNSPOKEN = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t]|$)")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?[ \t]+([^>]{1,80})>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,200}>|\{\\[^{}]{0,100}\}")
_NEW_SPEAKER = re.compile(r"(?:[-–—]|>>+)[ \t]*(?=\S)")
_CAPITAL, _SMALL = "A-ZÀ-ÖØ-Þ", "a-zß-öø-ÿ"
_NAME = re.compile(
    rf"([{_CAPITAL}][{_CAPITAL}{_SMALL}.'’-]*(?:[ \t]+[{_CAPITAL}0-9][{_CAPITAL}{_SMALL}0-9.'’-]*){{0,3}})"
    r"(?:[ \t]*[(\[][^)\]]{1,30}[)\]])?[ \t]*:(?=[ \t]|$)"
)
_SOUND = re.compile(r"(?:\[[^\]]*\]|\([^)]*\)|[♪♫][^♪♫]*[♪♫]?)[.,!?]*$")
_ENDED = re.compile(r"[.!?…][\"'”’)]*$")
_PAUSE = 4.0  # seconds after which a new paragraph begins
_SCROLL = 1.0  # seconds within which a line that is shown again has only moved up


@dataclass(frozen=True)
class _Cue:
    start: float
    end: float
    lines: tuple[str, ...]


@dataclass(frozen=True)
class _Said:
    """A piece of what is said. `speaker` is None where whoever spoke before goes on, "" where nobody is named."""

    text: str
    speaker: str | None
    start: float
    end: float


def read(data: bytes, name: str, characters: int) -> MarkedText:
    cues = _cues(decode(data, name))
    if not cues:
        raise MlsError(f"{name} holds no subtitles: there is no line such as 00:00:01,000 --> 00:00:04,000")
    cues = _without_scrolling(cues)
    names = _names(cues)
    said = [piece for cue in cues for piece in _said(cue, names)]
    return _put_together(said)


def _cues(text: str) -> list[_Cue]:
    lines = text.splitlines()
    is_web = text.startswith("WEBVTT")
    times = [(position, match) for position, line in enumerate(lines) if (match := _TIMES.match(line))]
    ends = [*(position for position, _ in times[1:]), len(lines)]
    found = []
    for (position, match), end in zip(times, ends, strict=False):
        start, stop = (_seconds(match.groups()[part : part + 4]) for part in (0, 4))
        found.append(_Cue(start, stop, tuple(_spoken(lines[position + 1 : end], is_web, end == len(lines)))))
    return found


def _seconds(parts: Sequence[str | None]) -> float:
    hours, minutes, seconds, rest = (part or "0" for part in parts)
    return 3600 * int(hours) + 60 * int(minutes) + int(seconds) + int(rest.ljust(3, "0")) / 1000


def _spoken(lines: Sequence[str], is_web: bool, is_last: bool) -> Iterator[str]:
    """The lines of a cue, of all that stand between its times and the next; the next one's number is none of them."""
    blocks = [list(group) for empty, group in groupby(lines, key=lambda line: not line.strip()) if not empty]
    if is_web:
        blocks = blocks[:1] if lines and lines[0].strip() else []
    elif not is_last and blocks and blocks[-1][-1].strip().isdigit():
        del blocks[-1][-1]
    for line in (line for block in blocks if not _UNSPOKEN.match("".join(block[:1])) for line in block):
        shown = " ".join(html.unescape(_TAG.sub(_kept, line)).split())
        if shown and not _SOUND.match(shown):
            yield shown


def _kept(tag: re.Match[str]) -> str:
    """Of all tags only that of a speaker is needed further on, as a character that no text has."""
    voice = _VOICE.fullmatch(tag[0])
    return f"\x01{voice[1]}\x02" if voice else ""


def _without_scrolling(cues: Sequence[_Cue]) -> list[_Cue]:
    """Cues without the lines that stood in the cue before and are still there, or that only grew."""
    found: list[_Cue] = []
    before: _Cue | None = None
    for cue in cues:
        lines = cue.lines
        if before is not None and cue.start - before.end <= _SCROLL:
            lines = lines[_overlap(before.lines, lines) :]
            if lines and found and found[-1].lines and _has_grown(found[-1].lines[-1], lines[0]):
                found[-1] = replace(found[-1], lines=found[-1].lines[:-1])
        if lines:
            found.append(replace(cue, lines=lines))
        before = cue
    return found


def _overlap(before: Sequence[str], lines: Sequence[str]) -> int:
    shared = range(min(len(before), len(lines)), 0, -1)
    return next((count for count in shared if tuple(before[-count:]) == tuple(lines[:count])), 0)


def _has_grown(short: str, long: str) -> bool:
    return len(long) > len(short) and long.startswith(short) and long[len(short)] == " "


def _names(cues: Sequence[_Cue]) -> frozenset[str]:
    """Who speaks: whatever stands before a colon in capitals, or more than once."""
    labels = Counter(
        match[1] for cue in cues for line in cue.lines if (match := _NAME.match(_NEW_SPEAKER.sub("", line, count=1)))
    )
    return frozenset(label for label, count in labels.items() if count > 1 or (label.isupper() and len(label) > 1))


def _said(cue: _Cue, names: frozenset[str]) -> Iterator[_Said]:
    for line in cue.lines:
        first, *voices = line.split("\x01")
        yield from _unvoiced(first.strip(), cue, names)
        for voice in voices:
            speaker, _, text = voice.partition("\x02")
            yield _Said(text.strip(), speaker.strip(), cue.start, cue.end)


def _unvoiced(line: str, cue: _Cue, names: frozenset[str]) -> Iterator[_Said]:
    changes = _NEW_SPEAKER.match(line)
    text = line[changes.end() :] if changes else line
    name = _NAME.match(text)
    if name and name[1] in names:
        yield _Said(text[name.end() :].strip(), name[1], cue.start, cue.end)
    elif text:
        yield _Said(text, "" if changes else None, cue.start, cue.end)


def _put_together(said: Sequence[_Said]) -> MarkedText:
    """What one speaker says as one block, with the name before it; a pause begins a new block."""
    blocks = Blocks()
    speaker, label, words, end = "", "", "", 0.0
    for piece in said:
        changes = piece.speaker is not None and (piece.speaker != speaker or not piece.speaker)
        pauses = piece.start - end > _PAUSE and bool(_ENDED.search(words))
        if changes or pauses:
            _add(blocks, label, words)
            words = ""
            speaker = speaker if piece.speaker is None else piece.speaker
            label = speaker if changes else ""
        words = f"{words} {piece.text}".strip()
        end = piece.end
    _add(blocks, label, words)
    return blocks.whole("dialogue" if any(piece.speaker is not None for piece in said) else None)


def _add(blocks: Blocks, speaker: str, words: str) -> None:
    if words and speaker:
        blocks.include(MarkedText(f"{speaker}: {words}", (Mark(0, len(speaker) + 1, "speaker"),)))
    else:
        blocks.add(words)
