"""Kinds of text: an article, a dialogue, mails, a contract, a paper, instructions, notes. Recognised, or told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from mls.blocks import LIST_ITEM

ARTICLE, STORY, DIALOGUE, MAIL, LEGAL, PAPER, INSTRUCTIONS, NOTES = (
    "article", "story", "dialogue", "mail", "legal", "paper", "instructions", "notes",
)  # fmt: skip
RUNNING = frozenset((ARTICLE, STORY))  # running text, told by sentences
TERSE = frozenset((DIALOGUE, MAIL, INSTRUCTIONS, NOTES))  # where a few words may say all
GENRES = (ARTICLE, STORY, DIALOGUE, MAIL, LEGAL, PAPER, INSTRUCTIONS, NOTES)
_CLOCK = r"[\[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[APap]\.?[Mm]\.?)?[\])]?"
_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
STAMP = re.compile(rf"\s*(?:[\[(]?(?:{_DATE},?\s*)?{_CLOCK}(?:,?\s*{_DATE})?[\])]?\s*[-–]?\s*)")
TURN = re.compile(
    rf"""\s*(?:[\[(]?(?:{_DATE},?\s*)?{_CLOCK}[\])]?\s*[-–]?\s*)?
         (?P<speaker>[<\[(]?[^\W\d_][\w.'’&-]*(?:\ [\w.'’()&-]+){{0,4}}[>\])]?)
         (?:\s*[\[(]{_CLOCK}[\])])?\s*(?::|>)\s+(?=\S)""",
    re.X,
)
# Who speaks, alone on a line: with the time, as chats have it, or with a colon.
ALONE = re.compile(
    rf"\s*(?P<speaker>[^\W\d_][\w.'’-]*(?:\ [A-Z][\w.'’-]*){{0,3}})"
    rf"(?:\s*:|,?\s+[\[(]?(?:{_DATE},?\s*)?{_CLOCK}[\])]?)\s*\Z"
)
_FEWEST_TURNS = 4
_MAIL = re.compile(r"^\s*(?:from|to|subject|sent|date|cc)\s*:\s", re.I)
CLAUSE = re.compile(r"^\s*(?:\d+(?:\.\d+)*\.?|\([a-z0-9]{1,4}\)|(?:article|section|clause)\s+\d+)\s", re.I)
_SHALL = re.compile(r"\b(?:shall|herein|hereby|hereinafter|thereof|part(?:y|ies)|agreement|liable|pursuant)\b", re.I)
_ABSTRACT = re.compile(
    r"^\s*(?:\d+(?:\.\d+)*\.?\s+)?(?:abstract|introduction|background|related work|references|conclusions?|"
    r"discussion|results|(?:materials and )?methods?)\b[\s.:—-]*\Z",
    re.I,
)
_STEP = re.compile(
    r"^\s*(?:step\s*)?(?:\d+[.):]|[-*•])\s|^\s*(?:ingredients|method|directions|instructions|you will need|tools)\b",
    re.I,
)
_AMOUNT = re.compile(
    r"^\s*(?:[-*•]\s*)?(?:\d+[\d/.,]*|½|¼|a pinch|some)\s*(?:g|kg|ml|l|cups?|tbsp|tsp|oz|cloves?|tins?)\b", re.I
)
BULLET = re.compile(r"^\s*(?:[-*•–]|\d+[.)])\s+")


_TELLER = re.compile(r"\b(?:i|me|my|i['’](?:m|ve|d|ll))\b(?![.)])", re.I)
_QUOTED = re.compile(r"""["“][^"”]*["”]|(?<!\w)['‘][^'’]*(?:\w['’]\w[^'’]*)*['’]""")
_OWN = 0.035  # share of such words above which somebody tells of themselves


def recognised(lines: Sequence[str], told: Mapping[int, str] = MappingProxyType({})) -> str:
    """What kind of text these lines are of; `told` are the kinds of lines that the file tells.

    >>> recognised(["Ann: Hello.", "Bob: Hi, Ann.", "Ann: Shall we go?", "Bob: Yes, at six."])
    'dialogue'
    """
    if not lines:
        return ARTICLE
    if _share(_MAIL, lines[:12]) >= 0.2 and sum(bool(_MAIL.match(line)) for line in lines) >= 3:
        return MAIL
    if is_dialogue(lines):
        return DIALOGUE
    if sum(bool(_ABSTRACT.match(line)) for line in lines) >= 3:
        return PAPER
    words = " ".join(lines)
    if _share(CLAUSE, lines) >= 0.25 and 100 * len(_SHALL.findall(words)) >= len(words.split()):
        return LEGAL
    if sum(bool(_AMOUNT.match(line)) for line in lines) >= 3 and sum(bool(_STEP.match(line)) for line in lines) >= 2:
        return INSTRUCTIONS
    items = sum(bool(BULLET.match(line)) or told.get(number) == LIST_ITEM for number, line in enumerate(lines))
    if len(lines) >= 5 and items >= 0.6 * len(lines):
        return NOTES
    unquoted = _QUOTED.sub(" ", words)
    return STORY if len(_TELLER.findall(unquoted)) >= _OWN * max(1, len(unquoted.split())) else ARTICLE


def is_dialogue(lines: Sequence[str]) -> bool:
    """Whether most lines are somebody's turns, and some take more than one."""
    alone = [match["speaker"] for line in lines if (match := ALONE.match(line))]
    speakers = alone + [match["speaker"] for line in lines if (match := TURN.match(line))]
    fewest = _FEWEST_TURNS - (len(speakers) == len(lines))
    if len(speakers) < fewest or 2 * (len(speakers) + len(alone)) < len(lines):
        return False
    return len(Counter(speakers)) <= max(2, len(speakers) // 2)


def _share(pattern: re.Pattern[str], lines: Sequence[str]) -> float:
    return sum(bool(pattern.match(line)) for line in lines) / max(1, len(lines))
