"""Subtitles (.srt, .vtt): what is said as running text, without numbers and times; who says it where that is told."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mls.errors import MlsError
from mls.files.marked import Blocks, Mark, MarkedText
from mls.files.plain import decode

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
_TIMES = re.compile(rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}")
_UNSPOKEN = re.compile(r"(?:NOTE|STYLE|REGION|WEBVTT)(?:[ \t]|$)")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?[ \t]+([^>]{1,80})>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,200}>|\{\\[^{}]{0,100}\}")
_NAME = re.compile(
    r"(?:[-–—][ \t]*|>>+[ \t]*)?((?:[A-ZÀ-Þ][A-ZÀ-Þ0-9.'’-]*)(?:[ \t]+[A-ZÀ-Þ0-9][A-ZÀ-Þ0-9.'’-]*){0,3}|"
    r"[A-ZÀ-Þ][a-zß-ÿ.'’-]+(?:[ \t]+[A-ZÀ-Þ][a-zß-ÿ.'’-]*){0,2})[ \t]*(?:\([^)]{1,30}\)|\[[^\]]{1,30}\])?:(?=[ \t]|$)[ \t]*"
)
_DASH = re.compile(r"(?:[-–—]|>>+)[ \t]*(?=\S)")
_SOUND = re.compile(r"[ \t]*(?:\[[^\]]*\]|\([^)]*\)|[♪♫#*][^♪♫]*[♪♫#*]?)[ \t]*$")
_PAUSE = 4.0  # seconds after which a new paragraph begins
_SCROLL = 1.0  # seconds within which the same line again is the old one, moved up


@dataclass(frozen=True)
class _Cue:
    start: float
    end: float
    lines: tuple[str, ...]


@dataclass(frozen=True)
class _Turn:
    """What one speaker says before the next; `speaker` is "" where nobody is named."""

    speaker: str
    text: str
    end: float


def read(data: bytes, name: str, characters: int) -> MarkedText:
    cues = list(_cues(decode(data, name)))
    if not cues:
        raise MlsError(f"{name} holds no subtitles: there is no line such as 00:00:01,000 --> 00:00:04,000")
    blocks = Blocks()
    speaks = False
    for turn, is_dialogue in _turns(_without_scrolling(cues)):
        speaks |= is_dialogue
        label = f"{turn.speaker}:" if turn.speaker else ""
        marks = (Mark(0, len(label), "speaker"),) if label else ()
        blocks.include(MarkedText(f"{label} {turn.text}".strip(), marks))
    return blocks.whole("dialogue" if speaks else None)
